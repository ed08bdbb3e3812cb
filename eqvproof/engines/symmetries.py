"""The claims for every supported group on every axis, and the order of their verdicts."""

from __future__ import annotations

from dataclasses import replace

from eqvproof.claims.groups import parse_group
from eqvproof.claims.groups.families import largest_first
from eqvproof.engines.claim import Claim
from eqvproof.engines.verdict import Verdict
from eqvproof.support.errors import GroupError


def claims_of_every_group(claim: Claim) -> list[Claim]:
    """Returns the claims for every supported group on each axis of the inputs, larger first."""
    claims = []
    for under in (
        f"{family}({axis})" for family in largest_first() for axis in claim.signature.input_names
    ):
        try:
            claims.append(replace(claim, group=parse_group(under, claim.signature), under=under))
        except GroupError:  # translations of a value with two such axes have no meaning
            continue
    return claims


def sort_by_outcome(verdicts: list[Verdict]) -> list[Verdict]:
    """Sorts verdicts: those that hold first, those that fail last, stable otherwise."""
    return sorted(verdicts, key=lambda v: 0 if v.holds else 2 if v.fails else 1)
