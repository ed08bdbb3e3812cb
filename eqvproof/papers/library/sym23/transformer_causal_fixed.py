"""Equivariance of causal attention with fixed neighbourhoods."""

import numpy as np

from eqvproof.papers.library.sym23.attention import WEIGHTS, causal, layer
from eqvproof.papers.statements import Equivariance, Remark

SIGNATURE = f"{WEIGHTS}, X: n d -> n d"

STATEMENT = Remark(
    id="sym23.transformer.causal.fixed",
    place="Architectures, Transformer; GNN",
    printed="the layer with N_i = {1, .., i} satisfies f(P X, A) = P f(X, A): A is held fixed",
    claim=Equivariance(
        lambda Q, K, V, Out, X: layer(Q, K, V, Out, X, causal(X)), SIGNATURE, under="S(n)"
    ),
    reading="a question that the source leaves open: tokens are renumbered, and each token still"
    " attends to those before it",
).repaired_as(
    printed="the layer with N_i = {1, .., n} for all i satisfies f(P X, A) = P f(X, A)",
    claim=Equivariance(
        lambda Q, K, V, Out, X: layer(Q, K, V, Out, X, np.ones((X.shape[0], X.shape[0]))),
        SIGNATURE,
        under="S(n)",
    ),
    reading="every token attends to every token, so that P A P^T = A; the causal A must be"
    " permuted with the tokens",
)
