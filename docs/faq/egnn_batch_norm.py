"""Why does my EGNN fail with batch norm?

An EGNN layer moves points along differences of points, with weights that depend on distances, so
it commutes with every rigid motion. Batch norm on the coordinates shifts and scales x, y and z
separately, and after a rotation these are different numbers. Batch norm on the invariant features
is harmless.

Asked in [Pocket2Mol #16](https://github.com/pengxingang/Pocket2Mol/issues/16),
[EquiScore #8](https://github.com/Intelligent-Drug-Discovery-Lab/EquiScore/issues/8).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n d -> n d", under="E(d) x S(n)")
def egnn(X):
    difference = X[:, None, :] - X[None, :, :]
    weight = np.tanh((difference**2).sum(axis=2))
    return X + (difference * weight[:, :, None]).mean(axis=1)


@ep.claim("X: n d -> n d^", under="O(d)", sizes={"n": 2, "d": 2})
def batch_norm(X):
    X = X - X.mean(axis=0)
    return X / np.sqrt((X**2).mean(axis=0) + 1e-5)


@ep.claim("X: n d, H: n c -> n c", under="E(d) x S(n)")
def batch_norm_of_features(X, H):
    H = H * ((X - X.mean(axis=0)) ** 2).sum(axis=1)[:, None]
    H = H - H.mean(axis=0)
    return H / np.sqrt((H**2).mean(axis=0) + 1e-5)
