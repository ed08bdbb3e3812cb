"""Translation equivariant combinations of positions."""

from eqvproof.papers.library.villar21.scalars import centre, coefficients, normalise_weights
from eqvproof.papers.statements import Array, Equivariance, Proposition

PLACE = "translations, vector functions"


def weights(R: Array) -> Array:
    """Computes a number for each position, from scalar products invariant under translations."""
    return coefficients(centre(R) @ centre(R).T)


STATEMENT = Proposition(
    id="villar21.translation.vectors",
    place=f"on {PLACE}",
    printed="sum_t f_t r_t is equivariant to translations when the f_t are invariant to them",
    claim=Equivariance(lambda R: weights(R) @ R, "R: n d -> d", under="E(d)"),
    reading="the proposition without its condition on the sum of the f_t; they are any functions"
    " of scalar products of the centred "
    "positions, left uninterpreted",
).repaired_as(
    place=PLACE,
    printed="it is when moreover sum_t f_t = 1",
    claim=Equivariance(lambda R: normalise_weights(weights(R)) @ R, "R: n d -> d", under="E(d)"),
    reading="f_t is a_t / sum_s a_s, any a_t left uninterpreted, where the sum is not 0; with"
    " rotations and reflections",
)
