"""Verdicts from what the engines found; every certificate is re-checked before it is handed out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.engines.infer import Proof
from eqvproof.engines.scope import all_sizes, scope_text, tried_text
from eqvproof.engines.search import Found, SearchResult, Subject, evidence, snippet
from eqvproof.program import Program
from eqvproof.verdict import Counterexample, Grade, Outcome, Verdict, recheck, seal

if TYPE_CHECKING:
    from eqvproof.engines.pipeline import Attempt, Claim

JSON = dict[str, Any]


def claim_json(claim: Claim, scope: Mapping[str, Any]) -> JSON:
    """The claim as certificates hold it."""
    return {
        "kind": "equivariance",
        **claim.signature.to_json(),
        "group": claim.group.to_json(),
        "scope": {k: list(v) if isinstance(v, tuple) else v for k, v in scope.items()},
    }


def undecided(claim: Claim, reason: str, notes: Sequence[str] = ()) -> Verdict:
    """UNDECIDED, with the reason."""
    return Verdict(
        Outcome.UNDECIDED, Grade.NONE, "", reason=reason, signature=str(claim.signature), under=claim.under,
        notes=tuple(notes),
    )  # fmt: skip


def proved(
    claim: Claim, program: Program, proof: Proof, lines: Sequence[str], notes: Sequence[str]
) -> Verdict:
    """PROVED for all sizes, when the kernel agrees."""
    scope = all_sizes(claim.signature, claim.pins)
    certificate = seal(
        "proof", claim=claim_json(claim, scope), program=program.to_json(), evidence=proof.to_json()
    )
    objection = recheck(certificate)
    if objection:
        return undecided(
            claim, f"a derivation was found, but the kernel does not accept it: {objection}", notes
        )
    return Verdict(
        Outcome.HOLDS, Grade.PROVED, scope_text(scope), reason="", sizes=(scope,),
        signature=str(claim.signature), under=claim.under, derivation=tuple(lines), certificate=certificate,
        notes=tuple(notes),
    )  # fmt: skip


def decided(claim: Claim, tried: Sequence[Mapping[str, int]], why: str, notes: Sequence[str]) -> Verdict:
    """DECIDED at single sizes."""
    return Verdict(
        Outcome.HOLDS, Grade.DECIDED, tried_text(tried),
        reason=f"decided exactly at each of these sizes, over the whole group and all inputs; {why}",
        sizes=tuple(tried),
        signature=str(claim.signature), under=claim.under, notes=tuple(notes),
    )  # fmt: skip


def bounded(
    claim: Claim, tried: Sequence[Mapping[str, int]], bits: int, why: str, notes: Sequence[str]
) -> Verdict:
    """BOUNDED at single sizes."""
    return Verdict(
        Outcome.HOLDS, Grade.BOUNDED, tried_text(tried), reason=f"{bounded_text(bits)}; {why}",
        sizes=tuple(tried), signature=str(claim.signature), under=claim.under, notes=tuple(notes),
    )  # fmt: skip


def bounded_text(bits: int) -> str:
    """What an identity test says, in words."""
    return (
        "an identity of rational functions and uninterpreted ones, undefined places included, tested"
        " exactly at random points of prime fields of 61 bits at each of these sizes: wrong with probability"
        f" at most 2^-{bits}"
    )


def from_search(claim: Claim, attempt: Attempt, result: SearchResult, subject: Subject) -> Verdict:
    """What a search says: FAILS, TESTED, or nothing."""
    notes = tuple(dict.fromkeys((*attempt.notes, *result.notes)))
    if result.nondeterministic:
        return undecided(claim, "the target gives different answers to equal calls; " + attempt.why, notes)
    if result.found is not None:
        return fails(claim, attempt, result.found, subject, notes)
    if attempt.is_stateful:
        return undecided(claim, f"the target is no function of its arguments; {attempt.why}", notes)
    if not result.tried:
        empty = (
            f"undefined (NaN, infinite or not computable) at all {result.undefined} points tried"
            if result.undefined
            else "no point could be compared"
        )
        return undecided(claim, f"{empty}; {attempt.why}", notes)
    return Verdict(
        Outcome.HOLDS, Grade.TESTED, tried_text(result.sizes_tried),
        reason=f"no violation in {result.tried} comparisons, and nothing more is claimed; {attempt.why}",
        sizes=tuple(result.sizes_tried), signature=str(claim.signature), under=claim.under, notes=notes,
    )  # fmt: skip


def fails(claim: Claim, attempt: Attempt, found: Found, subject: Subject, notes: tuple[str, ...]) -> Verdict:
    """FAILS, with the counterexample and, where it is exact or enclosed, its certificate."""
    sizes = dict(found.sizes)
    grade = Grade(found.grade)
    if attempt.trace is not None and attempt.trace.program.opaques:
        names = ", ".join(dict.fromkeys(o.name for o in attempt.trace.program.opaques))
        notes = (*notes, f"{names} may be any function: the claim for all of them fails, shown by one choice")
    certificate: JSON | None = None
    if grade is not Grade.OBSERVED:
        program = subject.program_at(sizes)
        parts: JSON = {
            "claim": claim_json(claim, sizes),
            "evidence": evidence(found, claim.signature, claim.group),
        }
        certificate = (
            seal("evaluation", **parts)
            if program is None
            else seal("counterexample", program=program.to_json(), **parts)
        )
        objection = recheck(certificate)
        if objection:
            certificate, grade = None, Grade.OBSERVED
            notes = (*notes, f"the kernel does not confirm the counterexample: {objection}")
    return Verdict(
        Outcome.FAILS, grade, tried_text([sizes]), reason=attempt.why, sizes=(sizes,),
        signature=str(claim.signature), under=claim.under,
        counterexample=counterexample(claim, found, subject),
        certificate=certificate, notes=notes,
    )  # fmt: skip


def counterexample(claim: Claim, found: Found, subject: Subject) -> Counterexample:
    """The counterexample as users see it."""
    return Counterexample(
        sizes=dict(found.sizes),
        inputs=dict(found.inputs),
        element=found.element_data(),
        left=np.asarray(found.left, dtype=object),
        right=np.asarray(found.right, dtype=object),
        entry=tuple(found.entry),
        words=found.words,
        snippet=snippet(found, claim.signature, claim.group, subject),
    )
