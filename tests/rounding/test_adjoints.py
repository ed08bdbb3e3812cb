"""Errors traced back to their roundings: bounds that hold, and that do not grow from layer to layer."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.rounding import adjoints, bound
from eqvproof.rounding.adjoints import AdjointSystem, is_deep
from eqvproof.rounding.formats import format_of
from eqvproof.rounding.tracing import trace_with_roundings
from tests.programs.evaluate.programs import random_inputs, random_program
from tests.rounding.judge import beyond, bounds, computed, real

torch = pytest.importorskip("torch")
MODELS = ("certain", "probable")


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("model", ["traced", "traced, probable"])
@pytest.mark.parametrize("seed", range(500, 540))
def test_random_programs_stay_within_their_traced_bounds(seed: int, model: str, dtype: str) -> None:
    program, sizes = random_program(seed), {"n": 1 + seed % 4, "d": 1 + seed % 3}
    inputs = {n: random_inputs(seed, sizes)[n] for n, _ in program.inputs}
    found = bounds(program, inputs, sizes, dtype, model)
    if found is not None:
        result = computed(program, inputs, sizes, dtype, seed)
        assert not beyond(result, real(program, inputs, sizes), found).any()


def relu(X):
    return np.maximum(X, 0)


def gelu(X):
    return X / (1 + np.exp(-1.702 * X))


def network(depth: int, curve, seed: int):
    """Residual blocks of two matrices and a norm, in the dtype of their input."""
    rng = np.random.default_rng(seed)
    first = [(rng.normal(size=(12, 12)) / 4).astype(np.float32) for _ in range(depth)]
    second = [(rng.normal(size=(12, 12)) / 4).astype(np.float32) for _ in range(depth)]

    def f(X):
        for a, b in zip(first, second, strict=True):
            X = X + curve(X @ a.astype(X.dtype)) @ b.astype(X.dtype)
            X = X / np.sqrt((X * X).mean(axis=-1, keepdims=True) + np.float32(1e-5))
        return X

    return f


@pytest.mark.parametrize("curve", [relu, gelu, np.tanh, np.sin])
def test_stacks_of_blocks_stay_within_bounds_that_grow_slowly(curve) -> None:
    worst, seen = {m: [] for m in MODELS}, []
    for depth in (3, 6):
        f = network(depth, curve, depth)
        X = np.random.default_rng(1).normal(size=(5, 12)).astype(np.float32)
        error = np.abs(f(X).astype(np.float64) - f(X.astype(np.float64)))
        reading = trace_with_roundings(f, "X: n 12 -> n 12", {"n": 5}, dtype="float32")
        orders = [
            np.abs(
                computed(reading.trace.program, {"X": X}, {"n": 5}, "float32", k) - f(X.astype(np.float64))
            )
            for k in range(5)
        ]
        seen.append(max(float(e.max()) for e in (error, *orders)))
        for m in MODELS:
            found = ep.rounding_bound(f, "X: n 12 -> n 12", X, model=m)
            assert all((e <= found.bound + 1e-14).all() for e in (error, *orders))
            worst[m].append(found.worst)
    assert worst["certain"][1] < 1000 * seen[1]
    assert worst["probable"][1] < 100 * seen[1]


def encoder(d: int, depth: int, **options):
    torch.manual_seed(d + depth)
    layer = torch.nn.TransformerEncoderLayer(d, 4, 2 * d, dropout=0.0, batch_first=True, **options)
    return torch.nn.TransformerEncoder(layer, depth, enable_nested_tensor=False).eval()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("depth", "options"),
    [(1, {}), (2, {"norm_first": True}), (2, {"activation": "gelu"}), (4, {})],
)
def test_encoders_have_sharp_bounds(depth: int, options: dict[str, object]) -> None:
    model, seen, chance = encoder(16, depth, **options), 0.0, np.random.default_rng(depth)
    inputs = [torch.tensor(chance.normal(size=(1, 4, 16))).float() for _ in range(6)]
    found = {m: ep.rounding_bound(model, "X: b n d -> b n d", inputs[0], model=m) for m in MODELS}
    with torch.no_grad():
        results = [model(x).double() for x in inputs]
        errors = [
            (r - model.double()(x.double())).abs().numpy() for r, x in zip(results, inputs, strict=True)
        ]
    seen = max(float(e.max()) for e in errors)
    for m in MODELS:
        assert (errors[0] <= found[m].bound).all()
    assert found["certain"].worst < 1000 * seen
    assert found["probable"].worst < 100 * seen


def test_half_formats_and_large_means_stay_within_traced_bounds() -> None:
    """A norm of rows whose mean is far larger than what deviates from it."""
    for kind in (torch.bfloat16, torch.float16):
        model = encoder(8, 2).to(kind)
        for scale, shift in ((1.0, 0.0), (0.01, 30.0), (1e-4, 1.0)):
            x = (torch.randn(1, 3, 8) * scale + shift).to(kind)
            found = ep.rounding_bound(model, "X: b n d -> b n d", x)
            with torch.no_grad():
                result = model(x).double()
                error = (result - encoder(8, 2).to(kind).double()(x.double())).abs().numpy()
            assert (error <= found.bound).all()


def test_where_the_work_is_not_worth_it_steps_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    f = network(4, np.tanh, 0)
    X = np.random.default_rng(1).normal(size=(5, 12)).astype(np.float32)
    sharp = {m: ep.rounding_bound(f, "X: n 12 -> n 12", X, model=m) for m in MODELS}
    error = np.abs(f(X).astype(np.float64) - f(X.astype(np.float64)))
    monkeypatch.setattr(bound, "is_deep", lambda *_: False)
    for m in MODELS:
        plain = ep.rounding_bound(f, "X: n 12 -> n 12", X, model=m)
        assert (error <= plain.bound).all()
        assert sharp[m].worst <= plain.worst
    monkeypatch.setattr(bound, "is_deep", lambda *_: True)
    monkeypatch.setattr(adjoints, "WORK", 1000)
    system = AdjointSystem(format_of("float32"), work=1000)
    reading = trace_with_roundings(f, "X: n 12 -> n 12", {"n": 5}, dtype="float32")
    traced, _ = reading.walk(system, {"X": system.as_input(system.base.as_input(X))}, {"n": 5})
    assert not system.is_done
    assert (error <= system.bound(traced)).all()
    product = trace_with_roundings(lambda X: X @ X.T, "X: n d -> n n", {}).trace.program
    assert not is_deep(product, {"n": 3, "d": 2}, system.form)
    assert not is_deep(reading.trace.program, {"n": 5}, format_of("float64"))


def test_ways_that_cancel_are_seen_to_cancel() -> None:
    """(A + B) - (A - B) - 2 B is 0: what is rounded in B itself goes three ways, and these cancel."""

    def f(x):
        y = np.sin(x)
        for _ in range(3):
            z = x * y
            y = (z + y) - (z - y) - y
        return y

    program = trace_with_roundings(f, "x: n -> n", {}, dtype="float32").trace.program
    x = np.random.default_rng(0).normal(size=4).astype(np.float32) * 3
    steps = bounds(program, {"x": x}, {"n": 4}, "float32")
    traced = bounds(program, {"x": x}, {"n": 4}, "float32", "traced")
    result = computed(program, {"x": x}, {"n": 4}, "float32", 0)
    assert steps is not None
    assert traced is not None
    assert not beyond(result, (np.sin(x.astype(np.longdouble)), np.full(4, 1e-18)), traced).any()
    assert traced.max() < steps.max() / 3
