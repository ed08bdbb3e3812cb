"""The layer of Deep Sets that subtracts the maximum."""

import numpy as np

from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="classics.deepsets.layer",
    place="Zaheer and others 2017, equivariant layers",
    formal="Rows.classics_deepsets_layer",
    printed="f(X) = sigma(X Lambda - 1 maxpool(X) Gamma) is permutation equivariant",
    claim=Equivariance(
        lambda X, Lambda, Gamma: np.tanh(X @ Lambda - X.max(0, keepdims=True) @ Gamma),
        "X: n c, Lambda: c e, Gamma: c e -> n e",
        under="S(n)",
    ),
    reading="sigma is tanh of every entry; the rows of X are the elements, the maximum is taken of"
    " each column",
)
