"""Loops of JAX whose carry begins in 32 bits, as layers make it, refuse arguments in 64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.judged import assert_refuted

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")


def test_a_recurrence_over_a_set() -> None:
    rng = np.random.default_rng(0)
    W, U = (jnp.asarray(rng.normal(size=s), jnp.float32) for s in ((3, 4), (4, 4)))

    def last(x: Any) -> Any:
        def step(h: Any, v: Any) -> Any:
            return jnp.tanh(v @ W + h @ U), None

        return jax.lax.scan(step, jnp.zeros(4, jnp.float32), x)[0]

    assert_refuted(last, "x: n 3 -> 4", "S(n)", backend="jax")
