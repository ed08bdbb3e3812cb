"""Graph neural networks of the general form."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Conjunction, Equivariance, Proposition

psi = ep.opaque(
    "psi",
    "X: n d, s: r -> n n r",
    under="S(n)",
    example=lambda X, s: np.einsum("id,jd,e->ije", X, X * X, s),
)
phi = ep.opaque(
    "phi",
    "X: n d, Y: n r, t: m -> n m",
    under="S(n)",
    example=lambda X, Y, t: np.outer(X.sum(1) * Y.sum(1), t),
)


def over_neighbours(A: Array, terms: Array) -> Array:
    """Computes sum of terms_ij over j with A_ij != 0, n x n x r to n x r."""
    return np.where(A[:, :, None] != 0, terms, 0).sum(1)


def layer(X: Array, A: Array, s: Array, t: Array) -> Array:
    """Computes phi(x_i, sum_{j in N_i} psi(x_i, x_j))."""
    return phi(X, over_neighbours(A, psi(X, s)), t)


def network(X: Array, A: Array, U: Array, V: Array, W: Array, R: Array) -> Array:
    """Computes the layer with psi(x, y) = W tanh(U x + V y) and phi(x, z) = tanh(R x) + z."""
    terms = np.tanh((X @ U)[:, None, :] + (X @ V)[None, :, :]) @ W
    return np.tanh(X @ R) + over_neighbours(A, terms)


STATEMENT = Proposition(
    id="sym23.gnn.equivariant",
    place="Architectures, GNN",
    formal="Rows.sym23_gnn_equivariant",
    printed="f(X, A)_i = phi(x_i, sum over neighbours j of psi(x_i, x_j)) satisfies f(P X, P A"
    " P^T) = P f(X, A)",
    claim=Conjunction(
        {
            "any psi and phi": Equivariance(
                layer, "X: n d, A: n n, s: r, t: m -> n m", under="S(n)"
            ),
            "psi(x, y) = W tanh(U x + V y)": Equivariance(
                network, "X: n d, A: n n, U: d r, V: d r, W: r m, R: d m -> n m", under="S(n)"
            ),
        }
    ),
    reading=(
        "the operator + in a circle is the sum; j is a neighbour of i where A_ij != 0",
        "psi and phi are any functions, left uninterpreted. The proof only uses that permuting the"
        " points permutes the values of psi at all pairs, and those of phi at all points",
        "psi has r values and phi has m; s and t only carry these sizes",
    ),
)
