"""Adds to a finished verdict the exceptional points of its counterexample, or those not tested.

Whether a point is exceptional is tested in `search/exceptional_tests.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from eqvproof.engines.verdict import Grade, Verdict
from eqvproof.engines.verdict.scope import ExceptionalSet
from eqvproof.tracing.trace import Trace

#: Seconds for the verdict off the exceptional points, and the least and largest shares of the time
#: left that it may take instead.
ELSEWHERE_SECONDS, LEAST_SHARE, MOST_SHARE = 4.0, 0.25, 0.5


def exceptional_sets(verdict: Verdict, traces: Sequence[Trace]) -> tuple[ExceptionalSet, ...]:
    """Returns the exceptional sets that contain the counterexample of a verdict.

    Args:
        verdict: the verdict on all points.
        traces: the Programs of its functions, as far as they are known.
    """
    shown = verdict.counterexample
    if not verdict.fails or shown is None:
        return ()
    at = {name: np.asarray(a, dtype=object) for name, a in shown.inputs.items()}
    from eqvproof.engines.search.exceptional_tests import sets_at

    points = [*sets_at(traces, at, shown.sizes), *sets_at(traces, shown.moved, shown.sizes)]
    return tuple(dict.fromkeys(points))


def with_points_left_out(verdict: Verdict, traces: Sequence[Trace]) -> Verdict:
    """Adds the exceptional sets that were left out to a TESTED verdict on generic points."""
    if verdict.grade is not Grade.TESTED or verdict.points:
        return verdict
    from eqvproof.engines.search.exceptional_tests import watched

    points = tuple(dict.fromkeys(w.points for t in traces for w in watched(t)))
    return replace(verdict, points=points)
