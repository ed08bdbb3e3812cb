"""Decisions and identity tests at single sizes, smallest first."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import prod

from eqvproof.engines.all_sizes import Attempt, attempts_otherwise
from eqvproof.engines.answer import Answer, Why, answered, unknown
from eqvproof.engines.bounded import MOST_BITS, bounded_equivariance, bounded_identity
from eqvproof.engines.certified import Programs, decided, is_tested
from eqvproof.engines.claim import Claim
from eqvproof.engines.computed_constants import DEPENDS
from eqvproof.engines.verdict import rejection
from eqvproof.engines.workers import Workers
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


def decision(claim: Claim, programs: Programs, sizes: Mapping[str, int], bits: int = 0) -> Answer:
    """Decides with the kernel whether a claim about Programs holds at some sizes of the inputs.

    `bits` are those of the shortest floats to which constants may be rounded; 0 if constants are
    read as they are stored.
    """
    certificate, _ = decided(claim, [programs], [sizes], bits)
    entries = sum(prod(s.value(sizes) for s in shape) for _, shape in programs[0].inputs)
    if entries > MOST_ENTRIES and certificate["evidence"]["proofs"] == [None]:
        return unknown(Why.SIZE)
    reason, limited = rejection(certificate)
    if reason:
        return unknown(Why.SIZE if limited else Why.METHOD, reason)
    return Answer(holds=True)


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
    ) -> tuple[Answer, float]:
        """Decides the claim at some sizes within some seconds; returns also the seconds taken."""
        start = time.monotonic()
        limit = start + min(seconds, self.ends - time.time())
        found = answered(lambda: decision(self.claim, self.programs, sizes, self.bits), limit)
        return found, time.monotonic() - start


def decided_sizes(claim: Claim, attempt: Attempt) -> tuple[list[dict[str, int]], str]:
    """Returns the sizes at which the claim was decided to hold, and why the decisions stopped.

    The first size that is not decided ends them, since a wrong claim mostly fails at small sizes;
    and so does the first one at which the joint certificate is too much work for the kernel. The
    reason is empty if no decision failed.
    """
    done, reason = _decided_one_by_one(claim, attempt)
    for other, number in attempts_otherwise(claim, attempt, done):
        if _reads_tables(claim, attempt, done):
            break  # the readings tell by themselves how the constants are rounded
        again, _ = _decided_one_by_one(claim, other)
        if not all(sizes in again for sizes in done[:1]):
            return [], DEPENDS + number
        done = [sizes for sizes in done if sizes in again]
    try:
        bits = _bits(claim, attempt)
        while (
            len(done) > 1
            and rejection(decided(claim, attempt.programs_for(done), done, bits)[0])[1]
        ):
            done = done[: len(done) * 3 // 4]
    except TimeIsUp:
        done = done[:1]
    return done, reason


def _reads_tables(claim: Claim, attempt: Attempt, done: Sequence[Mapping[str, int]]) -> bool:
    """Checks whether a decision reads stored tables as the invariant ones next to them."""
    _, read = decided(claim, attempt.programs_for(done[:1]), done[:1], _bits(claim, attempt))
    return bool(read)


def _decided_one_by_one(claim: Claim, attempt: Attempt) -> tuple[list[dict[str, int]], str]:
    """Returns the sizes at which the kernel accepts the claim, each alone, and why that stopped."""
    done: list[dict[str, int]] = []
    try:
        for sizes, decision in _decisions(claim, attempt):
            if not decision.holds:
                stopped = decision.why in (Why.TIME, Why.SIZE)
                if done and stopped:
                    return (done, "")
                return ([], decision.reason)
            done.append(sizes)
        if not done:
            return [], "the function cannot be traced at any of these sizes"
    except (TraceError, TargetError, ShapeError) as error:
        if not done:
            return ([], error.message)
        return (done, "")
    except TimeIsUp:
        return done, "" if done else Why.TIME.value
    return done, ""


def _decisions(claim: Claim, attempt: Attempt) -> Iterator[tuple[dict[str, int], Answer]]:
    """Yields decisions at all sizes, in order, in limited time; skips sizes that cannot be traced.

    Only working time counts: an executor may start slowly, or repeat the work of a lost worker.

    Raises:
        TraceError, TargetError, ShapeError: a function cannot be traced at the first few sizes.
        TimeIsUp: the time is over.
    """
    start, spent = time.monotonic(), 0.0
    ends = time.time() + claim.deadline - start
    combinations = claim.combinations()[:MOST_DECIDED]
    if attempt.traces:
        question = _Question(claim.stated, attempt.programs_at({}), _bits(claim, attempt), ends)

        def here(sizes: Mapping[str, int]) -> tuple[Answer, float]:
            return question.timed(sizes, DECISION_SECONDS - spent)

        # workers are awaited for this long, or for half of the available time
        patience = max(start + DECISION_SECONDS, (start + claim.deadline) / 2)
        answers = Workers(claim.executor).map(here, question.timed, combinations, patience)
        for sizes, (answer, seconds) in zip(combinations, answers, strict=False):
            before = time.monotonic()
            yield sizes, answer
            spent += seconds + time.monotonic() - before
            if spent > DECISION_SECONDS:
                return
        return
    limit = min(claim.deadline, start + DECISION_SECONDS)
    for sizes, programs in _traced(claim, attempt, limit):
        question = _Question(claim.stated, programs, _bits(claim, attempt), ends)
        yield sizes, question.timed(sizes, limit - time.monotonic())[0]
        if time.monotonic() > limit:
            return


def _bits(claim: Claim, attempt: Attempt) -> int:
    if claim.literal:
        return 0
    return attempt.bits


def _traced(
    claim: Claim, attempt: Attempt, limit: float
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
                programs = attempt.programs_at(sizes)
        except (TraceError, TargetError, ShapeError):
            failed += 1
            if failed > MOST_FAILED:
                raise
            continue
        yield sizes, programs


def bounded_sizes(
    claim: Claim, attempt: Attempt, limit: float | None = None
) -> tuple[list[dict[str, int]], int]:
    """Returns the sizes that pass the identity test, and k of the joint error probability 2^-k.

    The first size that fails the test ends them: a wrong claim mostly fails at small sizes.
    """
    if limit is None:
        rest = max(0.0, claim.deadline - time.monotonic())
        if len(claim.combinations()) == 1:
            part = rest
        else:
            part = min(rest / 2, IDENTITY_SECONDS)
        limit = time.monotonic() + part
    done, least = _tested(claim, attempt, limit)
    for other, _ in attempts_otherwise(claim, attempt, done):
        again, bits = _tested(claim, other, max(limit, time.monotonic() + IDENTITY_SECONDS))
        done, least = [sizes for sizes in done if sizes in again], min(least, bits)
    return done, least


def _tested(claim: Claim, attempt: Attempt, limit: float) -> tuple[list[dict[str, int]], int]:
    done: list[dict[str, int]] = []
    least = MOST_BITS
    with suppress(TraceError, TargetError, ShapeError, TimeIsUp):
        for sizes, programs in _traced(claim, attempt, limit):
            everything = {**sizes, **claim.output_sizes(programs[0], sizes)}
            found = _test(claim, programs, everything, limit)
            if not found.holds and found.why is not Why.TIME:
                return [], 0
            if not found.holds or not is_tested(claim, programs, sizes):
                break
            done.append(sizes)
            least = min(least, found.bits)
    return done, least


def _test(
    claim: Claim, programs: tuple[Program, ...], sizes: Mapping[str, int], limit: float
) -> Answer:
    if claim.is_identity:
        return bounded_identity(programs[0], programs[1], sizes, claim.seed, limit)
    return bounded_equivariance(programs[0], claim.signature, claim.group, sizes, claim.seed, limit)
