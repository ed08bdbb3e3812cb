"""The matrices by which elements of O(3) act on irreps, for counterexamples.

The harmonic polynomials ``Y_m = sqrt(n) P_m``, m = -l..l, of degree l are the basis of its natural
irrep, of parity (-1)^l, polar axis y: with the polynomial p of Legendre of degree l, and made
homogeneous by r^2,

    P_m = Re (z + i x)^m p^(m)(y),  P_-m = Im (z + i x)^m p^(m)(y),
    n = 2 (l - m)! / (l + m)!, but 1 for m = 0.

Y(Q x) = D(Q) Y(x) defines D. In Bombieri's product, where the squared norm of x^a y^b z^c is a! b!
c! / l!, and which orthogonal Q keep, the Y_m are orthogonal, of one norm; so ``D_ij = <Y_i(Q .),
Y_j> / <Y_j, Y_j>``. For the other parity it is det(Q) times that.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, factorial, perm, prod
from typing import Any

from .exact import paid
from .form_values import System
from .membership import rational_determinant
from .report import Rejected, spend

#: Exponents of x, y, z -> coefficient.
Polynomial = Mapping[tuple[int, int, int], Fraction]
Rows = list[list[tuple[int, Any]]]


def acting(rows: Rows, irrep: str, a: System, *, special: bool) -> Rows:
    """Returns D(Q) for the matrix Q with these rows, on an irrep such as "2e".

    For `special` groups the parity of the irrep does not matter.

    Raises:
        Rejected: Q does not have numbers as entries.
    """
    degree, natural = int(irrep[:-1]), special or "eo"[int(irrep[:-1]) % 2] == irrep[-1]
    if natural and degree == 1:
        return rows
    if not all(isinstance(x, Fraction) for row in rows for _, x in row):
        raise Rejected(f"the irrep {irrep} is acted on by matrices of numbers only")
    q = [[dict(row).get(j, Fraction(0)) for j in range(3)] for row in rows]
    sign = Fraction(1) if natural else rational_determinant(q)
    found = _irrep_matrix(q, degree, a)
    return [[(j, a.mul(sign, x)) for j, x in enumerate(row) if x != 0] for row in found]


def harmonics(degree: int) -> list[tuple[Fraction, Polynomial]]:
    """Returns the pairs (n, P_m) for m = -l..l."""
    found: dict[int, tuple[Fraction, Polynomial]] = {}
    for m in range(degree + 1):
        polar: dict[tuple[int, int, int], Fraction] = {}
        for k in range((degree - m) // 2 + 1):
            power = degree - 2 * k
            value = Fraction(
                (-1) ** k * comb(degree, k) * comb(degree + power, degree) * perm(power, m)
            )
            squares: Polynomial = {(0, power - m, 0): value}
            for _ in range(k):
                squares = _multiply_polynomials(
                    squares,
                    {(2, 0, 0): Fraction(1), (0, 2, 0): Fraction(1), (0, 0, 2): Fraction(1)},
                )
            for key, v in squares.items():
                polar[key] = polar.get(key, Fraction(0)) + v
        if m:
            norm = Fraction(2 * factorial(degree - m), factorial(degree + m))
        else:
            norm = Fraction(1)
        for odd in (1, 0):
            turning = {
                (k, 0, m - k): Fraction((-1) ** (k // 2) * comb(m, k)) for k in range(odd, m + 1, 2)
            }
            found[-m if odd else m] = norm, _multiply_polynomials(turning, polar)
    return [found[m] for m in range(-degree, degree + 1)]


def _irrep_matrix(q: list[list[Fraction]], degree: int, a: System) -> list[list[Any]]:
    units = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    powers: list[list[Polynomial]] = []
    for row in q:
        form = {unit: x for unit, x in zip(units, row, strict=True) if x}
        powers.append([{(0, 0, 0): Fraction(1)}])
        for _ in range(degree):
            powers[-1].append(_multiply_polynomials(powers[-1][-1], form))
    basis, found = harmonics(degree), []
    for n, p in basis:
        moved: dict[tuple[int, int, int], Fraction] = {}
        for key, value in p.items():
            x, y, z = (powers[k][e] for k, e in enumerate(key))
            for at, w in _multiply_polynomials(_multiply_polynomials(x, y), z).items():
                moved[at] = paid(moved.get(at, Fraction(0)) + value * w)
        row = []
        for m, other in basis:
            inner: Any = _bombieri_product(moved, other) / _bombieri_product(other, other)
            if inner:
                inner = a.mul(inner, a.apply("sqrt", [n / m]))
            row.append(inner)
        found.append(row)
    return found


def _bombieri_product(f: Polynomial, g: Polynomial) -> Fraction:
    """Returns Bombieri's product of two polynomials, up to the factor 1 / l!."""
    spend(1 + len(g))
    return sum(
        (f.get(key, Fraction(0)) * v * prod(map(factorial, key)) for key, v in g.items()),
        Fraction(0),
    )


def _multiply_polynomials(f: Polynomial, g: Polynomial) -> Polynomial:
    spend(1)
    found: dict[tuple[int, int, int], Fraction] = {}
    for (i, j, k), v in f.items():
        for (p, q, r), w in g.items():
            key = i + p, j + q, k + r
            found[key] = paid(found.get(key, Fraction(0)) + v * w)
    return {key: v for key, v in found.items() if v}
