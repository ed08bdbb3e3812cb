"""The verdicts that tests ask for, each with its certificate re-checked by the kernel."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import eqvproof as ep

#: Seconds for a proof or a counterexample that is there: more than a busy machine takes.
BUDGET = 120.0


def assert_proved(function: Any, signature: str, under: str, **options: Any) -> ep.Verdict:
    """The claim holds for all sizes, and the kernel accepts the proof."""
    verdict = ep.check(function, signature, under, **{"budget": BUDGET, **options})
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "PROVED"), str(verdict)
    assert ep.verify(verdict.certificate).accepted
    return verdict


def assert_unproved(function: Any, signature: str, under: str, **options: Any) -> None:
    """Nothing says that the claim holds, for all sizes or for some: a near miss, true at most inputs."""
    for judge in (ep.prove, ep.decide):
        verdict = judge(function, signature, under, **options)
        assert not verdict.holds, str(verdict)


def assert_refuted(
    function: Any,
    signature: str,
    under: str,
    *,
    grades: tuple[str, ...] = ("EXACT", "ENCLOSED"),
    **options: Any,
) -> ep.Verdict:
    """The claim fails beyond doubt, and the kernel accepts the counterexample."""
    verdict = ep.check(function, signature, under, **{"budget": BUDGET, **options})
    assert verdict.fails and verdict.grade in grades, str(verdict)
    assert ep.verify(verdict.certificate).accepted
    return verdict


@cache
def _proved_once(function: Any, signature: str, under: str) -> Any:
    return assert_proved(function, signature, under).certificate


def certificate_of(function: Any, signature: str, under: str) -> Any:
    """Returns the certificate of a claim that several tests of a process ask for: a copy for each."""
    return copy.deepcopy(_proved_once(function, signature, under))
