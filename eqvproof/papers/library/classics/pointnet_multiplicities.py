"""Multiplicities of points under maximum and sum pooling."""

from functools import partial

import numpy as np

from eqvproof.papers.library.classics.pooling import feature_pairs, maximum
from eqvproof.papers.library.lec22.codes import multisets
from eqvproof.papers.statements import Enumeration, Injective, NotFor, Remark

UNIVERSE = 3

STATEMENT = Remark(
    id="classics.pointnet.multiplicities",
    place="on Qi and others 2017; Xu and others 2019, sum, mean and max",
    printed="with a suitable h, max over i of h(x_i) tells multisets apart: (a, a, b) from (a, b,"
    " b)",
    claim=NotFor(
        Enumeration(
            lambda p, q: maximum(p, p, q),
            lambda p, q: maximum(p, q, q),
            "p: K, q: K -> K",
            feature_pairs,
            "a feature with values 0, 1",
        )
    ),
    reading=(
        "the claim is that the maxima are not equal for all features p = h(a) and q = h(b), each"
        " feature by itself: only the order of its two values matters. The statement is often"
        " taken for granted",
    ),
).repaired_as(
    printed="the sum of h(x_i), h(x) the unit vector of x in a finite universe, tells multisets"
    " apart",
    claim=Injective(
        lambda X: (X[:, None] == np.arange(UNIVERSE)).sum(0),
        f"X: elements -> {UNIVERSE}",
        partial(multisets, range(1, 6), UNIVERSE),
        "multisets",
    ),
    reading="the entries of the sum of unit vectors are the multiplicities. Exact for multisets of"
    " a small universe",
)
