"""A target that raises at some points, where the search makes a counterexample smaller."""

from __future__ import annotations

import numpy as np

import eqvproof as ep


def second(x):
    return x[x < x.max()].max()  # raises where all entries are equal


def next_to_last(x):
    return np.sort(x)[-2]


def test_a_point_at_which_the_target_raises_does_not_end_the_search() -> None:
    verdict = ep.identical(second, next_to_last, "x: n -> ()", budget=10)
    assert (verdict.outcome, verdict.grade) == ("FAILS", "EXACT"), str(verdict)
    assert ep.verify(verdict.certificate).accepted
    x = np.array([float(v) for v in verdict.counterexample.inputs["x"]])
    assert second(x) != next_to_last(x)
    assert any("the function raises ValueError" in note for note in verdict.notes)


def test_equal_where_nothing_is_raised() -> None:
    """A near miss: no number differs, and what is raised is no pass."""
    verdict = ep.identical(second, lambda x: -(-x)[-x > (-x).min()].min(), "x: n -> ()", budget=5)
    assert not verdict.fails, str(verdict)
