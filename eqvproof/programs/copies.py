"""Copies of Programs, node by node, with some nodes replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from eqvproof.programs.builder import Builder
from eqvproof.programs.operations import Operation
from eqvproof.programs.program import Program


def copy_program(
    program: Program,
    instead: Callable[[Builder, int, Operation], int | None] = lambda b, k, op: None,
) -> tuple[Builder, list[int]]:
    """Copies a Program into a new builder, with some nodes replaced.

    Returns the builder, and the number in it of each node of the Program. `instead` returns the new
    number of a node that is replaced, or None.
    """
    b, made = Builder(), list[int]()
    for name, shape in program.inputs:
        b.input(name, shape)
    for k, op in enumerate(program.nodes):
        other = instead(b, k, op)
        if other is None:
            other = b.node(replace(op, args=tuple(made[a] for a in op.args)))
        made.append(other)
    return b, made


def replace_constants(program: Program, constants: Mapping[int, Operation]) -> Program:
    """Returns the Program with these constants in place of those at the same nodes."""
    return replace(program, nodes=tuple(constants.get(k, op) for k, op in enumerate(program.nodes)))
