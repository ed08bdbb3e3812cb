"""Comparisons with infinity: what has a finite bound is a finite number, whatever was rounded before."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep

torch = pytest.importorskip("torch")
jnp = pytest.importorskip("jax.numpy")
X = np.random.default_rng(3).normal(size=(4, 5)).astype(np.float32)


def shares(x):
    powers = x.exp()
    return powers / powers.sum(-1, keepdims=True)


TESTS = {
    "equal": lambda x: torch.where(shares(x) == -torch.inf, 9.0, x),
    "not equal": lambda x: torch.where(x / 3 != torch.inf, x, 9.0),
    "isinf": lambda x: torch.where(torch.isinf(shares(x) / 7), 9.0, x),
    "isneginf": lambda x: torch.where(torch.isneginf(x.sin() / 3), 9.0, x),
    "isfinite": lambda x: torch.where(torch.isfinite(x / (1 + x * x)), x, 9.0),
    "isnan": lambda x: torch.where(torch.isnan((x * x).sqrt() / 3), 9.0, x),
    "above": lambda x: torch.where(x / 3 > -torch.inf, x, 9.0),
    "zeros": lambda x: x + 0 * (x / 3),
}


#: A sound bound that is wider than asked: a sum with an exact zero is bounded like any other.
WIDE = pytest.mark.xfail(reason="the bound of a sum with 0 is too wide", strict=True)


@pytest.mark.parametrize("model", ["certain", "probable"])
@pytest.mark.parametrize("name", [pytest.param(n, marks=WIDE if n == "zeros" else ()) for n in TESTS])
def test_a_finite_number_is_never_infinite(name: str, model: str) -> None:
    found = ep.rounding_bound(TESTS[name], "X: a b -> a b", torch.tensor(X), model=model)
    assert not found.flips
    assert found.worst == 0


@pytest.mark.parametrize("model", ["certain", "probable"])
def test_a_number_that_may_overflow_may_be_infinite(model: str) -> None:
    def f(x):
        return torch.where(torch.isinf(x.exp()), 9.0, x)

    x = torch.tensor([0.5, 88.0, 89.0])
    seen = f(x)
    found = ep.rounding_bound(f, "x: n -> n", x, model=model)
    assert seen[2] == 9
    assert (found.bound[:2] == 0).all()
    assert found.bound[2] >= 80


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("norm_first", [False, True])
def test_stacks_of_encoders_have_a_bound(depth: int, norm_first: bool) -> None:
    torch.manual_seed(depth)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True, norm_first=norm_first)
    model = torch.nn.TransformerEncoder(layer, depth, enable_nested_tensor=False).eval()
    x = torch.randn(1, 3, 8)
    with torch.no_grad():
        computed = model(x).double().numpy()
    bounds = {m: ep.rounding_bound(model, "X: b n d -> b n d", x, model=m) for m in ("certain", "probable")}
    with torch.no_grad():
        error = np.abs(computed - model.double()(x.double()).numpy())
    for found in bounds.values():
        assert np.isfinite(found.worst)
        assert not found.flips
        assert (error <= found.bound).all()


OVERFLOWS = {
    "numpy isinf": lambda x: np.where(np.isinf(np.exp(x)), 9.0, x),
    "numpy equal": lambda x: np.where(np.exp(x) == np.inf, 9.0, x),
    "numpy finite": lambda x: np.where(np.isfinite(np.exp(x)), x, 9.0),
    "torch equal": lambda x: torch.where(x.exp() == torch.inf, 9.0, x),
    "torch below": lambda x: torch.where(x.exp() < torch.inf, x, 9.0),
    "torch finite": lambda x: torch.where(torch.isfinite(x.exp()), x, 9.0),
    "jax isinf": lambda x: jnp.where(jnp.isinf(jnp.exp(x)), 9.0, x),
    "jax finite": lambda x: jnp.where(jnp.isfinite(jnp.exp(x)), x, 9.0),
    "jax above": lambda x: jnp.where(-jnp.exp(x) > -jnp.inf, x, 9.0),
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_every_way_to_ask_says_that_a_number_may_overflow(name: str) -> None:
    x = np.array([0.5, 80.0, 89.0], dtype=np.float32)
    given = {"numpy": x, "torch": torch.tensor(x), "jax": jnp.asarray(x)}[name.split()[0]]
    with np.errstate(over="ignore"):
        seen = np.asarray(OVERFLOWS[name](given), dtype=np.float64)
    found = ep.rounding_bound(OVERFLOWS[name], "x: n -> n", given)
    assert seen.tolist() == [0.5, 80, 9]
    assert found.bound[0] == 0
    assert found.bound[2] >= 80
    assert found.flips
