"""Proof for all sizes: how each group factor acts on every value of a Program.

A claim under a product of groups is the claim under each factor, so each factor is proved alone. For one
factor the types of every node are inferred from the types of its arguments by the rule of its operation; a
node may have several (an identity matrix is invariant both as a constant and as ``Q I Q^T``). The claim is
proved when the output has the claimed type for every factor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from eqvproof.errors import EqvproofError
from eqvproof.groups import Factor, Group
from eqvproof.program import Program, Size, ops
from eqvproof.rules import KINDS, RULES, Context, Stuck, Type
from eqvproof.rules.acts import act_text, act_to_json, is_instance
from eqvproof.rules.claim import axis_act
from eqvproof.signature import Axis, Signature

#: At most so many combinations of argument types are tried at a node.
MOST_COMBINATIONS = 256
#: At most so many types are kept for a node.
MOST_TYPES = 16


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a proof: a node has a type, because the nodes of earlier lines have theirs."""

    node: int
    type: Type
    premises: tuple[int, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class FactorProof:
    """The proof for one factor of the group."""

    factor: Factor
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof of an equivariance claim for all sizes."""

    factors: tuple[FactorProof, ...]

    def to_json(self) -> dict[str, Any]:
        """The evidence of a certificate of kind "proof"."""
        return {
            "factors": [
                {
                    "family": p.factor.family,
                    "axis": p.factor.axis,
                    "lines": [
                        {
                            "node": line.node,
                            "type": [act_to_json(a) for a in line.type],
                            "from": list(line.premises),
                        }
                        for line in p.lines
                    ],
                }
                for p in self.factors
            ]
        }


@dataclass(frozen=True, slots=True)
class Gap:
    """Where a proof stops.

    Attributes:
        factor: the group factor.
        node: the first operation whose arguments have types and which has none; the output node when it
            has a type, but not the claimed one.
        reason: which condition fails.
    """

    factor: Factor
    node: int
    reason: str


def infer_equivariance(
    program: Program, signature: Signature, group: Group, pins: Mapping[str, int]
) -> Proof | Gap:
    """A proof that the program is equivariant as claimed, for all sizes, or the place where it stops.

    Args:
        program: the function; sizes in ``pins`` are numbers in it.
        signature: the claimed typing.
        group: the claimed group.
        pins: axis names that are numbers in the program.
    """
    proofs = []
    for factor in group.factors:
        found = _factor(program, signature, factor, pins)
        if isinstance(found, Gap):
            return found
        proofs.append(found)
    return Proof(tuple(proofs))


def _factor(
    program: Program, signature: Signature, factor: Factor, pins: Mapping[str, int]
) -> FactorProof | Gap:
    kind = KINDS.get(factor.family)
    if kind is None:
        return Gap(factor, program.output, f"there are no rules for {factor.family}({factor.axis}) yet")
    size = Size.of(factor.axis if isinstance(factor.axis, int) else pins.get(factor.axis, factor.axis))
    context = Context(kind, factor.family, factor.axis, size, program.nodes, pins)
    for argument in signature.inputs:
        if argument.indexes is not None and argument.indexes == factor.axis:
            return Gap(
                factor, 0, f"the entries of {argument.name} index an axis that the group moves: no rule yet"
            )
    inputs = {
        argument.name: claimed_type(argument.axes, shape, factor, pins)
        for argument, (_, shape) in zip(signature.inputs, program.inputs, strict=True)
    }
    table: list[dict[Type, tuple[Type, ...]]] = []
    for number, node in enumerate(program.nodes):
        if isinstance(node, ops.Input):
            table.append({inputs[node.name]: ()})
            continue
        try:
            table.append(_types(node, table, context))
        except Stuck as stuck:
            return Gap(factor, number, str(stuck))
    claimed = claimed_type(signature.output, program.shape, factor, pins)
    for derived in table[program.output]:
        if all(is_instance(a, c, kind) for a, c in zip(derived, claimed, strict=True)):
            return FactorProof(factor, _lines(program, table, derived))
    symbol = group_symbol(factor)
    have = " or ".join("(" + ", ".join(act_text(a, symbol) for a in t) + ")" for t in table[program.output])
    want = ", ".join(act_text(a, symbol) for a in claimed)
    return Gap(factor, program.output, f"the result has axes acted upon as {have}, claimed ({want})")


def _types(
    node: ops.Op, table: Sequence[Mapping[Type, object]], context: Context
) -> dict[Type, tuple[Type, ...]]:
    rule, _ = RULES[type(node)]
    found: dict[Type, tuple[Type, ...]] = {}
    first: Stuck | None = None
    distinct = list(dict.fromkeys(node.args))
    for choice in islice(product(*(table[a] for a in distinct)), MOST_COMBINATIONS):
        chosen = dict(zip(distinct, choice, strict=True))
        args = [chosen[a] for a in node.args]
        try:
            for result in rule(node, args, context):
                found.setdefault(result, tuple(args))
        except Stuck as stuck:
            first = first or stuck
        if len(found) >= MOST_TYPES:
            break
    if not found:
        raise first or Stuck("no rule applies")
    return found


def _lines(
    program: Program, table: Sequence[Mapping[Type, tuple[Type, ...]]], final: Type
) -> tuple[Line, ...]:
    """The lines that the final type rests on, each after its premises."""
    needed: set[tuple[int, Type]] = set()
    stack = [(program.output, final)]
    while stack:
        pair = stack.pop()
        if pair in needed:
            continue
        needed.add(pair)
        node, derived = pair
        stack.extend(zip(program.nodes[node].args, table[node][derived], strict=True))
    ordered = sorted(needed, key=lambda pair: pair[0])
    ordered.remove((program.output, final))
    ordered.append((program.output, final))
    number = {pair: i for i, pair in enumerate(ordered)}
    lines = []
    for node, derived in ordered:
        op = program.nodes[node]
        premises = zip(op.args, table[node][derived], strict=True)
        rule = "assumption" if isinstance(op, ops.Input) else RULES[type(op)][1]
        lines.append(Line(node, derived, tuple(number[p] for p in premises), rule))
    return tuple(lines)


def claimed_type(axes: Sequence[Axis], shape: ops.Shape, factor: Factor, pins: Mapping[str, int]) -> Type:
    """The type that a claim gives to an input or to the output."""
    if len(axes) != len(shape):
        raise EqvproofError(
            "a value has another number of axes than the signature says",
            given=str(len(shape)),
            expected=str(len(axes)),
        )
    return tuple(
        axis_act([t.to_json() for t in axis.terms], factor.axis, size, pins)
        for axis, size in zip(axes, shape, strict=True)
    )


def group_symbol(factor: Factor) -> str:
    """The letter for the matrix of a group element."""
    return {"O": "Q", "SO": "R", "Signs": "D"}.get(factor.family, "P")
