"""Splits the features of a formula into groups whose sums fit the registers.

Values that several groups need are computed once, if there is room for them.
"""

from __future__ import annotations

from dataclasses import dataclass

from eqvproof.deepsets.phi.formula import Formula, Tape, used_nodes

_LEAVES = ("column", "const")


@dataclass(frozen=True, slots=True)
class Group:
    """A group of consecutive features, with the columns it reads and the values it keeps.

    Args:
        formula: the formula of the group; its columns are those of phi, then the stored values; its
            outputs are the features, then the values that this group stores.
        first: the index of the first feature.
        features: the number of features.
        reads: the columns that are used.
        keeps: the places of the values that this group stores.
    """

    formula: Formula
    first: int
    features: int
    reads: tuple[int, ...]
    keeps: tuple[int, ...]


def split_groups(formula: Formula, size: int, most_kept: int) -> tuple[Group, ...]:
    """Splits features into groups of at most ``size``, in order.

    A value that several groups need is stored by the first of them and read by the others. At most
    ``most_kept`` values are stored, those that most operations use; the others are computed again.
    """
    nodes, outputs = formula.nodes, formula.outputs
    parts = [outputs[a : a + size] for a in range(0, len(outputs), size)]
    first: dict[int, int] = {}
    used: list[list[int]] = [list(part) for part in parts]
    for h, part in enumerate(parts):
        for n in used_nodes(nodes, part):
            if first.setdefault(n, h) == h:
                used[h].extend(nodes[n].args)
    uses: dict[int, int] = {}
    for h in range(len(parts)):
        for n in used[h]:
            if nodes[n].op not in _LEAVES and first[n] < h:
                uses[n] = uses.get(n, 0) + 1
    kept = sorted(uses, key=lambda n: (-uses[n], n))[:most_kept]
    place = {n: i for i, n in enumerate(sorted(kept))}
    groups = []
    for h, part in enumerate(parts):
        tape, keeps = Tape(formula.columns + len(place)), [n for n in place if first[n] == h]
        earlier = {n for n in place if first[n] < h}
        wanted = [
            *part,
            *(a for n in used_nodes(nodes, (*part, *keeps), earlier) for a in nodes[n].args),
        ]
        known = {n: tape.column(formula.columns + place[n]) for n in wanted if n in earlier}
        written = tape.formula(tape.copy(formula, (*part, *keeps), known))
        reads = sorted({int(node.value) for node in written.nodes if node.op == "column"})
        groups.append(
            Group(written, h * size, len(part), tuple(reads), tuple(place[n] for n in keeps))
        )
    return tuple(groups)
