"""Stage `decide` of a claim: has the kernel decide or test it at single sizes, smallest first."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import prod

from eqvproof.engines.certify import (
    Programs,
    checked_by_kernel,
    decision_certificate,
    passes_kernel_test,
)
from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import KnownPrograms, Traced
from eqvproof.engines.reasons import NO_REASON, Reason, Why
from eqvproof.engines.size_result import SizeResult, limited_result, unknown
from eqvproof.engines.trace_claim import in_other_rounding_modes
from eqvproof.programs import Program
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.errors import ShapeError, TargetError, TraceError

#: Largest number of combinations of sizes that are decided one by one.
MOST_DECIDED = 64
#: Seconds for decisions, so that time is left to search for a counterexample.
DECISION_SECONDS = 3.0
#: Largest number of sizes skipped because a function cannot be traced there (often the least ones).
MOST_FAILED = 8
#: Largest number of entries of all inputs together at sizes that are decided.
MOST_ENTRIES = 300
#: Seconds for the identity tests at all sizes, if there are several.
IDENTITY_SECONDS = 3.0


def decision(
    claim: Claim, programs: Programs, sizes: Mapping[str, int], bits: int = 0
) -> SizeResult:
    """Decides with the kernel whether a claim about Programs holds at some sizes of the inputs.

    `bits` are those of the shortest floats to which constants may be rounded; 0 if constants are
    read as they are stored.
    """
    certificate, _ = decision_certificate(claim, [programs], [sizes], bits)
    entries = sum(prod(s.value(sizes) for s in shape) for _, shape in programs[0].inputs)
    if entries > MOST_ENTRIES and certificate["evidence"]["proofs"] == [None]:
        return unknown(Why.SIZE)
    checked = checked_by_kernel(certificate)
    if checked.objection:
        kind = Why.KERNEL_WORK if checked.is_limited else Why.METHOD
        return unknown(kind, checked.objection)
    return SizeResult(holds=True)


@dataclass(frozen=True, slots=True)
class _Question:
    """A claim about Programs, as data that can be sent to another process.

    Attributes:
        claim: the claim, without its functions.
        programs: the Programs of its functions.
        bits: those of the shortest floats to which constants may be rounded; 0 if constants are
            read as they are stored.
        ends: seconds since the epoch at which the work ends.
    """

    claim: Claim
    programs: Programs
    bits: int
    ends: float

    def timed(
        self, sizes: Mapping[str, int], seconds: float = DECISION_SECONDS
    ) -> tuple[SizeResult, float]:
        """Decides the claim at some sizes within some seconds; returns also the seconds taken."""
        start = time.monotonic()
        limit = start + min(seconds, self.ends - time.time())
        found = limited_result(limit, lambda: decision(self.claim, self.programs, sizes, self.bits))
        return found, time.monotonic() - start


@dataclass(frozen=True, slots=True)
class Decision:
    """The sizes at which a claim was decided to hold.

    Attributes:
        sizes: at least one.
    """

    sizes: list[dict[str, int]]


@dataclass(frozen=True, slots=True)
class PassedTest:
    """The sizes at which a claim passed the identity test.

    Attributes:
        sizes: at least one.
        bits: k such that the probability that the claim is wrong there is at most 2^-k.
    """

    sizes: list[dict[str, int]]
    bits: int


@dataclass(frozen=True, slots=True)
class NoDecision:
    """No size was decided.

    Attributes:
        why: the reason; empty if no method was tried.
    """

    why: Reason = NO_REASON


def decided_sizes(claim: Claim, known: KnownPrograms) -> Decision | NoDecision:
    """Decides the claim at single sizes, smallest first.

    The first size that is not decided ends them, since a wrong claim mostly fails at small sizes;
    and so does the first one at which the joint certificate is too much work for the kernel. The
    kernel accepts the certificate of each size alone, and if there are several sizes the joint one.
    """
    found = _decided_one_by_one(claim, known)
    if isinstance(found, NoDecision):
        return found
    done = found.sizes
    try:
        for other, number in in_other_rounding_modes(claim, known, done):
            if _reads_tables(claim, known, done):
                break  # the readings tell by themselves how the constants are rounded
            again = _decided_one_by_one(claim, other)
            if isinstance(again, NoDecision) or done[0] not in again.sizes:
                return NoDecision(Reason(Why.ROUNDING, number))
            done = [sizes for sizes in done if sizes in again.sizes]
    except (TraceError, TargetError, ShapeError):
        return NoDecision(Reason(Why.ROUNDING_UNREAD))
    try:
        bits = _bits(claim, known)
        while len(done) > 1:
            joint, _ = decision_certificate(claim, known.programs_for(done), done, bits)
            checked = checked_by_kernel(joint)
            if not checked.is_limited:
                if checked.objection:
                    return NoDecision(Reason(Why.METHOD, checked.objection))
                break
            done = done[: len(done) * 3 // 4]
    except TimeIsUp:
        done = done[:1]
    return Decision(done)


def _reads_tables(claim: Claim, known: KnownPrograms, done: Sequence[Mapping[str, int]]) -> bool:
    """Checks whether a decision reads stored tables as the invariant ones next to them."""
    programs, bits = known.programs_for(done[:1]), _bits(claim, known)
    return bool(decision_certificate(claim, programs, done[:1], bits)[1])


def _decided_one_by_one(claim: Claim, known: KnownPrograms) -> Decision | NoDecision:
    """Returns the sizes at which the kernel accepts the claim, each alone."""
    done: list[dict[str, int]] = []
    why = Reason(Why.UNTRACED_AT_SIZES)
    try:
        for sizes, decision in _decisions(claim, known):
            if not decision.holds:
                if done and decision.why.kind in (Why.TIME, Why.SIZE, Why.KERNEL_WORK):
                    break
                return NoDecision(decision.why)
            done.append(sizes)
    except (TraceError, TargetError, ShapeError) as error:
        why = Reason(Why.UNDECIDED, error.message)
    except TimeIsUp:
        why = Reason(Why.TIME)
    if done:
        return Decision(done)
    return NoDecision(why)


def _decisions(claim: Claim, known: KnownPrograms) -> Iterator[tuple[dict[str, int], SizeResult]]:
    """Yields decisions at all sizes, in order, in limited time; skips sizes that cannot be traced.

    Only working time counts: an executor may start slowly, or repeat the work of a lost worker.

    Raises:
        TraceError, TargetError, ShapeError: a function cannot be traced at the first few sizes.
        TimeIsUp: the time is over.
    """
    start, spent = time.monotonic(), 0.0
    ends = time.time() + claim.deadline - start
    combinations = claim.combinations()[:MOST_DECIDED]
    if isinstance(known, Traced):
        question = _Question(claim.as_data, known.programs, _bits(claim, known), ends)

        def here(sizes: Mapping[str, int]) -> tuple[SizeResult, float]:
            return question.timed(sizes, DECISION_SECONDS - spent)

        # workers are awaited for this long, or for half of the available time
        patience = max(start + DECISION_SECONDS, (start + claim.deadline) / 2)
        from eqvproof.engines.workers import Workers

        answers = Workers(claim.executor).map(here, question.timed, combinations, patience)
        for sizes, (answer, seconds) in zip(combinations, answers, strict=False):
            before = time.monotonic()
            yield sizes, answer
            spent += seconds + time.monotonic() - before
            if spent > DECISION_SECONDS:
                return
        return
    limit = min(claim.deadline, start + DECISION_SECONDS)
    for sizes, programs in _traced(claim, known, limit):
        question = _Question(claim.as_data, programs, _bits(claim, known), ends)
        yield sizes, question.timed(sizes, limit - time.monotonic())[0]
        if time.monotonic() > limit:
            return


def _bits(claim: Claim, known: KnownPrograms) -> int:
    if claim.literal:
        return 0
    return known.bits


def _traced(
    claim: Claim, known: KnownPrograms, limit: float
) -> Iterator[tuple[dict[str, int], Programs]]:
    """Yields the Programs at all sizes, in order; skips sizes at which a function cannot be traced.

    Raises:
        TraceError, TargetError, ShapeError: a function cannot be traced at the first few sizes.
        TimeIsUp: the time is over.
    """
    failed = 0
    for sizes in claim.combinations()[:MOST_DECIDED]:
        try:
            with until(limit):
                programs = known.programs_at(sizes)
        except (TraceError, TargetError, ShapeError):
            failed += 1
            if failed > MOST_FAILED:
                raise
            continue
        yield sizes, programs


def bounded_sizes(
    claim: Claim, known: KnownPrograms, limit: float | None = None
) -> PassedTest | NoDecision:
    """Runs the identity test at single sizes, smallest first.

    The first size that fails the test ends them: a wrong claim mostly fails at small sizes.
    """
    if limit is None:
        rest = max(0.0, claim.deadline - time.monotonic())
        if len(claim.combinations()) == 1:
            part = rest
        else:
            part = min(rest / 2, IDENTITY_SECONDS)
        limit = time.monotonic() + part
    done, least = _tested(claim, known, limit)
    try:
        for other, _ in in_other_rounding_modes(claim, known, done):
            again, bits = _tested(claim, other, max(limit, time.monotonic() + IDENTITY_SECONDS))
            done, least = [sizes for sizes in done if sizes in again], min(least, bits)
    except (TraceError, TargetError, ShapeError):
        return NoDecision(Reason(Why.ROUNDING_UNREAD))
    if done:
        return PassedTest(done, least)
    return NoDecision()


def _tested(claim: Claim, known: KnownPrograms, limit: float) -> tuple[list[dict[str, int]], int]:
    """Returns the sizes at which the claim passes the test, and the bits of the error bound."""
    done: list[dict[str, int]] = []
    from eqvproof.engines.bounded import MOST_BITS

    least = MOST_BITS
    with suppress(TraceError, TargetError, ShapeError, TimeIsUp):
        for sizes, programs in _traced(claim, known, limit):
            everything = {**sizes, **claim.output_sizes(programs[0], sizes)}
            found = _test(claim, programs, everything, limit)
            if not found.holds and found.why.kind is not Why.TIME:
                return [], 0
            if not found.holds or not passes_kernel_test(claim, programs, sizes):
                break
            done.append(sizes)
            least = min(least, found.bits)
    return done, least


def _test(
    claim: Claim, programs: tuple[Program, ...], sizes: Mapping[str, int], limit: float
) -> SizeResult:
    from eqvproof.engines.bounded import bounded_equivariance, bounded_identity

    if claim.is_identity:
        return bounded_identity(programs[0], programs[1], sizes, claim.seed, limit)
    return bounded_equivariance(programs[0], claim.signature, claim.group, sizes, claim.seed, limit)
