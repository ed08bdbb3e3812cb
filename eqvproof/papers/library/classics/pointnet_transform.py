"""Rotation invariance of PointNet with a predicted change of coordinates."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Equivariance, ForEvery, Remark

weights = ep.opaque(
    "A", "G: n n, s: p -> n p", under="S(n)", example=lambda G, s: G.sum(1)[:, None] * s
)

STATEMENT = Remark(
    id="classics.pointnet.transform",
    place="on Qi and others 2017, joint alignment",
    printed="X -> max over points of X T(X), T(X) a 3 x 3 matrix that is predicted from the"
    " points, is invariant to rotations",
    claim=ForEvery(
        {
            "T(X) = I + X^T X": Equivariance(
                lambda X: (X @ (np.eye(3) + X.T @ X)).max(0), "X: n 3 -> 3!", under="SO(3)"
            ),
        }
    ),
    reading="a question to the paper, which pursues this by training; the statement is about every"
    " T, and checked for one",
).repaired_as(
    printed="it is invariant when T(X) = X^T A(X X^T), since then X Q T(X Q) = X T(X) for"
    " orthogonal Q",
    claim=Equivariance(
        lambda X, s: (X @ (X.T @ weights(X @ X.T, s))).max(0),
        "X: n d, s: p -> p",
        under="O(d) x S(n)",
    ),
    reading="A is any function of the inner products that permutes its rows with the points, left"
    " uninterpreted; in any dimension d",
)
