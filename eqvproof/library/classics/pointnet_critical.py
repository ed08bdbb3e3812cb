"""Critical points of a point cloud."""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from eqvproof.library.classics.pooling import Array
from eqvproof.statements import Case, Choice, Condition, Theorem


def features() -> Iterator[Case]:
    """All n x K arrays of features with entries 0, 1, 2, for small n and K."""
    for n, K in ((1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (4, 2)):
        for entries in product(range(3), repeat=n * K):
            yield Case({"n": n, "K": K}, {"H": np.array(entries, dtype=object).reshape(n, K)})


def few_points(H: Array) -> Iterator[list[int]]:
    """The sets of at most K points."""
    n, K = H.shape
    for count in range(1, min(n, K) + 1):
        yield from map(list, combinations(range(n), count))


def same_maximum(points: list[int], H: Array) -> list[Condition]:
    """The maximum over these points is that over all."""
    return [Condition("one maximum", H[points].max(0), H.max(0))]


STATEMENT = Theorem(
    id="classics.pointnet.critical",
    place="Qi and others 2017, Theorem 2",
    printed="at most K points, K the number of max-pooled features, determine what PointNet gives for a point cloud",
    claim=Choice(features, few_points, same_maximum, "set of at most K points"),
    reading=(
        "the points matter through their features h(x_i), the rows of H; gamma is applied to equal maxima",
        "exact for all features with entries 0, 1, 2 at some n and K: only the order of the entries of a column matters",
    ),
)
