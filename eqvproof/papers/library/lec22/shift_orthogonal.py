"""The shift operator."""

import numpy as np

from eqvproof.papers.library.lec22.circulants import shift
from eqvproof.papers.statements import Conjunction, Equivariance, Identity, Remark

STATEMENT = Remark(
    id="lec22.shift.orthogonal",
    place="Translation and Shift Operator",
    printed="S S^T = S^T S = I for the shift operator S, which is a circulant matrix",
    formal="Rows.lec22_shift_orthogonal",
    claim=Conjunction(
        {
            "S x is x, shifted": Identity(
                lambda x: shift(x.shape[0]) @ x, lambda x: np.roll(x, 1), "x: n -> n"
            ),
            "S^T S = I": Equivariance(lambda X: X.T @ X, "X: n c -> c c", under="C(n)"),
            "S S^T = I": Equivariance(lambda x: np.eye(x.shape[0]), "x: n -> n n", under="C(n)"),
            "S is circulant": Equivariance(
                lambda x: shift(x.shape[0]), "x: n -> n n", under="C(n)"
            ),
        }
    ),
    reading=(
        "S has ones at (2, 1), (3, 2), .., (1, n); its powers P are the cyclic shifts, which form"
        " the group C(n)",
        "S^T S = I is written as (P X)^T (P X) = X^T X for all X, and S S^T = I as P I P^T = I,"
        " for all shifts P; circulant: P S P^T = S",
    ),
)
