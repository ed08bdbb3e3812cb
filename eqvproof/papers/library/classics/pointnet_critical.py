"""Critical points of a point cloud."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from eqvproof.papers.statements import Array, Case, Choice, Theorem


def features() -> Iterator[Case]:
    """Yields all n x K arrays of features with entries 0, 1, 2, for small n and K."""
    for n, K in ((1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (3, 2)):
        for entries in product(range(3), repeat=n * K):
            yield Case({"n": n, "K": K}, {"H": np.array(entries, dtype=object).reshape(n, K)})


def few_points(H: Array) -> Iterator[dict[str, Array]]:
    """Yields all choices of K points, not necessarily different, as matrices S.

    A row of S is the unit vector of a point.
    """
    n, K = H.shape
    for points in product(range(n), repeat=K):
        yield {"S": np.eye(n, dtype=int)[list(points)]}


STATEMENT = Theorem(
    id="classics.pointnet.critical",
    place="Qi and others 2017, Theorem 2",
    printed="at most K points, K the number of max-pooled features, determine what PointNet gives"
    " for a point cloud",
    claim=Choice(
        lambda S, H: (S @ H).max(0),
        lambda S, H: H.max(0),
        "S: K n, H: n K -> K",
        features,
        few_points,
        "set of at most K points",
    ),
    reading=(
        "the points matter only through their features h(x_i), the rows of H; the features of the"
        " chosen points are the rows of S H; gamma is applied to equal maxima",
        "exact for all features with entries 0, 1, 2 at some n and K; only the order of the"
        " entries of a column matters",
    ),
)
