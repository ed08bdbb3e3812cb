"""Compiled code that a target calls gets the real NumPy; what a trace leaves in a cache breaks nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep

Array = Any


def test_a_compiled_generator_asks_for_memory_not_for_a_traced_array() -> None:
    rng = np.random.default_rng(0)
    verdict = ep.check(lambda X: X + rng.normal(size=X.shape), "X: d n -> d n", under="O(d)")
    assert verdict.outcome is ep.Outcome.UNDECIDED


@pytest.mark.parametrize("kind", ["returned", "used"])
def test_a_cache_keyed_by_shapes_is_judged_by_what_it_does(kind: str) -> None:
    cache: dict[Any, Array] = {}

    def first_seen(X: Array) -> Array:
        if X.shape not in cache:
            cache[X.shape] = X.copy()
        return cache[X.shape] if kind == "returned" else X + cache[X.shape]

    verdict = ep.check(first_seen, "X: d n -> d n", under="O(d)")
    assert verdict.outcome is not ep.Outcome.HOLDS
    assert verdict.grade not in (ep.Grade.EXACT, ep.Grade.ENCLOSED)


def test_attributes_that_the_code_names_itself_are_traced() -> None:
    def renamed(X: Array) -> Array:
        from numpy import linalg as la
        from numpy import tanh as t

        return X @ t(X.T @ X) * np.sqrt(X.shape[1]) / la.norm(X)

    verdict = ep.check(renamed, "X: d n -> d n", under="O(d)")
    assert verdict.grade is ep.Grade.PROVED
    assert verdict.certificate is not None
    assert ep.verify(verdict.certificate).accepted
