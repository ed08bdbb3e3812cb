"""Graph networks on adjacency matrices: nodes X, edges A, both renumbered together."""

from __future__ import annotations

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
rng = np.random.default_rng(4)
NODES = "X: n 3, A: n n -> n 4"


def glorot(*shape):
    return rng.normal(size=shape) * np.sqrt(2 / sum(shape[-2:]))


def relu(x):
    return x * (x > 0)


def leaky_relu(x, slope=0.2):
    return np.where(x > 0, x, slope * x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@layer(
    "GCN", NODES, "S(n)",
    Slip("the matrix is made symmetric from its upper half", "A + np.eye(A.shape[0])",
         "np.triu(A) + np.triu(A).T"),
    Slip("degrees in the order of size", "A_hat.sum(axis=1)", "np.sort(A_hat.sum(axis=1))", culprit=False),
)  # fmt: skip
class GCN:
    def __init__(self):
        self.W = glorot(3, 4)

    def __call__(self, X, A):
        A_hat = A + np.eye(A.shape[0])
        degree = A_hat.sum(axis=1)
        D = np.diag(1 / np.sqrt(degree))
        return relu(D @ A_hat @ D @ X @ self.W)


@layer(
    "GraphSAGE", NODES, "S(n)",
    Slip("the neighbours of the first node", "A @ X", "A[:1] @ X"),
    Slip("running sums of neighbours", "A @ X", "np.cumsum(A @ X, axis=0)"),
)  # fmt: skip
def graph_sage(X, A, W_self=glorot(3, 4), W_neighbours=glorot(3, 4)):
    neighbours = A @ X
    mean = neighbours / (1 + np.abs(A).sum(axis=1, keepdims=True))
    h = X @ W_self + mean @ W_neighbours
    return h / np.linalg.norm(h, axis=1, keepdims=True)


@layer(
    "GraphSAGE, maximum", "X: n 3, A[bool]: n n -> n 4", "S(n)",
    Slip("the mask of neighbours is shifted", "A[:, :, None]", "np.roll(A, 1, axis=1)[:, :, None]"),
)  # fmt: skip
def graph_sage_max(X, A, W=glorot(3, 4)):
    messages = sigmoid(X @ W)
    mask = A[:, :, None]
    return np.where(mask, messages[None, :, :], 0.0).max(axis=1)


@layer(
    "GIN", NODES, "S(n)",
    Slip("epsilon grows with the number of the node", "(1 + self.eps) * X",
         "(1 + self.eps * np.arange(len(X)))[:, None] * X"),
)  # fmt: skip
class GIN:
    def __init__(self):
        self.eps = 0.1
        self.W1, self.b1, self.W2 = glorot(3, 5), rng.normal(size=5), glorot(5, 4)

    def __call__(self, X, A):
        own = (1 + self.eps) * X
        h = own + A @ X
        return relu(h @ self.W1 + self.b1) @ self.W2


@layer(
    "GAT", "X: n 3, A[bool]: n n -> n 4", "S(n)",
    Slip("self-loops on the diagonal above", "np.eye(len(X), dtype=bool)", "np.eye(len(X), k=1, dtype=bool)"),
    Slip("edges to later nodes only", "np.where(edges, scores, -1e9)",
         "np.where(np.triu(edges), scores, -1e9)"),
)  # fmt: skip
class GAT:
    def __init__(self, heads=2):
        self.heads = [(glorot(3, 2), rng.normal(size=2), rng.normal(size=2)) for _ in range(heads)]

    def __call__(self, X, A):
        edges = A | np.eye(len(X), dtype=bool)
        outputs = []
        for W, a_left, a_right in self.heads:
            h = X @ W
            scores = leaky_relu((h @ a_left)[:, None] + (h @ a_right)[None, :])
            scores = np.where(edges, scores, -1e9)
            alpha = np.exp(scores - scores.max(axis=1, keepdims=True))
            alpha = alpha / alpha.sum(axis=1, keepdims=True)
            outputs.append(alpha @ h)
        return np.concatenate(outputs, axis=1)


@layer(
    "GATv2", NODES, "S(n)",
    Slip("the source is the neighbour in the list", "X @ W_right", "np.roll(X, 1, axis=0) @ W_right"),
)  # fmt: skip
def gat_v2(X, A, W_left=glorot(3, 4), W_right=glorot(3, 4), a=rng.normal(size=4)):
    left, right = X @ W_left, X @ W_right
    scores = leaky_relu(left[:, None, :] + right[None, :, :]) @ a
    weights = A * np.exp(np.tanh(scores))
    return (weights @ right) / (1e-6 + np.abs(weights).sum(axis=-1, keepdims=True))


@layer(
    "MPNN with edge features", "X: n 3, E: n n 2 -> n 4", "S(n)",
    Slip("senders and receivers flattened away", "messages.sum(axis=1)",
         "messages.reshape(4, n, n).sum(axis=1).T"),
    Slip("the last sender is left out", "messages.sum(axis=1)", "messages[:, :-1].sum(axis=1)"),
)  # fmt: skip
class MPNN:
    def __init__(self):
        self.message, self.update = glorot(8, 4), glorot(7, 4)

    def __call__(self, X, E):
        n = X.shape[0]
        receivers = np.broadcast_to(X[:, None, :], (n, n, 3))
        senders = np.broadcast_to(X[None, :, :], (n, n, 3))
        messages = np.tanh(np.concatenate([receivers, senders, E], axis=-1) @ self.message)
        total = messages.sum(axis=1)
        return np.tanh(np.concatenate([X, total], axis=-1) @ self.update)


@layer(
    "edge-conditioned convolution", "X: n 3, E: n n 2 -> n 4", "S(n)",
    Slip("edges before the first are dropped", "np.einsum(",
         "np.triu(np.ones(E.shape[:2])).sum(1)[:, None] * np.einsum("),
)  # fmt: skip
def edge_conditioned(X, E, theta=glorot(2, 4, 3)):
    filters = np.tensordot(E, theta, axes=1)
    return np.einsum("ijab,jb->ia", filters, X)


@layer(
    "principal neighbourhood aggregation", NODES, "S(n)",
    Slip("the deviation is taken along the list", "A @ (X * X) / degree",
         "A @ (X * np.roll(X, 1, 0)) / degree"),
)  # fmt: skip
def pna(X, A, W=glorot(9, 4)):
    degree = np.abs(A).sum(axis=1, keepdims=True) + 1
    mean = A @ X / degree
    second = A @ (X * X) / degree
    std = np.sqrt(np.abs(second - mean**2) + 1e-5)
    scale = np.log(degree + 1)
    h = np.concatenate([mean, std, scale * mean], axis=-1)
    return h @ W


@layer(
    "gated graph network", "X: n 4, A: n n -> n 4", "S(n)",
    Slip("one gate for each place in the list", "z * X + (1 - z) * candidate",
         "z * X + (1 - z[::-1]) * candidate"),
)  # fmt: skip
class GatedGraph:
    def __init__(self):
        self.W = [glorot(4, 4) for _ in range(6)]

    def __call__(self, X, A):
        Wz, Uz, Wr, Ur, Wh, Uh = self.W
        for _ in range(2):
            m = A @ X
            z = sigmoid(m @ Wz + X @ Uz)
            r = sigmoid(m @ Wr + X @ Ur)
            candidate = np.tanh(m @ Wh + (r * X) @ Uh)
            X = z * X + (1 - z) * candidate
        return X


@layer(
    "graph Transformer with structural bias", "X: n 4, A: n n -> n 4", "S(n)",
    Slip("distances in the list in place of hops", "A @ A @ A",
         "np.abs(np.arange(len(X))[:, None] - np.arange(len(X)))"),
)  # fmt: skip
def graph_transformer(X, A, Wq=glorot(4, 4), Wk=glorot(4, 4), Wv=glorot(4, 4)):
    hops = A + A @ A + A @ A @ A
    scores = (X @ Wq) @ (X @ Wk).T / 2 + np.tanh(hops)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return X + weights @ (X @ Wv)


@layer(
    "Chebyshev filters", NODES, "S(n)",
    Slip("the identity is shifted", "np.eye(len(A))", "np.eye(len(A), k=1)"),
)  # fmt: skip
class ChebNet:
    def __init__(self, order=4):
        self.weights = [glorot(3, 4) for _ in range(order)]

    def __call__(self, X, A):
        L = np.diag(A.sum(axis=1)) - A
        L = L / 2 - np.eye(len(A))
        T = [X, L @ X]
        while len(T) < len(self.weights):
            T.append(2 * L @ T[-1] - T[-2])
        return sum(t @ W for t, W in zip(T, self.weights, strict=True))


@layer(
    "personalised PageRank propagation", NODES, "S(n)",
    Slip("the upper half is inverted", "np.linalg.inv(np.eye(n) - 0.9 * P)",
         "np.linalg.inv(np.eye(n) - 0.9 * np.triu(P))"),
)  # fmt: skip
def ppnp(X, A, W=glorot(3, 4)):
    n = X.shape[0]
    P = A / (np.abs(A).sum(axis=1, keepdims=True) + 1)
    diffusion = 0.1 * np.linalg.inv(np.eye(n) - 0.9 * P)
    return diffusion @ np.tanh(X @ W)


@layer(
    "DiffPool", "X: n 3, A: n n -> 2 2", "S(n)",
    Slip("assignments normalised by running sums", "S.sum(axis=1, keepdims=True)",
         "np.cumsum(S.sum(axis=1))[:, None]"),
)  # fmt: skip
def diff_pool(X, A, W=glorot(3, 2)):
    S = np.exp(np.tanh(A @ X @ W))
    S = S / S.sum(axis=1, keepdims=True)
    return S.T @ A @ S


@layer(
    "graph readout with a virtual node", "X: n 3, A: n n -> 4", "S(n)",
    Slip("the virtual node is the first one", "X.mean(axis=0)", "X[0]"),
)  # fmt: skip
class VirtualNode:
    def __init__(self):
        self.W, self.V = glorot(3, 3), glorot(3, 4)

    def __call__(self, X, A):
        virtual = X.mean(axis=0)
        for _ in range(2):
            X = relu(A @ X @ self.W + virtual)
            virtual = virtual + X.sum(axis=0)
        return virtual @ self.V


@layer(
    "graph invariants", "A: n n -> 4", "S(n)",
    Slip("entries on the diagonal above", "np.trace(A @ A @ A)", "np.trace(A @ A @ A, offset=1)"),
    Slip("the first degree in place of the largest", "degrees.max()", "degrees[0]"),
)  # fmt: skip
def graph_invariants(A):
    degrees = A.sum(axis=1)
    triangles = np.trace(A @ A @ A) / 6
    return np.array([A.sum() / 2, triangles, degrees.max(), (degrees**2).sum()])


@layer(
    "degree sequence", "A: n n -> n!", "S(n)",
    Slip("the sequence is not sorted", "np.sort(A.sum(axis=1))", "A.sum(axis=1)"),
)  # fmt: skip
def degree_sequence(A):
    return np.sort(A.sum(axis=1))


@layer(
    "PPGN block", "A: n n 2 -> n n 5", "S(n)",
    Slip("a product of entries of the upper half", '"ikc,kjc->ijc", left, right',
         '"ikc,kjc,ik->ijc", left, right, np.triu(np.ones(A.shape[:2]))'),
)  # fmt: skip
class PPGN:
    def __init__(self):
        self.W1, self.W2 = glorot(2, 3), glorot(2, 3)

    def __call__(self, A):
        left, right = relu(A @ self.W1), relu(A @ self.W2)
        product = np.einsum("ikc,kjc->ijc", left, right)
        return np.concatenate([A, product], axis=-1)


@layer(
    "GCNII with residuals", "X: n 4, A: n n -> n 4", "S(n)",
    Slip("the start is the first node", "alpha * X0", "alpha * X0[0]"),
)  # fmt: skip
def gcn_ii(X, A, alpha=0.1, layers=4, W=glorot(4, 4)):
    X0 = X
    degree = 1 + np.abs(A).sum(axis=-1)
    P = A / np.sqrt(degree[:, None] * degree[None, :])
    for k in range(1, layers + 1):
        beta = np.log(1 + 0.5 / k)
        support = (1 - alpha) * (P @ X) + alpha * X0
        X = relu((1 - beta) * support + beta * support @ W)
    return X


@layer(
    "Weisfeiler-Leman colours", "X: n 2, A: n n -> n 2", "S(n)",
    Slip("colours of the predecessor", "colours[None, :]", "np.roll(colours, 1, 0)[None, :]"),
)  # fmt: skip
def soft_wl(X, A):
    colours = X
    for _ in range(3):
        neighbours = colours[None, :]
        colours = np.sin(colours + (A[:, :, None] * np.cos(neighbours)).sum(axis=1))
    return colours
