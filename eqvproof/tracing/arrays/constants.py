"""Values that depend on no input, computed where the target needs them as Python numbers.

Rational ones are exact. For irrational ones (``np.sqrt(3)``) an enclosure decides a comparison or
``int()``, and ``float()`` rounds, which the verdict then mentions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from fractions import Fraction

import numpy as np

from eqvproof.programs import Builder, Size
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.sizes import SymbolicSize
from eqvproof.tracing.arrays.values import (
    Numbers,
    TracedArray,
    constant_entries,
    is_traced,
    node_of,
)

PRECISION = 256


def entries_of(b: Builder, node: int) -> Numbers | None:
    """Returns the exact entries of a constant node; None if it depends on an input or a size.

    Entries are Fractions, or balls.
    """
    for op in (b.nodes[x] for x in b.behind(node)):
        free = op.input_name is not None or op.opaque_name is not None or op.as_size is not None
        if free or any(s.constant is None for s in op.shape):
            return None
    from eqvproof.programs.evaluate import evaluate_exact

    bare = dataclasses.replace(b.program(node), inputs=())
    result: Numbers = np.asarray(evaluate_exact(bare, {}, {}, precision=PRECISION), dtype=object)
    return result


def integers_of(b: Builder, node: int) -> Numbers | None:
    """Returns the entries of a constant node as integers; None for other values."""
    found = _bounds(entries_of(b, node))
    if found is None or any(
        x != y or x % 1 for x, y in zip(*(ends.flat for ends in found), strict=True)
    ):
        return None
    return found[0].astype(np.int64)


def floats_of(b: Builder, node: int) -> Numbers | None:
    """Returns the entries of a constant node as floats; None for other values."""
    found = _bounds(entries_of(b, node))
    if found is None:
        return None
    return np.asarray((found[0] + found[1]) / 2, dtype=np.float64)


def _bounds(entries: Numbers | None) -> tuple[Numbers, Numbers] | None:
    """Returns rational bounds of entries; None where one of them is undefined."""
    if entries is None:
        pairs = []
    else:
        pairs = [_enclosure(v) for v in entries.flat]
    if entries is None or None in pairs:
        return None
    low, high = (
        np.array([p[k] for p in pairs if p], dtype=object).reshape(entries.shape) for k in (0, 1)
    )
    return low, high


def _entries(tracer: TracedArray) -> Numbers | None:
    """Returns the exact entries of a constant array, Fractions or balls; None for other values."""
    known = constant_entries(tracer)
    if known is None:
        return entries_of(tracer._eqvproof.context.builder, node_of(tracer))
    return known


def known_number(tracer: TracedArray, *, exact: bool) -> Fraction | None:
    """Returns the value of a constant with one entry: rational, or rounded unless `exact`.

    With `exact`, an irrational number is replaced by a rational that lies in the same place between
    integers (and is not 0 unless the number is), so that ``int()`` and truth values come out right;
    None where the enclosure does not decide it.
    """
    entries = _entries(tracer)
    if entries is None or entries.size != 1:
        return None
    value = _enclosure(entries.ravel()[0])
    if value is None:
        return None
    low, high = value
    if low == high:
        return low
    if not exact:
        tracer._eqvproof.context.note(
            "a named constant is rounded to a float in the target (float(...))"
        )
        return (low + high) / 2
    if low // 1 == high // 1 and (low > 0 or high < 0) and low // 1 != low:
        return (low + high) / 2
    return None


def known_truth(tracer: TracedArray) -> bool | None:
    """Decides whether a number is nonzero if the answer is the same for all inputs and sizes.

    Returns None otherwise.
    """
    number = known_number(tracer, exact=True)
    if number is not None:
        return bool(number != 0)
    b, node = tracer._eqvproof.context.builder, node_of(tracer)
    if any(s != Size.of(1) for s in b.shape(node)) or not b.is_total(node):
        return None
    low, high = b.intervals.of(node)
    if low > 0 or high < 0:
        return True
    if low == high == 0:
        return False
    return None


def _enclosure(entry: object) -> tuple[Fraction, Fraction] | None:
    from eqvproof.numbers import Real

    if isinstance(entry, Fraction):
        return entry, entry
    if not isinstance(entry, Real):
        return None
    low, high = entry.bounds()
    return Fraction(low), Fraction(high)


def constant_floats(tracer: TracedArray) -> Numbers | None:
    """Returns the entries of a constant as an array of floats; None if it is not constant."""
    found = _bounds(_entries(tracer))
    if found is None:
        return None
    result = np.asarray((found[0] + found[1]) / 2, dtype=np.float64)
    both = zip(found[0].flat, found[1].flat, result.flat, strict=True)
    if any(not p == q == Fraction(float(x)) for p, q, x in both):
        tracer._eqvproof.context.note(
            "constants are rounded to floats where a function asks for their entries"
        )
    return result.astype(tracer._eqvproof.dtype)


def with_constants(
    context: TraceContext,
    function: Callable[..., object],
    args: Iterable[object],
    kwargs: dict[str, object],
) -> tuple[object] | None:
    """Calls a function that is not traced if all its traced arguments are constants.

    Returns the result in a tuple; None otherwise.
    """
    failed = False

    def convert(value: object) -> object:
        nonlocal failed
        if is_traced(value):
            found = constant_floats(value)
            failed = failed or found is None
            return found
        if type(value) is SymbolicSize:
            failed = True
        if type(value) is list or type(value) is tuple:
            return type(value)(convert(v) for v in value)
        return value

    arguments = [convert(a) for a in args]
    named = {k: convert(v) for k, v in kwargs.items()}
    if failed:
        return None
    return (function(*arguments, **named),)
