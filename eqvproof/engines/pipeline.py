"""From a function and its claimed symmetry to a verdict: proof first, then the search for a counterexample.

The order is the order of strength. A trace for all sizes gives a Program, whose types are inferred; where
that stops, the smallest counterexample is searched in exact arithmetic; where none is found, fixed sizes are
tried; what is left is a count of comparisons without a violation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from eqvproof.engines import verdicts
from eqvproof.engines.explain import derivation, gap_text
from eqvproof.engines.infer import Gap, Proof, infer_equivariance
from eqvproof.engines.scope import Range, all_sizes
from eqvproof.engines.search import blackbox_subject, find_counterexample, mine_constants, program_subject
from eqvproof.engines.search import SearchResult, Subject
from eqvproof.errors import EqvproofError, ShapeError, TargetError, TraceError
from eqvproof.frontends import Trace, trace_all_sizes, trace_at
from eqvproof.groups import Group
from eqvproof.program import Program
from eqvproof.signature import Signature
from eqvproof.verdict import Verdict

#: Without sizes=, searches try each axis from 1 up to this size.
LARGEST_DEFAULT = 4
#: At most so many combinations of sizes are traced one by one.
MOST_FIXED = 24


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


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the attempt at a proof left behind."""

    trace: Trace | None
    proof: Proof | None
    why: str
    notes: tuple[str, ...] = ()


def attempt_proof(claim: Claim) -> Attempt:
    """A trace for all sizes and, on it, a proof."""
    try:
        trace = trace_all_sizes(claim.function, claim.signature, dict(claim.pins))
    except TraceError as error:
        return Attempt(None, None, f"no trace for all sizes: {error.message}")
    found = infer_equivariance(trace.program, claim.signature, claim.group, claim.pins)
    if isinstance(found, Gap):
        return Attempt(trace, None, gap_text(trace.program, found, trace.lines), trace.notes)
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
    if attempt.proof is not None and attempt.trace is not None:
        verdict = _proved(claim, attempt.trace, attempt.proof)
        if verdict.holds:
            return verdict
        attempt = Attempt(attempt.trace, None, verdict.reason, attempt.notes)
    if attempt.trace is not None:
        return _searched(claim, attempt, program_subject(attempt.trace.program))
    programs, every = _fixed_programs(claim)
    if every and programs:
        decided = _decided(claim, programs, attempt)
        if decided is not None:
            return decided
    return _searched(claim, attempt, blackbox_subject(claim.function, claim.signature))


def refute(claim: Claim) -> Verdict:
    """FAILS, or UNDECIDED with what was tried."""
    attempt = attempt_proof(Claim(claim.function, claim.signature, Group(()), "", claim.pins, claim.ranges))
    subject = (
        blackbox_subject(claim.function, claim.signature)
        if attempt.trace is None
        else program_subject(attempt.trace.program)
    )
    verdict = _searched(claim, attempt, subject)
    if verdict.fails:
        return verdict
    return verdicts.undecided(claim, "no counterexample found: " + verdict.reason, verdict.notes)


def _proved(claim: Claim, trace: Trace, proof: Proof) -> Verdict:
    lines = derivation(trace.program, proof, f"f is equivariant under {claim.under}, for all sizes")
    return verdicts.proved(claim, trace.program, proof, lines, trace.notes)


def _fixed_programs(claim: Claim) -> tuple[dict[tuple[tuple[str, int], ...], Program], bool]:
    """Programs at single sizes, and whether each of the sizes tried has one."""
    spans = {
        n: range(s, s + 1) if isinstance(s, int) else range(s[0], s[1] + 1)
        for n, s in claim.search_sizes().items()
    }
    combinations = [dict(zip(spans, values, strict=True)) for values in product(*spans.values())]
    combinations.sort(key=lambda c: (sum(c.values()), tuple(c.values())))
    complete = len(combinations) <= MOST_FIXED or not claim.ranges
    programs: dict[tuple[tuple[str, int], ...], Program] = {}
    for sizes in combinations[:MOST_FIXED]:
        if time.monotonic() > claim.deadline:
            return programs, False
        try:
            programs[tuple(sizes.items())] = trace_at(claim.function, claim.signature, sizes).program
        except (TraceError, TargetError, ShapeError):
            return programs, False
    return programs, complete


def _decided(
    claim: Claim, programs: Mapping[tuple[tuple[str, int], ...], Program], attempt: Attempt
) -> Verdict | None:
    """DECIDED where the types of every fixed-size Program prove the claim at its sizes."""
    for sizes, program in programs.items():
        found = infer_equivariance(program, claim.signature, claim.group, dict(sizes))
        if isinstance(found, Gap):
            return None
    return verdicts.decided(claim, [dict(s) for s in programs], attempt.why, attempt.notes)


def _searched(claim: Claim, attempt: Attempt, subject: Subject) -> Verdict:
    result = find_counterexample(
        subject,
        claim.signature,
        claim.group,
        sizes=claim.search_sizes(),
        seed=claim.seed,
        deadline=claim.deadline,
        domain=claim.domain,
        constants=mine_constants(claim.function),
    )
    return verdicts.from_search(claim, attempt, result, subject)


__all__ = ["Attempt", "Claim", "EqvproofError", "SearchResult", "all_sizes", "check", "prove", "refute"]
