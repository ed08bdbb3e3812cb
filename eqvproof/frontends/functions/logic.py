"""Comparisons and logic: booleans as 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.frontends import positions
from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.functions.registry import Table, handles, node_of, real

UFUNCS: Table = {}

COMPARISONS: dict[str, Any] = {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal,
    "ne": np.not_equal, "and": np.logical_and, "or": np.logical_or, "not": np.logical_not,
}  # fmt: skip


def _compared(fn: str) -> Callable[..., Any]:
    def handler(context: TraceContext, *args: Any) -> Any:
        b, nodes = context.builder, [node_of(a) for a in args]
        same = positions.equal(b, *nodes) if fn in ("eq", "ne") else None
        if same is not None:
            return real(context, same if fn == "eq" else b.sub(b.const(1), same), kind="b")
        return real(context, b.map(fn, nodes), kind="b")

    return handler


for _fn, _ufunc in COMPARISONS.items():
    UFUNCS[_ufunc] = _compared(_fn)


@handles(UFUNCS, np.bitwise_and)
def bitwise_and(context: TraceContext, a: Any, b: Any) -> Any:
    """Of booleans: and."""
    return _logic(context, "and", a, b)


@handles(UFUNCS, np.bitwise_or)
def bitwise_or(context: TraceContext, a: Any, b: Any) -> Any:
    """Of booleans: or."""
    return _logic(context, "or", a, b)


@handles(UFUNCS, np.invert)
def invert(context: TraceContext, a: Any) -> Any:
    """Of booleans: not."""
    return _logic(context, "not", a)


@handles(UFUNCS, np.bitwise_xor)
def bitwise_xor(context: TraceContext, a: Any, b: Any) -> Any:
    """Of booleans: they differ."""
    return _logic(context, "ne", a, b)


def _logic(context: TraceContext, fn: str, *args: Any) -> Any:
    if any(a._eqvproof.kind != "b" for a in args):
        context.refuse("& | ^ ~ of numbers", hint="they are traced for booleans (comparisons)")
    return real(context, context.builder.map(fn, [node_of(a) for a in args]), kind="b")


@handles(UFUNCS, np.logical_xor)
def logical_xor(context: TraceContext, a: Any, b: Any) -> Any:
    """Exactly one is true."""
    zero = context.builder.const(0)
    truth = [context.builder.map("ne", [node_of(x), zero]) for x in (a, b)]
    return real(context, context.builder.map("ne", truth), kind="b")
