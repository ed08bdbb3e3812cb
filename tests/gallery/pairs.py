"""The linear maps on pairs that commute with renumbering, all fifteen; and between vectors and pairs."""

from __future__ import annotations

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
WEIGHTS = np.random.default_rng(5).normal(size=(15, 2, 3))
PAIRS = "A: n n -> n n"


def ones(A):
    return np.ones((len(A), 1))


@layer("pairs 1: the matrix", PAIRS, "S(n)", Slip("rows reversed", "return A", "return A[::-1]"))
def identity(A):
    return A


@layer("pairs 2: the transpose", PAIRS, "S(n)", Slip("a reversal for the transpose", "A.T", "A[:, ::-1]"))
def transpose(A):
    return A.T


@layer(
    "pairs 3: the diagonal", PAIRS, "S(n)", Slip("the diagonal above", "np.diag(np.diag(A))", "np.diag(A[0])")
)
def diagonal(A):
    return np.diag(np.diag(A))


@layer(
    "pairs 4: row sums as rows",
    PAIRS,
    "S(n)",
    Slip("running sums", "A.sum(axis=1)", "A.cumsum(axis=1)[:, -1] * A[0]"),
)
def row_sums_as_rows(A):
    return np.outer(A.sum(axis=1), ones(A))


@layer(
    "pairs 5: row sums as columns",
    PAIRS,
    "S(n)",
    Slip("sums without the last", "A.sum(axis=1)", "A[:, :-1].sum(axis=1)"),
)
def row_sums_as_columns(A):
    return ones(A) @ A.sum(axis=1)[None, :]


@layer(
    "pairs 6: row sums on the diagonal",
    PAIRS,
    "S(n)",
    Slip("above the diagonal", "np.eye(len(A))", "np.eye(len(A), k=1)"),
)
def row_sums_on_diagonal(A):
    return np.eye(len(A)) * A.sum(axis=1)


@layer(
    "pairs 7: column sums as rows", PAIRS, "S(n)", Slip("a column for the sums", "A.sum(axis=0)", "A[:, 0]")
)
def column_sums_as_rows(A):
    return np.outer(A.sum(axis=0), ones(A))


@layer("pairs 8: column sums as columns", PAIRS, "S(n)", Slip("a row for the sums", "A.sum(axis=0)", "A[0]"))
def column_sums_as_columns(A):
    return ones(A) @ A.sum(axis=0)[None, :]


@layer(
    "pairs 9: column sums on the diagonal",
    PAIRS,
    "S(n)",
    Slip("sorted sums", "A.sum(axis=0)", "np.sort(A.sum(axis=0))", culprit=False),
)
def column_sums_on_diagonal(A):
    return np.diag(A.sum(axis=0))


@layer(
    "pairs 10: the sum everywhere",
    PAIRS,
    "S(n)",
    Slip("the sum of the upper half", "A.sum()", "np.triu(A).sum()"),
)
def sum_everywhere(A):
    return np.full(A.shape, A.sum())


@layer(
    "pairs 11: the sum on the diagonal",
    PAIRS,
    "S(n)",
    Slip("ones below the diagonal", "np.eye(len(A))", "np.tri(len(A))", culprit=False),
)
def sum_on_diagonal(A):
    return A.sum() * np.eye(len(A))


@layer(
    "pairs 12: the trace everywhere",
    PAIRS,
    "S(n)",
    Slip("the trace of a shift", "np.trace(A)", "np.trace(A, 1)"),
)
def trace_everywhere(A):
    return np.trace(A) * np.ones_like(A)


@layer(
    "pairs 13: the trace on the diagonal",
    PAIRS,
    "S(n)",
    Slip("the first entry for the trace", "A.trace()", "A[0, 0]"),
)
def trace_on_diagonal(A):
    return A.trace() * np.eye(len(A))


@layer(
    "pairs 14: the diagonal as rows",
    PAIRS,
    "S(n)",
    Slip("the other diagonal", "np.diag(A)", "np.diag(A[::-1])"),
)
def diagonal_as_rows(A):
    return np.diag(A)[:, None] * np.ones(len(A))


@layer(
    "pairs 15: the diagonal as columns",
    PAIRS,
    "S(n)",
    Slip("the diagonal in reverse", "A.diagonal()", "A.diagonal()[::-1]"),
)
def diagonal_as_columns(A):
    return np.ones((len(A), 1)) * A.diagonal()


BASIS = (
    identity, transpose, diagonal, row_sums_as_rows, row_sums_as_columns, row_sums_on_diagonal,
    column_sums_as_rows, column_sums_as_columns, column_sums_on_diagonal, sum_everywhere, sum_on_diagonal,
    trace_everywhere, trace_on_diagonal, diagonal_as_rows, diagonal_as_columns,
)  # fmt: skip


@layer(
    "invariant graph network, pairs to pairs", "A: n n 2 -> n n 3", "S(n)",
    Slip("a basis of matrices that are not transposed", "np.stack(channels, axis=-1)",
         "np.stack(channels, axis=-1)[::-1]"),
)  # fmt: skip
class PairsToPairs:
    def __init__(self):
        self.bias, self.diagonal_bias = 0.1, -0.2

    def __call__(self, A):
        out = 0.0
        for L, W in zip(BASIS, WEIGHTS, strict=True):
            channels = [L(A[:, :, c]) for c in range(2)]
            out = out + np.stack(channels, axis=-1) @ W
        out = out + self.bias + self.diagonal_bias * np.eye(len(A))[:, :, None]
        return np.maximum(out, 0)


@layer(
    "pairs to vectors", "A: n n -> n 5", "S(n)",
    Slip("the first row in place of the sum", "A.sum(0)", "A[0]"),
)  # fmt: skip
def pairs_to_vectors(A):
    one = np.ones(len(A))
    features = [np.diag(A), A.sum(1), A.sum(0), A.sum() * one, np.trace(A) * one]
    return np.stack(features, axis=-1)


@layer(
    "vectors to pairs", "x: n -> 5 n n", "S(n)",
    Slip("a matrix of differences in the list", "np.diag(x)", "np.diag(x) @ np.tri(n)"),
)  # fmt: skip
def vectors_to_pairs(x):
    n = len(x)
    columns = np.tile(x, (n, 1))
    return np.stack([np.diag(x), columns, columns.T, x.sum() * np.ones((n, n)), x.sum() * np.eye(n)])


@layer(
    "vectors to vectors", "X: n c -> n c", "S(n)",
    Slip("the mean of everything before", "X.mean(0)", "np.flip(X, 0)"),
)  # fmt: skip
def vectors_to_vectors(X, a=0.7, b=-1.3):
    return a * X + b * X.mean(0)


@layer(
    "linear maps of square matrices under rotations", "T: d d -> d d", "O(d)",
    Slip("the sum of all for the trace", "np.trace(T)", "T.sum()"),
    Slip("ones for the identity", "np.eye(len(T))", "np.ones_like(T)", culprit=False),
    Slip("the diagonal part", "b * T.T", "b * T.T * np.eye(len(T))"),
)  # fmt: skip
def isotropic(T, a=1.5, b=-0.5, c=0.25):
    return a * T + b * T.T + c * np.trace(T) * np.eye(len(T))


@layer(
    "Hooke's law", "u: d d -> d d", "O(d)",
    Slip("the displacement is not symmetric, and squared entry by entry", "u + u.T", "u**2"),
)  # fmt: skip
def hooke(u, lame=(1.2, 0.8)):
    strain = (u + u.T) / 2
    return lame[0] * np.trace(strain) * np.eye(u.shape[0]) + 2 * lame[1] * strain


@layer(
    "tensors of rank four from a metric", "x: d -> d d d d", "O(d)",
    Slip("one identity is taken for a matrix of ones", "delta = np.eye(len(x))",
         "delta = np.ones((len(x), len(x)))",
         culprit=False),
)  # fmt: skip
def rank_four(x):
    delta = np.eye(len(x))
    a = np.einsum("ij,kl->ijkl", delta, np.outer(x, x))
    return a + np.einsum("ik,jl->ijkl", delta, delta) * (x @ x)
