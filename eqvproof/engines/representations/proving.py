"""Claims with irreps, proved or decided as claims about tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from eqvproof.engines import verdicts
from eqvproof.engines.all_sizes import Attempt, attempt_trace, proof_on
from eqvproof.engines.claim import Claim
from eqvproof.engines.definedness import defined_somewhere
from eqvproof.engines.fixed_sizes import MOST_DECIDED, decided_sizes
from eqvproof.engines.representations.tensors import Carried, carried
from eqvproof.engines.scope import all_sizes, scope_text, tried_text
from eqvproof.engines.targets import confirm
from eqvproof.errors import TraceError
from eqvproof.verdict import Verdict

MEANING = "the certificate speaks of the function in which irreps are carried by tensors"


def proved(claim: Claim) -> Verdict | None:
    """PROVED for all sizes of the axes that are not represented, or None."""
    found = _tensors(claim)
    if found is None:
        return None
    there, attempt, confirmed = found
    lengths = {3, 5, *(there.claim.pins[rep.axis] for rep in claim.reps)} - {1}
    done = proof_on(there.claim, attempt, lengths)
    if done is None or not confirmed():
        return None
    where = defined_somewhere(there.claim, done)
    verdict = verdicts.proved(there.claim, done, where, attempt.notes)
    if not verdict.holds:
        return None
    scope = all_sizes(claim.signature, there.claim.pins)
    return replace(
        verdict, scope=scope_text(scope), sizes=(scope,), signature=str(claim.signature),
        notes=(*verdict.notes, f"{MEANING}: {there.claim.signature}"),
    )  # fmt: skip


def decided(claim: Claim) -> Verdict | None:
    """DECIDED at all sizes that are tried, or None."""
    found = _tensors(claim)
    if found is None:
        return None
    there, attempt, _ = found
    done, reason = decided_sizes(there.claim, attempt)
    if reason or not done or len(done) < len(there.claim.combinations()[:MOST_DECIDED]):
        return None
    names = claim.signature.names
    tried = [{n: s for n, s in {**there.claim.pins, **sizes}.items() if n in names} for sizes in done]
    where = defined_somewhere(there.claim, attempt, done)
    attempt = replace(attempt, why="irreps are carried by tensors there")
    verdict = verdicts.decided(there.claim, attempt, where, done, attempt.notes)
    if not verdict.holds:
        return None
    return replace(verdict, scope=tried_text(tried), sizes=tuple(tried), signature=str(claim.signature))


def _tensors(claim: Claim) -> tuple[Carried, Attempt, Callable[[], bool]] | None:
    """The claim about tensors, its Program as a trace, and whether the function's own trace is confirmed."""
    if not all(rep.parts for rep in claim.reps):
        return None
    lengths = {rep.axis: sum(c * (2 * degree + 1) for c, degree, _ in rep.parts) for rep in claim.reps}
    low_high = {name: claim.ranges.get(name, (n, n)) for name, n in lengths.items()}
    if any(
        claim.pins.get(k, n) != n or not low_high[k][0] <= n <= low_high[k][1] for k, n in lengths.items()
    ):
        return None
    pinned = replace(claim, pins={**claim.pins, **lengths})
    attempt = attempt_trace(pinned)
    trace = attempt.trace
    if trace is None or trace.program.opaques:
        return None
    found = carried(pinned, trace.program)
    if found is None:
        return None
    program = replace(trace, program=found.program, lines={}, drafts=None)

    def confirmed() -> bool:
        try:
            confirm(claim.function, trace, pinned.signature, pinned.pins)
        except TraceError:
            return False
        return True

    return found, replace(attempt, traces=(program,)), confirmed
