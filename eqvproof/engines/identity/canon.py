"""Canonical monomials: the same whatever the names of summed labels and the order of factors.

Labels are coloured by where they stand, colours are refined until nothing changes, and where labels still
look alike every choice is tried and the least result taken (capped).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from eqvproof.engines.identity.index_functions import NONE, Path
from eqvproof.engines.identity.terms import Atom, Component, Mono, Term, TooLarge, Work

if TYPE_CHECKING:
    from eqvproof.engines.identity.table import Table

#: Orders of equal factors at most; symmetric sums have factorially many.
MOST_CHOICES = 400

Colour = int


def canonical_mono(table: Table, work: Work, term: Term) -> Mono:
    """The stored monomial of a simplified open term: its components, sorted."""
    return tuple(
        sorted(table.component(canonical_component(table, work, c)) for c in split(term.atoms, term.summed))
    )


def split(atoms: Sequence[Atom], summed: frozenset[int]) -> list[list[Atom]]:
    """The atoms in groups that no summed label links."""
    groups: list[tuple[set[int], list[Atom]]] = []
    for atom in atoms:
        labels = {label for label, _ in atom[1] if label in summed}
        linked = [g for g in groups if g[0] & labels]
        groups = [g for g in groups if not g[0] & labels]
        groups.append((labels.union(*(g[0] for g in linked)), [a for g in linked for a in g[1]] + [atom]))
    return [group for _, group in groups]


def canonical_component(table: Table, work: Work, atoms: Sequence[Atom]) -> Component:
    """The stored form of linked atoms.

    Two lists of atoms get the same component exactly when some renaming of summed labels takes one to the
    other, up to the order of atoms and the symmetries of heads: refinement depends on neither, and the least
    of all remaining choices is taken.
    """
    labels = sorted({label for _, slots in atoms for label, _ in slots if _is_summed(work, label)})
    colours = _ranked({label: (work.sizes[label].terms,) for label in labels})
    leaves: list[tuple[tuple[Atom, ...], tuple[int, ...]]] = []
    _search(table, work, atoms, colours, leaves)
    stored, order = min(leaves)
    return Component(tuple(work.sizes[label].terms for label in order), stored)


def _is_summed(work: Work, label: int) -> bool:
    return label != NONE and not work.is_free(label)


def _search(
    table: Table,
    work: Work,
    atoms: Sequence[Atom],
    colours: Mapping[int, Colour],
    leaves: list[tuple[tuple[Atom, ...], tuple[int, ...]]],
) -> None:
    colours = _refine(table, atoms, colours)
    cells: dict[Colour, list[int]] = {}
    for label, colour in colours.items():
        cells.setdefault(colour, []).append(label)
    tied = [colour for colour, cell in sorted(cells.items()) if len(cell) > 1]
    if not tied:
        table.spend()
        if len(leaves) >= MOST_CHOICES:
            raise TooLarge("a product with too many factors that look alike")
        order = tuple(sorted(colours, key=lambda label: colours[label]))
        name = {label: -2 - j for j, label in enumerate(order)}
        stored = (
            (head, _least(table, head, [(name.get(label, label), path) for label, path in slots]))
            for head, slots in atoms
        )
        leaves.append((tuple(sorted(stored)), order))
        return
    for chosen in cells[tied[0]]:
        _search(table, work, atoms, _ranked({x: (c, x != chosen) for x, c in colours.items()}), leaves)


def _refine(table: Table, atoms: Sequence[Atom], colours: Mapping[int, Colour]) -> dict[int, Colour]:
    current = dict(colours)
    while True:
        signatures: dict[int, tuple[object, ...]] = {}
        for label, colour in current.items():
            seen = []
            for head, slots in atoms:
                if any(found == label for found, _ in slots):
                    places = [(_shade(found, current), found == label, path) for found, path in slots]
                    seen.append((head, _least(table, head, places)))
            signatures[label] = (colour, tuple(sorted(seen)))
        new = _ranked(signatures)
        if len(set(new.values())) == len(set(current.values())):
            return new
        current = new


def _shade(label: int, colours: Mapping[int, Colour]) -> tuple[int, int]:
    return (1, colours[label]) if label in colours else (0, label)


def _ranked(signatures: Mapping[int, tuple[object, ...]]) -> dict[int, Colour]:
    rank = {s: i for i, s in enumerate(sorted(set(signatures.values())))}
    return {label: rank[s] for label, s in signatures.items()}


def _least(table: Table, head: int, places: Sequence[tuple[object, ...] | tuple[int, Path]]) -> tuple:  # type: ignore[type-arg]
    """The least order of an atom's slots under the symmetries of its head."""
    return min(tuple(places[i] for i in symmetry) for symmetry in table.heads[head].symmetries)
