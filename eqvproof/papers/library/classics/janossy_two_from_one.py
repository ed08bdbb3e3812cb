"""Sums over pairs and sums over elements."""

import numpy as np

from eqvproof.papers.statements import Array, Identity, Remark


def over_pairs(x: Array) -> Array:
    """Computes sum of x_i x_j over i != j."""
    return (np.outer(x, x) * (1 - np.eye(x.shape[0]))).sum()


STATEMENT = Remark(
    id="classics.janossy.two-from-one",
    place="on Murphy and others 2019, k-ary pooling",
    printed="sum over i != j of x_i x_j is sum over i of phi(x_i) for some phi",
    claim=Identity(
        lambda x, y, u, v: over_pairs(np.stack([x, y])) + over_pairs(np.stack([u, v])),
        lambda x, y, u, v: over_pairs(np.stack([x, v])) + over_pairs(np.stack([u, y])),
        "x: (), y: (), u: (), v: () -> ()",
    ),
    reading=(
        "if F(x, y) = phi(x) + phi(y), then F(x, y) + F(u, v) = F(x, v) + F(u, y) = phi(x) +"
        " phi(y) + phi(u) + phi(v): this equation is checked",
        "phi alone, without a function rho of the sum",
    ),
).repaired_as(
    printed="it is rho(sum over i of phi(x_i)) with phi(x) = (x, x^2) and rho(s, q) = s^2 - q",
    claim=Identity(over_pairs, lambda x: x.sum() ** 2 - (x * x).sum(), "x: n -> ()"),
)
