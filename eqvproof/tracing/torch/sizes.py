"""Torch's expressions in sizes, and conditions that hold for all sizes.

Torch's expressions in sizes are SymPy's. A condition holds at every size where a polynomial shows
it by its coefficients, after each size has been written as 1 plus a natural number: where none is
negative, the polynomial is never negative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import ceil, floor, lcm, prod
from operator import eq, ge, gt, le, lt, ne, not_
from typing import Any, TypeAlias

from eqvproof.claims.size import first_of
from eqvproof.programs import Builder, Size
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.framework_arrays import Node
from eqvproof.tracing.samples import NO_SPANS, Spans
from eqvproof.tracing.torch.aten import TABLE, lift

#: SymPy's expressions, which have no static types.
Expression: TypeAlias = Any
#: Largest number of combinations of sizes that are tried one by one.
MOST_TRIED = 2048
#: Largest number of cases of remainders that are distinguished.
MOST_CASES = 64


def read_number(b: Builder, e: Expression, symbols: Mapping[str, Size | Node]) -> Size | Node:
    """Returns an expression in sizes as a polynomial where it is one, else as a real number.

    Raises:
        TraceError: a number that the inputs decide, or arithmetic that is not read.
    """
    if e.is_Integer:
        return Size.of(int(e))
    if e.is_Rational:
        return Node(b.const(Fraction(int(e.p), int(e.q))))
    if e.is_Symbol:
        if str(e) not in symbols:
            raise TraceError(
                "a number that the inputs decide", given=str(e), code=ErrorCode.TRACE_SIZE
            )
        return symbols[str(e)]
    kind = type(e).__name__
    if kind in _WHOLE and not (plain := _without_torch_functions(e)).has(*_rounding_functions()):
        return read_number(b, plain, symbols)
    args = [read_number(b, a, symbols) for a in e.args]
    sizes = [a for a in args if isinstance(a, Size)]
    if len(sizes) == len(args):
        if kind == "Add":
            return sum(sizes[1:], start=sizes[0])
        if kind == "Mul":
            return prod(sizes[1:], start=sizes[0])
        if kind in ("Pow", "PowByNatural") and (sizes[1].constant or -1) >= 0:
            return prod([sizes[0]] * (sizes[1].constant or 0), start=Size.of(1))
        if kind in ("FloorDiv", "CleanDiv"):
            quotient = sizes[0].divide(sizes[1])
            if quotient is not None:
                return quotient
    if kind == "ToFloat":
        return Node(lift(b, args[0]))
    if kind in ("FloatPow", "Pow") and e.args[1].is_Rational:
        return Node(b.power(lift(b, args[0]), Fraction(int(e.args[1].p), int(e.args[1].q))))
    name = _REAL.get(kind)
    if name is None:
        raise TraceError(
            f"arithmetic on sizes that is not read: {kind}", given=str(e), code=ErrorCode.TRACE_SIZE
        )
    found = Node(lift(b, args[0]))
    for a in args[1:]:
        found = Node(TABLE[name](b, found, Node(lift(b, a))))
    if len(args) > 1:
        return found
    return Node(TABLE[name](b, found))


#: Torch's functions of SymPy -> operations on real numbers.
_REAL = {
    "Add": "add", "Mul": "mul", "FloatPow": "pow", "FloatTrueDiv": "div", "IntTrueDiv": "div",
    "OpaqueUnaryFn_sqrt": "sqrt",
}  # fmt: skip
#: Torch's functions that round to an integer.
_WHOLE = ("CeilToInt", "FloorToInt", "TruncToInt")


def holds_at_every_size(expression: object, spans: Spans = NO_SPANS) -> bool:
    """Checks whether polynomials and SymPy show that a condition holds at every size in spans."""
    import sympy

    found = _without_torch_functions(expression)
    if isinstance(found, sympy.And):
        return all(holds_at_every_size(part, spans) for part in found.args)
    names = sorted(found.free_symbols, key=str)
    ends = [spans.get(str(s), (1, None)) for s in names]
    sides = _never_negative_if(found)
    corners = [c for c in (_least_corner(side, names, ends) for side in sides) if c is not None]
    if corners and (max(corners) >= 0 or len(sides) == 1):
        return max(corners) >= 0
    ranges = [range(low, high + 1) for low, high in ends if high is not None]
    if len(ranges) == len(ends) and prod(map(len, ranges)) < MOST_TRIED:  # each size is tried
        places = product(*ranges)
        return all(
            _value_at_sizes(found, dict(zip(names, place, strict=True))) is True for place in places
        )
    found = found.subs({s: s + low - 1 for s, (low, _) in zip(names, ends, strict=True)})
    if _holds(found):
        return True
    cases = _by_remainders(found)
    return cases is not None and all(map(_holds, cases))


#: SymPy's functions -> Python's functions of numbers.
_AT: dict[str, Any] = {
    "Add": lambda *a: sum(a),
    "Mul": lambda *a: prod(a),
    "Pow": pow,
    "floor": floor,
    "ceiling": ceil,
    "Max": max,
    "Min": min,
    "Abs": abs,
    "Equality": eq,
    "Unequality": ne,
    "GreaterThan": ge,
    "StrictGreaterThan": gt,
    "LessThan": le,
    "StrictLessThan": lt,
    "And": lambda *a: all(a),
    "Or": lambda *a: any(a),
    "Not": not_,
    "BooleanTrue": lambda: True,
    "BooleanFalse": lambda: False,
}


def _value_at_sizes(e: Expression, place: Mapping[Expression, int]) -> object:
    """Returns the exact value of an expression at some sizes.

    Returns None where it has none, is a root, or is not known.
    """
    if e.is_Symbol:
        return place[e]
    if getattr(e, "is_Rational", False):
        return Fraction(int(e.p), int(e.q))
    args, function = [_value_at_sizes(a, place) for a in e.args], _AT.get(type(e).__name__)
    if function is None or not all(isinstance(a, int | Fraction) for a in args):
        return None
    with suppress(ZeroDivisionError):
        return function(*args)  # type: ignore[no-any-return]
    return None


def _holds(condition: Expression) -> bool:
    """Checks whether polynomials show that a condition holds at all positive integers."""
    import sympy

    if condition == sympy.true:
        return True
    if type(condition).__name__ in ("Equality", "Eq"):
        gap = condition.lhs - condition.rhs
        return all(never_negative(_without_floor(side)) for side in (gap, -gap))
    return any(never_negative(_without_floor(side)) for side in _never_negative_if(condition))


def _without_floor(side: Expression) -> Expression:
    """Returns an expression that is nonnegative where an integer side with one floor is.

    The side adds or subtracts one `floor(p / q)`.

    For whole p, q, r and q > 0: ``floor(p / q) + r >= 0`` is ``p / q >= -r``, and ``r - floor(p /
    q) >= 0`` is ``p / q < r + 1``. Of sizes, which are positive, q is positive where its
    coefficients are.
    """
    import sympy

    side = sympy.expand(side)
    rounded = list(side.atoms(*_rounding_functions()))
    if len(rounded) != 1 or not isinstance(rounded[0], sympy.floor):
        return side
    sign, rest = side.coeff(rounded[0]), side.subs(rounded[0], 0)
    over, under = sympy.fraction(sympy.together(rounded[0].args[0]))
    names = sorted(side.free_symbols, key=str)
    whole = all((p := e.as_poly(*names)) is not None and all(c.is_Integer for c in p.coeffs())
                for e in (rest, over, under))  # fmt: skip
    alone = sympy.expand(side - sign * rounded[0] - rest) == 0
    if not alone or abs(sign) != 1 or not whole or not never_negative(under - 1):
        return side
    if sign == 1:
        return over + rest * under
    return (rest + 1) * under - over - 1


def _by_remainders(e: Expression) -> list[Expression] | None:
    """Returns an expression in each case of the sizes' remainders; None for too many cases.

    With L a multiple of the denominators of a polynomial p, ``p(L m + r) - p(r)`` has whole
    coefficients in m, so that the floor of ``p(L m + r)`` is a polynomial. As m is positive, n is
    ``L (m - 1) + r``, 1 <= r <= L.
    """
    import sympy

    rounded = e.atoms(*_rounding_functions())
    if not rounded:
        return [e]
    names = sorted(e.free_symbols, key=str)
    if names:
        inner = [
            f.args[0].as_poly(*names) for f in rounded if not f.args[0].has(*_rounding_functions())
        ]
    else:
        inner = []
    if not inner or any(p is None or not all(c.is_Rational for c in p.coeffs()) for p in inner):
        return None
    period = lcm(*(int(c.q) for p in inner for c in p.coeffs()))
    if period ** len(names) > MOST_CASES:
        return None
    found: list[Expression] = []
    for rests in product(range(1, period + 1), repeat=len(names)):
        places = {s: period * (s - 1) + r for s, r in zip(names, rests, strict=True)}
        cases = _by_remainders(sympy.expand(e.subs(places, simultaneous=True)))
        if cases is None or len(found) + len(cases) > MOST_CASES:
            return None
        found += cases
    return found


def _rounding_functions() -> tuple[Expression, Expression]:
    import sympy

    return sympy.floor, sympy.ceiling


def _never_negative_if(condition: Expression) -> list[Expression]:
    """Returns expressions of which one is nonnegative where a comparison of integers holds.

    If one of them is never negative, the comparison always holds.
    """
    if not getattr(condition, "is_Relational", False):
        return []
    gap = condition.lhs - condition.rhs
    sides: dict[str, list[Expression]] = {
        "Unequality": [gap - 1, -gap - 1], "Ne": [gap - 1, -gap - 1], "GreaterThan": [gap],
        "StrictGreaterThan": [gap - 1], "LessThan": [-gap], "StrictLessThan": [-gap - 1],
    }  # fmt: skip
    return sides.get(type(condition).__name__, [])


def _least_corner(
    gap: Expression, names: Sequence[Expression], ends: Sequence[tuple[int, int | None]]
) -> int | None:
    """Returns the least value of an integer polynomial in a box, which is attained at a corner.

    The degree must be at most 1 in each name. Returns None for other expressions, and for boxes
    without an end.
    """
    import sympy

    if names and all(high for _, high in ends):
        polynomial = sympy.expand(gap).as_poly(*names)
    else:
        polynomial = None
    whole = polynomial is not None and all(c.is_Integer for c in polynomial.coeffs())
    if polynomial is None or not whole or any(max(degrees) > 1 for degrees in polynomial.monoms()):
        return None
    return int(min(polynomial(*corner) for corner in product(*ends)))


def spans_where_all_hold(
    conditions: Sequence[Expression], spans: Spans
) -> dict[str, tuple[int, int | None]]:
    """Finds sizes at which conditions hold: all from a least one up, or also up to a largest one.

    The same end for all names of a condition. Nothing where these are not found.
    """
    found: dict[str, tuple[int, int | None]] = {}
    for condition in sorted(conditions, key=lambda c: len(c.free_symbols)):
        box = {n: found.get(n, spans.get(n, (1, None))) for n in map(str, condition.free_symbols)}
        if not box or any(spans.get(n, (1, None))[1] is not None for n in box):
            return {}
        if not holds_at_every_size(condition, box):
            box = _span_above(condition, box) or _span_below(condition, box)
        if not box or any(high is not None and high <= low for low, high in box.values()):
            return {}
        found |= box
    return found


def _span_above(condition: Expression, box: Spans) -> dict[str, tuple[int, int | None]]:
    """Returns the sizes in a box from the least number on from which a condition holds."""

    def from_on(k: int) -> dict[str, tuple[int, int | None]]:
        return {n: (max(low, k), high) for n, (low, high) in box.items()}

    first = min(low for low, _ in box.values())
    least = first_of(lambda k: holds_at_every_size(condition, from_on(k)), first)
    if least is None or any(high is not None and high < least for _, high in box.values()):
        return {}  # in an empty box everything holds
    return from_on(least)


def _span_below(condition: Expression, box: Spans) -> dict[str, tuple[int, int | None]]:
    """Returns the sizes in a box up to the largest number up to which a condition holds."""

    def up_to(k: int) -> dict[str, tuple[int, int | None]]:
        return {n: (low, k if high is None else min(k, high)) for n, (low, high) in box.items()}

    good = max(low for low, _ in box.values())
    bad = good + 1
    while bad < good + MOST_TRIED and holds_at_every_size(condition, up_to(bad)):
        good, bad = bad, 2 * bad
    while bad - good > 1:  # what holds in a box holds in those within
        middle = (good + bad) // 2
        if holds_at_every_size(condition, up_to(middle)):
            good, bad = (middle, bad)
        else:
            good, bad = (good, middle)
    return up_to(good)


def never_negative(expression: Expression) -> bool:
    """Checks whether a polynomial in positive integers has coefficients that show it nonnegative.

    Each integer is written as 1 plus a natural number.
    """
    import sympy

    names = sorted(expression.free_symbols, key=str)
    moved = sympy.expand(expression.subs({s: s + 1 for s in names}, simultaneous=True))
    if not names:
        return bool(moved.is_nonnegative)
    polynomial = moved.as_poly(*names)
    return polynomial is not None and all(c.is_nonnegative for c in polynomial.coeffs())


def _without_torch_functions(e: Expression) -> Expression:
    """Returns the expression with torch's own functions as arithmetic, where that is exact."""
    import sympy

    args = [_without_torch_functions(a) for a in e.args]
    match type(e).__name__:
        case "FloatTrueDiv" | "IntTrueDiv":
            return args[0] / args[1]
        case "FloatPow" | "PowByNatural":
            return args[0] ** args[1]
        case "ToFloat":
            return args[0]
        case "Float":
            return sympy.nsimplify(e)
        case "FloorDiv" | "CleanDiv":
            quotient = sympy.cancel(args[0] / args[1])
            names = quotient.free_symbols
            whole = quotient.is_polynomial(*names) and all(
                c.is_integer for c in sympy.Poly(quotient, *(names or [sympy.Dummy()])).coeffs()
            )
            if whole:
                return quotient
            return sympy.floor(args[0] / args[1])
        case "CeilToInt":
            return sympy.ceiling(args[0])
        case "FloorToInt":
            return sympy.floor(args[0])
        case "TruncToInt" if never_negative(args[0]):
            return sympy.floor(args[0])
        case "Mod" | "PythonMod":
            return args[0] - args[1] * sympy.floor(args[0] / args[1])
        case "Min" | "Max":
            for first in args:
                gaps = [other - first for other in args]
                if type(e).__name__ == "Max":
                    gaps = [-gap for gap in gaps]
                if all(map(never_negative, gaps)):
                    return first
            return e.func(*args)
    if e.is_Symbol:
        return sympy.Symbol(e.name, positive=True, integer=True)
    if args:
        return e.func(*args)
    return e
