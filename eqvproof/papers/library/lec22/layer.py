"""The equivariant layer of the slides."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Conjunction, Equivariance, Proposition

sigma = ep.opaque("sigma", "M: n r -> n r", under="S(n) x S(r)", example=lambda M: M * M)
SIGNATURE = "x: n d, L: d r, G: d r -> n r"


def linear(x: Array, L: Array, G: Array) -> Array:
    """Computes x Lambda - 1 1^T x Gamma."""
    ones = np.ones(x.shape[0])
    return x @ L - np.outer(ones, ones) @ x @ G


STATEMENT = Proposition(
    id="lec22.layer",
    place="Deep Sets, Equivariant Architecture",
    formal="Rows.lec22_layer",
    printed="f(x) = sigma(x Lambda - 1 1^T x Gamma) is permutation equivariant",
    claim=Conjunction(
        {
            "any sigma": Equivariance(
                lambda x, L, G: sigma(linear(x, L, G)), SIGNATURE, under="S(n)"
            ),
            "sigma = tanh": Equivariance(
                lambda x, L, G: np.tanh(linear(x, L, G)), SIGNATURE, under="S(n)"
            ),
        }
    ),
    reading="x has n elements as rows; Lambda and Gamma, d x r, are any matrices; sigma is applied"
    " to every entry; the proof only uses that its values are permuted with the entries",
)
