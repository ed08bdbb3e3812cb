"""Extremes of segments, which JAX begins at infinity: what no entry belongs to keeps it."""

from __future__ import annotations

import pytest

from tests.judged import assert_proved, assert_refuted, assert_unproved

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")


def softmax(x, s, first=False):
    top = jax.ops.segment_max(x, s, num_segments=3)
    e = jnp.exp(x - (top[0] if first else top[s]))
    return e / jax.ops.segment_sum(e, s, num_segments=3)[s]


def filled(x, s):
    least = jax.ops.segment_min(x, s, num_segments=3)
    top = jax.ops.segment_max(x, s, num_segments=3)
    return jnp.where(jnp.isinf(least), 0.0, least) + jnp.where(jnp.isfinite(top), top, 0.0)


def test_extremes_of_segments():
    assert_proved(softmax, "x: n, s[3]: n -> n", "S(n)", backend="jax")
    assert_proved(filled, "x: n, s[3]: n -> 3", "S(n)", backend="jax")
    assert_refuted(filled, "x: n, s[3]: n! -> 3", "S(n)", backend="jax")


def test_a_segment_that_may_have_no_entry_is_no_number():
    """Under S(n) the same, but x + inf where no entry belongs to segment 0."""
    first = lambda x, s: softmax(x, s, first=True)  # noqa: E731
    assert_unproved(first, "x: n, s[3]: n -> n", "S(n)", backend="jax", sizes={"n": 2})
