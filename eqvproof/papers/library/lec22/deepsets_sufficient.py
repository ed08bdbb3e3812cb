"""Permutation invariance of rho of a sum."""

import eqvproof as ep
from eqvproof.papers.statements import Equivariance, Theorem

phi = ep.opaque(
    "phi", "X: n d, s: p -> n p", under="S(n)", example=lambda X, s: X.sum(1)[:, None] * s
)
rho = ep.opaque("rho", "v: p, t: q -> q")

STATEMENT = Theorem(
    id="lec22.deepsets.sufficient",
    place="Deep Sets, Theorem 2, sufficiency",
    formal="Rows.lec22_deepsets_sufficient",
    printed="rho(sum over x in X of phi(x)) is permutation invariant",
    claim=Equivariance(
        lambda X, s, t: rho(phi(X, s).sum(0), t), "X: n d, s: p, t: q -> q", under="S(n)"
    ),
    reading=(
        "rho and phi are any functions, left uninterpreted. The proof only uses that permuting the"
        " elements permutes the values of phi",
        "phi has p values and rho has q; s and t only carry these sizes",
    ),
)
