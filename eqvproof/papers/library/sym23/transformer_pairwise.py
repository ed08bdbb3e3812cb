"""The question whether attention is a function of pairs of tokens."""

import numpy as np

from eqvproof.papers.library.sym23.attention import (
    WEIGHTS,
    causal,
    exponentials,
    layer,
    psi,
    values,
)
from eqvproof.papers.statements import Array, Identity, Remark


def psi_of_second(Q: Array, K: Array, V: Array, Out: Array, z: Array, x: Array) -> Array:
    """Computes psi(x_2, x_2) for the tokens x_1 = z, x_2 = x."""
    X = np.stack([z, x])
    return psi(Q, K, V, Out, X, causal(X))[1, 1]


def by_pairs(Q: Array, K: Array, V: Array, Out: Array, X: Array, A: Array) -> Array:
    """Computes attention by psi(x_i, x_j) = (e_hij O_h^T V_h x_j, e_hij), for every h.

    psi is summed over j; phi(x, (y, z)) = x + sum_h y_h / z_h.
    """
    weights = np.where(A != 0, exponentials(Q, K, X), 0)
    y, z = np.einsum("hij,hjd->hid", weights, values(V, Out, X)), weights.sum(2)
    return X + (y / z[:, :, None]).sum(0)


STATEMENT = Remark(
    id="sym23.transformer.pairwise",
    place="Architectures, Transformer",
    printed="the attention layer is the general form of a GNN with the printed psi(x_i, x_j), a"
    " function of x_i and x_j",
    claim=Identity(
        lambda Q, K, V, Out, x, z, w: psi_of_second(Q, K, V, Out, z, x),
        lambda Q, K, V, Out, x, z, w: psi_of_second(Q, K, V, Out, w, x),
        f"{WEIGHTS}, x: d, z: d, w: d -> d",
    ),
    reading=(
        "a function of x_i and x_j does not change when another token changes. We check it at i ="
        " j = 2, where N_2 = {1, 2}: psi(x_2, x_2) with x_1 = z and with x_1 = w",
        "a_h divides by a sum over all neighbours of i, which the notation a_h(x_i, x_j) does not"
        " show",
    ),
).repaired_as(
    printed="it is the general form with psi(x_i, x_j) = (e_hij O_h^T V_h x_j, e_hij)_h, e_hij ="
    " e^{(Q_h x_i)^T K_h x_j}, and "
    "phi(x, (y_h, z_h)_h) = x + sum_h y_h / z_h",
    claim=Identity(by_pairs, layer, f"{WEIGHTS}, X: n d, A: n n -> n d"),
    reading="numerators and denominators are summed over the neighbours, and phi divides; j is a"
    " neighbour of i if A_ij != 0",
)
