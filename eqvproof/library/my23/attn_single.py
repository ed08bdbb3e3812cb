"""Self-attention keeps the shape of a sequence of any length."""

from eqvproof.library.my23.notation import attention
from eqvproof.statements import Remark, Typing

STATEMENT = Remark(
    id="my23.attn.single",
    place="§2.2, (2.1)",
    printed="Attn(X) = X + W_V X S_r(X^T W_Q^T W_K X / sqrt(d_1))^T is defined for every n and has the shape d x n",
    claim=Typing(attention, "WQ: e d, WK: e d, WV: d d, X: d n -> d n"),
    reading=(
        "defined for every n: the formula has the shape d x n at all sizes d, d_1 (written e) and n, with weights "
        "whose shapes do not mention n",
        "S_r divides exp of every entry by the sum over its row; the sum is positive, so that no input is excluded",
    ),
)
