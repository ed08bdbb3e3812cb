"""The statement that one sum determines a set of two numbers, and its repair by two sums."""

from collections.abc import Iterator
from itertools import combinations

from eqvproof.papers.library.classics.pooling import power_sums
from eqvproof.papers.statements import Case, Identity, Injective, Remark


def pairs() -> Iterator[Case]:
    """Yields all sets of two numbers among 0, .., 4."""
    for X in combinations(range(5), 2):
        yield Case({"elements": 2}, {"X": X})


STATEMENT = Remark(
    id="classics.deepsets.one-sum",
    place="on Zaheer and others 2017, Theorem 2; Wagstaff and others 2019",
    printed="the sum of the elements tells one set of two numbers from another: phi(x) = x will do",
    claim=Injective(
        lambda X: power_sums(X, 1), "X: elements -> sums", pairs, "sets of two numbers"
    ),
    reading="a question to the papers: phi(x) = x has a single value",
).repaired_as(
    printed="two sums do: x + y and x^2 + y^2 determine the set {x, y}",
    claim=Identity(
        lambda x, y, t: (t - x) * (t - y),
        lambda x, y, t: t**2 - (x + y) * t + ((x + y) ** 2 - (x**2 + y**2)) / 2,
        "x: (), y: (), t: () -> ()",
    ),
    reading="determine: the polynomial (t - x) (t - y), whose roots are x and y, is computed from"
    " the two sums",
)
