"""Constant tables that are invariant under rotations and reflections of space, up to rounding.

    C constant; blocks of its axes carry irreps; for each block B of C that is not 0, at each place
    of the axes on which nothing acts: G(B) = sum_k |A_k B|^2 <= 2 eps^2 s^2, and the parities of B
    multiply to (-1)^e
    ------------------------------------------------------------------------------------ PC : these
    acts on the axes of C, with the exponent e of the determinant

A_1, A_2, A_3 are the sums of the generators' actions over the axes (`rules.irreps`), P is the
orthogonal projection onto the tables that rotations keep, and eps is 0, or 16 units in the last
place of the precision in which the values of C are stored: then *each use of C in a proof is one of
PC*, and the verdict says so. Where all values are whole, or of few bits or digits
(`exact.roundings`), eps is 0. s is the norm of B where at most three axes move, for which one table
is kept up to a factor; else that of as many entries as the least one that is no noise.

Proof. Where eps is 0 all A_k C vanish; SO(3) is connected, so C = PC is kept by rotations, and -1
multiplies a block by the product of its parities. Else, with Casimir = -sum_k A_k^2, which is L(L +
1), so 0 or at least 2, on the irreps L of the tensor product, and 0 only where P is 1, ``2 |C -
PC|^2 <= <C, Casimir C> = sum_k |A_k C|^2``. So ``|C - PC| <= sqrt(G / 2)``. P keeps blocks, and the
parity of each. QED

Exactness: generators are ``sum_s sqrt(s) B_s / 2`` with integer matrices B_s and s without square
factors, whose roots are independent over the rationals; G is 0 where all ``B_s C`` are, and else
bounded by integer roots.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice, product
from typing import Any

import numpy as np

from eqvproof.claims.signature.irreps import MOST_DEGREE
from eqvproof.claims.size import Size
from eqvproof.numbers.roundings import EXACT_BITS, LONG_BITS, SHORT_BITS, is_exact, odd_bits
from eqvproof.programs.rules.acts import (
    Act,
    Factor,
    Type,
    act_size,
    canonical,
    copies_of,
    fix,
    of_irrep,
)
from eqvproof.programs.rules.characters import Typed
from eqvproof.programs.rules.irreps import Irrep, rotation_generators

Array = np.ndarray[Any, Any]
#: Most units in the last place between a table and the invariant one as which it is read.
MOST_ULPS = 16
#: Most moved axes for which an invariant table is unique up to a factor.
MOST_SIMPLE = 3
#: Most entries and axes of a table, ways to type it, and factors of an axis that are tried.
MOST_ENTRIES, MOST_AXES, MOST_WAYS, _MOST_FACTORS = 16_384, 8, 1024, 3
#: Bits of integer roots; least relative violation in floats that is no rounding.
_BITS, _FAR = 128, 1e-4
#: A single block of an axis: its place, its degree, and whether -1 turns it into its negative.
Single = tuple[slice, int, int]


@dataclass(frozen=True, slots=True)
class Distance:
    """The distance of a table C from the invariant table PC.

    Attributes:
        degrees: the degrees of the irreps on its axes.
        absolute: an upper bound of ``|C - PC|``, in the norm of all entries.
        relative: the same in units of the norm of C.
    """

    degrees: str
    absolute: float
    relative: float


def table_types(
    array: Array, shape: Sequence[Size], acts: Sequence[Act], *, special: bool, bits: int
) -> Iterator[Typed]:
    """Yields the types in which a table is moved and yet invariant, as stored or as read.

    Args:
        array: of rationals.
        shape: of the table.
        acts: acts that axes are tried with, besides the irrep of each size.
        special: whether reflections are left out.
        bits: of the shortest floats to which the numbers may be rounded; 0: they are read as
            stored.
    """
    if array.size > MOST_ENTRIES or array.ndim > MOST_AXES or not array.any():
        return
    ways = [_candidate_acts(size, acts) for size in shape]
    floats = np.asarray(array, dtype=np.float64)
    norm = float(np.sum(floats * floats))
    for chosen in islice(product(*ways), 1, MOST_WAYS):
        lengths, blocks = _axes(chosen, array.shape)
        if _float_violation(floats.reshape(lengths), blocks) > _FAR * norm:
            continue
        odd = _parity(floats.reshape(lengths), blocks)
        if odd is None and not special:
            continue
        if bits:
            limit = MOST_ULPS * min(last_place_unit(array), Fraction(2, 2**bits))
        else:
            limit = None
        if all(
            _is_near_invariant(block, degrees, limit)
            for block, degrees in _pieces(array.reshape(lengths), blocks)
        ):
            yield Typed(chosen, 0 if special else odd or 0)


def distance(array: Array, acts: Type) -> Distance | None:
    """Returns the distance of a table from the invariant one of its type; None if equal."""
    lengths, blocks = _axes(
        [act or fix(Size.of(n)) for act, n in zip(acts, array.shape, strict=True)], array.shape
    )
    squares = [
        violation(block, degrees) for block, degrees in _pieces(array.reshape(lengths), blocks)
    ]
    if not any(squares):
        return None
    far = math.sqrt(float(sum(squares, Fraction(0)) / 2)) * (1 + 2**-40)
    degrees = [
        "+".join(str(d) for d in dict.fromkeys(d for _, d, _ in row)) for row in blocks if row
    ]
    text = "x".join(degrees[:-1]) + "->" + degrees[-1]
    return Distance(
        text, far, far / math.sqrt(float(np.sum(np.asarray(array, dtype=np.float64) ** 2)))
    )


def last_place_unit(array: Array) -> Fraction:
    """Returns the unit in the last place of the values, up to one common factor.

    It is that of the shorter of float32 and float64 that holds all of them; 0 if all are exact, or
    are so up to one factor: these are no roundings of others.
    """
    values = list(map(Fraction, array.ravel().tolist()))
    if all(map(is_exact, values)):
        return Fraction(0)
    one = math.lcm(*(v.denominator for v in values))
    whole = [v.numerator * (one // v.denominator) for v in values]
    common = math.gcd(*whole)
    bits = max(odd_bits(n // common) for n in whole)
    if bits <= EXACT_BITS:
        return Fraction(0)
    if bits <= SHORT_BITS:
        return Fraction(2, 2**SHORT_BITS)
    return Fraction(2, 2**LONG_BITS)


def violation(array: Array, degrees: Sequence[int]) -> Fraction:
    """Bounds ``sum_k |A_k C|^2`` from above, by 0 only if it is 0; each axis has a degree."""
    values = [Fraction(v) for v in array.ravel().tolist()]
    one = math.lcm(*(v.denominator for v in values))
    whole = np.array([int(v * one) for v in values], dtype=object).reshape(array.shape)
    total = 0
    for k in range(3):
        parts: dict[int, Array] = {}
        for axis, degree in enumerate(degrees):
            for root, matrix in _generators_by_root(degree)[k]:
                moved = np.moveaxis(np.tensordot(matrix, whole, (1, axis)), 0, axis)
                if root in parts:
                    moved = parts[root] + moved
                parts[root] = moved
        near: Any = sum(p * math.isqrt(s << 2 * _BITS) for s, p in parts.items())
        off: Any = sum(abs(p) for p in parts.values())
        if parts:
            total += sum(v * v for v in (abs(near) + off).flat)
    return Fraction(total, (one << _BITS + 1) ** 2)


# -- parts
# --------------------------------------------------------------------------------------------------
def _candidate_acts(size: Size, acts: Sequence[Act]) -> list[Act]:
    """Returns the acts tried for an axis of that size: fixed, irreps, and those given."""
    length = size.constant or 0
    found = [fix(size), *(canonical([row]) for row in _products(length, _MOST_FACTORS) if row)]
    return [
        *found,
        *(a for a in acts if a not in found and act_size(a) == size and _has_single_factors(a)),
    ]


def _products(length: int, most: int) -> Iterator[tuple[Factor, ...]]:
    """Yields the tensor products, of that size, of at most `most` irreps, none of degree 0."""
    if length == 1:
        yield ()
    for one in range(3, min(length, 2 * MOST_DEGREE + 1) + 1, 2) if most else ():
        if length % one == 0:
            for rest in _products(length // one, most - 1):
                yield (of_irrep(one // 2, "eo"[one // 2 % 2], special=True), *rest)


def _has_single_factors(act: Act) -> bool:
    return act is not None and all(
        copies.constant is not None and len(rest) < 2 for copies, rest in map(copies_of, act)
    )


def _axes(acts: Sequence[Act], shape: Sequence[int]) -> tuple[list[int], list[tuple[Single, ...]]]:
    """Returns the lengths and single blocks of axes; a tensor product counts as several axes."""
    lengths, found = list[int](), list[tuple[Single, ...]]()
    for act, length in zip(acts, shape, strict=True):
        several = act is not None and len(act) == 1 and len(copies_of(act[0])[1]) > 1
        for part in [((factor,),) for factor in act[0]] if several and act else [act]:
            lengths.append(act_size(part).constant or 0 if several else length)
            found.append(_singles(part))
    return lengths, found


@cache
def _singles(act: Act) -> tuple[Single, ...]:
    """Returns the single blocks of an axis; neighbouring fixed ones are one block."""
    found: list[Single] = []
    at = 0
    for block in act or ():
        copies, rest = copies_of(block)
        moved = rest[0][1] if rest else False
        kind = moved if isinstance(moved, Irrep) else Irrep(int(moved))
        if rest:
            size, count = (2 * kind.degree + 1, copies.constant or 0)
        else:
            size, count = (copies.constant or 0, 1)
        for _ in range(count):
            found.append((slice(at, at + size), kind.degree, (kind.degree + kind.twisted) % 2))
            at += size
    return tuple(found)


def _pieces(array: Array, blocks: Sequence[Sequence[Single]]) -> Iterator[tuple[Array, list[int]]]:
    """Yields the nonzero blocks of a table, with the degrees of their axes."""
    for chosen in product(*blocks):
        piece = array[tuple(place for place, _, _ in chosen)]
        if piece.any():
            yield piece, [degree for _, degree, _ in chosen]


def _parity(array: Array, blocks: Sequence[Sequence[Single]]) -> int | None:
    """Returns the sum of parities that all nonzero blocks have; None if they differ."""
    found = {
        sum(odd for _, _, odd in chosen) % 2
        for chosen in product(*blocks)
        if array[tuple(place for place, _, _ in chosen)].any()
    }
    if len(found) == 1:
        return found.pop()
    return None


def _is_near_invariant(array: Array, degrees: Sequence[int], limit: Fraction | None) -> bool:
    """Checks whether a block is invariant, or may be read as an invariant one.

    For the second, each place of the axes on which nothing acts is checked by itself.
    """
    if violation(array, degrees) == 0:
        return True
    moved = [k for k, degree in enumerate(degrees) if degree]
    own = [degrees[k] for k in moved]
    parts = np.moveaxis(array, moved, range(-len(moved), 0)).reshape(
        -1, *(array.shape[k] for k in moved)
    )
    return bool(limit) and all(
        violation(part, own) <= 2 * limit**2 * _scale(part, limit)
        for part in parts
        if limit and part.any()
    )


def _scale(part: Array, limit: Fraction) -> Fraction:
    """Returns the squared scale of roundings of a part; 0 if its entries are no roundings."""
    if not last_place_unit(part):
        return Fraction(0)
    squares = [Fraction(v) ** 2 for v in part.ravel().tolist() if v]
    if part.ndim <= MOST_SIMPLE:
        return sum(squares, Fraction(0))
    noise = limit**2 * max(squares)
    return len(squares) * min(s for s in squares if s > noise)


def _float_violation(array: Array, blocks: Sequence[Sequence[Single]]) -> float:
    """Computes G in floats."""
    total = 0.0
    for k in range(3):
        moved = np.zeros_like(array)
        for axis, row in enumerate(blocks):
            for place, degree, _ in row:
                if degree:
                    at = (slice(None),) * axis + (place,)
                    moved[at] += np.moveaxis(
                        np.tensordot(_float_generators(degree)[k], array[at], (1, axis)), 0, axis
                    )
        total += float(np.sum(moved * moved))
    return total


@cache
def _float_generators(degree: int) -> tuple[Array, ...]:
    """Returns the generators in floats."""
    found = []
    for entries in rotation_generators(degree):
        matrix = np.zeros((2 * degree + 1, 2 * degree + 1))
        for i, j, sign, n in entries:
            matrix[i, j] = sign * math.sqrt(n / 2)
        found.append(matrix)
    return tuple(found)


@cache
def _generators_by_root(degree: int) -> tuple[tuple[tuple[int, Array], ...], ...]:
    """Returns the generators as ``sum_s sqrt(s) B_s / 2``: pairs (s, B_s)."""
    found = []
    for entries in rotation_generators(degree):
        parts: dict[int, Array] = {}
        for i, j, sign, n in entries:
            root = next(r for r in range(math.isqrt(2 * n), 0, -1) if 2 * n % (r * r) == 0)
            empty = np.zeros((2 * degree + 1, 2 * degree + 1), dtype=object)
            parts.setdefault(2 * n // root**2, empty)[i, j] = sign * root
        found.append(tuple(parts.items()))
    return tuple(found)
