"""Functions of JAX that refuse to mix 32 and 64 bits: they are called in 32."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
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


def test_operations_that_refuse_to_mix_bits() -> None:
    """Each says so in words of its own."""
    one = jnp.asarray([1.0], jnp.float32)
    for f in (
        lambda x: jax.lax.concatenate([x, one], 0)[:-1],
        lambda x: jax.lax.pad(x, one[0], [(1, 0, 0)])[1:],
    ):
        verdict = ep.check(f, "x: n -> n", "S(n)", backend="jax")
        assert verdict.grade == "PROVED", str(verdict)
        assert ep.verify(verdict.certificate).accepted


def test_an_error_of_types_for_another_reason_is_that_of_the_function() -> None:
    with pytest.raises(ep.TargetError, match="the same dtypes"):
        ep.check(_unhappy, "x: n -> n", "S(n)", backend="jax")


def _unhappy(x: Any) -> Any:
    raise TypeError("these are not the same dtypes as yesterday")
