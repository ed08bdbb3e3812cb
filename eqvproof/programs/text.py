"""Writes the values of a Program as formulas in plain characters, such as ``x.mean(0)``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eqvproof.programs.operations import Operation


def value_names(inputs: Iterable[str], nodes: Sequence[Operation], output: int) -> list[str]:
    """Returns a name for every node: inputs keep theirs, then v1, v2, ...; the result is y."""
    taken = set(inputs)
    names: list[str] = []
    count = 0
    for i, node in enumerate(nodes):
        if node.label is not None:
            names.append(node.label)
            continue
        name = "y" if i == output else ""
        while not name or name in taken:
            count += 1
            name = f"v{count}"
        names.append(name)
    return names


def expression(nodes: Sequence[Operation], number: int, names: Sequence[str]) -> str:
    """Writes the formula of a node, with the names of its arguments."""
    node = nodes[number]
    shapes = [nodes[a].shape for a in node.args]
    return node.formula(names[number], [names[a] for a in node.args], shapes)
