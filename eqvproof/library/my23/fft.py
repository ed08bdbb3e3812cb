"""Invariant functions depend on inner products only."""

import random
from collections.abc import Callable, Iterator

import numpy as np

from eqvproof.library.my23 import gram_orbit
from eqvproof.library.my23.notation import Array
from eqvproof.library.my23.points import pairs, value
from eqvproof.statements import Case, Condition, Conjunction, Construction, Equivariance, ProofStep, Steps

#: Invariant functions that are written with X X^T, not with X^T X.
INVARIANT: dict[str, Callable[[Array], Array]] = {
    "tr (X X^T)^2": lambda X: np.trace(X @ X.T @ X @ X.T),
    "det(I + X X^T)": lambda X: np.linalg.det(np.eye(X.shape[0]) + X @ X.T),
    "X^T (I + X X^T)^-1 X": lambda X: (X.T @ np.linalg.inv(np.eye(X.shape[0]) + X @ X.T) @ X).sum(),
}


def cases(rng: random.Random) -> Iterator[Case]:
    """Pairs with X^T X = Y^T Y."""
    for X, Y in pairs(rng):
        yield Case(dict(zip("dn", X.shape, strict=True)), {"X": X, "Y": Y})


def build(X: Array, Y: Array) -> list[Array]:
    """The values at X."""
    return [value(g, X) for g in INVARIANT.values()]


def conditions(at_x: list[Array], X: Array, Y: Array) -> list[Condition]:
    """Equal values at Y."""
    return [
        Condition("g(X) = g(Y)", left, value(g, Y)) for left, g in zip(at_x, INVARIANT.values(), strict=True)
    ]


STATEMENT = ProofStep(
    id="my23.prop3.1.fft",
    place="Appendix A",
    printed="a function g with g(Q X) = g(X) for all orthogonal Q depends on X through X^T X only",
    claim=Steps(
        Conjunction(
            {
                **{
                    f"{n} is invariant": Equivariance(g, "X: d n -> ()", "O(d)") for n, g in INVARIANT.items()
                },
                "g(X) = g(Y) when X^T X = Y^T Y": Construction(cases, build, conditions),
            }
        ),
        steps=(gram_orbit.STATEMENT,),
        passage="X = Q Y gives g(X) = g(Q Y) = g(Y)",
    ),
    reading=(
        "g is any function, not only a polynomial, so that the theorem cited there does not speak of it; what is used is "
        "that X^T X = Y^T Y puts X and Y in one orbit",
    ),
)
