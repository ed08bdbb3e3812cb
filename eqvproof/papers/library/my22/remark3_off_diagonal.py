"""Self-attention off the diagonal in the form of Proposition 3."""

from eqvproof.papers.library.my23.remark4_1_entries import (
    SIGNATURE,
    attention,
    printed_entries,
    repaired_entries,
)
from eqvproof.papers.statements import Identity, Remark

STATEMENT = Remark(
    id="my22.remark3.off-diagonal",
    place="§4, Remark 3",
    formal="Remark41.remark41_off_diagonal_fails",
    printed="psi_2(x; y, z, Z) = e^{y^T W_Q^T W_K x} and rho_2(x, y, Z, s) = e^{x^T W_Q^T W_K y} /"
    " (e^{x^T W_Q^T W_K y} + s) give g_ij, i != j, of "
    "self-attention",
    claim=Identity(printed_entries, attention, SIGNATURE),
    reading=(
        "s = sum over k != i, j of psi_2(x_k; x_i, x_j, Z) = e^{x_i^T W_Q^T W_K x_k}; the entries"
        " with i = j are unchanged",
        "W_Q and W_K, which form Z, are any matrices d_1 x d (d_1 is written r)",
    ),
).repaired_as(
    formal="Remark41.remark41_off_diagonal_repaired",
    printed="the same psi_2 and rho_2(x, y, Z, s) = e^{x^T W_Q^T W_K y} / (e^{x^T W_Q^T W_K y} +"
    " e^{x^T W_Q^T W_K x} + s) give g_ij, i != j",
    claim=Identity(repaired_entries, attention, SIGNATURE),
    reading="the term k = i belongs to the denominator; rho_2 has x_i among its arguments",
)
