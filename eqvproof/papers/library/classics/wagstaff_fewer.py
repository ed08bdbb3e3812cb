"""Multisets of M numbers under M - 1 power sums."""

from functools import partial

from eqvproof.papers.library.classics.pooling import power_sums
from eqvproof.papers.library.lec22.codes import multisets
from eqvproof.papers.statements import Injective, Remark

family = partial(multisets, range(3, 5), 7)

STATEMENT = Remark(
    id="classics.wagstaff.fewer",
    place="on Wagstaff and others 2019, necessity of a latent space of dimension M",
    printed="phi(x) = (x, x^2, .., x^{M-1}) has different sums for different multisets of M"
    " numbers",
    claim=Injective(
        lambda X: power_sums(X, len(X) - 1), "X: elements -> sums", family, "multisets"
    ),
    reading=(
        "the theorem excludes every continuous phi with fewer than M values, by topology; one phi"
        " is checked, for M at least 3 (M = 2: classics.deepsets.one-sum)",
        "the universe is 0, .., 6",
    ),
).repaired_as(
    printed="phi(x) = (x, x^2, .., x^M) has different sums for different multisets of M numbers",
    claim=Injective(lambda X: power_sums(X, len(X)), "X: elements -> sums", family, "multisets"),
    reading="for all numbers: classics.wagstaff.enough",
)
