"""A function of ordered neighbours."""

import numpy as np

from eqvproof.papers.statements import Array, Conjunction, Equivariance, NotFor, Remark


def weighted_by_order(Y: Array) -> Array:
    """Computes phi(Y) = y_1 + 2 y_2 + 3 y_3 + ..., k x d to d."""
    return (np.arange(Y.shape[0]) + 1) @ Y


def layer(X: Array, A: Array) -> Array:
    """Computes f(X, A)_i = phi(neighbours of i, in the order of their numbers).

    The weight of j is its place among them.
    """
    neighbours = np.where(A != 0, 1, 0)
    places = neighbours @ np.tri(A.shape[0]).T
    return (neighbours * places) @ X


STATEMENT = Remark(
    id="sym23.gnn.phi-must-be-invariant",
    place="Architectures, GNN",
    printed="phi must be invariant to permutations of the neighbours, otherwise f need not be"
    " equivariant",
    claim=Conjunction(
        {
            "phi is not invariant": NotFor(
                Equivariance(weighted_by_order, "Y: k d -> d", under="S(k)")
            ),
            "f is not equivariant": NotFor(
                Equivariance(layer, "X: n d, A: n n -> n d", under="S(n)")
            ),
        }
    ),
    reading=(
        "need not be: there is a phi that is not invariant, for which f is not equivariant; phi"
        " receives the neighbours of i in the order of their numbers",
        "the example: phi(y_1, y_2, ...) = y_1 + 2 y_2 + 3 y_3 + ..., which does not use x_i",
    ),
)
