"""Janossy pooling: the mean of a function over all orders of its arguments."""

from itertools import permutations

import eqvproof as ep
from eqvproof.papers.statements import Array, Equivariance, Proposition

f = ep.opaque(
    "f",
    "a: d, b: d, c: d, s: p -> p",
    example=lambda a, b, c, s: a.sum() * b.sum() ** 2 * c.sum() ** 3 * s,
)


def mean_over_orders(X: Array, s: Array) -> Array:
    """Averages f over the six orders of three elements."""
    return sum(f(X[i], X[j], X[k], s) for i, j, k in permutations(range(3))) / 6


STATEMENT = Proposition(
    id="classics.janossy.orders",
    place="Murphy and others 2019, the pooling itself",
    formal="Rows.classics_janossy_orders",
    printed="the mean of f(x_{pi(1)}, .., x_{pi(n)}) over all permutations pi is permutation"
    " invariant, for any f",
    claim=Equivariance(
        mean_over_orders, "X: 3 d, s: p -> p", under="S(3)", sizes={"d": (1, 2), "p": (1, 2)}
    ),
    reading="checked for n = 3; f is any function, left uninterpreted, with p values; s only"
    " carries this size",
)
