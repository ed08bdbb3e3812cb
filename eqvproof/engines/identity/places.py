"""Atoms with indices put in their places: made anew, or simplified, where that can be done."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.engines.identity import canonical_atoms, constant_atoms, maps
from eqvproof.engines.identity import coefficients as co
from eqvproof.engines.identity.index_functions import NONE, Slot, affine, compose, linear
from eqvproof.engines.identity.table import Table
from eqvproof.engines.identity.terms import Head, Term, Work
from eqvproof.program import Size


def resolve(table: Table, work: Work, head: int, slots: tuple[Slot, ...]) -> list[Term]:
    """An atom whose shared slots are distinct labels, simplified where its own slots allow it."""
    found = table.heads[head]
    if found.kind == "concat":
        inside = _part(table, work, found, slots[-1])
        if inside is not None:
            operand, start = inside
            slot = compose(slots[-1], (affine(-start, 1),))
            return table.instantiate(work, operand, [*slots[:-1], slot])
    if not found.operands:
        simpler = constant_atoms.resolve(table, work, head, slots)
        if simpler is not None:
            return simpler
    return [Term(co.ONE, ((head, slots),))]


def remake(table: Table, work: Work, head: Head, slots: tuple[Slot, ...]) -> list[Term]:
    """A head whose shared slots are no distinct labels: its operands take the slots, and it is built anew."""
    shared = slots[: head.shared]
    labels = list(dict.fromkeys(label for label, _ in shared if label != NONE))
    sizes = tuple(work.sizes[label] for label in labels)
    new = [(labels.index(label) if label != NONE else NONE, path) for label, path in shared]
    operands = []
    for operand in head.operands:
        inner = table.forms[operand].sizes[head.shared :]
        places = (*new, *((len(labels) + i, ()) for i in range(len(inner))))
        operands.append(table.remap(operand, places, (*sizes, *inner)))
    form = construct(table, head, operands, len(labels))
    return table.instantiate(work, form, [*((label, ()) for label in labels), *slots[head.shared :]])


def construct(table: Table, head: Head, operands: Sequence[int], shared: int) -> int:
    """The form of a head of the same kind with other operands, which have `shared` shared axes."""
    if head.kind == "map":
        return maps.elementwise(table, str(head.data[0]), operands)
    if head.kind == "reduce":
        return canonical_atoms.extremum(table, str(head.data[0]), operands[0], shared)
    if head.kind == "concat":
        return canonical_atoms.joined(table, operands)
    if head.kind == "cell":
        return canonical_atoms.cell(table, operands[0])
    if head.kind == "sort":
        return canonical_atoms.ascending(table, operands[0])
    return canonical_atoms.matrix(table, head.kind, operands[0])


def _part(table: Table, work: Work, head: Head, slot: Slot) -> tuple[int, Size] | None:
    """The part in which a slot stays at all sizes, and where the part begins; None where none is known."""
    index = linear(slot)
    if index is None:
        return None
    start, step = index
    last = start + (work.sizes[slot[0]] - 1) * step if step else start
    low, high = (start, last) if step >= 0 else (last, start)
    begin = Size.of(0)
    for operand in head.operands:
        end = begin + table.forms[operand].sizes[-1]
        if (low - begin).is_at_least(0) and (end - 1 - high).is_at_least(0):
            return operand, begin
        begin = end
    return None
