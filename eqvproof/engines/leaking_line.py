"""Finds the user's line that lets a result depend on entries on which it must not depend.

`claims.dependence` joins these entries to those that stay, or selects them by a mask, before it
calls the user's function. An entry of a value is protected if its indices are those of entries
that stay. A value leaks if a protected entry changes with the others. The line is that of the first
value that leaks, among those through which the result does.

**Exactness**: float64, at a few random points; it only chooses the line that a reason names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from eqvproof.claims.signature import Signature
from eqvproof.claims.size import least_sizes
from eqvproof.engines.affine_types import translated_axis
from eqvproof.engines.linear_types import FLIPPED, Gap
from eqvproof.engines.reasons import NO_REASON, Reason, Why
from eqvproof.programs import Program, Size
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.walk import evaluate_program
from eqvproof.programs.rules import Stuck
from eqvproof.support.code_line import NO_LINE
from eqvproof.support.errors import EqvproofError
from eqvproof.tracing.samples import make_inputs
from eqvproof.tracing.trace import Trace

Mask = npt.NDArray[np.bool_]
ZERO = Size(())
#: The kinds of points that are compared, and the relative difference that rounding does not explain.
STYLES, LARGE = ("normal", "positive", "integers"), 1e-9


@dataclass(frozen=True, slots=True)
class _Protected:
    """The entries that must not depend on what is moved, as those whose indices are allowed.

    Attributes:
        sizes: the sizes of axes that the indices belong to; none if all entries are protected.
        allowed: the argument of truth values that tells which indices are, and the value there.
        limit: without such an argument, the index below which they are, or from which on.
        is_below: whether they are below it.
    """

    sizes: tuple[Size, ...] = ()
    allowed: tuple[str, bool] | None = None
    limit: Size = ZERO
    is_below: bool = True

    def table(
        self, inputs: Mapping[str, npt.NDArray[np.float64]], known: Mapping[str, int]
    ) -> Mask:
        """Returns which indices are allowed, at given sizes."""
        if self.allowed is not None:
            name, holds = self.allowed
            table: Mask = np.equal(inputs[name] != 0, holds)
            return table
        if not self.sizes:
            return np.ones((), dtype=bool)
        count, limit = self.sizes[0].value(known), self.limit.value(known)
        return np.equal(np.arange(count) < limit, self.is_below)

    def leaks(self, shape: Sequence[Size], changed: Mask, table: Mask) -> bool:
        """Checks whether a protected entry of a value has changed; False if that is not known."""
        names = frozenset(name for size in self.sizes for name in size.names)
        if any(size.names & names and not self._has_axis(size) for size in shape):
            return False
        places = [[k for k, size in enumerate(shape) if size == own] for own in self.sizes]
        if not any(places[-1:]):
            return bool(changed.any())
        if any(len(axes) != 1 for axes in places[:-1]):
            return False
        meant = np.ones(changed.shape, dtype=bool)
        for last in places[-1]:
            axes = [*(row[0] for row in places[:-1]), last]
            view = np.transpose(table, np.argsort(axes))
            meant &= view.reshape([n if k in axes else 1 for k, n in enumerate(changed.shape)])
        return bool((changed & meant).any())

    def _has_axis(self, size: Size) -> bool:
        """Checks whether a size is that of such an axis, or of the part of one that stays."""
        if self.allowed is not None:
            return size in self.sizes
        part = self.limit
        if not self.is_below:
            part = self.sizes[0] - self.limit
        return size in (*self.sizes, part)


def find_leak(trace: Trace, gap: Gap, signature: Signature, pins: Mapping[str, int]) -> Reason:
    """Names the line through which a result depends on what it must not depend on.

    If none is seen, the first line that uses the translated values is named. There is no reason if
    no function of `claims.dependence` joins these values to others.

    Args:
        trace: of the function.
        gap: where its proof stops.
        signature: the claimed typing.
        pins: axis names that are numbers in the Program.
    """
    factor = gap.factor
    if factor.axis == FLIPPED or not factor.kind.only_translates:
        return NO_REASON
    try:
        if translated_axis(signature.output, factor) is not None:
            return NO_REASON
        moving = [a for a in signature.inputs if translated_axis(a.axes, factor) is not None]
    except Stuck:
        return NO_REASON
    if any(len(a.axes) > 1 + (factor.place_of_each(a.axes) is not None) for a in moving):
        return NO_REASON  # translations do not reach every value of it
    moved = {a.name for a in moving}
    behind = _depending(trace.program, moved)
    users = [k for k in behind if trace.lines.get(k)]
    ours = [k for k in behind if k not in users and trace.program.nodes[k].args]
    if not users or not ours:
        return NO_REASON
    if place := _leaking_place(trace, signature, moved, pins):
        found = Reason(Why.LEAK, place)
    else:
        names = ", ".join(a.name for a in moving)
        found = Reason(Why.NOT_SEEN_TO_LEAK, f"{names}, used first at {trace.lines[users[0]]}")
    if gap.remark:
        return replace(found, inner=Reason(Why.MASKED_BY_A_NUMBER, gap.remark))
    return found


def _leaking_place(
    trace: Trace, signature: Signature, moved: set[str], pins: Mapping[str, int]
) -> str:
    """Returns the line of the first value that leaks; "" if none is seen to."""
    program = trace.program
    behind = _depending(program, moved)
    users = [k for k in behind if trace.lines.get(k)]
    given = {a for k in users for a in program.nodes[k].args}
    given = {k for k in given & {*behind} if k not in users and program.nodes[k].args}
    try:
        points = list(_changes(trace, signature, moved, pins))
    except (EqvproofError, ArithmeticError, ValueError, np.linalg.LinAlgError):
        return ""
    for protected in _candidates(program, signature, moved):
        leaking = {
            k
            for known, inputs, changed in points
            for k in behind
            if protected.leaks(program.nodes[k].shape, changed[k], protected.table(inputs, known))
        }
        if not leaking & given and (place := _place_of_first(trace, leaking)):
            return place
    return ""


def _depending(program: Program, moved: set[str]) -> list[int]:
    """Returns the nodes that use moved arguments, in order."""
    found = set[int]()
    for number, node in enumerate(program.nodes[: program.output + 1]):
        if node.input_name in moved or found & {*node.args}:
            found.add(number)
    return sorted(found)


def _changes(
    trace: Trace, signature: Signature, moved: set[str], pins: Mapping[str, int]
) -> Iterator[tuple[dict[str, int], dict[str, npt.NDArray[np.float64]], dict[int, Mask]]]:
    """Yields sizes, inputs, and which entries of each value change with the moved arguments."""
    program = trace.program
    names = sorted({name for _, shape in program.inputs for size in shape for name in size.names})
    lows = least_sizes(names)
    rng = np.random.default_rng(0)
    for number, style in enumerate(STYLES):
        sizes = {name: max(2, lows[name]) + (k + number) % 3 for k, name in enumerate(names)}
        sizes |= {**signature.pins, **pins}
        inputs = make_inputs(signature, sizes, style, rng)
        other = make_inputs(signature, sizes, style, rng)
        for argument in signature.inputs:
            if argument.kind == "bool":
                shape = inputs[argument.name].shape
                inputs[argument.name] = (
                    np.arange(inputs[argument.name].size).reshape(shape) % 2 == 0
                )
        before = _values(trace, inputs, sizes)
        changed = {k: np.zeros(value.shape, dtype=bool) for k, value in before.items()}
        for sign in (1, -1):  # a number whose sign selects one of two arrays has both
            after = _values(
                trace,
                inputs | {k: sign * np.abs(v) for k, v in other.items() if k in moved},
                sizes,
            )
            for k, value in before.items():
                size = np.maximum(np.abs(value), np.abs(after[k]))
                with np.errstate(all="ignore"):
                    changed[k] |= np.abs(value - after[k]) > LARGE * (1 + size)
        yield sizes, inputs, changed


def _values(
    trace: Trace, inputs: Mapping[str, npt.NDArray[np.float64]], sizes: Mapping[str, int]
) -> dict[int, npt.NDArray[np.float64]]:
    """Returns the values of all nodes in floats."""
    kept = dict[int, npt.NDArray[np.float64]]()
    arrays = {name: np.asarray(value, dtype=float) for name, value in inputs.items()}
    with np.errstate(all="ignore"):
        evaluate_program(
            trace.program, FloatSystem(np, np.dtype(float), trace.opaques, 0), arrays, sizes,
            kept, lambda node, value: True,
        )  # fmt: skip
    return kept


def _candidates(program: Program, signature: Signature, moved: set[str]) -> Iterator[_Protected]:
    """Yields which entries may be meant: those before or after an index, at a mask, or all.

    The index is as many as the result has entries, and the arguments more by a constant.
    """
    shapes = dict(program.inputs)
    known = {size for node in program.nodes for size in node.shape}
    still = dict.fromkeys(s for name, shape in shapes.items() if name not in moved for s in shape)
    others = dict.fromkeys(size for name in moved for size in shapes[name])
    for own, other, size in product(still, others, dict.fromkeys(program.shape)):
        whole, margin = own + other, (own - size).constant
        if whole in known and margin is not None and margin >= 0:
            yield _Protected((whole,), None, size, is_below=True)
            yield _Protected((whole,), None, whole - size, is_below=False)
    for argument in signature.inputs:
        if argument.kind == "bool" and argument.name not in moved and shapes[argument.name]:
            for holds in (True, False):
                yield _Protected(shapes[argument.name], (argument.name, holds))
    yield _Protected()


def _place_of_first(trace: Trace, leaking: set[int]) -> str:
    """Returns the line of the first value that leaks, among those through which the result does.

    If a matrix that depends on no argument is used there, as a mask, its line is named too.
    """
    nodes, reached, stack = trace.program.nodes, set[int](), [trace.program.output]
    while stack:
        number = stack.pop()
        if number in leaking and number not in reached:
            reached.add(number)
            stack += nodes[number].args
    number = min((k for k in reached if trace.lines.get(k)), default=-1)
    if number < 0:
        return ""
    line = trace.lines[number]
    given = set(_depending(trace.program, {name for name, _ in trace.program.inputs}))
    factors = [k for k in nodes[number].args if k not in given and len(nodes[k].shape) > 1]
    masks = [trace.lines.get(k, NO_LINE) for k in factors]
    others = dict.fromkeys(mask for mask in masks if mask and mask.place != line.place)
    return "; ".join([str(line), *(f"the mask there is from {mask}" for mask in others)])
