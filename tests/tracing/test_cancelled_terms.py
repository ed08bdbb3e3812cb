"""Terms that cancel leave roundings in the target, and none in a Program in which their sum is 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.programs import Builder, Program
from eqvproof.programs.as_computed import AsComputed
from eqvproof.tracing.rounding import Point, cancelled
from tests.judged import assert_proved


def pair_forces(shape: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The gradient of a sum over pairs of points, of a function of their squared distance."""
    torch = pytest.importorskip("torch")

    def energy(x: Any) -> Any:
        gaps = x[:, None] - x[None]
        return shape((gaps * gaps).sum(-1)).sum()

    return torch.func.grad(energy)  # type: ignore[no-any-return]


#: Functions of squared distances.
SHAPES: dict[str, Callable[[Any], Any]] = {
    "Gauss": lambda r: (-r).exp(),
    "Cauchy": lambda r: 1 / (1 + r),
    "square": lambda r: r * r,
    "smooth": lambda r: (1 + r).sqrt(),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_net_force_of_torch(name: str) -> None:
    forces = pair_forces(SHAPES[name])
    assert_proved(lambda x: forces(x).sum(0), "x: n d -> d", "O(d) x S(n)", budget=60, backend="torch")


def test_a_mean_and_a_multiple() -> None:
    forces = pair_forces(SHAPES["Gauss"])

    def target(x: Any) -> Any:
        return 3 * forces(x).mean(0) + x.sum(0)

    assert_proved(target, "x: n d -> d", "O(d) x S(n)", budget=60, backend="torch")


def test_the_net_force_of_jax() -> None:
    jax = pytest.importorskip("jax")

    def energy(x: Any) -> Any:
        gaps = x[:, None] - x[None]
        return jax.numpy.exp(-(gaps * gaps).sum(-1)).sum()

    forces = jax.grad(energy)
    assert_proved(lambda x: forces(x).sum(0), "x: n d -> d", "O(d) x S(n)", budget=90)


#: Of NumPy, 0 at all inputs.
ZEROS: dict[str, Callable[[Any], Any]] = {
    "tenths": lambda x: 0.1 * np.tanh(x).sum(0) - (0.1 * np.tanh(x)).sum(0),
    "differences": lambda x: (x[:, None] * x.mean() - x[None] * x.mean()).sum((0, 1)),
    "thirds": lambda x: (x / 3).sum(0) - x.sum(0) / 3,
    "from the mean": lambda x: (x - x.mean(0)).sum(0),
}


@pytest.mark.parametrize("name", ZEROS)
def test_what_is_zero_in_numpy(name: str) -> None:
    verdict = ep.check(ZEROS[name], "x: n d -> d", "O(d) x S(n)")
    assert verdict.holds and verdict.grade != "TESTED", str(verdict)
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize("size", [1e-9, 1e-12])
def test_what_a_trace_does_not_see(size: float) -> None:
    """A near miss: real tensors get a little more, far above the roundings of what cancels."""
    torch = pytest.importorskip("torch")
    forces = pair_forces(SHAPES["Gauss"])

    def target(x: Any) -> Any:
        return forces(x).sum(0) + size * (type(x) is torch.Tensor) * x[0, 0].tanh()

    verdict = ep.check(target, "x: n d -> d", "O(d) x S(n)", budget=20)
    assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED"), str(verdict)


@pytest.mark.parametrize("size", [1e-12, 1e-16, 1e-300])
def test_where_nothing_cancels(size: float) -> None:
    """A near miss: 0 is written, and no terms leave roundings."""
    torch = pytest.importorskip("torch")

    def target(x: Any) -> Any:
        return torch.zeros_like(x[0]) + size * (type(x) is torch.Tensor)

    verdict = ep.check(target, "x: n d -> d", "O(d) x S(n)", budget=20)
    assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED"), str(verdict)


def test_what_is_added_by_the_target_itself_is_judged() -> None:
    """A near miss: it stands in the Program, and breaks the symmetry."""
    forces = pair_forces(SHAPES["Cauchy"])
    verdict = ep.check(lambda x: forces(x).sum(0) + 1e-16, "x: n d -> d", "O(d)", backend="torch")
    assert (verdict.outcome, verdict.grade) == ("FAILS", "EXACT"), str(verdict)
    assert ep.verify(verdict.certificate).accepted


def difference(b: Builder, scale: int) -> Program:
    """The sum of c x, less c times the sum of x."""
    x, c = b.input("x", ["n"]), b.const(scale)
    return b.program(b.add([b.sum(b.mul(c, x), [0]), b.mul(b.const(-1), b.mul(c, b.sum(x, [0])))]))


@pytest.mark.parametrize("scale", [3, 30_000, 3 * 10**9])
def test_the_bound_grows_with_the_terms(scale: int) -> None:
    """It is as large as their roundings, and not much larger."""
    folded, kept = difference(Builder(), scale), difference(AsComputed(), scale)
    x = np.random.default_rng(5).standard_normal(40)
    at = Point(folded, {"n": 40}, {"x": x})
    bound = float(cancelled(at, kept, at.value()))
    largest = scale * float(np.abs(x).sum())
    assert 2.0**-55 * scale < bound < 100 * 2.0**-52 * largest
    seen = [abs((scale * y).sum() - scale * y.sum()) for y in (x, x[::-1], np.sort(x))]
    assert max(seen) <= bound
    assert not cancelled(at, None, at.value()).any()


def test_a_program_that_jumps_excuses_nothing() -> None:
    """Where a last bit decides which way is taken, what it moves is no rounding."""
    b = AsComputed()
    x = b.input("x", ["n"])
    step = b.map("gt", [b.sum(x, [0]), b.const(0)])
    kept = b.program(b.add([step, b.mul(b.const(-1), step)]))
    other = Builder()
    other.input("x", ["n"])
    folded = other.program(other.const(0))
    at = Point(folded, {"n": 2}, {"x": np.array([1.0, -1.0])})
    assert not cancelled(at, kept, at.value()).any()
