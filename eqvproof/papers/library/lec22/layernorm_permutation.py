"""Permutation equivariance of layer normalisation, applied to every element."""

from eqvproof.papers.library.lec22.layernorm import layernorm
from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="lec22.layernorm.permutation",
    place="Layer Norm & Residual Connection",
    formal="Rows.lec22_layernorm_permutation",
    printed="layer norm, applied to every element, is permutation equivariant over the elements",
    claim=Equivariance(layernorm, "x: n k, eps: (), gamma: k, beta: k -> n k", under="S(n)"),
    reading="the elements are the rows x_i of x, k features each; gamma, beta and eps are the same"
    " for all elements",
)
