"""Rotations work, translations do not. What is missing?

There are two usual causes. Either the output is a displacement and not a point (`d^`: it rotates
but does not translate), or the network uses absolute coordinates. In the second case use
differences of points, or subtract the mean over the *whole* set.

Asked in [e3_diffusion_for_molecules #4](https://github.com/ehoogeboom/e3_diffusion_for_molecules/issues/4),
[Pocket2Mol #23](https://github.com/pengxingang/Pocket2Mol/issues/23),
[Steerable-E3-GNN #12](https://github.com/RobDHess/Steerable-E3-GNN/issues/12).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n d -> n d", under="E(d)")
@ep.claim("X: n d -> n d^", under="E(d)")
def displacement(X):
    return X - X.mean(axis=0)


@ep.claim("X: n d -> n d", under="O(d)")
@ep.claim("X: n d -> n d", under="E(d)")
def absolute(X):
    return X * np.tanh((X**2).sum(axis=1))[:, None]
