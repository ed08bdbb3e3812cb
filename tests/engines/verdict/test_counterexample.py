"""Counterexamples as JSON data, and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.verdict import Counterexample, Verdict


def sums(X: Any) -> Any:
    return np.cumsum(np.cumsum(X**2 + 1, axis=0), axis=1)


def exponentials(X: Any) -> Any:
    return np.exp(X + 1)


@pytest.mark.parametrize(
    ("f", "under"),
    [
        *(
            (sums, g)
            for g in ("O(d)", "S(n)", "SE(d)", "Scale(d)", "Signs(d)", "T(d)", "O(d) x S(n)")
        ),
        (exponentials, "O(d)"),
    ],
)
def test_back_from_json(f: Callable[..., Any], under: str) -> None:
    found = ep.check(f, "X: d n -> d n", under=under).counterexample
    assert found is not None
    data = json.loads(json.dumps(found.to_json()))
    again = Counterexample.from_json(data)
    assert (again.sizes, again.entry, again.words, again.labels) == (
        found.sizes, found.entry, found.words, found.labels,
    )  # fmt: skip
    assert again.code() == found.code()
    assert {k: type(v) for k, v in again.element.items()} == {
        k: type(v) for k, v in found.element.items()
    }
    assert again.to_json()["element"] == data["element"]
    sides = (
        (found.left, again.left),
        (found.right, again.right),
        (found.inputs["X"], again.inputs["X"]),
    )
    for old, new in sides:
        assert new.shape == old.shape
        for a, b in zip(old.ravel(), new.ravel(), strict=True):
            if hasattr(a, "bounds"):
                (low, high), (least, most) = a.bounds(), b.bounds()
                assert least <= low and high <= most
            else:
                assert a == b


@pytest.mark.parametrize("change", ["labels", "left", "sizes", "element"])
def test_other_data_are_refused(change: str) -> None:
    found = ep.check(sums, "X: d n -> d n", under="O(d)").counterexample
    assert found is not None
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        Counterexample.from_json({**found.to_json(), change: ["x"]})


def test_a_verdict_back_from_json() -> None:
    """With the verdicts on its results, and the constants that were read as others."""
    verdict = ep.check(lambda X: (X, np.cumsum(X)), "X: n -> n, n", under="S(n)")
    read = replace(verdict, readings=("a table, 1e-17 away",))
    again = Verdict.from_json(
        json.loads(json.dumps({**read.to_json(), "certificate": read.certificate}))
    )
    assert again.to_json() == read.to_json() and str(again) == str(read)
    assert [str(v.outcome) for v in again.results.values()] == ["HOLDS", "FAILS"]
