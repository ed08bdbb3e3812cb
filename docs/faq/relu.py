"""Can I apply ReLU to vector features?

Not entry by entry. A function of the length may scale the vector (a gate), and a permutation of
channels, as in the regular representation, commutes with every entrywise function.

Asked in [cuEquivariance #125](https://github.com/NVIDIA/cuEquivariance/issues/125),
[metatensor #744](https://github.com/metatensor/metatensor/issues/744).
"""

import numpy as np

import eqvproof as ep


@ep.claim("V: c d -> c d", under="O(d)")
@ep.claim("V: c d -> c d", under="S(c)")
def relu(V):
    return np.maximum(V, 0)


@ep.claim("V: c d -> c d", under="O(d)")
def gated(V):
    return V * np.tanh((V**2).sum(axis=1))[:, None]
