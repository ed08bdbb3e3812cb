"""O(3) or SO(3)?

SO(3) contains only rotations; O(3) also contains reflections. The cross product of two vectors
commutes with rotations and changes its sign under reflections: it is a pseudo-vector (`1e` in
e3nn). Crossed twice, it is a vector again. A model that must distinguish left from right hands may
use it; one that claims O(3) may not.

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
