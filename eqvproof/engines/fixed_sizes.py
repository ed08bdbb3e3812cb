"""Decisions and identity tests at the sizes that a search may use, one by one, smallest first."""

from __future__ import annotations

import time
from collections.abc import Mapping
from math import prod

from eqvproof.deadline import TimeIsUp, until
from eqvproof.engines.attempt import Attempt
from eqvproof.engines.bounded import MOST_BITS, TIME_IS_UP, Bounded, bounded_equivariance, bounded_identity
from eqvproof.engines.claim import Claim
from eqvproof.engines.decide import Decision, decide_equivariance, decide_identity
from eqvproof.engines.infer import Proof, infer_equivariance
from eqvproof.errors import ShapeError, TargetError, TraceError
from eqvproof.program import Program, substituted

#: At most so many combinations of sizes are decided one by one, in at most so many seconds.
MOST_DECIDED = 64
DECISION_SECONDS = 3.0
#: Sizes at which all inputs together have more entries are not decided.
MOST_ENTRIES = 300
#: Where there are several sizes, the identity tests at all of them take at most so many seconds.
IDENTITY_SECONDS = 3.0


def decided_sizes(claim: Claim, attempt: Attempt) -> tuple[list[dict[str, int]], str]:
    """The sizes, smallest first, at which the claim was decided to hold, and why that stopped early.

    The first size that is not decided ends it, since a wrong claim mostly fails at small sizes.
    """
    limit = min(claim.deadline, time.monotonic() + DECISION_SECONDS)
    done: list[dict[str, int]] = []
    for sizes in claim.combinations()[:MOST_DECIDED]:
        if time.monotonic() > limit:
            break
        try:
            with until(limit):
                programs = attempt.programs_at(claim, sizes)
        except (TraceError, TargetError, ShapeError) as error:
            return ([], error.message) if not done else (done, "")
        except TimeIsUp:
            return done, "" if done else TIME_IS_UP
        everything = {**sizes, **claim.output_sizes(programs[0], sizes)}
        if not claim.is_identity and is_proved_at(programs[0], claim, everything):
            done.append(sizes)
            continue
        if sum(prod(s.value(everything) for s in shape) for _, shape in programs[0].inputs) > MOST_ENTRIES:
            return done, "" if done else "too many entries for an exact decision"
        decision = _decision(claim, programs, everything, limit)
        if not decision.holds:
            if "time is up" in decision.reason and done:
                break
            return [], decision.reason
        done.append(sizes)
    return done, ""


def _decision(
    claim: Claim, programs: tuple[Program, ...], sizes: Mapping[str, int], limit: float
) -> Decision:
    if claim.is_identity:
        return decide_identity(programs[0], programs[1], sizes, limit)
    return decide_equivariance(programs[0], claim.signature, claim.group, sizes, limit)


def is_proved_at(program: Program, claim: Claim, sizes: Mapping[str, int]) -> bool:
    """Whether the types at single sizes are a proof."""
    return isinstance(
        infer_equivariance(substituted(program, sizes), claim.signature, claim.group, sizes), Proof
    )


def bounded_sizes(
    claim: Claim, attempt: Attempt, limit: float | None = None
) -> tuple[list[dict[str, int]], int]:
    """The sizes, smallest first, at which the identity test succeeds, and k of the error 2^-k for all.

    The first size at which it does not ends it all: a wrong claim mostly fails at small sizes.
    """
    combinations = claim.combinations()[:MOST_DECIDED]
    if limit is None:
        rest = max(0.0, claim.deadline - time.monotonic())
        part = rest if len(combinations) == 1 else min(rest / 2, IDENTITY_SECONDS)
        limit = time.monotonic() + part
    done: list[dict[str, int]] = []
    least = MOST_BITS
    for sizes in combinations:
        if time.monotonic() > limit:
            break
        try:
            with until(limit):
                programs = attempt.programs_at(claim, sizes)
        except (TraceError, TargetError, ShapeError, TimeIsUp):
            break
        everything = {**sizes, **claim.output_sizes(programs[0], sizes)}
        found = _test(claim, programs, everything, limit)
        if not found.holds:
            if found.reason == TIME_IS_UP:
                break
            return [], 0
        done.append(sizes)
        least = min(least, found.bits)
    return done, least


def _test(claim: Claim, programs: tuple[Program, ...], sizes: Mapping[str, int], limit: float) -> Bounded:
    if claim.is_identity:
        return bounded_identity(programs[0], programs[1], sizes, claim.seed, limit)
    return bounded_equivariance(programs[0], claim.signature, claim.group, sizes, claim.seed, limit)
