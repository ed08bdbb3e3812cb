"""From a function and its claimed symmetry to a verdict: proof first, then the search for a counterexample.

The order is the order of strength. A trace for all sizes gives a Program, whose types are inferred; where
that stops, the smallest counterexample is searched in exact arithmetic; where none is found, fixed sizes are
tried; what is left is a count of comparisons without a violation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

import numpy as np

from eqvproof.deadline import TimeIsUp, overtime, until
from eqvproof.engines import verdicts
from eqvproof.engines.bounded import MOST_BITS, TIME_IS_UP, bounded_equivariance
from eqvproof.engines.decide import decide_equivariance
from eqvproof.engines.explain import derivation, gap_text
from eqvproof.engines.glance import is_plainly_wrong
from eqvproof.engines.infer import Gap, Proof, infer_equivariance
from eqvproof.engines.scope import Range, all_sizes
from eqvproof.engines.search import (
    SearchResult,
    Subject,
    blackbox_subject,
    find_counterexample,
    mine_constants,
    program_subject,
)
from eqvproof.engines.targets import confirm, trace_all_sizes, trace_at
from eqvproof.errors import EqvproofError, ShapeError, TargetError, TraceError
from eqvproof.frontends import Trace, run
from eqvproof.groups import Group
from eqvproof.program import Program, substituted
from eqvproof.signature import Signature
from eqvproof.verdict import Verdict

#: Without sizes=, searches try each axis from 1 up to this size.
LARGEST_DEFAULT = 4
#: At most so many combinations of sizes are decided one by one, in at most so many seconds.
MOST_DECIDED = 64
DECISION_SECONDS = 3.0
#: The share of the time that a trace and its replays may take.
TRACE_SHARE = 0.6
SLOW = "no trace for all sizes: the time allowed was up before it had been replayed"
#: Sizes at which all inputs together have more entries are not decided.
MOST_ENTRIES = 300
#: Where there are several sizes, the identity tests at all of them take at most so many seconds.
IDENTITY_SECONDS = 3.0
#: Seconds for the search at other sizes once the small ones are decided.
AFTER_DECISION = 2.0


@dataclass(frozen=True, slots=True)
class Claim:
    """A function and the symmetry claimed for it, with the limits of the work.

    Attributes:
        function: the target.
        signature: its typing.
        group: the group.
        under: the group as the user wrote it.
        pins: axis sizes that are one number.
        ranges: axis sizes that are a range.
        seed: of everything random.
        deadline: monotonic time at which the search ends.
        domain: a restriction of the inputs, or None.
    """

    function: Callable[..., Any]
    signature: Signature
    group: Group
    under: str
    pins: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    seed: int = 0
    deadline: float = float("inf")
    domain: Any = None

    def search_sizes(self) -> dict[str, int | Range]:
        """The sizes that a search may use."""
        return {
            name: self.pins.get(name, self.ranges.get(name, (1, LARGEST_DEFAULT)))
            for name in self.signature.input_names
        }

    def output_sizes(self, program: Program, sizes: Mapping[str, int]) -> dict[str, int]:
        """The sizes of the names that only the output mentions, read off a program."""
        return self.signature.output_sizes([s.value(sizes) for s in program.shape], sizes)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the attempt at a proof left behind.

    Attributes:
        trace: the Program for all sizes, or None.
        proof: a proof on it, or None.
        why: why there is none.
        notes: remarks for the verdict.
        code: the code of the error that ended the trace.
    """

    trace: Trace | None
    proof: Proof | None
    why: str
    notes: tuple[str, ...] = ()
    code: str = ""

    @property
    def is_stateful(self) -> bool:
        """Whether the target is no function: it keeps state, or is random."""
        return self.code in ("trace.state", "trace.random", "trace.differs")


def attempt_proof(claim: Claim) -> Attempt:
    """A trace for all sizes and, on it, a proof."""
    end = _share(claim.deadline)
    try:
        with until(end):
            trace = trace_all_sizes(claim.function, claim.signature, dict(claim.pins))
    except TraceError as error:
        return Attempt(None, None, f"no trace for all sizes: {error.message}", code=error.code)
    except TimeIsUp:
        return Attempt(None, None, SLOW)
    found = infer_equivariance(trace.program, claim.signature, claim.group, claim.pins)
    if isinstance(found, Gap):
        return Attempt(trace, None, gap_text(trace.program, found, trace.lines), trace.notes)
    try:
        with until(end):
            confirm(claim.function, trace, claim.signature, claim.pins)
    except TraceError as error:
        return Attempt(None, None, f"no trace for all sizes: {error.message}", code=error.code)
    except TimeIsUp:
        return Attempt(None, None, SLOW)
    return Attempt(trace, found, "", trace.notes)


def prove(claim: Claim) -> Verdict:
    """PROVED or UNDECIDED."""
    attempt = attempt_proof(claim)
    if attempt.proof is None or attempt.trace is None:
        return verdicts.undecided(claim, attempt.why, attempt.notes)
    return _proved(claim, attempt.trace, attempt.proof)


def check(claim: Claim) -> Verdict:
    """The strongest verdict that the engines reach."""
    attempt = attempt_proof(claim)
    _require_generic(claim, attempt)
    if attempt.proof is not None and attempt.trace is not None:
        verdict = _proved(claim, attempt.trace, attempt.proof)
        if verdict.holds:
            return verdict
        attempt = Attempt(attempt.trace, None, verdict.reason, attempt.notes)
    elif attempt.trace is not None and is_plainly_wrong(claim, attempt.trace):
        first = _searched(claim, attempt, _subject(claim, attempt))
        if first.fails:
            return first
    done, reason = decided_sizes(claim, attempt)
    if attempt.trace is not None and not reason and len(done) == len(_combinations(claim)[:MOST_DECIDED]):
        return verdicts.decided(claim, done, attempt.why, attempt.notes)
    random, bits = ([], 0) if done else bounded_sizes(claim, attempt)
    if random and attempt.trace is not None and _are_all(claim, random):
        return verdicts.bounded(claim, random, bits, attempt.why, attempt.notes)
    if done or random:
        claim = replace(claim, deadline=min(claim.deadline, time.monotonic() + AFTER_DECISION))
    found = _searched(claim, attempt, _subject(claim, attempt))
    if found.fails or (attempt.trace is None and not found.holds):
        return found
    notes = (*attempt.notes, *found.notes)
    if done:
        return verdicts.decided(claim, done, attempt.why, notes)
    return verdicts.bounded(claim, random, bits, attempt.why, notes) if random else found


def _subject(claim: Claim, attempt: Attempt) -> Subject:
    if attempt.trace is None:
        return blackbox_subject(claim.function, claim.signature)
    return program_subject(attempt.trace.program, attempt.trace.opaques)


def _are_all(claim: Claim, done: list[dict[str, int]]) -> bool:
    """Whether these are all sizes that the claim speaks of."""
    names = claim.signature.input_names
    given = all(n in claim.pins or n in claim.ranges for n in names)
    return given and len(done) == len(_combinations(claim))


def bound(claim: Claim) -> Verdict:
    """BOUNDED at the sizes that were reached, or UNDECIDED: the identity test alone."""
    attempt = _attempt_trace(claim)
    done, bits = bounded_sizes(claim, attempt, claim.deadline)
    if done:
        return verdicts.bounded(claim, done, bits, attempt.why, attempt.notes)
    return verdicts.undecided(claim, f"the identity test decides nothing; {attempt.why}", attempt.notes)


def decide(claim: Claim) -> Verdict:
    """DECIDED at the sizes that were reached, or UNDECIDED."""
    attempt = _attempt_trace(claim)
    _require_generic(claim, attempt)
    done, reason = decided_sizes(claim, attempt)
    if done:
        return verdicts.decided(claim, done, attempt.why, attempt.notes)
    return verdicts.undecided(claim, reason or attempt.why, attempt.notes)


def _attempt_trace(claim: Claim) -> Attempt:
    """A trace without a proof."""
    try:
        with until(_share(claim.deadline)):
            trace = trace_all_sizes(claim.function, claim.signature, dict(claim.pins))
        return Attempt(trace, None, "no proof was tried", trace.notes)
    except TraceError as error:
        return Attempt(None, None, f"no trace for all sizes: {error.message}", code=error.code)
    except TimeIsUp:
        return Attempt(None, None, SLOW)


def _share(deadline: float) -> float:
    """The moment at which a trace is given up, so that time is left for the search."""
    now = time.monotonic()
    return now + TRACE_SHARE * (deadline - now)


def refute(claim: Claim) -> Verdict:
    """FAILS, or UNDECIDED with what was tried."""
    attempt = attempt_proof(replace(claim, group=Group(()), under=""))
    _require_generic(claim, attempt)
    verdict = _searched(claim, attempt, _subject(claim, attempt))
    if verdict.fails:
        return verdict
    return verdicts.undecided(claim, "no counterexample found: " + verdict.reason, verdict.notes)


def _proved(claim: Claim, trace: Trace, proof: Proof) -> Verdict:
    lines = derivation(trace.program, proof, f"f is equivariant under {claim.under}, for all sizes")
    return verdicts.proved(claim, trace.program, proof, lines, trace.notes)


def _combinations(claim: Claim) -> list[dict[str, int]]:
    """The sizes that a search may use, smallest first."""
    spans = {
        n: range(s, s + 1) if isinstance(s, int) else range(s[0], s[1] + 1)
        for n, s in claim.search_sizes().items()
    }
    found = [dict(zip(spans, values, strict=True)) for values in product(*spans.values())]
    return sorted(found, key=lambda c: (sum(c.values()), tuple(c.values())))


def _program_at(claim: Claim, attempt: Attempt, sizes: dict[str, int]) -> Program:
    if attempt.trace is not None:
        return attempt.trace.program
    return trace_at(claim.function, claim.signature, sizes).program


def decided_sizes(claim: Claim, attempt: Attempt) -> tuple[list[dict[str, int]], str]:
    """The sizes, smallest first, at which the claim was decided to hold, and why that stopped early.

    The first size that is not decided ends it, since a wrong claim mostly fails at small sizes.
    """
    limit = min(claim.deadline, time.monotonic() + DECISION_SECONDS)
    done: list[dict[str, int]] = []
    for sizes in _combinations(claim)[:MOST_DECIDED]:
        if time.monotonic() > limit:
            break
        try:
            with until(limit):
                program = _program_at(claim, attempt, sizes)
        except (TraceError, TargetError, ShapeError) as error:
            return ([], error.message) if not done else (done, "")
        except TimeIsUp:
            return done, "" if done else TIME_IS_UP
        everything = {**sizes, **claim.output_sizes(program, sizes)}
        if isinstance(infer_at(program, claim, everything), Proof):
            done.append(sizes)
            continue
        if sum(prod(s.value(everything) for s in shape) for _, shape in program.inputs) > MOST_ENTRIES:
            return done, "" if done else "too many entries for an exact decision"
        decision = decide_equivariance(program, claim.signature, claim.group, everything, limit)
        if not decision.holds:
            if "time is up" in decision.reason and done:
                break
            return [], decision.reason
        done.append(sizes)
    return done, ""


def bounded_sizes(
    claim: Claim, attempt: Attempt, limit: float | None = None
) -> tuple[list[dict[str, int]], int]:
    """The sizes, smallest first, at which the identity test succeeds, and k of the error 2^-k for all.

    The first size at which it does not ends it all: a wrong claim mostly fails at small sizes.
    """
    combinations = _combinations(claim)[:MOST_DECIDED]
    if limit is None:
        rest = max(0.0, claim.deadline - time.monotonic())
        share = rest if len(combinations) == 1 else min(rest / 2, IDENTITY_SECONDS)
        limit = time.monotonic() + share
    done: list[dict[str, int]] = []
    least = MOST_BITS
    for sizes in combinations:
        if time.monotonic() > limit:
            break
        try:
            with until(limit):
                program = _program_at(claim, attempt, sizes)
        except (TraceError, TargetError, ShapeError, TimeIsUp):
            break
        everything = {**sizes, **claim.output_sizes(program, sizes)}
        found = bounded_equivariance(program, claim.signature, claim.group, everything, claim.seed, limit)
        if not found.holds:
            if found.reason == TIME_IS_UP:
                break
            return [], 0
        done.append(sizes)
        least = min(least, found.bits)
    return done, least


def infer_at(program: Program, claim: Claim, sizes: Mapping[str, int]) -> Proof | Gap:
    """The types at single sizes."""
    return infer_equivariance(substituted(program, sizes), claim.signature, claim.group, sizes)


def _unknown_functions(claim: Claim, attempt: Attempt) -> str:
    """What stands in the way of a search: uninterpreted functions of which only a symmetry is known."""
    if attempt.trace is None:
        return ""
    known = attempt.trace.opaques
    names = [o.name for o in attempt.trace.program.opaques if o.symmetry is not None and o.name not in known]
    if not names:
        return ""
    return f"{', '.join(dict.fromkeys(names))} has no example to compute with (give example= to opaque)"


def _searched(claim: Claim, attempt: Attempt, subject: Subject) -> Verdict:
    obstacle = _unknown_functions(claim, attempt)
    if obstacle:
        return verdicts.undecided(claim, f"no point can be tried: {obstacle}; {attempt.why}", attempt.notes)
    result = find_counterexample(
        subject,
        claim.signature,
        claim.group,
        sizes=claim.search_sizes(),
        seed=claim.seed,
        deadline=claim.deadline,
        domain=claim.domain,
        constants=mine_constants(claim.function),
        unbounded=[n for n in claim.signature.input_names if n not in claim.pins and n not in claim.ranges],
    )
    with overtime():
        return verdicts.from_search(claim, attempt, result, subject)


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
            with until(_share(claim.deadline)):
                run(claim.function, claim.signature, inputs, sizes)
            return
        except TimeIsUp:
            return
        except (TargetError, ShapeError) as error:
            failure = error
    undefined = isinstance(getattr(failure, "__cause__", None), (ArithmeticError, np.linalg.LinAlgError))
    if failure is not None and not undefined:
        raise failure


def generic_inputs(signature: Signature, sizes: Mapping[str, int]) -> dict[str, Any]:
    """Inputs without structure: distinct numbers, true masks, indices in range."""
    inputs: dict[str, Any] = {}
    for argument in signature.inputs:
        shape = tuple(axis.at(sizes) for axis in argument.axes)
        count = prod(shape)
        if argument.kind == "bool":
            values = np.arange(count) % 2 == 0
        elif argument.kind == "index":
            values = np.arange(count) % max(1, sizes.get(argument.indexes or "", 1))
        else:
            values = np.cos(np.arange(count) * 1.7 + 0.3) + 1.5
        inputs[argument.name] = values.reshape(shape)
    return inputs


__all__ = ["Attempt", "Claim", "EqvproofError", "SearchResult", "all_sizes", "check", "prove", "refute"]
