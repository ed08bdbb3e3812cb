"""Self-attention keeps the shape of a sequence of any length."""

import numpy as np

from eqvproof.papers.library.my23.notation import attention
from eqvproof.papers.statements import Conjunction, Identity, Remark, Typing

SIGNATURE = "WQ: r d, WK: r d, WV: d d, X: d n -> d n"

STATEMENT = Remark(
    id="my23.attn.single",
    place="§2.2, (2.1)",
    printed="Attn(X) = X + W_V X S_r(X^T W_Q^T W_K X / sqrt(d_1))^T is defined for every n and has"
    " the shape d x n",
    claim=Conjunction(
        {
            "shape d x n": Typing(attention, SIGNATURE),
            "0 Attn(X) = 0": Identity(
                lambda *a: 0 * attention(*a), lambda WQ, WK, WV, X: np.zeros(X.shape), SIGNATURE
            ),
        }
    ),
    reading=(
        "defined for every n: the formula has the shape d x n at all sizes d, d_1 (written r) and"
        " n, with weights whose shapes do not depend on n",
        "defined also at every X and all weights, since S_r divides by sums of exponentials: 0"
        " Attn(X) = 0 would fail where Attn(X) is undefined",
    ),
)
