"""Functions of symmetric matrices by their eigenvectors: whitening, filters on graphs, roots, projections."""

from __future__ import annotations

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)


@layer(
    "whitening by eigenvectors", "X: n d -> n d^", "E(d) x S(n)",
    Slip("no mean taken away", "X - X.mean(axis=0)", "X", "E(d)", culprit=False),
)  # fmt: skip
def whitening(X):
    Y = X - X.mean(axis=0)
    L, V = np.linalg.eigh(Y.T @ Y / len(X))
    return Y @ V @ np.diag(1 / np.sqrt(L + 1e-2)) @ V.T


@layer(
    "heat kernel of a graph", "A: n n, x: n c -> n c", "S(n) x O(c)",
    Slip("absolute values of the channels", "V.T @ x", "V.T @ np.abs(x)", "O(c)"),
)  # fmt: skip
def heat(A, x):
    W = A + A.T
    L, V = np.linalg.eigh(np.diag(W.sum(axis=1)) - W)
    return V @ (np.exp(-L)[:, None] * (V.T @ x))


@layer(
    "square root of a Gram matrix", "X: d n -> d d", "O(d) x S(n)",
    Slip("entry by entry", "V @ np.diag(np.sqrt(np.maximum(L, 0))) @ V.T", "abs(X @ X.T) ** 0.5", "O(d)"),
)  # fmt: skip
def root(X):
    L, V = np.linalg.eigh(X @ X.T)
    return V @ np.diag(np.sqrt(np.maximum(L, 0))) @ V.T


@layer(
    "positive part of a matrix", "A: n n -> n n", "O(n)",
    Slip("the greater entries", "np.linalg.eigh(A + A.T)", "np.linalg.eigh(np.maximum(A, A.T))"),
)  # fmt: skip
def positive(A):
    L, V = np.linalg.eigh(A + A.T)
    return (V * (L > 0)) @ V.T
