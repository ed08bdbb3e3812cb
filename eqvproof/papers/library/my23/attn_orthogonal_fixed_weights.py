"""Orthogonal equivariance of self-attention with fixed weights."""

from eqvproof.papers.library.my23.notation import attention
from eqvproof.papers.statements import Equivariance, Remark

STATEMENT = Remark(
    id="my23.attn.orthogonal-fixed-weights",
    place="§2.2, (2.1); §3.2",
    formal="Refuted.my23_attn_orthogonal_fixed_weights",
    printed="Attn(Q X) = Q Attn(X) for every orthogonal Q, the weights W_Q, W_K, W_V staying fixed",
    claim=Equivariance(attention, "WQ: r d!, WK: r d!, WV: d! d!, X: d n -> d n", under="O(d)"),
    reading="the claim is about all weights; d! marks axes of size d on which Q does not act",
).repaired_as(
    formal="Rows.my23_attn_orthogonal_repaired",
    printed="Attn(Q X) = Q Attn(X) when W_Q, W_K, W_V become W_Q Q^T, W_K Q^T, Q W_V Q^T",
    claim=Equivariance(attention, "WQ: r d, WK: r d, WV: d d, X: d n -> d n", under="O(d)"),
    reading="the weights are knowledge: they rotate with the embedding in which they were learned",
)
