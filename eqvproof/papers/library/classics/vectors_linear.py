"""The linear layer of Vector Neurons."""

from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="classics.vectors.linear",
    place="Deng and others 2021, linear layer",
    formal="Rows.classics_vectors_linear",
    printed="V -> W V, V a list of c vectors in space and W of shape e x c, commutes with"
    " rotations",
    claim=Equivariance(lambda W, V: W @ V, "W: e c, V: c d -> e d", under="O(d)"),
    reading="the vectors are the rows of V; in any dimension, and with reflections",
)
