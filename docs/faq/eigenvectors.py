"""Are features from eigenvectors invariant?

Eigenvalues are. An eigenvector is unique only up to its sign (and not even that if eigenvalues
coincide), so a network must not depend on the sign: `f(v) + f(-v)` does not, `f(v)` does in
general. Functions of eigenvectors or singular vectors that are equal for all signs, such as
absolute coordinates or the rotation of Kabsch, are proved wherever the eigenvalues differ.

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


@ep.claim("X: n d -> n d!", under="E(d) x S(n)")
def coordinates_without_signs(X):
    X = X - X.mean(axis=0)
    return np.abs(X @ np.linalg.eigh(X.T @ X)[1])


@ep.claim("X: n 3, Y: n 3! -> ()", under="SO(3) x S(n)")
def distance_after_kabsch(X, Y):
    U, _, Vt = np.linalg.svd(X.T @ Y)
    d = np.sign(np.linalg.det(U @ Vt))
    return ((X @ U @ np.diag([1.0, 1.0, d]) @ Vt - Y) ** 2).sum()
