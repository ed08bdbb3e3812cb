"""Kinds of targets, fixed sizes, the user's lines, and that nothing is left behind."""

from __future__ import annotations

import contextlib
import functools
import linecache
import math
import threading
import types
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from eqvproof.claims.signature import parse_signature
from eqvproof.programs import Program
from eqvproof.programs import operations as ops
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes, trace_at

SQUARE = parse_signature("X: d n -> d n")
ROOT = math.sqrt
TAU = math.tau


@dataclass
class Linear:
    weight: np.ndarray
    activation: Any = np.tanh

    def __call__(self, X: Any) -> Any:
        return self.activation(self.weight @ X)


class Attention:
    scale = 0.5

    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.rng = rng
        self.query, self.key = rng.standard_normal((2, 3, 3))

    @property
    def product(self) -> Any:
        return self.query.T @ self.key

    def weights(self, X: Any) -> Any:
        logits = self.scale * (X.T @ self.product @ X) / ROOT(self.query.shape[0])
        E = np.exp(logits)
        return E / E.sum(axis=-1, keepdims=True)

    def __call__(self, X: Any) -> Any:
        return X @ self.weights(X).T

    def unused(self) -> Any:
        return self.rng.standard_normal()


def decorated(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return 2 * function(*args)

    return wrapper


@decorated
def doubled(X: Any) -> Any:
    return X + 1


@contextlib.contextmanager
def scope() -> Any:
    yield 2.0


def in_a_scope(X: Any) -> Any:
    with scope() as factor:
        return X * factor


def rows(X: Any) -> Any:
    yield from (2 * X, X)


def from_generator(X: Any) -> Any:
    return sum(rows(X))


def closure(width: float) -> Any:
    def inner(X: Any) -> Any:
        return X * width

    return inner


def local_helper(X: Any) -> Any:
    def helper(Y: Any, factor: float = 2.0) -> Any:
        return Y * factor

    return helper(X) + (lambda Y: helper(Y, 3.0))(X)


THREE = "X: 3 n -> 3 n"
TARGETS: dict[str, tuple[str, Any]] = {
    "ufunc": ("X: d n -> d n", np.tanh),
    "numpy function": ("X: d n -> n d", np.transpose),
    "norm": ("X: d n -> ()", np.linalg.norm),
    "lambda": ("X: d n -> d n", lambda X: X),
    "dataclass": (THREE, Linear(np.arange(9.0).reshape(3, 3) / 9)),
    "dataclass with lambda": (THREE, Linear(np.eye(3), lambda z: np.maximum(z, 0))),
    "object": (THREE, Attention()),
    "bound method": ("X: 3 n -> n n", Attention().weights),
    "partial": ("X: d n -> d n", functools.partial(np.multiply, 2.0)),
    "partial of a lambda": ("X: d n -> d n", functools.partial(lambda a, X: a * X, 0.5)),
    "decorated": ("X: d n -> d n", doubled),
    "context manager": ("X: d n -> d n", in_a_scope),
    "generator": ("X: d n -> d n", from_generator),
    "closure": ("X: d n -> d n", closure(0.25)),
    "local helper": ("X: d n -> d n", local_helper),
    "staticmethod": ("X: d n -> d n", type("S", (), {"f": staticmethod(lambda X: X + 1)}).f),
}


@pytest.mark.parametrize("name", TARGETS)
def test_kinds_of_targets(name: str) -> None:
    signature, function = TARGETS[name]
    trace_all_sizes(function, parse_signature(signature))


def test_scalars() -> None:
    trace_all_sizes(lambda x, y: x * y, parse_signature("x: (), y: () -> ()"))


def test_pins_are_plain_integers() -> None:
    def with_loop(X: Any) -> Any:
        return sum(X[i] * i for i in range(X.shape[0])) / len(X)

    trace = trace_all_sizes(with_loop, parse_signature("X: d n -> n"), {"d": 3})
    assert str(trace.program.inputs[0][1][0]) == "3"
    with pytest.raises(TraceError, match="range"):
        trace_all_sizes(with_loop, parse_signature("X: d n -> n"))


def test_large_pins_stay_as_they_are_in_replays() -> None:
    trace_all_sizes(lambda X: X[:, None] - X[None], parse_signature("X: d n -> d d n"), {"d": 130})


def test_at_fixed_sizes() -> None:
    def pairwise(X: Any) -> Any:
        n = X.shape[0]
        out = np.empty((n, n))
        for i in range(n):
            for j in range(n):
                out[i, j] = X[i] @ X[j] if i < j else -1.0 * (i + j)
        return out

    trace = trace_at(pairwise, parse_signature("X: n d -> n n"), {"n": 3, "d": 2})
    X = np.arange(6.0).reshape(3, 2)
    np.testing.assert_allclose(evaluate_float(trace.program, {"X": X}, {}), pairwise(X))


FIXED: dict[str, tuple[str, Any]] = {
    "upper triangle": ("X: n d -> k", lambda X: (X @ X.T)[np.triu_indices(X.shape[0], k=1)]),
    "median": ("X: n d -> d", lambda X: np.median(X, axis=0)),
    "mask": ("X: n d -> k d", lambda X: X[np.array([True, False, True, True])]),
    "index array": ("X: n d -> k d", lambda X: X[[2, 0, 1, 1]] + X[np.arange(4)]),
    "negative step": ("X: n d -> k d", lambda X: X[::-2]),
    "cumulative loop": ("X: n d -> n d", lambda X: np.stack([X[: i + 1].sum(axis=0) for i in range(len(X))])),
    "filled rows": ("X: n d -> n d", lambda X: _fill_rows(X)),
    "squeeze": ("X: n d -> n d", lambda X: np.squeeze(X[None])),
    "covariance": ("X: n d -> d d", lambda X: np.cov(X.T)),
    "zip": ("X: n d -> d", lambda X: sum(a * b for a, b in zip(X, X[::-1], strict=True))),
    "enumerate": ("X: n d -> d", lambda X: sum(i * row for i, row in enumerate(X))),
    "linspace": ("X: n d -> n d", lambda X: X * np.linspace(0, 1, len(X))[:, None]),
    "permutation": ("X: n d -> n d", lambda X: X[np.array([1, 0, 3, 2])] @ np.eye(X.shape[1])),
}


def _fill_rows(X: Any) -> Any:
    out = np.zeros_like(X)
    for i in range(len(X)):
        out[i] = X[i] - X[i - 1]
    out[0, 0] = 5.0
    return out


@pytest.mark.parametrize("name", FIXED)
def test_read_at_fixed_sizes(name: str) -> None:
    signature, function = FIXED[name]
    trace_at(function, parse_signature(signature), {"n": 4, "d": 3})


def test_lines_name_the_users_code() -> None:
    trace = trace_all_sizes(Attention(), parse_signature(THREE))
    exp = next(i for i, n in enumerate(trace.program.nodes) if isinstance(n, ops.Map) and n.fn == "exp")
    line = trace.lines[exp]
    assert (line.file, line.source) == ("test_targets.py", "E = np.exp(logits)")
    assert linecache.getline(__file__, line.number).strip() == line.source
    assert str(line).startswith(f"test_targets.py:{line.number}: E = np.exp(logits)")


def test_errors_name_the_users_line() -> None:
    with pytest.raises(TraceError) as caught:
        trace_all_sizes(lambda X: X * bin(len(X)).count("1"), SQUARE)
    assert "test_targets.py" in caught.value.message
    assert "X * bin(len(X))" in caught.value.message


def test_two_traces_are_equal_programs() -> None:
    first = trace_all_sizes(Attention(), parse_signature(THREE)).program
    assert isinstance(first, Program)
    assert first == trace_all_sizes(Attention(), parse_signature(THREE)).program


def test_modules_are_put_back_after_an_error() -> None:
    with pytest.raises(TraceError):
        trace_all_sizes(lambda X: ROOT(X.shape[0]) * TAU * len(X), SQUARE)
    assert type(np) is types.ModuleType
    assert type(math) is types.ModuleType
    assert ROOT is math.sqrt
    assert TAU is math.tau
    assert type(np.linalg) is types.ModuleType


def test_other_threads_see_numpy_as_it_is() -> None:
    seen: list[Any] = []
    inside, done = threading.Event(), threading.Event()

    def elsewhere() -> None:
        inside.wait(10)
        seen.extend([np.sqrt(3), np.pi, np.eye(2)[0, 0], math.sqrt(2)])
        done.set()

    class Pause:
        def __array_ufunc__(self, *args: Any, **kwargs: Any) -> Any:
            return NotImplemented

    thread = threading.Thread(target=elsewhere)
    thread.start()

    def target(X: Any) -> Any:
        inside.set()
        done.wait(10)
        return X

    with pytest.raises(TraceError):  # threading is not a pure module
        trace_all_sizes(target, SQUARE)
    thread.join()
    assert seen == [np.sqrt(3), math.pi, 1.0, math.sqrt(2)]
    assert [type(s) for s in seen] == [np.float64, float, np.float64, float]


def test_a_trace_inside_a_trace_is_refused() -> None:
    def target(X: Any) -> Any:
        return X * len(trace_all_sizes(lambda Y: Y, SQUARE).program.nodes)

    with pytest.raises(TraceError):
        trace_all_sizes(target, SQUARE)


def test_missing_sizes() -> None:
    with pytest.raises(TraceError, match="sizes are missing"):
        trace_at(lambda X: X, SQUARE, {"d": 2})


@pytest.mark.parametrize(
    "f",
    [
        lambda X, E: np.bincount(E[0]),
        lambda X, E: X[E[0] > 0],
        lambda X, E: X[E[0] / 2],
        lambda X, E: np.add.at(np.ones(3), E[0], 1.0),
    ],
)
def test_uses_of_positions_that_are_refused(f: Any) -> None:
    with pytest.raises(TraceError):
        trace_all_sizes(f, parse_signature("X: n d, E[n]: 2 m -> n d"))


@pytest.mark.parametrize(
    "f",
    [
        lambda X, M: np.where(M[:, :, None], X[None], 0.0).sum(1),
        lambda X, M: (M @ X) / (1 + M.sum(axis=1, keepdims=True)),
        lambda X, M: X * (~M[0] & (X[:, 0] > 0))[:, None],
    ],
)
def test_masks_are_traced(f: Any) -> None:
    trace = trace_all_sizes(f, parse_signature("X: n d, M[bool]: n n -> n d"))
    assert [name for name, _ in trace.program.inputs] == ["X", "M"]


def test_many_layers() -> None:
    def deep(X: Any) -> Any:
        for _ in range(100):
            X = X + 0.1 * np.tanh(X @ (X.T @ X) / (1 + (X * X).sum()))
        return X

    trace = trace_all_sizes(deep, parse_signature("X: n d -> n d"))
    assert len(trace.program.nodes) > 500


def test_large_weights() -> None:
    W = np.random.default_rng(0).standard_normal((128, 128))
    trace_all_sizes(lambda X: W @ X, parse_signature("X: 128 n -> 128 n"))
