"""Writes symmetric polynomials of points in power sums, by Gauss's algorithm for vectors.

A sum over different indices

    M(a_1, ..., a_r) = sum_{i_1, ..., i_r different} x_{i_1}^{a_1} ... x_{i_r}^{a_r}

is expanded in its first index: the sum over all i would be p_{a_1} M(a_2, ..., a_r), and the terms
whose first index equals one of the others are subtracted,

    M(a_1, ..., a_r) = p_{a_1} M(a_2, ..., a_r) - sum_{j >= 2} M(a_2, ..., a_j + a_1, ..., a_r).

For n points M is 0 once r > n, which gives Newton's identities: p_a with |a| > n in lower power
sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import factorial, prod

Vector = tuple[int, ...]
#: A polynomial in power sums: sorted exponent vectors of the factors p_a -> coefficient.
Form = dict[tuple[Vector, ...], Fraction]
_ONE: Form = {(): Fraction(1)}


class PowerSumForms:
    """A rewriter of monomial symmetric functions of n points in power sums.

    Args:
        n: the number of points.
        reduce: write p_a with |a| > n in lower power sums, by Newton's identities.
    """

    __slots__ = ("_known", "n", "reduce")

    def __init__(self, n: int, *, reduce: bool) -> None:
        self.n = n
        self.reduce = reduce
        self._known: dict[tuple[Vector, ...], Form] = {}

    def orbit_sum(self, parts: tuple[Vector, ...]) -> Form:
        """Sums the orbit of the monomial x_1^{a_1} ... x_r^{a_r} under permutations of the points.

        Args:
            parts: the exponent vectors that are not zero, at most n.
        """
        repeats = prod(factorial(count) for count in Counter(parts).values())
        return {key: c / repeats for key, c in self._different(tuple(sorted(parts))).items()}

    def _different(self, parts: tuple[Vector, ...]) -> Form:
        """Computes M(parts)."""
        if not parts:
            return _ONE
        if len(parts) == 1:
            return self._power_sum(parts[0])
        if parts not in self._known:
            first, rest = parts[0], parts[1:]
            total = _multiply_forms(self._power_sum(first), self._different(rest))
            for j in range(len(rest)):
                merged = tuple(sorted((*rest[:j], _add_vectors(rest[j], first), *rest[j + 1 :])))
                _add_multiple(total, self._different(merged), Fraction(-1))
            self._known[parts] = total
        return self._known[parts]

    def _power_sum(self, a: Vector) -> Form:
        """Returns p_a; with ``reduce``, written in power sums of degree n at most."""
        if not self.reduce or sum(a) <= self.n:
            return {(a,): Fraction(1)}
        if (a,) not in self._known:
            # 0 = M(b_0, ..., b_n), b_0 + ... + b_n = a: p_a has the coefficient (-1)^n n! in it.
            zero = _unreduced_sum(_split_vector(a, self.n + 1))
            lead = zero.pop((a,))
            total: Form = {}
            for key, c in zero.items():
                term: Form = {(): -c / lead}
                for b in key:
                    term = _multiply_forms(term, self._power_sum(b))
                _add_multiple(total, term, Fraction(1))
            self._known[(a,)] = total
        return self._known[(a,)]


def _unreduced_sum(parts: tuple[Vector, ...]) -> Form:
    """Computes M(parts) in power sums of any degree."""
    return dict(PowerSumForms(len(parts), reduce=False)._different(tuple(sorted(parts))))


def _split_vector(a: Vector, count: int) -> tuple[Vector, ...]:
    """Splits a into ``count`` nonzero vectors: unit vectors, and the rest."""
    units = [
        tuple(int(i == j) for i in range(len(a))) for j, times in enumerate(a) for _ in range(times)
    ]
    last = units[count - 1 :]
    return (*units[: count - 1], tuple(sum(column) for column in zip(*last, strict=True)))


def _add_vectors(a: Vector, b: Vector) -> Vector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _multiply_forms(
    left: Mapping[tuple[Vector, ...], Fraction], right: Mapping[tuple[Vector, ...], Fraction]
) -> Form:
    result: Form = {}
    for a, x in left.items():
        for b, y in right.items():
            key = tuple(sorted((*a, *b)))
            result[key] = result.get(key, Fraction(0)) + x * y
    return {key: c for key, c in result.items() if c}


def _add_multiple(
    total: Form, other: Mapping[tuple[Vector, ...], Fraction], factor: Fraction
) -> None:
    for key, c in other.items():
        value = total.get(key, Fraction(0)) + factor * c
        if value:
            total[key] = value
        else:
            total.pop(key, None)
