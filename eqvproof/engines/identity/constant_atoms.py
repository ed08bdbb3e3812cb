"""Atoms without operands: inputs, constants, identity matrices, triangles, counters."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from math import prod

from eqvproof.engines.identity import coefficients as co
from eqvproof.engines.identity.index_functions import NONE, Slot, linear
from eqvproof.engines.identity.table import Table
from eqvproof.engines.identity.terms import Atom, Head, Term, Work
from eqvproof.program import Size

#: Entries at most of a constant whose parts are compared entry by entry.
MOST_ENTRIES = 4096


def leaf(
    table: Table,
    kind: str,
    data: tuple[object, ...],
    sizes: tuple[Size, ...],
    symmetries: tuple[tuple[int, ...], ...] = (),
) -> int:
    """The form of an atom without operands."""
    rank = len(sizes)
    head = table.head(Head(kind, data, (), sizes, 0, symmetries or (tuple(range(rank)),), total=True))
    return table.close(Work(sizes), [Term(co.ONE, ((head, tuple((a, ()) for a in range(rank))),))])


def identity(table: Table, size: Size) -> int:
    """The form of an identity matrix; it equals its transpose."""
    return leaf(table, "identity", (), (size, size), ((0, 1), (1, 0)))


def constants(table: Table, shape: tuple[int, ...], values: Sequence[Fraction]) -> int:
    """The form of an array of rationals: a number times an array whose first entry not 0 is 1.

    An array of equal entries is a number; identity matrices are recognised; of an array and its transposes
    the least is stored.
    """
    sizes = tuple(Size.of(s) for s in shape)
    if len(set(values)) <= 1:
        return table.constant(co.rational(values[0]) if values else co.ZERO, sizes)
    scale = next(v for v in values if v)
    scaled = tuple(v / scale for v in values)
    if len(shape) == 2 and shape[0] == shape[1]:
        if all(v == (i % (shape[0] + 1) == 0) for i, v in enumerate(scaled)):
            return _scaled(table, identity(table, sizes[0]), scale)
    orders = list(permutations(range(len(shape)))) if len(shape) <= 4 else [tuple(range(len(shape)))]
    listings = [
        (tuple(shape[a] for a in order), _transposed(shape, scaled, order), order) for order in orders
    ]
    new_shape, new_values, first = min(listings)
    symmetries = tuple(
        tuple(first.index(a) for a in order) for s, v, order in listings if (s, v) == (new_shape, new_values)
    )
    new_sizes = tuple(Size.of(s) for s in new_shape)
    head = table.head(Head("const", (new_values,), (), new_sizes, 0, symmetries, total=True))
    atom = (head, tuple((a, ()) for a in first))
    return table.close(Work(sizes), [Term(co.rational(scale), (atom,))])


def _scaled(table: Table, form: int, scale: Fraction) -> int:
    sizes = table.forms[form].sizes
    work = Work(sizes)
    terms = table.instantiate(work, form, [(a, ()) for a in range(len(sizes))])
    factor = co.rational(scale)
    return table.close(work, [Term(co.times(factor, t.coefficient), t.atoms, t.summed) for t in terms])


def _transposed(
    shape: Sequence[int], values: Sequence[Fraction], order: Sequence[int]
) -> tuple[Fraction, ...]:
    strides = [prod(shape[a + 1 :]) for a in range(len(shape))]
    return tuple(
        values[sum(i * strides[a] for i, a in zip(index, order, strict=True))]
        for index in product(*(range(shape[a]) for a in order))
    )


def resolve(table: Table, work: Work, head: int, slots: tuple[Slot, ...]) -> list[Term] | None:
    """A leaf with its slots, simplified; None where there is nothing to do."""
    kind = table.heads[head].kind
    if kind == "const":
        return _constant(table, work, head, slots)
    if kind == "triangle":
        return _triangle(table, head, slots)
    if kind == "iota":
        return _counter(table, work, head, slots[0])
    return None


def _constant(table: Table, work: Work, head: int, slots: tuple[Slot, ...]) -> list[Term] | None:
    """Entries, slices and diagonals of a constant array are constant arrays."""
    labels = list(dict.fromkeys(label for label, _ in slots if label != NONE))
    if len(labels) == len(slots) and not any(path for _, path in slots):
        return None
    lengths = [work.sizes[label].constant for label in labels]
    indices = [linear(slot) for slot in slots]
    found = table.heads[head]
    shape = [s.constant or 0 for s in found.sizes]
    starts = [None if i is None else i[0].constant for i in indices]
    if any(n is None for n in (*lengths, *starts)) or prod(n or 0 for n in lengths) > MOST_ENTRIES:
        return None
    values: list[Fraction] = []
    for index in product(*(range(n or 0) for n in lengths)):
        at = dict(zip(labels, index, strict=True))
        flat = 0
        for (label, _), where, start, extent in zip(slots, indices, starts, shape, strict=True):
            place = (start or 0) + (where[1] * at[label] if where and label != NONE else 0)
            if not 0 <= place < extent:
                return None
            flat = flat * extent + place
        values.append(found.data[0][flat])  # type: ignore[index]
    form = constants(table, tuple(n or 0 for n in lengths), values)
    return table.instantiate(work, form, [(label, ()) for label in labels])


def contracted(table: Table, work: Work, atoms: Sequence[Atom], label: int) -> tuple[int, list[int]] | None:
    """The sum over a label of a product of constant arrays: its form, and the labels of its axes."""
    labels = [a for a in dict.fromkeys(a for _, slots in atoms for a, _ in slots) if a not in (NONE, label)]
    lengths = [work.sizes[a].constant for a in (*labels, label)]
    rows = [[linear(slot) for slot in slots] for _, slots in atoms]
    if any(n is None for n in lengths) or prod(n or 0 for n in lengths) > MOST_ENTRIES:
        return None
    if any(line is None or line[0].constant is None for row in rows for line in row):
        return None
    values: list[Fraction] = []
    *outer, inner = [range(n or 0) for n in lengths]
    for index in product(*outer):
        at = dict(zip(labels, index, strict=True))
        total = Fraction(0)
        for at[label] in inner:
            factor = Fraction(1)
            for (head, slots), row in zip(atoms, rows, strict=True):
                flat = 0
                for (a, _), line, size in zip(slots, row, table.heads[head].sizes, strict=True):
                    start, step = line or (Size.of(0), 0)
                    place = (start.constant or 0) + (step * at[a] if step else 0)
                    if not 0 <= place < (size.constant or 0):
                        return None
                    flat = flat * (size.constant or 0) + place
                factor *= table.heads[head].data[0][flat]  # type: ignore[index]
            total += factor
        values.append(total)
    return constants(table, tuple(len(r) for r in outer), values), labels


def _triangle(table: Table, head: int, slots: tuple[Slot, ...]) -> list[Term] | None:
    """An entry of a triangle of ones whose distance from the diagonal is fixed."""
    row, column = linear(slots[0]), linear(slots[1])
    if row is None or column is None or row[1] != column[1] or slots[0][0] != slots[1][0]:
        return None
    slack = table.heads[head].data[0] - (column[0] - row[0])  # type: ignore[operator]
    if slack.is_at_least(0):
        return [Term(co.ONE, ())]
    return [] if (-slack).is_at_least(1) else None


def _counter(table: Table, work: Work, head: int, slot: Slot) -> list[Term] | None:
    """The index itself: start + step i."""
    label, path = slot
    index = linear(slot)
    if index is None or (label != NONE and not path and table.heads[head].sizes[0] == work.sizes[label]):
        return None
    start, step = index
    terms = [Term(co.of_size(start), ())]
    if step:
        head = table.head(Head("iota", (), (), (work.sizes[label],), 0, ((0,),), total=True))
        terms.append(Term(co.rational(step), ((head, ((label, ()),)),)))
    return terms
