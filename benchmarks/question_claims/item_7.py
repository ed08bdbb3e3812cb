"""Which layer breaks the symmetry: ten models, each right, and with one layer broken on purpose.

A function builds the model, broken or not; `place` is the path of the broken layer, or the end of its line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import equinox
import jax
import jax.numpy as jnp
import numpy as np
import torch
from torch import nn

from benchmarks.question_claims.claim import Item

ITEM = Item(7, "Which layer breaks it?", "profile")
#: decorates a builder with both of its claims
Builder = Callable[..., Any]


def both(signature: str, under: str, place: str, **more: Any) -> Callable[[Builder], Builder]:
    """Claims that the model is right, and that the broken one is broken at this place."""

    def claimed(build: Builder) -> Builder:
        ITEM.right(signature, under, **more)(build)
        return ITEM.wrong(signature, under, place=place, **more)(build)

    return claimed


class Positions(nn.Module):
    """Adds a number for each row."""

    def forward(self, x):
        return x + 0.1 * torch.arange(x.shape[0], dtype=x.dtype)[:, None]


class Mean(nn.Module):
    """Pools the rows."""

    def forward(self, x):
        return x.mean(0)


class Messages(nn.Module):
    """A layer on a graph."""

    def __init__(self, *, ordered: bool = False):
        super().__init__()
        self.own, self.other, self.ordered = nn.Linear(4, 4), nn.Linear(4, 4), ordered

    def forward(self, x, A):
        received = torch.cumsum(x, 0) if self.ordered else A @ x
        return torch.relu(self.own(x) + self.other(received))


class GraphNetwork(nn.Module):
    """Two layers on a graph."""

    def __init__(self, *, broken: bool):
        super().__init__()
        self.first, self.second = Messages(), Messages(ordered=broken)
        self.head = nn.Linear(4, 2)

    def forward(self, x, A):
        return self.head(self.second(self.first(x, A), A))


class PointLayer(nn.Module):
    """Moves points along their differences."""

    def __init__(self, *, clamped: bool = False):
        super().__init__()
        self.weight, self.clamped = (
            nn.Sequential(nn.Linear(1, 8), nn.SiLU(), nn.Linear(8, 1)),
            clamped,
        )

    def forward(self, x):
        apart = x[:, None] - x[None]
        step = (apart * self.weight((apart**2).sum(-1, keepdim=True))).mean(1)
        return x + (step.clamp(-0.01, 0.01) if self.clamped else step)


class VectorLinear(nn.Module):
    """Mixes channels of vectors."""

    def __init__(self, inputs: int, outputs: int, *, biased: bool = False):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / inputs)
        self.bias = nn.Parameter(torch.ones(3)) if biased else None

    def forward(self, v):
        v = self.weight @ v
        return v if self.bias is None else v + self.bias


class VectorNetwork(nn.Module):
    """Vectors in, vectors out, with gates from their lengths."""

    def __init__(self, *, broken: bool):
        super().__init__()
        self.embed = VectorLinear(5, 8)
        self.gate = nn.Linear(8, 8)
        self.mix = VectorLinear(8, 4, biased=broken)

    def forward(self, v):
        v = self.embed(v)
        lengths = (v**2).sum(-1)
        return self.mix(v * torch.sigmoid(self.gate(lengths))[:, None])


@both("x: n 3 -> 2", "S(n)", "1")
def deep_set(*, broken: bool):
    return nn.Sequential(
        nn.Sequential(nn.Linear(3, 8), nn.ReLU()), Positions() if broken else nn.Identity(),
        nn.Linear(8, 8), nn.ReLU(), Mean(), nn.Linear(8, 2),
    )  # fmt: skip


@both("x: n 4, A: n n -> n 2", "S(n)", "second")
def graph_network(*, broken: bool):
    return GraphNetwork(broken=broken)


@both("x: n 3 -> n 3", "E(3)", "1")
def point_network(*, broken: bool):
    return nn.Sequential(PointLayer(), PointLayer(clamped=broken), PointLayer())


@both("v: 5 3 -> 4 3", "O(3)", "mix")
def vector_network(*, broken: bool):
    return VectorNetwork(broken=broken)


@both("x: 1 1 n -> 1 2 n", "C(n)", "2", sizes={"n": 8})
def circular_network(*, broken: bool):
    mode = "zeros" if broken else "circular"
    return nn.Sequential(
        nn.Conv1d(1, 3, 3, padding=1, padding_mode="circular"), nn.Tanh(),
        nn.Conv1d(3, 2, 3, padding=1, padding_mode=mode), nn.Tanh(),
    )  # fmt: skip


@both("x: n 8 -> n 8", "S(n)", "1")
def transformer(*, broken: bool):
    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)

        def forward(self, x):
            return self.inner(x[None])[0]

    return nn.Sequential(Layer(), Positions() if broken else nn.Identity(), Layer())


class Distances(equinox.Module):
    """Lengths of the differences, or the coordinates where it is broken."""

    broken: bool

    def __call__(self, x):
        apart = x[:, None] - x[None]
        return apart[..., 0] if self.broken else (apart**2).sum(-1)


class Readout(equinox.Module):
    """Sums what two layers make of each pair."""

    hidden: equinox.nn.Linear
    last: equinox.nn.Linear

    def __call__(self, d):
        return jax.vmap(jax.vmap(lambda r: self.last(jnp.tanh(self.hidden(r)))))(d[..., None]).sum(
            (0, 1)
        )


class Potential(equinox.Module):
    """An energy of points."""

    distances: Distances
    readout: Readout

    def __call__(self, x):
        return self.readout(self.distances(x))[0]


@both("x: n 3 -> ()", "E(3)", "distances")
def potential_in_jax(*, broken: bool):
    one, two = jax.random.split(jax.random.key(0))
    readout = Readout(equinox.nn.Linear(1, 4, key=one), equinox.nn.Linear(4, 1, key=two))
    return Potential(Distances(broken), readout)


class Attention:
    """Attention of rows to rows."""

    def __init__(self, seed: int) -> None:
        self.w = np.random.default_rng(seed).normal(size=(4, 4)) / 2

    def __call__(self, x):
        e = np.exp(x @ self.w @ x.T / 4)
        return x + e @ x / e.sum(1, keepdims=True)


class Standardise:
    """Standardises over the rows, or over the first of them where it is broken."""

    def __init__(self, *, broken: bool) -> None:
        self.rows = slice(0, 2) if broken else slice(None)

    def __call__(self, x):
        return (x - x[self.rows].mean(0)) / np.sqrt(x[self.rows].var(0) + 0.1)


class Stack:
    """Layers one after the other."""

    def __init__(self, *layers: Callable[[Any], Any]) -> None:
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@both("x: n 4 -> n 4", "S(n)", "layers.1")
def attention_of_classes(*, broken: bool):
    return Stack(Attention(1), Standardise(broken=broken), Attention(2))


def shape_of_cloud(x):
    centred = x - x.mean(0)
    inertia = centred.T @ centred
    return np.trace(inertia @ inertia) / np.trace(inertia)


def shape_of_cloud_with_a_slip(x):
    centred = x - x.mean(0)
    inertia = centred.T @ centred
    inertia = inertia + np.diag(inertia)
    return np.trace(inertia @ inertia) / np.trace(inertia)


@both("x: n d -> ()", "E(d)", "inertia = inertia + np.diag(inertia)", sizes={"d": 3})
def lines_of_a_shape(*, broken: bool):
    return shape_of_cloud_with_a_slip if broken else shape_of_cloud


def ranked(x):
    scores = x.sum(1)
    order = np.sort(scores)
    weights = np.exp(order - order.max())
    return (weights * order).sum() / weights.sum()


def ranked_with_a_slip(x):
    scores = x.sum(1)
    order = np.sort(scores)
    weights = np.exp(scores - scores.max())
    return (weights * order).sum() / weights.sum()


@both("x: n d -> ()", "S(n)", "return (weights * order).sum() / weights.sum()")
def lines_of_a_ranking(*, broken: bool):
    return ranked_with_a_slip if broken else ranked
