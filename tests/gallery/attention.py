"""Attention: single and multi-head, with and without knowledge, masked, causal, in windows, linear."""

from __future__ import annotations

import math

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
rng = np.random.default_rng(1)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def linear(x, W, b):
    return x @ W + b


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


D, HEADS, DH = 4, 2, 2
WQ, WK, WV = (rng.normal(size=(D, D)) for _ in range(3))
WO, BO = rng.normal(size=(D, D)), rng.normal(size=D)
QKV = rng.normal(size=(D, 3 * D))
LATENTS = rng.normal(size=(3, D))


@layer(
    "scaled dot-product attention", "Q: m d, K: n d, V: n e -> m e", "S(m) x S(n) x O(d)",
    Slip("absolute values of the queries", "Q @ K.T", "np.abs(Q) @ K.T", "O(d)"),
    Slip("the first coordinate as temperature", "Q @ K.T", "Q @ K.T * Q[:, :1]", "O(d)"),
    Slip("a bias by position", "Q @ K.T", "Q @ K.T - np.arange(K.shape[0])", "S(n)"),
)  # fmt: skip
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T
    weights = softmax(scores / math.sqrt(Q.shape[1]))
    return weights @ V


@layer(
    "self-attention", "X: n 4 -> n 4", "S(n)",
    Slip("the position is added", "q = X @ WQ", "q = X @ WQ + np.arange(len(X))[:, None]"),
    Slip("running sums in place of sums", "scores @ v", "np.cumsum(scores @ v, axis=0)"),
)  # fmt: skip
def self_attention(X):
    q = X @ WQ
    k = X @ WK
    v = X @ WV
    scores = softmax(q @ k.T / np.sqrt(q.shape[-1]), axis=-1)
    return scores @ v


@layer(
    "self-attention of columns", "X: d n -> d n", "O(d) x S(n)",
    Slip("ReLU on vectors", "K = X", "K = np.maximum(X, 0)", "O(d)"),
    Slip("the mean over coordinates is subtracted", "V = X", "V = X - X.mean(axis=0)", "O(d)"),
    Slip("a constant is added to vectors", "V = X", "V = X + 0.1", "O(d)"),
)  # fmt: skip
def column_attention(X):
    Q = X
    K = X
    V = X
    return V @ softmax(K.T @ Q, axis=0)


@layer(
    "attention to knowledge", "X: d n, Z: d k -> d n", "O(d) x S(n) x S(k)",
    Slip("values by first entry of the knowledge", "values = Z", "values = Z * Z[:, :1]", "O(d)"),
    Slip("knowledge counts from its first piece", "values = Z", "values = Z - Z[:, :1]", "S(k)"),
    Slip("knowledge weighted by its number", "values = Z", "values = Z * np.arange(Z.shape[1])", "S(k)"),
)  # fmt: skip
def knowledge_attention(X, Z):
    keys = Z
    values = Z
    weights = softmax(keys.T @ X / math.sqrt(len(X)), axis=0)
    return X + values @ weights


@layer(
    "multi-head attention", "X: n 4 -> n 4", "S(n)",
    Slip("heads split off without a transpose", "x.reshape(n, HEADS, DH).transpose(1, 0, 2)",
         "x.reshape(HEADS, n, DH)"),
    Slip("heads joined without a transpose", "heads.transpose(1, 0, 2).reshape(n, D)", "heads.reshape(n, D)"),
)  # fmt: skip
class MultiHeadAttention:
    def split(self, x):
        n = x.shape[0]
        return x.reshape(n, HEADS, DH).transpose(1, 0, 2)

    def __call__(self, X):
        n = X.shape[0]
        q, k, v = (self.split(X @ W) for W in (WQ, WK, WV))
        scores = np.einsum("hid,hjd->hij", q, k) / np.sqrt(DH)
        heads = softmax(scores) @ v
        return heads.transpose(1, 0, 2).reshape(n, D) @ WO + BO


@layer(
    "multi-head attention, a loop over heads", "X: n 4 -> n 4", "S(n)",
    Slip("the last token in place of all", "heads.append(softmax(scores) @ v)",
         "heads.append(softmax(scores) @ v - v[-1])"),
)  # fmt: skip
def attention_loop(X):
    heads = []
    for h in range(HEADS):
        part = slice(h * DH, (h + 1) * DH)
        q, k, v = X @ WQ[:, part], X @ WK[:, part], X @ WV[:, part]
        scores = q @ k.T / math.sqrt(DH)
        heads.append(softmax(scores) @ v)
    return np.concatenate(heads, axis=-1) @ WO


@layer(
    "multi-head attention, a batch", "X: b n 4 -> b n 4", "S(b) x S(n)",
    Slip("tokens and heads exchanged with the batch", ".reshape(B, N, HEADS, DH).swapaxes(1, 2)",
         ".reshape(N, B, HEADS, DH).swapaxes(0, 1).swapaxes(1, 2)", "S(b)"),
    Slip("the keys of the first of the batch", "q @ k.swapaxes(-2, -1)",
         "q @ k[:1].swapaxes(-2, -1)", "S(b)"),
)  # fmt: skip
def batched_attention(X):
    B, N, C = X.shape
    qkv = X @ QKV
    q, k, v = [part.reshape(B, N, HEADS, DH).swapaxes(1, 2) for part in np.split(qkv, 3, axis=-1)]
    attn = softmax(q @ k.swapaxes(-2, -1) * DH**-0.5)
    out = (attn @ v).swapaxes(1, 2).reshape(B, N, C)
    return out @ WO + BO


@layer(
    "cross-attention", "X: n 4, Z: k 4 -> n 4", "S(n) x S(k)",
    Slip("a query is the difference to the first token", "q = X @ WQ", "q = (X - X[0]) @ WQ", "S(n)"),
    Slip("values discounted by position", "v = Z @ WV",
         "v = (Z @ WV) * (0.9 ** np.arange(Z.shape[0]))[:, None]", "S(k)"),
)  # fmt: skip
def cross_attention(X, Z):
    q = X @ WQ
    k = Z @ WK
    v = Z @ WV
    return X + softmax(q @ k.T / 2) @ v


@layer(
    "causal attention of directions", "X: n d -> n d", "O(d)",
    Slip("a constant is added to directions", "values = X", "values = X + 1"),
)  # fmt: skip
def causal_attention(X):
    n = X.shape[0]
    values = X
    scores = X @ X.T
    visible = np.tril(np.ones((n, n)))
    weights = np.exp(scores - scores.max(axis=1, keepdims=True)) * visible
    return weights / weights.sum(axis=1, keepdims=True) @ values


@layer(
    "causal attention, a batch", "X: b n 4 -> b n 4", "S(b)",
    Slip("the mask is made from the first of the batch", "scores = q @ k.swapaxes(1, 2)",
         "scores = q @ k.swapaxes(1, 2) * (q[0] @ k[0].T > 0)"),
)  # fmt: skip
def batched_causal_attention(X):
    n = X.shape[1]
    q, k, v = X @ WQ, X @ WK, X @ WV
    scores = q @ k.swapaxes(1, 2)
    scores = np.where(np.tri(n), scores, -1e9)
    return softmax(scores) @ v


@layer(
    "attention with a padding mask", "X: n 4, M[bool]: n -> n 4", "S(n)",
    Slip("padding is taken to be at the end", "np.where(M, scores, -1e9)",
         "np.where(np.arange(len(X)) < M.sum(), scores, -1e9)"),
)  # fmt: skip
def masked_attention(X, M):
    scores = (X @ WQ) @ (X @ WK).T / 2.0
    scores = np.where(M, scores, -1e9)
    return softmax(scores) @ (X @ WV)


@layer(
    "attention along a mask of pairs", "X: n 4, A[bool]: n n -> n 4", "S(n)",
    Slip("half of the mask is taken", "np.where(A, np.exp(scores), 0.0)",
         "np.where(np.triu(A), np.exp(scores), 0.0)"),
)  # fmt: skip
def pair_masked_attention(X, A):
    scores = np.tanh((X @ WQ) @ (X @ WK).T)
    e = np.where(A, np.exp(scores), 0.0)
    return e @ (X @ WV) / (e.sum(axis=1, keepdims=True) + 1e-6)


@layer(
    "window attention on a circle", "X: n 4 -> n 4", "C(n)",
    Slip("zeros beyond the end", "[np.roll(k, s, axis=0) for s in shifts]",
         "[np.roll(np.append(k, np.zeros((1, D)), axis=0), s, axis=0)[:-1] for s in shifts]"),
    Slip("a temperature by absolute position", "softmax(scores, axis=0)",
         "softmax(scores * np.cos(np.arange(len(X))), axis=0)"),
)  # fmt: skip
def window_attention(X):
    q, k, v = X @ WQ, X @ WK, X @ WV
    shifts = [-1, 0, 1]
    keys = [np.roll(k, s, axis=0) for s in shifts]
    scores = np.stack([(q * each).sum(-1) for each in keys])
    weights = softmax(scores, axis=0)
    return sum(w[:, None] * np.roll(v, s, axis=0) for w, s in zip(weights, shifts, strict=True))


@layer(
    "attention inside windows", "X: m 3 4 -> m 3 4", "S(m)",
    Slip("windows and tokens mixed up", "q @ k.swapaxes(1, 2)",
         "q @ k.reshape(3, -1, D).swapaxes(0, 1).swapaxes(1, 2)"),
)  # fmt: skip
class WindowAttention:
    def __init__(self):
        self.bias = np.random.default_rng(3).normal(size=(3, 3))

    def __call__(self, X):
        q, k, v = X @ WQ, X @ WK, X @ WV
        scores = q @ k.swapaxes(1, 2)
        return softmax(scores / 2 + self.bias) @ v


@layer(
    "linear attention", "X: n 4 -> n 4", "S(n)",
    Slip("running sums, as in the causal form", "k.sum(axis=0)", "np.cumsum(k, axis=0)"),
    Slip("the state of the first token is left out", "k.T @ v", "k[1:].T @ v[1:]"),
)  # fmt: skip
def linear_attention(X):
    def feature(x):
        return np.where(x > 0, x + 1, np.exp(x))

    q, k, v = feature(X @ WQ), feature(X @ WK), X @ WV
    state = k.T @ v
    norm = (q * k.sum(axis=0)).sum(axis=1)
    return q @ state / norm[:, None]


@layer(
    "Gaussian attention of points", "X: n d -> n d", "S(n) x E(d)",
    Slip("products in place of distances", "((X[:, None] - X[None, :]) ** 2).sum(-1)", "X @ X.T", "E(d)"),
    Slip("a sum of positions in place of differences", "X[:, None] - X[None, :]", "X[:, None] + X[None, :]",
         "E(d)", culprit=True),
    Slip("weights that do not sum to 1", "w = softmax(-d2)", "w = np.exp(-d2)", "E(d)", culprit=False),
)  # fmt: skip
def gaussian_attention(X):
    d2 = ((X[:, None] - X[None, :]) ** 2).sum(-1)
    w = softmax(-d2)
    return w @ X


@layer(
    "attention pooling", "X: n 4 -> 4", "S(n)",
    Slip("the last instance is the query", "a = np.tanh(X @ V) * sigmoid(X @ U)",
         "a = np.tanh(X @ V) * sigmoid(X[-1] @ U)"),
)  # fmt: skip
def gated_attention_pooling(X):
    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    V, U, w = WQ[:, :3], WK[:, :3], WV[:3, 0]
    a = np.tanh(X @ V) * sigmoid(X @ U)
    alpha = softmax(a @ w, axis=0)
    return alpha @ X


@layer(
    "slot attention", "S: k 4, X: n 4 -> k 4", "S(k) x S(n)",
    Slip("slots compete in order", "attn = softmax(", "attn = np.tri(S.shape[0], len(X)) * softmax(", "S(k)"),
    Slip("slots learn their number", "S = S + updates",
         "S = S + updates + np.arange(S.shape[0])[:, None]", "S(k)"),
)  # fmt: skip
def slot_attention(S, X):
    k, v = X @ WK, X @ WV
    for _ in range(3):
        q = S @ WQ
        attn = softmax(k @ q.T / np.sqrt(D), axis=1).T
        attn = attn / (attn.sum(axis=1, keepdims=True) + 1e-8)
        updates = attn @ v
        S = S + updates
    return S


@layer(
    "latent cross-attention", "X: n 4 -> 3 4", "S(n)",
    Slip("latents read the sequence in order", "weights @ (X @ WV)", "weights @ (X @ WV)[::-1]"),
)  # fmt: skip
def perceiver(X):
    latents = LATENTS
    for _ in range(2):
        weights = softmax((latents @ WQ) @ (X @ WK).T / math.sqrt(D))
        latents = latents + weights @ (X @ WV)
    return latents


@layer(
    "axial attention", "X: h w 4 -> h w 4", "S(h) x S(w)",
    Slip("rows flattened in the wrong order", "along(X.swapaxes(0, 1)).swapaxes(0, 1)",
         "along(X.reshape(X.shape[1], X.shape[0], D)).reshape(X.shape)"),
)  # fmt: skip
def axial_attention(X):
    def along(Y):
        q, k, v = Y @ WQ, Y @ WK, Y @ WV
        return softmax(q @ np.swapaxes(k, 1, 2) / 2) @ v

    return along(X) + along(X.swapaxes(0, 1)).swapaxes(0, 1)


@layer(
    "invariant point attention", "R: n 3^ 3!, t: n 3, s: n 4 -> n 4", "S(n) x SE(3)",
    Slip("a missing transpose", '"nji,nj->ni"', '"nij,nj->ni"', "SE(3)"),
    Slip("the translation is not taken back", "gathered - t", "gathered", "SE(3)", culprit=False),
)  # fmt: skip
def invariant_point_attention(R, t, s):
    def to_global(x):
        return np.einsum("nij,nj->ni", R, x) + t

    q = to_global(s @ WQ[:, :3])
    k = to_global(s @ WK[:, :3])
    v = to_global(s @ WV[:, :3])
    d2 = np.square(q[:, None, :] - k[None, :, :]).sum(axis=-1)
    weights = softmax(-0.5 * d2)
    gathered = weights @ v
    local = np.einsum("nji,nj->ni", R, gathered - t)
    return s + local @ WO[:3]


@layer(
    "pre-norm Transformer block", "X: n 4 -> n 4", "S(n)",
    Slip("the norm runs over tokens, by position", "h = norm(X)",
         "h = norm(X) * (1 + np.arange(len(X)))[:, None]"),
    Slip("the feed-forward part mixes tokens", "linear(norm(X), WK, BO)", "linear(norm(X[::-1]), WK, BO)"),
)  # fmt: skip
def transformer_block(X):
    def norm(x):
        mu = x.mean(-1, keepdims=True)
        var = x.var(-1, keepdims=True)
        return (x - mu) / np.sqrt(var + 1e-5)

    h = norm(X)
    X = X + MultiHeadAttention()(h)
    return X + gelu(linear(norm(X), WK, BO)) @ WV
