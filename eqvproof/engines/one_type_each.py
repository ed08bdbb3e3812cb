"""Copies the values of a Program that have several types in a proof, as forms have one type each.

An identity matrix, say, is invariant as a constant, and as Q I Q^T.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from eqvproof.engines.linear_types import FactorProof, Line, Proof
from eqvproof.programs import Program

#: Largest number of copies, for each value of a Program.
MOST_COPIES = 4
#: A node, and for each proof by lines the number of its line.
State = tuple[int, tuple[int, ...]]


def with_one_type_each(program: Program, proof: Proof) -> tuple[Program, Proof]:
    """Returns a Program and its proof with copies of the values that have several types.

    They are as they were where no value has, where copies would be many, and where types follow by
    more than those of the arguments.
    """
    typed = [own for own in proof.factors if own.lines]
    plain = (program, proof)
    if proof.signs or any(line.shown for own in typed for line in own.lines):
        return plain
    if not proof.has_several_types():
        return plain
    states = _states(program, [own.lines for own in typed])
    if len(states) > MOST_COPIES * len(program.nodes):
        return plain
    number = {state: k for k, state in enumerate(sorted(states))}
    used = {state: tuple(number[one] for one in states[state]) for state in number}
    nodes = tuple(replace(program.nodes[state[0]], args=used[state]) for state in number)
    copied = Program(program.inputs, nodes, len(nodes) - 1)
    factors, place = list[FactorProof](), 0
    for own in proof.factors:
        if not own.lines:
            factors.append(own)
            continue
        lines = tuple(
            replace(own.lines[state[1][place]], node=k, premises=used[state])
            for state, k in number.items()
        )
        factors.append(replace(own, lines=lines))
        place += 1
    return copied, Proof(tuple(factors), proof.signs)


def _states(
    program: Program, proofs: Sequence[Sequence[Line]]
) -> Mapping[State, tuple[State, ...]]:
    """Returns each value with the lines about it on which those about the result rest.

    Beside it stand the same of its arguments.
    """
    found = dict[State, tuple[State, ...]]()
    stack: list[State] = [(program.output, tuple(len(lines) - 1 for lines in proofs))]
    while stack:
        state = stack.pop()
        if state in found:
            continue
        node, own = state
        premises = [lines[k].premises for lines, k in zip(proofs, own, strict=True)]
        found[state] = tuple(
            (argument, tuple(line[j] for line in premises))
            for j, argument in enumerate(program.nodes[node].args)
        )
        stack.extend(found[state])
    return found
