"""Vector functions invariant to permutations of their vectors."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import Equivariance, Proposition

f = ep.opaque("f", "G: n n -> n", under="S(n)", example=lambda G: np.diagonal(G) + G.sum(0) ** 2)

STATEMENT = Proposition(
    id="villar21.permutation.vectors",
    place="permutations and O(d), vector functions",
    printed="sum_t f(v_t, the other vectors) v_t is equivariant to O(d) and invariant to"
    " permutations, f not seeing the order of the others",
    claim=Equivariance(lambda V: V @ f(V.T @ V), "V: d n -> d", under="O(d) x S(n)"),
    reading=(
        "the n values of f together are a function of the scalar products that is permuted with"
        " the vectors, left uninterpreted",
        "one half of the proposition: we do not check that all such functions are of this form",
    ),
)
