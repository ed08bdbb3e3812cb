"""Stage `decide` of a claim: has the kernel decide or test it at the sizes that `claim` lists."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod

from eqvproof.engines.certify import (
    JSON,
    Checked,
    Programs,
    TypesAtSize,
    certify_decision,
    certify_test,
    types_at,
)
from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import KnownPrograms, Traced
from eqvproof.engines.reasons import NO_REASON, Reason, Why
from eqvproof.engines.size_result import SizeResult, limited_result
from eqvproof.engines.trace_claim import in_other_rounding_modes
from eqvproof.engines.verdict.scope import Reading
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


@dataclass(frozen=True, slots=True)
class SizeDecision:
    """The decision of the kernel that a claim holds at one choice of sizes.

    Attributes:
        types: the types there.
        checked: the certificate.
    """

    types: TypesAtSize
    checked: Checked

    @property
    def sizes(self) -> dict[str, int]:
        """Returns the sizes of the names of the inputs."""
        return dict(self.types.sizes)


def decision(
    claim: Claim, programs: Programs, sizes: Mapping[str, int], bits: int = 0
) -> SizeDecision | Reason:
    """Decides with the kernel whether a claim about Programs holds at some sizes of the inputs.

    `bits` are those of the shortest floats to which constants may be rounded; 0 if constants are
    read as they are stored.
    """
    types = types_at(claim, programs, sizes, bits)
    entries = sum(prod(s.value(sizes) for s in shape) for _, shape in programs[0].inputs)
    if entries > MOST_ENTRIES and types.proof is None:
        return Reason(Why.SIZE)
    checked = certify_decision(claim, [programs], [types])
    if checked.objection:
        kind = Why.KERNEL_WORK if checked.is_limited else Why.METHOD
        return Reason(kind, checked.objection)
    return SizeDecision(types, checked)


@dataclass(frozen=True, slots=True)
class _DecisionTask:
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

    def run(
        self, sizes: Mapping[str, int], seconds: float = DECISION_SECONDS
    ) -> tuple[SizeDecision | Reason, float]:
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
        certificate: that of the claim at all of these sizes, which the kernel has accepted.
        readings: the constant tables that it reads as nearby invariant ones.
    """

    sizes: list[dict[str, int]]
    certificate: JSON
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class PassedTest:
    """The sizes at which a claim passed the identity test.

    Attributes:
        sizes: at least one.
        bits: k such that the probability that the claim is wrong there is at most 2^-k.
        checked: the certificate of the tests at all of these sizes.
    """

    sizes: list[dict[str, int]]
    bits: int
    checked: Checked


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
    try:
        for other, number in in_other_rounding_modes(claim, known, [at.sizes for at in found]):
            if found[0].checked.readings:
                break  # the readings tell by themselves how the constants are rounded
            again = _decided_one_by_one(claim, other)
            sizes = [] if isinstance(again, NoDecision) else [at.sizes for at in again]
            if found[0].sizes not in sizes:
                return NoDecision(Reason(Why.ROUNDING, number))
            found = [at for at in found if at.sizes in sizes]
    except (TraceError, TargetError, ShapeError):
        return NoDecision(Reason(Why.ROUNDING_UNREAD))
    return _decided_together(claim, known, found)


def _decided_together(
    claim: Claim, known: KnownPrograms, found: Sequence[SizeDecision]
) -> Decision | NoDecision:
    """Returns the decision at as many of some sizes as the kernel accepts in one certificate."""
    checked = found[0].checked
    try:
        while len(found) > 1:
            programs = known.programs_for([at.sizes for at in found])
            joint = certify_decision(claim, programs, [at.types for at in found])
            if not joint.is_limited:
                if joint.objection:
                    return NoDecision(Reason(Why.METHOD, joint.objection))
                checked = joint
                break
            found = found[: len(found) * 3 // 4]
    except TimeIsUp:
        found = found[:1]
    return Decision([at.sizes for at in found], checked.certificate, checked.readings)


def _decided_one_by_one(claim: Claim, known: KnownPrograms) -> list[SizeDecision] | NoDecision:
    """Returns the decisions at the sizes at which the kernel accepts the claim, each alone."""
    done: list[SizeDecision] = []
    why = NO_REASON
    try:
        for found in _decisions(claim, known):
            if isinstance(found, Reason):
                if done and found.kind in (Why.TIME, Why.SIZE, Why.KERNEL_WORK):
                    break
                return NoDecision(found)
            done.append(found)
    except (TraceError, TargetError, ShapeError) as error:
        why = Reason(Why.UNDECIDED, error.message)
    except TimeIsUp:
        why = Reason(Why.TIME)
    return done or NoDecision(why or _untraced(claim, known))


def _untraced(claim: Claim, known: KnownPrograms) -> Reason:
    """Returns the reason why no size can be traced, which is that of the first one."""
    sizes = claim.combinations()[0]
    try:
        known.programs_at(sizes)
    except (TraceError, TargetError, ShapeError) as error:
        at = ", ".join(f"{name} = {size}" for name, size in sizes.items())
        return Reason(Why.UNTRACED_AT_SIZES, f"{at}: {error.message}" if at else error.message)
    return NO_REASON


def _decisions(claim: Claim, known: KnownPrograms) -> Iterator[SizeDecision | Reason]:
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
        task = _DecisionTask(claim.as_data, known.programs, _bits(claim, known), ends)

        def here(sizes: Mapping[str, int]) -> tuple[SizeDecision | Reason, float]:
            return task.run(sizes, DECISION_SECONDS - spent)

        # workers are awaited for this long, or for half of the available time
        patience = max(start + DECISION_SECONDS, (start + claim.deadline) / 2)
        from eqvproof.engines.workers import Workers

        answers = Workers(claim.executor).map(here, task.run, combinations, patience)
        for answer, seconds in answers:
            before = time.monotonic()
            yield answer
            spent += seconds + time.monotonic() - before
            if spent > DECISION_SECONDS:
                return
        return
    limit = min(claim.deadline, start + DECISION_SECONDS)
    for sizes, programs in _traced(claim, known, limit):
        task = _DecisionTask(claim.as_data, programs, _bits(claim, known), ends)
        yield task.run(sizes, limit - time.monotonic())[0]
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
    found = _tested_one_by_one(claim, known, limit)
    try:
        for other, _ in in_other_rounding_modes(claim, known, [at.sizes for at in found]):
            late = max(limit, time.monotonic() + IDENTITY_SECONDS)
            again = {tuple(at.sizes.items()): at for at in _tested_one_by_one(claim, other, late)}
            pairs = [(at, again.get(tuple(at.sizes.items()))) for at in found]
            found = [
                replace(at, bits=min(at.bits, same.bits)) for at, same in pairs if same is not None
            ]
    except (TraceError, TargetError, ShapeError):
        return NoDecision(Reason(Why.ROUNDING_UNREAD))
    if found:
        return _tested_together(claim, known, found)
    return NoDecision()


def _tested_together(claim: Claim, known: KnownPrograms, found: Sequence[_SizeTest]) -> PassedTest:
    """Returns the tests that were passed at some sizes, with one certificate.

    If the time ends before the kernel has repeated them all, only the first one is returned.
    """
    sizes, checked = [at.sizes for at in found], found[0].checked
    try:
        if len(found) > 1:
            checked = certify_test(claim, known.programs_for(sizes), sizes)
    except TimeIsUp:
        return PassedTest(sizes[:1], found[0].bits, checked)
    return PassedTest(sizes, min(at.bits for at in found), checked)


@dataclass(frozen=True, slots=True)
class _SizeTest:
    """An identity test that was passed at one choice of sizes.

    Attributes:
        sizes: of the names of the inputs.
        bits: those of its error bound.
        checked: its certificate.
    """

    sizes: dict[str, int]
    bits: int
    checked: Checked


def _tested_one_by_one(claim: Claim, known: KnownPrograms, limit: float) -> list[_SizeTest]:
    """Returns the tests that the claim passes, each alone; none if it fails at one of the sizes."""
    done: list[_SizeTest] = []
    with suppress(TraceError, TargetError, ShapeError, TimeIsUp):
        for sizes, programs in _traced(claim, known, limit):
            everything = {**sizes, **claim.output_sizes(programs[0], sizes)}
            found = _test(claim, programs, everything, limit)
            if not found.holds and found.why.kind is not Why.TIME:
                return []
            if not found.holds:
                break
            checked = certify_test(claim, [programs], [sizes])
            if checked.objection and not checked.is_limited:
                break
            done.append(_SizeTest(sizes, found.bits, checked))
    return done


def _test(
    claim: Claim, programs: tuple[Program, ...], sizes: Mapping[str, int], limit: float
) -> SizeResult:
    from eqvproof.engines.bounded import bounded_equivariance, bounded_identity

    if claim.is_identity:
        return bounded_identity(programs[0], programs[1], sizes, claim.seed, limit)
    return bounded_equivariance(programs[0], claim.signature, claim.group, sizes, claim.seed, limit)
