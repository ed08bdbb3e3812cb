"""From a claim to a verdict: proof first, then the search for a counterexample.

The order is the order of strength. A trace for all sizes gives a Program, whose types are inferred (or whose
normal form is compared with another's); where that stops, single sizes are decided, or tested modulo primes;
else the smallest counterexample is searched in exact arithmetic; what is left is a count of comparisons
without a violation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import prod

from eqvproof.apart import expected_or, so_far
from eqvproof.deadline import TimeIsUp, overtime, until
from eqvproof.engines import verdicts
from eqvproof.engines.all_sizes import (
    SLOW,
    Attempt,
    attempt_proof,
    attempt_trace,
    is_partial,
    share,
    untraced,
)
from eqvproof.engines.claim import LARGEST_DEFAULT, Claim, generic_inputs
from eqvproof.engines.definedness import Somewhere, defined_somewhere
from eqvproof.engines.fixed_sizes import MOST_DECIDED, bounded_sizes, decided_sizes, goes_beyond_one
from eqvproof.engines.float_check import is_plainly_wrong
from eqvproof.engines.identity import IdentityProof
from eqvproof.engines.search import (
    Limits,
    SearchResult,
    Subject,
    called_subject,
    find_counterexample,
    find_difference,
    mine_constants,
    program_subject,
)
from eqvproof.errors import EqvproofError, ShapeError, TargetError
from eqvproof.frontends import run
from eqvproof.frontends.rounding import is_singular
from eqvproof.verdict import Verdict

Sizes = tuple[list[dict[str, int]], list[dict[str, int]], int, bool]
#: The share of the time that a first call may take.
ONE_CALL_SHARE = 0.2
#: Seconds for the search at other sizes once the small ones are decided.
AFTER_DECISION = 2.0
#: Seconds for the search right beyond the sizes that a proof speaks of, and how large arrays may be there.
BEYOND_SECONDS = 3.0
MOST_GIVEN, MOST_BEYOND = 2_000, 50_000
#: Seconds for the search for a point at which only one side is defined, after a proof of equality elsewhere.
DOMAIN_SECONDS = 1.5


def prove(claim: Claim) -> Verdict:
    """PROVED or UNDECIDED."""
    attempt = attempt_proof(claim)
    if attempt.proof is None:
        return verdicts.undecided(claim, attempt.why, attempt.notes)
    return verdicts.proved(claim, attempt, defined_somewhere(claim, attempt), attempt.notes)


def check(claim: Claim) -> Verdict:
    """The strongest verdict that the engines reach."""
    attempt = expected_or(lambda: attempt_proof(claim), lambda why: untraced(claim, why))
    _require_generic(claim, attempt)
    if attempt.proof is not None:
        where = defined_somewhere(claim, attempt)
        if not where.shown:
            return _nowhere(claim, attempt, where)
        with overtime():
            verdict = _proved(claim, attempt, where)
        if verdict.holds or verdict.fails:
            return verdict
        attempt = replace(_at_all_sizes(claim, attempt), proof=None, why=verdict.reason)
    else:
        known = attempt.partial or attempt
        there = _within(claim, known)
        if known.trace is not None and is_plainly_wrong(there, known.trace):
            first = _searched(there, known)
            if first.fails:
                return first
    nothing: Sizes = ([], [], 0, False)
    done, random, bits, is_whole = expected_or(lambda: _at_single_sizes(claim, attempt), lambda _: nothing)
    where = defined_somewhere(claim, attempt, done or random) if done or random else Somewhere(shown=True)
    if not where.shown:
        return _nowhere(claim, attempt, where)

    def strongest(notes: Sequence[str]) -> Verdict:
        if done:
            return verdicts.decided(claim, attempt, where, done, notes)
        return verdicts.bounded(claim, attempt, where, (random, bits), notes)

    if is_whole:
        return strongest(attempt.notes)
    there = claim
    if done or random:
        so_far(lambda: strongest(attempt.notes))
        there = replace(claim, deadline=min(claim.deadline, time.monotonic() + AFTER_DECISION))
    found = _searched(there, attempt)
    if found.fails or not (done or random) or (attempt.trace is None and not found.holds):
        return found
    return strongest(tuple(dict.fromkeys((*attempt.notes, *found.notes))))


def _at_single_sizes(claim: Claim, attempt: Attempt) -> Sizes:
    """Sizes that are decided, or else tested modulo primes, with the bits; whether these are all in scope."""
    if attempt.code == SLOW:  # what was not traced in time is not traced at single sizes
        return [], [], 0, False
    done, reason = decided_sizes(claim, attempt)
    is_whole = attempt.trace is not None and not reason
    is_whole = is_whole and len(done) == len(claim.combinations()[:MOST_DECIDED])
    done = done if is_whole or goes_beyond_one(claim, done) else []
    random, bits = ([], 0) if done else bounded_sizes(claim, attempt)
    random = random if goes_beyond_one(claim, random) else []
    return done, random, bits, is_whole or bool(random and attempt.trace and claim.are_all(random))


def _within(claim: Claim, attempt: Attempt) -> Claim:
    """The claim at some of the sizes that the traces speak of."""
    spans = {n: (low, high or max(low + 1, LARGEST_DEFAULT)) for n, (low, high) in attempt.spans.items()}
    return replace(claim, ranges={**spans, **claim.ranges})


def _at_all_sizes(claim: Claim, attempt: Attempt) -> Attempt:
    """The attempt, without Programs that are the functions at some sizes of the claim only."""
    return untraced(claim, attempt.why) if is_partial(claim, attempt) else attempt


def _nowhere(claim: Claim, attempt: Attempt, where: Somewhere) -> Verdict:
    """What is left where no point is found at which a function is defined: a point at which one side is."""
    end = min(claim.deadline, time.monotonic() + DOMAIN_SECONDS)
    everywhere = _at_all_sizes(claim, attempt)
    found = _searched(replace(claim, deadline=end), replace(everywhere, proof=None, why=where.reason))
    return found if found.fails else verdicts.undecided(claim, where.reason, found.notes)


def _proved(claim: Claim, attempt: Attempt, where: Somewhere) -> Verdict:
    """PROVED; FAILS, where a proof that two functions are equal leaves open where they are defined."""
    notes, proof = attempt.notes, attempt.proof
    known = attempt if attempt.beyond is None else attempt.beyond
    for there in _claims_beyond(claim, attempt):
        end = min(claim.deadline, time.monotonic() + BEYOND_SECONDS)
        told = all(span[0] <= there.ranges.get(n, (1, 1))[0] for n, span in attempt.spans.items())
        try:
            found = _searched(replace(there, deadline=end), known if told else untraced(there, known.why))
        except (ShapeError, TargetError) as error:  # the target is no such function there
            where_not = ", ".join(f"{n} in {low}..{high}" for n, (low, high) in there.ranges.items())
            notes = (*notes, f"not tried at {where_not}: {error.message}")
            continue
        if found.fails:
            return found
    if isinstance(proof, IdentityProof) and not proof.same_domain:
        known = replace(_at_all_sizes(claim, known), why="equal only where both are defined")
        other = _one_sided(claim, known)
        if other is not None:
            return other
    return verdicts.proved(claim, attempt, where, notes)


def _one_sided(claim: Claim, attempt: Attempt) -> Verdict | None:
    """A point at which one of two functions is defined; what else is found where the time is up before.

    Small sizes come first, with all their structured points, zeros among them.
    """
    end = min(claim.deadline, time.monotonic() + DOMAIN_SECONDS)
    near = {n: (low, min(low + 1, high)) for n, (low, high) in _spans(claim).items()}
    small, result = _looked(replace(claim, deadline=end, ranges=near), attempt)
    if small.fails or (end == claim.deadline and result and not result.is_structured):
        return small
    found = _searched(replace(claim, deadline=end), attempt)
    return found if found.fails else None


def _spans(claim: Claim) -> dict[str, tuple[int, int]]:
    """The sizes of a claim, where nothing is said those up to 2."""
    return {n: claim.ranges.get(n, (1, 2)) for n in claim.signature.input_names if n not in claim.pins}


def _claims_beyond(claim: Claim, attempt: Attempt) -> Iterator[Claim]:
    """The claim right beyond each limit of a proof, other sizes small, where that is soon computed."""
    shapes = [(n.shape, MOST_BEYOND) for t in attempt.traces for n in t.program.nodes]
    shapes += [(shape, MOST_GIVEN) for t in attempt.traces for _, shape in t.program.inputs]
    for name, (least, limit) in attempt.spans.items():
        ranges = {n: (low, min(low + 1, high)) for n, (low, high) in _spans(claim).items()}
        if least > claim.ranges.get(name, (1, 1))[0]:
            yield replace(claim, ranges={**ranges, name: (claim.ranges.get(name, (1, 1))[0], least - 1)})
        if limit is None:
            continue
        low, high = claim.ranges.get(name, (1, limit + 2))
        ranges[name] = max(low, limit + 1), min(high, max(low, limit + 1) + 1)
        top = {**{n: high for n, (_, high) in ranges.items()}, **claim.pins}
        fits = all(prod(s.value(top) for s in shape) <= most for shape, most in shapes)
        if ranges[name][0] <= ranges[name][1] and fits:
            yield replace(claim, ranges=ranges)


def bound(claim: Claim) -> Verdict:
    """BOUNDED at the sizes that were reached, or UNDECIDED: the identity test alone."""
    attempt = attempt_trace(claim)
    done, bits = bounded_sizes(claim, attempt, claim.deadline)
    if done:
        where = defined_somewhere(claim, attempt, done)
        return verdicts.bounded(claim, attempt, where, (done, bits), attempt.notes)
    return verdicts.undecided(claim, f"the identity test decides nothing; {attempt.why}", attempt.notes)


def decide(claim: Claim) -> Verdict:
    """DECIDED at the sizes that were reached, or UNDECIDED."""
    attempt = attempt_trace(claim)
    _require_generic(claim, attempt)
    return decided(claim, attempt)


def decided(claim: Claim, attempt: Attempt) -> Verdict:
    """DECIDED at the sizes that were reached, or UNDECIDED, with what was read of the target."""
    done, reason = decided_sizes(claim, attempt)
    if done:
        where = defined_somewhere(claim, attempt, done)
        return verdicts.decided(claim, attempt, where, done, attempt.notes)
    return verdicts.undecided(claim, reason or attempt.why, attempt.notes)


def refute(claim: Claim) -> Verdict:
    """FAILS, or UNDECIDED with what was tried."""
    attempt = attempt_trace(claim)
    if attempt.trace is not None:
        attempt = replace(attempt, why="")
    _require_generic(claim, attempt)
    verdict = _searched(claim, attempt)
    if verdict.fails:
        return verdict
    return verdicts.undecided(claim, "no counterexample found: " + verdict.reason, verdict.notes)


def _subjects(claim: Claim, attempt: Attempt) -> Sequence[Subject]:
    if attempt.traces:
        return [program_subject(t.program, t.opaques, literal=claim.literal) for t in attempt.traces]
    pairs = zip(claim.functions, attempt.at_sizes, strict=True)
    return [called_subject(f, claim.signature, known, literal=claim.literal) for f, known in pairs]


def _unknown_functions(attempt: Attempt) -> str:
    """What stands in the way of a search: uninterpreted functions of which only a symmetry is known."""
    names = [
        o.name
        for t in attempt.traces
        for o in t.program.opaques
        if o.symmetry is not None and o.name not in t.opaques
    ]
    if not names:
        return ""
    return f"{', '.join(dict.fromkeys(names))} has no example to compute with (give example= to opaque)"


def _searched(claim: Claim, attempt: Attempt) -> Verdict:
    """What the search for a counterexample says."""
    return _looked(claim, attempt)[0]


def _looked(claim: Claim, attempt: Attempt) -> tuple[Verdict, SearchResult | None]:
    """The same, and the search where there was one."""
    obstacle = _unknown_functions(attempt)
    if obstacle:
        why = f"no point can be tried: {obstacle}; {attempt.why}"
        return verdicts.undecided(claim, why, attempt.notes), None
    subjects = _subjects(claim, attempt)

    def tell(result: SearchResult) -> Verdict:
        return verdicts.from_search(claim, attempt, result, subjects)

    result = _search(claim, subjects, tell)
    with overtime():
        return tell(result), result


def _search(
    claim: Claim, subjects: Sequence[Subject], tell: Callable[[SearchResult], Verdict]
) -> SearchResult:
    given = {*claim.pins, *claim.ranges}
    limits = Limits(
        sizes=claim.search_sizes(),
        seed=claim.seed,
        deadline=claim.deadline,
        domain=claim.domain,
        constants=[c for f in claim.functions for c in mine_constants(f)],
        executor=claim.executor,
        tell=tell,
        unbounded=[n for n in claim.signature.input_names if n not in given],
    )
    if claim.is_identity:
        return find_difference(subjects[0], subjects[1], claim.signature, limits)
    return find_counterexample(subjects[0], claim.signature, claim.group, limits)


def _require_generic(claim: Claim, attempt: Attempt) -> None:
    """A target that raises at sizes that are all different is bad input, not a claim about other sizes.

    Raises:
        TargetError, ShapeError: what the target does there.
    """
    if attempt.trace is not None or attempt.code == "trace.torch":
        return
    free = [n for n in claim.signature.input_names if n not in claim.pins]
    ranges = claim.search_sizes()
    failure: EqvproofError | None = None
    for start in (3, 4):
        sizes = dict(claim.pins)
        for k, name in enumerate(free):
            span = ranges[name]
            low, high = (span, span) if isinstance(span, int) else span
            sizes[name] = start + k if name not in claim.ranges else min(high, max(low, start + k))
        inputs = generic_inputs(claim.signature, sizes)
        try:
            with until(share(claim.deadline, ONE_CALL_SHARE)):
                for function in claim.functions:
                    run(function, claim.signature, inputs, sizes)
            return
        except TimeIsUp:
            return
        except (TargetError, ShapeError) as error:
            if error.code == "target.state":
                return  # the search says it
            failure = error
    cause = getattr(failure, "__cause__", None)
    if failure is not None and not isinstance(cause, ArithmeticError) and not is_singular(cause):
        raise failure


__all__ = ["Claim", "bound", "check", "decide", "decided", "prove", "refute"]
