"""The diagonal of self-attention in the form of Proposition 4.1."""

import numpy as np

from eqvproof.papers.library.my23.remark4_1_entries import (
    SIGNATURE,
    attention,
    exponentials,
    sum_psi1,
)
from eqvproof.papers.statements import Array, Identity, Remark


def rho1(WQ: Array, WK: Array, X: Array) -> Array:
    """Computes rho_1(x_i, s) = rho_2(x_i, x_i, s) = e_ii / (e_ii + s) at the sums s of psi_1.

    e_ij = e^{x_i^T W_Q^T W_K x_j}.
    """
    own = np.diagonal(exponentials(WQ, WK, X))
    return own / (own + sum_psi1(WQ, WK, X))


STATEMENT = Remark(
    id="my23.remark4.1.diagonal",
    place="§4, Remark 4.1",
    formal="Remark41.remark41_diagonal",
    printed="psi_1(x, y) = e^{y^T W_Q^T W_K x} and rho_1(x, s) = e^{x^T W_Q^T W_K x} / (e^{x^T"
    " W_Q^T W_K x} + s) give g_ii of self-attention",
    claim=Identity(
        rho1,
        lambda WQ, WK, X: np.diagonal(attention(WQ, WK, X)),
        SIGNATURE.replace("n n", "n"),
    ),
    reading=(
        "as printed, psi_1(x, y) = psi_2(x, y, y) and rho_1(x, s) = rho_2(x, x, s); g_ij is"
        " printed without the factor 1 / sqrt(d_1)",
        "rho and psi depend on Z^T x through W_Q x and W_K x, for Z = [W_Q^T, W_K^T] (see"
        " my23.remark4.1.typing)",
    ),
)
