"""Pooling by attention of seeds to the set."""

from eqvproof.papers.library.classics.attention_blocks import WEIGHTS, mab
from eqvproof.papers.statements import Equivariance, Remark

STATEMENT = Remark(
    id="classics.settransformer.seeds",
    place="Lee and others 2019, pooling by multihead attention",
    printed="PMA(X) = MAB(S, X) with k seeds S is invariant to permutations of the elements and of"
    " the seeds",
    claim=Equivariance(
        lambda X, S, *w: mab(S, X, *w), f"X: n c, S: k c, {WEIGHTS} -> k! c", under="S(n) x S(k)"
    ),
    reading="the seeds are an addition of ours; one head, no layer norm",
).repaired_as(
    printed="it is invariant to permutations of the elements, and permuted with the seeds",
    claim=Equivariance(
        lambda X, S, *w: mab(S, X, *w), f"X: n c, S: k c, {WEIGHTS} -> k c", under="S(n) x S(k)"
    ),
)
