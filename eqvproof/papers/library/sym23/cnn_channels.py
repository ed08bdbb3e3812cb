"""Convolutions with several channels."""

import numpy as np

from eqvproof.papers.library.sym23.convolution import correlation
from eqvproof.papers.statements import Conjunction, Identity, Remark

SIGNATURE = "x: h w c, W: 3 3 c r -> h w r"

STATEMENT = Remark(
    id="sym23.cnn.channels",
    place="Architectures, CNN",
    printed="C_theta(x)(u, v)_c' = sum_i sum_j sum_c w_{i,j,c,c'} x(u + i, v + j)_c is translation"
    " equivariant",
    claim=Conjunction(
        {
            f"by one {name}": Identity(
                lambda x, W, axis=axis: correlation(np.roll(x, 1, axis=axis), W),
                lambda x, W, axis=axis: np.roll(correlation(x, W), 1, axis=axis),
                SIGNATURE,
            )
            for axis, name in enumerate(("row", "column"))
        }
    ),
    reading=(
        "on a torus of h x w points, from signals with c channels to signals with c' (written r);"
        " translations are composed of those by one row and by one column",
        "the filter is 3 x 3 with any weights; smaller filters have zero weights, larger ones are"
        " not checked",
    ),
)
