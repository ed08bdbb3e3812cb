"""Self-attention of a set."""

from eqvproof.papers.library.classics.attention_blocks import WEIGHTS, mab
from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="classics.settransformer.sab",
    place="Lee and others 2019, Property 1, SAB",
    printed="SAB(X) = MAB(X, X) is permutation equivariant",
    claim=Equivariance(lambda X, *w: mab(X, X, *w), f"X: n c, {WEIGHTS} -> n c", under="S(n)"),
    reading="one head, a feed-forward part relu(H R), no layer norm: MAB(X, Y) = H + relu(H R), H"
    " = X W_Q + attention of X to Y",
)
