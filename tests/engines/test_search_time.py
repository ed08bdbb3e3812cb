"""The searches at what a proof leaves open share one rule of time: seconds, or a part of what is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import Traced
from eqvproof.engines.outside_scope import (
    DOMAIN_SECONDS,
    OUTSIDE_SECONDS,
    SHARE,
    TIED_SECONDS,
    at_exceptional_points,
    claims_outside,
    on_one_side,
)
from eqvproof.engines.prove_claim import Proved
from eqvproof.engines.provers import Candidate, by_types
from eqvproof.tracing.numpy.trace import trace_all_sizes

SIGNATURE = parse_signature("x: n -> n")


CLAIM = Claim(lambda x: 2 * x, SIGNATURE, parse_group("S(n)", SIGNATURE), "S(n)")


@cache
def known() -> Traced:
    """The function up to n = 9."""
    trace = replace(trace_all_sizes(CLAIM.function, SIGNATURE, {}), limits={"n": 9})
    return Traced((trace,), (trace,))


@cache
def proved() -> Proved:
    found = by_types(CLAIM, known().traces)
    assert isinstance(found, Candidate)
    return Proved(known(), found.proof)


def outside(claim: Claim) -> Claim:
    return next(iter(claims_outside(claim, known())))


def tied(claim: Claim) -> Claim:
    return at_exceptional_points(claim, proved(), known())[0]


@pytest.mark.parametrize(
    ("search", "seconds"),
    [(outside, OUTSIDE_SECONDS), (tied, TIED_SECONDS), (on_one_side, DOMAIN_SECONDS)],
)
@pytest.mark.parametrize("left", [1.0, 8.0, 1000.0])
def test_a_search_has_its_seconds_or_a_share(
    search: Callable[[Claim], Claim], seconds: float, left: float
) -> None:
    search(CLAIM)  # the function is traced before
    found = search(CLAIM.within(left)).seconds_left
    assert abs(found - min(left, max(seconds, SHARE * left))) < 0.5
