"""The cost of self-attention."""

from eqvproof.papers.library.lec22.attention import self_attention
from eqvproof.papers.statements import Cost, Remark

STATEMENT = Remark(
    id="lec22.cost",
    place="Limitations",
    printed="self-attention costs O(L^2) time, and memory when the scores are stored",
    claim=Cost(self_attention, "X: n d, WQ: d r, WK: d r, WV: d f -> n f", "n", time=2, memory=2),
    reading=(
        "L, the number of tokens, is written n; the dimensions d, r, f are fixed. We count the"
        " operations of each step of the formula, and the numbers that the steps produce,"
        " including the n x n scores",
        "O(L^2) is an upper bound: a lower cost is not excluded",
    ),
)
