"""Comparisons and logic, with booleans as 0 and 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eqvproof.programs import Builder
from eqvproof.tracing.arrays import formulas, poles, positions
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import Handler, Table, handles, node_of, real
from eqvproof.tracing.arrays.poles import UNKNOWN, UNKNOWN_HINT
from eqvproof.tracing.arrays.values import Array

UFUNCS: Table = {}

COMPARISONS: dict[str, object] = {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal,
    "ne": np.not_equal, "and": np.logical_and, "or": np.logical_or, "not": np.logical_not,
}  # fmt: skip


_RELATIONS = frozenset(("lt", "le", "gt", "ge", "eq", "ne"))


def _compared(fn: str) -> Callable[..., object]:
    def handler(context: TraceContext, *args: Array) -> Array:
        b, nodes = context.builder, [node_of(a) for a in args]
        if fn in _RELATIONS and nodes[0] == nodes[1]:
            require_known(context, poles.invalid(b, nodes[0]))
            return real(context, poles.beside_itself(b, fn, nodes[0]), kind="b")
        if fn in ("eq", "ne"):
            same = positions.equal(b, *nodes)
        else:
            same = None
        if same is not None:
            return real(context, same if fn == "eq" else b.sub(b.const(1), same), kind="b")
        return real(context, b.map(fn, nodes), kind="b")

    return handler


for _fn, _ufunc in COMPARISONS.items():
    UFUNCS[_ufunc] = _compared(_fn)


def _logic(fn: str) -> Callable[..., object]:
    def handler(context: TraceContext, *args: Array) -> Array:
        if any(a._eqvproof.kind != "b" for a in args):
            context.refuse("& | ^ ~ of numbers", hint="they are traced for booleans (comparisons)")
        return real(context, context.builder.map(fn, [node_of(a) for a in args]), kind="b")

    return handler


for _fn, _ufunc in {
    "and": np.bitwise_and, "or": np.bitwise_or, "not": np.invert, "ne": np.bitwise_xor,
}.items():  # fmt: skip
    UFUNCS[_ufunc] = _logic(_fn)


@handles(UFUNCS, np.logical_xor)
def logical_xor(context: TraceContext, a: Array, b: Array) -> Array:
    """Returns 1 where exactly one of both is true."""
    return real(context, formulas.logical_xor(context.builder, node_of(a), node_of(b)), kind="b")


def require_known(context: TraceContext, mask: int | None) -> int:
    """Returns a mask of poles; refuses what is not known."""
    if mask is None:
        context.refuse(UNKNOWN, hint=UNKNOWN_HINT, code="trace.value")
    return mask


def invalid_node(context: TraceContext, x: Array) -> int:
    """Returns 1 where a value is NaN, else 0."""
    return require_known(context, poles.invalid(context.builder, node_of(x)))


def _special(answer: Callable[[Builder, int], int | None]) -> Handler:
    """Returns the handler of a question for where a value is infinite or NaN."""

    def handler(context: TraceContext, x: Array) -> Array:
        return real(context, require_known(context, answer(context.builder, node_of(x))), kind="b")

    return handler


UFUNCS |= {
    np.isinf: _special(poles.infinite),
    np.isnan: _special(poles.invalid),
    np.isfinite: _special(poles.finite),
}
