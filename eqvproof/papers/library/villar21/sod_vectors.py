"""Vector functions that commute with rotations."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.library.villar21.scalars import cross_products, determinants
from eqvproof.papers.statements import Array, Equivariance, Proposition

f = ep.opaque(
    "f", "G: n n, D: n n n -> n", example=lambda G, D: G.sum(0) + np.einsum("ijk,jj->i", D, G)
)
k = ep.opaque("k", "G: n n, D: n n n -> n n", example=lambda G, D: G + D.sum(2))


def combine_vectors(V: Array) -> Array:
    """Computes sum_t f_t v_t + sum_ij k_ij v_i x v_j."""
    scalars = V.T @ V, determinants(V)
    return V @ f(*scalars) + np.einsum("aij,ij->a", cross_products(V), k(*scalars))


STATEMENT = Proposition(
    id="villar21.sod.vectors",
    place="SO(d), vector functions, d = 3",
    printed="sum_t f_t v_t + sum_ij k_ij v_i x v_j is equivariant to SO(3) when the f_t and k_ij"
    " are invariant to SO(3)",
    claim=Equivariance(combine_vectors, "V: 3 n -> 3", under="SO(3)"),
    reading=(
        "f_t and k_ij are any functions of scalar products and determinants, left uninterpreted",
        "one half of the proposition: we do not check that all equivariant functions are of this"
        " form",
    ),
)
