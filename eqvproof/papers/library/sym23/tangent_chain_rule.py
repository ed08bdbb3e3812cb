"""The derivative of a model along a transformation of its input."""

from collections.abc import Mapping

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Array, Conjunction, Identity, Remark

r = ep.opaque("r", "v: n, s: m -> m")


def quotient(J: Array, tau: Array, e: Array, s: Array, xi: Array) -> Array:
    """Computes (y(xi.x) - y(x)) / xi for y(x + v) = y(x) + J v + r(v).

    xi.x = x + v with v = xi tau + xi e.
    """
    v = xi * tau + xi * e
    return (J @ v + r(v, s)) / xi


def expanded_quotient(J: Array, tau: Array, e: Array, s: Array, xi: Array) -> Array:
    """Computes sum_j J_ij tau_j, plus two terms that vanish with xi."""
    v = xi * tau + xi * e
    return np.einsum("ij,j->i", J, tau) + (J @ e + r(v, s) / xi)


def is_nonzero(inputs: Mapping[str, Array]) -> bool:
    """Checks whether xi != 0."""
    return bool(inputs["xi"] != 0)


STATEMENT = Remark(
    id="sym23.tangent.chain-rule",
    place="Setup, sidenote on tangent propagation",
    printed="d y_i(xi.x) / d xi at xi = 0 is sum_{j=1}^n (d y_i / d x_j) (d (xi.x)_j / d xi) =:"
    " sum_j J_ij tau_j",
    claim=Conjunction(
        {
            "(y(xi.x) - y(x)) / xi = J tau + J e + r(xi (tau + e)) / xi": Identity(
                quotient,
                expanded_quotient,
                "J: m n, tau: n, e: n, s: m, xi: () -> m",
                domain=is_nonzero,
                where="xi != 0",
            ),
            "J_ij is the i-th entry of J e_j": Identity(
                lambda J: np.einsum("ij,jk->ik", J, np.eye(J.shape[1])),
                lambda J: J,
                "J: m n -> m n",
            ),
        }
    ),
    assumptions="y is differentiable at x, and xi.x, with 0.x = x, is differentiable in xi at 0"
    " (not printed)",
    reading=(
        "differentiable means y(x + v) = y(x) + J v + r(v) with r(v) / |v| -> 0, and xi.x = x + xi"
        " tau + xi e(xi) with "
        "e(xi) -> 0; r is left uninterpreted, e is any vector",
        "we check the difference quotient; J e and r(xi (tau + e)) / xi go to 0 with xi by the"
        " definition of differentiability",
        "s, of length m, only carries the number of values of y",
    ),
)
