"""Finite groups as permutations: element g maps the point u to g[u], and (g h)(u) = g(h(u))."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eqvproof.papers.statements import Array

Permutation = tuple[int, ...]

#: Generators; Q_8 acts on itself (1, i, j, k, -1, -i, -j, -k) from the left.
GROUPS: dict[str, tuple[Permutation, ...]] = {
    "C_1": ((0,),),
    "C_2": ((1, 0),),
    "C_3": ((1, 2, 0),),
    "C_2 x C_2": ((1, 0, 2, 3), (0, 1, 3, 2)),
    "C_4": ((1, 2, 3, 0),),
    "S_3": ((1, 0, 2), (1, 2, 0)),
    "D_4": ((1, 2, 3, 0), (0, 3, 2, 1)),
    "Q_8": ((1, 4, 3, 6, 5, 0, 7, 2), (2, 7, 4, 1, 6, 3, 0, 5)),
}


def product(g: Permutation, h: Permutation) -> Permutation:
    """Computes g h: first h, then g."""
    return tuple(g[u] for u in h)


def elements(generators: Sequence[Permutation]) -> list[Permutation]:
    """Lists all products of the generators, the identity first."""
    found: list[Permutation] = [tuple(range(len(generators[0])))]
    for g in found:
        found.extend(p for p in dict.fromkeys(product(s, g) for s in generators) if p not in found)
    return found


def matrix(g: Permutation) -> Array:
    """Builds P_g with P_g e_u = e_{g.u}, so that (P_g x)(u) = x(g^-1.u)."""
    return np.eye(len(g), dtype=int)[:, list(g)]


def action(name: str) -> Array:
    """Stacks P_g for every element g of a group: |G| x points x points."""
    return np.array([matrix(g) for g in elements(GROUPS[name])])


def regular_matrix(name: str, h: Permutation) -> Array:
    """Builds the matrix of h acting on the group by h.g = h g, |G| x |G|."""
    every = elements(GROUPS[name])
    return matrix(tuple(every.index(product(h, g)) for g in every))
