"""Which targets need a process of their own: whatever is not known to return, or to be interruptible."""

from __future__ import annotations

import collections
import functools
import itertools
import math
import operator
import os
import random
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from eqvproof.claims import domains
from eqvproof.tracing.observing.endless import surely_returns
from tests.gallery.test_gallery import LAYERS

WEIGHTS = np.ones((4, 4))
HUGE = 10**9
WIDE = 1e9
Function = Callable[..., Any]


class Layer:
    """A layer with weights."""

    def __init__(self, inner: Any = None) -> None:
        self.weights, self.inner = WEIGHTS, inner

    def __call__(self, X: Any) -> Any:
        return self.inner(X) if self.inner else self.forward(X)

    def forward(self, X: Any) -> Any:
        return np.tanh(X) @ self.weights


class Slotted:
    """An object with slots."""

    __slots__ = ("inner",)

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __call__(self, X: Any) -> Any:
        return self.inner(X)


def outer(f: Function) -> Function:
    return lambda X: f(X)


def decorated(f: Function) -> Function:
    @functools.wraps(f)
    def call(X: Any) -> Any:
        return f(X)

    return call


def loop(X: Any) -> Any:
    for k in range(X.shape[0]):
        X = X + k
    while X.sum() > 3:
        X = X / 2
    return X


def recursive(X: Any) -> Any:
    return X if len(X) < 2 else recursive(X[1:])


def count(X: Any) -> Any:
    return X * sum(itertools.count())


KNOWN: dict[str, Function] = {
    "operators": lambda X: X @ X.T @ X / (1 + (X * X).sum()),
    "functions": lambda X: np.exp(X) / np.sqrt(math.pi),
    "a loop": loop,
    "recursion": recursive,
    "a closure": outer(loop),
    "a decorated function": decorated(loop),
    "a partial function": functools.partial(np.add, 1),
    "a method": Layer().forward,
    "an object": Layer(),
    "an object in an object": Layer(Slotted(loop)),
    "a cached function": functools.lru_cache(loop),
    "a comprehension": lambda X: np.stack([X[:, k] for k in range(X.shape[1])]),
    "ranges": lambda X: sum(X[:, k] * c for k in range(X.shape[1] - 1) for c in range(1, 3)),
    "builtins": lambda X: max(len(X), 2) * sum(X) + min(X.shape),
    "einsum": lambda X: np.einsum("ij,kj->ik", X, X),
    "powers": lambda X: X**2 + X**0.5 + X**-1,
    "fractions": lambda X: X * Fraction(1, 3),
    "weights": lambda X: X @ WEIGHTS,
    "operator": lambda X: operator.mul(X, 2),
    "a ufunc": np.exp,
    "an array function": np.sort,
    "a domain": domains.full_column_rank,
    "domains": domains.both(domains.positive, domains.of(X=domains.full_column_rank)),
    "a context": lambda X: with_context(X),
    "large floats": lambda X: X * 1e9 + 1e-12,
    "whole numbers of sizes": lambda X: X[: int(X.shape[0] / 2)] * round(1.5),
    "a count beside a small number": lambda X: np.arange(X.shape[0])[:, None] * X / (X * X + 1e-9),
    "texts": lambda X: np.einsum("ij,jk->ik", X, X.T) * int(X.shape[0] > 1),
}
UNKNOWN: dict[str, Function] = {
    "itertools": count,
    "time": lambda X: time.sleep(1) or X,
    "os": lambda X: os.getpid() * X,
    "threads": lambda X: threading.Lock().acquire() and X,
    "an iterator of a function": lambda X: any(iter(int, 1)),
    "a large number": lambda X: np.ones(10**9) * X,
    "a large number elsewhere": lambda X: np.ones(HUGE) * X,
    "a large float": lambda X: np.ones(int(1e9)) * X,
    "a large float elsewhere": lambda X: np.ones(round(WIDE)) * X,
    "a large float of a shape": lambda X: np.ones((int(5e3),) * 2).sum() * X,
    "a large float in a default": lambda X, n=5e3: np.zeros((int(n), int(n))).mean() * X,
    "a large float in an object": functools.partial(lambda n, X: np.ones(math.floor(n)) * X, 3.5e8),
    "a large float of another type": lambda X: np.ones(np.float64(1e9).astype(np.int64)) * X,
    "many steps": lambda X: np.arange(1e9).sum() * X,
    "small steps": lambda X: np.arange(0, 1, 1e-9).sum() * X,
    "a number that is written": lambda X: np.ones(int("1000000000")) * X,
    "a factorial": lambda X: np.ones(math.factorial(13)) * X,
    "a binomial coefficient": lambda X: np.ones(math.comb(31, 15)) * X,
    "a power of a size": lambda X: np.ones(2 ** X.shape[0]) * X,
    "a shift by a size": lambda X: np.ones(1 << X.shape[0]) * X,
    "a range that is read": lambda X: X * sum(range(X.shape[0])),
    "a range by another name": lambda X: X * sum((lambda r: r(X.shape[0]))(range)),
    "a range beside a loop": lambda X: [k for k in range(3)] and X * max(range(X.shape[0])),
    "a range that is unpacked": lambda X: X * len([*range(X.shape[0])]),
    "a range that is searched": lambda X: X * (0.5 in range(X.shape[0])),
    "handlers": lambda X: handles(X),
    "finally": lambda X: finishes(X),
    "open": lambda X: open("/dev/zero").read() and X,
    "exec": lambda X: exec("pass") or X,
    "an import": lambda X: imports(X),
    "a closure": outer(count),
    "a decorated function": decorated(count),
    "a partial function": functools.partial(count),
    "a default": lambda X, f=itertools.count: X,
    "an object in an object": Layer(Slotted(count)),
    "a cached function": functools.lru_cache(count),
    "a deque": lambda X: X * len(collections.deque(itertools.count())),
    "another package": lambda X: pytest.approx(X),
    "an internal name": lambda X: X.__class__.__subclasses__(),
    "large weights": functools.partial(np.dot, np.broadcast_to(1.0, (10**5, 10**5))),
    "an iterator": itertools.count(),
    "an odd object": type("Odd", (), {"__getattr__": lambda self, name: 1 / 0})(),
}


def with_context(X: Any) -> Any:
    with np.errstate(all="ignore"):
        return X * random.random()


def handles(X: Any) -> Any:
    try:
        return X
    except BaseException:
        return 2 * X


def finishes(X: Any) -> Any:
    try:
        return X
    finally:
        X += 1


def imports(X: Any) -> Any:
    import itertools

    return next(itertools.count()) * X


@pytest.mark.parametrize("name", KNOWN)
def test_known(name: str) -> None:
    assert surely_returns(KNOWN[name])


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown(name: str) -> None:
    assert not surely_returns(UNKNOWN[name])
    assert not surely_returns(loop, UNKNOWN[name])


def test_layers_are_known() -> None:
    """Ordinary code needs no process of its own."""
    assert [layer.name for _, layer in LAYERS if not surely_returns(layer.function)] == []


def test_modules_of_torch() -> None:
    torch = pytest.importorskip("torch")

    class Module(torch.nn.Module):
        def __init__(self, act: Any) -> None:
            super().__init__()
            self.layers = torch.nn.ModuleList([torch.nn.Linear(3, 3), torch.nn.LayerNorm(3)])
            self.act = act

        def forward(self, X: Any) -> Any:
            for layer in self.layers:
                X = X + self.act(layer(X))
            return X

    assert surely_returns(Module(torch.relu)) and surely_returns(torch.nn.TransformerEncoderLayer(8, 2))
    assert not surely_returns(Module(count))
    hooked = torch.nn.Linear(3, 3)
    hooked.register_forward_hook(lambda module, given, result: count(result))
    assert not surely_returns(hooked)
    assert not surely_returns(torch.nn.Linear(5000, 5000))
