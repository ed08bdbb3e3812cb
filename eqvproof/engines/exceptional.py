"""Verdicts at exceptional points, and off them.

A claim is about all points at which its function is defined. A counterexample at which entries tie
may be one at these points alone: then the claim is checked once more off them, and the verdict
holds both results. With ``generic=True`` a claim is about the points off the exceptional sets
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from eqvproof.engines.claim import Claim
from eqvproof.engines.search.exceptional_points import sets_at, watched
from eqvproof.engines.verdict import Verdict
from eqvproof.engines.verdicts import undecided
from eqvproof.support.errors import ShapeError, TargetError
from eqvproof.tracing.trace import Trace

#: Share of the time, and largest number of seconds, for the verdict off the exceptional points.
ELSEWHERE_SHARE, ELSEWHERE_SECONDS = 0.5, 4.0


def with_elsewhere(
    claim: Claim, verdict: Verdict, traces: Sequence[Trace], judge: Callable[[Claim], Verdict]
) -> Verdict:
    """Adds the verdict off the exceptional points to a counterexample at such a point.

    A counterexample off them replaces one on them, unless it is weaker.

    Args:
        claim: the claim.
        verdict: the verdict on all points.
        traces: the Programs of its functions, as far as they are known.
        judge: checks a claim and returns the verdict.
    """
    shown = verdict.counterexample
    if not verdict.fails or shown is None or verdict.elsewhere is not None or claim.generic:
        return verdict
    at = {name: np.asarray(a, dtype=object) for name, a in shown.inputs.items()}
    points = list(sets_at(traces, at, shown.sizes))
    points += [p for p in sets_at(traces, shown.moved, shown.sizes) if p not in points]
    if not points:
        return verdict
    seconds = min(ELSEWHERE_SECONDS, max(0.0, claim.seconds_left * ELSEWHERE_SHARE))
    try:
        elsewhere = judge(replace(claim, generic=True).within(seconds))
    except (TargetError, ShapeError) as error:  # at small sizes it takes no other points
        elsewhere = undecided(claim, error.message)
    if elsewhere.fails and elsewhere.grade >= verdict.grade:
        return elsewhere
    return replace(verdict, points=tuple(points), elsewhere=elsewhere)


def generic_verdict(verdict: Verdict, traces: Sequence[Trace]) -> Verdict:
    """Adds the exceptional sets that were left out to a TESTED verdict on generic points."""
    if not verdict.holds or verdict.points or verdict.grade != "TESTED":
        return verdict
    points = tuple(dict.fromkeys(w.points for t in traces for w in watched(t)))
    return replace(verdict, points=points)
