"""Finds different multisets with one sum of phi, which prove that an embedding is not injective."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from flint import fmpz_mat

from eqvproof.deepsets.arguments import Array, read_rational
from eqvproof.support.errors import DomainError, TargetError, error_text, is_foreign, place_of


@dataclass(frozen=True, slots=True)
class Collision:
    """Two different multisets with one sum.

    Attributes:
        left: the first multiset.
        right: the second.
        sum: the sum of phi over either.
    """

    left: tuple[Any, ...]
    right: tuple[Any, ...]
    sum: Any


#: Ideal solutions of the Prouhet-Tarry-Escott problem: m numbers each, equal power sums up to
#: degree m - 1.
IDEAL: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {
    1: ((0,), (1,)),
    2: ((0, 3), (1, 2)),
    3: ((0, 4, 5), (1, 2, 6)),
    4: ((0, 4, 7, 11), (1, 2, 9, 10)),
    5: ((0, 4, 8, 16, 17), (1, 2, 10, 14, 18)),
    6: ((0, 5, 6, 16, 17, 22), (1, 2, 10, 12, 20, 21)),
    7: ((0, 18, 27, 58, 64, 89, 101), (1, 13, 38, 44, 75, 84, 102)),
    8: ((0, 4, 9, 23, 27, 41, 46, 50), (1, 2, 11, 20, 30, 39, 48, 49)),
    9: ((0, 24, 30, 83, 86, 133, 157, 181, 197), (1, 17, 41, 65, 112, 115, 168, 174, 198)),
    10: (
        (0, 3083, 3301, 11893, 23314, 24186, 35607, 44199, 44417, 47500),
        (12, 2865, 3519, 11869, 23738, 23762, 35631, 43981, 44635, 47488),
    ),
    12: (
        (0, 11, 24, 65, 90, 129, 173, 212, 237, 278, 291, 302),
        (3, 5, 30, 57, 104, 116, 186, 198, 245, 272, 297, 299),
    ),
}


def equal_power_sums(n: int, d: int, degree: int) -> tuple[Array, Array]:
    """Builds two different multisets of n points of R^d with equal sum_k x_k^a for |a| <= degree.

    The points differ in their first coordinate only. It is an integer if an ideal solution of the
    Prouhet-Tarry-Escott problem is known (degree <= 9, or 11), or if n is large enough to double
    one (from A and B to A and B + s on one side, B and A + s on the other: one degree more).
    Otherwise it is cos(2 k pi / m) on one side and cos((2 k + 1) pi / m) on the other, with
    m = degree + 1: the roots of T_m = 1 and of T_m = -1, two polynomials that differ only in the
    constant coefficient. Both sides are filled up to n points with zeros.

    Returns:
        Two arrays of shape (n, d) of Fractions, or SymPy numbers.

    Raises:
        DomainError: the degree is below 0, or is n or more: then the sums determine the multiset.
    """
    if not 0 <= degree < n:
        message, expected = "power sums up to this degree determine the points", f"0 to {n - 1}"
        if degree < 0:
            message = "the degree is negative"
        if n == 0:
            expected = "at least one point"
        raise DomainError(
            message,
            given=f"degree {degree}, {n} points",
            expected=expected,
            hint="change the degree",
        )
    left, right = _integer_solutions(degree, n) or _cosine_solutions(degree + 1)
    first, second = np.full((2, n, d), Fraction(0), dtype=object)
    first[: len(left), 0], second[: len(right), 0] = left, right
    return first, second


def _integer_solutions(degree: int, n: int) -> tuple[list[Any], list[Any]] | None:
    """Returns two lists of at most n integers with equal power sums up to a degree, or None."""
    size = min((m for m in IDEAL if m > degree), default=max(IDEAL))
    left, right = (list(side) for side in IDEAL[size])
    reached = size - 1
    while reached < degree and 2 * len(left) <= n:
        shift = max(left + right) + 1
        left, right = left + [x + shift for x in right], right + [x + shift for x in left]
        reached += 1
    if reached < degree or len(left) > n:
        return None
    return [Fraction(x) for x in left], [Fraction(x) for x in right]


def _cosine_solutions(m: int) -> tuple[list[Any], list[Any]]:
    import sympy

    return (
        [sympy.cos(2 * k * sympy.pi / m) for k in range(m)],
        [sympy.cos((2 * k + 1) * sympy.pi / m) for k in range(m)],
    )


def find_collision(
    phi: Callable[[Any], Any], candidates: Iterable[Any], *, size: int | None = None
) -> Collision | None:
    """Searches for two multisets of candidates, equal in size and in the sum of phi.

    An integer relation sum_k c_k (1, phi(x_k)) = 0 gives such a pair: one multiset holds each x_k
    with c_k > 0, c_k times; the other each x_k with c_k < 0, -c_k times. If phi has m components,
    any m + 2 candidates have a relation: no embedding with rational values distinguishes all
    multisets over m + 2 points. The relation is a short vector of the lattice of all relations
    (LLL), so that the multisets are small.

    Args:
        phi: maps a candidate to a number or a sequence of numbers: integers, Fractions, SymPy
            rationals; a float counts as the rational number that it equals.
        candidates: different points.
        size: number of elements of each multiset; smaller ones are filled up with one candidate.

    Returns:
        The smallest pair found; None if no short relation gives a pair of at most that size.

    Exactness: rational; the sums are compared before the pair is returned.

    Raises:
        DomainError: a value of phi is not rational.

    >>> find_collision(lambda x: [max(x, 0), max(x - 1, 0)], range(-2, 4)).left
    (-2, 1)
    """
    try:
        points = list(dict.fromkeys(candidates))
    except BaseException as error:
        if not is_foreign(error):
            raise
        raise DomainError(
            "the candidates cannot be hashed",
            given=error_text(error),
            expected="a collection of numbers, tuples, or other hashable points",
            hint="turn lists into tuples",
        ) from error
    values = [_rational_values(_evaluate_phi(phi, x), x) for x in points]
    if len({len(v) for v in values}) > 1:
        raise DomainError(
            "phi returns values of different lengths",
            given=str({len(v) for v in values}),
            expected="one length for all points",
            hint="return the same number of features for each point",
        )
    relations = []
    if points:
        relations = _short_relations([[Fraction(1), *v] for v in values])
    best = min(relations, key=lambda c: (sum(map(abs, c)), [abs(x) for x in c]), default=None)
    if best is None:
        return None
    left = [x for x, c in zip(points, best, strict=True) for _ in range(c)]
    right = [x for x, c in zip(points, best, strict=True) for _ in range(-c)]
    if size is not None:
        if len(left) > size:
            return None
        left, right = (
            left + [points[0]] * (size - len(left)),
            right + [points[0]] * (size - len(right)),
        )
    table = dict(zip(points, values, strict=True))
    sums = [
        tuple(sum(column, Fraction(0)) for column in zip(*(table[x] for x in side), strict=True))
        for side in (left, right)
    ]
    if sums[0] != sums[1]:
        raise DomainError(
            "phi does not give equal values for equal points",
            given=f"{sums[0]} and {sums[1]}",
            expected="one value for each point",
            hint="make phi a function of its argument alone",
        )
    return Collision(tuple(left), tuple(right), sums[0])


def _short_relations(rows: Sequence[Sequence[Fraction]]) -> list[list[int]]:
    """Finds short integer relations between rational rows: coefficients that are not all zero."""
    count = len(rows)
    columns = []
    for column in zip(*rows, strict=True):
        common = lcm(*(x.denominator for x in column))
        columns.append([int(x * common) for x in column])
    longest = max((abs(x) for column in columns for x in column), default=1)
    # with this weight, the values of every short vector are 0
    weight = (longest + 1) * count**2 * 2**count
    table = [
        [int(i == j) for j in range(count)] + [weight * column[i] for column in columns]
        for i in range(count)
    ]
    reduced = fmpz_mat(table).lll()
    found = []
    for row in reduced.tolist():
        entries = [int(x) for x in row]
        if not any(entries[count:]) and any(entries):
            found.append(entries[:count])
    return found


def _evaluate_phi(phi: Callable[[Any], Any], point: Any) -> Any:
    """Evaluates phi at a point; returns a number or a tuple of numbers.

    Raises:
        TargetError: it raises, or the numbers cannot be read.
    """
    try:
        value = phi(point)
        if hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, Iterable):
            return tuple(value)
        return value
    except BaseException as error:
        if not is_foreign(error):
            raise
        place = place_of(error)
        raise TargetError(
            f"phi raises {error_text(error)}",
            given=f"{point!r:.80}" + f"; {place}" * bool(place),
            expected="a number, or a sequence of numbers",
            hint="call phi with this candidate to see the whole traceback",
        ) from error


def _rational_values(value: Any, x: Any) -> list[Fraction]:
    try:
        if isinstance(value, Iterable):
            return [read_rational(item) for item in value]
        return [read_rational(value)]
    except (TypeError, ValueError) as error:
        raise DomainError(
            "phi is not rational at this point",
            given=f"phi({x!r}) = {value!r}",
            expected="rational numbers",
            hint="return ints or Fractions",
        ) from error
