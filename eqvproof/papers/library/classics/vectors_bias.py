"""A linear layer of Vector Neurons with a bias."""

from eqvproof.papers.statements import Array, Equivariance, Remark


def linear_with_bias(W: Array, V: Array, b: Array) -> Array:
    """Computes W V + b."""
    return W @ V + b


STATEMENT = Remark(
    id="classics.vectors.bias",
    place="on Deng and others 2021, linear layer",
    printed="V -> W V + b with learned vectors b commutes with rotations",
    claim=Equivariance(linear_with_bias, "W: e c, V: c d, b: e d! -> e d", under="O(d)"),
    reading="a question to the paper, whose layer has no bias: b stays fixed when V is rotated",
).repaired_as(
    printed="it does when b is rotated with V, as the mean of the vectors times learned numbers is",
    claim=Equivariance(
        lambda W, V, b: linear_with_bias(W, V, b[:, None] * V.mean(0)),
        "W: e c, V: c d, b: e -> e d",
        under="O(d)",
    ),
)
