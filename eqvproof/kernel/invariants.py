"""Constants that a group keeps: C = chi(g)^power g C, where g acts along some axes of C.

The entries are rational numbers and the size of the group is a number, so this is computed. An axis
may be several parts, one after another: C is kept where each of its blocks is, which are the parts
of C that have one part of each axis.

The elements with that property are a group, and it is an identity of rational functions of g: so it
is enough that it holds of elements that generate the group with its connected part, and that C is
killed by ``A + power tr(A)`` for matrices A whose brackets span the Lie algebra (`generators`);
along dual axes A acts by -A^T. Where all determinants are 1, ``A - tr(A) / n`` takes the place of
A: these span what has trace 0, and 1 multiplies C by the number of axes, less those that are dual.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from . import generators
from .checker import DUAL, FIX, STD, WITHOUT_CHARACTER, Axes, Det, Irr, Kind, Prod, RType
from .claimed_types import checked_family
from .claims import Factor
from .exact import paid, sum_of_products
from .loading import part
from .membership import has_determinants_one, is_even, rational_determinant
from .report import spend
from .sizes import Size

Number = Fraction | int


@dataclass(frozen=True, slots=True)
class Constant:
    """Numbers in row-major order, with the axes on which g acts.

    Attributes:
        values: the numbers.
        size: that of the axes on which g acts.
        strides: how far apart the entries of such an axis are, for each of them.
        ways: 1 for each such axis on which g acts by its standard matrix, -1 for the inverse
            transpose.
    """

    values: Sequence[Fraction]
    size: int
    strides: tuple[int, ...]
    ways: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a table, not all 0: its numbers in row-major order, and its axes.

    Attributes:
        values: the numbers.
        axes: of each axis its kind, without determinants, and its size; an axis of the table that
            is two in one is two axes.
        determinants: the number of determinants that multiply it.
    """

    values: Sequence[Fraction]
    axes: tuple[tuple[Kind, int], ...]
    determinants: int


def distance_to_kept(
    factor: Factor, size: Size, values: Sequence[Fraction], lengths: Sequence[int], stated: RType,
    *, exact: bool,
) -> Fraction | None:  # fmt: skip
    """Returns a bound of the squared distance from a table to one that a group keeps, or None.

    It is 0 where the group keeps the table itself, as it must where `exact`. Only of tables that
    rotations of space keep is it seen that there is one nearby.

    Args:
        factor: the factor of the group.
        size: the size of its matrices.
        values: the numbers of the table.
        lengths: its shape.
        stated: how the group acts along its axes, and the power of the character.
        exact: whether it must be the table itself.
    """
    axes, power = stated
    own = size.constant
    blocks = _blocks(values, lengths, axes)
    if own is None or blocks is None:
        return None
    has_character = checked_family(factor) not in WITHOUT_CHARACTER
    if factor.about.irreps and own == 3:
        parity = power if has_character else None
        found: Fraction | None = part("irreps").distance_to_kept(
            values, blocks, parity, exact=exact
        )
        return found
    if not has_character:
        power = 0
    special = factor.about.special
    if factor.generators:
        special = has_determinants_one(factor)
    if all(_is_kept(factor, own, block, power, special=special) for block in blocks):
        return Fraction(0)
    return None


def _is_kept(factor: Factor, size: int, block: Block, power: int, *, special: bool) -> bool:
    """Checks whether a group keeps a block."""
    kinds = {FIX: 0, STD: 1}
    if factor.kind == "lin":
        kinds[DUAL] = -1
    strides, ways = list[int](), list[int]()
    for k, (kind, length) in enumerate(block.axes):
        if not isinstance(kind, str) or kind not in kinds or (kind != FIX and length != size):
            return False
        if kind != FIX:
            strides.append(prod(n for _, n in block.axes[k + 1 :]))
            ways.append(kinds[kind])
    if block.determinants and factor.kind != "orth":
        return False
    constant = Constant(block.values, size, tuple(strides), tuple(ways))
    return keeps(factor, constant, power + block.determinants, special=special)


def _blocks(
    values: Sequence[Fraction], lengths: Sequence[int], axes: Axes
) -> Sequence[Block] | None:
    """Returns the blocks of a table that are not all 0; None where the parts do not fill an axis."""
    if len(lengths) != len(axes) or prod(lengths) != len(values):
        return None
    split = list[list[tuple[int, int, list[tuple[Kind, int]], int]]]()
    for length, axis in zip(lengths, axes, strict=True):
        found, start = list[tuple[int, int, list[tuple[Kind, int]], int]](), 0
        for kind, part_size in axis or ((FIX, Size.of(length)),):
            flat = _factors(kind, part_size)
            if flat is None:
                return None
            found.append((start, part_size.number, *flat))
            start += part_size.number
        if start != length:
            return None
        split.append(found)
    return [*_cut(values, lengths, split)]


def _cut(
    values: Sequence[Fraction], lengths: Sequence[int],
    split: Sequence[Sequence[tuple[int, int, list[tuple[Kind, int]], int]]],
) -> Iterator[Block]:  # fmt: skip
    """Yields the blocks that are not all 0, for the parts of each axis: start, size, factors."""
    strides = [prod(lengths[k + 1 :]) for k in range(len(lengths))]
    spend(len(values) * len(lengths))
    for chosen in product(*split):
        places = [0]
        for (start, size, _, _), stride in zip(chosen, strides, strict=True):
            places = [at + k * stride for at in places for k in range(start, start + size)]
        own = [values[at] for at in places]
        if any(own):
            axes = tuple(axis for _, _, factors, _ in chosen for axis in factors)
            yield Block(own, axes, sum(count for *_, count in chosen))


def _factors(kind: Kind, size: Size) -> tuple[list[tuple[Kind, int]], int] | None:
    """Returns the factors of a part with their sizes, and how many determinants multiply it.

    None where a size is no positive number, or not that of the factors.
    """
    match kind:
        case Det(inner):
            found = _factors(inner, size)
            if found is None:
                return None
            return found[0], found[1] + 1
        case Prod(first, first_size, second, second_size):
            one, other = _factors(first, first_size), _factors(second, second_size)
            if one is None or other is None or size != first_size * second_size:
                return None
            return [*one[0], *other[0]], one[1] + other[1]
    if not size.constant or size.number < 1:
        return None
    if isinstance(kind, Irr) and size.number != 2 * kind.number + 1:
        return None
    return [(kind, size.number)], 0


def keeps(factor: Factor, c: Constant, power: int, *, special: bool) -> bool:
    """Checks whether C = chi(g)^power g C for all g of the group; if `special`, chi is 1.

    For listed matrices that need not be orthogonal, all invertible matrices must keep C.
    """
    about, listed = factor.about, factor.generators
    spend(len(c.values) * len(c.strides) * (1 + c.size))
    if about.form and generators.bilinear_form(about, c.size) is None:
        return False
    if listed and factor.kind == "orth":
        spend(len(listed) * len(c.values) * len(c.strides) * c.size)
        chis = [rational_determinant(g) if power % 2 else 1 for g in listed]
        rows = ([[*enumerate(row)] for row in g] for g in listed)
        return all(_is_kept_by(g, c, chi) for g, chi in zip(rows, chis, strict=True))
    if factor.kind == "perm":
        moves = [(list(g), [1] * len(g)) for g in listed]
    else:
        moves = []
    for order, signs in moves + generators.others(about, c.size):
        minus = signs.count(-1) + (not is_even(order))  # chi = (-1)^minus
        rows_ = [[pair] for pair in zip(order, signs, strict=True)]
        if not _is_kept_by(rows_, c, (-1) ** (power % 2 * minus)):
            return False
    algebra = generators.algebra(about, c.size)
    if algebra is None:
        return factor.kind in ("perm", "sign")
    if special:
        times = Fraction(-sum(c.ways), c.size)
    else:
        times = Fraction(power)
    return all(_is_killed(c, a, times) for a in algebra)


def _is_kept_by(g: Sequence[Sequence[tuple[int, Number]]], c: Constant, times: Number) -> bool:
    """Checks whether C = times g C, with (g x)[i] the sum of y x[k] over the (k, y) in row i."""
    moved = list(c.values)
    for stride in c.strides:
        places = [(j, j // stride % c.size) for j in range(len(moved))]
        moved = [
            sum_of_products((y, moved[j + (k - at) * stride]) for k, y in g[at]) for j, at in places
        ]
    return list(c.values) == [times * v for v in moved]


def _is_killed(c: Constant, a: generators.Matrix, power: Fraction) -> bool:
    """Checks whether an element A of the Lie algebra kills C with this power.

    ``power tr(A) C``, with A (way 1) or -A^T (way -1) applied along each axis, must add up to 0.
    """
    there = [(j, value) for j, value in enumerate(c.values) if value]
    spend(len(c.values) // 8 + len(there) * len(c.strides) * len(a) // 2)
    trace = power * sum(entry for row, column, entry in a if row == column)
    total: dict[int, Fraction] = {}
    if trace:
        total = {j: trace * value for j, value in there}
    for stride, way in zip(c.strides, c.ways, strict=True):
        for row, column, entry in a:
            to, source = (row, column) if way == 1 else (column, row)
            for j, value in there:
                if j // stride % c.size == source:
                    at = j + (to - source) * stride
                    total[at] = paid(total.get(at, Fraction(0)) + way * entry * value)
    return not any(total.values())
