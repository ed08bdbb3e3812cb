"""The way from a claim to a verdict: all strategies, strongest first, and calls that use some.

A trace for all sizes gives a Program, whose types are inferred (or whose normal form is compared
with another's); if that fails, single sizes are decided, or tested modulo primes; else the smallest
counterexample is searched in exact arithmetic; what remains is a count of comparisons without a
violation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from eqvproof.engines import beyond, exceptional, verdicts
from eqvproof.engines.all_sizes import (
    SLOW,
    Attempt,
    at_all_sizes,
    attempt_proof,
    attempt_trace,
    untraced,
    with_stored_constants,
)
from eqvproof.engines.claim import Claim
from eqvproof.engines.definedness import defined_somewhere
from eqvproof.engines.fixed_sizes import MOST_DECIDED, bounded_sizes, decided_sizes
from eqvproof.engines.float_check import is_plainly_wrong
from eqvproof.engines.scope import LARGEST_DEFAULT
from eqvproof.engines.searching import require_typed, searched
from eqvproof.engines.turning import at_turning_sizes
from eqvproof.engines.verdict import Verdict
from eqvproof.support.apart import expected_or, so_far
from eqvproof.support.deadline import overtime

#: Seconds for the search at other sizes once the small ones are decided.
AFTER_DECISION = 2.0


@dataclass(frozen=True, slots=True)
class Known:
    """The state of knowledge about a claim, passed from strategy to strategy.

    Attributes:
        claim: the claim; its deadline moves closer once there is a strong verdict.
        attempt: the result of the attempt at a proof.
        strong: builds the verdict at single sizes from some notes; None if there is none.
        decided: the sizes that were decided to hold.
    """

    claim: Claim
    attempt: Attempt
    strong: Callable[[Sequence[str]], Verdict] | None = None
    decided: Sequence[Mapping[str, int]] = ()


#: Returns a verdict, or the knowledge to pass on without one.
Strategy = Callable[[Known], Verdict | Known]


def by_proof(known: Known) -> Verdict | Known:
    """Returns PROVED from a proof for all sizes, or FAILS by a point that the proof leaves open."""
    claim, attempt = known.claim, known.attempt
    if attempt.proof is None:
        return known
    where = defined_somewhere(claim, attempt)
    if not where.shown:
        tied = attempt.beyond if attempt.points else None  # wherever f is defined, entries tie
        if tied is None:
            return beyond.nowhere(claim, attempt, where)
        return replace(known, attempt=tied)
    with overtime():
        verdict = beyond.judged(claim, attempt, where)
    if verdict.holds or verdict.fails:
        return verdict
    whole = at_all_sizes(claim, with_stored_constants(attempt))
    return replace(known, attempt=replace(whole, proof=None, why=verdict.reason))


def by_plain_violation(known: Known) -> Verdict | Known:
    """Returns FAILS if floats show a clear violation, before time is spent on exact decisions."""
    attempt = known.attempt.partial or known.attempt
    spans = {
        n: (low, high or max(low + 1, LARGEST_DEFAULT)) for n, (low, high) in attempt.spans.items()
    }
    there = replace(known.claim, ranges={**spans, **known.claim.ranges})
    if attempt.trace is None or not is_plainly_wrong(there, attempt.trace):
        return known
    found = searched(there, attempt)
    if found.fails:
        return found
    return known


def at_single_sizes(known: Known) -> Verdict | Known:
    """Returns DECIDED at single sizes, or else BOUNDED by tests modulo primes."""
    claim, attempt = known.claim, known.attempt
    nothing: Sizes = ([], [], 0, False)
    done, random, bits, is_whole = expected_or(lambda: _decided_or_tested(known), lambda _: nothing)
    if not (done or random):
        return known
    where = defined_somewhere(claim, attempt, done or random)
    if not where.shown:
        return beyond.nowhere(claim, attempt, where)

    def strong(notes: Sequence[str]) -> Verdict:
        if done:
            return verdicts.decided(claim, attempt, where, done, notes)
        return verdicts.bounded(claim, attempt, where, (random, bits), notes)

    if is_whole:
        so_far(lambda: strong(attempt.notes))
        turned = at_turning_sizes(claim, attempt, done or random)
        if turned is None:
            return strong(attempt.notes)
        return turned
    so_far(lambda: strong(attempt.notes))
    return Known(claim.within(AFTER_DECISION), attempt, strong, done)


def by_search(known: Known) -> Verdict:
    """Returns FAILS with the smallest counterexample found; else the strong verdict there is.

    Without a strong verdict, returns TESTED or UNDECIDED with counts of the comparisons.
    """
    attempt = known.attempt
    found = searched(known.claim, attempt, decided=known.decided)
    if not found.fails:
        turned = at_turning_sizes(known.claim, attempt, known.claim.combinations()[-1:])
        found = found if turned is None else turned
    if found.fails or known.strong is None or (attempt.trace is None and not found.holds):
        return found
    return known.strong(tuple(dict.fromkeys((*attempt.notes, *found.notes))))


#: Largest share of the time for the search for a proof: the rest is for counterexamples.
PROOF_SHARE = 0.6
#: Strategies in the order in which they are tried, before the search.
STRATEGIES: tuple[Strategy, ...] = (by_proof, by_plain_violation, at_single_sizes)


def check(claim: Claim) -> Verdict:
    """Returns the strongest verdict that the engines reach."""
    attempt = expected_or(
        lambda: attempt_proof(claim, PROOF_SHARE), lambda why: untraced(claim, why)
    )
    known = Known(claim, attempt)
    traces = known.attempt.compared
    _require_typical(claim, known.attempt)
    verdict = _by_strategies(known)
    if claim.generic:
        return exceptional.generic_verdict(verdict, traces)
    return exceptional.with_elsewhere(claim, verdict, traces, check)


def _by_strategies(known: Known) -> Verdict:
    """Returns the verdict of the first strategy that has one, else that of the search."""
    for strategy in STRATEGIES:
        found = strategy(known)
        if isinstance(found, Verdict):
            return found
        known = found
    return by_search(known)


def prove(claim: Claim) -> Verdict:
    """Returns PROVED or UNDECIDED."""
    attempt = attempt_proof(claim)
    if attempt.proof is None:
        return verdicts.undecided(claim, attempt.why, attempt.notes)
    return verdicts.proved(claim, attempt, defined_somewhere(claim, attempt), attempt.notes)


def bound(claim: Claim) -> Verdict:
    """Runs the identity test alone: BOUNDED at the sizes that were reached, or UNDECIDED."""
    attempt = attempt_trace(claim)
    done, bits = bounded_sizes(claim, attempt, claim.deadline)
    if done:
        where = defined_somewhere(claim, attempt, done)
        return verdicts.bounded(claim, attempt, where, (done, bits), attempt.notes)
    return verdicts.undecided(
        claim, f"the identity test decides nothing; {attempt.why}", attempt.notes
    )


def decide(claim: Claim) -> Verdict:
    """Returns DECIDED at the sizes that were reached, or UNDECIDED."""
    in_components = bool(claim.signature.irreps)
    if in_components:
        attempt = with_stored_constants(attempt_proof(claim))
    else:
        attempt = attempt_trace(claim)
    _require_typical(claim, attempt)
    done, reason = decided_sizes(claim, attempt)
    if done:
        where = defined_somewhere(claim, attempt, done)
        return verdicts.decided(claim, attempt, where, done, attempt.notes)
    return verdicts.undecided(claim, reason or attempt.why, attempt.notes)


def refute(claim: Claim) -> Verdict:
    """Returns FAILS, or UNDECIDED with counts of the tries."""
    attempt = attempt_trace(claim)
    if attempt.trace is not None:
        attempt = replace(attempt, why="")
    _require_typical(claim, attempt)
    verdict = searched(claim, attempt)
    if not verdict.fails:
        turned = at_turning_sizes(claim, attempt, claim.combinations()[-1:])
        verdict = verdict if turned is None else turned
    if verdict.fails:
        return exceptional.with_elsewhere(claim, verdict, attempt.compared, refute)
    return verdicts.undecided(claim, "no counterexample found: " + verdict.reason, verdict.notes)


Sizes = tuple[list[dict[str, int]], list[dict[str, int]], int, bool]


def _decided_or_tested(known: Known) -> Sizes:
    """Decides the claim at single sizes, or else tests it modulo primes.

    Returns the decided sizes, the tested ones, the bits, and whether these are all sizes in scope.
    """
    claim, attempt = known.claim, known.attempt
    if attempt.code == SLOW:  # tracing at single sizes would be too slow as well
        return [], [], 0, False
    done, reason = decided_sizes(claim, attempt)
    is_whole = attempt.trace is not None and not reason
    is_whole = is_whole and len(done) == len(claim.combinations()[:MOST_DECIDED])
    done = done if is_whole or claim.goes_beyond_one(done) else []
    random, bits = ([], 0) if done else bounded_sizes(claim, attempt)
    random = random if claim.goes_beyond_one(random) else []
    return done, random, bits, is_whole or bool(random and attempt.trace and claim.are_all(random))


#: Least sizes of the first calls of a function; the last is for functions that need more entries,
#: such as the 20 nearest points.
TYPICAL = (3, 4, 24)


def _require_typical(claim: Claim, attempt: Attempt) -> None:
    """Calls an untraced function at sizes that all differ: it must return there.

    A function that raises there is bad input, not one of a claim about other sizes.

    Raises:
        TargetError, ShapeError: the error of the function there.
    """
    if attempt.trace is None:
        require_typed(claim, [claim.typical_sizes(start) for start in TYPICAL])
