"""The answer of a claim at exceptional points, and the one off them.

A claim is about all points at which its function is defined. A counterexample at which entries tie
may be one at these points alone: then the claim is judged once more off them, and the verdict holds
both answers. With ``generic=True`` a claim is about the points off the exceptional sets alone.
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

#: The share of the time, and the seconds at most, for the verdict off the exceptional points.
ELSEWHERE_SHARE, ELSEWHERE_SECONDS = 0.5, 4.0


def with_elsewhere(
    claim: Claim, verdict: Verdict, traces: Sequence[Trace], judge: Callable[[Claim], Verdict]
) -> Verdict:
    """Returns the verdict, with the answer off the exceptional points where it rests on one of these.

    A counterexample off them takes the place of one on them, unless it is weaker.

    Args:
        claim: the claim.
        verdict: on all points.
        traces: the Programs of its functions, as far as they are known.
        judge: gives the verdict on a claim.
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
    """Returns a TESTED verdict on generic points with the exceptional sets that it leaves out."""
    if not verdict.holds or verdict.points or verdict.grade != "TESTED":
        return verdict
    points = tuple(dict.fromkeys(w.points for t in traces for w in watched(t)))
    return replace(verdict, points=points)
