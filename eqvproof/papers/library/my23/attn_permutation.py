"""Self-attention commutes with permutations of the sequence."""

import numpy as np

from eqvproof.papers.library.my23.notation import attention
from eqvproof.papers.statements import Equivariance, Matrices, Remark


def permuted_gram() -> Matrices:
    """Draws the Gram matrix of a sequence, before and after its columns are permuted."""
    X, order = np.array([[1, 2, 0, -1], [0, 1, 2, 2]]), [2, 0, 3, 1]
    moved = X[:, order]
    return Matrices(
        "inner products of the tokens: permuting the columns of X permutes rows and columns of X^T"
        " X alike",
        {"X": X, "X^T X": X.T @ X, "X P": moved, "(X P)^T X P": moved.T @ moved},
    )


STATEMENT = Remark(
    id="my23.attn.permutation",
    place="§2.2, (2.1); §4",
    formal="Rows.my23_attn_permutation",
    printed="Attn(X P) = Attn(X) P for every n x n permutation matrix P",
    claim=Equivariance(attention, "WQ: r d, WK: r d, WV: d d, X: d n -> d n", under="S(n)"),
    reading="the weights are arbitrary and fixed, since none of their axes is n",
    picture=permuted_gram,
)
