"""Plans the evaluation of a pair form: chooses the sums over points, and finds their cost.

The sums of Prop. 4.1 leave out k = i and k = j. If rho_2 adds exactly these terms again (as a
softmax does), it is rewritten with the whole sum T and nothing is left out. With
`l(y, z) = psi_2(y, y, z) + psi_2(z, y, z)`:

    rho_2(y, z, s) has s only in s + l(y, z)
    ---------------------------------------------------------
    rho_2(y, z, T - l(y, z)) = r(y, z, T),  T = s + l(y, z)

If rho_1 is r on the diagonal, no entry of g~ is special. If r is then a sum of products of a
function of (y, T_i) and one of z, X g~ is two products of thin matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from eqvproof.deepsets.pair_forms.symbols import Expressions, is_zero_expression
from eqvproof.deepsets.pair_forms.terms import Term, cost_exponent, separate, split_terms


@dataclass(frozen=True, slots=True)
class Sum:
    """One sum over k.

    Args:
        symbol: its symbol in ``rho``.
        inner: the function that is summed.
        groups: the points that ``inner`` depends on besides x_k ("", "y", "z", "yz").
    """

    symbol: Any
    inner: Any
    groups: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The sums of a pair form, and the expressions in which they are used.

    Args:
        e: the four functions in symbols.
        sums: the sums of psi_2 over k.
        rho: rho_2 in y, z and the symbols of the sums.
        whole: whether the sums leave nothing out.
        diagonal: the sums of psi_1, which leave out k = i; None if ``rho`` holds on the diagonal
            too.
        rho_diagonal: rho_1 in y and the symbols of the sums in ``diagonal``.
        products: pairs (A_r, B_r) with `rho = sum_r A_r B_r`, A_r of y and the sums of i, B_r of z
            and the sums of j; None if rho does not separate.
        softmax: if `rho` keeps its value under `exp(E) -> lambda exp(E)`: E; the triple of E at the
            pair, rho with the symbol w for its exponential, and w; "y" or "z", the point that
            lambda may depend on. Else None.
    """

    e: Expressions
    sums: tuple[Sum, ...]
    rho: Any
    whole: bool
    diagonal: tuple[Sum, ...] | None
    rho_diagonal: Any
    products: tuple[tuple[Any, Any], ...] | None
    softmax: tuple[Any, Any, str] | None

    def point(self, group: str) -> tuple[Any, ...]:
        """Returns the symbols of the point that a sum belongs to."""
        if group == "y":
            return self.e.y
        return self.e.z

    def count_of_terms(self, n: int) -> int:
        """Returns the number of terms of each sum over k for n points."""
        if self.whole:
            return n
        return n - 2

    @property
    def exponent(self) -> int:
        """The exponent of the cost O(n^exponent)."""
        sums = (*self.sums, *(self.diagonal or ()))
        exponents = [cost_exponent(s.inner, s.groups) for s in sums]
        if self.products is None:
            return max([2, *exponents])
        return max([1, *exponents])


def make_plan(e: Expressions) -> Plan:
    """Builds the plan of four functions."""
    sums, inside = _name_sums([split_terms(p, e.x, e.y, e.z) for p in e.psi2], "t")
    at_i, at_j = dict(zip(e.x, e.y, strict=True)), dict(zip(e.x, e.z, strict=True))
    left_out = [p.subs(at_i, simultaneous=True) + p.subs(at_j, simultaneous=True) for p in e.psi2]
    total = sympy.symbols(f"T0:{len(e.s)}", real=True)
    whole = _rewrite_in_whole_sums(e, left_out, total)
    if whole is None:
        rho = e.rho2.subs(dict(zip(e.s, inside, strict=True)), simultaneous=True)
    else:
        rho = whole.subs(dict(zip(total, inside, strict=True)), simultaneous=True)
    diagonal: tuple[Sum, ...] | None = None
    rho_diagonal = None
    if whole is None or not _holds_on_diagonal(e, whole, total):
        diagonal, inside1 = _name_sums([split_terms(p, e.x, e.y, ()) for p in e.psi1], "u")
        rho_diagonal = e.rho1.subs(dict(zip(e.s1, inside1, strict=True)), simultaneous=True)
        diagonal = tuple(s for s in diagonal if s.symbol in rho_diagonal.free_symbols)
    sums = tuple(s for s in sums if s.symbol in rho.free_symbols)
    products = None
    if whole is not None and diagonal is None and not any(s.groups == "yz" for s in sums):
        left = set(e.y) | {s.symbol for s in sums if s.groups == "y"}
        right = set(e.z) | {s.symbol for s in sums if s.groups == "z"}
        products = separate(rho, left, right)
    softmax = None
    if whole is not None and diagonal is None and products is None:
        softmax = _find_softmax(e, sums, rho)
    return Plan(e, sums, rho, whole is not None, diagonal, rho_diagonal, products, softmax)


def _name_sums(components: list[tuple[Term, ...]], name: str) -> tuple[tuple[Sum, ...], list[Any]]:
    """Gives each inner function a symbol; writes every component in these symbols."""
    symbols: dict[tuple[Any, str], Any] = {}
    inside = []
    for terms in components:
        value = sympy.S.Zero
        for t in terms:
            key = (t.inner, t.groups)
            if key not in symbols:
                symbols[key] = sympy.Symbol(f"{name}{len(symbols)}", real=True)
            value += t.outer * symbols[key]
        inside.append(value)
    return tuple(Sum(symbol, inner, groups) for (inner, groups), symbol in symbols.items()), inside


def _rewrite_in_whole_sums(e: Expressions, left_out: list[Any], total: tuple[Any, ...]) -> Any:
    """Rewrites rho_2 in the whole sums; returns None if the terms left out do not cancel."""
    if not any(s in e.rho2.free_symbols for s in e.s):
        return e.rho2
    if any(p.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo) for p in left_out):
        return None  # psi_2 has a pole at a term that is left out
    new = {s: t - lost for s, t, lost in zip(e.s, total, left_out, strict=True)}
    result = e.rho2.subs(new, simultaneous=True)
    points = set(e.y) | set(e.z)
    for candidate in (result, sympy.expand(result)):
        sums = [a for a in candidate.atoms(sympy.Add) if a.free_symbols & set(total)]
        direct = [a for a in sums if any(_is_total(t, total) for t in a.args)]
        if all(
            not ({s for t in a.args if not _is_total(t, total) for s in t.free_symbols} & points)
            for a in direct
        ):
            return candidate
    return None


def _is_total(term: Any, total: tuple[Any, ...]) -> bool:
    return bool(term.free_symbols & set(total))


def _holds_on_diagonal(e: Expressions, whole: Any, total: tuple[Any, ...]) -> bool:
    """Checks whether rho_1 equals rho_2 on the diagonal when both are written in whole sums."""
    if len(e.psi1) != len(e.psi2) and any(s in e.rho1.free_symbols for s in e.s1):
        return False
    same = dict(zip(e.z, e.y, strict=True))
    on_diagonal = whole.subs(same, simultaneous=True)
    if not any(s in e.rho1.free_symbols for s in e.s1):
        return is_zero_expression(e.rho1 - on_diagonal)
    at_i = dict(zip(e.x, e.y, strict=True))
    for one, two in zip(e.psi1, e.psi2, strict=True):
        if not is_zero_expression(one - two.subs(same, simultaneous=True)):
            return False
    new = {
        s: t - p.subs(at_i, simultaneous=True) for s, t, p in zip(e.s1, total, e.psi1, strict=True)
    }
    return is_zero_expression(e.rho1.subs(new, simultaneous=True) - on_diagonal)


def _find_softmax(e: Expressions, sums: tuple[Sum, ...], rho: Any) -> tuple[Any, Any, str] | None:
    """Recognises a softmax; returns the value of `Plan.softmax`, or None."""
    coupled = [s for s in sums if s.groups in ("y", "z")]
    if len(coupled) != 1 or len(sums) != 1 or not isinstance(coupled[0].inner, sympy.exp):
        return None
    (s,) = coupled
    exponent = s.inner.args[0]
    if s.groups == "y":
        other = e.z
    else:
        other = e.y
    at_pair = exponent.subs(dict(zip(e.x, other, strict=True)), simultaneous=True)
    weight = sympy.exp(at_pair)
    factor, stand_in = sympy.symbols("scale w", positive=True)
    written = rho.subs(weight, stand_in)
    if written.has(sympy.exp) or stand_in not in written.free_symbols:
        return None
    scaled = written.subs(
        {stand_in: factor * stand_in, s.symbol: factor * s.symbol}, simultaneous=True
    )
    if not is_zero_expression(scaled - written):
        return None
    return exponent, (at_pair, written, stand_in), s.groups
