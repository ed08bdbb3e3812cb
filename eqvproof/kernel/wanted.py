"""Finds which entries of each node are needed for some entries of a program's value.

No others are computed.

An entry of an entrywise function, or of a sum of arrays, depends on the same entries of its
arguments; an entry of a reshaped array is the entry in the same place in row-major order; one that
is read or joined is one entry of one argument; an entry of a sum of products depends on those at
the same labels, for each choice of the labels that are summed over. For all other operations every
entry is taken to depend on all entries, and constant nodes are computed whole, so that they may be
shared between points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .evaluate import PARTS, Wanted
from .program import Node, Program
from .report import spend
from .rules.leaves import INPUT
from .sizes import as_integers


def wanted(program: Program, places: Sequence[int] | None) -> Wanted | None:
    """Returns the places that are needed of each node, for these places of the value.

    None stands for all places.
    """
    if places is None:
        return None
    nodes, shapes = program.nodes, [as_integers(n.shape) for n in program.nodes]
    found: list[set[int] | None] = [set() for _ in nodes]
    found[program.output] = set(places)
    is_fixed: list[bool] = []
    for node in nodes:
        is_fixed.append(node.op != INPUT and all(is_fixed[a] for a in node.args))
    for i in reversed(range(len(nodes))):
        node, own = nodes[i], found[i]
        if is_fixed[i] or node.op == INPUT:
            found[i] = None
            continue
        if own is None:
            parts = None
        else:
            parts = _argument_places(node, shapes[i], [shapes[a] for a in node.args], own)
        for k, a in enumerate(node.args):
            known = found[a]
            if known is None or parts is None:
                found[a] = None
            else:
                found[a] = known.union(parts[k])
    return [None if own is None else sorted(own) for own in found]


def _argument_places(
    node: Node, shape: tuple[int, ...], shapes: Sequence[tuple[int, ...]], places: set[int]
) -> list[Iterable[int]] | None:
    """Returns the needed places of each argument; None where all places of all are needed."""
    spend(4 + len(places) * (1 + len(shapes)) // 4)
    if node.op in PARTS:
        return PARTS[node.op](node, shape, shapes, places)
    return None
