"""Finding a monomial inside a term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eqvproof.engines.identity.index_functions import FIRST, NONE, Slot, compose
from eqvproof.engines.identity.table import Table
from eqvproof.engines.identity.terms import Atom, Term, Work
from eqvproof.program import Size

#: Attempts at most to match one product with another.
MOST_MATCHES = 2000
#: Stands for one slot that the match finds.
WILD: Slot = (-(10**9), ())


@dataclass(frozen=True, slots=True)
class Match:
    """Where a monomial stands in a term.

    Attributes:
        positions: the positions of its atoms.
        private: the summed labels that only these atoms have.
        wild: the slot that stands for WILD.
    """

    positions: frozenset[int]
    private: frozenset[int]
    wild: Slot = FIRST


def find(
    table: Table,
    work: Work,
    term: Term,
    skip: int,
    mono: Sequence[int],
    slots: Sequence[Slot],
    summed: int | None = None,
    apart: int | None = None,
) -> Match | None:
    """Where a monomial stands in a term, beside the atom at `skip`.

    `slots` are put for the free axes of the monomial. Its summed labels are matched, one to one, with summed
    labels of the term that have the same size; these, and the label `summed` if given, must stand in no other
    atom, not in `slots` (`summed` may), not in `apart`, and not in the slot found for WILD.
    """
    wanted: list[Atom] = []
    sizes: dict[int, Size] = {}
    for c in mono:
        component = table.components[c]
        base = -2 - len(sizes)
        for j, size in enumerate(component.sizes):
            sizes[base - j] = Size(size)
        for head, places in component.atoms:
            put = (
                compose(slots[a], path) if a >= 0 else (a if a == NONE else base + 2 + a, path)
                for a, path in places
            )
            wanted.append((head, tuple(put)))
    budget = [MOST_MATCHES]
    for positions, bound in _matches(table, work, term, wanted, sizes, (skip,), {}, budget):
        chosen = {slot[0] for variable, slot in bound.items() if variable in sizes}
        wild = bound.get(WILD[0], FIRST)
        if len(chosen) < len(sizes) or (WILD in slots and WILD[0] not in bound):
            continue
        others = {
            label for i, (_, places) in enumerate(term.atoms) if i not in positions for label, _ in places
        }
        others |= {label for label, _ in slots if label != summed} | {wild[0], apart}  # type: ignore[arg-type]
        private = frozenset(chosen) | (frozenset() if summed is None else {summed})
        if not private & others and summed not in chosen:
            return Match(frozenset(positions) - {skip}, private, wild)
    return None


def _matches(
    table: Table,
    work: Work,
    term: Term,
    wanted: Sequence[Atom],
    sizes: dict[int, Size],
    taken: tuple[int, ...],
    bound: dict[int, Slot],
    budget: list[int],
) -> Iterator[tuple[tuple[int, ...], dict[int, Slot]]]:
    if not wanted:
        yield taken, bound
        return
    head, pattern = wanted[0]
    for position, (found, slots) in enumerate(term.atoms):
        if found != head or position in taken:
            continue
        for symmetry in table.heads[head].symmetries:
            budget[0] -= 1
            if budget[0] < 0:
                return
            new = _bind(work, term, pattern, [slots[i] for i in symmetry], sizes, bound)
            if new is not None:
                yield from _matches(table, work, term, wanted[1:], sizes, (*taken, position), new, budget)


def _bind(
    work: Work,
    term: Term,
    pattern: Sequence[Slot],
    slots: Sequence[Slot],
    sizes: dict[int, Size],
    bound: dict[int, Slot],
) -> dict[int, Slot] | None:
    new = dict(bound)
    for (variable, wanted), (label, path) in zip(pattern, slots, strict=True):
        if variable == WILD[0]:
            if wanted or new.setdefault(variable, (label, path)) != (label, path):
                return None
        elif wanted != path:
            return None
        elif variable not in sizes:
            if variable != label:
                return None
        elif label not in term.summed or work.sizes[label] != sizes[variable]:
            return None
        elif new.setdefault(variable, (label, ())) != (label, ()):
            return None
    return new
