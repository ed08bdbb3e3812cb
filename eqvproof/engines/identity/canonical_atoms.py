"""Atoms made canonical: the axes that an atom shares with its operands are put in one order.

The value of a head does not depend on the order in which its shared axes are listed, nor, for some heads, on
the order of operands (maximum) or of bound axes (max over two axes, the transpose inside det and inv). Of
all these listings the one with the least operands is stored; those with the same operands are its symmetries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, permutations
from itertools import product as choices
from math import factorial, prod

from eqvproof.engines.identity import coefficients as co
from eqvproof.engines.identity.index_functions import FIRST, Slot
from eqvproof.engines.identity.table import Table
from eqvproof.engines.identity.terms import Head, Term, TooLarge, Work
from eqvproof.program import Size

#: Orders of arguments that look alike: six may be, 6! = 720.
MOST_ORDERS = 720

#: operands, the order of the bound axes of each operand, the order of the head's own axes
Variant = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def build(
    table: Table,
    kind: str,
    data: tuple[object, ...],
    variants: Sequence[Variant],
    sizes: tuple[Size, ...],
    own: int = 0,
    *,
    total: bool = True,
) -> int:
    """The form of one atom over axes of the given sizes, the last `own` of which are the head's own.

    The operands have the other axes first, and then bound axes.
    """
    shared = len(sizes) - own
    used = sorted(set().union(*(table.used(o) for o in variants[0][0])) & set(range(shared)))
    best: tuple[int, ...] | None = None
    places: list[tuple[int, ...]] = []
    for operands, bound, own_order in variants:
        for order in _orders(table, used, variants, sizes):
            key = tuple(_relisted(table, o, order, shared, bound) for o in operands)
            place = (*order, *(shared + i for i in own_order))
            if best is None or key < best:
                best, places = key, [place]
            elif key == best and place not in places:
                places.append(place)
    first = places[0]
    symmetries = tuple(tuple(first.index(axis) for axis in place) for place in places)
    operands = best or ()
    defined = total and all(table.is_total(o) for o in operands)
    head = Head(kind, data, operands, tuple(sizes[a] for a in first), len(used), symmetries, defined)
    atom = (table.head(head), tuple((axis, ()) for axis in first))
    return table.close(Work(sizes), [Term(co.ONE, (atom,))])


def _relisted(table: Table, form: int, order: Sequence[int], shared: int, bound: Sequence[int]) -> int:
    sizes = table.forms[form].sizes
    slots: list[Slot] = [FIRST] * len(sizes)
    listed = [*order, *(shared + i for i in bound)] if len(sizes) > shared else list(order)
    for new, old in enumerate(listed):
        slots[old] = (new, ())
    return table.remap(form, tuple(slots), tuple(sizes[old] for old in listed))


def _orders(
    table: Table, axes: Sequence[int], variants: Sequence[Variant], sizes: Sequence[Size]
) -> Iterator[tuple[int, ...]]:
    """The orders of shared axes that may be the least: axes that look different keep a fixed order."""

    def look(axis: int) -> tuple[object, ...]:
        seen = []
        for operand in variants[0][0]:
            for mono, coefficient in table.forms[operand].terms:
                for c in mono:
                    for head, slots in table.components[c].atoms:
                        at = [i for i, (label, _) in enumerate(slots) if label == axis]
                        for i in at:
                            orbit = min(symmetry.index(i) for symmetry in table.heads[head].symmetries)
                            seen.append((head, orbit, slots[i][1], len(mono), coefficient))
        return (sizes[axis].terms, tuple(sorted(seen)))

    looks = {axis: look(axis) for axis in axes}
    cells = [
        list(group) for _, group in groupby(sorted(axes, key=lambda a: looks[a]), key=lambda a: looks[a])
    ]
    if prod(factorial(len(cell)) for cell in cells) > MOST_ORDERS:
        raise TooLarge("a value with too many axes that look alike")
    for parts in choices(*(permutations(cell) for cell in cells)):
        yield tuple(axis for part in parts for axis in part)


def plain(operands: Sequence[int], bound: int = 0, own: int = 0) -> list[Variant]:
    """One listing only."""
    return [(tuple(operands), tuple(range(bound)), tuple(range(own)))]


def cell(table: Table, form: int) -> int:
    """A form as one atom, so that what is built on it stays small; equal forms make equal cells."""
    return build(table, "cell", (), plain([form]), table.forms[form].sizes)


def extremum(table: Table, fn: str, operand: int, shared: int) -> int:
    """max, min or prod over the axes of a form from `shared` on."""
    sizes = table.forms[operand].sizes
    nonempty = all(s.is_at_least(1) for s in sizes[shared:])
    if fn != "prod" and nonempty:
        kept = [a for a in range(shared, len(sizes)) if a in table.used(operand)]
        slots: list[Slot] = [*((a, ()) for a in range(shared)), *[FIRST] * (len(sizes) - shared)]
        for new, a in enumerate(kept, start=shared):
            slots[a] = (new, ())
        sizes = (*sizes[:shared], *(sizes[a] for a in kept))
        operand = table.remap(operand, tuple(slots), sizes)
        if not kept:
            return operand
    bound = range(len(sizes) - shared)
    if len(bound) > 4:
        raise TooLarge("a maximum over more than 4 axes")
    variants: list[Variant] = [((operand,), order, ()) for order in permutations(bound)]
    return build(table, "reduce", (fn,), variants, sizes[:shared], total=fn == "prod" or nonempty)


def joined(table: Table, operands: Sequence[int]) -> int:
    """Forms one after another along their last axis."""
    kept = [o for o in operands if table.forms[o].sizes[-1].terms]
    if len(kept) == 1:
        return kept[0]
    total = Size.of(0)
    for operand in kept or operands:
        total = total + table.forms[operand].sizes[-1]
    sizes = (*table.forms[operands[0]].sizes[:-1], total)
    return build(table, "concat", (), plain(kept or operands, 1, 1), sizes, 1)


def parts(table: Table, head: int) -> list[Size]:
    """The sizes of the parts of a concatenation."""
    return [table.forms[o].sizes[-1] for o in table.heads[head].operands]


def ascending(table: Table, operand: int) -> int:
    """A form sorted along its last axis."""
    sizes = table.forms[operand].sizes
    if len(sizes) - 1 not in table.used(operand):
        return operand
    return build(table, "sort", (), plain([operand], 1, 1), sizes, 1)


def matrix(table: Table, kind: str, operand: int) -> int:
    """The inverse or the determinant over the last two axes."""
    sizes = table.forms[operand].sizes
    if kind == "det":
        return build(table, "det", (), [((operand,), order, ()) for order in ((0, 1), (1, 0))], sizes[:-2])
    variants: list[Variant] = [((operand,), order, order) for order in ((0, 1), (1, 0))]
    return build(table, "inv", (), variants, sizes, 2, total=False)
