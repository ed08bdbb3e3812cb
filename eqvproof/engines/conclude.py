"""Stage `conclude` of a claim: verdicts, with their grades, from results of other stages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from eqvproof.engines.certify import (
    Sizes,
    certify_counterexample,
    certify_proof,
)
from eqvproof.engines.claim import Claim
from eqvproof.engines.definedness import Definedness
from eqvproof.engines.explain import derivation
from eqvproof.engines.identity import IdentityProof
from eqvproof.engines.known_programs import KnownPrograms, TracedAtSizes
from eqvproof.engines.prove_claim import Proved
from eqvproof.engines.reasons import Reason, Why
from eqvproof.engines.scope import all_sizes, scope_text, tried_text
from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.engines.verdict.scope import ExceptionalSet, Narrowing, PointKind, wherever
from eqvproof.programs.evaluate.library_functions import library_function

if TYPE_CHECKING:
    from eqvproof.engines.decide_claim import Decision, PassedTest
    from eqvproof.engines.search import FoundCounterexample, Subject
    from eqvproof.engines.search_claim import Searched
    from eqvproof.engines.verdict import Counterexample

Subjects: TypeAlias = "Sequence[Subject]"
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
    reason: Reason | str,
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
        reason=str(reason),
        sizes=tuple(tried),
        signature=str(claim.signature),
        under=claim.under,
        notes=tuple(notes),
        narrowed=frozenset(narrowed),
    )


def undecided(claim: Claim, reason: Reason | str, notes: Sequence[str] = ()) -> Verdict:
    """Builds an UNDECIDED verdict with its reason."""
    return at_sizes(claim, Outcome.UNDECIDED, Grade.NONE, (), reason, notes)


def proved(
    claim: Claim,
    proof: Proved,
    where: Definedness,
    notes: Sequence[str] = (),
    undefined: Collection[str] = (),
) -> Verdict:
    """Returns PROVED if f is defined somewhere and the kernel accepts the proof; else UNDECIDED.

    Args:
        claim: the claim.
        proof: the proof, whose Programs have remarks of their own.
        where: whether a point is known at which f is defined.
        notes: further remarks.
        undefined: the axes at whose sizes beyond the proof f is defined nowhere.
    """
    points, programs = proof.points, proof.programs
    notes = (*programs.notes, *notes)
    if not where.shown:
        return undecided(claim, where.why, notes)
    notes = (*notes, *where.notes)
    is_partial = isinstance(proof.proof, IdentityProof) and not proof.proof.same_domain
    if isinstance(proof.proof, IdentityProof) and is_partial:
        conditions = "; ".join(proof.proof.conditions or ("see the steps",))
        notes = (*notes, f"equal wherever both are defined: {conditions}")
        points = (*points, ExceptionalSet(PointKind.UNDEFINED, conditions))
    scope = all_sizes(claim.signature, claim.pins, programs.spans)
    checked = certify_proof(claim, proof, scope)
    if checked.objection:
        refused = "a derivation was found, but the kernel does not accept it"
        return undecided(claim, f"{refused}: {checked.objection}", notes)
    return Verdict(
        Outcome.HOLDS,
        Grade.PROVED,
        scope_text(scope),
        reason="",
        sizes=(scope,),
        signature=str(claim.signature),
        under=claim.under,
        derivation=_lines(claim, proof),
        certificate=checked.certificate,
        notes=tuple(notes),
        readings=tuple(dict.fromkeys(map(str, (*programs.readings, *checked.readings)))),
        points=points,
        narrowed=narrowing(claim, proof, undefined, is_partial=is_partial),
    )


def narrowing(
    claim: Claim, proof: Proved, undefined: Collection[str], *, is_partial: bool
) -> frozenset[Narrowing]:
    """Returns in which respects a proof says less than the claim.

    Args:
        claim: the claim.
        proof: the proof.
        undefined: the axes at whose other sizes the function is defined nowhere.
        is_partial: whether it proves equality only where both functions are defined.
    """
    found = set()
    spans = proof.programs.spans.items()
    if any(claim.claimed_range(name) != span for name, span in spans if name not in undefined):
        found.add(Narrowing.SIZES)
    if is_partial or (proof.points and not claim.generic):
        found.add(Narrowing.POINTS)
    return frozenset(found)


def _lines(claim: Claim, proof: Proved) -> tuple[str, ...]:
    if isinstance(proof.proof, IdentityProof):
        return proof.proof.lines
    sizes = "all sizes in scope" if proof.programs.spans else "all sizes"
    claimed = f"f is equivariant under {claim.under}, for {sizes}{wherever(proof.points)}"
    return derivation(proof.programs.programs[0], proof.proof, claimed)


def decided(
    claim: Claim,
    known: KnownPrograms,
    found: Decision | PassedTest,
    where: Definedness,
    why: Reason,
    notes: Sequence[str],
) -> Verdict:
    """Returns DECIDED or BOUNDED at single sizes; UNDECIDED if f is not known to be defined.

    Args:
        claim: the claim.
        known: its Programs.
        found: the sizes at which it holds.
        where: whether a point is known at which the function is defined.
        why: the reason why this is no proof.
        notes: remarks.
    """
    if not where.shown:
        return undecided(claim, where.why, notes)
    from eqvproof.engines.decide_claim import PassedTest

    if isinstance(found, PassedTest):
        return _bounded(claim, found, why, (*notes, *where.notes))
    if claim.is_identity:
        what = "for all inputs"
    else:
        what = "over the whole group and all inputs"
    tried = found.sizes
    reason = _joined(f"decided exactly at each of these sizes, {what}", why)
    verdict = at_sizes(claim, Outcome.HOLDS, Grade.DECIDED, tried, reason, (*notes, *where.notes))
    readings = tuple(map(str, (*known.readings, *found.readings)))
    return replace(verdict, certificate=found.certificate, readings=readings)


def _bounded(claim: Claim, found: PassedTest, why: Reason, notes: Sequence[str]) -> Verdict:
    reason = _joined(
        "an identity of rational functions and uninterpreted ones, undefined places included,"
        " tested"
        " exactly at random points of prime fields of 61 bits at each of these sizes: wrong with"
        " probability"
        f" at most 2^-{found.bits} (they follow from a hash of claim, Program and seed)",
        why,
    )
    checked = found.checked
    if checked.objection and not checked.is_limited:
        refused = "a test was passed, but the kernel does not accept it"
        return undecided(claim, f"{refused}: {checked.objection}", notes)
    if checked.objection:
        what = "the kernel has not recomputed the test at all of these sizes"
        notes = (*notes, f"{what}: {checked.objection}")
    verdict = at_sizes(claim, Outcome.HOLDS, Grade.BOUNDED, found.sizes, reason, notes)
    return replace(verdict, certificate=checked.certificate)


def searched(claim: Claim, found: Searched, why: Reason) -> Verdict:
    """Returns the verdict of a search: FAILS, TESTED or UNDECIDED.

    Args:
        claim: the claim.
        found: the result of the search.
        why: the reason why there is no stronger result.
    """
    result, known = found.result, found.programs
    if found.obstacle:
        text = f"{found.obstacle} has no example to compute with (give example= to opaque)"
        return undecided(claim, f"no point can be tried: {text}; {why}", known.notes)
    from eqvproof.engines.search import Doubt, only_floats

    said = only_floats(why.detail)  # in the reason, once
    notes = tuple(dict.fromkeys(n for n in (*known.notes, *result.notes) if n != said))
    target = "a function" if claim.is_identity else "the function"
    if result.nondeterministic:
        differing = (
            f"two calls with equal arguments returned different results; {target} may draw random"
            " numbers or keep state (module.eval() switches dropout off, a seed set inside repeats"
            " random draws)"
        )
        return undecided(claim, _joined(differing, why), notes)
    if result.found is not None:
        return fails(claim, known, result.found, found.subjects, why, notes)
    for doubt in Doubt:
        if doubt in result.doubts:
            return undecided(claim, _joined(result.doubts[doubt], why), notes)
    if known.is_stateful and result.tried:
        return undecided(claim, _joined(NOT_RULED_OUT, why), notes)
    if not result.tried:
        if result.undefined:
            empty = f"undefined (NaN, infinite or not computable) at all {result.undefined} points tried"
        else:
            empty = "no point could be compared"
        return undecided(claim, _joined(empty, why), notes)
    what = "difference" if claim.is_identity else "violation"
    comparisons = "1 comparison" if result.tried == 1 else f"{result.tried} comparisons"
    reason = _joined(f"no {what} in {comparisons}, and nothing more is claimed", why)
    return at_sizes(claim, Outcome.HOLDS, Grade.TESTED, result.sizes_tried, reason, notes)


def fails(
    claim: Claim,
    known: KnownPrograms,
    found: FoundCounterexample,
    subjects: Subjects,
    why: Reason,
    notes: tuple[str, ...],
) -> Verdict:
    """Returns FAILS with the counterexample and, if it is exact or enclosed, its certificate."""
    sizes = dict(found.sizes)
    grade = Grade(found.grade)
    opaques = (o.name for t in known.traces for o in t.program.opaques)
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
    certificate: dict[str, Any] | None = None
    if grade is not Grade.OBSERVED and not claim.reps:
        certificate, objection = certify_counterexample(
            claim, found, programs if is_complete else ()
        )
        if certificate is None:
            grade, notes = Grade.OBSERVED, (*notes, objection)
        elif certificate["evidence"]["arithmetic"] == "ball":
            grade = Grade.ENCLOSED
            notes = (*notes, TOO_LONG) if found.is_long or found.arithmetic == "rational" else notes
    signs = dict[str, None]()
    if isinstance(known, TracedAtSizes) and not why.has(Why.SIGNS_MATTER):
        signs = dict.fromkeys(reader.signs_at(sizes) for reader in known.readers)
    verdict = at_sizes(claim, Outcome.FAILS, grade, [sizes], _joined(*signs, why), notes)
    return replace(verdict, counterexample=shown, certificate=certificate)


def counterexample(claim: Claim, found: FoundCounterexample, subjects: Subjects) -> Counterexample:
    """Builds the counterexample of a verdict."""
    carries = claim.reps or claim.signature.irreps
    from eqvproof.claims.groups import act_on_point
    from eqvproof.engines.search.snippet import snippet
    from eqvproof.engines.verdict import Counterexample

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


def _joined(*parts: str | Reason) -> str:
    """Joins the parts of a reason that are not empty."""
    return "; ".join(filter(None, map(str, parts)))
