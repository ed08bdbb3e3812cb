"""Sufficiency in Proposition 3.2."""

import eqvproof as ep
from eqvproof.papers.statements import Array, Equivariance, Proposition

g1 = ep.opaque("g1", "A: n n, B: k n, C: k k, c: m -> n m")
g2 = ep.opaque("g2", "A: n n, B: k n, C: k k, c: m -> k m")


def form(X: Array, Z: Array, c: Array) -> Array:
    """Computes (3.1): X g_1(X^T X, Z^T X, Z^T Z) + Z g_2(X^T X, Z^T X, Z^T Z)."""
    return X @ g1(X.T @ X, Z.T @ X, Z.T @ Z, c) + Z @ g2(X.T @ X, Z.T @ X, Z.T @ Z, c)


STATEMENT = Proposition(
    id="my23.prop3.2.sufficient",
    place="§3.2, Proposition 3.2 (converse), (3.1)",
    formal="MaYing.prop32_sufficient",
    printed="for all g_1, g_2, X g_1(X^T X, Z^T X, Z^T Z) + Z g_2(X^T X, Z^T X, Z^T Z) satisfies"
    " Definition 3.2",
    claim=Equivariance(form, "X: d n, Z: d k, c: m -> d m", under="O(d)"),
    reading=(
        "g_1 and g_2 are any functions, left uninterpreted; they depend on X and Z through the"
        " three products only",
        "m, the length of the result, is any size: that of a parameter c, on which g_1 and g_2 may"
        " depend",
    ),
)
