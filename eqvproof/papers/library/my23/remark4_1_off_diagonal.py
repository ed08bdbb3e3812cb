"""Self-attention off the diagonal in the form of Proposition 4.1."""

from eqvproof.papers.library.my23.remark4_1_entries import (
    SIGNATURE,
    attention,
    printed_entries,
    repaired_entries,
)
from eqvproof.papers.statements import Identity, Remark

STATEMENT = Remark(
    id="my23.remark4.1.off-diagonal",
    place="§4, Remark 4.1",
    formal="Remark41.remark41_off_diagonal_fails",
    printed="psi_2(x, y, z) = e^{y^T W_Q^T W_K x} and rho_2(x, y, s) = e^{x^T W_Q^T W_K y} /"
    " (e^{x^T W_Q^T W_K y} + s) give g_ij, i != j, of "
    "self-attention",
    claim=Identity(printed_entries, attention, SIGNATURE),
    reading=(
        "s = sum over k != i, j of psi_2(x_k, x_i, x_j) = e^{x_i^T W_Q^T W_K x_k}; the entries"
        " with i = j are unchanged",
        "rho and psi depend on Z^T x through W_Q x and W_K x, for Z = [W_Q^T, W_K^T] (see"
        " my23.remark4.1.typing)",
    ),
).repaired_as(
    formal="Remark41.remark41_off_diagonal_repaired",
    printed="the same psi_2 and rho_2(x, y, s) = e^{x^T W_Q^T W_K y} / (e^{x^T W_Q^T W_K y} +"
    " e^{x^T W_Q^T W_K x} + s) give g_ij, i != j",
    claim=Identity(repaired_entries, attention, SIGNATURE),
    reading="the term k = i belongs to the denominator; rho_2 has x_i among its arguments",
)
