"""Sizes that are given, and at which a JAX function has one way through its code."""

from __future__ import annotations

from typing import Any

import pytest

from tests.judged import assert_proved, assert_refuted

jax = pytest.importorskip("jax", reason="JAX is not installed")
jnp, lax = jax.numpy, jax.lax


def nearest(x: Any) -> Any:
    """The sum of the three least squared distances, or of all."""
    gaps = ((x[:, None] - x[None]) ** 2).sum(-1)
    return -lax.top_k(-gaps, min(3, x.shape[0]))[0].sum(-1)


def turned_at_two(x: Any) -> Any:
    """In reverse where there are fewer than three."""
    return x if x.shape[0] >= 3 else x[::-1] + jnp.arange(x.shape[0])[:, None]


def test_a_branch_on_sizes_is_proved_where_they_decide_it() -> None:
    verdict = assert_proved(
        nearest, "x: n d -> n", "S(n) x E(d)", sizes={"n": (3, 8)}, backend="jax", budget=90
    )
    assert "n from 3 to 8" in str(verdict)
    assert_proved(turned_at_two, "x: n d -> n d", "S(n)", sizes={"n": (3, 6)}, backend="jax", budget=90)


def test_smaller_sizes_are_not_forgotten() -> None:
    assert_refuted(turned_at_two, "x: n d -> n d", "S(n)", sizes={"n": (2, 6)}, backend="jax", budget=90)
    assert_refuted(turned_at_two, "x: n d -> n d", "S(n)", backend="jax", budget=90)
