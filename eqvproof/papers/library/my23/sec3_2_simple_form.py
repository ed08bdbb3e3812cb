"""The simplified form of an equivariant function with knowledge."""

import eqvproof as ep
from eqvproof.papers.statements import Equivariance, Remark

g1 = ep.opaque("g1", "Y: k n, c: m -> n m")

STATEMENT = Remark(
    id="my23.sec3.2.simple-form",
    place="§3.2, end",
    formal="Rows.my23_sec3_2_simple_form",
    printed="f(X, Z) = X g_1(Z^T X) satisfies Definition 3.2",
    claim=Equivariance(
        lambda X, Z, c: X @ g1(Z.T @ X, c), "X: d n, Z: d k, c: m -> d m", under="O(d)"
    ),
    reading="g_1 is any function of k x n matrices, left uninterpreted; the length m of the result"
    " is the size of a parameter c",
)
