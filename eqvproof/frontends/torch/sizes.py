"""Sizes as torch says them, and what holds for all of them.

Torch's expressions in sizes are SymPy's. A condition holds at every size where a polynomial shows it by its
coefficients, after each size has been written as 1 plus a natural number: where none is negative, the
polynomial is never negative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from eqvproof.errors import TraceError
from eqvproof.frontends.samples import NO_SPANS, Spans
from eqvproof.frontends.torch.aten import TABLE, lift
from eqvproof.frontends.torch.values import Node
from eqvproof.program import Builder, Size

#: So many combinations of sizes are tried one by one; so far up is the least size searched.
MOST_TRIED, LARGEST_LEAST = 2048, 32


def read_number(b: Builder, e: Any, symbols: Mapping[str, Size | Node]) -> Size | Node:
    """What an expression in sizes is: a polynomial where it is one, else a real number.

    Raises:
        TraceError: a number that the inputs decide, or arithmetic that is not read.
    """
    if e.is_Integer:
        return Size.of(int(e))
    if e.is_Rational:
        return Node(b.const(Fraction(int(e.p), int(e.q))))
    if e.is_Symbol:
        if str(e) not in symbols:
            raise TraceError("a number that the inputs decide", given=str(e), code="trace.size")
        return symbols[str(e)]
    args = [read_number(b, a, symbols) for a in e.args]
    sizes = [a for a in args if isinstance(a, Size)]
    kind = type(e).__name__
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
        raise TraceError(f"arithmetic on sizes that is not read: {kind}", given=str(e), code="trace.size")
    found = Node(lift(b, args[0]))
    for a in args[1:]:
        found = Node(TABLE[name](b, found, Node(lift(b, a))))
    return found if len(args) > 1 else Node(TABLE[name](b, found))


#: Torch's functions of SymPy -> operations on real numbers.
_REAL = {
    "Add": "add", "Mul": "mul", "FloatPow": "pow", "FloatTrueDiv": "div", "IntTrueDiv": "div",
    "OpaqueUnaryFn_sqrt": "sqrt",
}  # fmt: skip


def is_harmless(expression: object, spans: Spans = NO_SPANS) -> bool:
    """A condition that holds at every size in spans, as far as polynomials and SymPy show it."""
    import sympy

    found = _plain(expression)
    ends = [spans.get(str(s), (1, None)) for s in sorted(found.free_symbols, key=str)]
    count = prod(MOST_TRIED if high is None else high - low + 1 for low, high in ends)
    if count < MOST_TRIED:  # each size is tried
        names = sorted(found.free_symbols, key=str)
        places = product(*(range(low, (high or low) + 1) for low, high in ends))
        return all(found.subs(dict(zip(names, place, strict=True))) == sympy.true for place in places)
    found = found.subs({s: s + spans[str(s)][0] - 1 for s in found.free_symbols if str(s) in spans})
    if found == sympy.true:
        return True
    if not getattr(found, "is_Relational", False):
        return False
    gap = found.lhs - found.rhs
    match type(found).__name__:
        case "Equality" | "Eq":
            return bool(sympy.expand(gap) == 0)
        case "Unequality" | "Ne":
            return never_negative(gap - 1) or never_negative(-gap - 1)
        case "GreaterThan":
            return never_negative(gap)
        case "StrictGreaterThan":
            return never_negative(gap - 1)
        case "LessThan":
            return never_negative(-gap)
        case "StrictLessThan":
            return never_negative(-gap - 1)
    return False


def holding(conditions: Sequence[Any], spans: Spans) -> dict[str, tuple[int, int | None]]:
    """Sizes at which conditions on single names hold: all from one up, else the least ones, up to one.

    Nothing where these are not found.
    """
    found: dict[str, tuple[int, int | None]] = {}
    for condition in conditions:
        names = [str(s) for s in condition.free_symbols]
        if len(names) != 1 or spans.get(names[0], (1, None))[1] is not None:
            return {}
        name = names[0]
        low, high = found.get(name, spans.get(name, (1, None)))
        least = range(low, LARGEST_LEAST + 1)
        first = next((k for k in least if is_harmless(condition, {name: (k, None)})), None)
        if first is None:
            first, last = low, _last(condition, low)
            high = last if high is None else min(high, last)
        if high is not None and high <= first:
            return {}
        found[name] = first, high
    return found


def _last(condition: Any, low: int) -> int:
    """The size up to which a condition on one name holds, as far as sizes are tried."""
    import sympy

    plain = _plain(condition)
    (name,) = plain.free_symbols
    tried = range(low, low + MOST_TRIED - 1)
    return next((k for k in tried if plain.subs(name, k) != sympy.true), tried.stop) - 1


def never_negative(expression: Any) -> bool:
    """Whether a polynomial in positive integers shows by its coefficients that it is never negative."""
    import sympy

    names = sorted(expression.free_symbols, key=str)
    moved = sympy.expand(expression.subs({s: s + 1 for s in names}, simultaneous=True))
    if not names:
        return bool(moved.is_nonnegative)
    polynomial = moved.as_poly(*names)
    return polynomial is not None and all(c.is_nonnegative for c in polynomial.coeffs())


def _plain(e: Any) -> Any:
    """The expression with torch's own functions read as arithmetic, where that is exact."""
    import sympy

    args = [_plain(a) for a in e.args]
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
            whole = quotient.is_polynomial(*quotient.free_symbols) and all(
                c.is_integer for c in sympy.Poly(quotient, *(quotient.free_symbols or [_any_size()])).coeffs()
            )
            return quotient if whole else e.func(*args)
        case "Min" | "Max":
            for first in args:
                gaps = [other - first for other in args]
                if all(never_negative(g if type(e).__name__ == "Min" else -g) for g in gaps):
                    return first
            return e.func(*args)
    if e.is_Symbol:
        return sympy.Symbol(e.name, positive=True, integer=True)
    return e.func(*args) if args else e


def _any_size() -> object:
    import sympy

    return sympy.Symbol("n", positive=True, integer=True)
