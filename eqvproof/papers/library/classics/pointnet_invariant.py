"""Permutation invariance of PointNet."""

from eqvproof.papers.library.classics.pooling import phi_of_rows, rho
from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="classics.pointnet.invariant",
    place="Qi and others 2017, symmetric functions for unordered input",
    formal="Rows.classics_pointnet_invariant",
    printed="gamma(max over i of h(x_i)) is invariant to permutations of the points",
    claim=Equivariance(
        lambda X, s, t: rho(phi_of_rows(X, s).max(0), t), "X: n d, s: p, t: q -> q", under="S(n)"
    ),
    reading=(
        "gamma and h are any functions, left uninterpreted. The proof only uses that permuting the"
        " points permutes the values of h",
        "h has p values and gamma has q; s and t only carry these sizes",
    ),
)
