"""Layers of installed libraries that write into themselves, and functions that answer with tensors."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.installed import installed

torch: Any = pytest.importorskip("torch")

NAME = "eqvproof_installed_layers"
OTHER = """
from types import SimpleNamespace
HELD = SimpleNamespace()
def jax_doubled(x): return 2 * HELD.jnp.asarray(x)
def jax_summed(x): return HELD.jnp.cumsum(HELD.jnp.asarray(x))
class JaxCounted:
    def __init__(self): self.n = 0
    def __call__(self, x):
        self.n += 1
        return HELD.jnp.asarray(x) if self.n < 10**6 else HELD.jnp.cumsum(x)
"""
LAYERS = """
import numpy as np
import torch

class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mark, self.seen, self.factor, self.known = False, 0, 1.0, {}
        self.weight = torch.nn.Parameter(torch.ones(()))
        self.register_buffer("mean", torch.zeros(()))
    def __call__(self, *args):
        self.mark = True
        def run(x): return super(Layer, self).__call__(x)
        made = run(*args)
        self.mark = True
        return made
    def forward(self, x): return 2 * x

class Counts(Layer):
    def forward(self, x):
        self.seen += 1
        return x if (lambda: self.seen)() < 10**6 else torch.cumsum(x, 0)

class Follows(Layer):
    def forward(self, x):
        self.mean = (lambda: self.mean)() * 0.9 + x.mean() * 0.1
        return x - self.mean

class Learns(Layer):
    def forward(self, x):
        with torch.no_grad():
            (lambda: self.weight)().add_(x.mean().detach())
        return x * self.weight

class Remembers(Layer):
    def forward(self, x):
        key = (lambda: self)() and tuple(x.shape)
        if key not in self.known:
            self.known[key] = x.mean()
        return x * self.known[key]

class KeepsFirst(Layer):
    def forward(self, x):
        if self.factor == 1.0:
            self.factor = (lambda: self)() and 2.0
            return x
        return torch.cumsum(x, 0)

def doubled(x): return 2 * torch.as_tensor(x)
def summed(x): return torch.cumsum(torch.as_tensor(x), 0)
def detached(x): return 2 * x.detach().clone()
def running(x): return torch.cumsum(x.detach(), 0)
class Call:
    def __init__(self): self.n = 0
    def __call__(self, x): return 3 * torch.as_tensor(x)
class Counted(Call):
    def __call__(self, x):
        self.n += 1
        made = torch.as_tensor(x)
        return made if self.n < 10**6 else torch.cumsum(made, 0)
"""


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """An installed package that requires PyTorch."""
    with installed(tmp_path_factory.mktemp("layers"), NAME, LAYERS, "torch", other=OTHER):
        yield importlib.import_module(NAME)


def test_a_layer_that_marks_itself_is_proved(layers: ModuleType) -> None:
    layer = layers.Layer()
    for f in (layer, lambda x: layer(x)):
        verdict = ep.prove(f, "x: n -> n", "S(n)")
        assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert ep.check(layer, "x: n -> n", "T(n)").grade == "EXACT"


@pytest.mark.parametrize("name", ["Counts", "Follows", "Learns", "Remembers", "KeepsFirst"])
def test_a_layer_whose_state_decides_is_not_proved(layers: ModuleType, name: str) -> None:
    layer = getattr(layers, name)()
    for f in (layer, lambda x: layer(x)):
        assert ep.prove(f, "x: n -> n", "S(n)").outcome == "UNDECIDED"


def test_what_a_function_returns_says_what_it_takes(layers: ModuleType) -> None:
    for name in ("doubled", "detached"):
        f = getattr(layers, name)
        verdict = ep.check(lambda x, f=f: f(x), "x: n -> n", "S(n)")
        assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert ep.check(layers.Call(), "x: n -> n", "S(n)").grade == "PROVED"
    assert ep.identical(layers.doubled, lambda x: np.add(x, x), "x: n -> n").grade == "PROVED"


def test_what_answers_with_tensors_and_is_not_equivariant_is_refuted(layers: ModuleType) -> None:
    for name in ("summed", "running"):
        verdict = ep.check(getattr(layers, name), "x: n -> n", "S(n)")
        assert verdict.grade == "EXACT" and ep.verify(verdict.certificate).accepted
    assert ep.prove(layers.Counted(), "x: n -> n", "S(n)").outcome == "UNDECIDED"


def test_a_backend_that_is_given_is_kept(layers: ModuleType) -> None:
    with pytest.raises(ep.errors.TargetError, match="Tensor"):
        ep.check(layers.doubled, "x: n -> n", "S(n)", backend="numpy")


def test_what_runs_jax_and_does_not_name_it_is_asked_first(layers: ModuleType) -> None:
    """JAX has threads by now, which a copy of the process would wait for without end."""
    jax: Any = pytest.importorskip("jax")
    other = importlib.import_module(f"{layers.__name__}.other")
    other.HELD.jnp = jax.numpy
    jax.numpy.ones(3).sum().block_until_ready()
    verdict = ep.check(other.jax_doubled, "x: n -> n", "S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert ep.check(other.jax_summed, "x: n -> n", "S(n)").grade == "EXACT"
    assert ep.prove(other.JaxCounted(), "x: n -> n", "S(n)").outcome == "UNDECIDED"
