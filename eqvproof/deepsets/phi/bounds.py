"""Bounds the features of a formula, given bounds of the columns.

    |x_j| <= C_j for all j
    -----------------------   B by interval arithmetic in the formula's own rounded operations
    |phi(x)| <= B

Proof: rounding to nearest is monotone, so the rounded operation on the ends of intervals bounds the
rounded operation on every number between them; no outward rounding is needed for add, sub, mul,
div, sqrt, min, max. The expansions of exp, log, ... are within 2^-40 of the real functions; their
bounds are widened by that.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from eqvproof.deepsets.phi.formula import Formula, Node
from eqvproof.deepsets.phi.numbers import OPERATORS

Interval = tuple[float, float]
_WIDE = 1.0 + 2.0**-40
#: operation -> interval that contains its values at every argument
_ALWAYS_WITHIN: dict[str, Interval] = {op: (-_WIDE, _WIDE) for op in ("tanh", "sin", "cos")} | {
    "sign": (-1.0, 1.0), "lt": (0.0, 1.0), "le": (0.0, 1.0), "eq": (0.0, 1.0), "arctan": (-2.0, 2.0)
}  # fmt: skip
#: operations of two arguments whose least and largest values are at the ends of the intervals
_EXTREME_AT_ENDS: dict[str, Callable[[float, float], float]] = {
    **{op: OPERATORS[op] for op in ("add", "sub", "mul", "div")}, "max": max, "min": min
}  # fmt: skip


def feature_bounds(
    formula: Formula, columns: list[float], *, single: bool = False
) -> list[float | None]:
    """Bounds each |phi_f(x)|; the bound is None if phi_f is unbounded, or may be NaN or infinite.

    Args:
        formula: phi.
        columns: a bound of each |x_j|.
        single: phi is evaluated in float32; then the ends are rounded to float32 after each
            operation (rounding to float64 first does not change that: 53 >= 2 * 24 + 2).
    """
    intervals: list[Interval | None] = []
    for node in formula.nodes:
        args = [a for a in (intervals[i] for i in node.args) if a is not None]
        found = None
        if len(args) == len(node.args):
            found = _interval(node, args, columns)
        if found is not None and single:
            with np.errstate(over="ignore"):
                found = float(np.float32(found[0])), float(np.float32(found[1]))
        if found is not None and not all(map(math.isfinite, found)):
            found = None
        intervals.append(found)
    bounds: list[float | None] = []
    for o in formula.outputs:
        interval = intervals[o]
        if interval is None:
            bounds.append(None)
        else:
            bounds.append(max(abs(interval[0]), abs(interval[1])))
    return bounds


def _interval(node: Node, args: list[Interval], columns: list[float]) -> Interval | None:
    op = node.op
    if op == "column":
        bound = columns[int(node.value)]
        return -bound, bound
    if op == "const":
        return node.value, node.value
    if op in _ALWAYS_WITHIN:
        return _ALWAYS_WITHIN[op]
    if op == "select":
        return min(args[1][0], args[2][0]), max(args[1][1], args[2][1])
    if op == "mul" and node.args[0] == node.args[1]:
        low, high = _absolute_values(args[0])
        return low * low, high * high
    if op in _EXTREME_AT_ENDS:
        a, b = args
        if op == "div" and b[0] <= 0.0 <= b[1]:
            return None
        ends = [_EXTREME_AT_ENDS[op](x, y) for x in a for y in b]
        return min(ends), max(ends)
    if len(args) == 1:
        return _interval_of_unary(op, args[0])
    return None


def _interval_of_unary(op: str, a: Interval) -> Interval | None:
    low, high = a
    if op == "neg":
        return -high, -low
    if op == "abs":
        return _absolute_values(a)
    if op == "sqrt" and low >= 0.0:
        return math.sqrt(low), math.sqrt(high)
    if op in ("rint", "floor", "ceil"):
        return low - 1.0, high + 1.0
    if op == "exp" and high < 709.0:
        return 0.0, math.exp(high) * _WIDE
    if op == "log" and low > 0.0:
        return _widen(math.log(low), math.log(high))
    if op == "arcsinh":
        return _widen(math.asinh(low), math.asinh(high))
    if op in ("cosh", "sinh") and max(abs(low), abs(high)) < 709.0:
        bound = math.cosh(max(abs(low), abs(high))) * _WIDE
        return -bound, bound
    return None


def _absolute_values(a: Interval) -> Interval:
    """Returns the interval of the absolute values of an interval."""
    low, high = a
    if low <= 0.0 <= high:
        return 0.0, max(-low, high)
    return min(abs(low), abs(high)), max(abs(low), abs(high))


def _widen(low: float, high: float) -> Interval:
    slack = 2.0**-40 * (1.0 + max(abs(low), abs(high)))
    return low - slack, high + slack
