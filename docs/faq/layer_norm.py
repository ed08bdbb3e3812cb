"""Is LayerNorm over (channels, 3) equivariant?

It looks equivariant: the mean is linear and the variance is a sum of squares. But
`LayerNorm([c, 3])` takes one mean over channels *and coordinates*, and the mean of x, y and z
depends on the choice of axes. Take the mean over channels, which is a vector, and divide by a mean
squared length.

Asked in [Pocket2Mol #16](https://github.com/pengxingang/Pocket2Mol/issues/16).
"""

import numpy as np

import eqvproof as ep


@ep.claim("V: c d -> c d", under="O(d)")
def layer_norm(V):
    V = V - V.mean()
    return V / np.sqrt((V**2).mean() + 1e-5)


@ep.claim("V: c d -> c d", under="O(d)")
def vector_norm(V):
    V = V - V.mean(axis=0)
    return V / np.sqrt((V**2).sum(axis=1).mean() + 1e-5)
