"""Checks proofs for all sizes: re-derives every line, and compares the last one with the claim.

Eigenvectors are known up to their signs: let a choice at x be eigenvectors for each node that asks
for some, in the order of nodes. The lines of a factor give a choice at g x for each choice at x, at
which f is g times what it is at x. So f(g x) = g f(x) where f is the same at every choice. That is
proved beside it, by lines for each such node: with V s in the place of its V, for signs s, and its
matrix and all eigenvectors before it as they are, f stays as it is; where V holds those of several
matrices, each has signs of its own. From any choice at x these lead to any other, the first node of
all first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import acts, claims, decode, rules
from . import lines as lines_
from .acts import claimed, fits, normal, proper
from .claims import Axis, Claim, Factor
from .functions import ENTRIES
from .groups import FAMILIES
from .loading import part
from .program import Program
from .report import Rejected, Report, spend
from .rules.base import Setting
from .rules.leaves import INPUT, PARAMETER
from .rules.opaque import OPAQUE, is_unknown
from .shapes import check_shapes
from .sizes import ONE, ZERO, Size
from .text import fields, items
from .words import group_words, scope_words, signature_words

#: The family whose elements flip the signs of eigenvectors.
SIGNS = next(name for name, family in FAMILIES.items() if family.kind == "sign")


@dataclass(frozen=True, slots=True)
class Proof:
    """The content of a proof certificate: a claim, a program, and the lines for each factor.

    Attributes:
        program: the program, with the read numbers in place of the stored ones.
        readings: the constants that are read as other numbers, see `readings`.
        farthest: the greatest distance between a stored number and the number it is read as.
        signs: the lines of the proofs that the signs of eigenvectors do not matter, by node.
    """

    claim: Claim
    program: Program
    readings: Mapping[int, Any]
    farthest: Fraction
    bound: dict[str, Size]
    factors: list[tuple[Factor, lines_.Lines]]
    signs: dict[int, lines_.Lines]


def read_proof(content: dict[str, Any]) -> Proof:
    """Reads the proof of a certificate, before any rule is applied.

    Raises:
        Rejected: it is malformed, some node has no shape for all sizes in scope, or lines are about
            other nodes.
    """
    claim, program, evidence = fields(content, "$", "claim", "program", "evidence")
    what = claims.claim(claim, "equivariance", each=True, points=True)
    graph = decode.program(program, "$.program", what.pins, parameters=True)
    farthest = Fraction(0)
    read: Mapping[int, Any] = {}
    if what.readings:
        read = part("readings").readings_of_nodes(what.readings, "$.claim.readings")
        graph, farthest = part("readings").with_readings(graph, read, "$.claim.readings")
    check_shapes(graph, _lows(what))
    bound = bind_names(what, graph)
    free = _signed(graph)
    unknown = [node.at["name"] for node in graph.nodes if is_unknown(node)]
    if what.points or free or unknown:
        part("exceptional").require(what.points, unknown, free)
    proofs, *signs = fields(evidence, "$.evidence", "factors", *["signs"] * bool(free))
    group = claims.group_parts(what)
    if len(items(proofs, "$.evidence.factors")) != len(group):
        raise Rejected("$.evidence.factors: expected one proof for each factor of the group")
    found = list[tuple[Factor, lines_.Lines]]()
    for i, (factor, entry) in enumerate(zip(group, proofs, strict=True)):
        path = f"$.evidence.factors[{i}]"
        family, axis, derivation = lines_.read_lines(entry, path, graph)
        if type(axis) is not type(factor.axis) or (family, axis) != (factor.family, factor.axis):
            raise Rejected(f"{path}: expected the proof for {factor}")
        found.append((factor, derivation))
    listed = [entry for entries in signs for entry in items(entries, "$.evidence.signs")]
    if len(listed) != len(free):
        raise Rejected("$.evidence.signs: expected one proof for each node with eigenvectors")
    flips = dict[int, lines_.Lines]()
    for i, (node, entry) in enumerate(zip(free, listed, strict=True)):
        path = f"$.evidence.signs[{i}]"
        family, axis, flips[node] = lines_.read_lines(entry, path, graph)
        if type(axis) is not int or (family, axis) != (SIGNS, node):
            raise Rejected(f"{path}: expected the proof for the signs of node {node}")
    return Proof(what, graph, read, farthest, bound, found, flips)


def _signed(program: Program) -> list[int]:
    """Returns the nodes with eigenvectors."""
    return [i for i, node in enumerate(program.nodes) if rules.RULES[node.op].is_up_to_signs]


def _lows(claim: Claim) -> dict[str, int]:
    return {name: claim.scope[name][0] for name in claim.input_names}


def check_proof(content: dict[str, Any]) -> Report:
    """Checks a proof of f(g x) = g f(x) for all x, g and sizes in scope.

    A claim under a product of groups is the claim under each factor: g acts as its parts, one after
    another.
    """
    proof = read_proof(content)
    what, graph, bound, lows = proof.claim, proof.program, proof.bound, _lows(proof.claim)
    zeros, assumed = rules.zeros(graph), set[int]()
    readable = frozenset(node for node, read in proof.readings.items() if read is None)
    done: list[tuple[lines_.Lines, dict[int, Fraction]]] = []
    # those that may read tables come first
    for i, (factor, derivation) in sorted(
        enumerate(proof.factors), key=lambda p: p[1][0].kind in ("shift", "scale")
    ):
        path, hidden = f"$.evidence.factors[{i}]", {node for _, own in done for node in own}
        if factor.kind in ("shift", "scale"):
            still = part("affine_types").derive(
                what, graph, factor, derivation, f"{path}.lines", lows, hidden
            )
            if factor.each:
                part("each").require(what, graph, factor, derivation, still, path)
            continue
        if factor.generators:
            part("membership").check_generators(factor, f"$.claim.group {factor.family}")
        standard = factor.size(
            Size.of(factor.axis) if isinstance(factor.axis, int) else bound[factor.axis]
        )
        if factor.generators and standard != Size.of(len(factor.generators[0])):
            raise Rejected(f"{path}: generators of another size than the axis")
        names = {name for name, indexed in what.indices.items() if indexed == factor.axis}
        labels = frozenset(
            i for i, node in enumerate(graph.nodes) if node.op == INPUT and node.at["name"] in names
        )
        setting = Setting(graph, factor, standard, lows, zeros, assumed, labels, readable=readable)
        still = _derive(what, setting, bound, derivation, path)
        if factor.each:
            part("each").require(what, graph, factor, derivation, still, path)
        done.append((derivation, setting.read))
    near = part("space").readings(done, graph) if readable else ""
    if proof.readings:
        near = part("readings").readings_words(proof.readings, proof.farthest) + near
    shown = [lines for _, lines in proof.factors]
    by_forms = any(lines.shown for lines in (*shown, *proof.signs.values()))
    if (proof.signs or by_forms) and any(own for _, own in done):
        raise Rejected(
            "$.evidence: eigenvectors, or normal forms, beside constants of which others are read"
        )
    for i, (node, lines) in enumerate(proof.signs.items()):
        factor = Factor(SIGNS, f"the eigenvectors {node}")
        path, lead = f"$.evidence.signs[{i}]", len(graph.nodes[graph.nodes[node].args[0]].shape) - 1
        (count,) = graph.nodes[node].shape[lead:] or (ONE,)
        setting = Setting(graph, factor, count, lows, zeros, assumed, flipped=node)
        still = _derive(what, setting, bound, lines, path)
        if lead > 1:
            part("each").require(what, graph, factor, lines, still, path, node)
    wherever = ""
    if what.points:
        wherever = part("exceptional").wherever(what.points)
    statement = (
        f"{scope_words(what, bound)}{wherever}: "
        f"f(g x) = g f(x) for all real x and all g in {group_words(what.group)}, "
        f"where f is the program {graph.digest}, {signature_words(what)}; where one side is"
        f" undefined, so is the other{_parameter_words(graph)}{near}"
    )
    used = ", ".join(sorted({node.op for node in graph.nodes}))
    rests = (f"the rules for {used}", *["normal forms"] * by_forms, *assumptions(graph, assumed))
    if what.points:
        rests = (*rests, *part("exceptional").recorded(what.points))
    return Report(accepted=True, statement=statement, grade="PROVED", rests_on=rests, readings=near)


def bind_names(claim: Claim, program: Program) -> dict[str, Size]:
    """Returns the sizes of the axis names, after checking the program's shapes against the claim.

    A name that only the output mentions stands for whatever size the function returns there.
    """
    bound = bind_inputs(claim, program)
    claims.bind_output(claim.output, program.shape, bound)
    for name in claim.scope.keys() - claim.input_names:
        if claim.scope[name] != (1, None) and bound[name] != Size.of(claim.pins.get(name, name)):
            raise Rejected(f"$.claim.scope.{name}: the function returns the size {bound[name]}")
    return bound


def bind_inputs(claim: Claim, program: Program) -> dict[str, Size]:
    """Returns the sizes of the inputs' axis names, after checking the program's inputs."""
    bound = {name: Size.of(claim.pins.get(name, name)) for name in claim.input_names}
    if [name for name, _ in claim.inputs] != [name for name, _ in program.inputs]:
        raise Rejected("$.program.inputs: not the inputs of the claim")
    for (name, axes), (_, shape) in zip(claim.inputs, program.inputs, strict=True):
        if [claims.axis_size(axis, bound) for axis in axes] != list(shape):
            raise Rejected(f"$.program.inputs: the shape of {name} is not the claimed one")
    return bound


def _derive(
    claim: Claim, s: Setting, bound: Mapping[str, Size], proof: lines_.Lines, path: str
) -> list[tuple[bool, tuple[bool, ...]]]:
    """Checks that every line follows from earlier ones; the last is the claimed output type.

    A step between the same types, of nodes of the same kinds, is checked once.

    Returns:
        For each type, whether values are the same at g x as at x, and along which axes nothing acts
        on them.
    """
    nodes = s.program.nodes

    def types_of(axes: tuple[Axis, ...], shape: tuple[Size, ...]) -> rules.Powered:
        pairs = zip(axes, shape, strict=True)
        found = tuple(claimed(axis, n, s.factor, s.standard, bound) for axis, n in pairs)
        power = 0
        if any(map(acts.has_irreps, found)):
            found, power = part("space").normalise_twists(found)
        return found, (Size.of(power), ONE)

    shapes = dict(s.program.inputs)
    given = {name: types_of(axes, shapes[name]) for name, axes in claim.inputs}
    types = [_type(*entry, f"{path}.types[{k}]", claim, s) for k, entry in enumerate(proof.types)]
    lengths = [tuple(None if isinstance(a, str) else acts.act_size(a) for a in t) for t, _ in types]
    seen: set[tuple[int, ...]] = set()
    for number, line in enumerate(proof.lines):
        where = f"{path}.lines[{number}]"
        node = nodes[line.node]
        spend(1 + len(line.premises))
        is_alike = rules.RULES[node.op].by_kind and number not in proof.shown
        if is_alike and line.node not in s.zeros and s.labels.isdisjoint(node.args):
            earlier = [proof.lines[p] for p in line.premises]
            kinds = (nodes[e.node].kind for e in earlier)
            key = (line.type, node.kind, *(e.type for e in earlier), *kinds)
            if key in seen:
                continue
            seen.add(key)
        stated, power = types[line.type]
        if len(stated) != len(node.shape) or any(
            length is not None and length != size
            for length, size in zip(lengths[line.type], node.shape, strict=True)
        ):
            raise Rejected(f"{where}: a type that does not fit the shape of the node")
        if node.op == INPUT:
            good = (stated, power) == given[node.at["name"]]
        elif number in proof.shown:
            known = [(proof.lines[p].node, types[proof.lines[p].type]) for p in line.premises]
            good = part("flips").derivable(
                line.node, known, (stated, power), s, proof.shown[number]
            )
        else:
            premises = [types[proof.lines[p].type] for p in line.premises]
            good = rules.derivable(line.node, premises, (stated, power), s)
        if not good:
            raise Rejected(f"{where}: the rule for {node.op} does not give this type")
    if s.program.output in s.labels:
        raise Rejected(f"{path}: the result is an input whose entries the group relabels")
    if not proof.lines or proof.lines[-1].node != s.program.output:
        raise Rejected(f"{path}: the last line is not about the output")
    wanted, odd = types_of(claim.output, s.program.shape)
    last, power = types[proof.lines[-1].type]
    pairs = zip(last, wanted, strict=True)
    if power != odd or not all(fits(have, want, s.factor.kind) for have, want in pairs):
        raise Rejected(f"{path}: the derived type of the output is not the claimed one")
    flags = [tuple(map(acts.is_fixed, type_)) for type_, _ in types]
    return [
        (power[0] == ZERO and all(fixed), fixed)
        for fixed, (_, power) in zip(flags, types, strict=True)
    ]


def _type(value: Any, odd: int, path: str, claim: Claim, s: Setting) -> rules.Powered:
    """Reads a type of a proof into normal form, with the power of its character.

    Lines call the power parity.
    """
    read = lines_.acts(value, path, claim.pins)
    if not all(isinstance(act, str) or proper(act, s.standard, s.lows) for act in read):
        raise Rejected(f"{path}: a factor of a wrong size")
    stated = tuple(act if isinstance(act, str) else normal(act) for act in read)
    if any(map(acts.has_irreps, stated)) and not s.is_spatial():
        raise Rejected(f"{path}: irreps, which {s.factor} does not have")
    if s.factor.kind != "lin" and (any(map(acts.has_dual, stated)) or odd not in (0, 1)):
        raise Rejected(
            f"{path}: a dual, or a power of the determinant, that {s.factor} does not have"
        )
    return stated, (Size.of(odd), ONE)


def _parameter_words(program: Program) -> str:
    """Returns words for the parameters, whose values are not stored."""
    count = sum(node.op == PARAMETER for node in program.nodes)
    if count:
        return f"; whatever real numbers its parameters hold (arrays of them: {count})"
    return ""


def assumptions(program: Program, assumed: set[int]) -> tuple[str, ...]:
    """Returns the assumptions about opaque functions.

    `assumed` are the kinds of nodes whose symmetry is assumed.
    """
    found: dict[str, None] = {}
    for node in program.nodes:
        if node.op == OPAQUE and not is_unknown(node):
            whose = "its arguments alone, real wherever they are"
            if node.at["symmetry"] == ENTRIES:
                whose = "the entries of its arguments at each place alone"
            text = f"{node.at['name']} is a function of {whose}"
            if node.kind in assumed:
                inputs, output, group = node.at["symmetry"]
                text += (
                    f"; assumed, not proved: its symmetry under {group_words(group)}, as "
                    f"{signature_words(Claim(tuple(('_', row) for row in inputs), output, group, {}))}"
                )
            found[text] = None
    return tuple(found)


CHECKS = {"proof": check_proof}
