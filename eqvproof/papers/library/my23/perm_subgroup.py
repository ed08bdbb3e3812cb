"""The permutations of the embedding dimensions are orthogonal."""

import numpy as np

from eqvproof.papers.statements import Conjunction, Equivariance, Remark

STATEMENT = Remark(
    id="my23.perm-subgroup",
    place="§1",
    formal="Rows.my23_perm_subgroup",
    printed="O(d) contains the group of the d x d permutation matrices",
    claim=Conjunction(
        {
            "P^T P = I": Equivariance(lambda X: X.T @ X, "X: d n -> n n", under="S(d)"),
            "P P^T = I": Equivariance(lambda X: np.eye(X.shape[0]), "X: d n -> d d", under="S(d)"),
        }
    ),
    reading=(
        "contains: every permutation matrix P of the d coordinates satisfies P^T P = P P^T = I;"
        " the product of both groups is the matrix product, so that nothing else is to be shown",
        "P^T P = I is written as (PX)^T (PX) = X^T X for all X and n (the equation itself is the"
        " case X = I), and P P^T = I as P I P^T = I; both for every P in S(d)",
    ),
)
