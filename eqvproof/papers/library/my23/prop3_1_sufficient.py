"""Sufficiency in Proposition 3.1."""

import eqvproof as ep
from eqvproof.papers.statements import Equivariance, Proposition

g = ep.opaque("g", "G: n n, c: m -> n m")

STATEMENT = Proposition(
    id="my23.prop3.1.sufficient",
    place="§3.1, Proposition 3.1 (converse)",
    formal="MaYing.prop31_sufficient",
    printed="for every g, f(X) = X g(X^T X) is orthogonal equivariant (Definition 3.1)",
    claim=Equivariance(lambda X, c: X @ g(X.T @ X, c), "X: d n, c: m -> d m", under="O(d)"),
    reading=(
        "g is any function of n x n matrices, left uninterpreted. m, the length of the result, is"
        " any size: that of a parameter c, on which g may depend",
        "if m depends on X^T X, the same proof applies to each value of X^T X",
    ),
)
