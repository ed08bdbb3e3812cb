"""How large a feature can be where the columns are bounded.

    |x_j| <= C_j for all j
    -----------------------   B by interval arithmetic in the formula's own rounded operations
    |phi(x)| <= B

Proof: rounding to nearest is monotone, so the rounded operation on the ends of intervals bounds the rounded
operation on every number between them; no outward rounding is needed for add, sub, mul, div, sqrt, min, max.
exp, log, ... as expanded are within 2^-40 of the real functions, by which their bounds are widened.
"""

from __future__ import annotations

import math

import numpy as np

from eqvproof.deepsets.phi.formula import Formula, Node

Interval = tuple[float, float]
_WIDE = 1.0 + 2.0**-40
#: what is never exceeded, whatever the argument
_BOUNDED: dict[str, Interval] = {op: (-_WIDE, _WIDE) for op in ("tanh", "sin", "cos")} | {
    "sign": (-1.0, 1.0), "lt": (0.0, 1.0), "le": (0.0, 1.0), "eq": (0.0, 1.0), "arctan": (-2.0, 2.0)
}  # fmt: skip


def feature_bounds(formula: Formula, columns: list[float], *, single: bool = False) -> list[float | None]:
    """A bound of each |phi_f(x)|, None where there is none or where phi may be NaN or infinite.

    Args:
        formula: phi.
        columns: a bound of each |x_j|.
        single: phi is evaluated in float32; then the ends are rounded to float32 after each operation (twice
            rounded is once rounded there: 53 >= 2 * 24 + 2).
    """
    intervals: list[Interval | None] = []
    for node in formula.nodes:
        args = [a for a in (intervals[i] for i in node.args) if a is not None]
        found = _interval(node, args, columns) if len(args) == len(node.args) else None
        if found is not None and single:
            with np.errstate(over="ignore"):
                found = float(np.float32(found[0])), float(np.float32(found[1]))
        if found is not None and not all(map(math.isfinite, found)):
            found = None
        intervals.append(found)
    bounds: list[float | None] = []
    for o in formula.outputs:
        interval = intervals[o]
        bounds.append(None if interval is None else max(abs(interval[0]), abs(interval[1])))
    return bounds


def _interval(node: Node, args: list[Interval], columns: list[float]) -> Interval | None:
    op = node.op
    if op == "column":
        bound = columns[int(node.value)]
        return -bound, bound
    if op == "const":
        return node.value, node.value
    if op in _BOUNDED:
        return _BOUNDED[op]
    if op == "select":
        return _hull(args[1], args[2])
    if op == "mul" and node.args[0] == node.args[1]:
        (low, high) = args[0]
        squares = (low * low, high * high)
        return (0.0 if low <= 0.0 <= high else min(squares)), max(squares)
    if len(args) == 2:
        return _binary(op, args[0], args[1])
    return _unary(op, args[0])


def _binary(op: str, a: Interval, b: Interval) -> Interval | None:
    if op == "add":
        return a[0] + b[0], a[1] + b[1]
    if op == "sub":
        return a[0] - b[1], a[1] - b[0]
    if op == "mul":
        ends = [x * y for x in a for y in b]
        return min(ends), max(ends)
    if op == "div" and not b[0] <= 0.0 <= b[1]:
        ends = [x / y for x in a for y in b]
        return min(ends), max(ends)
    if op in ("max", "min"):
        choose = max if op == "max" else min
        return choose(a[0], b[0]), choose(a[1], b[1])
    return None


def _unary(op: str, a: Interval) -> Interval | None:
    low, high = a
    if op == "neg":
        return -high, -low
    if op == "abs":
        return (0.0 if low <= 0.0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
    if op == "sqrt" and low >= 0.0:
        return math.sqrt(low), math.sqrt(high)
    if op in ("rint", "floor", "ceil"):
        return low - 1.0, high + 1.0
    if op == "exp" and high < 709.0:
        return 0.0, math.exp(high) * _WIDE
    if op == "log" and low > 0.0:
        return _widened(math.log(low), math.log(high))
    if op == "arcsinh":
        return _widened(math.asinh(low), math.asinh(high))
    if op in ("cosh", "sinh") and max(abs(low), abs(high)) < 709.0:
        bound = math.cosh(max(abs(low), abs(high))) * _WIDE
        return -bound, bound
    return None


def _widened(low: float, high: float) -> Interval:
    slack = 2.0**-40 * (1.0 + max(abs(low), abs(high)))
    return low - slack, high + slack


def _hull(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), max(a[1], b[1])
