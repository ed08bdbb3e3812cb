"""Entries that are taken by their order: exact off ties, and turned where rounding can turn the order."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep

torch = pytest.importorskip("torch")
jnp = pytest.importorskip("jax.numpy")
RNG = np.random.default_rng(5)

TAKEN = {
    "numpy": lambda x: (x / 3)[np.argsort(np.sin(x))],
    "numpy stable": lambda x: (x / 3)[np.argsort(x * x / 7, kind="stable")],
    "numpy along": lambda x: np.take_along_axis(x / 3, np.argsort(-x / 7), axis=0),
    "numpy argmax": lambda x: (x / 3)[np.argmax(np.sin(x))] + x,
    "numpy argmin": lambda x: (x / 3)[np.argmin(x * x / 7)] * x,
    "torch": lambda x: (x / 3)[torch.argsort(x.sin())],
    "torch gather": lambda x: torch.gather(x / 3, 0, torch.argsort(x / 7)),
    "torch argmax": lambda x: (x / 3)[torch.argmax(x.sin())] + x,
    "jax": lambda x: (x / 3)[jnp.argsort(jnp.sin(x))],
    "jax argmax": lambda x: (x / 3)[jnp.argmax(jnp.sin(x))] + x,
}


def given(name: str, x):
    return {"numpy": np.asarray, "torch": torch.tensor, "jax": jnp.asarray}[name.split()[0]](x)


@pytest.mark.parametrize("model", ["certain", "probable"])
@pytest.mark.parametrize("name", TAKEN)
def test_what_is_taken_by_its_order_keeps_a_bound_off_ties(name: str, model: str) -> None:
    f = TAKEN[name]
    for _ in range(5):
        x = RNG.normal(size=7).astype(np.float32)
        found = ep.rounding_bound(f, "x: n -> n", given(name, x), model=model, dtype="float32")
        wide = given(name, x) if name.startswith("jax") else given(name, x.astype(np.float64))
        error = np.abs(
            np.asarray(f(given(name, x))).astype(np.float64) - np.asarray(f(wide)).astype(np.float64)
        )
        assert not found.flips
        assert found.worst < 1e-4
        assert (error <= found.bound).all()


@pytest.mark.parametrize("name", TAKEN)
def test_what_rounding_can_turn_is_said(name: str) -> None:
    x = np.array([1.0, 0.3, 1.0 + 2.0**-23, 0.3 + 2.0**-25], dtype=np.float32)
    found = ep.rounding_bound(TAKEN[name], "x: n -> n", given(name, x), dtype="float32")
    assert found.flips
    assert found.worst > 1e-8


def test_computed_orders_that_turn_are_within_the_bound() -> None:
    def f(x):
        return x[np.argsort(np.float32(1) / x)]

    for k in range(50):
        x = (1 + np.random.default_rng(k).integers(0, 4, size=5) * 2.0**-23).astype(np.float32)
        found = ep.rounding_bound(f, "x: n -> n", x)
        error = np.abs(f(x).astype(np.float64) - f(x.astype(np.longdouble)).astype(np.float64))
        assert (error <= found.bound).all()


def test_a_number_is_equal_to_itself_wherever_it_is_moved() -> None:
    def equal(x):
        y = np.sin(x) / 3
        return (y[:, None] == y[None, :]) * 1.0

    x = RNG.normal(size=5).astype(np.float32)
    found = ep.rounding_bound(equal, "x: n -> n n", x)
    assert found.worst == 0
    assert not found.flips

    def twice(x):  # the same function of equal numbers at two places is not the same number
        y = np.sin(x) / 3
        return (y[::-1] == y) * 1.0

    found = ep.rounding_bound(twice, "x: n -> n", np.float32([0.5, 0.25, 0.5]))
    assert found.bound[1] == 0
    assert (found.bound[[0, 2]] >= 1).all()
