"""Layer normalisation of coordinates."""

import numpy as np

from eqvproof.papers.library.lec22.layernorm import layernorm
from eqvproof.papers.statements import Equivariance, Remark

STATEMENT = Remark(
    id="classics.norm.layer",
    place="on Ba and others 2016, used for coordinates",
    printed="layer normalisation over the coordinates of each point commutes with rotations",
    claim=Equivariance(
        lambda X, eps: layernorm(X, eps, 1, 0),
        "X: n d, eps: () -> n d",
        under="SO(d)",
        domain=lambda x: x["eps"] > 0,
        where="eps > 0",
    ),
    reading="without gain and shift, in any dimension; a frequent slip",
).repaired_as(
    printed="x_i / sqrt(|x_i|^2 / d + eps), without subtracting the mean of the coordinates, does",
    claim=Equivariance(
        lambda X, eps: X / np.sqrt((X * X).mean(1, keepdims=True) + eps),
        "X: n d, eps: () -> n d",
        under="O(d)",
    ),
    reading="root mean square normalisation without gain (Zhang and Sennrich 2019), and with"
    " reflections",
)
