"""The force between two moving charges."""

import numpy as np

from eqvproof.papers.statements import Array, Conjunction, Equivariance, Identity, Remark


def force(q: Array, r: Array, v: Array, w: Array) -> Array:
    """Computes q_1 q_2 (r + v x (w x r)) / |r|^3 with r = r_1 - r_2."""
    apart = r[0] - r[1]
    return q[0] * q[1] * (apart + np.cross(v, np.cross(w, apart))) / np.sqrt(apart @ apart) ** 3


STATEMENT = Remark(
    id="villar21.example.force",
    place="examples, electromagnetic force law",
    printed="q_1 q_2 (r + v x (w x r)) / |r|^3, r = r_1 - r_2, has cross products, yet is"
    " equivariant to E(3): v x (w x r) = (v . r) w - (v . w) r",
    claim=Conjunction(
        {
            "equivariant": Equivariance(force, "q: 2, r: 2 3, v: 3^, w: 3^ -> 3^", under="E(3)"),
            "without cross products": Identity(
                lambda v, w, r: np.cross(v, np.cross(w, r)),
                lambda v, w, r: w * (v @ r) - r * (v @ w),
                "v: 3, w: 3, r: 3 -> 3",
            ),
        }
    ),
    reading="all constants are 1; E(3) includes reflections: a double cross product is no"
    " pseudovector",
)
