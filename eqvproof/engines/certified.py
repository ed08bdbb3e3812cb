"""Certificates for claims that hold at single sizes, which the kernel recomputes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from eqvproof.claims.groups import Group
from eqvproof.claims.signature import Signature
from eqvproof.engines.claim import Claim
from eqvproof.engines.linear_types import Proof, infer_equivariance, invariant_tables
from eqvproof.engines.verdict import rejection, seal
from eqvproof.engines.verdict.scope import Reading
from eqvproof.programs import Program, substituted
from eqvproof.programs.operations import Operation
from eqvproof.programs.program import numbers

JSON = dict[str, Any]
Sizes = Mapping[str, int]
#: Bits of the error bound of the kernel's own test.
BITS = 100


#: The Programs of the functions of a claim.
Programs = tuple[Program, ...]


def decided(
    claim: Claim, programs: Sequence[Programs], sizes: Sequence[Sizes], bits: int
) -> tuple[JSON, list[Reading]]:
    """Builds the certificate that a claim holds at each of some sizes, with the readings it uses.

    Where types are a proof at a size, the certificate holds that proof. Readings are the constant
    tables that such proofs replace by nearby invariant ones.

    Args:
        claim: the claim.
        programs: the Programs of its functions, at each of the sizes or for all of them.
        sizes: of the names of the inputs.
        bits: those of the shortest floats to which constants may be rounded; 0 if every constant
            is read as it is stored.
    """
    proofs, read = [], dict[Reading, None]()
    nodes: list[dict[int, Reading]] = [{} for _ in programs]
    for k, at in enumerate(sizes):
        first = programs[k % len(programs)][0]
        everything = {**at, **claim.output_sizes(first, at)}
        proof = None if claim.is_identity else proof_at(
            first, claim.signature, claim.group, everything, bits=bits)  # fmt: skip
        if proof is not None and bits:
            found = invariant_tables(substituted(first, at), proof)
            nodes[k % len(programs)] |= found
            read |= dict.fromkeys(found.values())
        proofs.append(None if proof is None else proof.to_json())
    listed = [
        readings_to_json(own[0], {}, found) for own, found in zip(programs, nodes, strict=True)
    ]
    return _sealed(
        "decision", claim, programs, sizes, {"proofs": proofs}, listed if read else ()
    ), [*read]


def readings_to_json(
    program: Program, stored: Mapping[int, Operation], tables: Mapping[int, Reading]
) -> list[JSON]:
    """Returns the readings of a claim in the JSON form of certificates, in the order of the nodes.

    Args:
        program: the Program with the constants as they are read.
        stored: the constants as they are stored, by node.
        tables: the readings of tables as nearby invariant ones, by node.
    """
    found: dict[int, str] = dict.fromkeys(tables, "invariant")
    for node in stored:
        array = program.nodes[node].constant
        if array is not None:
            found[node] = numbers(map(Fraction, array.ravel().tolist()))
    return [{"node": node, "read": found[node]} for node in sorted(found)]


def tested(claim: Claim, programs: Sequence[Programs], sizes: Sequence[Sizes]) -> JSON:
    """Builds the certificate that a claim passes the identity test at each of some sizes."""
    return _sealed("test", claim, programs, sizes, {"bits": BITS})


def is_tested(claim: Claim, programs: Programs, sizes: Sizes) -> bool:
    """Checks whether the kernel accepts that a claim passes the identity test at some sizes.

    Also True if the test is more work than the kernel does.
    """
    reason, limited = rejection(tested(claim, [programs], [sizes]))
    return limited or not reason


def proof_at(
    program: Program, signature: Signature, group: Group, sizes: Sizes, *, bits: int
) -> Proof | None:
    """Infers types at single sizes; returns them if they prove the claim, else None."""
    found = infer_equivariance(substituted(program, sizes), signature, group, sizes, bits=bits)
    if isinstance(found, Proof):
        return found
    return None


def _sealed(
    kind: str, claim: Claim, found: Sequence[Programs], sizes: Sequence[Sizes], evidence: JSON,
    read: Sequence[Sequence[JSON]] = (),
) -> JSON:  # fmt: skip
    programs = {
        name: [programs[k].to_json() for programs in found]
        for k, name in enumerate(("programs", "others")[: 1 + claim.is_identity])
    }
    what = {**claim.to_json({}, read), "scope": [dict(at) for at in sizes]}
    return seal(kind, claim=what, evidence=evidence, **programs)
