"""Claims with irreps as claims of types, proved or decided: irreps stand on the axes that carry them."""

from __future__ import annotations

from dataclasses import replace

from eqvproof.engines import pipeline
from eqvproof.engines.all_sizes import attempt_proof
from eqvproof.engines.claim import Claim
from eqvproof.groups import Group
from eqvproof.groups.irreps import put
from eqvproof.signature import Axis, Term
from eqvproof.verdict import Verdict


def proved(claim: Claim) -> Verdict | None:
    """PROVED for all sizes, or UNDECIDED with the reason; None where representations are functions."""
    there = with_irreps(claim)
    if there is None:
        return None
    return replace(pipeline.prove(there), signature=str(claim.signature), under=claim.under)


def decided(claim: Claim) -> Verdict | None:
    """DECIDED at the sizes at which types show it, or UNDECIDED; None where representations are functions."""
    there = with_irreps(claim)
    if there is None:
        return None
    return replace(
        pipeline.decided(there, attempt_proof(there)), signature=str(claim.signature), under=claim.under
    )


def with_irreps(claim: Claim) -> Claim | None:
    """The claim with irreps written on the axes that carry them; None where functions are given."""
    if not all(rep.parts for rep in claim.reps):
        return None
    axes = {
        rep.axis: tuple(
            Term(count * (2 * degree + 1), None, f"{degree}{parity}") for count, degree, parity in rep.parts
        )
        for rep in claim.reps
    }
    if any(
        claim.pins.get(name, size) != size for name, size in ((n, Axis(t).at({})) for n, t in axes.items())
    ):
        return None
    kept = {name: size for name, size in claim.pins.items() if name not in axes}
    signature = put(claim.signature, axes)
    factors = [
        replace(f, axis=3) if claim.pins.get(str(f.axis)) == 3 and f.axis not in signature.names else f
        for f in claim.group.factors
    ]
    return replace(claim, signature=signature, group=Group(tuple(factors)), pins=kept, reps=())
