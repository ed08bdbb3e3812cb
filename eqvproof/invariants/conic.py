"""Rational points on conics a x^2 + b y^2 = c z^2 (Legendre), and vectors of prescribed length."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import gcd, isqrt, lcm

from flint import fmpz, fmpz_mat

#: Largest bit length of integers that are factored.
MOST_BITS = 220
#: Number of partial choices tried before the search for a vector of given length stops.
TRIALS = 1500


def square_root(value: Fraction) -> Fraction | None:
    """Returns the rational square root of a rational number, or None."""
    if value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    exact = top * top == value.numerator and bottom * bottom == value.denominator
    if exact:
        return Fraction(top, bottom)
    return None


def solve_conic(a: Fraction, b: Fraction, c: Fraction) -> tuple[Fraction, Fraction] | None:
    """Finds rationals (x, y) with ``a x^2 + b y^2 = c`` for positive a, b, c; None if none exist.

    None is also returned if the numbers are too long to be factored.

    Exactness: exact; the solution is verified.

    Source: Legendre (1785); the lattice of Cremona and Rusin (2003), "Efficient solution of
        rational conics".
    """
    if min(a, b, c) <= 0:
        return None
    bottom = lcm(a.denominator, b.denominator, c.denominator)
    coefficients = [int(v * bottom) for v in (a, b, c)]
    common = gcd(*coefficients)
    coefficients = [v // common for v in coefficients]
    if max(v.bit_length() for v in coefficients) > MOST_BITS:
        return None
    normal = _reduce_coefficients(coefficients)
    if normal is None:
        return None
    found = _legendre(*normal[0])
    if found is None:
        return None
    x, y, z = (value * factor for value, factor in zip(found, normal[1], strict=True))
    if z == 0:
        return None
    x, y = x / z, y / z
    if a * x * x + b * y * y == c:
        return (x, y)
    return None


def represent(form: Sequence[Fraction], value: Fraction) -> list[Fraction] | None:
    """Finds rationals x, not all 0, with ``sum form_i x_i^2 = value``; None if none were found.

    The coefficients may have any signs. Two unknowns are on a conic; the others are chosen at
    random.
    """
    if not form or min(form) > 0 >= value or max(form) < 0 <= value:
        return None
    if len(form) == 1:
        root = square_root(value / form[0])
        if value == 0 or root is None:
            return None
        return [root]
    if value == 0:
        last = represent(form[1:], -form[0])
        if last is None:
            return None
        return [Fraction(1), *last]
    rng = random.Random(0)
    planes = list(combinations(range(len(form)), 2))
    trials = TRIALS
    if len(form) == 2:
        trials = 1
    for attempt in range(trials):
        i, j = planes[attempt % len(planes)]
        reach = 0
        if attempt >= len(planes):
            reach = 1 + attempt // 60
        x = [Fraction(rng.randint(-reach, reach), rng.randint(1, 1 + reach)) for _ in form]
        rest = value - sum(
            a * v * v for k, (a, v) in enumerate(zip(form, x, strict=True)) if k not in (i, j)
        )
        if not rest:
            continue
        found = _on_any_conic(form[i], form[j], rest)
        if found is not None:
            x[i], x[j] = found
            return x
    return None


def _on_any_conic(a: Fraction, b: Fraction, c: Fraction) -> tuple[Fraction, Fraction] | None:
    """Finds rationals (x, y) with ``a x^2 + b y^2 = c`` for nonzero a, b, c of any signs."""
    if c < 0:
        a, b, c = -a, -b, -c
    if a < 0 and b < 0:
        return None
    if a < 0:
        found = _on_any_conic(b, a, c)
        if found is None:
            return None
        return found[::-1]
    if b > 0:
        if _is_plausible(a, b, c):
            return solve_conic(a, b, c)
        return None
    slope = square_root(-b / a)
    if slope is not None:  # a (x - s y) (x + s y) = c with x - s y = 1
        return (c / a + 1) / 2, (c / a - 1) / (2 * slope)
    found = solve_conic(c / a, -b / a, Fraction(1))  # c u^2 - b v^2 = a, u = 1 / x, v = y / x
    if found is None or not found[0]:
        return None
    return 1 / found[0], found[1] / found[0]


def _reduce_coefficients(coefficients: list[int]) -> tuple[list[int], list[Fraction]] | None:
    """Reduces three coefficients to square-free, pairwise coprime ones.

    Returns the reduced coefficients, and the factors by which a solution for them must be
    multiplied to solve the original equation.
    """
    values, factors = list(coefficients), [Fraction(1)] * 3
    for p in sorted({p for value in coefficients for p in _primes(value)}):
        exponents = []
        for i in range(3):
            exponent, values[i] = _valuation(values[i], p)
            # v p^(2k) x^2 = v (p^k x)^2
            factors[i] /= p ** (exponent // 2)
            exponents.append(exponent % 2)
        if sum(exponents) == 2:
            # p divides two of three: then p divides the unknown of the third, and moves to the
            # third coefficient
            third = exponents.index(0)
            factors[third] *= p
            exponents = [int(i == third) for i in range(3)]
        elif sum(exponents) == 3:
            exponents = [0, 0, 0]
        values = [v * p**e for v, e in zip(values, exponents, strict=True)]
    return values, factors


def _legendre(a: int, b: int, c: int) -> tuple[int, int, int] | None:
    """Finds integers, not all zero, with ``a x^2 + b y^2 = c z^2``.

    The coefficients are positive, square-free and pairwise coprime.

    By square roots modulo a, b, c there is a lattice of index abc on which a x^2 + b y^2 - c z^2 is
    divisible by abc; the quotient is an indefinite form of determinant -1, and has a short zero.
    """
    r = _root_modulo(c * pow(b, -1, a), a)  # y = r z mod a
    s = _root_modulo(c * pow(a, -1, b), b)  # x = s z mod b
    t = _root_modulo(-b * pow(a, -1, c), c)  # x = t y mod c
    if r is None or s is None or t is None:
        return None
    rows = [[b * c, 0, 0], [_crt(0, b, t * a, c), a, 0], [_crt(s, b, t * r, c), r, 1]]
    weights = [isqrt(v << 60) for v in (a, b, c)]
    weighted = (
        fmpz_mat([[e * w for e, w in zip(row, weights, strict=True)] for row in rows])
        .lll()
        .tolist()
    )
    basis = [[int(e) // w for e, w in zip(row, weights, strict=True)] for row in weighted]
    for reach in (1, 3, 8):
        for k in product(range(-reach, reach + 1), repeat=3):
            x, y, z = (sum(m * row[i] for m, row in zip(k, basis, strict=True)) for i in range(3))
            if z and a * x * x + b * y * y == c * z * z:
                return x, y, z
    return None


def _root_modulo(value: int, modulus: int) -> int | None:
    """Returns a square root modulo a square-free positive integer, or None."""
    root, so_far = 0, 1
    for prime in _primes(modulus):
        part = value % prime
        if prime > 2 and part:
            if not _is_residue(part, prime):
                return None
            part = int(fmpz(part).sqrtmod(prime))
        root = _crt(root, so_far, part, prime)
        so_far *= prime
    return root


def _crt(a: int, m: int, b: int, n: int) -> int:
    """Returns the residue modulo m n that is a modulo m and b modulo n, for coprime m, n."""
    return (a + m * ((b - a) * pow(m, -1, n) % n)) % (m * n)


@lru_cache(maxsize=512)
def square_free(value: Fraction) -> tuple[int, Fraction] | None:
    """Returns (a, s) with ``value = a s^2``, a square-free; None for numbers too long to factor."""
    number = value.numerator * value.denominator
    if number.bit_length() > MOST_BITS:
        return None
    root, rest = 1, 1
    for p, exponent in fmpz(number).factor():
        root *= int(p) ** (exponent // 2)
        rest *= int(p) ** (exponent % 2)
    return rest, Fraction(root, value.denominator)


def _valuation(number: int, p: int) -> tuple[int, int]:
    """Returns (k, u) with ``number = p^k u`` and u not divisible by p."""
    exponent = 0
    while number % p == 0:
        number, exponent = number // p, exponent + 1
    return exponent, number


def _is_residue(unit: int, p: int) -> bool:
    """Returns True if a number is a square modulo an odd prime that does not divide it (Euler)."""
    return pow(unit % p, (p - 1) // 2, p) == 1


def _is_plausible(a: Fraction, b: Fraction, c: Fraction) -> bool:
    """Checks the local solvability of a x^2 + b y^2 = c at the primes of a and b.

    The primes of c are not tried: a and b have few primes, which are known.
    """
    third = c.numerator * c.denominator
    for one, other in ((a, b), (b, a)):
        reduced, partner = square_free(one), square_free(other)
        if reduced is None or partner is None:
            return False
        for p in _primes(reduced[0]):
            unit = third * partner[0] % p
            if p > 2 and unit and not _is_residue(unit, p):
                return False
    return True


@lru_cache(maxsize=512)
def _primes(number: int) -> tuple[int, ...]:
    return tuple(int(p) for p, _ in fmpz(number).factor())
