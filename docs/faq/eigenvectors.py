"""Are features from eigenvectors invariant?

Eigenvalues are. An eigenvector is known up to its sign (and, where eigenvalues coincide, not even so far):
a network that reads it must not notice the sign. `f(v) + f(-v)` does not, `f(v)` does in general.

Asked in [se3-transformer-public #4](https://github.com/FabianFuchsML/se3-transformer-public/issues/4),
[graphtransformer #22](https://github.com/graphdeeplearning/graphtransformer/issues/22),
[riconv2 #7](https://github.com/cszyzhang/riconv2/issues/7).
"""

import numpy as np

import eqvproof as ep


@ep.claim("X: n d -> m", under="O(d) x S(n)")
def spectrum(X):
    X = X - X.mean(axis=0)
    return np.linalg.eigvalsh(X.T @ X)


def network(V, W):
    return np.tanh(V @ W)


@ep.claim("V: n k, W: k! c -> n c", under="Signs(k)")
def reads_eigenvectors(V, W):
    return network(V, W)


@ep.claim("v: n, W: 1 c -> n c", under="Signs(1)")
def of_both_signs(v, W):
    return network(v[:, None], W) + network(-v[:, None], W)
