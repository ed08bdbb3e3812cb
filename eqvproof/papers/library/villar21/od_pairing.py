"""Equivariant vector functions, as invariant functions linear in one more vector."""

import eqvproof as ep
from eqvproof.papers.statements import Equivariance, ProofStep

h = ep.opaque("h", "V: d n -> d", under="O(d)", example=lambda V: (V @ V.T @ V).sum(1))

STATEMENT = ProofStep(
    id="villar21.od.pairing",
    place="O(d), vector functions, proof for polynomials",
    formal="Rows.villar21_od_pairing",
    printed="for an equivariant h the function h(v_1, .., v_n) . w is invariant, and linear in w",
    claim=Equivariance(lambda V, w: h(V) @ w, "V: d n, w: d -> ()", under="O(d)"),
    reading=(
        "h is any equivariant function, left uninterpreted; the function is linear in w as an"
        " inner product with w",
        "for a polynomial h it is a polynomial of scalar products of v_1, .., v_n, w, linear in w:"
        " the coefficients of w . v_t are the f_t",
    ),
)
