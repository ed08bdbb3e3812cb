"""The attention matrix before the softmax."""

from eqvproof.papers.library.my23.notation import logits
from eqvproof.papers.statements import Conjunction, Identity, Remark, Typing

SIGNATURE = "WQ: r d, WK: r d, X: d n -> n n"

STATEMENT = Remark(
    id="my23.attn.logits",
    place="§2.2",
    formal="Rows.my23_attn_logits",
    printed="A(X) = Q(X)^T K(X) = X^T W_Q^T W_K X, an n x n matrix, for Q(X) = W_Q X and K(X) ="
    " W_K X",
    claim=Conjunction(
        {
            "equal": Identity(lambda WQ, WK, X: (WQ @ X).T @ (WK @ X), logits, SIGNATURE),
            "shape": Typing(logits, SIGNATURE),
        }
    ),
    reading="W_Q and W_K have the shape d_1 x d; d_1 is written r",
)
