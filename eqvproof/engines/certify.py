"""Stage `certify`: builds certificates of all results, counterexamples too; the kernel checks.

`checked_by_kernel` is the one place of the engines that asks the kernel about a certificate: each is
checked when it is built. `decide_claim` builds those of decisions and tests, for each size alone and
then, if there are several sizes, for all of them; `conclude` those of proofs and counterexamples.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from eqvproof.claims.groups import Group
from eqvproof.claims.signature import Signature
from eqvproof.engines.claim import Claim
from eqvproof.engines.linear_types import Proof, infer_equivariance, invariant_tables
from eqvproof.engines.prove_claim import Proved
from eqvproof.engines.verdict import proof_by_nodes, rejection, seal
from eqvproof.engines.verdict.scope import Reading
from eqvproof.programs import Program, substitute_sizes
from eqvproof.programs.copies import replace_constants
from eqvproof.programs.operations import Operation
from eqvproof.programs.program import numbers_text
from eqvproof.support.deadline import TimeIsUp
from eqvproof.support.errors import ExportError

if TYPE_CHECKING:
    from eqvproof.engines.search import FoundCounterexample

JSON = dict[str, Any]
Sizes = Mapping[str, int]
#: Bits of the error bound of the kernel's own test.
BITS = 100
#: The Programs of the functions of a claim.
Programs = tuple[Program, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A certificate that the kernel has checked, and the result.

    Attributes:
        certificate: the certificate.
        objection: the reason why the kernel does not accept it; "" if it does.
        is_limited: whether the kernel met its limit of work.
        readings: the constant tables that the certificate reads as nearby invariant ones.
    """

    certificate: JSON
    objection: str
    is_limited: bool
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class TypesAtSize:
    """The types of a claim at one choice of sizes, as data for its certificate.

    Attributes:
        sizes: of the names of the inputs.
        proof: the types in the form of certificates, if they prove the claim there.
        tables: the constant tables that the proof reads as nearby invariant ones, by node.
    """

    sizes: Sizes
    proof: JSON | None = None
    tables: Mapping[int, Reading] = field(default_factory=dict)


def checked_by_kernel(certificate: JSON, readings: Iterable[Reading] = ()) -> Checked:
    """Has the kernel check a certificate."""
    objection, is_limited = rejection(certificate)
    return Checked(certificate, objection, is_limited, tuple(readings))


def certify_proof(claim: Claim, proved: Proved, scope: Sizes) -> Checked:
    """Builds the certificate of a proof, and has the kernel check it.

    Where the kernel does not accept types under translations, normal forms take their place.
    """
    proof, programs, stored = proved.proof, proved.programs.programs, proved.programs.stored
    as_read = programs[0]
    if not isinstance(proof, Proof):
        as_stored = replace_constants(as_read, stored)
        return _certify_identity(claim, scope, (as_stored, *programs[1:]), proof.evidence())
    numbered = any(isinstance(points.mark, int) for points in proved.points)
    if proof.has_several_types() and not (stored or numbered):  # copies have other numbers
        from eqvproof.engines.one_type_each import with_one_type_each

        as_read, proof = with_one_type_each(as_read, proof)
    as_stored = replace_constants(as_read, stored)
    tables = {} if claim.literal else invariant_tables(as_read, proof)
    stated = claim.to_json(scope, readings_to_json(as_read, stored, tables), proved.points)
    written = as_stored.to_json(is_stored=True)

    def certified(proof: Proof) -> Checked:
        by_nodes = proof_by_nodes(claim=stated, program=written, evidence=proof.to_json())
        return _certify_in_forms(by_nodes, as_read, tables.values())

    found = certified(proof)
    if found.objection and any(p.factor.kind.only_translates for p in proof.factors):
        from eqvproof.engines.translations_by_forms import translations_by_forms

        with proved.programs.at_covered_sizes():
            by_forms = translations_by_forms(proof, as_read, claim.signature, claim.pins)
        again = found if by_forms is None else certified(by_forms)
        if not again.objection:
            return again
    return found


def _certify_identity(
    claim: Claim, scope: Sizes, programs: Sequence[Program], shown: Any
) -> Checked:
    """Builds the certificate that two Programs are one function, and has the kernel check it."""
    from eqvproof.engines.elaborate.program import forms_of_program

    stated = claim.to_json(scope)
    try:
        forms, other = (forms_of_program(program, stated["scope"]) for program in programs)
    except ExportError as error:
        return Checked({}, f"there is no rule in forms for {error.given}", is_limited=False)
    return checked_by_kernel(
        seal("identity", claim=stated, forms=forms, other=other, evidence=shown)
    )


def _certify_in_forms(by_nodes: JSON, program: Program, readings: Iterable[Reading]) -> Checked:
    """Builds the certificate of a proof in forms, and has the kernel check it.

    The forms must have the values of the Program at a random point.

    Args:
        by_nodes: the proof by types of the nodes of the Program as it is stored.
        program: the Program with the constants as they are read.
        readings: the constant tables that the proof reads as nearby invariant ones.
    """
    from eqvproof.engines.elaborate.agreement import agree
    from eqvproof.engines.elaborate.proof import elaborate

    try:
        forms, content = elaborate(by_nodes)
    except ExportError as error:
        return Checked({}, f"there is no rule in forms for {error.given}", is_limited=False)
    if not agree(program, forms):
        objection = "the forms are not seen to have the values of the Program at a random point"
        return Checked({}, objection, is_limited=False)
    return checked_by_kernel(seal("proof", **content), readings)


def certify_counterexample(
    claim: Claim, found: FoundCounterexample, programs: Sequence[Program]
) -> tuple[JSON | None, str]:
    """Returns the cheapest certificate of a counterexample that the kernel accepts, or its objection.

    Without Programs it records values. If exact sides are too much work to compare as a whole, the
    entry is enclosed.
    """
    from eqvproof.engines.elaborate.program import forms_of_program
    from eqvproof.engines.search.evidence import PRECISIONS, evidence

    sizes, objection = dict(found.sizes), ""
    try:
        forms = [forms_of_program(program, sizes) for program in programs]
    except ExportError as error:
        return None, f"the counterexample has no certificate: {error}"
    kind = "evaluation"
    if forms:
        kind = "difference" if claim.is_identity else "counterexample"
    parts = dict(zip(("forms", "other"), forms, strict=False))
    ways = [(found, PRECISIONS[-1])]
    enclosed = [(replace(found, arithmetic="ball"), p) for p in PRECISIONS]
    if found.arithmetic == "ball":
        ways = enclosed
    elif programs:
        ways += enclosed
    try:
        for way, precision in ways:
            shown = evidence(way, claim.signature, claim.group, precision)
            certificate = seal(kind, claim=claim.to_json(sizes), evidence=shown, **parts)
            checked = checked_by_kernel(certificate)
            objection = checked.objection
            if not objection:
                return certificate, ""
            if checked.is_limited and way.arithmetic == "ball":  # with more bits it is more work
                break
    except TimeIsUp:
        objection = "the time ran out"
    return None, f"the kernel could not confirm the counterexample: {objection}"


def certify_violation(
    claim: Claim, found: FoundCounterexample, program: Program, bound: JSON
) -> JSON | None:
    """Returns the cheapest certificate of a bound of a violation that the kernel accepts, if any.

    Args:
        claim: the claim.
        found: the point at which the function violates it.
        program: the function, at the sizes of the point.
        bound: a number that the violation is at least, whether it is relative, and the box.
    """
    from eqvproof.engines.elaborate.program import forms_of_program
    from eqvproof.engines.search.evidence import PRECISIONS, tensor

    point = {
        "sizes": dict(found.sizes),
        "inputs": {a.name: tensor(found.inputs[a.name]) for a in claim.signature.inputs},
        "element": [e.to_evidence() for e in found.elements],
    }
    try:
        forms, stated = forms_of_program(program, found.sizes), claim.to_json(found.sizes)
    except ExportError:
        return None
    for precision in PRECISIONS:
        shown = {**point, "precision": precision}
        parts = {"claim": stated, "forms": forms, "bound": bound, "evidence": shown}
        checked = checked_by_kernel(seal("violation", **parts))
        if not checked.objection:
            return checked.certificate
        if checked.is_limited:
            break
    return None


def types_at(claim: Claim, programs: Programs, sizes: Sizes, bits: int) -> TypesAtSize:
    """Infers types of a claim at one choice of sizes.

    Args:
        claim: the claim.
        programs: the Programs of its functions there.
        sizes: of the names of the inputs.
        bits: those of the shortest floats to which constants may be rounded; 0 if every constant
            is read as it is stored.
    """
    if claim.is_identity:
        return TypesAtSize(sizes)
    everything = {**sizes, **claim.output_sizes(programs[0], sizes)}
    proof = proof_at(programs[0], claim.signature, claim.group, everything, bits=bits)
    if proof is None:
        return TypesAtSize(sizes)
    tables = invariant_tables(substitute_sizes(programs[0], sizes), proof) if bits else {}
    return TypesAtSize(sizes, proof.to_json(), tables)


def certify_decision(
    claim: Claim, programs: Sequence[Programs], types: Sequence[TypesAtSize]
) -> Checked:
    """Builds the certificate that a claim holds at each of some sizes, and has the kernel check it.

    Where types are a proof at a size, the certificate holds that proof.

    Args:
        claim: the claim.
        programs: the Programs of its functions, at each of the sizes or for all of them.
        types: the types at each of the sizes.
    """
    proofs, readings = list[JSON | None](), list[Sequence[JSON]]()
    for k, at in enumerate(types):
        proof, read = _proof_at_size(claim, programs[k % len(programs)][0], at)
        proofs.append(proof)
        readings.append(read)
    sizes = [at.sizes for at in types]
    sides = _sides_at_sizes(claim, programs, sizes, [proof is None for proof in proofs])
    if isinstance(sides, str):
        return Checked({}, sides, is_limited=False)
    claimed = {**claim.to_json({}), "scope": [dict(at) for at in sizes]}
    if any(readings):
        claimed["readings"] = readings
    certificate = seal("decision", claim=claimed, evidence={"proofs": proofs}, **sides)
    proved = [at for at, proof in zip(types, proofs, strict=True) if proof is not None]
    return checked_by_kernel(
        certificate, dict.fromkeys(r for at in proved for r in at.tables.values())
    )


def _proof_at_size(
    claim: Claim, program: Program, at: TypesAtSize
) -> tuple[JSON | None, Sequence[JSON]]:
    """Returns a proof at one choice of sizes, if its types are one, and the readings of its claim.

    There is none where its types are none in forms.
    """
    if at.proof is None:
        return None, ()
    read, whole = readings_to_json(program, {}, at.tables), program.to_json()
    claimed = claim.to_json({**at.sizes}, read)
    by_nodes = {"claim": claimed, "program": whole, "evidence": at.proof}
    found = _certify_in_forms(by_nodes, program, at.tables.values())
    if found.objection:
        return None, ()
    content = found.certificate
    return {"forms": content["forms"], **content["evidence"]}, content["claim"].get("readings", ())


def readings_to_json(
    program: Program, stored: Mapping[int, Operation], tables: Mapping[int, Reading]
) -> list[JSON]:
    """Returns the readings of a claim in the JSON form of certificates, in the order of the nodes.

    Args:
        program: the Program with the constants as they are read.
        stored: the constants as they are stored, by node.
        tables: the readings of tables as nearby invariant ones, by node.
    """
    found: dict[int, str] = dict.fromkeys(tables, "invariant")
    for node in stored:
        array = program.nodes[node].constant
        if array is not None:
            found[node] = numbers_text(map(Fraction, array.ravel().tolist()))
    return [{"node": node, "read": found[node]} for node in sorted(found)]


def certify_test(claim: Claim, programs: Sequence[Programs], sizes: Sequence[Sizes]) -> Checked:
    """Builds the certificate of passed identity tests at sizes, and has the kernel repeat them."""
    sides = _sides_at_sizes(claim, programs, sizes, [True] * len(sizes))
    if isinstance(sides, str):
        return Checked({}, sides, is_limited=False)
    claimed = {**claim.to_json({}), "scope": [dict(at) for at in sizes]}
    return checked_by_kernel(seal("test", claim=claimed, evidence={"bits": BITS}, **sides))


def certify_results(certificates: Mapping[str, JSON]) -> Checked:
    """Joins the certificates of several results of a function, and has the kernel check them."""
    results = [{"name": name, "certificate": c} for name, c in certificates.items()]
    return checked_by_kernel(seal("results", results=results))


def proof_at(
    program: Program, signature: Signature, group: Group, sizes: Sizes, *, bits: int
) -> Proof | None:
    """Infers types at single sizes; returns them if they prove the claim, else None."""
    found = infer_equivariance(substitute_sizes(program, sizes), signature, group, sizes, bits=bits)
    if isinstance(found, Proof):
        return found
    return None


def _sides_at_sizes(
    claim: Claim, programs: Sequence[Programs], sizes: Sequence[Sizes], asked: Sequence[bool]
) -> dict[str, list[JSON | None]] | str:
    """Returns the forms of each side at each choice of sizes, or why there are none.

    Args:
        claim: the claim.
        programs: the Programs of its functions, at each of the sizes or for all of them.
        sizes: the choices of sizes.
        asked: for each of them, whether its forms are asked for.
    """
    from eqvproof.engines.elaborate.program import forms_of_program

    found = dict[str, list[JSON | None]]()
    try:
        for side, name in enumerate(("forms", "others")[: 1 + claim.is_identity]):
            found[name] = [
                forms_of_program(programs[k % len(programs)][side], at) if asked[k] else None
                for k, at in enumerate(sizes)
            ]
    except ExportError as error:
        return str(error)
    return found
