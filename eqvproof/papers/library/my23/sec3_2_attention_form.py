"""Self-attention as X g(Z^T X)."""

import numpy as np

from eqvproof.papers.library.my23.notation import logits, softmax_rows
from eqvproof.papers.statements import Array, Identity, Remark

SIGNATURE = "WQ: r d, WK: r d, X: d n -> d n"


def selector(e: int) -> Array:
    """Builds [[0, I], [0, 0]] with blocks of size e."""
    zero = np.zeros((e, e))
    top = np.concatenate([zero, np.eye(e)], axis=1)
    return np.concatenate([top, np.concatenate([zero, zero], axis=1)], axis=0)


def g(Y: Array, e: int) -> Array:
    """Computes S_r(Y^T [[0, I], [0, 0]] Y / sqrt(d_1))."""
    return softmax_rows(Y.T @ selector(e) @ Y / np.sqrt(e))


def knowledge(WQ: Array, WK: Array) -> Array:
    """Builds Z = [W_Q^T, W_K^T], d x 2 d_1."""
    return np.concatenate([WQ.T, WK.T], axis=1)


def product(WQ: Array, WK: Array, X: Array) -> Array:
    """Computes X times the attention matrix as it stands in (2.1): S_r(...)^T."""
    return X @ softmax_rows(logits(WQ, WK, X) / np.sqrt(WQ.shape[0])).T


STATEMENT = Remark(
    id="my23.sec3.2.attention-form",
    place="§3.2, after Proposition 3.2",
    printed="the product of X with the attention matrix of (2.1) is X g(Z^T X), Z = [W_Q^T,"
    " W_K^T], g(Y) = S_r(Y^T [[0, I], [0, 0]] Y / sqrt(d_1))",
    claim=Identity(
        product, lambda WQ, WK, X: X @ g(knowledge(WQ, WK).T @ X, WQ.shape[0]), SIGNATURE
    ),
    reading=(
        "the product of X with the attention matrix is the factor X S_r(...)^T that (2.1)"
        " multiplies by W_V, with the transpose printed there; g has no transpose, as printed",
        "d_1 is written r; the blocks of [[0, I], [0, 0]] have size d_1",
    ),
).repaired_as(
    printed="the same with g(Y) = S_r(Y^T [[0, I], [0, 0]] Y / sqrt(d_1))^T",
    claim=Identity(
        product, lambda WQ, WK, X: X @ g(knowledge(WQ, WK).T @ X, WQ.shape[0]).T, SIGNATURE
    ),
    reading="the transpose of (2.1) belongs to g",
)
