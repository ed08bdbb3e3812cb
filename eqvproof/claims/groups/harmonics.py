"""Irreps of O(3) as functions of the matrix, by the harmonic polynomials that they move."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from eqvproof.numbers import Real

#: The powers of x, y, z -> the coefficient.
Polynomial = Mapping[tuple[int, int, int], Any]
Array = np.ndarray[Any, Any]


def irrep_matrix(q: Any, degree: int, parity: str) -> Array:
    """Returns the matrix D(Q) by which Q acts on an irrep of O(3).

    It is written in the basis of the real spherical harmonics Y of e3nn.

    ``Y(Q x) = D(Q) Y(x)``, so ``D_ab = <Y_a(Q .), Y_b> / <Y_b, Y_b>`` in Bombieri's product, in
    which harmonics of one degree are orthogonal; Y_a is the root of a rational times a polynomial
    with rational coefficients (`harmonics`). The parity is ``p(-1)``: with det Q = -1, Q is -R for
    a rotation R, and D(Q) = p D(R).

    **Exactness**: rationals and enclosures of roots, for an object array; else floats.
    """
    given = np.asarray(q)
    if (parity == "e") == (degree % 2 == 0):
        sign = 1
    else:
        sign = _determinant_of_three(given)
    return np.array([[sign * v for v in row] for row in _natural(given, degree)], dtype=given.dtype)


def _determinant_of_three(q: Any) -> Any:
    minors = [
        q[1, (k + 1) % 3] * q[2, (k + 2) % 3] - q[1, (k + 2) % 3] * q[2, (k + 1) % 3]
        for k in range(3)
    ]
    return q[0, 0] * minors[0] + q[0, 1] * minors[1] + q[0, 2] * minors[2]


@cache
def harmonics(degree: int) -> tuple[tuple[Fraction, Polynomial], ...]:
    """Returns Y_-l, ..., Y_l as pairs (n, P) that stand for ``sqrt(n) P``.

    The polar axis is y, and the harmonics are those of e3nn up to one common factor.

    ``P = Re or Im (z + i x)^m  d^m/dy^m P_l(y)``, made homogeneous with r^2, P_l Legendre's
    polynomial.
    """
    found: dict[int, tuple[Fraction, Polynomial]] = {}
    for m in range(degree + 1):
        turning: dict[bool, Counter[tuple[int, int, int]]] = {False: Counter(), True: Counter()}
        for k in range(m + 1):  # (z + i x)^m
            turning[bool(k % 2)][k, 0, m - k] += (-1) ** (k // 2) * math.comb(m, k)
        polar: Counter[tuple[int, int, int]] = Counter()
        for k in range((degree - m) // 2 + 1):
            power = degree - 2 * k - m
            value = (-1) ** k * math.comb(degree, k) * math.comb(2 * degree - 2 * k, degree)
            value *= math.perm(degree - 2 * k, m)
            for a in range(k + 1):
                for b in range(k - a + 1):  # r^2k
                    times = math.factorial(k) // math.prod(map(math.factorial, (a, b, k - a - b)))
                    polar[2 * a, power + 2 * b, 2 * (k - a - b)] += value * times
        if m:
            norm = Fraction(2 * math.factorial(degree - m), math.factorial(degree + m))
        else:
            norm = Fraction(1)
        found[m] = norm, _multiply_polynomials(turning[False], polar)
        found[-m] = found[m] if m == 0 else (norm, _multiply_polynomials(turning[True], polar))
    return tuple(found[m] for m in range(-degree, degree + 1))


def _multiply_polynomials(f: Polynomial, g: Polynomial) -> Polynomial:
    found: dict[tuple[int, int, int], Any] = {}
    for (a, b, c), v in f.items():
        for (d, e, h), w in g.items():
            key = a + d, b + e, c + h
            found[key] = found.get(key, 0) + v * w
    return {key: v for key, v in found.items() if not (isinstance(v, int) and v == 0)}


def _natural(q: Any, degree: int) -> list[list[Any]]:
    """Returns the matrix by which q acts on the harmonics of a degree, of parity (-1)^degree."""
    if degree == 0:
        return [[1]]
    if degree == 1:
        return [[q[i, j] for j in range(3)] for i in range(3)]
    is_exact = np.asarray(q).dtype == object
    ys = harmonics(degree)
    powers = [_powers({(1, 0, 0): a, (0, 1, 0): b, (0, 0, 1): c}, degree) for a, b, c in q]
    found: list[list[Any]] = []
    for n, p in ys:
        moved: dict[tuple[int, int, int], Any] = {}
        for (a, b, c), value in p.items():
            product = _multiply_polynomials(powers[0][a], powers[1][b])
            for key, w in _multiply_polynomials(product, powers[2][c]).items():
                moved[key] = moved.get(key, 0) + w * value
        row = []
        for m, other in ys:
            norm = sum(v * v * _weight(key) for key, v in other.items())
            times = Fraction(norm.denominator, norm.numerator)
            inner: Any = 0
            for key, v in other.items():
                factor = v * _weight(key) * times
                inner = inner + moved.get(key, 0) * (factor if is_exact else float(factor))
            row.append(inner * _root(n / m, is_exact=is_exact) if inner else inner)
        found.append(row)
    return found


def _powers(form: Polynomial, degree: int) -> list[Polynomial]:
    found: list[Polynomial] = [{(0, 0, 0): 1}]
    for _ in range(degree):
        found.append(_multiply_polynomials(found[-1], form))
    return found


def _weight(powers: tuple[int, int, int]) -> Fraction:
    """Returns the squared norm of a monomial."""
    return Fraction(math.prod(map(math.factorial, powers)), math.factorial(sum(powers)))


def _root(n: Fraction, *, is_exact: bool) -> Any:
    if not is_exact:
        return math.sqrt(n)
    top, bottom = math.isqrt(n.numerator), math.isqrt(n.denominator)
    if (top * top, bottom * bottom) == (n.numerator, n.denominator):
        return Fraction(top, bottom)
    return np.sqrt(Real(n))
