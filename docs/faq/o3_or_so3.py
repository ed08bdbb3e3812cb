"""O(3) or SO(3)?

Rotations alone, or reflections too. The cross product of two vectors follows every rotation and picks up a
sign under reflections: it is a pseudo-vector (`1e` for e3nn). Crossed twice, it is a vector again. A model
that must tell left from right hands may use it; one that claims O(3) may not.

Asked in [mace #469](https://github.com/ACEsuit/mace/issues/469),
[nequip #237](https://github.com/mir-group/nequip/issues/237),
[geometric-algebra-transformer #3](https://github.com/Qualcomm-AI-research/geometric-algebra-transformer/issues/3).
"""

import numpy as np

import eqvproof as ep


@ep.claim("x: 3, y: 3 -> 3", under="SO(3)")
@ep.claim("x: 3, y: 3 -> 3", under="O(3)")
def cross(x, y):
    return np.cross(x, y)


@ep.claim("x: 3, y: 3 -> 3", under="O(3)")
def crossed_twice(x, y):
    return np.cross(np.cross(x, y), y)
