"""A formula on blocks of rows: one array operation each, on NumPy arrays or any array of the array API."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.expand import expand
from eqvproof.deepsets.phi.formula import Formula, Node


def evaluate(
    formula: Formula, columns: list[Any], xp: Any = np, into: Mapping[int, Any] = MappingProxyType({})
) -> list[Any]:
    """phi of b rows, as one array (b,) a feature.

    Args:
        formula: phi.
        columns: d arrays (b,), float32 or float64, contiguous.
        xp: the arrays' namespace.
        into: number of an operation, of a formula without expanded ones -> the NumPy array for its values.

    Exactness: each operation rounded once to nearest in the arrays' dtype, in the formula's order. NaN and
        infinities as IEEE 754 has them; nothing warns.
    """
    formula = expand(formula)
    like, free = columns[0], formula.last_use()
    values: list[Any] = [None] * len(formula.nodes)
    with np.errstate(all="ignore"):
        for i, node in enumerate(formula.nodes):
            args = [values[a] for a in node.args]
            values[i] = _apply(node, args, columns, like, xp) if i not in into else _put(node, args, into[i])
            for a in free.get(i, ()):
                values[a] = None
    return [values[o] for o in formula.outputs]


def _put(node: Node, args: list[Any], place: Any) -> Any:
    """A plain operation whose values go to a place."""
    return getattr(np, _PLAIN[node.op])(*args, out=place)


def _apply(node: Node, args: list[Any], columns: list[Any], like: Any, xp: Any) -> Any:
    op = node.op
    if op == "column":
        return columns[int(node.value)]
    if op == "const":
        return xp.full(like.shape, node.value, dtype=like.dtype)
    if op in _PLAIN:
        return getattr(xp, _PLAIN[op])(*args)
    if op in ("max", "min"):
        a, b = args
        first = (a > b) if op == "max" else (a < b)
        return xp.where(first | (a != a), a, b)
    if op in _COMPARE:
        return xp.astype(getattr(xp, _COMPARE[op])(*args), like.dtype)
    if op == "select":
        return xp.where(args[0] != 0, args[1], args[2])
    return _bits(op, args[0], xp)


def _bits(op: str, x: Any, xp: Any) -> Any:
    """2^k, mantissa and exponent from the bits of float64."""
    if not hasattr(x, "view"):  # array-api-strict: the same numbers through NumPy
        return xp.asarray(_bits(op, np.asarray(x), np))
    if op == "pow2":
        return ((xp.astype(x, xp.int64) + 1023) << 52).view(xp.float64)
    bits = x.view(xp.int64)
    if op == "mantissa":
        return ((bits & ((1 << 52) - 1)) | (1023 << 52)).view(xp.float64)
    return xp.astype((bits >> 52) & 2047, xp.float64) - 1023.0


_PLAIN = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "neg": "negative",
    "abs": "abs",
    "sqrt": "sqrt",
    "rint": "round",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "arctan": "atan",
    "arcsin": "asin",
    "arccos": "acos",
    "arcsinh": "asinh",
}
#: operations that can write their values to a place
PLACED = frozenset(_PLAIN)
_COMPARE = {"lt": "less", "le": "less_equal", "eq": "equal"}
