"""Prints proof certificates as files of Rocq: a program, the types of its lines, and theorems.

The theorems are proved by a verified checker, which accepts the printed data by computation.

A file holds the forms of the certificate with the shapes of their lines, for each factor of the
group the types of the lines, and the theorems of `rocq/Shapes.v` and `rocq/Checked.v`, which hold
where the checker says yes. What the theorems state is written from the claim alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.engines.elaborate.source import Claimed, Type
from eqvproof.engines.verdict import recheck, seal
from eqvproof.engines.verdict.scope import ExceptionalSet, wherever
from eqvproof.kernel.facts import DEGREES, LAWS, SHIFT_LAWS, SIGNS
from eqvproof.kernel.form_functions import ROOTS
from eqvproof.rocq.read_forms import Forms, array_of, read_forms
from eqvproof.rocq.reread import require_same
from eqvproof.rocq.words import Extents, integer, listed, option, wrapped
from eqvproof.support.errors import ExportError

PREAMBLE = """\
From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Checked Motions Shifts Each Products Shapes.
"""
#: The variables that theorems suppose to be positive, under translations and for each entry.
POSITIVE = "positive_sizes"
#: Asks what the theorems rest on that what the checkers accept is so: of all at once, as each
#: question takes Rocq through the whole library.
SOUNDNESS = """\
Definition soundness := (@sound, @sound_shifts, @each_sound, @shifts_each_sound, @shapes_sound).
Print Assumptions soundness.
"""


def rocq_text(certificate: Mapping[str, Any] | None) -> str:
    """Returns the file for a certificate: the program, and types and a theorem for each factor.

    The last command asks which axioms the theorems rest on.

    Raises:
        ExportError: an operation, a group or an act is not covered, and is named; or the
            certificate is malformed, or there is none.
    """
    certificate = certificate or {}
    results = results_of(certificate)
    if results == [certificate]:
        modules = {"": certificate}
    else:
        modules = {f"Result{i}": result for i, result in enumerate(results)}
    return _heading(certificate) + _file(modules)


def rocq_file(certificates: Sequence[Mapping[str, Any]]) -> str:
    """Returns one file for several certificates, with a module for each result of each.

    Raises:
        ExportError: one of them is not covered.
    """
    return _file(
        {
            f"Certificate{i}Result{j}": result
            for i, certificate in enumerate(certificates)
            for j, result in enumerate(results_of(certificate))
        }
    )


def _file(modules: Mapping[str, Mapping[str, Any]]) -> str:
    """Returns a file with the theorems of a certificate in each module; "" is no module."""
    parts, names = [PREAMBLE], list[str]()
    for module, certificate in modules.items():
        definitions, _, theorems = _stated(certificate)
        text = wrapped(definitions + theorems)
        dot = ""
        if module:
            text, dot = f"Module {module}.\n{text}\nEnd {module}.", "."
        parts.append(text)
        names += (f"@{module}{dot}{name}" for name in re.findall(r"^Theorem (\w+)", theorems, re.M))
    asked = wrapped(f"Definition theorems := ({', '.join(names)}).")
    return "\n".join([*parts, asked, "Print Assumptions theorems.", ""])


def results_of(certificate: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns the certificates of the results of a function; of one result, the certificate itself.

    Raises:
        ExportError: they are malformed.
    """
    if certificate.get("kind") != "results":
        return [certificate]
    try:
        return [dict(entry["certificate"]) for entry in certificate["results"]]
    except (LookupError, TypeError, ValueError):
        raise ExportError.of(
            "a malformed certificate: $.results", "a list of names with certificates"
        ) from None


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
    if certificate.get("kind") != "proof":
        raise ExportError.of(
            f"a certificate of kind {certificate.get('kind')}", "proofs of equivariance"
        )
    if "forms" not in certificate:
        certificate = {**certificate, **elaborate(certificate)[1]}
    forms, extents = read_forms(certificate), Extents()
    _require_kept_tables(forms, certificate)
    shapes = _shapes(forms, extents)
    types, claims = _definitions(forms, extents)
    known = f"Definition known : knowledge := {extents.knowledge(forms.claimed.lows)}."
    about = _readings_in_words(certificate["claim"]) + _legend(forms, extents)
    parts = [about, *extents.definitions, shapes, known]
    if any(POSITIVE in claim.asks for claim in claims):
        parts.append(_positive_sizes(extents, forms.claimed.lows))
    parts.append(types)
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
    theorems += _together(forms.claimed, claims)
    require_same(definitions + theorems, certificate["claim"])
    asked = "shaped known given_shapes prog shapes claimed_shape"
    return definitions, [asked, *(claim.asks for claim in claims)], theorems


def _require_kept_tables(forms: Forms, certificate: Mapping[str, Any]) -> None:
    """Checks by the kernel that groups keep the constants of which the theorems assume it.

    Raises:
        ExportError: the kernel rejects the certificate.
    """
    factors = range(len(forms.claimed.factors))
    if not any(forms.keeps_numbers(k) for k in factors):
        return
    parts = {part: certificate[part] for part in ("claim", "forms", "evidence")}
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
    """Returns a theorem with its proof."""
    return f"\nTheorem {name} : {says}.\nProof. {proof}. Qed."


def _together(source: Claimed, claims: Sequence[Asked]) -> str:
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


def _shapes(forms: Forms, extents: Extents) -> str:
    """Returns the definitions of the program and of the shapes of its arguments, lines and result.

    Those of the arguments and of the result are the claimed ones.
    """
    source = forms.claimed
    given = [source.given_shape(place) for place in range(len(source.inputs))]
    claimed = source.shape()
    operations = ";\n  ".join(map(extents.form, forms.lines))
    return "\n".join(
        [
            f"Definition prog : program := [::\n  {operations}].",
            f"Definition given_shapes : seq shape := {listed(map(extents.shape, given))}.",
            f"Definition claimed_shape : shape := {extents.shape(claimed)}.",
            f"Definition shapes : seq shape := {listed(map(extents.shape, forms.shapes))}.",
        ]
    )


def _definitions(forms: Forms, extents: Extents) -> tuple[str, list[Asked]]:
    """Returns the definitions of the types of the lines, and a claim for each factor."""
    source, parts, claims = forms.claimed, list[str](), list[Asked]()
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
            laws = (
                f"({n}, {str(SHIFT_LAWS[name]).lower()})"
                for n, name in enumerate(forms.functions)
                if isinstance(name, str) and name in SHIFT_LAWS
            )
            parts.append(f"Definition laws{k} : seq law := {listed(laws)}.")
            about = f"{POSITIVE} laws{k} given{k} prog claimed{k}"
            claim = Asked(
                f"translated {about}",
                f"check_shifts {about}",
                "sound_shifts",
                f"{POSITIVE} laws{k} given{k} claimed{k}",
                "Translates",
            )
            if factor.each:
                ranks = listed(str(len(shape)) for shape in forms.shapes)
                parts.append(f"Definition ranks{k} : seq nat := {ranks}.")
                parts += _entries(forms, k, extents)
                claim = _for_each(
                    claim,
                    f"check_shifts_each {about} starts{k} ranks{k} stop{k} claimed_shape",
                    f"(shifts_each_sound (ranks := ranks{k}))",
                    k,
                )
            claims.append(claim)
            continue
        result = source.claimed(factor, source.output_axes)
        given = [source.given(factor, place) for place in range(len(source.inputs))]
        parts += [
            f"Definition given{k} : seq rtype := {listed(map(extents.type, given))}.",
            f"Definition claimed{k} : rtype := {extents.type(result)}.",
            f"Definition types{k} : seq rtype := {listed(map(extents.type, forms.types[k]))}.",
            f"Definition facts{k} : nat -> option fact := {_facts(forms, k, extents)}.",
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
            parts += _entries(forms, k, extents)
            claim = _for_each(
                claim,
                f"check_each {POSITIVE} {before} prog types{k} claimed{k} starts{k} stop{k} claimed_shape",
                f"(each_sound (tys := types{k}))",
                k,
            )
        claims.append(claim)
    return "\n".join(parts), claims


def _positive_sizes(extents: Extents, lows: Mapping[str, int]) -> str:
    """Returns the definition of the variables that are supposed to be positive, after a comment."""
    names, numbers = extents.variables, extents.positive(lows)
    others = [name for number, name in enumerate(names) if number not in numbers]
    about = f"; none of {', '.join(others)}, which may be 0" if others else ""
    return (
        f"(* Supposed to be positive: {', '.join(names[n] for n in numbers)}{about} *)\n"
        f"Definition {POSITIVE} : seq nat := {listed(map(str, numbers))}."
    )


def _entries(forms: Forms, k: int, extents: Extents) -> list[str]:
    """Returns the definitions of the axis of which each entry has an element, in each value.

    They are starts, for the arguments; and stop, for the result.
    """
    source, factor = forms.claimed, forms.claimed.factors[k]
    starts = [source.entries(factor, given.axes, given.indexes) for given in source.inputs]
    stop = source.entries(factor, source.output_axes)
    return [
        f"Definition starts{k} : seq (option nat) := {listed(map(option, starts))}.",
        f"Definition stop{k} : option nat := {option(stop)}.",
    ]


def _for_each(claim: Asked, asks: str, proof: str, k: int) -> Asked:
    """Returns the claim of one element for each entry, from that of one for all."""
    about = f"{POSITIVE} ({claim.kind} {claim.about}) starts{k} stop{k} claimed_shape"
    return Asked(f"equivariant_under prog (Each {about})", asks, proof, about, "Each")


def theorem(certificate: Mapping[str, Any]) -> str:
    """Returns the theorems of a file in words."""
    several = results_of(certificate)
    if several != [certificate]:
        names = (entry["name"] for entry in certificate["results"])
        return "; ".join(
            f"{name}: {theorem(one)}" for name, one in zip(names, several, strict=True)
        )
    group = " x ".join(map(str, read_forms(certificate).claimed.factors))
    points = wherever(map(ExceptionalSet.from_json, certificate["claim"].get("points", ())))
    return (
        f"the printed program is equivariant under {group}, as claimed, at all sizes{points},"
        " for any constants, and for any functions with the properties that the file states (odd,"
        " even, homogeneous, equivariant); both sides are undefined at the same points; no entry"
        " outside of its arrays is read"
    )


def _facts(forms: Forms, k: int, extents: Extents) -> str:
    """Returns the facts that the theorem assumes about functions.

    Facts about functions of numbers are assumed only where a value has a character.
    """
    factor, types = forms.claimed.factors[k], forms.types[k]
    kind = factor.family.kind
    degrees: Mapping[str, int] = {}
    if any(t.power for t in types) or kind.multiplies or kind.flips_signs:
        degrees = DEGREES.get(factor.family.rocq, SIGNS)
    found = list[str]()
    for number, function in enumerate(forms.functions):
        fact = ""
        if array_of(function):
            own = forms.kept(k, number)
            fact = f"(Typed [::] {extents.type(own)})" if own else ""
        elif exponent_of(function) is not None and kind.multiplies:
            fact = _fact_of_power(forms, k, number, extents)
        elif isinstance(function, Mapping) and "symmetry" in function:
            fact = _assumed(forms, k, number, extents)
        elif function in LAWS:
            fact = LAWS[function]
        elif function in degrees:
            fact = f"(Degree ({integer(degrees[function])}))"
        found.append(f"Some {fact}" if fact else "None")
    if {*found} - {"None"}:
        return f"nth None {listed(found)}"
    return "fun=> None"


def _assumed(forms: Forms, k: int, number: int, extents: Extents) -> str:
    """Returns the types that are assumed of an opaque function, where it is applied."""
    line = forms.use(number)
    if line is None:
        return ""
    symmetry = forms.functions[number]["symmetry"]
    shapes = forms.argument_shapes(line)
    assumed = forms.claimed.assumed(forms.claimed.factors[k], symmetry, shapes)
    if assumed is None:
        return ""
    arguments, value = assumed
    return f"(Typed {listed(map(extents.type, arguments))} {extents.type(value)})"


def exponent_of(function: Any) -> Fraction | None:
    """Returns the exponent of a function that is a root or a power, None for other functions."""
    if isinstance(function, str):
        return ROOTS.get(function)
    if "power" in function:
        return Fraction(function["power"])
    return None


def _fact_of_power(forms: Forms, k: int, number: int, extents: Extents) -> str:
    """Returns the types of a power of a value that is multiplied, where that is an integral one."""
    line = forms.use(number)
    if line is None:
        return ""
    given = forms.types[k][forms.lines[line][3][0][0]].power
    power = given * (exponent_of(forms.functions[number]) or Fraction(0))
    if power.denominator != 1:
        return ""
    return f"(Typed [:: {extents.type(Type((), given))}] {extents.type(Type((), int(power)))})"


def _legend(forms: Forms, extents: Extents) -> str:
    """Returns comments that name the variables, arguments, functions and arrays by number."""
    rows = [
        ("Variable", extents.variables),
        ("Input", [x.name for x in forms.claimed.inputs]),
        ("Function", [*map(_function_in_words, forms.functions)]),
        ("Leaf", [*map(_leaf_in_words, forms.leaves)]),
    ]
    lines = [
        f"(* {what} {n}: {re.sub('[^ -~]|[*]', '', text)} *)"
        for what, row in rows
        for n, text in enumerate(row)
    ]
    return "\n".join(lines)


def _function_in_words(function: Any) -> str:
    if isinstance(function, str):
        return function
    if "power" in function:
        return f"the power with exponent {function['power']}"
    match function.get("array"):
        case "form", signs:
            return f"the array {'diag(1, -1, ..., -1)' if signs else '((0, I), (-I, 0))'}"
        case "numbers", _:
            return "an array, which has no arguments"
    return f"{function['name']}, of which nothing is known but what is assumed"


def _leaf_in_words(leaf: Sequence[Any]) -> str:
    """Returns words for an array that does not depend on the arguments."""
    match leaf:
        case "numbers", text if " " not in text and "*" not in text:
            return f"the number {text}"
        case ("counter",):
            return "0, 1, 2, ..."
        case "triangle", offset:
            return f"[j <= i + {offset}]"
        case "function", name:
            return str(name)
    return "constants"


def _heading(certificate: Mapping[str, Any]) -> str:
    digest = str(certificate.get("digest", ""))
    sealed = re.fullmatch(r"sha256:[0-9a-f]{64}", digest)
    if sealed:
        origin = f"the certificate {digest}"
    else:
        origin = "a certificate"
    text = (
        f"(* Written by eqvproof from {origin}.\n"
        "   The program and the claim are written from these alone, types from the lines. *)\n"
    )
    return text + "\n"


def _readings_in_words(claim: Mapping[str, Any]) -> str:
    """Returns comments about the constants that the program reads as others, if there are any."""
    readings = claim.get("readings", ())
    numbers = ", ".join(str(entry["line"]) for entry in readings if "line" in entry)
    arrays = ", ".join(str(entry["array"]) for entry in readings if "array" in entry)
    text, about = "", "(* The theorem is about the function with"
    if numbers:
        text += f"{about} the numbers on the lines {numbers} in place of the stored ones. *)\n"
    if arrays:
        text += (
            f"{about} the arrays that the group keeps in place of those next to them, the"
            f" functions {arrays}. *)\n"
        )
    return text
