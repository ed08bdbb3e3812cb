"""Functions in the style of NumPy users: each is traced for all sizes, which includes its replay."""

# ruff: noqa: E501, RUF005

from __future__ import annotations

import math
from math import pi, sqrt
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.special
from numpy import einsum, eye
from numpy.linalg import norm
from scipy.spatial.distance import cdist
from scipy.special import softmax as soft

from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.tracing.numpy.trace import trace_all_sizes

W = np.array([[1.0, 2.0, 0.5], [0.0, -1.0, 1.0], [2.0, 0.25, 1.0]])


def by_hand(Y: Any, axis: int = -1) -> Any:
    E = np.exp(Y - Y.max(axis=axis, keepdims=True))
    return E / E.sum(axis=axis, keepdims=True)


def attention(X: Any, Wq: Any, Wk: Any, Wv: Any) -> Any:
    Q, K, V = Wq @ X, Wk @ X, Wv @ X
    return X + V @ by_hand(Q.T @ K / np.sqrt(Q.shape[0])).T


def layer_norm(X: Any, eps: float = 1e-5) -> Any:
    mu = X.mean(axis=-1, keepdims=True)
    return (X - mu) / np.sqrt(X.var(axis=-1, keepdims=True) + eps)


def message_passing(X: Any, A: Any) -> Any:
    degree = A.sum(axis=1)
    return np.tanh((A @ X) / (1 + degree)[:, None])


def egnn(X: Any, H: Any) -> Any:
    gap = X[:, None, :] - X[None, :, :]
    d2 = (gap**2).sum(-1, keepdims=True)
    weight = np.exp(-d2) * np.einsum("ic,jc->ij", H, H)[..., None]
    return X + (gap * weight).sum(axis=1)


def filled(X: Any) -> Any:
    n = X.shape[0]
    out = np.zeros((n, 3))
    out[:, 0] = X.sum(axis=1)
    out[:, 1:] = np.stack([X.max(axis=1), X.min(axis=1)], axis=1)
    return out


def normalised(X: Any) -> Any:
    Y = X.copy()
    Y -= Y.mean(axis=0)
    Y /= 1 + np.abs(Y).sum()
    return Y


def diagonal_removed(X: Any) -> Any:
    G = X.T @ X
    np.fill_diagonal(G, 0)
    return G


def masked(X: Any) -> Any:
    Y = X + 1.0
    Y[Y < 0] = 0.0
    return Y


TABLE: dict[str, tuple[str, Any]] = {
    # products
    "gram": ("X: d n -> n n", lambda X: X.T @ X),
    "matmul-chain": ("X: d n, A: d d -> d n", lambda X, A: A @ (A.T @ X)),
    "matvec": ("A: m n, x: n -> m", lambda A, x: A @ x),
    "vecmat": ("A: m n, x: m -> n", lambda A, x: x @ A),
    "batch-matmul": ("A: b m n, B: n k -> b m k", lambda A, B: A @ B),
    "constant-matmul": ("X: 3 n -> 3 n", lambda X: W @ X),
    "constant-right": ("X: n 3 -> n 3", lambda X: X @ W.T + W[0]),
    "dot": ("A: m n, B: n k -> m k", lambda A, B: A.dot(B)),
    "dot-vectors": ("x: n, y: n -> ()", lambda x, y: np.dot(x, y)),
    "dot-3d": ("A: b m n, B: k n p -> b m k p", lambda A, B: np.dot(A, B)),
    "vdot": ("A: m n, B: m n -> ()", lambda A, B: np.vdot(A, B)),
    "inner": ("A: m n, B: k n -> m k", lambda A, B: np.inner(A, B)),
    "outer": ("x: n, y: m -> n m", lambda x, y: np.outer(x, y)),
    "tensordot-int": ("A: m n, B: n k -> m k", lambda A, B: np.tensordot(A, B, 1)),
    "tensordot-lists": ("A: m n p, B: p m -> n", lambda A, B: np.tensordot(A, B, axes=([0, 2], [1, 0]))),
    "kron": ("A: m n, B: p q -> mp nq2", lambda A, B: np.kron(A, B)),
    "kron-vectors": ("x: m, y: n -> k", lambda x, y: np.kron(x, y)),
    "cross": ("X: n 3, Y: n 3 -> n 3", lambda X, Y: np.cross(X, Y)),
    "cross-columns": ("X: 3 n, y: 3 -> 3 n", lambda X, y: np.cross(X, y[:, None], axis=0)),
    "einsum-pairs": ("X: n d -> n n", lambda X: np.einsum("id,jd->ij", X, X)),
    "einsum-trace": ("A: n n -> ()", lambda A: np.einsum("ii", A)),
    "einsum-diagonal": ("A: n n -> n", lambda A: np.einsum("ii->i", A)),
    "einsum-implicit": ("A: m n, B: n k -> m k", lambda A, B: np.einsum("ij,jk", A, B)),
    "einsum-ellipsis": ("A: b m n, B: b n k -> b m k", lambda A, B: np.einsum("...ij,...jk->...ik", A, B)),
    "einsum-three": ("X: d n, A: d d -> n", lambda X, A: np.einsum("in,ij,jn->n", X, A, X)),
    "einsum-lists": ("A: m n, B: n k -> m k", lambda A, B: np.einsum(A, [0, 1], B, [1, 2], [0, 2])),
    "einsum-direct": ("X: n d -> d d", lambda X: einsum("ni,nj->ij", X, X)),
    "einsum-broadcast-one": ("X: n 1, Y: n d -> n d", lambda X, Y: np.einsum("ij,ij->ij", X, Y)),
    "multi-dot": ("A: m n, B: n k, C: k p -> m p", lambda A, B, C: np.linalg.multi_dot([A, B, C])),
    # arithmetic
    "affine": ("X: n d -> n d", lambda X: 2 * X - 0.5 + X / 4),
    "reflected": ("X: n -> n", lambda X: 1 - 2 / (X * X + 1)),
    "powers": ("X: n -> n", lambda X: X**3 - X**2 + (X * X) ** 0.5 + (1 + X**2) ** -0.5),
    "power-1.5": ("X: n -> n", lambda X: np.abs(X) ** 1.5),
    "power-two-arrays": ("X: n, Y: n -> n", lambda X, Y: np.power(np.abs(X) + 1, Y / 1000)),
    "base": ("X: n -> n", lambda X: 2.0 ** (X / 100)),
    "broadcast-columns": ("X: n d, m: d -> n d", lambda X, m: X - m),
    "broadcast-new-axis": ("x: n, y: m -> n m", lambda x, y: x[:, None] - y[None, :]),
    "scalar-input": ("X: n d, a: () -> n d", lambda X, a: a * X + a),
    "mod": ("X: n -> n", lambda X: X % 3),
    "floor-divide": ("X: n -> n", lambda X: (X * 1.37) // 2),
    "divmod": ("X: n -> n", lambda X: divmod(X * 1.37, 2)[0] + divmod(X * 1.37, 2)[1]),
    "abs-neg-pos": ("X: n -> n", lambda X: abs(-X) + (+X)),
    "numpy-scalar-left": ("X: n -> n", lambda X: np.float64(2.5) * X + np.float32(0.5)),
    "list-operand": ("X: n 3 -> n 3", lambda X: X + [1, 2, 3]),
    "sum-builtin": ("X: n d -> n", lambda X: sum([X[:, 0], X[:, 0]])),
    # elementwise
    "exp-log": ("X: n -> n", lambda X: np.log(np.exp(X / 1000) + 1)),
    "trigonometry": ("X: n -> n", lambda X: np.sin(X) + np.cos(X) * np.tanh(X) - np.arctan(X)),
    "hyperbolic": ("X: n -> n", lambda X: np.sinh(X / 1000) + np.cosh(X / 1000) + np.arcsinh(X)),
    "inverse-trigonometry": ("X: n -> n", lambda X: np.arcsin(np.tanh(X)) + np.arccos(np.tanh(X))),
    "arctan2": ("X: n, Y: n -> n", lambda X, Y: np.arctan2(X, Y)),
    "cbrt": ("X: n -> n", lambda X: np.cbrt(X)),
    "expm1-log1p": ("X: n -> n", lambda X: np.log1p(np.abs(X)) + np.expm1(-np.abs(X))),
    "exp2-log2-log10": ("X: n -> n", lambda X: np.exp2(-np.abs(X)) + np.log2(1 + X**2) + np.log10(1 + X**2)),
    "logaddexp": ("X: n, Y: n -> n", lambda X, Y: np.logaddexp(X, Y) + np.logaddexp2(X / 99, Y / 99)),
    "hypot": ("X: n, Y: n -> n", lambda X, Y: np.hypot(X, Y)),
    "square-reciprocal": ("X: n -> n", lambda X: np.reciprocal(1 + np.square(X))),
    "sign-floor": ("X: n -> n", lambda X: np.sign(X) + np.floor(X) + np.ceil(X) + np.rint(X) + np.trunc(X)),
    "round-fix": ("X: n -> n", lambda X: np.round(X) + np.fix(X) + X.round()),
    "degrees": ("X: n -> n", lambda X: np.deg2rad(X) + np.rad2deg(np.tanh(X)) + np.radians(X)),
    "heaviside": ("X: n -> n", lambda X: np.heaviside(X, 0.5)),
    "copysign": ("X: n, Y: n -> n", lambda X, Y: np.copysign(X, Y + 0.5)),
    "fmod": ("X: n -> n", lambda X: np.fmod(X * 1.37, 2.0)),
    "sinc": ("X: n -> n", lambda X: np.sinc(X / 10)),
    "arccosh-arctanh": ("X: n -> n", lambda X: np.arccosh(1 + X**2) + np.arctanh(np.tanh(X / 500) / 2)),
    "relu": ("X: n d -> n d", lambda X: np.maximum(X, 0) + np.minimum(0.1 * X, 0)),
    "fmax-fmin": ("X: n, Y: n -> n", lambda X, Y: np.fmax(X, Y) - np.fmin(X, Y)),
    "clip": ("X: n -> n", lambda X: np.clip(X, -1, 1) + X.clip(0, None) + np.clip(X, None, 2)),
    "where": ("X: n -> n", lambda X: np.where(X > 0, X, 0.01 * X)),
    "where-guard": ("X: n -> n", lambda X: np.where(X > 0, np.log(np.where(X > 0, X, 1.0)), 0.0)),
    "select": ("X: n -> n", lambda X: np.select([X < -1, X > 1], [-1.0, 1.0], X)),
    "comparisons": ("X: n, Y: n -> n", lambda X, Y: (X < Y) * 1.0 + (X <= Y) + (X == Y) * 2 + (X != Y) + (X >= 0)),
    "logic": ("X: n, Y: n -> n", lambda X, Y: np.where((X > 0) & ~(Y > 0) | (X == Y) ^ (X < -1), X, Y)),
    "logical": ("X: n, Y: n -> n", lambda X, Y: np.where(np.logical_and(X, np.logical_not(Y)), 1.0, Y)),
    "bool-arithmetic": ("X: n -> n", lambda X: ((X > 0) + (X > 1)) * 1.0 + ((X > 0) * (X < 1)) * 2.0),
    "any-all": ("X: n d -> n", lambda X: np.where((X > 0).any(axis=1), 1.0, 2.0) + (X > -1).all(axis=1)),
    "count-nonzero": ("X: n d -> n", lambda X: np.count_nonzero(X, axis=1) / 2),
    # reductions
    "sum": ("X: n d -> d", lambda X: X.sum(0) + np.sum(X, axis=0)),
    "sum-all": ("X: n d -> ()", lambda X: X.sum()),
    "sum-keepdims": ("X: n d -> n d", lambda X: X / (1 + np.abs(X).sum(axis=1, keepdims=True))),
    "sum-two-axes": ("X: n d k -> d", lambda X: X.sum(axis=(0, 2)) + X.sum(axis=(0, -1), keepdims=True)[0, :, 0]),
    "sum-initial": ("X: n d -> d", lambda X: np.sum(X, axis=0, initial=2.0)),
    "add-reduce": ("X: n d -> d", lambda X: np.add.reduce(X) + np.add.reduce(X, axis=0)),
    "mean": ("X: n d -> d", lambda X: X.mean(axis=0) + np.mean(X)),
    "max-min": ("X: n d -> d", lambda X: X.max(axis=0) - np.amin(X, axis=0)),
    "max-all": ("X: n d -> ()", lambda X: X.max() + np.min(X)),
    "max-initial": ("X: n d -> d", lambda X: X.max(axis=0, initial=0.0)),
    "maximum-reduce": ("X: n d -> d", lambda X: np.maximum.reduce(X, axis=0)),
    "prod": ("X: n d -> d", lambda X: np.prod(np.tanh(X), axis=0)),
    "ptp": ("X: n d -> d", lambda X: np.ptp(X, axis=0)),
    "var-std": ("X: n d -> d", lambda X: X.var(axis=0) + np.std(X, axis=0)),
    "var-all": ("X: n d -> ()", lambda X: np.var(X)),
    "average": ("X: n d, w: n -> d", lambda X, w: np.average(X, axis=0, weights=np.exp(w / 1000))),
    "cumsum": ("X: n d -> n d", lambda X: np.cumsum(X, axis=0) + X.cumsum(axis=1)),
    "cumsum-partial": ("X: n -> n", lambda X: np.cumsum(1 / X)),
    "norm": ("X: n d -> n", lambda X: np.linalg.norm(X, axis=1)),
    "norm-keepdims": ("X: n d -> n d", lambda X: X / (1 + norm(X, axis=1, keepdims=True))),
    "norm-all": ("X: n d -> ()", lambda X: np.linalg.norm(X) + np.linalg.norm(X, "fro")),
    "norm-1-inf": ("x: n -> ()", lambda x: norm(x, 1) + norm(x, np.inf) + norm(x, 2) + norm(x, -np.inf) + norm(x, 3)),
    "norm-matrix-1": ("A: m n -> ()", lambda A: norm(A, 1) + norm(A, np.inf) + norm(A, -1)),
    "norm-vector": ("X: n d -> n", lambda X: np.linalg.vector_norm(X, axis=1)),
    "sort": ("X: n d -> n d", lambda X: np.sort(X, axis=0)),
    "sort-method": ("X: n -> n", lambda X: _sorted_copy(X)),
    "softmax-by-hand": ("X: n d -> n d", lambda X: by_hand(X, 1)),
    # SciPy
    "scipy-softmax": ("X: n d -> n d", lambda X: scipy.special.softmax(X, axis=1)),
    "scipy-softmax-direct": ("X: n d -> n d", lambda X: soft(X, axis=0)),
    "scipy-softmax-all": ("X: n d -> n d", lambda X: soft(X)),
    "scipy-logsumexp": ("X: n d -> n", lambda X: scipy.special.logsumexp(X, axis=1)),
    "scipy-log-softmax": ("X: n d -> n d", lambda X: scipy.special.log_softmax(X, axis=1)),
    "scipy-expit-erf": ("X: n -> n", lambda X: scipy.special.expit(X) + scipy.special.erf(X)),
    "scipy-gelu": ("X: n -> n", lambda X: 0.5 * X * (1 + scipy.special.erf(X / np.sqrt(2)))),
    "scipy-xlogy": ("X: n -> n", lambda X: scipy.special.xlogy(np.abs(X), np.abs(X))),
    "scipy-norm": ("X: n d -> ()", lambda X: scipy.linalg.norm(X)),
    "cdist": ("X: n d, Y: m d -> n m", lambda X, Y: cdist(X, Y)),
    "cdist-sq": ("X: n d, Y: m d -> n m", lambda X, Y: cdist(X, Y, "sqeuclidean")),
    # shapes
    "transpose": ("X: a b c -> c a b", lambda X: np.transpose(X, (2, 0, 1))),
    "transpose-method": ("X: a b c -> c b a", lambda X: X.transpose() + X.T + X.transpose(2, 1, 0)),
    "swap-move": ("X: a b c -> c b a", lambda X: np.swapaxes(X, 0, 2) + np.moveaxis(X, [0, 2], [2, 0])),
    "mT": ("X: a b c -> a c b", lambda X: X.mT + np.matrix_transpose(X)),
    "reshape": ("X: n d -> k", lambda X: X.reshape(-1) + X.ravel() + X.flatten()),
    "reshape-sizes": ("X: n d -> d n", lambda X: X.reshape(X.shape[1], X.shape[0])),
    "reshape-heads": ("X: n 6 -> n 2 3", lambda X: X.reshape(X.shape[0], 2, -1)),
    "reshape-minus-one": ("X: n d 2 -> n k", lambda X: X.reshape(X.shape[0], -1)),
    "reshape-F": ("X: n d -> k", lambda X: X.ravel(order="F") + X.reshape(-1, order="F")),
    "expand-squeeze": ("X: n d -> n d", lambda X: np.squeeze(np.expand_dims(X, (0, 2)), axis=(0, 2))),
    "broadcast-to": ("x: n -> m n", lambda x: np.broadcast_to(x, (4, x.shape[0]))),
    "repeat-tile": ("X: n d -> k d", lambda X: np.repeat(X, 2, axis=0) + np.tile(X, (2, 1))),
    "repeat-by-size": ("X: n, Y: m -> k", lambda X, Y: np.repeat(X, Y.shape[0]) + np.tile(X, Y.shape[0])),
    "flip-roll": ("X: n d -> n d", lambda X: np.flip(X, 0) + np.roll(X, 1, axis=0) + X[::-1] + np.roll(X, -1)),
    "diag": ("A: n n -> n n", lambda A: np.diag(np.diag(A)) + np.diagflat(A.diagonal())),
    "trace": ("A: n n -> ()", lambda A: np.trace(A) + A.trace()),
    "trace-batched": ("A: b n n -> b", lambda A: np.trace(A, axis1=1, axis2=2) + np.linalg.diagonal(A).sum(-1)),
    "tril-triu": ("A: n n -> n n", lambda A: np.tril(A) + 2 * np.triu(A, 1)),
    "atleast": ("x: n -> m n", lambda x: np.atleast_2d(x)),
    "slices": ("X: n d -> d", lambda X: X[0] + X[-1] + X[-1, :]),
    "slice-tail": ("x: n -> m", lambda x: x[1:] - x[:-1]),
    "diff": ("x: n -> m", lambda x: np.diff(x)),
    "slice-halves": ("X: n+k -> n+k", lambda X: X),
    "slice-fixed": ("X: n 4 -> n 2", lambda X: X[:, 1:3] + X[..., ::2] + X[:, -2:] + X[:, [0, 3]]),
    "newaxis": ("x: n -> n m", lambda x: x[..., None] + x[:, np.newaxis]),
    # joining
    "concatenate": ("X: d n, Y: d k -> d n+k", lambda X, Y: np.concatenate([X, Y], axis=1)),
    "hstack-vstack": ("X: d n, Y: d k -> d n+k", lambda X, Y: np.hstack((X, Y)) + np.vstack([X.T, Y.T]).T),
    "stack": ("X: n, Y: n -> n m", lambda X, Y: np.stack([X, Y], axis=-1)),
    "column-stack": ("X: n, Y: n -> n m", lambda X, Y: np.column_stack([X, Y]) + np.c_[X, Y] if False else
                     np.column_stack([X, Y])),
    "append-ones": ("X: n d -> n e", lambda X: np.concatenate([X, np.ones((X.shape[0], 1))], axis=1)),
    "array-of-rows": ("X: n, Y: n -> m n", lambda X, Y: np.array([X, Y, X + Y])),
    "split": ("X: n 6 -> n 3", lambda X: np.split(X, 2, axis=1)[0] * np.hsplit(X, 2)[1]),
    "pad": ("X: n -> m", lambda X: np.pad(X, 1) + np.pad(X, (1, 1), mode="wrap")),
    "block": ("A: n n -> m m2", lambda A: np.block([[A, np.zeros_like(A)], [A.T, np.eye(A.shape[0])]])),
    # creation
    "eye": ("A: n n -> n n", lambda A: A + np.eye(A.shape[0]) + np.identity(len(A.shape)).sum()),
    "eye-direct": ("A: n n -> n n", lambda A: A - eye(A.shape[0])),
    "eye-offset": ("A: n n -> n n", lambda A: A * np.eye(A.shape[0], k=1)),
    "ones": ("X: d n -> d n", lambda X: X + np.ones((X.shape[0], X.shape[1])) @ np.ones((X.shape[1], 1))),
    "centering": ("X: n d -> n d", lambda X: (np.eye(X.shape[0]) - np.ones((X.shape[0],) * 2) / X.shape[0]) @ X),
    "zeros-full": ("X: n d -> n d", lambda X: X + np.zeros(X.shape) + np.full(X.shape, 2.0) + np.zeros_like(X)),
    "arange": ("x: n -> n", lambda x: x * np.arange(x.shape[0]) + np.arange(1, x.shape[0] + 1)),
    "linspace": ("x: n -> n 4", lambda x: np.outer(x, np.linspace(0, 1, 4))),
    "tri-mask": ("A: n n -> n n", lambda A: A * np.tri(A.shape[0])),
    "ones-like": ("X: n d -> n d", lambda X: np.ones_like(X) + np.full_like(X, 3)),
    "asarray": ("X: n d -> n d", lambda X: np.asarray(X, dtype=float) + np.array(X) + np.ascontiguousarray(X)),
    # sizes as numbers
    "scaled": ("X: d n -> d n", lambda X: X / np.sqrt(X.shape[0]) + X / math.sqrt(X.shape[1])),
    "size-power": ("X: d n -> d n", lambda X: X * X.shape[0] ** -0.5 / X.shape[1]),
    "size-half": ("X: d n -> d n", lambda X: X * (X.shape[0] / 2 + X.size - X.shape[1] ** 2)),
    "log-size": ("X: d n -> d n", lambda X: X * math.log(X.shape[0]) + np.log(X.shape[1])),
    "sqrt-direct": ("X: d n -> d n", lambda X: X / sqrt(X.shape[0]) * sqrt(2) + pi),
    "unpacked": ("X: d n -> d n", lambda X: (lambda d, n: X * d + n)(*X.shape)),
    "size-equal": ("X: d n, Y: d k -> d n", lambda X, Y: X if X.shape[0] == Y.shape[0] else X * 2),
    "size-positive": ("X: d n -> d n", lambda X: X if X.shape[0] > 0 and X.shape[1] >= 1 else X * 2),
    "ndim": ("X: d n -> d n", lambda X: X if X.ndim == 2 and np.ndim(X) == 2 else X * 2),
    "none": ("X: d n -> d n", lambda X, bias=None: X if bias is None else X + bias),
    # constants
    "pi": ("X: n -> n", lambda X: np.pi * X + math.pi + np.e + math.tau),
    "sqrt-3": ("X: n -> n", lambda X: np.sqrt(3) * X + math.exp(0.5) * np.log(2)),
    "constant-powers": ("X: n 4 -> n 4", lambda X: np.sin(X * 10.0 ** -np.arange(4))),
    "constant-branch": ("X: n -> n", lambda X: X if np.sqrt(2) > 1 and int(np.sqrt(16)) == 4 else 2 * X),
    "constant-norm": ("X: n 3 -> n", lambda X: X @ (W[0] / np.linalg.norm(W[0]))),
    "small-constant": ("X: n -> n", lambda X: X * 1e-9),
    # linear algebra
    "inverse": ("A: n n -> n n", lambda A: np.linalg.inv(A + 10 * np.eye(A.shape[0]))),
    "det": ("A: n n -> ()", lambda A: np.linalg.det(A)),
    "solve": ("A: n n, b: n -> n", lambda A, b: np.linalg.solve(A @ A.T + np.eye(A.shape[0]), b)),
    "matrix-power": ("A: n n -> n n", lambda A: np.linalg.matrix_power(A, 3)),
    # whole layers
    "attention": ("X: d n, Wq: k d, Wk: k d, Wv: d d -> d n", attention),
    "layer-norm": ("X: n d -> n d", layer_norm),
    "message-passing": ("X: n c, A: n n -> n c", message_passing),
    "egnn": ("X: n d, H: n c -> n d", egnn),
    "householder": ("X: d n, u: d -> d n", lambda X, u: X - 2 * np.outer(u, u @ X) / (u @ u)),
    "distances": ("X: n d -> n n", lambda X: np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))),
    "deep-sets": ("X: n d -> d", lambda X: np.tanh(np.tanh(X).sum(axis=0))),
    # writes into own memory
    "filled": ("X: n d -> n 3", filled),
    "normalised": ("X: n d -> n d", normalised),
    "diagonal-removed": ("X: d n -> n n", diagonal_removed),
    "masked": ("X: n d -> n d", masked),
    # array protocol
    "namespace": ("X: n d -> n", lambda X: X.__array_namespace__().sum(X, axis=1)),
    "astype": ("X: n -> n", lambda X: X.astype(X.dtype) + X.astype(np.float32) * (X > 0).astype(float)),
    "errstate": ("X: n -> n", lambda X: _quiet(X)),
    "out": ("X: n -> n", lambda X: _with_out(X)),
    "validated": ("X: n d -> n d", lambda X: _validated(X)),
    "device": ("X: n d -> n d", lambda X: np.asarray(X, device=X.device) / 2),
    "counted": ("X: n d -> n d", lambda X: _counted(X)),
    "constant-function": ("X: n d -> 3", lambda X: np.array([1.0, 2.0, 3.0])),
    "size-function": ("X: n d -> ()", lambda X: X.shape[0]),
    "helper-with-default": ("X: n -> n", lambda X, act=np.tanh: act(X)),
    "table-of-functions": ("X: n -> n", lambda X: {"tanh": np.tanh, "relu": lambda z: np.maximum(z, 0)}["relu"](X)),
}  # fmt: skip


def _sorted_copy(X: Any) -> Any:
    Y = X.copy()
    Y.sort()
    return Y


def _quiet(X: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1 / (X * X + 1)


def _with_out(X: Any) -> Any:
    Y = np.exp(X / 1000)
    np.multiply(Y, 2.0, out=Y)
    return Y


def _validated(X: Any) -> Any:
    if not np.isfinite(X.sum()) or np.any(np.isnan(X * X)):
        raise ValueError("numbers")
    return X / 2


def _counted(X: Any) -> Any:
    counts = X.shape[1] - np.isnan(X).sum(axis=1) + np.zeros(X.shape[0])
    return X / (counts[0] if np.max(counts) == np.min(counts) else counts[:, None])


def signature_of(text: str) -> Any:
    return parse_signature(text.replace("mp nq2", "r s").replace("m m2", "m m"))


@pytest.mark.parametrize("name", TABLE)
def test_traced_for_all_sizes(name: str) -> None:
    signature, function = TABLE[name]
    trace = trace_all_sizes(function, signature_of(signature))
    assert len(trace.program.nodes) <= 80


@pytest.mark.parametrize("name", ["sqrt-3", "pi", "constant-norm", "sqrt-direct", "linspace"])
def test_constants_stay_exact(name: str) -> None:
    signature, function = TABLE[name]
    program = trace_all_sizes(function, signature_of(signature)).program
    large = [v for node in program.nodes if hasattr(node, "values") for v in node.values]
    assert all(v.denominator < 2**40 for v in large), (
        "a rounded irrational number has a denominator near 2^50"
    )


def test_the_program_is_what_the_function_computes() -> None:
    signature, function = TABLE["attention"]
    trace = trace_all_sizes(function, signature_of(signature))
    rng = np.random.default_rng(5)
    sizes = {"d": 4, "n": 3, "k": 2}
    inputs = {"X": (4, 3), "Wq": (2, 4), "Wk": (2, 4), "Wv": (4, 4)}
    arrays = {n: rng.standard_normal(s) for n, s in inputs.items()}
    np.testing.assert_allclose(evaluate_float(trace.program, arrays, sizes), function(*arrays.values()))
