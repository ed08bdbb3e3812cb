"""The distinction of mirror images by EGNN and by the signed volume."""

import numpy as np

from eqvproof.papers.library.classics.messages import coordinate_change, features
from eqvproof.papers.statements import Array, Conjunction, Equivariance, NotFor, Remark


def readout(H: Array, X: Array, s: Array) -> Array:
    """Sums the features after two layers."""
    return features(features(H, X, s), X + coordinate_change(H, X, s), s).sum(0)


def volume(X: Array) -> Array:
    """Computes det(x_1 - x_4, x_2 - x_4, x_3 - x_4).

    It is six times the signed volume of a tetrahedron.
    """
    return np.linalg.det(X[:3] - X[3:])


STATEMENT = Remark(
    id="classics.egnn.mirror",
    place="on Satorras and others 2021",
    printed="the invariant features of EGNN can tell a molecule from its mirror image",
    claim=NotFor(Equivariance(readout, "H: n c, X: n 3, s: m -> c", under="E(3)")),
    reading=(
        "a question to the paper. The claim is that the sum of the features after two layers is"
        " not invariant to all of E(3), reflections included; both layers have the same functions"
        " phi, left uninterpreted",
    ),
).repaired_as(
    printed="the signed volume det(x_1 - x_4, x_2 - x_4, x_3 - x_4) can, and is invariant to SE(3)",
    claim=Conjunction(
        {
            "invariant to SE(3)": Equivariance(volume, "X: 4 3 -> ()", under="SE(3)"),
            "not to reflections": NotFor(Equivariance(volume, "X: 4 3 -> ()", under="E(3)")),
        }
    ),
)
