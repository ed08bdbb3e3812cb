"""Doubly stochastic matrices are mixtures of permutation matrices."""

import numpy as np

from eqvproof.papers.library.lec22.birkhoff import cases, conditions, decompose, picture, polytopes
from eqvproof.papers.statements import (
    Conjunction,
    Construction,
    Equivariance,
    Illustrated,
    Theorem,
    Vertices,
)

STATEMENT = Theorem(
    id="lec22.birkhoff.hull",
    place="Birkhoff-von Neumann Theorem, 1",
    printed="every doubly stochastic matrix is a convex combination of permutation matrices, and"
    " these combinations are doubly stochastic",
    claim=Illustrated(
        Conjunction(
            {
                "P 1 = 1": Equivariance(lambda x: np.ones(x.shape[0]), "x: n -> n", under="S(n)"),
                "the vertices of B_n": Vertices(polytopes),
            }
        ),
        {"decompositions": Construction(cases, decompose, conditions)},
    ),
    assumptions="a bounded polytope is the convex hull of its vertices (Minkowski)",
    reading=(
        "the convex hull: all vertices of B_n are computed exactly at small n, and compared with"
        " the permutation matrices. Rows and columns of permutation matrices sum to 1 (P 1 = 1 for"
        " P and P^T), and so do those of their convex combinations",
        "constructively: permutations on the support of M are subtracted one after another, in"
        " exact numbers",
    ),
    picture=picture,
)
