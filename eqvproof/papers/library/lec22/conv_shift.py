"""Convolutions commute with shifts."""

import numpy as np

from eqvproof.papers.library.lec22.circulants import circulant
from eqvproof.papers.statements import AtSizes, Equivariance, Identity, Illustrated, Proposition

STATEMENT = Proposition(
    id="lec22.conv.shift",
    place="Translation and Shift Equivariance",
    formal="Rows.lec22_conv_shift",
    printed="convolution is translation equivariant: Conv(Shift(X)) = Shift(Conv(X))",
    claim=Illustrated(
        Equivariance(lambda C, X: C @ X, "C: n n, X: n c -> n c", under="C(n)"),
        {
            "C(w) for filters w, shift by one": AtSizes(
                lambda sizes: Identity(
                    lambda w, x: circulant(w) @ np.roll(x, 1),
                    lambda w, x: np.roll(circulant(w) @ x, 1),
                    "w: {n}, x: {n} -> {n}".format(**sizes),
                ),
                tuple({"n": n} for n in range(1, 6)),
            )
        },
    ),
    reading=(
        "convolution on a circle of n points: multiplication by a circulant matrix, as the slides"
        " have it; shifts are cyclic. With "
        "zeros beyond the ends, instead of a circle, the ends would differ",
        "judged is (P C P^T) (P X) = P (C X) for all shifts P and all C; circulant C are those"
        " with P C P^T = C",
    ),
)
