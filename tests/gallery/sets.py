"""Functions of sets: sum, maximum and attention pooling, pairs, Set Transformers, point clouds."""

from __future__ import annotations

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
rng = np.random.default_rng(2)


def dense(inputs, outputs):
    return rng.normal(size=(inputs, outputs)) / np.sqrt(inputs), rng.normal(size=outputs)


def relu(x):
    return np.maximum(x, 0.0)


def softmax(x, axis):
    z = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return z / np.sum(z, axis=axis, keepdims=True)


def layer_norm(x, eps=1e-5):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)


class MLP:
    def __init__(self, *widths):
        self.layers = [dense(a, b) for a, b in zip(widths[:-1], widths[1:], strict=True)]

    def __call__(self, x):
        for W, b in self.layers[:-1]:
            x = relu(x @ W + b)
        W, b = self.layers[-1]
        return x @ W + b


@layer(
    "Deep Sets, invariant", "X: n 3 -> 2", "S(n)",
    Slip("the last running sum but one", "h.sum(axis=0)", "h[:-1].sum(axis=0)"),
    Slip("elements weighted by position", "h.sum(axis=0)", "(h.T @ np.arange(X.shape[0]))"),
)  # fmt: skip
class DeepSets:
    def __init__(self):
        self.phi = MLP(3, 5, 4)
        self.rho = MLP(4, 5, 2)

    def __call__(self, X):
        h = self.phi(X)
        pooled = h.sum(axis=0)
        return self.rho(pooled)


@layer(
    "Deep Sets, equivariant", "X: n 3 -> n 3", "S(n)",
    Slip("the first element in place of the mean", "X.mean(axis=0, keepdims=True)", "X[:1]"),
    Slip("running means", "X.mean(axis=0, keepdims=True)",
         "np.cumsum(X, axis=0) / np.arange(1, X.shape[0] + 1)[:, None]"),
)  # fmt: skip
class EquivariantDeepSets:
    def __init__(self):
        self.weights = [(dense(3, 3), dense(3, 3)[0]) for _ in range(2)]

    def __call__(self, X):
        for (L, b), G in self.weights:
            pooled = X.mean(axis=0, keepdims=True)
            X = relu(X @ L + b - pooled @ G)
        return X


@layer(
    "Deep Sets, maximum", "X: n 3 -> n 4", "S(n)",
    Slip("a running maximum", "X.max(axis=0)", "np.maximum(X, np.roll(X, 1, axis=0))"),
)  # fmt: skip
def max_layer(X, W=dense(3, 4)[0]):
    centred = X - X.max(axis=0)
    return np.tanh(centred @ W)


@layer(
    "several aggregators", "X: n 3 -> 2", "S(n)",
    Slip("the spread is measured from the first element", "((h - mean) ** 2).mean(axis=0)",
         "((h - h[0]) ** 2).mean(axis=0)"),
    Slip("the last value in place of the largest", "h.max(axis=0)", "h[-1]"),
)  # fmt: skip
class Aggregators:
    def __init__(self):
        self.phi, self.rho = MLP(3, 4), MLP(16, 2)

    def __call__(self, X):
        h = self.phi(X)
        mean = h.mean(axis=0)
        std = np.sqrt(((h - mean) ** 2).mean(axis=0) + 1e-5)
        top = h.max(axis=0)
        return self.rho(np.concatenate([mean, std, top, h.min(axis=0)]))


@layer(
    "PointNet", "X: n 3 -> 5", "S(n)",
    Slip("the transform is read from the first point", "h.max(axis=0) @ self.T", "h[0] @ self.T"),
    Slip("points flattened before the maximum", "self.second(moved).max(axis=0)",
         "self.second(moved[::2]).max(axis=0)"),
)  # fmt: skip
class PointNet:
    def __init__(self):
        self.first, self.second, self.head = MLP(3, 6, 6), MLP(3, 6, 8), MLP(8, 5)
        self.T = rng.normal(size=(6, 9)) * 0.1

    def transform(self, X):
        h = relu(self.first(X))
        return (h.max(axis=0) @ self.T).reshape(3, 3) + np.eye(3)

    def __call__(self, X):
        moved = X @ self.transform(X)
        feature = self.second(moved).max(axis=0)
        return self.head(feature)


@layer(
    "PointNet, segmentation", "X: n 3 -> n 2", "S(n)",
    Slip("the global feature is that of one point", "h.max(axis=0), (n, 6)", "h[n - 1], (n, 6)"),
)  # fmt: skip
class PointNetSegmentation:
    def __init__(self):
        self.local, self.head = MLP(3, 6), MLP(12, 4, 2)

    def __call__(self, X):
        n = X.shape[0]
        h = relu(self.local(X))
        everywhere = np.broadcast_to(h.max(axis=0), (n, 6))
        return self.head(np.concatenate([h, everywhere], axis=1))


class Attention:
    """Multi-head attention with residual and feed-forward parts (MAB)."""

    def __init__(self, width, heads):
        self.heads, self.width = heads, width
        self.q, self.k, self.v, self.ff = (dense(width, width) for _ in range(4))

    def __call__(self, X, Y):
        def split(x):
            return np.stack(np.split(x, self.heads, axis=-1))

        Q, K, V = (a @ W + b for a, (W, b) in ((X, self.q), (Y, self.k), (Y, self.v)))
        A = softmax(split(Q) @ split(K).swapaxes(1, 2) / np.sqrt(self.width), axis=2)
        H = split(Q) + A @ split(V)
        H = layer_norm(np.concatenate(list(H), axis=-1))
        W, b = self.ff
        return layer_norm(H + relu(H @ W + b))


@layer(
    "Set Transformer, SAB", "X: n 4 -> n 4", "S(n)",
    Slip("every element attends to those before it", "self.mab(X, X)", "self.mab(X, np.cumsum(X, axis=0))"),
)  # fmt: skip
class SAB:
    def __init__(self):
        self.mab = Attention(4, 2)

    def __call__(self, X):
        return self.mab(X, X)


@layer(
    "Set Transformer, ISAB", "X: n 4 -> n 4", "S(n)",
    Slip("the inducing points are the first elements", "self.induce(self.points, X)",
         "self.induce(X[:1], X)"),
    Slip("the set is read in reverse", "self.spread(X, H)", "self.spread(X[::-1], H)"),
)  # fmt: skip
class ISAB:
    def __init__(self):
        self.points = rng.normal(size=(3, 4))
        self.induce, self.spread = Attention(4, 2), Attention(4, 2)

    def __call__(self, X):
        H = self.induce(self.points, X)
        return self.spread(X, H)


@layer(
    "Set Transformer, PMA", "X: n 4 -> 2 4", "S(n)",
    Slip("the seed is the first element", "self.pool(self.seeds, self.ff(X))",
         "self.pool(self.seeds + X[0], self.ff(X))"),
)  # fmt: skip
class PMA:
    def __init__(self):
        self.seeds = rng.normal(size=(2, 4))
        self.pool, self.ff = Attention(4, 2), MLP(4, 4)

    def __call__(self, X):
        return self.pool(self.seeds, self.ff(X))


@layer(
    "Janossy pooling of pairs", "X: n 3 -> 2", "S(n)",
    Slip("only pairs i < j, of an f that is not symmetric", "values.sum(axis=(0, 1))",
         "(values * np.triu(np.ones((n, n)), 1)[..., None]).sum(axis=(0, 1))"),
)  # fmt: skip
class Janossy:
    def __init__(self):
        self.f, self.rho = MLP(6, 5, 4), MLP(4, 2)

    def __call__(self, X):
        n = X.shape[0]
        left = np.repeat(X[:, None, :], n, axis=1)
        right = np.repeat(X[None, :, :], n, axis=0)
        values = self.f(np.concatenate([left, right], axis=-1))
        return self.rho(values.sum(axis=(0, 1)) / n**2)


@layer(
    "relation network", "X: n 3, q: 2 -> 4", "S(n)",
    Slip("each element meets its neighbour in the list", "relu(pairs)",
         "relu(pairs * np.eye(len(X), k=1)[..., None])"),
)  # fmt: skip
def relation_network(X, q, W1=dense(3, 4)[0], W2=dense(3, 4)[0], Wq=dense(2, 4)[0]):
    pairs = X[:, None] @ W1 + X[None, :] @ W2 + q @ Wq
    return relu(pairs).mean(axis=0).mean(axis=0)


@layer(
    "sorted pooling", "X: n 3 -> 3", "S(n)",
    Slip("the sort is forgotten", "np.sort(X, axis=0)", "X.copy()", culprit=False),
    Slip("sorted along features", "np.sort(X, axis=0)", "np.sort(X, axis=1)", culprit=False),
)  # fmt: skip
def sorted_pooling(X):
    n = X.shape[0]
    ordered = np.sort(X, axis=0)
    quantiles = np.cos(np.pi * np.arange(n) / n)
    return (ordered * quantiles[:, None]).sum(axis=0) / n


@layer(
    "smooth maximum", "X: n d -> d", "S(n)",
    Slip("the first element is subtracted, and not added again", "X.max(axis=0)", "X[0]", culprit=True),
)  # fmt: skip
def log_mean_exp(X, t=4.0):
    top = X.max(axis=0)
    return top + np.log(np.exp(t * (X - X.max(0))).mean(axis=0)) / t


@layer(
    "covariance pooling", "X: n d -> d d", "S(n) x O(d)",
    Slip("the mean of everything", "X.mean(axis=0)", "X.mean()", "O(d)"),
    Slip("neighbours in the list", "Y.T @ Y", "Y.T @ np.roll(Y, 1, axis=0)", "S(n)"),
)  # fmt: skip
def covariance(X):
    Y = X - X.mean(axis=0)
    return Y.T @ Y / X.shape[0]


@layer(
    "NetVLAD", "X: n 4 -> 3 4", "S(n)",
    Slip("centres moved by position", "X[:, None, :] - self.centres",
         "X[:, None, :] - self.centres * np.arange(X.shape[0])[:, None, None]"),
)  # fmt: skip
class NetVLAD:
    def __init__(self):
        self.centres = rng.normal(size=(3, 4))

    def __call__(self, X):
        assignment = softmax(2 * X @ self.centres.T - (self.centres**2).sum(1), axis=1)
        residual = X[:, None, :] - self.centres
        V = (assignment[:, :, None] * residual).sum(axis=0)
        V = V / np.sqrt((V**2).sum(axis=1, keepdims=True) + 1e-12)
        return V / np.linalg.norm(V)


@layer(
    "median pooling", "X: n 3 -> 2", "S(n)",
    Slip("the middle element, not the median", "np.median(h, axis=0)", "h[h.shape[0] // 2]", culprit=False),
)  # fmt: skip
class MedianPooling:
    def __init__(self):
        self.phi, self.rho = MLP(3, 4), MLP(4, 2)

    def __call__(self, X):
        h = np.tanh(self.phi(X))
        return self.rho(np.median(h, axis=0))


@layer(
    "exchangeable matrix layer", "X: n m 3 -> n m 2", "S(n) x S(m)",
    Slip("the first row in place of the mean", "X.mean(axis=0, keepdims=True)", "X[:1]", "S(n)"),
    Slip("an axis is taken for the other", "X.mean(axis=1, keepdims=True)", 
         "X.reshape(X.shape[1], X.shape[0], 3).mean(axis=0)[:, None]", "S(m)"),
)  # fmt: skip
class ExchangeableMatrix:
    def __init__(self):
        self.W = [rng.normal(size=(3, 2)) for _ in range(4)]

    def __call__(self, X):
        rows = X.mean(axis=1, keepdims=True)
        columns = X.mean(axis=0, keepdims=True)
        everything = X.mean(axis=(0, 1), keepdims=True)
        parts = [X, rows, columns, everything]
        return np.tanh(sum(part @ W for part, W in zip(parts, self.W, strict=True)))


@layer(
    "sets of circular signals", "X: n t 2 -> n t 3", "S(n) x C(t)",
    Slip("shifts along the set", "np.roll(x, k - 1, axis=-2)", "np.roll(x, k - 1, axis=0)", "S(n)"),
    Slip("the first signal in place of the sum", "X.sum(axis=0)", "X[0]", "S(n)"),
)  # fmt: skip
class SymmetricElements:
    def __init__(self):
        self.own, self.shared = rng.normal(size=(2, 3, 2, 3))

    def convolve(self, x, kernel):
        return sum(np.roll(x, k - 1, axis=-2) @ kernel[k] for k in range(3))

    def __call__(self, X):
        total = X.sum(axis=0)
        return relu(self.convolve(X, self.own) + self.convolve(total, self.shared))


@layer(
    "set readout by repeated attention", "X: n 4 -> 8", "S(n)",
    Slip("the state starts at the first element", "np.zeros(4)", "X[0]"),
)  # fmt: skip
class Set2Set:
    def __init__(self):
        self.W = [dense(8, 4) for _ in range(3)]

    def __call__(self, X):
        state = np.zeros(4)
        out = np.zeros(8)
        for W, b in self.W:
            state = np.tanh(out @ W + b + state)
            weights = softmax(X @ state, axis=0)
            out = np.concatenate([state, weights @ X])
        return out


@layer(
    "kernel mean embedding distance", "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)",
    Slip("sums in place of differences", "A[:, None] - B[None]",
         "A[:, None] + B[None]", "E(d)", culprit=False),
    Slip("pairs by number", "k(X, Y).mean()", "np.mean(k(X, Y) * np.arange(Y.shape[0]))", "S(m)"),
)  # fmt: skip
def mmd(X, Y):
    def k(A, B):
        diff = A[:, None] - B[None]
        return np.exp(-(diff**2).sum(-1) / 2)

    return k(X, X).mean() - 2 * k(X, Y).mean() + k(Y, Y).mean()


@layer(
    "Chamfer distance", "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)",
    Slip("the nearest coordinate", "(diff**2).sum(-1)", "(diff**2).min(-1)", "E(d)"),
    Slip("the first in place of the nearest", "D.min(axis=0)", "D[0]", "S(n)"),
)  # fmt: skip
def chamfer(X, Y):
    diff = X[:, None] - Y[None]
    D = (diff**2).sum(-1)
    return D.min(axis=1).mean() + D.min(axis=0).mean()
