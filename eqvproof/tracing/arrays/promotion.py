"""The integer type of the result of a NumPy function, from the types of its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from eqvproof.tracing.arrays.context import UNKNOWN, TraceContext
from eqvproof.tracing.arrays.sizes import SymbolicSize
from eqvproof.tracing.arrays.values import Array, is_listed, is_traced, joint_dtype, kept

#: Functions that add or multiply in 64 bits for all integer types.
WIDE = frozenset({np.sum, np.prod, np.cumsum, np.cumprod, np.trace})
#: Functions that return positions or counts.
COUNTS = frozenset({np.argmax, np.argmin, np.argsort, np.bincount, np.count_nonzero})
#: Functions whose result has the common type of all arguments; others keep that of the first one.
JOINT = frozenset(
    {
        np.concatenate,
        np.stack,
        np.block,
        np.dot,
        np.inner,
        np.vdot,
        np.outer,
        np.tensordot,
        np.einsum,
        np.kron,
        np.cross,
        np.where,
        np.select,
        np.convolve,
        np.correlate,
        np.linalg.multi_dot,
    }
)

Integers = tuple[object, bool]


def of_ufunc(
    context: TraceContext, ufunc: np.ufunc, args: Iterable[Array], *, operator: bool
) -> Integers:
    """Returns the integer type of a universal function's result, and whether it is certain.

    A Python integer takes the type of the others; where it is too large for it, NumPy raises.
    """
    values = [a._eqvproof for a in args]
    if operator and all(v.dtype is int for v in values):
        return int, True
    try:
        found = ufunc.resolve_dtypes((*(v.dtype for v in values), *(None,) * ufunc.nout))
    except TypeError:
        return UNKNOWN
    result = found[ufunc.nin]
    if result.kind not in "iu":
        return UNKNOWN
    for value, dtype in zip(values, found, strict=False):
        if value.dtype is int and dtype.kind in "iu":
            kept(context, value.node, dtype, wraps=False)
    return result, True


def of_function(function: object, args: tuple[object, ...]) -> Integers:
    """Returns the integer type of another function's result, and whether it is certain."""
    if function in COUNTS:
        return np.dtype(np.int64), True
    if function not in JOINT:
        args = args[:1]
    elif function is np.where:
        args = args[1:]
    joint, sure = joint_dtype(_types(args, plain=None))
    if function in WIDE:
        joint = np.result_type(joint, np.uint64 if joint.kind == "u" else np.int64)
    elif function in JOINT and function is not np.where:
        # an array, or an axis
        sure = sure and not any(type(a) in (int, SymbolicSize) for a in args)
    return joint, sure


def _types(
    values: Iterable[object], plain: np.dtype[np.int64] | None
) -> Iterator[np.dtype[np.generic]]:
    """Yields the types of the arrays among arguments, in lists too.

    `plain` is the type of Python's integers.
    """
    for value in values:
        if is_traced(value):
            yield (
                plain
                if plain is not None and value._eqvproof.dtype is int
                else value._eqvproof.dtype
            )
        elif isinstance(value, (np.ndarray, np.integer)):
            yield value.dtype
        elif type(value) in (int, SymbolicSize) and plain is not None:
            yield plain
        elif is_listed(value):
            yield from _types(value, np.dtype(np.int64))
