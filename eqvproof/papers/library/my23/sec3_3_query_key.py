"""Queries and keys as one quadratic form."""

from eqvproof.papers.library.my23.notation import logits
from eqvproof.papers.library.my23.sec3_2_attention_form import knowledge, selector
from eqvproof.papers.statements import Identity, Remark

STATEMENT = Remark(
    id="my23.sec3.3.query-key",
    place="§3.3",
    formal="Rows.my23_sec3_3_query_key",
    printed="with Z = [W_Q^T, W_K^T] and A = [[0, I], [0, 0]]: X^T Z A Z^T X = X^T W_Q^T W_K X",
    claim=Identity(
        lambda WQ, WK, X: X.T @ knowledge(WQ, WK) @ selector(WQ.shape[0]) @ knowledge(WQ, WK).T @ X,
        logits,
        "WQ: r d, WK: r d, X: d n -> n n",
    ),
    reading="d_1 is written r; Z is d x 2r, and the blocks of A have the size r",
)
