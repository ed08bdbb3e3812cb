"""Proofs for all sizes: types that say how each group factor acts on every value of a Program.

A claim under a product of groups is the claim under each factor, so each factor is proved alone.
For one factor the types of every node are inferred from the types of its arguments by the rule of
its operation; a node may have several (an identity matrix is invariant both as a constant and as
``Q I Q^T``). The claim is proved when the output has the claimed type for every factor.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from eqvproof.claims.groups import Factor, Group
from eqvproof.claims.groups.written import is_of_flips
from eqvproof.claims.signature import Axis, Signature
from eqvproof.engines.identity import IdentityProof
from eqvproof.engines.verdict.scope import Reading
from eqvproof.programs import Program, Size
from eqvproof.programs.operations import Operation, Shape
from eqvproof.programs.rules import Context, Stuck, Type, Typed
from eqvproof.programs.rules.acts import (
    act_size,
    act_text,
    act_to_json,
    is_fixed,
    is_instance,
    is_spatial,
    normalise_twists,
    parts_of,
)
from eqvproof.programs.rules.acts import std as moved
from eqvproof.programs.rules.claim import axis_act
from eqvproof.support.context_values import uncollected
from eqvproof.support.errors import EqvproofError

if TYPE_CHECKING:
    from eqvproof.engines.affine_types import MoveRules
    from eqvproof.engines.cancelling_signs import Flips, Shown
    from eqvproof.engines.independence import IndependenceProof
    from eqvproof.programs.rules.tables import Distance

#: Largest number of combinations of argument types that are tried at a node.
MOST_COMBINATIONS = 256
#: Axis of the factor that flips signs of eigenvectors.
FLIPPED = "the eigenvectors"
USED_AS_NUMBERS = "positions of an axis that the group moves are used as numbers"
#: Text of a reading: the table that replaces a nearly invariant one.
INVARIANT = "the table next to it that the group keeps"
#: Largest number of types that are stored for a node.
MOST_TYPES = 16


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a proof: a node has a type, because the nodes of earlier lines have theirs.

    These nodes are its arguments; for a type by normal forms (`engines.cancelling_signs`), other
    nodes.
    """

    node: int
    type: Any
    premises: tuple[int, ...]
    rule: str
    odd: int = 0
    shown: Shown | None = None


@dataclass(frozen=True, slots=True)
class FactorProof:
    """A proof for one factor of the group.

    Attributes:
        factor: the factor.
        lines: typed lines.
        forms: in place of lines, that both sides have equal normal forms, or that the result does
            not depend on what the factor moves.
    """

    factor: Factor
    lines: tuple[Line, ...]
    forms: IdentityProof | IndependenceProof | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof of an equivariance claim for all sizes.

    Attributes:
        factors: the proof for each factor of the group.
        signs: proofs that the signs of eigenvectors do not matter, by the node that holds them.
    """

    factors: tuple[FactorProof, ...]
    signs: Mapping[int, FactorProof] = field(default_factory=dict)

    def has_several_types(self) -> bool:
        """Checks whether some value has several types for one factor."""
        typed = (own.lines for own in self.factors)
        return any(len({line.node for line in lines}) < len(lines) for lines in typed)

    def to_json(self) -> dict[str, Any]:
        """Returns the evidence of a certificate of kind "proof"."""
        found = {
            "factors": [
                {
                    "family": p.factor.family,
                    "axis": p.factor.axis,
                    **({"way": p.forms.way()} if p.forms else _lines_to_json(p)),
                }
                for p in self.factors
            ]
        }
        signs = [
            {"family": p.factor.family, "axis": k, **_lines_to_json(p)}
            for k, p in self.signs.items()
        ]
        return found | ({"signs": signs} if signs else {})


def _lines_to_json(proof: FactorProof) -> dict[str, Any]:
    """Returns lines as ``[type, node, premise, ...]``, with a list of their distinct types.

    A type is listed with the power of the determinant.
    """
    types: dict[str, int] = {}
    lines = []
    for line in proof.lines:
        type_ = json.dumps([type_to_json(line.type, proof.factor), int(line.odd)])
        lines.append([types.setdefault(type_, len(types)), line.node, *line.premises])
    shown = [line.shown.to_json(k) for k, line in enumerate(proof.lines) if line.shown is not None]
    found = {"types": [json.loads(t) for t in types], "lines": lines}
    return found | ({"shown": shown} if shown else {})


def invariant_tables(program: Program, proof: Proof) -> dict[int, Reading]:
    """Returns the readings of tables as nearby invariant ones, by node, the farthest first."""
    found: dict[tuple[int, Any], Distance | None] = {}
    for part in proof.factors:
        if not part.factor.kind.rotates or part.factor.generators:
            continue
        for line in part.lines:
            array = program.nodes[line.node].constant
            if array is not None and any(
                not is_fixed(act) and is_spatial(act) for act in line.type
            ):
                from eqvproof.programs.rules.tables import distance

                found[line.node, line.type] = distance(array, line.type)
    read = dict[int, Reading]()
    known = [(node, far) for (node, _), far in found.items() if far is not None]
    for node, far in sorted(known, key=lambda pair: -pair[1].relative):
        entries = math.prod(s.constant or 0 for s in program.nodes[node].shape)
        read.setdefault(node, Reading(f"a table {far.degrees}", INVARIANT, far.absolute, entries))
    return read


@dataclass(frozen=True, slots=True)
class Gap:
    """The place and the reason why a proof stops.

    Attributes:
        factor: the group factor.
        node: the first operation whose arguments have types and which has none; the output node
            if it has a type, but not the claimed one.
        reason: the condition that fails.
        remark: what else may be the cause.
    """

    factor: Factor
    node: int
    reason: str
    remark: str = ""


def infer_equivariance(
    program: Program, signature: Signature, group: Group, pins: Mapping[str, int], *, bits: int = 0
) -> Proof | Gap:
    """Infers a proof that a Program is equivariant as claimed, for all sizes; or returns the gap.

    Args:
        program: the function; sizes in ``pins`` are numbers in it.
        signature: the claimed typing.
        group: the claimed group.
        pins: axis names that are numbers in the program.
        bits: those of the shortest floats to which constants may be rounded (`rules.tables`); 0 if
            constants are read as they are stored.
    """
    proofs = []
    # types form no cycles, and repeated passes of the collector are not of linear cost
    with uncollected():
        for factor in parts(group):
            found = _factor(program, signature, factor, pins, bits=bits)
            if isinstance(found, FactorProof) and factor.each:
                count = Size.of(pins.get(factor.each, factor.each))
                found = _for_each(program, signature, found, count)
            if isinstance(found, Gap) and factor.kind.only_translates:
                found = _without_types(program, signature, found, pins)
            if isinstance(found, Gap):
                return found
            proofs.append(found)
        signs = _signs(program, signature, pins)
    if isinstance(signs, Gap):
        return signs
    proof = Proof(tuple(proofs), signs)
    by_forms = [p.factor for p in proofs if p.forms or signs or any(line.shown for line in p.lines)]
    if by_forms and invariant_tables(program, proof):
        why = "normal forms, and signs of eigenvectors, take numbers as they are, which others read otherwise"
        return Gap(by_forms[0], program.output, why)
    return proof


def parts(group: Group) -> list[Factor]:
    """Returns the factors, with rigid motions split into translations and rotations.

    E(d) is generated by T(d) and O(d), SE(d) by T(d) and SO(d), so a claim under them is both
    claims.
    """
    return [part for factor in group.factors for part in factor.parts]


def move_rules(factor: Factor) -> MoveRules | None:
    """Returns the rules for translations or multiples; None for all other factors."""
    if not factor.kind.only_translates and not factor.kind.multiplies:
        return None
    from eqvproof.engines.affine_types import DEGREES_OF_MULTIPLES, TRANSLATIONS

    if factor.kind.multiplies:
        return DEGREES_OF_MULTIPLES
    return TRANSLATIONS


def type_to_json(type_: Any, factor: Factor) -> object:
    """Returns the type of a line in the JSON form of certificates."""
    if rules := move_rules(factor):
        return rules.to_json(type_)
    return [act_to_json(a) for a in type_]


def _prove_moves(
    program: Program,
    signature: Signature,
    factor: Factor,
    pins: Mapping[str, int],
    rules: MoveRules,
) -> FactorProof | Gap:
    """Proves the claim for translations or multiples."""
    from eqvproof.engines.affine_types import infer_moves

    found = infer_moves(program, signature, factor, pins, rules)
    if isinstance(found, tuple):
        return Gap(factor, found[0], str(found[1]))
    return FactorProof(
        factor,
        tuple(
            Line(node, type_, premises, program.nodes[node].rule) for node, type_, premises in found
        ),
    )


def _without_types(
    program: Program, signature: Signature, gap: Gap, pins: Mapping[str, int]
) -> FactorProof | Gap:
    """Proves the claim for translations by normal forms or independence; else returns the gap."""
    from eqvproof.engines.translated_forms import translated_forms

    forms = translated_forms(program, signature, gap.factor, pins)
    if isinstance(forms, IdentityProof):
        return FactorProof(gap.factor, (), forms)
    from eqvproof.engines.independence import prove_independence

    independence = prove_independence(program, signature, gap.factor, pins)
    if not isinstance(independence, str):
        return FactorProof(gap.factor, (), independence)
    return replace(gap, remark=independence)


def _signs(
    program: Program, signature: Signature, pins: Mapping[str, int]
) -> dict[int, FactorProof] | Gap:
    """Proves that the signs of eigenvectors do not matter, node by node, or returns a gap."""
    signs = dict[int, FactorProof]()
    for number, node in enumerate(program.nodes):
        if not node.is_up_to_signs:
            continue
        from eqvproof.claims.groups.families.signs import Signs

        flips = Factor(Signs.letter, FLIPPED)
        found = _factor(program, signature, flips, pins, bits=0, flipped=number)
        if isinstance(found, FactorProof) and _lead(program, number) > 1:
            found = _for_each(program, signature, found, node.shape[0], number)
        if isinstance(found, Gap):
            return found
        signs[number] = found
    return signs


def _lead(program: Program, node: int) -> int:
    """Returns the number of axes of eigenvectors before their columns."""
    return len(program.nodes[program.nodes[node].args[0]].shape) - 1


def _for_each(
    program: Program,
    signature: Signature,
    proof: FactorProof,
    count: Size,
    flipped: int | None = None,
) -> FactorProof | Gap:
    """Returns the proof if it also holds for one element per entry of an axis; else the gap."""
    factor, lines = proof.factor, []
    rules = move_rules(factor)
    for line in proof.lines:
        rank = len(program.nodes[line.node].shape)
        if rules is not None:
            # a multiple acts along no axis, a translation perhaps along every one
            known = rules.is_still(line.type), [factor.kind.multiplies] * rank
        else:
            fixed = [is_fixed(act) for act in line.type]
            known = all(fixed) and not line.odd, fixed
        lines.append((line.node, line.premises, *known))
    from eqvproof.engines.elements_per_entry import find_mixed

    node = find_mixed(program, signature, factor, lines, count, flipped)
    why = f"entries of the axis {factor.each} are mixed, each of which has an element of its own"
    if flipped is not None:
        why = "eigenvectors of different matrices are mixed, each of which has signs of its own"
    if node is None:
        return proof
    return Gap(factor, node, why)


def _factor(
    program: Program, signature: Signature, factor: Factor, pins: Mapping[str, int], *, bits: int,
    flipped: int | None = None,
) -> FactorProof | Gap:  # fmt: skip
    """Proves the claim for a factor, or for the signs of the eigenvectors that a node holds."""
    if rules := move_rules(factor):
        return _prove_moves(program, signature, factor, pins, rules)
    context = replace(context_of(program, signature, factor, pins), bits=bits)
    if flipped is not None:
        (count,) = program.nodes[flipped].shape[_lead(program, flipped) :] or (Size.of(1),)
        context = replace(context, size=count, flipped=flipped)
    shapes = dict(program.inputs)
    inputs = {a.name: claimed_type(a.axes, shapes[a.name], factor, pins) for a in signature.inputs}
    flips = None
    if context.kind.flips_signs:
        from eqvproof.engines.cancelling_signs import Flips

        flips = Flips(program, context, inputs)
    table = type_table(program, signature, context, factor, pins, flips)
    if isinstance(table, Gap):
        return table
    if context.is_relabelled(program.output):
        return Gap(
            factor, program.output, "the result is an array of positions, which the group relabels"
        )
    claimed, odd = normalise_twists(claimed_type(signature.output, program.shape, factor, pins), 0)
    for derived in table[program.output]:
        fits = all(
            is_instance(a, c, context.kind) for a, c in zip(derived.acts, claimed, strict=True)
        )
        if fits and derived.odd == odd:
            return FactorProof(
                factor, _lines(program, table, derived, flips.shown if flips else {})
            )
    whole = flips.type_of(program.output, table, Typed(claimed, odd)) if flips else None
    if flips is not None and whole == Typed(claimed, odd):
        return FactorProof(factor, _lines(program, table, whole, flips.shown))
    if is_of_flips(factor.axis):
        changes = "the result changes sign where it should not, or keeps it where it should change"
        return Gap(factor, program.output, changes)
    symbol = factor.record.symbol
    have = " or ".join(
        "(" + ", ".join(act_text(a, symbol) for a in t.acts) + ")" + _weight_text(t.odd, symbol)
        for t in table[program.output]
    )
    want = "(" + ", ".join(act_text(a, symbol) for a in claimed) + ")" + _weight_text(odd, symbol)
    return Gap(
        factor, program.output, f"the result transforms as {have}, but the claim says {want}"
    )


def context_of(
    program: Program, signature: Signature, factor: Factor, pins: Mapping[str, int]
) -> Context:
    """Builds the context that the rules of a factor need for a program."""
    axis = Size.of(
        factor.axis if isinstance(factor.axis, int) else pins.get(factor.axis, factor.axis)
    )
    size = axis * factor.record.reals
    labels = frozenset(
        a.name for a in signature.inputs if a.indexes is not None and a.indexes == factor.axis
    )
    found = Context(
        factor.family, factor.axis, size, program.nodes, pins, labels,
        generators=factor.generators,
    )  # fmt: skip
    if not found.is_spatial:
        return found
    shapes = dict(program.inputs)
    rows = [
        *((a.axes, shapes[a.name]) for a in signature.inputs),
        (signature.output, program.shape),
    ]
    claimed = [claimed_type(*row, factor, pins) for row in rows if len(row[0]) == len(row[1])]
    acts = [
        part for type_ in claimed for act in normalise_twists(type_, 0)[0] for part in parts_of(act)
    ]
    return replace(found, acts=tuple(dict.fromkeys(acts)))


def type_table(
    program: Program,
    signature: Signature,
    context: Context,
    factor: Factor,
    pins: Mapping[str, int],
    flips: Flips | None = None,
) -> list[dict[Typed, tuple[Typed, ...]]] | Gap:
    """Returns the types of each node, each with those of its arguments; or the first gap.

    If a node has no type, identity matrices are tried with the acts of other values, such as
    those of joined ones. With `flips`, nodes without types are skipped, as long as the result has
    one.
    """
    shapes = dict(program.inputs)
    inputs = {a.name: claimed_type(a.axes, shapes[a.name], factor, pins) for a in signature.inputs}
    table, gap = _typed_nodes(program, inputs, context, factor, flips)
    if gap:
        sizes = {node.shape[0] for node in program.nodes if node.unit_axes == (-1, 0)}
    else:
        sizes = set()
    found = (
        (act for types in table for t in types for act in t.acts if not is_fixed(act))
        if sizes
        else ()
    )
    acts = tuple(dict.fromkeys([*context.acts, *(act for act in found if act_size(act) in sizes)]))
    if acts != context.acts:
        table, gap = _typed_nodes(program, inputs, replace(context, acts=acts), factor, flips)
    return gap or table


def _typed_nodes(
    program: Program,
    inputs: Mapping[str, Type],
    context: Context,
    factor: Factor,
    flips: Flips | None,
) -> tuple[list[dict[Typed, tuple[Typed, ...]]], Gap | None]:
    table: list[dict[Typed, tuple[Typed, ...]]] = []
    gap: Gap | None = None
    regrouped = {node.args[0] for node in program.nodes if node.keeps_order}
    for number, node in enumerate(program.nodes):
        _type_zeros([*node.terms, *node.choice[1:]], table, context)
        if node.input_name is not None:
            given = (
                normalise_twists(inputs[node.input_name], 0)
                if context.is_spatial
                else (inputs[node.input_name],)
            )
            table.append({Typed(*given): ()})
            continue
        if not node.unit_axes and any(context.is_relabelled(a) for a in node.args):
            return table, Gap(factor, number, USED_AS_NUMBERS)
        try:
            table.append(_types(node, table, context))
        except Stuck as stuck:
            if flips is None:
                return table, Gap(factor, number, str(stuck))
            found = flips.type_of(number, table)
            if found is None:
                gap = gap or Gap(factor, number, str(stuck))
            table.append({} if found is None else {found: ()})
        if number in regrouped:
            _weaken(table[-1], node.shape, context)
    return table, None if table[program.output] else gap


def _weaken(types: dict[Typed, tuple[Typed, ...]], shape: Shape, context: Context) -> None:
    """Adds types in which axes of equal entries are permuted, for joins with other values."""
    for known, premises in list(types.items()) if context.kind.permutes else ():
        pairs = zip(known.acts, shape, strict=True)
        acts = tuple(
            moved(size) if act is None and size == context.size else act for act, size in pairs
        )
        types.setdefault(Typed(acts, known.odd), premises)


def _type_zeros(
    alike: Sequence[int], table: Sequence[dict[Typed, tuple[Typed, ...]]], context: Context
) -> None:
    """Gives zeros the types of the other values, where a rule requires equal types."""
    zeros = {x for x in alike if _is_zero(x, context)}
    others = {t: None for x in alike if x not in zeros for t in table[x]}
    for x in zeros if context.is_spatial else ():
        premises = next(iter(table[x].values()))
        for type_ in list(others)[:MOST_TYPES]:
            table[x].setdefault(type_, premises)


def _is_zero(x: int, context: Context) -> bool:
    """Checks whether a value is zero, or a product of constants with a zero among them."""
    args = context.nodes[x].args if context.nodes[x].as_product else ()
    return context.is_zero(x) or (
        any(map(context.is_zero, args)) and all(map(context.is_constant, args))
    )


def _types(
    node: Operation, table: Sequence[Mapping[Typed, object]], context: Context
) -> dict[Typed, tuple[Typed, ...]]:
    found: dict[Typed, tuple[Typed, ...]] = {}
    first: Stuck | None = None
    distinct = list(dict.fromkeys(node.args))
    for choice in islice(product(*(table[a] for a in distinct)), MOST_COMBINATIONS):
        chosen = dict(zip(distinct, choice, strict=True))
        args = [chosen[a] for a in node.args]
        try:
            for result in node.typed(args, context):
                if context.is_spatial:
                    result = Typed(*normalise_twists(result.acts, result.odd))
                found.setdefault(result, tuple(args))
        except Stuck as stuck:
            first = first or stuck
        if len(found) >= (1 if node.is_up_to_signs else MOST_TYPES):
            break
    if not found:
        raise first or Stuck("no rule applies")
    return found


def _lines(
    program: Program, table: Sequence[Mapping[Typed, tuple[Typed, ...]]], final: Typed,
    shown: Mapping[tuple[int, Typed], Shown],
) -> tuple[Line, ...]:  # fmt: skip
    """Returns the lines on which the final type depends, each after its premises."""

    def premises_of(node: int, derived: Typed) -> tuple[tuple[int, Typed], ...]:
        if (node, derived) in shown:
            return shown[node, derived].premises
        return tuple(zip(program.nodes[node].args, table[node][derived], strict=True))

    needed: set[tuple[int, Typed]] = set()
    stack = [(program.output, final)]
    while stack:
        pair = stack.pop()
        if pair in needed:
            continue
        needed.add(pair)
        stack.extend(premises_of(*pair))
    ordered = sorted(needed, key=lambda pair: pair[0])
    ordered.remove((program.output, final))
    ordered.append((program.output, final))
    number = {pair: i for i, pair in enumerate(ordered)}
    lines = []
    for node, derived in ordered:
        way = shown.get((node, derived))
        if way is None:
            rule = program.nodes[node].rule
        else:
            rule = "normal forms"
        premises = tuple(number[p] for p in premises_of(node, derived))
        lines.append(Line(node, derived.acts, premises, rule, derived.odd, way))
    return tuple(lines)


def claimed_type(
    axes: Sequence[Axis], shape: Shape, factor: Factor, pins: Mapping[str, int]
) -> Type:
    """Returns the type that a claim gives to an input or to the output."""
    if len(axes) != len(shape):
        raise EqvproofError(
            "a value has another number of axes than the signature says",
            given=str(len(shape)),
            expected=str(len(axes)),
            hint="compare the signature with the shapes",
        )
    return tuple(
        axis_act([t.to_json() for t in axis.terms], factor.axis, size, pins, factor.family)
        for axis, size in zip(axes, shape, strict=True)
    )


def _weight_text(odd: int, symbol: str) -> str:
    if odd:
        return f" times det {symbol}" + (f"^{odd}" if odd not in (0, 1) else "")
    return ""
