"""Tells refutations that rounded constants alone may explain from others.

A claim with a proof is refuted by no difference of that size: the proof is about the constants that
the stored numbers round.
"""

from __future__ import annotations

from collections.abc import Iterable

from eqvproof.engines.search.larger_violations import size_explained_by_rounding
from eqvproof.engines.search.violation_size import middle, relative_size
from eqvproof.engines.verdict import Counterexample, Grade, Verdict
from eqvproof.programs import Program


def is_explained_by_rounding(verdict: Verdict, programs: Iterable[Program]) -> bool:
    """Checks whether a claim fails by an observed difference that rounded constants explain.

    Args:
        verdict: the verdict.
        programs: the Programs of the functions of the claim.
    """
    found = verdict.counterexample
    if not verdict.fails or verdict.grade is not Grade.OBSERVED or found is None:
        return False
    explained = max(map(size_explained_by_rounding, programs), default=0.0)
    return _relative_size(found) < explained


def _relative_size(found: Counterexample) -> float:
    """Returns the size of the difference relative to the largest entry; 1 if one-sided."""
    scale = max(abs(middle(v)) for side in (found.left, found.right) for v in side.flat)
    return relative_size(found.left[found.entry], found.right[found.entry], scale)
