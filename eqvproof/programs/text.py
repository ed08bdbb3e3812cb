"""Formulas for the values of a Program, in plain characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eqvproof.programs.program import Program


def value_names(program: Program) -> list[str]:
    """Returns a name for every node: inputs keep theirs, then v1, v2, ...; the result is y."""
    taken = {name for name, _ in program.inputs}
    names: list[str] = []
    count = 0
    for i, node in enumerate(program.nodes):
        if node.label is not None:
            names.append(node.label)
            continue
        name = "y" if i == program.output else ""
        while not name or name in taken:
            count += 1
            name = f"v{count}"
        names.append(name)
    return names


def expression(program: Program, number: int, names: Sequence[str]) -> str:
    """Writes the formula of a node, with the names of its arguments."""
    node = program.nodes[number]
    shapes = [program.nodes[a].shape for a in node.args]
    return node.formula(names[number], [names[a] for a in node.args], shapes)
