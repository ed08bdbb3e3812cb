"""The order of the printed softmax outputs, compared with that of the printed scores."""

import numpy as np

from eqvproof.papers.library.lec22.scores import WORDS, scores, weights
from eqvproof.papers.statements import Array, Conjunction, Identity, Instance, Remark


def wrong_pairs(s: Array, w: Array) -> Array:
    """Counts the pairs (i, j) with s_i > s_j and w_i < w_j."""
    larger, smaller = s[:, None] > s[None, :], w[:, None] < w[None, :]
    return np.where(larger & smaller, 1, 0).sum()


STATEMENT = Remark(
    id="lec22.softmax.order",
    place="Multi-Head Attention, the tables before and after the softmax",
    printed="each row of the printed table after the softmax keeps the order of the printed scores"
    " (ties allowed)",
    claim=Conjunction(
        {
            f"row '{word}'": Instance(
                wrong_pairs, lambda s, w: 0, "s: 4, w: 4 -> ()", {"s": scores(i), "w": weights(i)}
            )
            for i, word in enumerate(WORDS)
        }
    ),
    reading=(
        "ties allowed: s_i > s_j forbids w_i < w_j only; dividing the scores by a square root"
        " before the softmax does not change "
        "their order",
        "we check that no pair of a row is in the wrong order",
    ),
).repaired_as(
    printed="the softmax of any scores keeps their order: softmax_j - softmax_i = softmax_i"
    " (e^{s_j - s_i} - 1)",
    claim=Identity(
        lambda s, a, b: (np.exp(b) - np.exp(a)) / np.exp(s).sum(),
        lambda s, a, b: np.exp(a) / np.exp(s).sum() * (np.exp(b - a) - 1),
        "s: n, a: (), b: () -> ()",
    ),
    assumptions="e^t >= 1 for t >= 0, and e^t > 0",
    reading="a = s_i and b = s_j; the identity holds for any numbers a, b. For b >= a the right"
    " side is not negative",
)
