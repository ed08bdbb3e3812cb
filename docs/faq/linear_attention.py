"""Is linear attention permutation equivariant?

It depends on how the cost is reduced. A feature map on queries and keys, summed over the points,
keeps the equivariance. A learned projection along the sequence (`E: k n!`) has different weights
for the first point and the second, and breaks it.

Asked in [linformer-pytorch #26](https://github.com/tatp22/linformer-pytorch/issues/26),
[performer-pytorch #88](https://github.com/lucidrains/performer-pytorch/issues/88).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n c -> n c", under="S(n)")
def kernel_features(X):
    feature = np.exp(X)
    return feature @ (feature.T @ X) / (feature @ feature.sum(axis=0))[:, None]


@ep.claim("X: n c, E: k n! -> n c", under="S(n)")
def projected_sequence(X, E):
    weight = np.exp(X @ (E @ X).T)
    return weight @ (E @ X) / weight.sum(axis=1, keepdims=True)
