"""Positions that JAX computes: within an axis, brought into it, or beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

jax = pytest.importorskip("jax", reason="JAX is not installed")
jnp, lax = jax.numpy, jax.lax
BOUNDS, HEIGHTS = np.array([0.0, 1.0, 2.0]), np.array([0.0, 3.0, 1.0])


def middle(x: Any) -> Any:
    return jnp.median(x, axis=0)


def tails(x: Any) -> Any:
    return jnp.percentile(x, jnp.array([10.0, 90.0]), axis=0)


def counts(x: Any) -> Any:
    return jnp.histogram(x, bins=4, range=(0.0, 1.0))[0]


def inserted(x: Any) -> Any:
    """Zeros between rows, and two after the last."""
    return lax.pad(x, 0.0, [(0, 2, 1), (0, 0, 0)])


def sums_so_far(x: Any) -> Any:
    return lax.associative_scan(jnp.add, x)


PROVED = [
    (middle, "x: n d -> d", "S(n)"),
    (lambda x: jnp.quantile(x, 0.25, axis=0), "x: n d -> d", "S(n) x S(d)"),
    (tails, "x: n d -> 2 d", "S(n) x S(d)"),
    (lambda x: jnp.digitize(x, jnp.array(BOUNDS)), "x: n -> n", "S(n)"),
    (lambda x: jnp.interp(x, jnp.array(BOUNDS), jnp.array(HEIGHTS)), "x: n -> n", "S(n)"),
    (counts, "x: n -> 4", "S(n)"),
    (lambda i: jnp.bincount(i, length=4), "i[4]: n -> 4", "S(n)"),
    (lambda i: jnp.bincount(i, length=3), "i[4]: n -> 3", "S(n)"),
    (inserted, "x: 3 d -> 7 d", "O(d)"),
    (sums_so_far, "x: 5 d -> 5 d", "O(d)"),
]
REFUTED = [
    (middle, "x: n d -> d", "O(d)"),
    (lambda x: jnp.quantile(x, 0.25, axis=0), "x: n d -> d", "O(d)"),
    (lambda x: jnp.digitize(x, jnp.array(BOUNDS)), "x: n -> n", "T(n)"),
    (lambda i: jnp.bincount(i, length=4) * (i[0] + 1), "i[4]: n -> 4", "S(n)"),
    (lambda x: sums_so_far(x)[1:], "x: 4 d -> 3 d", "S(4)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), PROVED)
def test_proved(f: Any, signature: str, under: str) -> None:
    assert_proved(f, signature, under, backend="jax", budget=120)


@pytest.mark.parametrize(("f", "signature", "under"), REFUTED)
def test_refuted(f: Any, signature: str, under: str) -> None:
    assert_refuted(f, signature, under, backend="jax", budget=120)


#: The same places in words of comparisons; of 7 rows there are 3.
ALIKE = {
    "the nearest": (
        lambda x, i: x.at[i].get(mode="clip"),
        lambda x, i: x[jnp.minimum(i, 2)],
        lambda x, i: x[jnp.minimum(i, 1)],
    ),
    "left out": (
        lambda x, i: x.at[i].add(1.0),
        lambda x, i: x + (i[:, None] == jnp.arange(3)).sum(0)[:, None],
        lambda x, i: x + (jnp.where(i > 2, 2, i)[:, None] == jnp.arange(3)).sum(0)[:, None],
    ),
    "one that is left out": (
        lambda x, i: x.at[i].set(0.0),
        lambda x, i: jnp.where((i[:, None] == jnp.arange(3)).any(0)[:, None], 0.0, x),
        lambda x, i: jnp.where((i[:, None] >= jnp.arange(3)).any(0)[:, None], 0.0, x),
    ),
}


@pytest.mark.parametrize("name", ALIKE)
def test_places_beside_an_axis(name: str) -> None:
    f, right, wrong = ALIKE[name]
    kinds = "x: 3 d, i[7]: m -> m d" if name == "the nearest" else "x: 3 d, i[7]: m -> 3 d"
    assert ep.identical(f, right, kinds, backend="jax", budget=60).holds
    assert ep.identical(f, wrong, kinds, backend="jax", budget=60).fails


def test_the_median_of_jax_is_that_of_numpy() -> None:
    assert ep.identical(middle, lambda x: np.median(x, axis=0), "x: n d -> d", sizes={"n": 4, "d": 1}).holds
    low = lambda x: jnp.quantile(x, 0.4, axis=0)  # noqa: E731
    assert ep.identical(low, lambda x: np.median(x, axis=0), "x: n d -> d", sizes={"n": 4, "d": 1}).fails
