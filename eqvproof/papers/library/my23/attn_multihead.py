"""Multihead attention: its two printed forms."""

import numpy as np

from eqvproof.papers.library.my23.notation import softmax_rows
from eqvproof.papers.statements import Array, Conjunction, Identity, Remark, Typing

SIGNATURE = "WQ: m r d, WK: m r d, WV: m r2 d, WO: m d r2, X: d n -> d n"


def weights(WQ: Array, WK: Array, X: Array) -> Array:
    """Computes S_r(X^T (W_Q^i)^T W_K^i X / sqrt(d_1))^T for every head i.

    The heads are stacked along the first axis.
    """
    scores = X.T @ np.swapaxes(WQ, 1, 2) @ WK @ X
    return np.swapaxes(softmax_rows(scores / np.sqrt(WQ.shape[1])), 1, 2)


def by_heads(WQ: Array, WK: Array, WV: Array, WO: Array, X: Array) -> Array:
    """Computes X + sum_i W_out^i head_i(X) with head_i(X) = W_V^i X S_r(...)^T."""
    heads = WV @ X @ weights(WQ, WK, X)
    return X + (WO @ heads).sum(0)


def at_once(WQ: Array, WK: Array, WV: Array, WO: Array, X: Array) -> Array:
    """Computes X + sum_i W_out^i W_V^i X S_r(...)^T, multiplied from the left."""
    return X + ((WO @ WV) @ X @ weights(WQ, WK, X)).sum(0)


STATEMENT = Remark(
    id="my23.attn.multihead",
    place="§2.2",
    printed="Attn_m(X) = X + sum_i W_out^i head_i(X) = X + sum_i W_out^i W_V^i X S_r(X^T (W_Q^i)^T"
    " W_K^i X / sqrt(d_1))^T",
    claim=Conjunction(
        {
            "both forms equal": Identity(by_heads, at_once, SIGNATURE),
            "shape d x n": Typing(by_heads, SIGNATURE),
        }
    ),
    reading="the m heads are stacked along an axis m; d_1 is written r, and d_2 is written r2; m"
    " is any size from 1 up",
)
