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
        "convolution on a circle of n points is multiplication by a circulant matrix, as on the"
        " slides; shifts are cyclic. With zero padding instead of a circle, the ends would differ",
        "we check (P C P^T) (P X) = P (C X) for all shifts P and all C; C is circulant if P C P^T"
        " = C",
    ),
)
