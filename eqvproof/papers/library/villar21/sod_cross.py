"""Equivariance of the cross product to rotations and reflections."""

import numpy as np

from eqvproof.papers.statements import Conjunction, Equivariance, Identity, Remark

STATEMENT = Remark(
    id="villar21.sod.cross",
    place="on SO(d), pseudovectors",
    printed="v x w is equivariant to O(3)",
    claim=Equivariance(np.cross, "v: 3, w: 3 -> 3", under="O(3)"),
    reading="an easy slip: reflections change the sign",
).repaired_as(
    printed="v x w is equivariant to SO(3), and M^T (M v x M w) = det(M) (v x w) for every matrix"
    " M",
    claim=Conjunction(
        {
            "rotations": Equivariance(np.cross, "v: 3, w: 3 -> 3", under="SO(3)"),
            "any matrix": Identity(
                lambda M, v, w: M.T @ np.cross(M @ v, M @ w),
                lambda M, v, w: np.linalg.det(M) * np.cross(v, w),
                "M: 3 3, v: 3, w: 3 -> 3",
            ),
        }
    ),
    reading="for orthogonal M: M v x M w = det(M) M (v x w), a pseudovector",
)
