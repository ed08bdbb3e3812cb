"""Splits a function of several points into sums of products of functions of fewer points.

    psi(x, y, z) = sum_r outer_r(y, z) inner_r(x, ...)
    ---------------------------------------------------------
    sum_k psi(x_k, y, z) = sum_r outer_r(y, z) sum_k inner_r(x_k, ...)

inner_r is the product of the factors that depend on x_k. If it depends on x_k only, the sum is one
number, at cost O(n); if also on y (or z), one number for each i (or j), O(n^2); if on both, one
number for each pair, O(n^3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

#: largest number of terms of an expansion that is used
MOST_TERMS = 400


@dataclass(frozen=True, slots=True)
class Term:
    """The product of ``outer`` and ``inner``.

    ``groups`` names the points that ``inner`` depends on besides x_k ("", "y", "z", "yz").
    """

    inner: Any
    outer: Any
    groups: str


def cost_exponent(inner: Any, groups: str) -> int:
    """Returns the exponent p of the cost O(n^p) of the sums of inner."""
    if inner == 1:
        return 0
    return 1 + len(groups)


def split_terms(
    expression: Any, x: tuple[Any, ...], y: tuple[Any, ...], z: tuple[Any, ...]
) -> tuple[Term, ...]:
    """Splits an expression into terms, by the cheapest of several expansions.

    The expression is tried unchanged, expanded, and expanded with sums of angles.
    """
    best: tuple[Term, ...] | None = None
    for candidate in _expansions(expression):
        terms = _terms(candidate, set(x), set(y), set(z))
        if len(terms) > MOST_TERMS:
            continue
        if best is None or _cost(terms) < _cost(best):
            best = terms
    if best is not None:
        return best
    return _terms(expression, set(x), set(y), set(z))


def _cost(terms: tuple[Term, ...]) -> tuple[int, int]:
    return max((cost_exponent(t.inner, t.groups) for t in terms), default=0), len(terms)


def _expansions(expression: Any) -> list[Any]:
    forms = [expression, sympy.expand_power_exp(expression), sympy.expand(expression)]
    if expression.has(sympy.sin, sympy.cos, sympy.sinh, sympy.cosh):
        forms.append(sympy.expand(sympy.expand_trig(sympy.expand(expression))))
    return forms


def _terms(expression: Any, x: set[Any], y: set[Any], z: set[Any]) -> tuple[Term, ...]:
    found: dict[tuple[Any, str], Any] = {}
    for summand in sympy.Add.make_args(expression):
        inner, outer = sympy.S.One, sympy.S.One
        for factor in sympy.Mul.make_args(summand):
            if factor.free_symbols & x:
                inner *= factor
            else:
                outer *= factor
        groups = ""
        if inner.free_symbols & y:
            groups += "y"
        if inner.free_symbols & z:
            groups += "z"
        key = (inner, groups)
        found[key] = found.get(key, sympy.S.Zero) + outer
    return tuple(
        Term(inner, outer, groups) for (inner, groups), outer in found.items() if outer != 0
    )


def separate(
    expression: Any, left: set[Any], right: set[Any]
) -> tuple[tuple[Any, Any], ...] | None:
    """Writes an expression as `sum_r A_r(left) B_r(right)`; returns None if no expansion is one."""
    for candidate in _expansions(expression):
        pairs: dict[Any, Any] = {}
        for summand in sympy.Add.make_args(candidate):
            a, b = sympy.S.One, sympy.S.One
            for factor in sympy.Mul.make_args(summand):
                free = factor.free_symbols
                if free & left and free & right:
                    break
                if free & right:
                    b *= factor
                else:
                    a *= factor
            else:
                pairs[b] = pairs.get(b, sympy.S.Zero) + a
                continue
            break
        else:
            if len(pairs) <= MOST_TERMS:
                return tuple((a, b) for b, a in pairs.items())
    return None
