"""Programs made again, node by node, with others in place of some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from eqvproof.programs.builder import Builder
from eqvproof.programs.operations import Operation
from eqvproof.programs.program import Program


def copied(
    program: Program,
    instead: Callable[[Builder, int, Operation], int | None] = lambda b, k, op: None,
) -> tuple[Builder, list[int]]:
    """A builder with the nodes of a Program, others in place of some, and the numbers of them in it."""
    b, made = Builder(), list[int]()
    for name, shape in program.inputs:
        b.input(name, shape)
    for k, op in enumerate(program.nodes):
        other = instead(b, k, op)
        made.append(
            b.node(replace(op, args=tuple(made[a] for a in op.args))) if other is None else other
        )
    return b, made
