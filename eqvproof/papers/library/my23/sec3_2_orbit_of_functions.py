"""The functions f_Q that represent one function f in all embeddings."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Conjunction, Equivariance, Identity, Remark

f = ep.opaque("f", "X: d n -> d n")


def in_embedding(Q: Array, Y: Array) -> Array:
    """Computes f_Q(Y) = Q f(Q^T Y)."""
    return Q @ f(Q.T @ Y)


STATEMENT = Remark(
    id="my23.sec3.2.orbit-of-functions",
    formal="Rows.my23_sec3_2_orbit_of_functions",
    place="§3.2",
    printed="f_Q(Q X) = Q f(X) defines f_Q for every f and Q; f_{Q_1 Q_2} = (f_{Q_2})_{Q_1}; the"
    " f_Q form an equivalence class",
    claim=Conjunction(
        {
            "f_Q(Q X) = Q f(X)": Equivariance(in_embedding, "W: d d!, Y: d n -> d n", under="O(d)"),
            "f_{Q_1 Q_2} = (f_{Q_2})_{Q_1}": Identity(
                lambda Q1, Q2, Y: in_embedding(Q1 @ Q2, Y),
                lambda Q1, Q2, Y: Q1 @ in_embedding(Q2, Q1.T @ Y),
                "Q1: d d, Q2: d d, Y: d n -> d n",
            ),
            "f_I = f": Identity(lambda Y: in_embedding(np.eye(Y.shape[0]), Y), f, "Y: d n -> d n"),
        }
    ),
    reading=(
        "f is any function, left uninterpreted; its result has the length of its argument. An"
        " orthogonal Q has the inverse Q^T, so that every Y is Q X for exactly one X, namely Q^T"
        " Y: the equation means f_Q(Y) = Q f(Q^T Y)",
        "the equation is written as f_{QW}(Q Y) = Q f_W(Y) for all orthogonal Q, all W and Y (W: d"
        " d! becomes Q W); the printed one is the case W = I",
        "equivalence: f_I = f (reflexive), (f_Q)_{Q^T} = f_{Q^T Q} = f (symmetric), the"
        " composition law (transitive)",
    ),
)
