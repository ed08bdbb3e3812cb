"""Brings a claim to its verdict, stage after stage: `check`, `prove`, `decide`, `bound`, `refute`.

    stage     from                            to                                   file
    read      a call                          Claim, one for each result           read_call
    trace     Claim                           Traced | TracedAtSizes               trace_claim
    prove     Traced                          Candidate | Reason                   prove_claim
    confirm   Candidate                       Proved | NoProof                     prove_claim
    decide    Traced | TracedAtSizes          Decision | PassedTest | NoDecision   decide_claim
    search    Claim, Traced | TracedAtSizes   Searched                             search_claim
    certify   Proved, FoundCounterexample     certificate                          certify
    conclude  any result                      Verdict, with its certificate        conclude

`guarded_call.py` reads a call and guards the other stages, which are called from this file alone (deciding
and concluding build certificates themselves). `check`, `prove`, `decide`, `bound` and `refute` are
combinations of stages. A second try, with a narrower scope or at other sizes, is a loop or a branch
here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from eqvproof.engines import (
    branch_ranges,
    conclude,
    exceptional_verdicts,
    outside_scope,
)
from eqvproof.engines.claim import Claim
from eqvproof.engines.definedness import Definedness, defined_somewhere
from eqvproof.engines.identity import IdentityProof
from eqvproof.engines.known_programs import (
    KnownPrograms,
    Traced,
    TracedAtSizes,
    UntracedKind,
    at_single_sizes,
    by_calls,
)
from eqvproof.engines.prove_claim import NoProof, Proved, confirm, prove, without_proof
from eqvproof.engines.provers import Candidate
from eqvproof.engines.reasons import NO_REASON, Reason, Why
from eqvproof.engines.scope import LARGEST_DEFAULT
from eqvproof.engines.trace_claim import (
    TRACE_SHARE,
    reason_without_proof,
    trace,
    without_library,
)
from eqvproof.engines.verdict import Outcome, Verdict
from eqvproof.support.deadline import TimeIsUp, overtime
from eqvproof.support.errors import ShapeError, TargetError
from eqvproof.support.forked_work import keep_partial_result, run_or_substitute
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.trace import Trace

if TYPE_CHECKING:
    from eqvproof.engines import decide_claim, nearest, rounded_refutations, search_claim
    from eqvproof.engines.decide_claim import Decision, NoDecision, PassedTest
    from eqvproof.engines.search import Acts
    from eqvproof.engines.search_claim import Exceptional, Searched
else:  # stages that most claims with a proof do not reach
    decide_claim = LaterModule("eqvproof.engines.decide_claim")
    nearest = LaterModule("eqvproof.engines.nearest")
    rounded_refutations = LaterModule("eqvproof.engines.rounded_refutations")
    search_claim = LaterModule("eqvproof.engines.search_claim")

#: Largest share of the time for the search for a proof: the rest is for counterexamples.
PROOF_SHARE = 0.6
#: Seconds for the search at other sizes once the small ones are decided.
AFTER_DECISION = 2.0
#: Least sizes of the first calls of a function; the last is for functions that need more entries,
#: such as the 20 nearest points.
TYPICAL = (3, 4, 24)


# -- combinations of stages, one for each question -----------------------------------------------
def check(claim: Claim) -> Verdict:
    """Returns the strongest verdict, of FAILS with the verdict on the nearest claim that holds."""
    return _with_nearest(claim, strongest(claim))


def strongest(claim: Claim) -> Verdict:
    """Returns the strongest verdict: all stages, strongest result first.

    A proof for all sizes; else a counterexample that floats show at once; else decisions, or tests
    modulo primes, at single sizes; else the smallest counterexample; else counts of comparisons.
    """
    if claim.reps:
        return _check_by_calls(claim)
    found = run_or_substitute(
        lambda: _trace_and_prove(claim, PROOF_SHARE),
        lambda why: NoProof(at_single_sizes(claim), Reason(Why.INTERNAL, why)),
    )
    compared = found.programs.compared
    _require_typical(claim, found.programs)
    if isinstance(found, Proved):
        verdict = _conclude_proof(claim, found)
    else:
        verdict = _without_proof(claim, found)
    if claim.generic:
        return exceptional_verdicts.with_points_left_out(verdict, compared)
    return _with_elsewhere(claim, verdict, compared, strongest)


def prove_only(claim: Claim) -> Verdict:
    """Returns PROVED or UNDECIDED."""
    if claim.reps:
        return conclude.undecided(claim, Reason(Why.FUNCTIONS_OF_ELEMENTS))
    found = _trace_and_prove(claim)
    if isinstance(found, NoProof):
        return conclude.undecided(claim, found.why, found.programs.notes)
    where = defined_somewhere(claim, found.programs)
    return conclude.proved(claim, found, where)


def decide_only(claim: Claim) -> Verdict:
    """Returns DECIDED at the sizes that were reached, or UNDECIDED."""
    if claim.reps:
        return conclude.undecided(claim, Reason(Why.FUNCTIONS_OF_ELEMENTS))
    if claim.signature.irreps:  # components of irreps are split while a proof is searched
        found = _trace_and_prove(claim)
        programs = found.programs.with_stored_constants()
        why = found.why if isinstance(found, NoProof) else NO_REASON
    else:
        programs = _trace_only(claim)
        why = reason_without_proof(programs)
    _require_typical(claim, programs)
    decision = decide_claim.decided_sizes(claim, programs)
    if isinstance(decision, decide_claim.NoDecision):
        return conclude.undecided(claim, decision.why or why, programs.notes)
    where = defined_somewhere(claim, programs, decision.sizes)
    return conclude.decided(claim, programs, decision, where, why, programs.notes)


def bound_only(claim: Claim) -> Verdict:
    """Runs the identity test alone: BOUNDED at the sizes that were reached, or UNDECIDED."""
    programs = _trace_only(claim)
    why = reason_without_proof(programs)
    passed = decide_claim.bounded_sizes(claim, programs, claim.deadline)
    if isinstance(passed, decide_claim.NoDecision):
        return conclude.undecided(claim, Reason(Why.TEST_FAILED, inner=why), programs.notes)
    where = defined_somewhere(claim, programs, passed.sizes)
    return conclude.decided(claim, programs, passed, where, why, programs.notes)


def refute(claim: Claim) -> Verdict:
    """Returns FAILS, or UNDECIDED with counts of the tries."""
    if claim.reps:
        verdict = _check_by_calls(claim)
        if verdict.holds:
            return conclude.undecided(claim, verdict.reason, verdict.notes)
        return verdict
    programs = _trace_only(claim)
    why = NO_REASON if isinstance(programs, Traced) else programs.untraced.reason
    _require_typical(claim, programs)
    verdict = _by_search(claim, programs, why)
    if verdict.fails:
        return _with_elsewhere(claim, verdict, programs.compared, refute)
    return conclude.undecided(claim, Reason(Why.NOT_REFUTED, verdict.reason), verdict.notes)


# -- trace, prove, confirm -----------------------------------------------------------------------
def _trace_only(claim: Claim) -> KnownPrograms:
    """Traces the functions of a claim, for uses other than proofs."""
    return without_library(claim, trace(claim, claim.moment(TRACE_SHARE)))


def _trace_and_prove(claim: Claim, part: float = 1.0) -> Proved | NoProof:
    """Searches for a proof; if integers overflow, for the sizes at which they do not.

    Args:
        claim: the claim.
        part: largest share of the time for the search for a proof; the trace has its own share.
    """
    first = _prove_traced(claim, part)
    if isinstance(first, Proved) or not first.programs.may_overflow:
        return first
    again = _prove_traced(claim, part, limited=True)
    if isinstance(again, NoProof):
        return first
    limits = again.programs.limits.items()
    if any(claim.ranges.get(n, (1, 1))[0] > most for n, most in limits):
        return first
    return replace(again, everywhere=first)


def _prove_traced(claim: Claim, part: float, *, limited: bool = False) -> Proved | NoProof:
    end = claim.moment(TRACE_SHARE)
    programs = trace(claim, end, limited=limited, at_some_sizes=True)
    if isinstance(programs, TracedAtSizes):
        return NoProof(programs, programs.untraced.reason)
    with programs.at_covered_sizes():
        found = prove(claim, programs, part)
        if isinstance(found, Candidate):
            return confirm(claim, programs, found, end)
        return without_proof(claim, programs, found)


def _conclude_proof(claim: Claim, proved: Proved) -> Verdict:
    """Returns PROVED, FAILS by a point that the proof leaves open, or else a weaker verdict."""
    where = defined_somewhere(claim, proved.programs)
    if not where.shown:
        if proved.points and proved.everywhere is not None:  # defined only where entries tie
            return _without_proof(claim, proved.everywhere)
        weaker = _defined_nowhere(claim, proved.programs, where)
        return _unless_rounded(claim, proved, weaker, where.why)
    with overtime():
        verdict = _outside_scope(claim, proved, where)
    if verdict.outcome is not Outcome.UNDECIDED:
        return verdict
    rest = proved.programs.with_stored_constants().at_all_sizes(claim)
    why = Reason(Why.NOT_CONFIRMED, verdict.reason)
    return _unless_rounded(claim, proved, _without_proof(claim, NoProof(rest, why)), why)


def _unless_rounded(claim: Claim, proved: Proved, verdict: Verdict, why: Reason) -> Verdict:
    """Returns a verdict, or UNDECIDED where rounding alone may refute what has a proof."""
    if rounded_refutations.is_explained_by_rounding(verdict, proved.programs.programs):
        return conclude.undecided(claim, why, verdict.notes)
    return verdict


def _outside_scope(claim: Claim, proved: Proved, where: Definedness) -> Verdict:
    """Searches at the sizes and points that a proof leaves open: FAILS there, else PROVED."""
    programs, notes, undefined = proved.programs, list[str](), set[str]()
    rest = NoProof(programs, NO_REASON) if proved.everywhere is None else proved.everywhere
    for there in outside_scope.claims_outside(claim, programs):
        known = outside_scope.programs_there(rest.programs, there)
        try:
            found = _search(there, known, rest.why)
        except (ShapeError, TargetError) as error:  # not a valid function there
            sizes = ", ".join(f"{n} in {low}..{high}" for n, (low, high) in there.ranges.items())
            notes.append(f"not tried at {sizes}: {error.message}")
            undefined.update(
                n for n, (low, _) in programs.spans.items() if there.ranges[n][1] < low
            )
            continue
        if found.refutes:
            return _conclude_search(there, found, rest.why)
    if proved.points and not claim.generic:
        there, known = outside_scope.at_exceptional_points(claim, proved, rest.programs)
        found = _search(
            there, known, rest.why, most=outside_scope.MOST_EXCEPTIONAL, exceptional="only"
        )
        rest = replace(rest, programs=known)
        if found.refutes:
            failing = _conclude_search(there, found, rest.why)
            elsewhere = conclude.proved(claim, proved, where, notes, undefined)
            return replace(failing, points=proved.points, elsewhere=elsewhere)
    if isinstance(proved.proof, IdentityProof) and not proved.proof.same_domain:
        one_sided = _defined_on_one_side(claim, rest.programs.at_all_sizes(claim))
        if one_sided is not None:
            return one_sided
        from eqvproof.engines.one_sided_poles import one_sided_poles

        notes.extend(one_sided_poles(claim, programs.programs))
    return conclude.proved(claim, proved, where, notes, undefined)


def _defined_on_one_side(claim: Claim, programs: KnownPrograms) -> Verdict | None:
    """Searches for a point at which only one of two functions is defined.

    Small sizes come first, with all their structured points, zeros among them.

    Returns:
        FAILS with that point; the verdict so far if the time is over; else None.
    """
    why = Reason(Why.DEFINED_ON_ONE_SIDE)
    short = outside_scope.on_one_side(claim)
    close = replace(short, ranges=outside_scope.small_sizes(claim))
    small = _search(close, programs, why, most=search_claim.points_to_try(close, programs))
    is_late = not small.result.is_structured and time.monotonic() > claim.deadline
    if small.refutes or (is_late and not small.obstacle):
        return _conclude_search(close, small, why)
    found = _search(short, programs, why, most=search_claim.points_to_try(claim, programs))
    if found.refutes:
        return _conclude_search(short, found, why)
    return None


def _defined_nowhere(claim: Claim, programs: KnownPrograms, where: Definedness) -> Verdict:
    """Searches for a point at which one side is defined, if none is known at which both are."""
    short, rest = outside_scope.on_one_side(claim), programs.at_all_sizes(claim)
    found = _search(short, rest, where.why, most=search_claim.points_to_try(claim, rest))
    verdict = _conclude_search(short, found, where.why)
    if verdict.fails:
        return verdict
    return conclude.undecided(claim, where.why, verdict.notes)


# -- decide, search ------------------------------------------------------------------------------
def _without_proof(claim: Claim, found: NoProof) -> Verdict:
    """Returns the strongest verdict that needs no proof for all sizes."""
    wrong = _plain_violation(claim, found.at_larger_sizes or found)
    if wrong is not None:
        return wrong
    programs, why = found.programs, found.why
    decision, is_whole = run_or_substitute(
        lambda: _decided_or_tested(claim, programs), lambda _: (decide_claim.NoDecision(), False)
    )
    if isinstance(decision, decide_claim.NoDecision):
        gives_all_sizes = claim.are_all(claim.combinations())
        if why.kind is Why.UNTRACED and gives_all_sizes and decision.why.kind is not Why.TIME:
            why = decision.why or why  # nearer to the strongest verdict that is possible
        return _by_search(claim, programs, why)
    where = defined_somewhere(claim, programs, decision.sizes)
    if not where.shown:
        return _defined_nowhere(claim, programs, where)

    def decided(notes: Sequence[str]) -> Verdict:
        return conclude.decided(claim, programs, decision, where, why, notes)

    keep_partial_result(lambda: decided(programs.notes))
    if is_whole:
        failing = _at_branch_sizes(claim, programs, why, decision.sizes)
        if failing is None:
            return decided(programs.notes)
        return failing
    skipped = decision.sizes if isinstance(decision, decide_claim.Decision) else ()
    found_later = _by_search(claim.within(AFTER_DECISION), programs, why, decided=skipped)
    untold = isinstance(programs, TracedAtSizes) and not found_later.holds
    if found_later.fails or untold:
        return found_later
    return decided(tuple(dict.fromkeys((*programs.notes, *found_later.notes))))


def _plain_violation(claim: Claim, found: NoProof) -> Verdict | None:
    """Returns FAILS if floats show a clear violation, before time is spent on exact decisions."""
    programs = found.programs
    if isinstance(programs, TracedAtSizes):
        return None
    spans = {
        n: (low, high or max(low + 1, LARGEST_DEFAULT)) for n, (low, high) in programs.spans.items()
    }
    there = replace(claim, ranges={**spans, **claim.ranges})
    from eqvproof.engines.plain_violations import is_plainly_wrong

    if not is_plainly_wrong(there, programs.traces[0]):
        return None
    searched = _search(there, programs, found.why)
    if searched.refutes:
        return _conclude_search(there, searched, found.why)
    return None


def _decided_or_tested(
    claim: Claim, programs: KnownPrograms
) -> tuple[Decision | PassedTest | NoDecision, bool]:
    """Decides the claim at single sizes, or else tests it modulo primes.

    Returns the result, and whether it covers all sizes that are tried.
    """
    if isinstance(programs, TracedAtSizes) and programs.untraced.kind is UntracedKind.TIME:
        return decide_claim.NoDecision(), False  # tracing at single sizes would be too slow as well
    is_traced = isinstance(programs, Traced)
    found = decide_claim.decided_sizes(claim, programs)
    if isinstance(found, decide_claim.Decision):
        is_whole = len(found.sizes) == len(claim.combinations()[: decide_claim.MOST_DECIDED])
        if is_traced and is_whole:
            return found, True
        if claim.goes_beyond_one(found.sizes):
            return found, False
    passed = decide_claim.bounded_sizes(claim, programs)
    if isinstance(passed, decide_claim.PassedTest) and claim.goes_beyond_one(passed.sizes):
        return passed, is_traced and claim.are_all(passed.sizes)
    why = found.why if isinstance(found, decide_claim.NoDecision) else NO_REASON
    return decide_claim.NoDecision(why), False


def _by_search(
    claim: Claim,
    programs: KnownPrograms,
    why: Reason,
    *,
    decided: Sequence[Mapping[str, int]] = (),
) -> Verdict:
    """Returns FAILS with the smallest counterexample found; else TESTED or UNDECIDED."""
    verdict = _conclude_search(claim, _search(claim, programs, why, decided=decided), why)
    if verdict.fails:
        return verdict
    failing = _at_branch_sizes(claim, programs, why, claim.combinations()[-1:])
    if failing is None:
        return verdict
    return failing


def _at_branch_sizes(
    claim: Claim, programs: KnownPrograms, why: Reason, decided: Sequence[Mapping[str, int]]
) -> Verdict | None:
    """Searches at sizes at which a Program starts to compute something else; FAILS or None."""
    short = claim.within(branch_ranges.SECONDS)
    with suppress(TimeIsUp):
        for ranges in branch_ranges.ranges_at_branch_sizes(claim, programs, decided):
            there = replace(short, ranges=ranges)
            with suppress(ShapeError, TargetError):  # not a valid function there
                found = _search(there, programs, why, most=branch_ranges.COMPARISONS)
                if found.refutes:
                    return _conclude_search(there, found, why)
    return None


def _search(
    claim: Claim,
    programs: KnownPrograms,
    why: Reason,
    *,
    acts: Acts | None = None,
    most: int | None = None,
    exceptional: Exceptional = "",
    decided: Sequence[Mapping[str, int]] = (),
) -> Searched:
    """Searches for a counterexample; see `search_claim.search`.

    Where Programs do not determine the order of equal entries, and where calls do not show the
    counterexample of a Program, the functions are called at all points.
    """

    def tell(found: Searched) -> Verdict:
        return conclude.searched(claim, found, why)

    def search(known: KnownPrograms) -> Searched:
        return search_claim.search(
            claim, known, tell, acts=acts, most=most, exceptional=exceptional, decided=decided
        )

    found = search(programs)
    if found.obstacle or (not found.refutes and not programs.rests_on_ties):
        return found
    if found.refutes and not search_claim.is_contradicted(claim, found, acts):
        return found
    called = search(by_calls(claim, programs))
    if called.refutes:
        return called
    if found.refutes:
        return search_claim.with_doubt(called)
    if called.result.tried > found.result.tried:
        return called
    return found


def _conclude_search(claim: Claim, found: Searched, why: Reason) -> Verdict:
    with overtime():
        return conclude.searched(claim, found, why)


def _with_nearest(claim: Claim, verdict: Verdict) -> Verdict:
    """Adds to a claim that fails the verdict on the nearest one that holds, if one is found."""
    if verdict.outcome is not Outcome.FAILS or claim.is_identity or verdict.elsewhere is not None:
        return verdict
    with_nearest: Callable[..., Verdict] = nearest.with_nearest
    return with_nearest(claim, verdict, prove_only)


def _with_elsewhere(
    claim: Claim,
    verdict: Verdict,
    compared: Sequence[Trace],
    judge: Callable[[Claim], Verdict],
) -> Verdict:
    """Adds the verdict off the exceptional points to a counterexample at such a point.

    A counterexample off them replaces one on them, unless it is weaker.
    """
    if verdict.elsewhere is not None or claim.generic:
        return verdict
    points = exceptional_verdicts.exceptional_sets(verdict, compared)
    if not points:
        return verdict
    most = max(0.0, claim.seconds_left * exceptional_verdicts.MOST_SHARE)
    seconds = min(exceptional_verdicts.ELSEWHERE_SECONDS, most)
    generic = replace(claim, generic=True).within(seconds, exceptional_verdicts.LEAST_SHARE)
    try:
        elsewhere = judge(generic)
    except (TargetError, ShapeError) as error:  # at small sizes it takes no other points
        elsewhere = conclude.undecided(claim, error.message)
    if elsewhere.fails and elsewhere.grade >= verdict.grade:
        return elsewhere
    return replace(verdict, points=points, elsewhere=elsewhere)


def _check_by_calls(claim: Claim) -> Verdict:
    """Returns FAILS, TESTED or UNDECIDED, for representations given by functions."""
    from eqvproof.engines.representations import Acting

    acts = Acting(claim)
    first = acts.order[0]
    fixed = {
        r.axis: first[r.axis]
        for r in claim.reps
        if all(s[r.axis] == first[r.axis] for s in acts.order)
    }
    programs = _trace_only(replace(claim, pins={**claim.pins, **fixed}))
    if any(t.program.opaques for t in programs.traces):
        return conclude.undecided(claim, Reason(Why.UNKNOWN_FUNCTIONS_OF_ELEMENTS))
    if isinstance(programs, TracedAtSizes):
        search_claim.require_typed(claim, [acts.order[-1]])
    why = Reason(Why.MATRICES_OF_FUNCTIONS, ", ".join(r.axis for r in claim.reps))
    return _conclude_search(claim, _search(claim, programs, why, acts=acts), why)


def _require_typical(claim: Claim, programs: KnownPrograms) -> None:
    """Calls an untraced function at sizes that all differ: it must return there.

    A function that raises there is bad input, not one of a claim about other sizes.

    Raises:
        TargetError, ShapeError: the error of the function there.
    """
    if isinstance(programs, TracedAtSizes):
        search_claim.require_typed(claim, [claim.typical_sizes(start) for start in TYPICAL])
