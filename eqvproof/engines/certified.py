"""Certificates of what holds at single sizes, which the kernel recomputes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eqvproof.engines.all_sizes import Attempt
from eqvproof.engines.claim import Claim
from eqvproof.engines.linear_types import Proof, infer_equivariance
from eqvproof.groups import Group
from eqvproof.program import Program, substituted
from eqvproof.signature import Signature
from eqvproof.verdict import rejection, seal

JSON = dict[str, Any]
Sizes = Mapping[str, int]
#: The bits that the kernel's own test has.
BITS = 100


def decided(claim: Claim, attempt: Attempt, sizes: Sequence[Sizes]) -> JSON:
    """The certificate that a claim holds at each of these sizes; types are its proof where they are one."""
    proofs = [None if claim.is_identity else _typed(claim, attempt, at) for at in sizes]
    return _sealed("decision", claim, attempt, sizes, {"proofs": proofs})


def tested(claim: Claim, attempt: Attempt, sizes: Sequence[Sizes]) -> JSON:
    """The certificate that a claim passes the identity test at each of these sizes."""
    return _sealed("test", claim, attempt, sizes, {"bits": BITS})


def is_decided(claim: Claim, attempt: Attempt, sizes: Sizes) -> bool:
    """Whether the kernel agrees that the claim holds there."""
    return not rejection(decided(claim, attempt, [sizes]))[0]


def is_tested(claim: Claim, attempt: Attempt, sizes: Sizes) -> bool:
    """Whether the kernel agrees that the claim passes the test there, or does not undertake so much work."""
    reason, limited = rejection(tested(claim, attempt, [sizes]))
    return limited or not reason


def proof_at(program: Program, signature: Signature, group: Group, sizes: Sizes) -> Proof | None:
    """The proof that the types at single sizes are, if they are one."""
    found = infer_equivariance(substituted(program, sizes), signature, group, sizes)
    return found if isinstance(found, Proof) else None


def _typed(claim: Claim, attempt: Attempt, sizes: Sizes) -> JSON | None:
    program = attempt.programs_at(sizes)[0]
    everything = {**sizes, **claim.output_sizes(program, sizes)}
    found = proof_at(program, claim.signature, claim.group, everything)
    return None if found is None else found.to_json()


def _sealed(kind: str, claim: Claim, attempt: Attempt, sizes: Sequence[Sizes], evidence: JSON) -> JSON:
    found = [attempt.programs_at(at) for at in sizes[: 1 if attempt.traces else None]]
    programs = {
        name: [programs[k].to_json() for programs in found]
        for k, name in enumerate(("programs", "others")[: len(claim.functions)])
    }
    what = {**claim.to_json({}), "scope": [dict(at) for at in sizes]}
    return seal(kind, claim=what, evidence=evidence, **programs)
