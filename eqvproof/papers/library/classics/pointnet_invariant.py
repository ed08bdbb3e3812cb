"""Permutation invariance of PointNet."""

from eqvproof.papers.library.classics.pooling import each, rho
from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="classics.pointnet.invariant",
    place="Qi and others 2017, symmetric functions for unordered input",
    formal="Rows.classics_pointnet_invariant",
    printed="gamma(max over i of h(x_i)) is invariant to permutations of the points",
    claim=Equivariance(
        lambda X, s, t: rho(each(X, s).max(0), t), "X: n d, s: p, t: q -> q", under="S(n)"
    ),
    reading=(
        "gamma and h are any functions, left uninterpreted; of h, evaluated at every point, it is"
        " used that permuting the points "
        "permutes its values along",
        "h has p values and gamma q; s and t only tell these numbers",
    ),
)
