"""The dependence of softmax attention on the multiplicities of elements."""

import numpy as np

from eqvproof.papers.statements import Array, Identity, NotFor, Remark


def weights(m: Array, q: Array, X: Array) -> Array:
    """Computes m_j exp(q . x_j): the weight of x_j when it occurs m_j times."""
    return m * np.exp(X @ q)


def attention_with_counts(m: Array, q: Array, X: Array) -> Array:
    """Computes the attention of q to the list that holds x_j m_j times."""
    return (weights(m, q, X) / weights(m, q, X).sum()) @ X


STATEMENT = Remark(
    id="classics.settransformer.counts",
    place="on Lee and others 2019, pooling by multihead attention",
    printed="softmax attention to a multiset tells it from the one that holds every element t"
    " times as often",
    claim=NotFor(
        Identity(
            lambda m, q, X, t: attention_with_counts(np.exp(t) * np.exp(m), q, X),
            lambda m, q, X, t: attention_with_counts(np.exp(m), q, X),
            "m: n, q: c, X: n c, t: () -> c",
        )
    ),
    reading=(
        "the claim is that the two values are not equal; x_j occurs exp(m_j) times, and exp(t)"
        " times as often: multiplicities are any positive numbers",
    ),
).repaired_as(
    printed="the sum of the weights m_j exp(q . x_j), by which softmax divides, does: it is t"
    " times as large",
    claim=Identity(
        lambda m, q, X, t: weights(t * m, q, X).sum(),
        lambda m, q, X, t: t * weights(m, q, X).sum(),
        "m: n, q: c, X: n c, t: () -> ()",
    ),
    reading="for positive m the sum is not 0, so that it determines t",
)
