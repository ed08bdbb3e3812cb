"""The dtype that is bounded is the one that is computed in, and nobody has to say it."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep

torch = pytest.importorskip("torch")
jnp = pytest.importorskip("jax.numpy")
X = np.random.default_rng(0).normal(size=(16, 8))
NAMES = ("float64", "float32", "bfloat16", "float16")


class Mixed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(8, 8)
        self.second = torch.nn.Linear(8, 8).to(torch.bfloat16)

    def forward(self, x: object) -> object:
        return self.second(self.first(x).to(torch.bfloat16))


@pytest.mark.parametrize("name", NAMES)
def test_a_module_is_bounded_in_the_dtype_of_its_parameters(name: str) -> None:
    torch.manual_seed(1)
    kind = getattr(torch, name)
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.Linear(8, 8)).to(kind)
    x = torch.tensor(X).to(kind)
    found = ep.rounding_bound(model, "X: n d -> n d", x)
    with torch.no_grad():
        computed = model(x).double().numpy()
        real = model.double()(x.double()).numpy()
    assert found.dtype == name
    assert (np.abs(computed - real) <= found.bound + 1e-14).all()
    if name != "float64":
        assert np.abs(computed - real).max() > found.worst / 3000


@pytest.mark.parametrize("reach", ["function", "partial"])
def test_a_module_that_a_function_calls_says_the_dtype(reach: str) -> None:
    import functools

    model = torch.nn.Linear(8, 8).to(torch.bfloat16)
    f = {
        "function": lambda x: model(x) * 2,
        "partial": functools.partial(lambda m, x: m(x), model),
    }[reach]
    assert ep.rounding_bound(f, "X: n d -> n d", torch.tensor(X).bfloat16()).dtype == "bfloat16"
    with pytest.raises(ep.EqvproofError, match="parameters have another dtype"):
        ep.rounding_bound(f, "X: n d -> n d", torch.tensor(X).bfloat16(), dtype="float32")


def test_a_box_for_a_module_is_in_its_dtype() -> None:
    model = torch.nn.Linear(3, 3).half()
    found = ep.rounding_bound(model, "X: n d -> n d", box=(-1, 1), sizes={"n": 1, "d": 3})
    assert found.dtype == "float16"


@pytest.mark.parametrize("asked", ["float64", "bfloat16", "float16", "tf32"])
def test_another_dtype_than_that_of_the_parameters_is_refused(asked: str) -> None:
    model = torch.nn.Linear(8, 8)
    x = torch.tensor(X).float()
    if asked == "tf32":  # in which float32 may be multiplied
        assert ep.rounding_bound(model, "X: n d -> n d", x, dtype=asked).dtype == "tf32"
        return
    with pytest.raises(ep.EqvproofError, match="parameters in float32"):
        ep.rounding_bound(model, "X: n d -> n d", x, dtype=asked)
    with pytest.raises(ep.EqvproofError, match="parameters in float32"):
        ep.deviation(model, "X: n d -> n d", "S(n)", x, dtype=asked)


def test_parameters_and_arrays_of_two_dtypes_are_refused() -> None:
    model = torch.nn.Linear(8, 8).to(torch.bfloat16)
    with pytest.raises(ep.EqvproofError, match="different dtypes"):
        ep.rounding_bound(model, "X: n d -> n d", torch.tensor(X).float())
    assert ep.rounding_bound(model, "X: n d -> n d", X.astype(np.float32)).dtype == "bfloat16"
    with pytest.raises(ep.EqvproofError, match="several dtypes"):
        ep.rounding_bound(Mixed(), "X: n d -> n d", torch.tensor(X).float())
    found = ep.rounding_bound(Mixed(), "X: n d -> n d", torch.tensor(X).float(), dtype="bfloat16")
    assert found.dtype == "bfloat16"


def test_arrays_say_the_dtype_of_a_function() -> None:
    for name, kind in (("float64", np.float64), ("float32", np.float32), ("float16", np.float16)):
        found = ep.rounding_bound(lambda x: np.exp(x) / 3, "X: n d -> n d", X.astype(kind))
        assert found.dtype == name
    for name in NAMES:
        x = torch.tensor(X).to(getattr(torch, name))
        assert ep.rounding_bound(lambda x: x.exp() / 3, "X: n d -> n d", x).dtype == name
    for name in NAMES[1:]:
        x = jnp.asarray(X, dtype=name)
        assert ep.rounding_bound(lambda x: jnp.exp(x) / 3, "X: n d -> n d", x).dtype == name
    found = ep.rounding_bound(lambda x: jnp.exp(x), "X: n d -> n d", X, backend="jax")
    assert found.dtype == jnp.asarray(X).dtype.name  # what JAX makes of arrays of NumPy
    both = ep.rounding_bound(
        lambda x, y: x * y, "X: n, Y: n -> n", X[0].astype(np.float16), X[1].astype(np.float32)
    )
    assert both.dtype == "float16"
    assert ep.rounding_bound(lambda x: x / 3, "X: n -> n", np.arange(3)).dtype == "float32"


def test_a_layer_of_equinox_says_its_dtype() -> None:
    equinox = pytest.importorskip("equinox")
    jax = pytest.importorskip("jax")
    layer = equinox.nn.Linear(3, 3, key=jax.random.key(0))
    short = jax.tree_util.tree_map(lambda a: a.astype(jnp.bfloat16) if hasattr(a, "dtype") else a, layer)
    x = jnp.ones(3, dtype=jnp.bfloat16)
    assert ep.rounding_bound(short, "x: d -> d", x).dtype == "bfloat16"
    with pytest.raises(ep.EqvproofError, match="parameters in bfloat16"):
        ep.rounding_bound(short, "x: d -> d", x, dtype="float32")


def test_dtypes_without_a_known_rounding_are_refused() -> None:
    with pytest.raises(ep.EqvproofError, match="rounding of this dtype is not known"):
        ep.rounding_bound(lambda x: x / 3, "X: n d -> n d", X.astype(np.longdouble))
    with pytest.raises(ep.EqvproofError, match="rounding of this dtype is not known"):
        ep.rounding_bound(lambda x: x.float() / 3, "X: n d -> n d", torch.tensor(X).to(torch.float8_e5m2))


def test_a_bound_in_half_precision_holds_for_arrays_of_it() -> None:
    def f(x):
        return np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)

    short = X.astype(np.float16)
    error = np.abs(f(short).astype(np.float64) - f(short.astype(np.float64)))
    found = ep.rounding_bound(f, "X: n d -> n d", short)
    assert (error <= found.bound).all()
    assert found.worst < 500 * error.max()
