"""Certificates of what holds at single sizes, which the kernel recomputes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eqvproof.engines.all_sizes import Attempt
from eqvproof.engines.claim import Claim
from eqvproof.engines.linear_types import Proof, infer_equivariance, readings
from eqvproof.groups import Group
from eqvproof.program import Program, substituted
from eqvproof.rules.tables import Reading
from eqvproof.signature import Signature
from eqvproof.verdict import rejection, seal

JSON = dict[str, Any]
Sizes = Mapping[str, int]
#: The bits that the kernel's own test has.
BITS = 100


def decided(claim: Claim, attempt: Attempt, sizes: Sequence[Sizes]) -> tuple[JSON, list[Reading]]:
    """The certificate that a claim holds at each of these sizes; types are its proof where they are one.

    And the tables that these proofs read as the ones next to them that the group keeps.
    """
    proofs = [None if claim.is_identity else _typed(claim, attempt, at) for at in sizes]
    found = (
        readings(substituted(attempt.programs_at(at)[0], at), proof)
        for at, proof in zip(sizes, proofs, strict=True)
        if proof is not None and not claim.literal
    )
    read = list(dict.fromkeys(r for rows in found for r in rows))
    shown = {"proofs": [None if p is None else p.to_json() for p in proofs]}
    return _sealed("decision", claim, attempt, sizes, shown, is_read=bool(read)), read


def tested(claim: Claim, attempt: Attempt, sizes: Sequence[Sizes]) -> JSON:
    """The certificate that a claim passes the identity test at each of these sizes."""
    return _sealed("test", claim, attempt, sizes, {"bits": BITS})


def is_decided(claim: Claim, attempt: Attempt, sizes: Sizes) -> bool:
    """Whether the kernel agrees that the claim holds there."""
    return not rejection(decided(claim, attempt, [sizes])[0])[0]


def is_tested(claim: Claim, attempt: Attempt, sizes: Sizes) -> bool:
    """Whether the kernel agrees that the claim passes the test there, or does not undertake so much work."""
    reason, limited = rejection(tested(claim, attempt, [sizes]))
    return limited or not reason


def proof_at(
    program: Program, signature: Signature, group: Group, sizes: Sizes, *, literal: bool
) -> Proof | None:
    """The proof that the types at single sizes are, if they are one."""
    found = infer_equivariance(substituted(program, sizes), signature, group, sizes, literal=literal)
    return found if isinstance(found, Proof) else None


def _typed(claim: Claim, attempt: Attempt, sizes: Sizes) -> Proof | None:
    program = attempt.programs_at(sizes)[0]
    everything = {**sizes, **claim.output_sizes(program, sizes)}
    return proof_at(program, claim.signature, claim.group, everything, literal=claim.literal)


def _sealed(
    kind: str,
    claim: Claim,
    attempt: Attempt,
    sizes: Sequence[Sizes],
    evidence: JSON,
    *,
    is_read: bool = False,
) -> JSON:
    found = [attempt.programs_at(at) for at in sizes[: 1 if attempt.traces else None]]
    programs = {
        name: [programs[k].to_json() for programs in found]
        for k, name in enumerate(("programs", "others")[: len(claim.functions)])
    }
    what = {**claim.to_json({}, is_read=is_read), "scope": [dict(at) for at in sizes]}
    return seal(kind, claim=what, evidence=evidence, **programs)
