"""Claims with representations given by functions: f(g x) = g f(x) with rho(g) on some axes.

Nothing is proved about a rho that is only called: the claim is refuted, or tested. Its matrices are
used as they are returned (rho is tested on some products of elements), so no certificate can hold
them.
"""

from __future__ import annotations

from dataclasses import replace

from eqvproof.engines.all_sizes import attempt_trace
from eqvproof.engines.claim import Claim
from eqvproof.engines.representations.acting import Acting
from eqvproof.engines.searching import require_typed, searched
from eqvproof.engines.verdict import Verdict
from eqvproof.engines.verdicts import undecided


def check(claim: Claim) -> Verdict:
    """Returns FAILS, TESTED or UNDECIDED."""
    acts = Acting(claim)
    first = acts.order[0]
    fixed = {
        r.axis: first[r.axis]
        for r in claim.reps
        if all(s[r.axis] == first[r.axis] for s in acts.order)
    }
    attempt = attempt_trace(replace(claim, pins={**claim.pins, **fixed}))
    if any(t.program.opaques for t in attempt.traces):
        return undecided(
            claim, "uninterpreted functions together with functions in reps= are not treated"
        )
    if attempt.trace is None:
        require_typed(claim, [acts.order[-1]])
    axes = ", ".join(r.axis for r in claim.reps)
    why = f"the matrices of the representation on {axes} are taken from a function: no certificate"
    return searched(claim, replace(attempt, why=why), acts)


def refute(claim: Claim) -> Verdict:
    """Returns FAILS or UNDECIDED."""
    verdict = check(claim)
    if verdict.holds:
        return undecided(claim, verdict.reason, verdict.notes)
    return verdict


def neither(claim: Claim) -> Verdict:
    """Returns UNDECIDED, as the result of proofs and decisions."""
    return undecided(
        claim, "representations given by functions are refuted or tested here, not proved"
    )
