"""Local and global features side by side."""

import numpy as np

from eqvproof.papers.library.classics.pooling import phi_of_rows
from eqvproof.papers.statements import Array, Equivariance, Proposition


def local_and_global(X: Array, s: Array) -> Array:
    """Computes (h(x_i), max over j of h(x_j)) for every point."""
    local = phi_of_rows(X, s)
    return np.concatenate([local, np.broadcast_to(local.max(0), local.shape)], axis=1)


STATEMENT = Proposition(
    id="classics.pointnet.segmentation",
    place="Qi and others 2017, local and global information",
    formal="Rows.classics_pointnet_segmentation",
    printed="the features (h(x_i), max over j of h(x_j)) of the points are permutation equivariant",
    claim=Equivariance(local_and_global, "X: n d, s: p -> n 2p", under="S(n)"),
    reading="h is any function, left uninterpreted, with p values; s only carries this size",
)
