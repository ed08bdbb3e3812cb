"""The gates of the LSTM."""

from eqvproof.papers.library.sym23.gates import gate, update
from eqvproof.papers.statements import Array, Identity, Remark

INPUT = "W: n p, U: n n, b: n"
STATE = "z: p, h: n, c: n, R: n"


def lstm(
    W: Array,
    U: Array,
    b: Array,
    Wf: Array,
    Uf: Array,
    bf: Array,
    z: Array,
    h: Array,
    c: Array,
    R: Array,
) -> Array:
    """Computes c_{t+1} = f c_t + i R with input gate i and forget gate f.

    i = sigma(W z + U h + b) and f = sigma(W_f z + U_f h + b_f).
    """
    return gate(Wf, Uf, bf, z, h) * c + gate(W, U, b, z, h) * R


def coupled_lstm(W: Array, U: Array, b: Array, z: Array, h: Array, c: Array, R: Array) -> Array:
    """Computes c_{t+1} = f c_t + i R with f = 1 - i."""
    i = gate(W, U, b, z, h)
    return (1 - i) * c + i * R


STATEMENT = Remark(
    id="sym23.rnn.lstm",
    place="Architectures, RNN gating, end",
    printed="h_{t+1} = Gamma R + (1 - Gamma) h_t with Gamma := sigma(W z_t + U h_t + b) is the"
    " gating of the LSTM",
    claim=Identity(
        lstm,
        lambda W, U, b, Wf, Uf, bf, z, h, c, R: update(gate(W, U, b, z, h), R, c),
        f"{INPUT}, Wf: n p, Uf: n n, bf: n, {STATE} -> n",
    ),
    reading=(
        "the LSTM with a forget gate f and an input gate i, each with its own weights: Gamma is"
        " the input gate, R is the candidate, any vector, and the cell c is updated; the gates"
        " depend on the output h",
        "each gate by itself has the printed form sigma(W z + U h + b); we check the update",
    ),
).repaired_as(
    printed="it is the gating of the LSTM whose forget gate is 1 - i",
    claim=Identity(
        coupled_lstm,
        lambda W, U, b, z, h, c, R: update(gate(W, U, b, z, h), R, c),
        f"{INPUT}, {STATE} -> n",
    ),
    reading="coupled input and forget gates (Greff et al., 2017)",
)
