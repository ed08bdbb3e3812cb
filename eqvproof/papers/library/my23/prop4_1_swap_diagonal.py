"""The diagonal of g~, obtained from its first entry by swaps."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Equivariance, ProofStep

tilde = ep.opaque("g_tilde", "X: d n, Z: d k -> n n", under="S(n)", example=lambda X, Z: X.T @ X)

STATEMENT = ProofStep(
    id="my23.prop4.1.swap-diagonal",
    place="Appendix B",
    formal="Rows.my23_prop4_1_swap_diagonal",
    printed="for P_1i that swaps x_1 and x_i: g~_ii(x_1, .., x_i, .., x_n) = g~_11(x_i, .., x_1,"
    " .., x_n)",
    claim=Equivariance(lambda X, Z: np.diagonal(tilde(X, Z)), "X: d n, Z: d k -> n", under="S(n)"),
    reading=(
        "g~ is any function with g~(X P, Z) = P^T g~(X, Z) P. Checked for all P at once: the"
        " diagonal of g~(X P, Z), as a row, is that of g~(X, Z) times P; for P = P_1i its first"
        " entry is entry i of the diagonal of g~(X, Z)",
        "the paper cites (B.1), which is about X g; the proof uses the equation for g~ above it",
    ),
)
