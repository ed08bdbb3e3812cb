"""Multihead attention as an instance of the form (5.3)."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.library.my23.attn_multihead import SIGNATURE, by_heads
from eqvproof.papers.library.my23.notation import softmax_rows
from eqvproof.papers.library.my23.sec3_2_attention_form import selector
from eqvproof.papers.statements import Array, Conjunction, Equivariance, Identity, Remark

heads = ep.opaque(
    "f",
    "X: d n, Z: m d k -> m d n",
    under="S(n)",
    example=lambda X, Z: X[None] + (Z * Z).sum((1, 2))[:, None, None],
)


def instance(WQ: Array, WK: Array, WV: Array, WO: Array, X: Array) -> Array:
    """Computes W_0 X g_0 + sum_i W_i X g_i(Z_i^T X).

    W_0 = I, g_0 = I, W_i = W_out^i W_V^i, Z_i = [(W_Q^i)^T, (W_K^i)^T].
    """
    e = WQ.shape[1]
    Z = np.concatenate([np.swapaxes(WQ, 1, 2), np.swapaxes(WK, 1, 2)], axis=2)
    Y = np.swapaxes(Z, 1, 2) @ X
    g = np.swapaxes(softmax_rows(np.swapaxes(Y, 1, 2) @ selector(e) @ Y / np.sqrt(e)), 1, 2)
    return np.eye(X.shape[0]) @ X @ np.eye(X.shape[1]) + ((WO @ WV) @ X @ g).sum(0)


STATEMENT = Remark(
    id="my23.sec5.multihead",
    place="§5, Higher capacity, (5.3)",
    printed="sum_{i=1}^m W_i X g_i(Z_i^T X) satisfies Definition 4.1, and multihead attention"
    " Attn_m is an instance of it",
    claim=Conjunction(
        {
            "permutations": Equivariance(
                lambda X, Z, W: (W @ heads(X, Z)).sum(0),
                "X: d n, Z: m d k, W: m r d -> r n",
                under="S(n)",
            ),
            "Attn_m": Identity(by_heads, instance, SIGNATURE),
        }
    ),
    assumptions="every X g_i(Z_i^T X) satisfies Definition 4.1, as in (B.1)",
    reading=(
        "the heads X g_i(Z_i^T X), stacked along an axis m, are any functions whose values P"
        " permutes; the W_i stay fixed",
        "Attn_m with m heads is (5.3) with m + 1 heads: its residual X is a head with W_0 = I and"
        " the constant g_0 = I. g_i is the transposed row softmax, in which d_1 is written r",
    ),
)
