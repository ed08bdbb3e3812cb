"""Irreps of O(3), and tables of numbers that rotations keep, as written or as read.

The irrep of degree l and natural parity (-1)^l acts by an orthogonal matrix of size 2l + 1; the
other one of that degree, here called twisted, by det(g) times that. Degree 1 is g itself. In the
basis of e3nn (rows -l..l, polar axis y) the derivatives at 1 along the turns about x, y, z are
antisymmetric, with the entries, each ``sign sqrt(n / 2)``,

    x:  (m, m+1) -c(m) for m >= 0;  (-m-1, -m) c(m) for m > 0      c(m)^2 = (l(l+1) - m(m+1)) / 4 for m > 0
    y:  (-m, m) m                                                  c(0)^2 = l(l+1) / 2
    z:  (-m-1, m) -c(m) for m >= 0; (-m, m+1) c(m) for m > 0

Let A_k C be the sum of these over the axes of a table C. C is kept by all rotations where all A_k C
are 0. The sum of -A_k^2 is L(L + 1) on each irrep L, so ``sum_k |A_k C|^2 >= 2 |C - PC|^2`` for the
projection P onto the tables that are kept: C is at most ``sqrt(sum_k |A_k C|^2 / 2)`` away from a
table that is kept, PC, and so is each block of C.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import gcd, isqrt

from .checker import FIX, STD, Irr, Kind
from .exact import common
from .invariants import Block
from .readings import EXACT_BITS, SHORT_BITS, is_exact, odd
from .report import spend

#: Largest degree of irreps, and units in the last place between a table and the one it is read as.
MOST_DEGREE = 16
MOST_ULPS = 16
#: For at most this many moved axes no two independent tables are kept.
MOST_SIMPLE = 3
BITS = 128
#: The nonzero entries, by their index.
Entries = dict[tuple[int, ...], Fraction]


def columns(degree: int, about: int) -> dict[int, list[tuple[int, int, int]]]:
    """Returns the entries (row, sign, n) of each column of a generator."""
    upper: list[tuple[int, int, int, int]] = []
    for m in range(degree + 1):
        if m:
            n = (degree * (degree + 1) - m * (m + 1)) // 2
        else:
            n = degree * (degree + 1)
        if about == 1 and m:
            upper.append((-m, m, 1, 2 * m * m))
        if about == 0 and m < degree:
            upper.append((m, m + 1, -1, n))
        if about == 0 and 0 < m < degree:
            upper.append((-m - 1, -m, 1, n))
        if about == 2 and m < degree:
            upper.append((-m - 1, m, -1, n))
        if about == 2 and 0 < m < degree:
            upper.append((-m, m + 1, -1, n))
    found: dict[int, list[tuple[int, int, int]]] = {j: [] for j in range(2 * degree + 1)}
    for i, j, sign, n in upper:
        found[j + degree].append((i + degree, sign, n))
        found[i + degree].append((j + degree, -sign, n))
    return found


def distance_to_kept(
    values: Sequence[Fraction], blocks: Sequence[Block], power: int | None, *, exact: bool
) -> Fraction | None:
    """Returns a bound of the squared distance to the table that all rotations keep, or None.

    There is one at the written table, or near it unless it must be the table itself: each block, at
    each place of the axes on which nothing acts, may be 16 units in the last place of the precision
    of the values away (`_scale`).

    Args:
        values: of the written table.
        blocks: of it.
        power: that of the determinant by which -1 multiplies the table; None under rotations alone.
        exact: whether it must be the written table itself.
    """
    total, unit = Fraction(0), Fraction(0)
    if not exact:
        unit = MOST_ULPS * table_precision(values)
    for block in blocks:
        kinds = [_degree(kind, size) for kind, size in block.axes]
        degrees = [degree for degree in kinds if degree is not None]
        if len(degrees) < len(kinds) or (
            power is not None and (sum(degrees) + block.determinants - power) % 2
        ):
            return None
        sizes = [range(size) for _, size in block.axes]
        entries = {at: v for at, v in zip(product(*sizes), block.values, strict=True) if v}
        for piece in _slices(entries, degrees):
            bound = violation(piece, degrees)
            if bound and not (
                unit and bound <= 2 * unit**2 * _scale([*piece.values()], degrees, unit)
            ):
                return None
            total += bound
    return total / 2


def _degree(kind: Kind, size: int) -> int | None:
    """Returns the degree of an axis of a block; None where no irrep acts along it.

    -1 acts by the sign (-1)^degree, but for determinants.
    """
    if isinstance(kind, Irr):
        return kind.number
    if kind == STD and size == 3:
        return 1
    if kind == FIX:
        return 0
    return None


def table_precision(values: Sequence[Fraction]) -> Fraction:
    """Returns the relative precision to which values are stored, up to one common factor.

    It is the unit in the last place of the shorter of float32 and float64 that holds all values.

    It is 0 where all values are exact, or are so up to one factor: these are no roundings of
    others.
    """
    if all(map(is_exact, values)):
        return Fraction(0)
    one = common(v.denominator for v in values)
    whole = [int(v * one) for v in values]
    factor = gcd(*whole)
    bits = max(odd(n // factor).bit_length() for n in whole)
    if bits <= EXACT_BITS:
        return Fraction(0)
    if bits <= SHORT_BITS:
        return Fraction(1, 2**23)
    return Fraction(1, 2**52)


def _slices(entries: Entries, degrees: Sequence[int]) -> Iterator[Entries]:
    """Yields the entries at each place of the axes on which nothing acts."""
    found: dict[tuple[int, ...], Entries] = {}
    for index, value in entries.items():
        place = tuple(i for i, degree in zip(index, degrees, strict=True) if not degree)
        found.setdefault(place, {})[index] = value
    yield from found.values()


def _scale(values: Sequence[Fraction], degrees: Sequence[int], unit: Fraction) -> Fraction:
    """Returns the squared norm to which roundings of these values are relative.

    It is 0 where they are no roundings.

    Of at most three moved axes one table is kept, up to a factor: it is the norm. Of more, where
    tables that are kept may be of different magnitudes, it is that of as many entries as the least,
    which is no noise.
    """
    if not table_precision(values):
        return Fraction(0)
    squares = [v * v for v in values]
    if sum(degree > 0 for degree in degrees) <= MOST_SIMPLE:
        return sum(squares, Fraction(0))
    noise = unit**2 * max(squares)
    return len(squares) * min(s for s in squares if s > noise)


def violation(entries: Entries, degrees: Sequence[int]) -> Fraction:
    """Returns an upper bound of ``sum_k |A_k C|^2``, which is 0 only where that sum is 0."""
    one = common(v.denominator for v in entries.values())
    roots: dict[int, tuple[int, int, int]] = {}
    total = 0
    for about in range(3):
        for terms in _acted(entries, degrees, about):
            exact: dict[int, int] = {}
            for n, value in terms.items():
                if n not in roots:
                    root = next(r for r in range(isqrt(2 * n), 0, -1) if 2 * n % (r * r) == 0)
                    free = 2 * n // root**2  # sqrt(n / 2) = root sqrt(free) / 2
                    roots[n] = root, free, isqrt(free << 2 * BITS)
                root, free, _ = roots[n]
                exact[free] = exact.get(free, 0) + root * int(value * one)
            near = sum(v * isqrt(free << 2 * BITS) for free, v in exact.items() if v)
            total += (abs(near) + sum(map(abs, exact.values()))) ** 2
    return Fraction(total, (one << BITS + 1) ** 2)


def _acted(
    entries: Entries, degrees: Sequence[int], about: int
) -> Iterator[Mapping[int, Fraction]]:
    """Yields the entries of A_k C, each as {n: q} for the sum of ``q sqrt(n / 2)``."""
    spend(4 * len(entries) * len(degrees))
    found: dict[tuple[int, ...], dict[int, Fraction]] = {}
    for axis, degree in enumerate(degrees):
        moved = columns(degree, about) if degree else {}
        for index, value in entries.items():
            for i, sign, n in moved.get(index[axis], ()):
                terms = found.setdefault((*index[:axis], i, *index[axis + 1 :]), {})
                terms[n] = terms.get(n, Fraction(0)) + sign * value
    yield from found.values()
