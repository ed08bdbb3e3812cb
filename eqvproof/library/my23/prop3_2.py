"""Proposition 3.2: orthogonal equivariant functions with knowledge."""

import random
from collections.abc import Callable, Iterator

import numpy as np

from eqvproof.library.my23 import prop3_1, prop3_2_block
from eqvproof.library.my23.notation import Array
from eqvproof.library.my23.points import coefficients, pairs, value
from eqvproof.statements import Case, Condition, Conjunction, Construction, Equivariance, Proposition, Steps

#: Equivariant functions with knowledge that are not written in the form (3.1).
EQUIVARIANT: dict[str, Callable[[Array, Array], Array]] = {
    "Z Z^T X": lambda X, Z: Z @ Z.T @ X,
    "X X^T Z Z^T X": lambda X, Z: X @ X.T @ Z @ Z.T @ X,
    "(I + Z Z^T)^-1 X": lambda X, Z: np.linalg.inv(np.eye(Z.shape[0]) + Z @ Z.T) @ X,
}


def cases(rng: random.Random) -> Iterator[Case]:
    """[X, Z] and [Q X, Q Z], cut after n columns."""
    for left, right in pairs(rng):
        total = left.shape[1]
        for f in EQUIVARIANT.values() if total > 1 else ():
            n = rng.randint(1, total - 1)
            values = [value(f, side[:, :n], side[:, n:]) for side in (left, right)]
            sizes = {"d": left.shape[0], "n": n, "k": total - n}
            yield Case(sizes, {"left": left, "right": right, "values": values, "n": n})


def build(left: Array, right: Array, values: list[Array], n: int) -> list[Array]:
    """g = [g1; g2] at both."""
    return [coefficients(left, values[0]), coefficients(right, values[1])]


def conditions(g: list[Array], left: Array, right: Array, values: list[Array], n: int) -> list[Condition]:
    """(3.1) at one point, and the same g at the other."""
    form = left[:, :n] @ g[0][:n] + left[:, n:] @ g[0][n:]
    return [Condition("f(X, Z) = X g1 + Z g2", form, values[0]), Condition("g(Q X, Q Z) = g(X, Z)", g[0], g[1])]


STATEMENT = Proposition(
    id="my23.prop3.2",
    place="§3.2, Proposition 3.2, (3.1)",
    printed="every f as in Definition 3.2 is X g_1(X^T X, Z^T X, Z^T Z) + Z g_2(X^T X, Z^T X, Z^T Z), g_1, g_2 independent of Z",
    claim=Steps(
        Conjunction(
            {
                **{f"{name} is equivariant": Equivariance(f, "X: d n, Z: d k -> d n", "O(d)") for name, f in EQUIVARIANT.items()},
                "the form (3.1)": Construction(cases, build, conditions),
            }
        ),
        steps=(prop3_1.STATEMENT, prop3_2_block.STATEMENT),
        passage="Proposition 3.1 for f as a function of [X, Z], for each number of columns n + k; k is fixed, so that n and "
        "the cut are known from n + k",
    ),
    reading=(
        "f is equivariant with knowledge Z for all Z, and one pair g_1, g_2 serves all Z. Read for a single Z, the "
        "hypothesis holds along with it for every Q Z, and the same proof works on these",
    ),
)
