"""A maximum does not count."""

from functools import partial

import numpy as np

from eqvproof.library.classics.pooling import multisets, of_one
from eqvproof.statements import Identity, Injective, NotFor, Remark

ID = "classics.pointnet.multiplicities"
PLACE = "on Qi and others 2017; Xu and others 2019, sum, mean and max"
UNIVERSE = 3

STATEMENT = Remark(
    id=ID,
    place=PLACE,
    printed="with a suitable h, max over i of h(x_i) tells multisets apart: (a, a, b) from (a, b, b)",
    claim=NotFor(
        Identity(
            lambda a, b, s: np.stack([of_one(a, s), of_one(a, s), of_one(b, s)]).max(0),
            lambda a, b, s: np.stack([of_one(a, s), of_one(b, s), of_one(b, s)]).max(0),
            "a: d, b: d, s: p -> p",
        )
    ),
    reading="what is denied is that the maxima are equal for every h, left uninterpreted; a statement that is often taken for granted",
    repaired=Remark(
        id=f"{ID}.repaired",
        place=PLACE,
        printed="the sum of h(x_i), h(x) the unit vector of x in a finite universe, tells multisets apart",
        claim=Injective(
            lambda X: tuple(X.count(x) for x in range(UNIVERSE)),
            partial(multisets, range(1, 6), UNIVERSE),
            "multisets",
        ),
        reading="the sum of the unit vectors holds the multiplicities. Exact for multisets of a small universe",
    ),
)
