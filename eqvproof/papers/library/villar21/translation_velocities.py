"""Equivariant combinations of positions and velocities."""

import eqvproof as ep
from eqvproof.papers.library.villar21.scalars import centre, normalise_weights
from eqvproof.papers.statements import Array, Equivariance, Proposition

position_coefficients = ep.opaque(
    "a", "G: n n, H: n m, K: m m -> n", example=lambda G, H, K: 1 + H.sum(1)
)
velocity_coefficients = ep.opaque(
    "b", "G: n n, H: n m, K: m m -> m", example=lambda G, H, K: H.sum(0) + K.sum(0)
)


def combine_vectors(R: Array, V: Array) -> Array:
    """Computes sum_t f_t r_t + sum_s b_s v_s with sum_t f_t = 1."""
    D = centre(R)
    scalars = D @ D.T, D @ V.T, V @ V.T
    return (
        normalise_weights(position_coefficients(*scalars)) @ R + velocity_coefficients(*scalars) @ V
    )


STATEMENT = Proposition(
    id="villar21.translation.velocities",
    place="Euclidean group, vector functions of positions and other vectors",
    printed="sum_t f_t r_t + sum_s b_s v_s with sum_t f_t = 1 is equivariant to E(d), for"
    " invariant f_t and b_s, velocities not moving",
    claim=Equivariance(combine_vectors, "R: n d, V: m d^ -> d", under="E(d)"),
    reading="f_t is a_t / sum a; a and b are any functions of the scalar products of centred"
    " positions and velocities, left uninterpreted",
)
