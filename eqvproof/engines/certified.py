"""Certificates of what holds at single sizes, which the kernel recomputes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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


#: The functions of a claim, each a Program.
Programs = tuple[Program, ...]


def decided(claim: Claim, programs: Sequence[Programs], sizes: Sequence[Sizes]) -> tuple[JSON, list[Reading]]:
    """The certificate that a claim holds at each of some sizes; types are its proof where they are one.

    And the tables that these proofs read as the ones next to them that the group keeps.

    Args:
        claim: the claim.
        programs: what its functions are at each of the sizes, or at all of them.
        sizes: of the names of the inputs.
    """
    proofs, read = [], dict[Reading, None]()
    for k, at in enumerate(sizes):
        first = programs[k % len(programs)][0]
        everything = {**at, **claim.output_sizes(first, at)}
        proof = None if claim.is_identity else proof_at(
            first, claim.signature, claim.group, everything, literal=claim.literal)  # fmt: skip
        if proof is not None and not claim.literal:
            read |= dict.fromkeys(readings(substituted(first, at), proof))
        proofs.append(None if proof is None else proof.to_json())
    return _sealed("decision", claim, programs, sizes, {"proofs": proofs}, is_read=bool(read)), [*read]


def tested(claim: Claim, programs: Sequence[Programs], sizes: Sequence[Sizes]) -> JSON:
    """The certificate that a claim passes the identity test at each of these sizes."""
    return _sealed("test", claim, programs, sizes, {"bits": BITS})


def is_tested(claim: Claim, programs: Programs, sizes: Sizes) -> bool:
    """Whether the kernel agrees that the claim passes the test there, or does not undertake so much work."""
    reason, limited = rejection(tested(claim, [programs], [sizes]))
    return limited or not reason


def proof_at(
    program: Program, signature: Signature, group: Group, sizes: Sizes, *, literal: bool
) -> Proof | None:
    """The proof that the types at single sizes are, if they are one."""
    found = infer_equivariance(substituted(program, sizes), signature, group, sizes, literal=literal)
    return found if isinstance(found, Proof) else None


def _sealed(
    kind: str, claim: Claim, found: Sequence[Programs], sizes: Sequence[Sizes], evidence: JSON, *,
    is_read: bool = False,
) -> JSON:  # fmt: skip
    programs = {
        name: [programs[k].to_json() for programs in found]
        for k, name in enumerate(("programs", "others")[: 1 + claim.is_identity])
    }
    what = {**claim.to_json({}, is_read=is_read), "scope": [dict(at) for at in sizes]}
    return seal(kind, claim=what, evidence=evidence, **programs)
