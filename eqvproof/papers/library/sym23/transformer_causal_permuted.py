"""Equivariance of causal attention with permuted neighbourhoods."""

from eqvproof.papers.library.sym23.attention import WEIGHTS, layer
from eqvproof.papers.statements import Equivariance, Remark

STATEMENT = Remark(
    id="sym23.transformer.causal.permuted",
    place="Architectures, Transformer; GNN",
    printed="the layer with N_i = {1, .., i} satisfies f(P X, P A P^T) = P f(X, A): A is permuted"
    " along",
    claim=Equivariance(layer, f"{WEIGHTS}, X: n d, A: n n -> n d", under="S(n)"),
    reading="A is any matrix, and j is a neighbour of i if A_ij != 0; the causal A, A_ij = 1 for j"
    " <= i, is one such matrix",
)
