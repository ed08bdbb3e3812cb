"""Sufficiency in Proposition 4.1."""

from eqvproof.papers.library.my23.pair_entries import coefficients
from eqvproof.papers.statements import Equivariance, Proposition

STATEMENT = Proposition(
    id="my23.prop4.1.sufficient",
    place="§4, Proposition 4.1 (converse)",
    formal="Rows.my23_prop4_1_sufficient",
    printed="for all rho_1, rho_2, psi_1, psi_2, g with g_ii = rho_1(Z^T x_i, sum_{k != i}"
    " psi_1(Z^T x_k, Z^T x_i)) and "
    "g_ij = rho_2(Z^T x_i, Z^T x_j, sum_{k != i, j} psi_2(Z^T x_k, Z^T x_i, Z^T x_j)) makes X"
    " g(Z^T X) elementwise permutation equivariant",
    claim=Equivariance(
        lambda X, Z, s: X @ coefficients(Z.T @ X, s), "X: d n, Z: d k, s: p -> d n", under="S(n)"
    ),
    reading=(
        "rho_1, rho_2, psi_1, psi_2 are any functions, left uninterpreted, and evaluated at all i,"
        " all pairs or all triples at once. The proof only uses that permuting the points permutes"
        " their values",
        "psi_1 and psi_2 have p values (any p); s, of length p, only carries this size",
    ),
)
