"""Tests of every supported group on every axis, to find the symmetries of a function."""

from __future__ import annotations

import dataclasses
import time

from eqvproof.claims.groups import parse_group
from eqvproof.claims.groups.families import largest_first
from eqvproof.engines.claim import Claim
from eqvproof.engines.domain_door import require_answer
from eqvproof.engines.pipeline import check
from eqvproof.engines.time_limits import kept
from eqvproof.engines.verdict import Verdict
from eqvproof.engines.verdicts import undecided
from eqvproof.support.apart import Lost, expected_or, so_far
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.errors import GroupError
from eqvproof.support.writing import seconds


def symmetries(claim: Claim) -> list[Verdict]:
    """Returns a verdict for every supported group on every axis, those that hold first.

    Args:
        claim: the function and its typing; the group is ignored, the deadline is that of all
            verdicts together.

    Returns:
        Verdicts; among those that hold, larger groups before their subgroups.
    """
    claims = every_group(claim)
    found: list[Verdict] = []

    def work() -> list[Verdict]:
        require_answer(claim)
        for one in claims:
            found.append(
                _judged(one, (claim.deadline - time.monotonic()) / (len(claims) - len(found)))
            )
            so_far(lambda: found)
        return found

    try:
        found = kept(work, claim)
    except Lost as end:
        found = end.found or []
    late = [
        undecided(one, "the time ran out before this group was tried")
        for one in claims[len(found) :]
    ]
    return by_outcome([*found, *late])


def every_group(claim: Claim) -> list[Claim]:
    """Returns the claims for every supported group on each axis of the inputs, larger first."""
    claims = []
    for under in (
        f"{family}({axis})" for family in largest_first() for axis in claim.signature.input_names
    ):
        try:
            claims.append(
                dataclasses.replace(claim, group=parse_group(under, claim.signature), under=under)
            )
        except GroupError:  # translations of a value with two such axes have no meaning
            continue
    return claims


def by_outcome(verdicts: list[Verdict]) -> list[Verdict]:
    """Sorts verdicts: those that hold first, those that fail last, stable otherwise."""
    return sorted(verdicts, key=lambda v: 0 if v.holds else 2 if v.fails else 1)


def _judged(claim: Claim, share: float) -> Verdict:
    """Returns the verdict on one claim, within its share of the time."""
    end = time.monotonic() + share
    one = dataclasses.replace(claim, deadline=end)
    try:
        with until(end):
            return expected_or(lambda: check(one), lambda why: undecided(one, why))
    except TimeIsUp:
        return undecided(one, f"{seconds(share)} seconds were up before anything was found")
