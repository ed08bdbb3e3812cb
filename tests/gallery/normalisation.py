"""Normalisations: over features, tokens, batches, points; of vectors, of scales, of graphs."""

from __future__ import annotations

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
rng = np.random.default_rng(9)
GAIN, BIAS = rng.normal(size=4), rng.normal(size=4)
RUNNING_MEAN, RUNNING_VAR = rng.normal(size=4), rng.uniform(0.5, 2.0, size=4)


@layer(
    "layer norm", "X: n 4 -> n 4", "S(n)",
    Slip("a gain for each token", "GAIN * (X - mean)", "np.arange(len(X))[:, None] * (X - mean)"),
    Slip("the statistics of the first token", "X.mean(axis=-1, keepdims=True)", "X[0].mean()"),
)  # fmt: skip
def layer_norm(X, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    var = X.var(axis=-1, keepdims=True)
    return GAIN * (X - mean) / np.sqrt(var + eps) + BIAS


@layer(
    "instance norm of a set", "X: n 4 -> n 4", "S(n)",
    Slip("the last element is left out", "X.mean(axis=0)", "X[:-1].mean(axis=0)"),
    Slip("running statistics", "X.var(axis=0)", "np.cumsum(X**2, axis=0)"),
)  # fmt: skip
def instance_norm(X, eps=1e-5):
    mean = X.mean(axis=0)
    var = X.var(axis=0)
    return (X - mean) / np.sqrt(var + eps)


@layer(
    "batch norm in evaluation mode", "X: b 4 -> b 4", "S(b)",
    Slip("the first of the batch for its statistics", "X - RUNNING_MEAN", "X - X[0]"),
)  # fmt: skip
def batch_norm(X, eps=1e-5):
    centred = X - RUNNING_MEAN
    return GAIN * centred / np.sqrt(RUNNING_VAR + eps) + BIAS


@layer(
    "group norm", "X: b n 4 -> b n 4", "S(b) x S(n)",
    Slip("groups cut through the tokens", "X.reshape(b, n, 2, 2)", "X.reshape(b, 2, n, 2).swapaxes(1, 2)",
         "S(n)"),
)  # fmt: skip
def group_norm(X, eps=1e-5):
    b, n, _ = X.shape
    G = X.reshape(b, n, 2, 2)
    G = (G - G.mean(axis=(1, 3), keepdims=True)) / np.sqrt(G.var(axis=(1, 3), keepdims=True) + eps)
    return G.reshape(b, n, 4) * GAIN + BIAS


@layer(
    "RMS norm of vectors", "X: n d -> n d", "O(d) x S(n)",
    Slip("the mean over coordinates is subtracted", "ms = (X**2)",
         "X = X - X.mean(-1, keepdims=True); ms = (X**2)",
         "O(d)"),
    Slip("a gain for each coordinate", "X / np.sqrt(ms + eps)",
         "X * np.arange(X.shape[1]) / np.sqrt(ms + eps)",
         "O(d)"),
    Slip("one-norms", "ms = (X**2)", "ms = np.abs(X)", "O(d)"),
)  # fmt: skip
def rms_norm(X, eps=1e-6):
    ms = (X**2).mean(axis=-1, keepdims=True)
    return X / np.sqrt(ms + eps)


@layer(
    "unit vectors", "X: n d -> n d!", "Scale(d) x S(n)",
    Slip("an epsilon in the denominator", "np.linalg.norm(X, axis=1, keepdims=True)",
         "(np.linalg.norm(X, axis=1, keepdims=True) + 1e-6)", "Scale(d)", culprit=True),
)  # fmt: skip
def unit_rows(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


@layer(
    "cosine similarity", "X: n d -> n n", "O(d) x S(n)",
    Slip("norms of coordinates", "np.linalg.norm(X, axis=1)", "np.abs(X).max(axis=1)", "O(d)"),
)  # fmt: skip
def cosine_similarity(X):
    norms = np.linalg.norm(X, axis=1)
    return X @ X.T / np.outer(norms, norms)


@layer(
    "standard scores", "x: n d! -> n d!", "S(n)",
    Slip("scores against the previous value", "x.mean(axis=0)", "np.roll(x, 1, axis=0)"),
    Slip("the first deviation", "x.std(axis=0)", "np.abs(x[0] - x[-1])"),
)  # fmt: skip
def z_scores(x):
    mu = x.mean(axis=0)
    sigma = x.std(axis=0)
    return (x - mu) / sigma


@layer(
    "min-max scaling", "X: n c -> n c", "S(n)",
    Slip("the first for the least", "X.min(axis=0)", "X[0]"),
)  # fmt: skip
def min_max(X):
    low = X.min(axis=0)
    return (X - low) / (X.max(axis=0) - low + 1e-9)


@layer(
    "normalised point cloud", "X: n d -> n d^", "E(d) x S(n)",
    Slip("X.mean() for X.mean(0)", "X.mean(0)", "X.mean()", "E(d)"),
    Slip("the largest coordinate for the largest norm", "np.sqrt((Y**2).sum(1)).max()", "np.abs(Y).max()",
         "E(d)"),
)  # fmt: skip
def unit_ball(X):
    Y = X - X.mean(0)
    return Y / (np.sqrt((Y**2).sum(1)).max() + 1e-12)


@layer(
    "PairNorm", "X: n 4, A: n n -> n 4", "S(n)",
    Slip("the centre is the first node", "h.mean(axis=0)", "h[0]"),
)  # fmt: skip
def pair_norm(X, A, scale=1.0):
    h = A @ X
    centred = h - h.mean(axis=0)
    size = np.sqrt(1e-6 + (centred**2).sum(axis=1).mean())
    return scale * centred / size


@layer(
    "vector layer norm", "V: n 3! d -> n 3! d", "O(d) x S(n)",
    Slip("centred over coordinates", "V / np.sqrt(mean2 + 1e-8)",
         "(V - V.mean(axis=-1, keepdims=True)) / np.sqrt(mean2 + 1e-8)", "O(d)"),
    Slip("norms by the largest entry", "(V**2).sum(axis=-1, keepdims=True)",
         "(V**2).max(axis=-1, keepdims=True)",
         "O(d)"),
)  # fmt: skip
def vector_norm(V):
    norms2 = (V**2).sum(axis=-1, keepdims=True)
    mean2 = norms2.mean(axis=-2, keepdims=True)
    return V / np.sqrt(mean2 + 1e-8)


@layer(
    "degree normalisation", "A: n n -> n n", "S(n)",
    Slip("degrees of the neighbours in the list", "d[None, :]", "np.roll(d, 1)[None, :]"),
)  # fmt: skip
def normalised_adjacency(A):
    d = np.abs(A).sum(axis=1) + 1
    return A / np.sqrt(d[:, None] * d[None, :])


@layer(
    "Sinkhorn balancing", "S: n m -> n m", "S(n) x S(m)",
    Slip("columns balanced by running sums", "P.sum(axis=0, keepdims=True)", "np.cumsum(P, axis=0)", "S(n)"),
)  # fmt: skip
def sinkhorn(S, steps=3):
    P = np.exp(S)
    for _ in range(steps):
        P = P / P.sum(axis=1, keepdims=True)
        P = P / P.sum(axis=0, keepdims=True)
    return P


@layer(
    "softmax with temperature", "x: n, t: () -> n", "S(n)",
    Slip("a margin for the first class", "x / (1 + t**2)", "(x - (np.arange(len(x)) == 0)) / (1 + t**2)"),
)  # fmt: skip
def tempered_softmax(x, t):
    z = x / (1 + t**2)
    e = np.exp(z - z.max())
    return e / e.sum()


@layer(
    "odd activations of signs", "x: n -> n", "Signs(n)",
    Slip("ReLU in place of tanh", "np.tanh(x)", "np.maximum(x, 0)"),
    Slip("a bias", "np.tanh(x)", "np.tanh(x + 0.1)"),
)  # fmt: skip
def odd_activation(x):
    return np.tanh(x) * np.abs(x) / (1 + x**2)
