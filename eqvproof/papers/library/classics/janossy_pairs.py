"""Janossy pooling over pairs of elements."""

import eqvproof as ep
from eqvproof.papers.library.classics.pooling import rho
from eqvproof.papers.statements import Equivariance, Proposition

of_pairs = ep.opaque(
    "f", "X: n d, s: p -> n n p", under="S(n)", example=lambda X, s: (X @ X.T)[:, :, None] * s
)

STATEMENT = Proposition(
    id="classics.janossy.pairs",
    place="Murphy and others 2019, k-ary pooling, k = 2",
    formal="Rows.classics_janossy_pairs",
    printed="rho(sum over pairs i, j of f(x_i, x_j)) is permutation invariant",
    claim=Equivariance(
        lambda X, s, t: rho(of_pairs(X, s).sum((0, 1)), t), "X: n d, s: p, t: q -> q", under="S(n)"
    ),
    reading=(
        "f and rho are any functions, left uninterpreted. The proof only uses that permuting the"
        " elements permutes the values of f at all pairs; f need not be symmetric",
        "f has p values and rho has q; s and t only carry these sizes",
    ),
)
