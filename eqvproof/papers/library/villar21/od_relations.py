"""Scalar products of more vectors than dimensions."""

from collections.abc import Mapping

import numpy as np

from eqvproof.papers.statements import AtSizes, Claim, Identity, Remark


def determinant_vanishes(sizes: Mapping[str, int]) -> Claim:
    """Claims that det(V^T V) = 0 for d + 1 vectors."""
    d = sizes["d"]
    return Identity(
        lambda V: np.linalg.det(V.T @ V), lambda V: 0 * V.sum(), f"V: {d} {d + 1} -> ()"
    )


STATEMENT = Remark(
    id="villar21.od.relations",
    place="O(d), how many scalars are needed",
    printed="the scalar products of more than d vectors are not independent: the determinant of"
    " those of d + 1 vectors is 0",
    claim=AtSizes(determinant_vanishes, ({"d": 1}, {"d": 2}, {"d": 3})),
    reading="the matrix of scalar products has rank at most d; by the second fundamental theorem"
    " there are no other relations; this is not checked",
)
