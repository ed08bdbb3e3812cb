"""The action on signals without the inverse."""

from collections.abc import Iterator
from itertools import permutations, product

import numpy as np

from eqvproof.papers.library.sym23.finite import matrix
from eqvproof.papers.statements import Array, Case, Enumeration, NotFor, Remark

LARGEST = 3


def act_without_inverse(G: Array, x: Array) -> Array:
    """Computes x(g.u) as a function of the point u: G e_u = e_{g.u}."""
    return G.T @ x


def pairs() -> Iterator[Case]:
    """Yields all g, h in S_n, and a signal that separates all points, for n up to 3."""
    for n in range(1, LARGEST + 1):
        for g, h in product(permutations(range(n)), repeat=2):
            yield Case({"n": n}, {"G": matrix(g), "H": matrix(h), "x": np.arange(n)})


STATEMENT = Remark(
    id="sym23.action.no-inverse",
    place="Framework, Group Actions",
    printed="with (g * x)(u) := x(g.u), without the inverse, *_g o *_h = *_{gh} does not hold",
    claim=NotFor(
        Enumeration(
            lambda G, H, x: act_without_inverse(G, act_without_inverse(H, x)),
            lambda G, H, x: act_without_inverse(G @ H, x),
            "G: n n, H: n n, x: n -> n",
            pairs,
            "all pairs of permutations of n points",
        )
    ),
    reading=(
        "does not hold: not for every group. It holds for commutative groups, since *_g o *_h is"
        " *_{hg} here",
        "g is given by its permutation matrix G, and g h by G H; we try the symmetric groups of n"
        " points, n from 1 up",
    ),
)
