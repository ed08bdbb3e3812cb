"""May I feed direction vectors into a network as features?

Not their coordinates: a network of invariants must not depend on the axes. Inner products of
directions, or coordinates in a frame that rotates with the points, carry the same information.

Asked in [proteinzen #2](https://github.com/alexjli/proteinzen/issues/2),
[equiformer_v2 #17](https://github.com/atomicarchitects/equiformer_v2/issues/17).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n d, W: d! c -> n n c", under="O(d)")
def coordinates(X, W):
    return np.tanh((X[:, None, :] - X[None, :, :]) @ W)


@ep.claim("X: n d, F: d^ k, W: k c -> n n c", under="SE(d)")
def coordinates_in_a_frame(X, F, W):
    return np.tanh((X[:, None, :] - X[None, :, :]) @ F @ W)
