"""The rank of the matrices O_h^T V_h of a head."""

import numpy as np

from eqvproof.papers.statements import Identity, Remark

STATEMENT = Remark(
    id="sym23.transformer.rank",
    place="Architectures, Transformer",
    formal="Rows.sym23_transformer_rank",
    printed="rank(O_h^T V_h) <= d_head for O_h, V_h of shape d_head x d",
    claim=Identity(
        lambda Out, V, x: (Out.T @ V) @ x,
        lambda Out, V, x: np.einsum("kd,k->d", Out, V @ x),
        "Out: r d, V: r d, x: d -> d",
    ),
    reading=(
        "rank: the dimension of the set of all O_h^T V_h x. We check that each of these is sum_k"
        " c_k o_k with the d_head vectors o_k, the rows of O_h (c = V_h x): a space spanned by"
        " d_head vectors has at most that dimension; d_head is written r",
    ),
)
