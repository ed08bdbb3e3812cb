"""Integers that a target holds at rare points: what operations make of them is read as the library has it.

No replay meets these points: an entry has to be the root of a polynomial of which the code holds the value.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.numbers import Real
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.support.errors import TraceError

SIGNATURE = parse_signature("x: n -> n")
ROOT = 201 / 64
POINT = np.array([0.5, ROOT, 2.0])
Target = Callable[[Any], Any]


def rare(x: Any) -> Any:
    return x * x * x + 2 * x == ROOT**3 + 2 * ROOT


def of_numpy(operation: Target, value: int, dtype: str, usual: int = 1) -> Target:
    return lambda x: operation(np.where(rare(x), value, usual).astype(dtype)) * np.ones_like(x)


NUMPY = {
    "rounded to tens": of_numpy(lambda k: np.round(k, -1), 127, "int8"),
    "rounded to tens, unsigned": of_numpy(lambda k: np.round(k, -1), 255, "uint8"),
    "rounded, and multiplied": of_numpy(lambda k: np.round(k) * np.round(k, 2), 127, "int8"),
    "rounded, and halved": of_numpy(lambda k: np.round(k) // 2, 7, "int64"),
    "powers": of_numpy(lambda k: np.vander(k, 4)[:, 0], 100, "int8"),
    "powers, unsigned": of_numpy(lambda k: np.vander(k, 3, increasing=True)[:, 2], 200, "uint8"),
    "a rest by 0": of_numpy(lambda k: np.fmod(7, k), 0, "int64", usual=2),
    "a rest by 0, multiplied": of_numpy(lambda k: np.fmod(k, 100) * np.int8(2), 99, "int8"),
}


@pytest.mark.parametrize("f", NUMPY.values(), ids=NUMPY)
def test_numpy(f: Target) -> None:
    with np.errstate(divide="ignore"):
        expected = [float(v) for v in f(POINT)]
    assert read(f, None) == expected


def read(f: Target, backend: str | None) -> list[float]:
    """The Program at the point, in exact arithmetic."""
    trace = trace_all_sizes(adapt(f, backend, SIGNATURE), SIGNATURE, {})
    point = np.array([Fraction(v) for v in POINT], dtype=object)
    found = np.asarray(evaluate_exact(trace.program, {"x": point}, {"n": len(POINT)}), dtype=object)
    return [v.to_float() if isinstance(v, Real) else float("nan") for v in found.ravel()]


#: Operations on an integer tensor, a type, and the number that it holds where the point is rare.
TORCH: dict[str, tuple[Target, str, int]] = {
    "equal to a half": (lambda k: k == 2.5, "int64", 2),
    "below a half": (lambda k: k < 2.5, "int64", 2),
    "at least a half": (lambda k: k >= 2.5, "int8", 2),
    "not a half": (lambda k: k != 2.5, "uint8", 2),
    "equal to a number beyond the type": (lambda k: k == 300, "int8", 44),
    "below a number beyond the type": (lambda k: k < 300, "int8", 50),
    "equal to a negative number": (lambda k: k == -1, "uint8", 255),
    "a rest by a number beyond the type": (lambda k: k % 300, "int8", 45),
    "a quotient by a number beyond the type": (lambda k: k // 300, "int8", 90),
    "equal to a tensor without axes": (lambda k: k == k.sum() + 255, "int8", 3),
    "equal to a size": (lambda k: k == k.shape[0] + 297, "int8", 44),
    "a sum with a number beyond the type": (lambda k: k + 300, "int8", 100),
}


@pytest.mark.parametrize(("operation", "dtype", "value"), TORCH.values(), ids=TORCH)
def test_torch(operation: Target, dtype: str, value: int) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")

    kind = getattr(torch, dtype)

    def f(x: Any) -> Any:
        return operation(torch.where(rare(x), value, 1).to(kind)) * torch.ones_like(x)

    assert read(f, "torch") == f(torch.tensor(POINT)).tolist()


def test_counts_that_are_compared_with_halves_are_read_as_they_are() -> None:
    """A true claim beside a false one: of whole numbers, at least 1/2 is more than 0, and not at least 0."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    some = lambda x: ((x > 0).sum() >= 0.5) * x  # noqa: E731
    assert ep.check(some, "x: n -> n", "S(n)", backend="torch").grade == "PROVED"
    assert ep.identical(some, lambda x: x, "x: n -> n", backend="torch").grade == "EXACT"
    assert torch.equal(some(torch.tensor([-1.0])), torch.tensor([-0.0]))


JOINED = [("reduce_or", "max", (2, 1)), ("reduce_and", "min", (6, 5))]


@pytest.mark.parametrize(("name", "other", "values"), JOINED)
def test_the_bits_of_integers_of_jax_are_no_extrema(name: str, other: str, values: tuple[int, int]) -> None:
    jnp = pytest.importorskip("jax.numpy", reason="JAX is not installed")
    from jax import lax

    joined, extreme = getattr(lax, name), getattr(jnp, other)
    f = lambda x: joined(jnp.where(rare(x), *values), (0,)) * x  # noqa: E731
    g = lambda x: extreme(jnp.where(rare(x), *values)) * x  # noqa: E731
    assert not np.allclose(f(jnp.asarray(POINT)), g(jnp.asarray(POINT)))
    with pytest.raises(TraceError, match="bits of integers"):
        read(f, "jax")
    verdict = ep.identical(f, g, "x: n -> n", backend="jax", sizes={"n": (1, 2)})
    assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED")


@pytest.mark.parametrize("name", ["div", "rem", "floor_divide"])
@pytest.mark.parametrize("dividend", [-7, 7])
def test_integers_of_jax_divided_by_0(name: str, dividend: int) -> None:
    jnp = pytest.importorskip("jax.numpy", reason="JAX is not installed")
    from jax import lax

    divide = getattr(lax, name, None) or getattr(jnp, name)

    def f(x: Any) -> Any:
        return divide(jnp.full(x.shape, dividend), jnp.where(rare(x), 0, 2)) * jnp.ones_like(x)

    target = adapt(f, "jax", SIGNATURE)
    assert read(f, "jax") == np.asarray(target(POINT)).tolist()


def test_truth_values_of_jax_are_joined() -> None:
    jnp = pytest.importorskip("jax.numpy", reason="JAX is not installed")
    f = lambda x: jnp.any(x > 0) * x  # noqa: E731
    assert ep.identical(f, lambda x: jnp.max((x > 0) * 1) * x, "x: n -> n", backend="jax").grade == "PROVED"
