"""Root mean square normalisation with a gain."""

import numpy as np

from eqvproof.papers.statements import Array, Equivariance, Remark


def rms_norm(X: Array, eps: Array, gain: Array) -> Array:
    """Computes gain x_i / sqrt(|x_i|^2 / d + eps)."""
    return gain * (X / np.sqrt((X * X).mean(1, keepdims=True) + eps))


STATEMENT = Remark(
    id="classics.norm.gain",
    place="on Zhang and Sennrich 2019, used for coordinates",
    printed="root mean square normalisation with a gain for each coordinate commutes with"
    " rotations and reflections",
    claim=Equivariance(
        rms_norm,
        "X: n d, eps: (), gain: d! -> n d",
        under="O(d)",
        domain=lambda x: x["eps"] > 0,
        where="eps > 0",
    ),
    reading="the gain is learned, and stays fixed when the points are rotated",
).repaired_as(
    printed="it does with one gain for all coordinates",
    claim=Equivariance(rms_norm, "X: n d, eps: (), gain: () -> n d", under="O(d)"),
)
