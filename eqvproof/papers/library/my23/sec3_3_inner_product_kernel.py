"""The inner product kernel is a quadratic form."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Conjunction, Identity, Remark

sigma = ep.opaque("sigma", "M: n n -> n n")


def products(Y: Array) -> Array:
    """Computes y_i^T y_j for every pair, n x n."""
    return (Y[:, :, None] * Y[:, None, :]).sum(0)


STATEMENT = Remark(
    id="my23.sec3.3.inner-product-kernel",
    place="§3.3, A perspective from kernels",
    formal="Rows.my23_sec3_3_inner_product_kernel",
    printed="the kernel K(x, y) = sigma(x^T y) gives g(Y) = (K(y_i, y_j))_ij = sigma(Y^T Y)",
    claim=Conjunction(
        {
            "any sigma": Identity(
                lambda Y: sigma(products(Y)), lambda Y: sigma(Y.T @ Y), "Y: k n -> n n"
            ),
            "sigma = tanh": Identity(
                lambda Y: np.tanh(products(Y)), lambda Y: np.tanh(Y.T @ Y), "Y: k n -> n n"
            ),
        }
    ),
    reading="sigma, applied to every entry, is left uninterpreted as a function of the matrix of"
    " all x^T y",
)
