"""Decodes rational power sums exactly: the points are roots along a separating linear form.

    chi(T) = prod_k (T - t_k),   t_k = <c, x_k>      from the power sums of t by Newton's identities
    g_j(T) = sum_k x_kj prod_{l != k} (T - t_l)      from the sums of x_kj t_k^i
    x_kj   = (g_j / G)(t_k) / (chi' / G)(t_k),       G = gcd(chi, chi')

The last line holds if different points have different t (a root of multiplicity m of chi is one of
multiplicity m - 1 of g_j, of chi' and of G). This is checked, not assumed: the points found are
summed again, and power sums up to degree n determine n points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_poly

from eqvproof.deepsets.power_inputs import Points, no_points_error

Exponent = tuple[int, ...]
Table = Mapping[Exponent, fmpq]
#: the hint if no points have these exact power sums
_HINT = "pass rounded sums to decode as floats: it then admits their rounding error"


@dataclass(frozen=True, slots=True)
class _Cluster:
    """The points whose t are the roots of one irreducible factor; they have one multiplicity."""

    minimal: fmpq_poly
    multiplicity: int
    coordinates: tuple[fmpq_poly, ...]  # polynomials in t, reduced


def decode_exactly(sums: Table, count: int, d: int) -> Points:
    """Finds the `count` points of R^d with given power sums.

    The sums are given for all exponents up to a degree of at least `count`.

    Raises:
        DomainError: there are no such real points.
    """
    if count == 0:
        if any(value != 0 for value in sums.values()):
            raise no_points_error("no points, but a sum that is not 0", _HINT)
        return Points(np.empty((0, d), dtype=object), np.zeros(0), 0, exact=True)
    table = {(0,) * d: fmpq(count), **sums}
    last = "no linear form separates them"
    for form in separating_forms(count, d):
        clusters = _find_clusters(table, count, d, form)
        if isinstance(clusters, str):
            last = clusters
            continue
        if all(_power_sum_of_clusters(clusters, a) == value for a, value in table.items()):
            return _points_of_clusters(clusters, d)
        last = "the points found have different sums"
        if all(cluster.multiplicity == 1 for cluster in clusters):
            break  # n different values: this form would have separated the points
    raise no_points_error(last, _HINT)


def separating_forms(count: int, d: int) -> Iterator[tuple[int, ...]]:
    """Yields forms (1, s, s^2, ...) one of which separates any `count` points.

    Two different points have equal values under at most d - 1 of the forms: the difference of the
    values is a polynomial in s of degree d - 1.
    """
    for s in range((d - 1) * (count * (count - 1) // 2) + 1):
        yield tuple(s**j for j in range(d))


def powers_of_form(form: tuple[Any, ...], highest: int) -> list[dict[Exponent, Any]]:
    """Expands <form, x>^i for i = 0, ..., highest; returns the coefficients."""
    d = len(form)
    result: list[dict[Exponent, Any]] = [{(0,) * d: form[0] ** 0}]
    for _ in range(highest):
        following: dict[Exponent, Any] = {}
        for a, coefficient in result[-1].items():
            for j, c in enumerate(form):
                if c != 0:
                    b = (*a[:j], a[j] + 1, *a[j + 1 :])
                    term = coefficient * c
                    if b in following:
                        term = following[b] + term
                    following[b] = term
        result.append(following)
    return result


def elementary_symmetric(power_sums: list[Any], one: Any) -> list[Any]:
    """Computes e_0, ..., e_n from p_1, ..., p_n: k e_k = sum_i (-1)^(i-1) e_(k-i) p_i (Newton)."""
    e = [one]
    for k in range(1, len(power_sums) + 1):
        total = one - one
        for i in range(1, k + 1):
            term = e[k - i] * power_sums[i - 1]
            if i % 2:
                total = total + term
            else:
                total = total - term
        e.append(total / k)
    return e


def alternating_signs(e: list[Any]) -> list[Any]:
    """Returns (-1)^m e_m for m = 0, 1, ..."""
    return [-x if m % 2 else x for m, x in enumerate(e)]


def _find_clusters(table: Table, count: int, d: int, form: tuple[int, ...]) -> list[_Cluster] | str:
    """Finds the points by a form that separates them; returns the reason as text if it does not.

    Raises:
        DomainError: a value of the form is not real.
    """
    powers = powers_of_form(tuple(fmpq(c) for c in form), count)
    along = [
        sum((c * table[a] for a, c in powers[i].items()), fmpq(0)) for i in range(1, count + 1)
    ]
    e = elementary_symmetric(along, fmpq(1))
    signed = alternating_signs(e)
    chi = fmpq_poly(signed[::-1])
    derivative = chi.derivative()
    common = chi.gcd(derivative)
    tops = []
    for j in range(d):
        mixed = [
            sum((c * table[(*a[:j], a[j] + 1, *a[j + 1 :])] for a, c in powers[i].items()), fmpq(0))
            for i in range(count)
        ]
        falling = [
            sum((signed[m] * mixed[i - m] for m in range(i + 1)), fmpq(0)) for i in range(count)
        ]
        top, rest = divmod(fmpq_poly(falling[::-1]), common)
        if not rest.is_zero():
            return "no linear form separates them"
        tops.append(top)
    bottom = divmod(derivative, common)[0]
    clusters = []
    for minimal, multiplicity in chi.factor()[1]:
        roots: Any = minimal.numer().complex_roots()
        if any(root.imag != 0 for root, _ in roots):
            raise no_points_error("a coordinate would have to be complex", _HINT)
        _, inverse, _ = (bottom % minimal).xgcd(minimal)
        coordinates = tuple((top % minimal) * inverse % minimal for top in tops)
        clusters.append(_Cluster(minimal, multiplicity, coordinates))
    return clusters


def _power_sum_of_clusters(clusters: list[_Cluster], a: Exponent) -> fmpq:
    """Computes a power sum of the points: the sum of a trace for each cluster."""
    total = fmpq(0)
    for cluster in clusters:
        monomial = fmpq_poly([1])
        for coordinate, exponent in zip(cluster.coordinates, a, strict=True):
            for _ in range(exponent):
                monomial = monomial * coordinate % cluster.minimal
        total += cluster.multiplicity * _trace(monomial, cluster.minimal)
    return total


def _trace(element: fmpq_poly, minimal: fmpq_poly) -> fmpq:
    """Sums a polynomial over the roots of another polynomial m.

    The sum of h(r) / m'(r) is the top coefficient of h, divided by that of m (Euler).
    """
    degree = minimal.degree()
    return (element * minimal.derivative() % minimal)[degree - 1] / minimal[degree]


def _points_of_clusters(clusters: list[_Cluster], d: int) -> Points:
    rows: list[tuple[Any, ...]] = []
    distinct = 0
    for cluster in clusters:
        if cluster.minimal.degree() == 1:
            found = _rational_row(cluster)
        else:
            found = _algebraic_rows(cluster)
        distinct += len(found)
        rows.extend(row for row in found for _ in range(cluster.multiplicity))
    rows.sort(key=lambda row: tuple(map(_sort_key, row)))
    points = np.empty((len(rows), d), dtype=object)
    points[:] = [list(row) for row in rows]
    return Points(points, np.zeros(len(rows)), distinct, exact=True)


def _sort_key(coordinate: Any) -> Fraction | float:
    """Returns a rational coordinate unchanged, and another one as a float."""
    if isinstance(coordinate, Fraction):
        return coordinate
    return float(coordinate)


def _rational_row(cluster: _Cluster) -> list[tuple[Any, ...]]:
    values = [c[0] for c in cluster.coordinates]
    return [tuple(Fraction(int(v.p), int(v.q)) for v in values)]


def _algebraic_rows(cluster: _Cluster) -> list[tuple[Any, ...]]:
    """Evaluates each coordinate as a polynomial in each root, in SymPy numbers."""
    import sympy

    x = sympy.Symbol("x")

    def number(value: fmpq) -> Any:
        return sympy.Rational(int(value.p), int(value.q))

    minimal = sympy.Poly([number(c) for c in cluster.minimal.coeffs()[::-1]], x)
    rows = []
    for i in range(cluster.minimal.degree()):
        root = sympy.CRootOf(minimal, i)
        row = []
        for c in cluster.coordinates:
            value = sympy.Add(*[number(b) * root**k for k, b in enumerate(c.coeffs())])
            if value.is_Rational:
                value = Fraction(int(value.p), int(value.q))
            row.append(value)
        rows.append(tuple(row))
    return rows
