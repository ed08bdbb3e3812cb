"""A two-layer network after the coefficients."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Conjunction, Equivariance, Remark

f = ep.opaque("f", "X: d n, Z: d k -> d n", under="S(n)", example=lambda X, Z: X + (Z * Z).sum())
sigma = ep.opaque("sigma", "M: p n -> p n", under="S(p) x S(n)", example=lambda M: M * M)
SIGNATURE = "X: d n, Z: d k, U: p d, V: r p -> r n"

STATEMENT = Remark(
    id="my23.sec5.nonlinear-readout",
    place="§5, The evolution of embeddings, (5.2)",
    formal="Rows.my23_sec5_nonlinear_readout",
    printed="V sigma(U X g(Z^T X)) satisfies Definition 4.1, sigma elementwise",
    claim=Conjunction(
        {
            "any sigma": Equivariance(
                lambda X, Z, U, V: V @ sigma(U @ f(X, Z)), SIGNATURE, under="S(n)"
            ),
            "sigma = tanh": Equivariance(
                lambda X, Z, U, V: V @ np.tanh(U @ f(X, Z)), SIGNATURE, under="S(n)"
            ),
        }
    ),
    assumptions="X g(Z^T X) satisfies Definition 4.1, as in (B.1)",
    reading=(
        "f(X, Z) = X g(Z^T X) is any function with f(X P, Z) = f(X, Z) P; U and V stay fixed",
        "the proof only uses that sigma permutes the columns of its value with those of its"
        " argument",
    ),
)
