"""Sorting as a canonical order: of vectors by one coordinate, and of numbers."""

import numpy as np

from eqvproof.papers.statements import Equivariance, Remark

STATEMENT = Remark(
    id="classics.janossy.sorting",
    place="Murphy and others 2019, canonical orderings",
    printed="vectors that are sorted by their first coordinate are in an order that does not"
    " depend on the one they came in",
    claim=Equivariance(
        lambda X: X[np.argsort(X[:, 0], kind="stable")], "X: n d -> n! d", under="S(n)"
    ),
    reading="equal first coordinates are not excluded; the sort is stable",
).repaired_as(
    printed="numbers that are sorted are",
    claim=Equivariance(lambda x: np.sort(x), "x: n -> n!", under="S(n)"),
    reading="numbers that are equal cannot be told apart afterwards",
)
