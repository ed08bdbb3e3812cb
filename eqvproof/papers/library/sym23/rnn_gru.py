"""The gate of the GRU."""

import numpy as np

from eqvproof.papers.library.sym23.gates import gate, update
from eqvproof.papers.statements import Array, Identity, Remark

PARAMETERS = "W: n p, U: n n, b: n, Wr: n p, Ur: n n, br: n, Wc: n p, Uc: n n, bc: n, z: p, h: n"


def candidate(
    Wr: Array, Ur: Array, br: Array, Wc: Array, Uc: Array, bc: Array, z: Array, h: Array
) -> Array:
    """Computes tanh(W_c z + U_c (r h) + b_c) with the reset gate r.

    r = sigma(W_r z + U_r h + b_r).
    """
    return np.tanh(Wc @ z + Uc @ (gate(Wr, Ur, br, z, h) * h) + bc)


def gru(W: Array, U: Array, b: Array, *rest: Array) -> Array:
    """Computes h_{t+1} = (1 - g) h_t + g candidate, with the update gate g.

    g = sigma(W z + U h + b).
    """
    z, h = rest[-2:]
    g = 1 / (1 + np.exp(-(W @ z) - U @ h - b))
    return h - g * h + g * candidate(*rest)


def gated_update(W: Array, U: Array, b: Array, *rest: Array) -> Array:
    """Computes Gamma R + (1 - Gamma) h with Gamma = sigma(W z + U h + b), R the candidate."""
    z, h = rest[-2:]
    return update(gate(W, U, b, z, h), candidate(*rest), h)


STATEMENT = Remark(
    id="sym23.rnn.gru",
    place="Architectures, RNN gating, end",
    printed="h_{t+1} = Gamma R(z_t, h_t) + (1 - Gamma) h_t with Gamma := sigma(W z_t + U h_t + b)"
    " is the gating of the GRU",
    claim=Identity(
        lambda W, U, b, Wr, Ur, br, Wc, Uc, bc, z, h: gru(W, U, b, Wr, Ur, br, Wc, Uc, bc, z, h),
        lambda W, U, b, Wr, Ur, br, Wc, Uc, bc, z, h: gated_update(
            W, U, b, Wr, Ur, br, Wc, Uc, bc, z, h
        ),
        f"{PARAMETERS} -> n",
    ),
    reading=(
        "the GRU in the form of Chung et al. (2014): its update gate is Gamma, its candidate,"
        " reset gate included, is R(z_t, h_t)",
        "Gamma has an entry for every entry of h, like W z + U h + b; in the derivation it is one"
        " number",
    ),
)
