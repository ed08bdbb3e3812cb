"""Invariants of rotations."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.library.villar21.scalars import determinants
from eqvproof.papers.statements import Equivariance, Implies, Lemma

F = ep.opaque("F", "G: n n, D: n n n -> n", example=lambda G, D: G.sum(0) + D.sum((1, 2)))

STATEMENT = Lemma(
    id="villar21.sod.scalars",
    place="on SO(d), scalar functions",
    printed="a function of vectors of R^3 that is invariant to SO(3) is a function of their scalar"
    " products, hence invariant to O(3)",
    claim=Implies(
        Equivariance(lambda V: np.linalg.det(V), "V: 3 3! -> ()", under="SO(3)"),
        Equivariance(lambda V: np.linalg.det(V), "V: 3 3! -> ()", under="O(3)"),
    ),
    reading="a question to the paper: the theorem for O(d) used for SO(d); checked for the"
    " determinant of three vectors",
).repaired_as(
    printed="functions of the scalar products and the determinants of three vectors are invariant"
    " to SO(3)",
    claim=Equivariance(lambda V: F(V.T @ V, determinants(V)), "V: 3 n -> n", under="SO(3)"),
    reading="the easy half of the first fundamental theorem for SO(3); F is left uninterpreted,"
    " with n values",
)
