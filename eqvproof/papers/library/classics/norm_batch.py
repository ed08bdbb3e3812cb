"""Batch normalisation of coordinates."""

import numpy as np

from eqvproof.papers.statements import Array, Equivariance, Remark


def normalise_coordinates(X: Array, eps: Array) -> Array:
    """Normalises every coordinate by its own mean and deviation over the points."""
    centred = X - X.mean(0)
    return centred / np.sqrt((centred * centred).mean(0) + eps)


def normalise_lengths(X: Array, eps: Array) -> Array:
    """Centres the points, and divides them by the root of their mean squared length."""
    centred = X - X.mean(0)
    return centred / np.sqrt((centred * centred).sum(1).mean() + eps)


STATEMENT = Remark(
    id="classics.norm.batch",
    place="on Ioffe and Szegedy 2015, used for coordinates",
    printed="batch normalisation of the coordinates of n points commutes with rotations",
    claim=Equivariance(
        normalise_coordinates,
        "X: n d, eps: () -> n d",
        under="SO(d)",
        domain=lambda x: x["eps"] > 0,
        where="eps > 0",
    ),
    reading="without gain and shift; one mean and one deviation for each coordinate, over the"
    " points",
).repaired_as(
    printed="it does with one deviation for all coordinates, the root of the mean squared length"
    " of the centred points",
    claim=Equivariance(normalise_lengths, "X: n d, eps: () -> n d^", under="E(d) x S(n)"),
    reading="it is also invariant to translations, and permuted with the points",
)
