"""Factors of normal forms without operands: inputs, identity matrices, triangles, counters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import prod
from typing import Any

from . import indices
from .exact import paid
from .indices import FIXED, ONCE, Index, coefficient_of, line
from .normal_forms import Factor, Forms, Head, HeadKind, Labels, Piece, scale_form
from .report import spend
from .sizes import ZERO, Size, as_integers

#: Largest number of entries of an array of numbers that is computed, or of products summed.
MOST_ENTRIES = 4096


def leaf(
    forms: Forms,
    kind: HeadKind,
    data: Any,
    sizes: tuple[Size, ...],
    alike: tuple[tuple[int, ...], ...] = (),
) -> int:
    """Returns the form of a head without operands."""
    rank = tuple(range(len(sizes)))
    head = forms.store_head(Head(kind, data, (), sizes, 0, alike or (rank,), total=True))
    return forms.close(Labels(sizes), [Piece(ONCE, ((head, tuple((a, ()) for a in rank)),))])


def eye(forms: Forms, size: Size) -> int:
    """Returns the form of the identity matrix, which equals its transpose."""
    return leaf(forms, "identity", None, (size, size), ((0, 1), (1, 0)))


def constants(forms: Forms, shape: tuple[int, ...], values: Sequence[Fraction]) -> int:
    """Returns the form of an array of rationals.

    It is the first nonzero entry of the array, times the least of the array's transposes after
    division by that entry.
    """
    spend(20 + 30 * len(values))
    sizes = tuple(Size.of(n) for n in shape)
    if len(set(values)) <= 1:
        value = coefficient_of(next(iter(values), 0))
        return forms.store_form(sizes, {(): value})
    scale = next(v for v in values if v)
    values = [v / scale for v in values]
    square = len(shape) == 2 and shape[0] == shape[1]
    if square and all(v == (i % (shape[0] + 1) == 0) for i, v in enumerate(values)):
        return scale_form(forms, eye(forms, sizes[0]), coefficient_of(scale))
    strides = [prod(shape[a + 1 :]) for a in range(len(shape))]
    listings = []
    orders: Iterable[tuple[int, ...]] = [tuple(range(len(shape)))]
    if len(shape) <= 4:
        orders = permutations(range(len(shape)))
    for order in orders:
        spend(20 * len(values))
        places = product(*(range(shape[a]) for a in order))
        row = tuple(
            values[sum(i * strides[a] for i, a in zip(at, order, strict=True))] for at in places
        )
        listings.append((tuple(shape[a] for a in order), row, order))
    extents, row, first = min(listings)
    alike = tuple(
        tuple(first.index(a) for a in o) for e, r, o in listings if (e, r) == (extents, row)
    )
    head = Head("array", row, (), tuple(Size.of(n) for n in extents), 0, alike, total=True)
    factor = (forms.store_head(head), tuple((a, ()) for a in first))
    return forms.close(Labels(sizes), [Piece(coefficient_of(scale), (factor,))])


def known_entries(
    forms: Forms, labels: Labels, head: Head, row: tuple[Index, ...]
) -> list[Piece] | None:
    """Returns the entries, slices and diagonals of an array of rationals as such an array.

    Returns None where the entries are not known.
    """
    distinct = list(dict.fromkeys(a for a, _ in row if a != FIXED))
    if len(distinct) == len(row) and not any(steps for _, steps in row):
        return None
    shape = _known_lengths(labels, distinct)
    if shape is None:
        return None
    values: list[Fraction] = []
    for point in product(*map(range, shape)):
        spend(5)
        entry = _entry_at(head, row, dict(zip(distinct, point, strict=True)))
        if entry is None:
            return None
        values.append(entry)
    return forms.put(labels, constants(forms, shape, values), [(a, ()) for a in distinct])


def contraction(
    forms: Forms, labels: Labels, factors: Sequence[Factor], label: int
) -> tuple[int, list[int]] | None:
    """Sums products of arrays of rationals over a label; returns the form and its axis labels.

    Returns None where the entries are not known.
    """
    kept = [
        a for a in dict.fromkeys(a for _, row in factors for a, _ in row) if a not in (FIXED, label)
    ]
    shape = _known_lengths(labels, [label, *kept])
    if shape is None:
        return None
    values: list[Fraction] = []
    for point in product(*map(range, shape[1:])):
        value = Fraction(0)
        for i in range(shape[0]):
            spend(10 * len(factors))
            value_of = {**dict(zip(kept, point, strict=True)), label: i}
            entries = [_entry_at(forms.head[h], row, value_of) for h, row in factors]
            if None in entries:
                return None
            value = paid(
                value + prod((entry or Fraction(0) for entry in entries), start=Fraction(1))
            )
        values.append(value)
    return constants(forms, shape[1:], values), kept


def _known_lengths(labels: Labels, axes: Sequence[int]) -> tuple[int, ...] | None:
    """Returns the sizes of axes; None if one is no number, or there are too many entries."""
    sizes = [labels.sizes[a] for a in axes]
    if any(size.constant is None for size in sizes) or prod(as_integers(sizes)) > MOST_ENTRIES:
        return None
    return as_integers(sizes)


def _entry_at(head: Head, row: Sequence[Index], value_of: Mapping[int, int]) -> Fraction | None:
    """Returns the entry of an array of rationals at indices.

    Returns None where an index is not known or out of range.
    """
    flat = 0
    for index, size in zip(row, head.sizes, strict=True):
        reach = line(index)
        if reach is None or (i := reach[0].constant) is None or size.constant is None:
            return None
        if reach[1]:
            i += reach[1] * value_of[index[0]]
        if not 0 <= i < size.constant:
            return None
        flat = flat * size.constant + i
    entry: Fraction = head.data[flat]
    return entry


def triangle(forms: Forms, head: Head, row: tuple[Index, ...]) -> list[Piece] | None:
    """Evaluates T[i, j] = 1 if j <= i + offset, else 0, where j - i is known.

    Returns None where it is not.
    """
    up, across = line(row[0]), line(row[1])
    if up is None or across is None or row[0][0] != row[1][0] or up[1] != across[1]:
        return None
    room = Size.of(head.data) + up[0] - across[0]
    if forms.at_least(room, 0):
        return [Piece(ONCE, ())]
    if forms.at_least(ZERO - room, 1):
        return []
    return None


def counter(forms: Forms, labels: Labels, head: Head, index: Index) -> list[Piece] | None:
    """Returns the terms of a counter at an index: the index itself, start + k i.

    Returns None where nothing can be simplified.
    """
    reach = line(index)
    label, steps = index
    if reach is None or (label != FIXED and not steps and head.sizes == (labels.sizes[label],)):
        return None
    pieces = [Piece(indices.of_size(reach[0]), ())]
    if reach[1]:
        counter = forms.store_head(
            Head("counter", None, (), (labels.sizes[label],), 0, ((0,),), total=True)
        )
        pieces.append(Piece(coefficient_of(reach[1]), ((counter, ((label, ()),)),)))
    return pieces
