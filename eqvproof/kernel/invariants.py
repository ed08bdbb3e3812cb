"""Constants that a group keeps: numbers C with g C = chi(g)^power C, where g acts along some axes of C.

They are written out, and the group has a size, so that this is computed. It is enough to look at each
generator of the group, since the elements with that property are a group. For SO, which is connected, it is
enough that C is killed by the derivatives along the turns of the planes (k, k + 1), whose brackets span the
Lie algebra; O is SO with one reflection. For GL ``g C = det(g)^-w C`` is an identity of rational functions of
g, which holds when it does near the identity: when ``E_kl C = -w [k = l] C`` (dual axes by ``-E_lk``), for
neighbours k, l, which generate gl. The group of all g with g^T B g = B has the Lie algebra of all A with
``A^T B + B A = 0``: those with B A skew where B is symmetric, and symmetric where B is skew. For diagonal B
of signs it is the connected group and changes of sign of one coordinate, or of two, of determinant 1; the
symplectic group is connected. So are the unitary matrices, with the Lie algebra of all X + iY, as
[[X, -Y], [Y, X]], with X skew and Y symmetric; of determinant 1, with Y of trace 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .claims import Factor
from .groups import is_even
from .membership import determinant
from .report import spend


@dataclass(frozen=True, slots=True)
class Constant:
    """Numbers in row-major order, of which g acts on some axes.

    Attributes:
        values: the numbers.
        size: that of the axes on which g acts.
        strides: how far apart the entries of such an axis are, for each of them.
        ways: 1 for each such axis on which g acts by its standard matrix, -1 for the inverse transpose.
    """

    values: Sequence[Fraction]
    size: int
    strides: tuple[int, ...]
    ways: tuple[int, ...]


def is_kept(c: Constant, factor: Factor, power: int, *, special: bool) -> bool:
    """Whether g C = chi(g)^power C for all g of the group; `special`: chi is 1."""
    spend(len(c.values) * len(c.strides) * (1 + c.size))
    form = factor.about.form and factor.about.form(c.size)
    if factor.about.form and factor.kind == "orth":
        return form is not None and _is_kept_by_unitary(c, unit=factor.about.unit)
    if factor.about.form:
        return form is not None and _is_kept_with_form(c, *form, 0 if special else power, special=special)
    if factor.kind == "lin":
        return _is_kept_by_matrices(c, -sum(c.ways) // c.size if special else power)
    if factor.kind == "orth" and factor.generators:
        spend(len(factor.generators) * len(c.values) * len(c.strides) * c.size)
        return all(_is_kept_by(g, c, power) for g in factor.generators)
    if factor.kind == "orth" and not _is_kept_by_turns(c):
        return False
    return all(
        _is_kept_by_monomial(c, order, signs, chi if power else 1)
        for order, signs, chi in _generators(factor, c.size)
    )


def _generators(factor: Factor, size: int) -> Iterator[tuple[Sequence[int], Sequence[int], int]]:
    """Generators (g x)[i] = signs[i] x[order[i]] with their determinants; for O those beside SO."""
    if factor.generators:
        for g in factor.generators:
            yield g, [1] * len(g), 1 if is_even(list(g)) else -1
    for order, signs in factor.about.generators(size):
        yield order, signs, (1 if is_even(order) else -1) * (-1) ** signs.count(-1)


def _is_kept_by_monomial(c: Constant, order: Sequence[int], signs: Sequence[int], times: int) -> bool:
    for j in range(len(c.values)):
        at, sign = j, times
        for stride in c.strides:
            place = j // stride % c.size
            at += (order[place] - place) * stride
            sign *= signs[place]
        if c.values[j] != sign * c.values[at]:
            return False
    return True


def _is_kept_by(g: Sequence[Sequence[Fraction]], c: Constant, power: int) -> bool:
    """C = det(g)^power g C."""
    moved = list(c.values)
    for stride in c.strides:
        mixed = []
        for j in range(len(moved)):
            at = j // stride % c.size
            entries = (x * moved[j + (k - at) * stride] for k, x in enumerate(g[at]))
            mixed.append(sum(entries, Fraction(0)))
        moved = mixed
    return list(c.values) == ([-v for v in moved] if power and determinant(g) == -1 else moved)


def _is_kept_by_turns(c: Constant) -> bool:
    """Whether the sums over the moved axes of E_k,k+1 - E_k+1,k, applied to that axis, are 0."""
    for k in range(c.size - 1):
        for j in range(len(c.values)):
            total = Fraction(0)
            for stride in c.strides:
                place = j // stride % c.size
                if place == k:
                    total += c.values[j + stride]
                elif place == k + 1:
                    total -= c.values[j - stride]
            if total:
                return False
    return True


def _is_kept_by_matrices(c: Constant, weight: int) -> bool:
    """Whether E_km C = -weight [k = m] C, for neighbours and for equal k and m."""
    for k in range(c.size):
        for m in range(max(0, k - 1), min(c.size, k + 2)):
            for j, value in enumerate(c.values):
                if _slope(c, j, (k, m)) != (-weight * value if k == m else 0):
                    return False
    return True


def _is_kept_with_form(
    c: Constant, order: Sequence[int], signs: Sequence[int], power: int, *, special: bool
) -> bool:
    """Whether C is killed by all B^-1 (E_km - t E_mk), B^T = t B, and for diagonal B kept by changes of sign.

    B has the entries signs[k] at (k, order[k]) and B^-1 = B^T, so that B^-1 E_km is signs[k] at (order[k],
    m).
    """
    size = c.size
    turn = signs[order[0]] * signs[0]
    for k in range(size):
        for m in range(k + (turn == 1), size):
            a = {(order[k], m): signs[k]}
            a[order[m], k] = a.get((order[m], k), 0) - turn * signs[m]
            if not _is_killed(c, a):
                return False
    if turn == -1:
        return True
    still = range(size)
    flipped = [{0, k} for k in still[1:]] if special else [{k} for k in still]
    chi = -1 if power % 2 else 1
    return all(
        _is_kept_by_monomial(c, still, [-1 if i in places else 1 for i in still], chi) for places in flipped
    )


def _is_kept_by_unitary(c: Constant, *, unit: bool) -> bool:
    """Whether C is killed by a basis of the X + iY; no axis of C is moved by an inverse transpose."""
    half = c.size // 2

    def symmetric(k: int, m: int) -> dict[tuple[int, int], int]:
        return {(half + k, m): 1, (half + m, k): 1, (k, half + m): -1, (m, half + k): -1}

    found = [symmetric(k, m) for k in range(half) for m in range(k)]
    found += [
        {(k, m): 1, (m, k): -1, (half + k, half + m): 1, (half + m, half + k): -1}
        for k in range(half)
        for m in range(k)
    ]
    if unit:
        pairs = ((symmetric(k, k), symmetric(k + 1, k + 1)) for k in range(half - 1))
        found += [one | {e: -v for e, v in other.items()} for one, other in pairs]
    else:
        found += [symmetric(k, k) for k in range(half)]
    return all(_is_killed(c, a) for a in found)


def _is_killed(c: Constant, a: Mapping[tuple[int, int], int]) -> bool:
    """Whether the sum over the moved axes of A (way 1), or of -A^T (way -1), applied to that axis, is 0."""
    there = [(j, value) for j, value in enumerate(c.values) if value]
    spend(len(c.values) // 8 + len(there) * len(c.strides) * len(a) // 2)
    total: dict[int, Fraction] = {}
    for stride, way in zip(c.strides, c.ways, strict=True):
        for (row, column), entry in a.items():
            to, source = (row, column) if way == 1 else (column, row)
            for j, value in there:
                if j // stride % c.size == source:
                    at = j + (to - source) * stride
                    total[at] = total.get(at, Fraction(0)) + way * entry * value
    return not any(total.values())


def _slope(c: Constant, j: int, entry: tuple[int, int]) -> Fraction:
    """Entry j of the sum over the moved axes of E_km (way 1), or of -E_mk (way -1), applied to that axis."""
    total = Fraction(0)
    for stride, way in zip(c.strides, c.ways, strict=True):
        to, source = entry if way == 1 else entry[::-1]
        if j // stride % c.size == to:
            total += way * c.values[j + (source - to) * stride]
    return total
