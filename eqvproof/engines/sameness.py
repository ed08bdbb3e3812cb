"""Whether two functions are equal: a normal form for all sizes, then decision, search and tests."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

import numpy as np

from eqvproof.deadline import TimeIsUp, overtime, until
from eqvproof.engines.bounded import TIME_IS_UP, bounded_identity
from eqvproof.engines.decide import decide_identity
from eqvproof.engines.identity import IdentityProof, prove_identity
from eqvproof.engines.scope import Range, all_sizes, scope_text, tried_text
from eqvproof.engines.search import (
    Found,
    SearchResult,
    Subject,
    blackbox_subject,
    evidence,
    find_difference,
    mine_constants,
    program_subject,
)
from eqvproof.engines.targets import trace_all_sizes
from eqvproof.engines.verdicts import bounded_text
from eqvproof.errors import TraceError
from eqvproof.frontends import Trace
from eqvproof.groups import Group
from eqvproof.signature import Signature
from eqvproof.verdict import Counterexample, Grade, Outcome, Verdict, recheck, seal

#: Without sizes=, searches try each axis from 1 up to this size.
LARGEST_DEFAULT = 4
MOST_DECIDED = 32
MOST_ENTRIES = 300
TRACE_SHARE = 0.6
SLOW = "no trace for all sizes: the time allowed was up before it had been replayed"
DECISION_SECONDS = 3.0
#: Seconds for the search for a point at which only one side is defined, after a proof.
DOMAIN_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class SameClaim:
    """Two functions claimed to be equal, with the limits of the work; fields as in `pipeline.Claim`."""

    f: Callable[..., Any]
    g: Callable[..., Any]
    signature: Signature
    pins: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    seed: int = 0
    deadline: float = float("inf")
    domain: Any = None

    def search_sizes(self) -> dict[str, int | Range]:
        """The sizes that a search may use."""
        default = (1, LARGEST_DEFAULT)
        return {n: self.pins.get(n, self.ranges.get(n, default)) for n in self.signature.input_names}


def identical(claim: SameClaim) -> Verdict:
    """The strongest verdict that the engines reach."""
    try:
        with until(time.monotonic() + TRACE_SHARE * (claim.deadline - time.monotonic())):
            f, g = (trace_all_sizes(x, claim.signature, dict(claim.pins)) for x in (claim.f, claim.g))
    except (TraceError, TimeIsUp) as error:
        why = f"no trace for all sizes: {error.message}" if isinstance(error, TraceError) else SLOW
        subjects = [blackbox_subject(x, claim.signature) for x in (claim.f, claim.g)]
        return _searched(claim, subjects[0], subjects[1], why, ())
    notes = tuple(dict.fromkeys((*f.notes, *g.notes)))
    first, second = (program_subject(t.program, t.opaques) for t in (f, g))
    proof = prove_identity(f.program, g.program, lows={})
    if isinstance(proof, IdentityProof):
        return _proved(claim, f, g, proof, first, second, notes)
    done = _decided(claim, f, g)
    if done:
        return Verdict(
            Outcome.HOLDS, Grade.DECIDED, tried_text(done),
            reason=f"equal as rational functions at each of these sizes; {proof}", sizes=tuple(done),
            signature=str(claim.signature), notes=notes,
        )  # fmt: skip
    random, bits = _bounded(claim, f, g)
    if not random:
        return _searched(claim, first, second, proof, notes)
    shorter = replace(claim, deadline=min(claim.deadline, time.monotonic() + DOMAIN_SECONDS))
    verdict = _searched(shorter, first, second, proof, notes)
    if verdict.fails:
        return verdict
    return Verdict(
        Outcome.HOLDS, Grade.BOUNDED, tried_text(random), reason=f"{bounded_text(bits)}; {proof}",
        sizes=tuple(random), signature=str(claim.signature), notes=verdict.notes,
    )  # fmt: skip


def _proved(
    claim: SameClaim,
    f: Trace,
    g: Trace,
    proof: IdentityProof,
    first: Subject,
    second: Subject,
    notes: tuple[str, ...],
) -> Verdict:
    if not proof.same_domain:
        result = _search(claim, first, second, min(claim.deadline, time.monotonic() + DOMAIN_SECONDS))
        if result.found is not None:
            with overtime():
                return _fails(claim, result.found, first, second, "equal only where both are defined", notes)
        notes = (
            *notes,
            "equal wherever both are defined: " + "; ".join(proof.conditions or ("see the steps",)),
        )
    scope = all_sizes(claim.signature, claim.pins)
    certificate = seal(
        "identity",
        claim=claim_json(claim, scope),
        program=f.program.to_json(),
        other=g.program.to_json(),
        evidence={"cells": proof.cells, "same_domain": proof.same_domain},
    )
    objection = recheck(certificate)
    if objection:
        why = f"a normal form was found, but the kernel does not accept it: {objection}"
        return _searched(claim, first, second, why, notes)
    return Verdict(
        Outcome.HOLDS, Grade.PROVED, scope_text(scope), sizes=(scope,), signature=str(claim.signature),
        derivation=proof.lines, certificate=certificate, notes=notes,
    )  # fmt: skip


def claim_json(claim: SameClaim, scope: Mapping[str, Any]) -> dict[str, Any]:
    """The claim as certificates hold it."""
    return {"kind": "identity", **claim.signature.to_json(), "scope": dict(scope)}


def _combinations(claim: SameClaim) -> list[dict[str, int]]:
    spans = {
        n: range(s, s + 1) if isinstance(s, int) else range(s[0], s[1] + 1)
        for n, s in claim.search_sizes().items()
    }
    found = [dict(zip(spans, values, strict=True)) for values in product(*spans.values())]
    return sorted(found, key=lambda c: (sum(c.values()), tuple(c.values())))[:MOST_DECIDED]


def _decided(claim: SameClaim, f: Trace, g: Trace) -> list[dict[str, int]]:
    limit = min(claim.deadline, time.monotonic() + DECISION_SECONDS)
    done: list[dict[str, int]] = []
    for sizes in _combinations(claim):
        if time.monotonic() > limit:
            break
        entries = sum(prod(s.value(sizes) for s in shape) for _, shape in f.program.inputs)
        if entries > MOST_ENTRIES:
            break
        decision = decide_identity(f.program, g.program, sizes, limit)
        if not decision.holds:
            return done if "time is up" in decision.reason else []
        done.append(sizes)
    return done


def _bounded(claim: SameClaim, f: Trace, g: Trace) -> tuple[list[dict[str, int]], int]:
    """The sizes, smallest first, at which the identity test succeeds, and k of the error 2^-k."""
    combinations = _combinations(claim)
    rest = max(0.0, claim.deadline - time.monotonic())
    limit = time.monotonic() + (rest if len(combinations) == 1 else min(rest / 2, DECISION_SECONDS))
    done: list[dict[str, int]] = []
    bits: list[int] = []
    for sizes in combinations:
        if time.monotonic() > limit:
            break
        found = bounded_identity(f.program, g.program, sizes, claim.seed, limit)
        if not found.holds:
            if found.reason == TIME_IS_UP:
                break
            return [], 0
        done.append(sizes)
        bits.append(found.bits)
    return done, min(bits, default=0)


def _search(claim: SameClaim, first: Subject, second: Subject, deadline: float) -> SearchResult:
    return find_difference(
        first,
        second,
        claim.signature,
        sizes=claim.search_sizes(),
        seed=claim.seed,
        deadline=deadline,
        domain=claim.domain,
        constants=[*mine_constants(claim.f), *mine_constants(claim.g)],
        unbounded=[n for n in claim.signature.input_names if n not in claim.pins and n not in claim.ranges],
    )


def _searched(claim: SameClaim, first: Subject, second: Subject, why: str, notes: tuple[str, ...]) -> Verdict:
    result = _search(claim, first, second, claim.deadline)
    notes = tuple(dict.fromkeys((*notes, *result.notes)))
    text = str(claim.signature)
    if result.nondeterministic:
        reason = f"a target gives different answers to equal calls; {why}"
        return Verdict(Outcome.UNDECIDED, Grade.NONE, "", reason=reason, signature=text, notes=notes)
    if result.found is not None:
        with overtime():
            return _fails(claim, result.found, first, second, why, notes)
    if not result.tried:
        reason = f"no point could be compared ({result.undefined} were undefined); {why}"
        return Verdict(Outcome.UNDECIDED, Grade.NONE, "", reason=reason, signature=text, notes=notes)
    return Verdict(
        Outcome.HOLDS, Grade.TESTED, tried_text(result.sizes_tried),
        reason=f"no difference in {result.tried} comparisons, and nothing more is claimed; {why}",
        sizes=tuple(result.sizes_tried), signature=text, notes=notes,
    )  # fmt: skip


def _fails(
    claim: SameClaim, found: Found, first: Subject, second: Subject, why: str, notes: tuple[str, ...]
) -> Verdict:
    sizes = dict(found.sizes)
    grade = Grade(found.grade)
    certificate = None
    p, q = first.program_at(sizes), second.program_at(sizes)
    if grade is not Grade.OBSERVED and p is not None and q is not None:
        certificate = seal(
            "difference",
            claim=claim_json(claim, sizes),
            program=p.to_json(),
            other=q.to_json(),
            evidence=evidence(found, claim.signature, Group(())),
        )
        objection = recheck(certificate)
        if objection:
            certificate, grade = None, Grade.OBSERVED
            notes = (*notes, f"the kernel does not confirm the difference: {objection}")
    counterexample = Counterexample(
        sizes=sizes,
        inputs=dict(found.inputs),
        element={},
        left=np.asarray(found.left, dtype=object),
        right=np.asarray(found.right, dtype=object),
        entry=tuple(found.entry),
        words="",
        labels=("f(x)", "g(x)"),
    )
    return Verdict(
        Outcome.FAILS, grade, tried_text([sizes]), reason=why, sizes=(sizes,), signature=str(claim.signature),
        counterexample=counterexample, certificate=certificate, notes=notes,
    )  # fmt: skip
