"""Self-attention through inducing points."""

from eqvproof.papers.library.classics.attention_blocks import WEIGHTS, mab
from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="classics.settransformer.isab",
    place="Lee and others 2019, Property 1, ISAB",
    printed="ISAB(X) = MAB(X, MAB(I, X)) is permutation equivariant; the order of the inducing"
    " points I does not matter",
    claim=Equivariance(
        lambda X, I, *w: mab(X, mab(I, X, *w), *w),  # noqa: E741
        f"X: n c, I: m c, {WEIGHTS} -> n c",
        under="S(n) x S(m)",
    ),
    reading=(
        "one head, no layer norm, and the same weights in both blocks",
        "the order of the inducing points is an addition of ours",
    ),
)
