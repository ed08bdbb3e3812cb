"""Message passing on edge lists: positions of nodes, relabelled with them."""

from __future__ import annotations

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
rng = np.random.default_rng(10)
EDGES = "X: n 3, E[n]: 2 m -> n 4"


def weights(*shape):
    return rng.normal(size=shape) / np.sqrt(shape[0])


@layer(
    "sum of neighbours", EDGES, "S(n) x S(m)",
    Slip("the node before in the list", "X[source] @ W", "X[source - 1] @ W", "S(n)", culprit=False),
    Slip("edges weighted by number", "X[source] @ W", "X[source] @ W * np.arange(E.shape[1])[:, None]",
         "S(m)"),
)  # fmt: skip
def sum_of_neighbours(X, E, W=weights(3, 4)):
    source, target = E[0], E[1]
    messages = X[source] @ W
    out = np.zeros((X.shape[0], 4))
    np.add.at(out, target, messages)
    return out


@layer(
    "message passing", "X: n 3, E[n]: 2 m, F: m 2 -> n 4", "S(n) x S(m)",
    Slip("features of the edge before", "X[i], X[j], F", "X[i], X[j], np.roll(F, 1, axis=0)", "S(m)"),
    Slip("the number of a node as its feature", "X[i], X[j], F", "X[i], X[j] + j[:, None], F", "S(n)",
         culprit=False),
)  # fmt: skip
class EdgeMPNN:
    def __init__(self):
        self.message, self.update = weights(8, 4), weights(7, 4)

    def __call__(self, X, E, F):
        j, i = E
        m = np.tanh(np.concatenate([X[i], X[j], F], axis=-1) @ self.message)
        total = np.zeros((len(X), 4))
        np.add.at(total, i, m)
        return np.tanh(np.concatenate([X, total], axis=-1) @ self.update)


@layer(
    "EGNN on edges", "H: n 3!, X: n d, E[n]: 2 m -> n d", "S(n) x S(m) x E(d)",
    Slip("positions in place of differences", "diff * gate", "X[i] * gate", "E(d)"),
)  # fmt: skip
class EdgeEGNN:
    def __init__(self):
        self.W, self.w = weights(7, 4), weights(4, 1)

    def __call__(self, H, X, E):
        i, j = E[0], E[1]
        diff = X[i] - X[j]
        d2 = (diff**2).sum(-1, keepdims=True)
        gate = np.tanh(np.concatenate([H[i], H[j], d2], axis=1) @ self.W) @ self.w
        shift = np.zeros(X.shape)
        np.add.at(shift, i, diff * gate)
        return X + shift


@layer(
    "degree-normalised convolution on edges", EDGES, "S(n) x S(m)",
    Slip("degrees of the nodes before", "degree[target]", "np.roll(degree, 1)[target]", "S(n)"),
)  # fmt: skip
def edge_gcn(X, E, W=weights(3, 4)):
    source, target = E[0], E[1]
    degree = np.ones(len(X))
    np.add.at(degree, target, 1.0)
    norm = 1 / np.sqrt(degree[source] * degree[target])
    h = X @ W
    out = np.zeros_like(h)
    np.add.at(out, target, norm[:, None] * h[source])
    return np.maximum(out, 0)


@layer(
    "attention on edges", EDGES, "S(n) x S(m)",
    Slip("scores of the edge before", "np.exp(np.tanh(scores))", "np.exp(np.tanh(np.roll(scores, 1)))",
         "S(m)"),
)  # fmt: skip
def edge_attention(X, E, W=weights(3, 4), a=weights(4), b=weights(4)):
    source, target = E[0], E[1]
    h = X @ W
    scores = (h @ a)[source] + (h @ b)[target]
    w = np.exp(np.tanh(scores))
    total = np.full(len(X), 1e-6)
    np.add.at(total, target, w)
    out = np.zeros_like(h)
    np.add.at(out, target, w[:, None] * h[source])
    return out / total[:, None]
