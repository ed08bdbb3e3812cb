"""A canonical order."""

import numpy as np

from eqvproof.statements import Equivariance, Remark

ID = "classics.janossy.sorting"
PLACE = "Murphy and others 2019, canonical orderings"

STATEMENT = Remark(
    id=ID,
    place=PLACE,
    printed="vectors that are sorted by their first coordinate are in an order that does not depend on the one they came in",
    claim=Equivariance(lambda X: X[np.argsort(X[:, 0], kind="stable")], "X: n d -> n! d", under="S(n)"),
    reading="equal first coordinates are not excluded; the sort is stable",
    repaired=Remark(
        id=f"{ID}.repaired",
        place=PLACE,
        printed="numbers that are sorted are",
        claim=Equivariance(lambda x: np.sort(x), "x: n -> n!", under="S(n)"),
        reading="numbers that are equal cannot be told apart afterwards",
    ),
)
