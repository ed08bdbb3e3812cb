"""Conditions on sizes that torch.export notes: which of them hold at every size.

Sizes are positive integers. What is a polynomial in them is compared by its coefficients after each size has
been written as 1 plus a natural number: where none is negative, the polynomial is never negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eqvproof.program import Size


def is_harmless(expression: Any, symbols: Mapping[str, Size]) -> bool:
    """A condition that holds at every size."""
    plain = _plain(expression)
    return _is_same_axis(plain, symbols) or _is_true(plain)


def _is_true(found: Any) -> bool:
    """What holds for all positive integers, as far as polynomials and SymPy show it."""
    import sympy

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


def _any_size() -> Any:
    import sympy

    return sympy.Symbol("n", positive=True, integer=True)


def _is_same_axis(expression: Any, symbols: Mapping[str, Size]) -> bool:
    """Equality of two sizes that the signature makes equal.

    The example sizes of different axes differ, so an equality of two size symbols comes from an axis name
    that stands in two places; a symbol that was merged away is no longer known.
    """
    sides = getattr(expression, "args", ())
    if type(expression).__name__ not in ("Eq", "Equality") or not all(side.is_Symbol for side in sides):
        return False
    known = {symbols[str(side)] for side in sides if str(side) in symbols}
    return len(known) <= 1
