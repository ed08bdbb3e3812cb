"""The coefficients X^+ f(X, Z): their equivariance, and the choice g~ = X^+ f at any rank."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import numpy as np

import eqvproof as ep
from eqvproof.papers.library.my23.factoring import coefficients
from eqvproof.papers.library.my23.points import exact, sequences
from eqvproof.papers.statements import (
    Array,
    Case,
    Claim,
    Condition,
    Equivariance,
    Identity,
    Implies,
)

f = ep.opaque("f", "X: d n, Z: d k -> d n", under="S(n)", example=lambda X, Z: X + (Z * Z).sum())
#: Any function with p(P^T G P) = P^T p(G) P, such as the inverse and the pseudo-inverse.
p = ep.opaque("p", "G: n n -> n n", under="S(n)", example=lambda G: G @ G)

#: The claim that X^+ f(X, Z), written as p(X^T X) X^T f(X, Z), is equivariant.
COEFFICIENTS_ARE_EQUIVARIANT = Equivariance(
    lambda X, Z: p(X.T @ X) @ X.T @ f(X, Z), "X: d n, Z: d k -> n n", under="S(n)"
)


def left_inverse(X: Array) -> Array:
    """Computes X^+ = (X^T X)^-1 X^T."""
    return np.linalg.inv(X.T @ X) @ X.T


def left_inverse_is_equivariant(sizes: Mapping[str, int]) -> Claim:
    """Claims (X P)^+ = P^T X^+ at given sizes, where X has full column rank."""
    return Equivariance(
        left_inverse,
        "X: d n -> n d",
        under="S(n)",
        sizes=sizes,
        domain=ep.domains.full_column_rank,
        where="X has full column rank",
    )


def cases(rng: random.Random) -> Iterator[Case]:
    """Yields X, f = X g for any matrix g, and a permutation."""
    for X in sequences(rng):
        d, n = X.shape
        g = exact([[rng.randint(-3, 3) for _ in range(n)] for _ in range(n)])
        yield Case({"d": d, "n": n}, {"X": X, "f": X @ g, "order": rng.sample(range(n), n)})


def build(X: Array, f: Array, order: list[int]) -> tuple[Array, Array]:
    """Computes X^+ f and (X P)^+ (f P)."""
    return coefficients(X, f), coefficients(X[:, order], f[:, order])


def conditions(built: tuple[Array, Array], X: Array, f: Array, order: list[int]) -> list[Condition]:
    """States the conditions on g~: X g~ = f and g~(X P) = P^T g~(X) P."""
    return [
        Condition("X g~ = f", X @ built[0], f),
        Condition("g~(X P) = P^T g~(X) P", built[1], built[0][np.ix_(order, order)]),
    ]


def row_inverse(X: Array) -> Array:
    """Computes X^+ for a single row: X^T / |X|^2, and 0 for X = 0."""
    length = (X @ X.T)[0, 0]
    return np.where(length > 0, X.T / np.where(length > 0, length, 1), 0)


def annihilated(X: Array, B: Array, w: Array) -> Array:
    """Computes (B - B^T) X^T w^T, a g with X g = 0 for d = 1."""
    return np.outer((B - B.T) @ X[0], w)


#: The claim that coefficients g with X g = 0 for all X, hence of f = 0, are equivariant.
ANNIHILATED_ARE_EQUIVARIANT = Implies(
    Identity(
        lambda X, B, w: X @ annihilated(X, B, w),
        lambda X, B, w: 0 * X,
        "X: 1 n, B: n n, w: n -> 1 n",
    ),
    Equivariance(annihilated, "X: 1 n, B: n! n!, w: n! -> n n", under="S(n)"),
)
