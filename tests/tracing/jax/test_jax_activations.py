"""Functions of jax.nn under the names that Flax has for them are known to be pure; others are not."""

from __future__ import annotations

import sys
import types

import pytest

from eqvproof.tracing.observing import pure
from tests.judged import assert_proved, assert_refuted

jax = pytest.importorskip("jax")
linen = pytest.importorskip("flax.linen")


def net():
    class Net(linen.Module):
        @linen.compact
        def __call__(self, x):
            x = linen.relu(linen.Dense(4)(x))
            return linen.Dense(2)(linen.gelu(x) + linen.silu(x))

    made = Net()
    state = made.init(jax.random.PRNGKey(0), jax.numpy.zeros((2, 3)))
    return lambda x: made.apply(state, x)


def test_activations_under_the_names_of_flax():
    assert_proved(net(), "x: n 3 -> n 2", "S(n)", backend="jax")
    assert_refuted(net(), "x: n 3 -> n 2", "T(3)", backend="jax")


def test_a_function_that_only_says_it_is_one_is_not_known():
    def relu(x):
        return x

    relu.__module__, module = "jax._src.nn.functions", types.ModuleType("flax.linen.more")
    module.relu = relu
    assert "jax.nn" in sys.modules
    assert not pure.known_in(module, "relu")
