"""Bounds hold for what libraries run: casts to any format, powers, scaled products, numbers near the ends."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.rounding.bound import bound_traced
from eqvproof.rounding.tracing import trace_with_roundings
from eqvproof.support.errors import EqvproofError, TraceError

POINT = np.float64([0.1, 0.7, -3.3])
has_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
has_jax = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="needs jax")


def holds(f: Callable[[Any], Any], X: Any, real: Any, dtype: str, signature: str = "X: n -> n") -> Any:
    """The bound, which what f gives has to be within."""
    found = ep.rounding_bound(f, signature, X, dtype=dtype)
    with np.errstate(all="ignore"):
        result = f(X)
    result = result.double().numpy() if hasattr(result, "double") else result
    gap = np.abs(np.asarray(result, dtype=np.longdouble) - np.asarray(real, dtype=np.longdouble))
    assert (gap <= found.bound).all(), (result, real, found.bound)
    return found


@pytest.mark.parametrize(
    ("f", "real"),
    [
        (lambda X: np.add(X, X, dtype=np.float32), 2 * POINT),
        (lambda X: np.multiply.outer(X, X, dtype=np.float32)[0], POINT[0] * POINT),
        (lambda X: np.einsum("i,i->i", X, X, dtype=np.float32, casting="same_kind"), POINT**2),
        (lambda X: np.matmul(X[None], X[:, None], dtype=np.float32)[0] + 0 * X, [(POINT**2).sum()] * 3),
    ],
)
def test_the_type_that_an_operation_of_numpy_is_told(f: Any, real: Any) -> None:
    holds(f, POINT, np.asarray(real, dtype=np.longdouble), "float64")


def test_an_operation_of_numpy_that_keeps_the_type_keeps_its_bound() -> None:
    assert holds(lambda X: np.add(X, X, dtype=np.float64), POINT, 2 * POINT, "float64").worst < 1e-15


@has_torch
@pytest.mark.parametrize("own", ["float16", "bfloat16", "float32", "float64"])
def test_casts_of_torch_to_any_format(own: str) -> None:
    import torch

    X = torch.tensor([0.1, 0.7, -3.3, 1000.0]).to(getattr(torch, own))
    real = X.double().numpy()
    for there in (torch.float16, torch.bfloat16, torch.float32):
        holds(lambda X, t=there: X.to(t).to(X.dtype), X, real, own)
        holds(lambda X, t=there: X.to(t), X, real, own)
        holds(lambda X, t=there: X - X.to(t).double(), X, 0 * real, own)
        for compared in (torch.eq, torch.ge):  # which a replay may refuse
            with contextlib.suppress(TraceError):
                holds(lambda X, t=there, c=compared: 1.0 * c(X.to(t).double(), X), X, 0 * real + 1, own)
    with pytest.raises(EqvproofError, match="8 bits"):
        ep.rounding_bound(lambda X: X.to(torch.float8_e5m2).to(X.dtype), "X: n -> n", X, dtype=own)


@has_torch
def test_what_overflows_in_the_format_of_a_cast_has_no_bound() -> None:
    import torch

    found = ep.rounding_bound(
        lambda X: X.half(), "X: n -> n", torch.tensor([1e5, 1.0], dtype=torch.bfloat16), dtype="bfloat16"
    )
    assert np.isinf(found.bound[0])
    assert found.bound[1] < 0.01


@has_torch
def test_without_casts_a_number_is_equal_to_itself() -> None:
    import torch

    X = torch.tensor([0.1, 0.7], dtype=torch.float64)
    for f in (lambda X: X - X, lambda X: 1.0 * (X == X), lambda X: 1.0 * (2 * X != 2 * X)):
        assert ep.rounding_bound(f, "X: n -> n", X, dtype="float32").worst == 0


@has_jax
def test_casts_of_jax_to_bfloat16() -> None:
    import jax
    import jax.numpy as jnp

    X = POINT.astype(np.float32)
    for f, real in (
        (lambda X: X.astype(jnp.bfloat16).astype(jnp.float32), X),
        (lambda X: X - X.astype(jnp.bfloat16), 0 * X),
        (lambda X: (X.astype(jnp.bfloat16) @ X.astype(jnp.bfloat16))[None], [(X.astype(float) ** 2).sum()]),
    ):
        signature = "X: n -> n" if np.shape(real) == (3,) else "X: n -> k"
        assert holds(f, jnp.asarray(X), real, "float32", signature).worst > 1e-5
    with pytest.raises(EqvproofError):
        ep.rounding_bound(lambda X: X.astype("float8_e5m2").astype(X.dtype), "X: n -> n", X, backend="jax")
    rough = ep.rounding_bound(lambda X: jax.lax.reduce_precision(X, 11, 50), "X: n -> n", X, dtype="float64")
    assert (rough.bound >= np.abs(X.astype(float)) * 2.0**-52).all()


def test_integers_that_floats_do_not_hold_are_rounded() -> None:
    X = np.array([2**53 + 1, 2**62 + 1, 3], dtype=np.int64)
    found = holds(lambda X: X * 1.0, X, [np.longdouble(int(v)) for v in X], "float64")
    assert found.bound[2] == 0
    short = ep.rounding_bound(lambda X: X * 1.0, "X: n -> n", np.array([2**24 + 1, 2**24]), dtype="float32")
    assert short.bound[0] >= 1
    assert short.bound[1] == 0


@pytest.mark.parametrize("exponent", [-0.5, 3, -2, 1.5, 4, 5])
def test_powers_by_a_function_of_the_library(exponent: float) -> None:
    """NumPy's pow has several ulps, which products of few factors, or an inverse root, do not have."""
    X = np.linspace(0.5, 3, 4001).astype(np.float32)
    found = holds(lambda X: X**exponent, X, X.astype(np.longdouble) ** exponent, "float32")
    assert (found.bound >= 8 * 2.0**-24 * X.astype(float) ** exponent).all()
    assert (ep.rounding_bound(lambda X: X**2, "X: n -> n", X).bound <= 2.0**-23 * X.astype(float) ** 2).all()


def test_powers_of_matrices_are_squares_of_squares() -> None:
    """NumPy makes X X^4 of X^5, and X^4 of squares: they overflow where X^3 X need not."""
    signature, rng = "X: n n -> n n", np.random.default_rng(1)
    reading = trace_with_roundings(lambda X: np.linalg.matrix_power(X, 5), signature, {})
    for _ in range(400):
        X = (rng.normal(size=(3, 3)) * 10.0 ** rng.integers(-3, 3, size=(3, 3))).astype(np.float16)
        with np.errstate(all="ignore"):
            result = np.linalg.matrix_power(X, 5).astype(float)
        bound = bound_traced(reading, {"X": X.astype(float)}, {"n": 3}, "float16").bound
        gap = np.abs(result - np.linalg.matrix_power(X.astype(float), 5))
        assert ((gap <= bound) | np.isinf(bound)).all()


@pytest.mark.parametrize("power", range(9))
def test_powers_of_matrices_are_the_powers(power: int) -> None:
    verdict = ep.identical(
        lambda X: np.linalg.matrix_power(X, power),
        lambda X: X[:, :1] * 0 + np.linalg.multi_dot([np.eye(2), np.eye(2), *[X] * power]),
        "X: 2 2 -> 2 2",
    )
    assert verdict.holds, str(verdict)


@has_torch
def test_scaled_products_of_matrices() -> None:
    """Whole numbers times alpha, which libraries multiply with before they add."""
    import torch

    f = lambda X: torch.addmm(X, X, X, beta=0.3, alpha=1.7)  # noqa: E731
    reading, rng = trace_with_roundings(f, "X: n n -> n n", {}), np.random.default_rng(0)
    for _ in range(200):
        X = torch.tensor(rng.integers(-3, 4, size=(4, 4)), dtype=torch.float32)
        bound = bound_traced(reading, {"X": X.double().numpy()}, {"n": 4}, "float32").bound
        assert (abs(f(X).double() - f(X.double())).numpy() <= bound).all()
    plain = lambda X: torch.addmm(X, X, X)  # noqa: E731
    assert ep.rounding_bound(plain, "X: n n -> n n", X).worst == 0


@has_torch
def test_interpolation_by_weights_is_refused() -> None:
    import torch.nn.functional as F

    X = np.ones((2, 5), np.float32)
    for mode in ("linear", "nearest"):
        f = lambda X, m=mode: F.interpolate(X[None], scale_factor=2, mode=m)[0]  # noqa: E731
        if mode == "nearest":
            assert ep.rounding_bound(f, "X: n d -> n m", X, backend="torch").bound.shape == (2, 10)
        else:
            with pytest.raises(EqvproofError, match="interpolation"):
                ep.rounding_bound(f, "X: n d -> n m", X, backend="torch")


def test_moduli_of_complex_numbers_are_functions_of_the_library() -> None:
    X = np.float64([[3, 2], [1, 1], [2, 1]])
    found = ep.rounding_bound(lambda X: np.abs(X[:, 0] + 1j * X[:, 1]), "X: n d -> n", X, dtype="float64")
    assert (found.bound >= 4 * 2.0**-53 * np.hypot(*X.T)).all()


@pytest.mark.parametrize("x", [1e160, 1e200, 1e300, 3.0])
def test_errors_of_numbers_whose_squares_float64_does_not_hold(x: float) -> None:
    """1 / (x r) with an r that is rounded: off by the relative error of r, however large x is."""
    third = np.float64([x / 3 * 2])
    for f in (
        lambda X: 1 / ((X / 3) * 3),
        lambda X: np.arctan2((X / 3) * 3, X) * 2.0**40,
        lambda X: np.arcsinh((X / 3) * 3) * 2.0**40,
    ):
        rough = lambda X, f=f: f(X + X * 2.0**-30 - X * 2.0**-30)  # noqa: E731
        bound = ep.rounding_bound(rough, "X: n -> n", third, dtype="float64").bound
        value = np.abs(f(third))
        assert (bound >= 2.0**-53 * value).all()
    inverse = ep.rounding_bound(lambda X: 1 / (1 / X), "X: n -> n", np.float64([1 / x]), dtype="float64")
    assert (inverse.bound >= 1.9 * 2.0**-54 / x).all()


@pytest.mark.parametrize("move", [lambda X: X @ np.eye(2), lambda X: X - X @ np.eye(2)])
def test_a_product_with_a_table_of_zeros_and_ones_cuts_its_other_factor(move: Any) -> None:
    for first in (0.1, float(np.float32(0.1))):
        X = np.array([[first, 0.7], [1.0, 3.0]])
        found = ep.rounding_bound(move, "X: n d -> n d", X, dtype="tf32")
        cut = np.abs(X) * 2.0**-12
        assert (found.bound[0] >= cut[0]).all()
        assert ep.rounding_bound(lambda X: X * np.eye(2), "X: n n -> n n", X, dtype="tf32").worst < 1e-6


@has_jax
def test_what_xla_loses_near_0() -> None:
    """Its arcsin is twice an angle, of half of it; its angle of two numbers that are lost is no number."""
    import jax.numpy as jnp

    X = np.float32([1.9e-38, -1.2e-38, 3e-38, 0.0])
    holds(jnp.arcsin, jnp.asarray(X), X, "float32")
    tiny = np.float32([[5e-39, 2e-39], [0, 0], [1, 1e-39]])
    found = ep.rounding_bound(lambda X: jnp.arctan2(X[:, 0], X[:, 1]), "X: n d -> n", jnp.asarray(tiny))
    assert np.isinf(found.bound[0])
    assert np.isfinite(found.bound[1])
    assert found.bound[2] < 1e-6
