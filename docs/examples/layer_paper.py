"""The statements of a small paper, as docs/your-paper.md declares them."""

import eqvproof as ep
from eqvproof.statements import Equivariance, Identity


def gram_layer(X):
    return X @ (X.T @ X)


def layer(X, Z):
    return gram_layer(X) + Z @ (Z.T @ X)


def centred(X):
    return X - X.mean(axis=1, keepdims=True)


orthogonal = ep.Proposition(
    id="layer.prop1",
    place="Proposition 1",
    printed="f(X, Z) = X X^T X + Z Z^T X satisfies f(Q X, Q Z) = Q f(X, Z) for every orthogonal Q",
    claim=Equivariance(layer, "X: d n, Z: d k -> d n", under="O(d)"),
)
translation = ep.Remark(
    id="layer.remark2",
    place="Remark 2",
    printed="the layer commutes with translations of the columns of X",
    claim=Equivariance(gram_layer, "X: d n -> d n", under="T(d)"),
    reading="Z = 0; the same vector is added to every column, before and after",
    repaired=ep.Remark(
        id="layer.remark2.repaired",
        place="Remark 2",
        printed="it does not see translations once the columns are centred",
        claim=Equivariance(lambda X: gram_layer(centred(X)), "X: d n -> d! n", under="T(d)"),
    ),
)
form = ep.Lemma(
    id="layer.lemma3",
    place="Lemma 3",
    printed="X X^T X = (X X^T) X",
    claim=Identity(gram_layer, lambda X: (X @ X.T) @ X, "X: d n -> d n"),
)
