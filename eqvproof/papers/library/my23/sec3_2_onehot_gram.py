"""Inner products of one-hot tokens."""

import numpy as np

from eqvproof.papers.library.my23.tokens import first_tokens, one_hot_sequences
from eqvproof.papers.statements import Conjunction, Enumeration, Equivariance, Identity, Remark

STATEMENT = Remark(
    id="my23.sec3.2.onehot-gram",
    place="§3.2, end",
    formal="Refuted.my23_sec3_2_onehot_gram",
    printed="X^T X = I when the tokens of X are embedded as unit vectors e_i",
    claim=Enumeration(
        lambda X: X.T @ X,
        lambda X: np.eye(X.shape[1]),
        "X: d n -> n n",
        one_hot_sequences,
        "all one-hot sequences",
    ),
    reading="X is any sequence of unit vectors e_i; a token may occur more than once, as in any"
    " text",
).repaired_as(
    formal="Rows.my23_sec3_2_onehot_gram_repaired",
    printed="X^T X = I for a one-hot sequence whose tokens are pairwise distinct",
    claim=Conjunction(
        {
            "(P X)^T (P X) = X^T X": Equivariance(lambda X: X.T @ X, "X: d n -> n n", under="S(d)"),
            "[I; 0]^T [I; 0] = I": Identity(
                lambda v, w: first_tokens(v, w).T @ first_tokens(v, w),
                lambda v, w: np.eye(v.shape[0]),
                "v: n, w: k -> n n",
            ),
            "I^T I = I": Identity(
                lambda v: np.eye(v.shape[0]).T @ np.eye(v.shape[0]),
                lambda v: np.eye(v.shape[0]),
                "v: n -> n n",
            ),
        }
    ),
    reading="n distinct tokens out of d = n + k are P [I; 0] with a permutation matrix P (I alone"
    " for d = n)",
)
