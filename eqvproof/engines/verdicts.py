"""Verdicts from results of the engines; every certificate is re-checked before it is returned."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from eqvproof.claims.groups import act_on_point
from eqvproof.engines import certified
from eqvproof.engines.all_sizes import Attempt
from eqvproof.engines.certified import readings_to_json
from eqvproof.engines.claim import Claim
from eqvproof.engines.definedness import Somewhere
from eqvproof.engines.explain import derivation
from eqvproof.engines.identity import IdentityProof
from eqvproof.engines.linear_types import Proof, invariant_tables
from eqvproof.engines.scope import all_sizes, scope_text, tried_text
from eqvproof.engines.search import (
    COMPUTED,
    NAMES,
    ONE_SIDED,
    PRECISIONS,
    UNCONFIRMED,
    Found,
    SearchResult,
    Subject,
    evidence,
    snippet,
)
from eqvproof.engines.verdict import (
    Counterexample,
    Grade,
    Outcome,
    Verdict,
    recheck,
    rejection,
    seal,
    seal_proof,
)
from eqvproof.engines.verdict.scope import ExceptionalSet, Narrowing, PointKind, Reading, wherever
from eqvproof.programs import Program
from eqvproof.programs.evaluate.library_functions import library_function
from eqvproof.programs.rounded_constants import with_constants
from eqvproof.support.deadline import TimeIsUp
from eqvproof.tracing.vector_signs import NO_SIGN

JSON = dict[str, Any]
Subjects = Sequence[Subject]
Sizes = Mapping[str, int]
#: Reason for a function that stores something, although no call showed an effect.
NOT_RULED_OUT = "equal calls gave equal answers, but that later ones do so too could not be shown"

#: Note on rational sides whose certificate holds enclosures.
TOO_LONG = (
    "both sides are rational numbers; they, or numbers on the way to them, are too long to be"
    " computed"
    " exactly once more, so that the differing entry is enclosed"
)


def at_sizes(
    claim: Claim,
    outcome: Outcome,
    grade: Grade,
    tried: Sequence[Sizes],
    reason: str,
    notes: Sequence[str] = (),
) -> Verdict:
    """Builds a verdict at single sizes."""
    narrowed = set[Narrowing]()
    if outcome is Outcome.HOLDS and not claim.are_all(list(map(dict, tried))):
        narrowed.add(Narrowing.SIZES)
    return Verdict(
        outcome,
        grade,
        tried_text(tried) if grade else "",
        reason=reason,
        sizes=tuple(tried),
        signature=str(claim.signature),
        under=claim.under,
        notes=tuple(notes),
        narrowed=frozenset(narrowed),
    )


def undecided(claim: Claim, reason: str, notes: Sequence[str] = ()) -> Verdict:
    """Builds an UNDECIDED verdict with its reason."""
    return at_sizes(claim, Outcome.UNDECIDED, Grade.NONE, (), reason, notes)


def proved(
    claim: Claim,
    attempt: Attempt,
    where: Somewhere,
    notes: Sequence[str],
    undefined: Collection[str] = (),
) -> Verdict:
    """Returns PROVED if f is defined somewhere and the kernel accepts the proof; else UNDECIDED.

    `undefined` names the axes at whose sizes beyond the proof f is defined nowhere.
    """
    proof = attempt.proof
    if proof is None:
        raise ValueError("there is no proof")
    if not where.shown:
        return undecided(claim, where.reason, notes)
    notes, points = (*notes, *where.notes), attempt.points
    is_partial = isinstance(proof, IdentityProof) and not proof.same_domain
    if isinstance(proof, IdentityProof) and is_partial:
        conditions = "; ".join(proof.conditions or ("see the steps",))
        notes = (*notes, f"equal wherever both are defined: {conditions}")
        points = (*points, ExceptionalSet(PointKind.UNDEFINED, conditions))
    scope = all_sizes(claim.signature, claim.pins, attempt.spans)
    if isinstance(proof, Proof):
        shown = proof.to_json()
    else:
        shown = proof.evidence()
    programs, tables = [t.program for t in attempt.traces], dict[int, Reading]()
    if isinstance(proof, Proof) and not claim.literal:
        tables = invariant_tables(programs[0], proof)
    read = readings_to_json(programs[0], attempt.stored, tables)
    programs[0] = with_constants(programs[0], attempt.stored)
    certificate = _sealed(claim, scope, programs, shown, "proof", read, attempt.points)
    objection = recheck(certificate)
    if objection:
        return undecided(
            claim, f"a derivation was found, but the kernel does not accept it: {objection}", notes
        )
    return Verdict(
        Outcome.HOLDS,
        Grade.PROVED,
        scope_text(scope),
        reason="",
        sizes=(scope,),
        signature=str(claim.signature),
        under=claim.under,
        derivation=_lines(claim, attempt, proof),
        certificate=certificate,
        notes=tuple(notes),
        readings=tuple(dict.fromkeys(map(str, (*attempt.readings, *tables.values())))),
        points=points,
        narrowed=narrowing(claim, attempt, undefined, is_partial=is_partial),
    )


def narrowing(
    claim: Claim, attempt: Attempt, undefined: Collection[str], *, is_partial: bool
) -> frozenset[Narrowing]:
    """Returns in which respects a proof says less than the claim.

    Args:
        claim: the claim.
        attempt: the proof.
        undefined: the axes at whose other sizes the function is defined nowhere.
        is_partial: whether it proves equality only where both functions are defined.
    """
    found = set()
    if any(
        claim.asked(name) != span for name, span in attempt.spans.items() if name not in undefined
    ):
        found.add(Narrowing.SIZES)
    if is_partial or (attempt.points and not claim.generic):
        found.add(Narrowing.POINTS)
    return frozenset(found)


def _lines(claim: Claim, attempt: Attempt, proof: Proof | IdentityProof) -> tuple[str, ...]:
    if isinstance(proof, IdentityProof):
        return proof.lines
    sizes = "all sizes in scope" if attempt.spans else "all sizes"
    claimed = f"f is equivariant under {claim.under}, for {sizes}{wherever(attempt.points)}"
    return derivation(attempt.traces[0].program, proof, claimed)


def decided(
    claim: Claim, attempt: Attempt, where: Somewhere, tried: Sequence[Sizes], notes: Sequence[str]
) -> Verdict:
    """Returns DECIDED at single sizes; UNDECIDED if no point is known at which f is defined."""
    if not where.shown:
        return undecided(claim, where.reason, notes)
    if claim.is_identity:
        what = "for all inputs"
    else:
        what = "over the whole group and all inputs"
    reason = _joined(f"decided exactly at each of these sizes, {what}", attempt.why)
    verdict = at_sizes(claim, Outcome.HOLDS, Grade.DECIDED, tried, reason, (*notes, *where.notes))
    bits = 0 if claim.literal else attempt.bits
    certificate, read = certified.decided(claim, attempt.programs_for(tried), tried, bits)
    return replace(
        verdict, certificate=certificate, readings=tuple(map(str, (*attempt.readings, *read)))
    )


def bounded(
    claim: Claim,
    attempt: Attempt,
    where: Somewhere,
    found: tuple[Sequence[Sizes], int],
    notes: Sequence[str],
) -> Verdict:
    """Returns BOUNDED at single sizes; UNDECIDED if no point is known at which f is defined.

    `found` is (sizes, k) for an error probability of at most 2^-k.
    """
    if not where.shown:
        return undecided(claim, where.reason, notes)
    tried, bits = found
    reason = _joined(
        "an identity of rational functions and uninterpreted ones, undefined places included,"
        " tested"
        " exactly at random points of prime fields of 61 bits at each of these sizes: wrong with"
        " probability"
        f" at most 2^-{bits} (they follow from a hash of claim, Program and seed)",
        attempt.why,
    )
    certificate = certified.tested(claim, attempt.programs_for(tried), tried)
    limit = rejection(certificate)[0]
    more = (
        (f"the kernel has not recomputed the test at all of these sizes: {limit}",) if limit else ()
    )
    verdict = at_sizes(
        claim, Outcome.HOLDS, Grade.BOUNDED, tried, reason, (*notes, *where.notes, *more)
    )
    return replace(verdict, certificate=certificate)


def from_search(
    claim: Claim, attempt: Attempt, result: SearchResult, subjects: Subjects
) -> Verdict:
    """Turns the result of a search into a verdict: FAILS, TESTED or UNDECIDED."""
    notes = tuple(dict.fromkeys((*attempt.notes, *result.notes)))
    target = "a target" if claim.is_identity else "the target"
    if result.nondeterministic:
        differing = f"two equal calls of {target} gave different answers"
        return undecided(claim, _joined(differing, attempt.why), notes)
    if result.found is not None:
        return fails(claim, attempt, result.found, subjects, notes)
    for doubt in (NAMES, COMPUTED, ONE_SIDED, UNCONFIRMED):
        for note in result.notes:
            if note.startswith(doubt):
                return undecided(claim, _joined(note, attempt.why), notes)
    if attempt.is_stateful and result.tried:
        return undecided(claim, _joined(NOT_RULED_OUT, attempt.why), notes)
    if not result.tried:
        if result.undefined:
            empty = f"undefined (NaN, infinite or not computable) at all {result.undefined} points tried"
        else:
            empty = "no point could be compared"
        return undecided(claim, _joined(empty, attempt.why), notes)
    what = "difference" if claim.is_identity else "violation"
    reason = _joined(
        f"no {what} in {result.tried} comparisons, and nothing more is claimed", attempt.why
    )
    return at_sizes(claim, Outcome.HOLDS, Grade.TESTED, result.sizes_tried, reason, notes)


def fails(
    claim: Claim, attempt: Attempt, found: Found, subjects: Subjects, notes: tuple[str, ...]
) -> Verdict:
    """Returns FAILS with the counterexample and, if it is exact or enclosed, its certificate."""
    sizes = dict(found.sizes)
    grade = Grade(found.grade)
    opaques = (o.name for t in attempt.traces for o in t.program.opaques)
    names = dict.fromkeys(name for name in opaques if library_function(name) is None)
    if names:
        notes = (
            *notes,
            f"{', '.join(names)} may be any function: the claim for all of them fails, shown by"
            f" one choice",
        )
    shown = counterexample(claim, found, subjects)
    programs = [p for s in subjects if (p := s.program_at(sizes)) is not None]
    is_complete = len(programs) == len(subjects)
    certificate: JSON | None = None
    if grade is not Grade.OBSERVED and not claim.reps:
        certificate, objection = certificate_of(claim, found, programs if is_complete else ())
        if certificate is None:
            grade, notes = Grade.OBSERVED, (*notes, objection)
        elif certificate["evidence"]["arithmetic"] == "ball":
            grade = Grade.ENCLOSED
            notes = (*notes, TOO_LONG) if found.is_long or found.arithmetic == "rational" else notes
    known = {a.signs_at(sizes): None for a in attempt.at_sizes if NO_SIGN not in attempt.why}
    verdict = at_sizes(claim, Outcome.FAILS, grade, [sizes], _joined(*known, attempt.why), notes)
    return replace(verdict, counterexample=shown, certificate=certificate)


def certificate_of(
    claim: Claim, found: Found, programs: Sequence[Program]
) -> tuple[JSON | None, str]:
    """Returns the certificate of a counterexample that is cheapest to check, or the objection.

    Without Programs it records values. If exact sides are too much work to compare as a whole, the
    entry is enclosed.
    """
    kind, objection = "counterexample" if programs else "evaluation", ""
    exact, enclosed = (
        [(found, PRECISIONS[-1])],
        [(replace(found, arithmetic="ball"), p) for p in PRECISIONS],
    )
    ways = enclosed if found.arithmetic == "ball" else [*exact, *(enclosed if programs else [])]
    try:
        for way, precision in ways:
            shown = evidence(way, claim.signature, claim.group, precision)
            certificate = _sealed(claim, dict(found.sizes), programs, shown, kind)
            objection, is_limit = rejection(certificate)
            if not objection:
                return certificate, ""
            if is_limit and way.arithmetic == "ball":  # with more bits it is more work
                break
    except TimeIsUp:
        objection = "the time ran out"
    return None, f"the kernel does not confirm the counterexample: {objection}"


def counterexample(claim: Claim, found: Found, subjects: Subjects) -> Counterexample:
    """Builds the counterexample of a verdict."""
    carries = claim.reps or claim.signature.irreps
    return Counterexample(
        sizes=dict(found.sizes),
        inputs=dict(found.inputs),
        element=found.element_data(),
        left=np.asarray(found.left, dtype=object),
        right=np.asarray(found.right, dtype=object),
        entry=tuple(found.entry),
        words=found.words,
        snippet="" if carries else snippet(found, claim.signature, claim.group, *subjects),
        labels=("f(x)", "g(x)") if claim.is_identity else ("f(g x)", "g f(x)"),
        moved={} if claim.is_identity or claim.reps else act_on_point(
            found.elements, found.inputs, claim.signature, found.sizes),
    )  # fmt: skip


#: Kinds of certificates: of equivariance -> of identity.
_KINDS = {"proof": "identity", "counterexample": "difference"}


def _sealed(
    claim: Claim,
    scope: Mapping[str, Any],
    programs: Sequence[Any],
    shown: Any,
    kind: str,
    read: Sequence[JSON] = (),
    points: Sequence[ExceptionalSet] = (),
) -> JSON:
    """Builds the certificate of a claim with its evidence, and with its Programs if known."""
    if kind == "proof" and not claim.is_identity:
        program = programs[0].to_json(is_stored=True)
        return seal_proof(claim=claim.to_json(scope, read, points), program=program, evidence=shown)
    parts = dict(zip(("program", "other"), (p.to_json() for p in programs), strict=False))
    kind = _KINDS.get(kind, kind) if claim.is_identity else kind
    return seal(kind, claim=claim.to_json(scope), evidence=shown, **parts)


def _joined(*parts: str) -> str:
    """Joins the parts of a reason that are not empty."""
    return "; ".join(filter(None, parts))
