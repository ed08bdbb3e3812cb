"""Targets that refuse arrays of exact numbers are judged on floats, whatever error they refuse them with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines import judge
from eqvproof.engines.search import SearchResult
from eqvproof.engines.search_claim import Searched

Array = Any


@pytest.mark.sampled(2)
@pytest.mark.parametrize("error", [ValueError, RuntimeError, KeyError, TypeError])
@pytest.mark.parametrize("right", [True, False])
def test_a_target_that_wants_floats(error: type[Exception], right: bool) -> None:
    def wants_floats(X: Array) -> Array:
        if np.asarray(X).dtype != np.float64:
            raise error("floats, please")
        return X * float(np.frompyfunc((lambda t: 1.0) if right else abs, 1, 1)(X).sum())

    verdict = ep.check(wants_floats, "X: d n -> d n", under="O(d)", budget=5)
    assert verdict.outcome is (ep.Outcome.HOLDS if right else ep.Outcome.FAILS)
    assert verdict.grade is (ep.Grade.TESTED if right else ep.Grade.OBSERVED)


def test_a_target_that_runs_on_nothing_is_an_error() -> None:
    def broken(X: Array) -> Array:
        raise ValueError("never")

    with pytest.raises(ep.TargetError, match="never"):
        ep.check(broken, "X: d n -> d n", under="O(d)", budget=20)


PARTS = (0.1, 1 / 3, 142.857)


def parts_in_short(x: Any) -> Any:
    """A sum in float32 of one number for each sign: smooth along rays, and one bit of the order."""
    import jax.numpy as jnp

    total = jnp.zeros((), jnp.float32)
    for v in x.tolist():
        total = total + jnp.float32(PARTS[int(np.sign(v))])
    return total


def test_a_bit_of_short_floats_is_no_difference() -> None:
    pytest.importorskip("jax")
    sizes = {"n": (5, 7)}
    found = ep.check(parts_in_short, "x: n -> ()", "S(n)", budget=5, sizes=sizes, backend="jax")
    assert not found.fails, found
    wrong = ep.check(
        lambda x: parts_in_short(x) + (x.tolist()[0] > 0), "x: n -> ()", "S(n)", budget=20, sizes=sizes,
        backend="jax",
    )  # fmt: skip
    assert wrong.grade == "OBSERVED", wrong


@pytest.mark.parametrize(("tried", "words"), [(1, "in 1 comparison, "), (2, "in 2 comparisons, ")])
def test_a_tested_claim_counts_its_comparisons(
    monkeypatch: pytest.MonkeyPatch, tried: int, words: str
) -> None:
    def some(claim: Any, programs: Any, *_: Any, **__: Any) -> Any:
        return Searched(programs, SearchResult(None, tried, sizes_tried=({"d": 1},)))

    monkeypatch.setattr(judge, "_search", some)
    verdict = ep.check(np.tanh, "x: d -> d", under="O(d)", budget=20)
    assert verdict.grade == "TESTED" and words in verdict.reason


def test_a_reason_for_floats_is_said_once() -> None:
    """What prevents a trace for all sizes mostly prevents one at single sizes, too."""
    text = str(ep.check(lambda x: np.ma.array(x).mean() * x, "x: n -> n", "S(n)"))
    assert text.count("numpy.ma is not known to be pure") == 1
