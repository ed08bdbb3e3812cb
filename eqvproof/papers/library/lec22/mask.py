"""Masked attention."""

import numpy as np

from eqvproof.papers.library.lec22.attention import softmax
from eqvproof.papers.statements import Array, Identity, Illustrated, Proposition


def output(q: Array, X: Array, Y: Array, WK: Array, WV: Array) -> Array:
    """Computes output i of masked attention, whose query is q.

    X are the inputs up to i (mask 1), Y those after i (mask 0).
    """
    now, later = 1 * np.exp(X @ WK @ q), 0 * np.exp(Y @ WK @ q)
    return (now @ X @ WV + later @ Y @ WV) / (now.sum() + later.sum())


def layer(X: Array, WQ: Array, WK: Array, WV: Array) -> Array:
    """Computes all outputs of attention with a triangular mask."""
    weights = np.tri(X.shape[0]) * np.exp((X @ WQ) @ (X @ WK).T)
    return (weights / weights.sum(1, keepdims=True)) @ X @ WV


def output_without_future(q: Array, X: Array, WK: Array, WV: Array) -> Array:
    """Computes output i when there are no inputs after i."""
    return softmax(X @ WK @ q) @ X @ WV


STATEMENT = Proposition(
    id="lec22.mask",
    place="Masked Multi-Head Attention",
    printed="with the mask that prevents attending to the future, output i does not depend on the"
    " inputs after i",
    claim=Illustrated(
        Identity(
            output,
            lambda q, X, Y, WK, WV: output_without_future(q, X, WK, WV),
            "q: r, X: n d, Y: k d, WK: d r, WV: d f -> f",
        ),
        {
            "the layer, with a triangular mask": Identity(
                lambda X, Y, WQ, WK, WV: layer(np.concatenate([X, Y], axis=0), WQ, WK, WV)[
                    : X.shape[0]
                ],
                lambda X, Y, WQ, WK, WV: layer(X, WQ, WK, WV),
                "X: n 1, Y: k 1, WQ: 1 1, WK: 1 1, WV: 1 1 -> n 1",
                sizes={"n": (1, 3), "k": (1, 2)},
            )
        },
    ),
    reading=(
        "masked scores are -infinity, which the softmax turns into weights 0: the sums over all"
        " inputs are written in two parts, up to "
        "i and after i",
        "the query of output i is computed from input i, one of X; here it is any vector q",
    ),
)
