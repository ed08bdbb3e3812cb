"""Prints proof certificates as files of Rocq: a program, the types of its lines, and theorems.

The theorems are proved by a verified checker, which accepts the printed data by computation.

A file holds the program as `rocq/Programs.v` has it with the shapes of its lines, for each factor of
the group the types of its lines, and the theorems of `rocq/Shapes.v` and `rocq/Checked.v`, which
hold where the checker says yes. The program and the claim are written from the Program and the
claim of the certificate alone, types from its lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eqvproof.engines.elaborate.covered import require_rules
from eqvproof.engines.elaborate.forms import ROOTS, Line, LineAxis, Stretch, Translation, translated
from eqvproof.engines.elaborate.irreps import Act
from eqvproof.engines.elaborate.source import INVARIANT, Source, Type, part_of, read_source
from eqvproof.engines.verdict import recheck, seal
from eqvproof.engines.verdict.scope import ExceptionalSet, wherever
from eqvproof.programs.operations.functions import FUNCTIONS
from eqvproof.programs.operations.matrix_functions import MATRIX_FUNCTIONS as MATRICES
from eqvproof.rocq.reread import require_same
from eqvproof.rocq.words import Extents, integer, listed, option, wrapped
from eqvproof.support.errors import ExportError

PREAMBLE = """\
From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Checked Motions Shifts Each Products Shapes.
"""
#: Asks what the theorems rest on that what the checkers accept is so: of all at once, as each
#: question takes Rocq through the whole library.
SOUNDNESS = """\
Definition soundness := (@sound, @sound_shifts, @each_sound, @shifts_each_sound, @shapes_sound).
Print Assumptions soundness.
"""
#: k where f(c x, ...) = c^k f(x, ...): for c = -1, for c > 0, for every c but 0.
_TRUTH = dict.fromkeys(("eq", "ne", "and", "or", "not"), 0)
_SIGN = {
    **_TRUTH,
    **{name: int(row.parity == "odd") for name, row in FUNCTIONS.items() if row.parity},
}
_POSITIVE = {
    **_TRUTH, "recip": -1, **dict.fromkeys("abs maximum minimum mod max min sort".split(), 1),
    **dict.fromkeys(("sign", "lt", "le", "gt", "ge", "arctan2"), 0),
}  # fmt: skip
_UNIT = {**_TRUTH, "recip": -1}
_ARRAYS = {
    "inv": "Inverse",
    "pinv": "Pseudoinverse",
    "det": "Number",
    "eigvals": "List",
    "spectral": "Weighted",
    **{name: "Conjugate" for name, row in MATRICES.items() if row.series},
}


def rocq_text(certificate: Mapping[str, Any] | None) -> str:
    """Returns the file for a certificate: the program, and types and a theorem for each factor.

    Raises:
        ExportError: an operation, a group or an act is not covered, and is named; or there is no
            certificate.
    """
    certificate = certificate or {}
    parts = [f"{_heading(certificate)}{PREAMBLE}"]
    for i, one in enumerate(results_of(certificate)):
        definitions, _, theorems = _stated(one)
        text = wrapped(definitions + theorems)
        if one is not certificate:
            text = f"Module Result{i}.\n{text}\nEnd Result{i}.\n"
        parts.append(f"{text}\n")
    return "\n".join(parts)


def results_of(certificate: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns the certificates of the results of a function; of one result, the certificate itself."""
    if certificate.get("kind") != "results":
        return [certificate]
    return [entry["certificate"] for entry in certificate["results"]]


def rocq_answers(certificates: Sequence[Mapping[str, Any]]) -> str:
    """Returns one file that prints, for each certificate in order, whether it is accepted.

    Raises:
        ExportError: one of them is not covered.
    """
    parts = [PREAMBLE]
    for i, certificate in enumerate(certificates):
        definitions, asked, _ = _stated(certificate)
        answer = f"Eval vm_compute in all id {listed(asked)}."
        parts.append(f"Module M{i}.\n{wrapped(definitions)}\n{answer}\nEnd M{i}.")
    return "\n".join([*parts, ""])


def _stated(certificate: Mapping[str, Any]) -> tuple[str, list[str], str]:
    """Returns definitions, calls of the checker, and theorems that state the certificate's claim."""
    source = read_source(certificate)
    program, extents = translated(source), Extents()
    _require_kept_tables(program, certificate)
    shapes = _shapes(program, extents)
    types, claims = _definitions(program, extents)
    known = f"Definition known : knowledge := {extents.knowledge(source.lows)}."
    parts = [_legend(program, extents), *extents.definitions, shapes, known, types]
    definitions = "\n".join(parts)
    theorems = _theorem(
        "inside",
        "reads_inside known given_shapes prog claimed_shape",
        "by apply: (shapes_sound (shapes := shapes)); vm_compute",
    )
    theorems += "".join(
        _theorem(f"equivariant{k}", claim.says, f"by apply: {claim.proof}; vm_compute")
        for k, claim in enumerate(claims)
    )
    theorems += _together(source, claims)
    require_same(definitions + theorems, certificate["claim"])
    asked = "shaped known given_shapes prog shapes claimed_shape"
    return definitions, [asked, *(claim.asks for claim in claims)], theorems


def _require_kept_tables(program: Translation, certificate: Mapping[str, Any]) -> None:
    """Checks by the kernel that groups keep the constants of which the theorems assume it.

    Raises:
        ExportError: the kernel rejects the certificate.
    """
    source, factors = program.source, range(len(program.source.factors))
    tables = [node for node in program.tables.values() if source.nodes[node].op == "const"]
    if not any(source.kept(node, k) for node in tables for k in factors):
        return
    parts = {part: certificate[part] for part in ("claim", "program", "evidence")}
    if why := recheck(seal("proof", **parts)):
        raise ExportError.of(f"a table of constants that is kept by no proof: {why}", "a proof")


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim about one factor of the group, as Gallina text.

    Attributes:
        says: the statement of the theorem.
        asks: the call of the checker.
        proof: the lemma that the checker is sound.
        about: the arguments of the constructor for this factor in rocq/Products.v.
        kind: the constructor for this factor in rocq/Products.v.
    """

    says: str
    asks: str
    proof: str
    about: str
    kind: str


def _theorem(name: str, says: str, proof: str) -> str:
    """Returns a theorem with its proof, and the command that prints its assumptions."""
    return f"\nTheorem {name} : {says}.\nProof. {proof}. Qed.\nPrint Assumptions {name}."


def _together(source: Source, claims: Sequence[Asked]) -> str:
    """Returns the theorem about the product of the factors, and those about rigid motions.

    They follow by rocq/Products.v.
    """
    text = ""
    for shift, turn in source.rigid():
        says = f"equivariant_under_rigid_motions prog {claims[turn].about} {claims[shift].about}"
        text += _theorem(
            f"rigid{turn}", says, f"exact: (rigid_sound equivariant{turn} equivariant{shift} erefl)"
        )
    if len(claims) > 1:
        first, *rest = (f"({claim.kind} {claim.about})" for claim in claims)
        each = "I"
        for k in reversed(range(len(claims))):
            each = f"(conj equivariant{k} {each})"
        whole = f"prog {first} {listed(rest)}"
        text += _theorem(
            "equivariant",
            f"equivariant_under_product {whole}",
            f"exact: (@product_sound {whole} {each} isT)",
        )
    return text


def _shapes(program: Translation, extents: Extents) -> str:
    """Returns the definitions of the program and of the shapes of its arguments, lines and result.

    Those of the arguments and of the result are the claimed ones.
    """
    source = program.source
    given = [source.given_shape(place) for place in range(len(source.inputs))]
    claimed = source.shape()
    shapes = [*(line.shape for line in program.lines[:-1]), claimed]
    operations = ";\n  ".join(extents.operation(line) for line in program.lines)
    return "\n".join(
        [
            f"Definition prog : program := [::\n  {operations}].",
            f"Definition given_shapes : seq shape := {listed(map(extents.shape, given))}.",
            f"Definition claimed_shape : shape := {extents.shape(claimed)}.",
            f"Definition shapes : seq shape := {listed(map(extents.shape, shapes))}.",
        ]
    )


def _definitions(program: Translation, extents: Extents) -> tuple[str, list[Asked]]:
    """Returns the definitions of the types of the lines, and a claim for each factor."""
    source, parts, claims = program.source, list[str](), list[Asked]()
    for k, factor in enumerate(source.factors):
        root = f", of which the element is the scalar to the power {factor.root}"
        parts.append(f"(* {factor}{root if factor.root > 1 else ''} *)")
        if factor.family.kind.only_translates:
            moves = [source.moves(factor, x) for x in source.inputs]
            ends = source.moved(factor, source.output_axes)
            parts += [
                f"Definition given{k} : seq motion := {listed(map(extents.motion, moves))}.",
                f"Definition claimed{k} : motion := {extents.motion(ends)}.",
            ]
            recips = listed(str(n) for n, name in enumerate(program.functions) if name == "recip")
            about = f"{recips} given{k} prog claimed{k}"
            claim = Asked(
                f"translated {about}",
                f"check_shifts {about}",
                "sound_shifts",
                f"{recips} given{k} claimed{k}",
                "Translates",
            )
            if factor.each:
                ranks = listed(str(len(line.axes)) for line in program.lines)
                parts.append(f"Definition ranks{k} : seq nat := {ranks}.")
                parts += _entries(source, program, k, extents)
                claim = _for_each(
                    claim,
                    f"check_shifts_each {about} starts{k} ranks{k} stop{k} claimed_shape",
                    f"(shifts_each_sound (ranks := ranks{k}))",
                    k,
                )
            claims.append(claim)
            continue
        result = source.claimed(factor, source.output_axes)
        types = [*(_type(line, source, k) for line in program.lines[:-1]), result]
        require_rules(program.lines, types, program.functions, factor)
        given = [source.given(factor, place) for place in range(len(source.inputs))]
        powers = {node: own.power for node, own in source.types[k].items()}
        parts += [
            f"Definition given{k} : seq rtype := {listed(map(extents.type, given))}.",
            f"Definition claimed{k} : rtype := {extents.type(result)}.",
            f"Definition types{k} : seq rtype := {listed(map(extents.type, types))}.",
            f"Definition facts{k} : nat -> option fact :="
            f" {_facts(k, program, types, powers, extents)}.",
        ]
        before = f"{factor.family.rocq} {extents.name(factor.size)} facts{k} given{k}"
        claim = Asked(
            f"equivariant {before} prog claimed{k}",
            f"check {before} prog types{k} claimed{k}",
            f"(sound (tys := types{k}))",
            f"{before} claimed{k}",
            "Acts",
        )
        if factor.each:
            parts += _entries(source, program, k, extents)
            claim = _for_each(
                claim,
                f"check_each {before} prog types{k} claimed{k} starts{k} stop{k} claimed_shape",
                f"(each_sound (tys := types{k}))",
                k,
            )
        claims.append(claim)
    return "\n".join(parts), claims


def _entries(source: Source, program: Translation, k: int, extents: Extents) -> list[str]:
    """Returns the definitions of the axis of which each entry has an element, in each value.

    They are starts, for the arguments; and stop, for the result.
    """
    factor = source.factors[k]
    starts = [source.entries(factor, given.axes, given.indexes) for given in source.inputs]
    stop = source.entries(factor, source.output_axes)
    return [
        f"Definition starts{k} : seq (option nat) := {listed(map(option, starts))}.",
        f"Definition stop{k} : option nat := {option(stop)}.",
    ]


def _for_each(claim: Asked, asks: str, proof: str, k: int) -> Asked:
    """Returns the claim of one element for each entry, from that of one for all."""
    about = f"({claim.kind} {claim.about}) starts{k} stop{k} claimed_shape"
    return Asked(f"equivariant_under prog (Each {about})", asks, proof, about, "Each")


def theorem(certificate: Mapping[str, Any]) -> str:
    """Returns the theorems of a file in words."""
    several = results_of(certificate)
    if several != [certificate]:
        names = (entry["name"] for entry in certificate["results"])
        return "; ".join(
            f"{name}: {theorem(one)}" for name, one in zip(names, several, strict=True)
        )
    group = " x ".join(map(str, read_source(certificate).factors))
    points = wherever(map(ExceptionalSet.from_json, certificate["claim"].get("points", ())))
    return (
        f"the printed program is equivariant under {group}, as claimed, at all sizes{points},"
        f" whatever its "
        "constants are and its functions, where the file says so odd, even, homogeneous or turning"
        " along; "
        "and undefined alike; no entry outside of its arrays is read"
    )


def _type(line: Line, source: Source, k: int) -> Type:
    """Returns the type of a line: that of its node, along the axes that the line has.

    The type of an argument is the claimed one.
    """
    if line.op[0] == "Input":
        return source.given(source.factors[k], line.op[1])
    types = source.types[k]
    acts = tuple(_act_along(at, types) for at in line.axes)
    return Type(acts, types[line.node].power)


def _act_along(axis: LineAxis, types: Mapping[int, Type]) -> Act:
    """Returns the parts of an axis of a line."""
    if axis is None:
        return ()
    if isinstance(axis, Stretch):
        return part_of(types[axis.node].acts[axis.axis], axis.start, axis.size)
    node, number = axis
    return types[node].acts[number]


def _facts(
    k: int,
    program: Translation,
    types: list[Type],
    powers: Mapping[int, int],
    extents: Extents,
) -> str:
    """Returns the facts that the theorem assumes about functions.

    Facts about functions of numbers are assumed only where a value has a character.
    """
    factor, degrees = program.source.factors[k], dict[str, int]()
    kind = factor.family.kind
    if kind.multiplies:
        degrees = _POSITIVE
    elif any(t.power for t in types) and kind.has_dual:
        degrees = _UNIT
    elif any(t.power for t in types) or kind.flips_signs:
        degrees = _SIGN
    found = []
    for number, name in enumerate(program.functions):
        fact = _ARRAYS.get(name, "")
        if not fact and name in degrees:
            fact = f"(Degree ({integer(degrees[name])}))"
        if number in program.tables:
            own = program.source.kept(program.tables[number], k)
            fact = f"(Typed [::] {extents.type(own)})" if own else ""
        if number in program.opaque:
            assumed = program.source.assumed(factor, program.opaque[number])
            arguments, value = assumed or ([], None)
            if value:
                fact = f"(Typed {listed(map(extents.type, arguments))} {extents.type(value)})"
            else:
                fact = ""
        if number in program.roots and kind.multiplies:
            node = program.source.nodes[program.roots[number]]
            power, rest = divmod(powers[node.args[0]], ROOTS[name])
            given, value = Type((), powers[node.args[0]]), Type((), power)
            if rest:
                fact = ""
            else:
                fact = f"(Typed [:: {extents.type(given)}] {extents.type(value)})"
        found.append(f"Some {fact}" if fact else "None")
    if {*found} - {"None"}:
        return f"nth None {listed(found)}"
    return "fun=> None"


def _legend(program: Translation, extents: Extents) -> str:
    """Returns comments that name the variables, arguments, functions and arrays by number."""
    rows = [
        ("Variable", extents.variables),
        (
            "Input",
            [x.name for x in program.source.inputs],
        ),
        ("Function", [_function_in_words(program, n) for n in range(len(program.functions))]),
        ("Leaf", program.leaves),
    ]
    lines = [
        f"(* {what} {n}: {re.sub('[^ -~]|[*]', '', text)} *)"
        for what, row in rows
        for n, text in enumerate(row)
    ]
    return "\n".join(lines)


def _function_in_words(program: Translation, number: int) -> str:
    """Returns the name of a function, or words for an array that it is."""
    node = program.tables.get(number)
    if node is None:
        return program.functions[number]
    if program.source.nodes[node].op != "form":
        return program.functions[number]
    if program.source.nodes[node].at["signs"]:
        return f"{program.functions[number]}: diag(1, -1, ..., -1)"
    return f"{program.functions[number]}: ((0, I), (-I, 0))"


def _heading(certificate: Mapping[str, Any]) -> str:
    digest = str(certificate.get("digest", ""))
    sealed = re.fullmatch(r"sha256:[0-9a-f]{64}", digest)
    if sealed:
        origin = f"the certificate {digest}"
    else:
        origin = "a certificate"
    readings = certificate.get("claim", {}).get("readings", ())
    numbers, tables = (
        ", ".join(str(e["node"]) for e in readings if (e["read"] == INVARIANT) is is_table)
        for is_table in (False, True)
    )
    text = (
        f"(* Written by eqvproof from {origin}.\n"
        "   The program and the claim are written from these alone, types from the lines. *)\n"
    )
    about = "(* The theorem is about the function with"
    if numbers:
        stored = "in place of the stored ones, in the constants"
        text += f"{about} the numbers of the claim {stored} {numbers}. *)\n"
    if tables:
        text += f"{about} the arrays that the group keeps next to the constants {tables}. *)\n"
    return text + "\n"
