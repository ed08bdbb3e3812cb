"""Equivariant vector functions."""

from eqvproof.papers.library.my23 import prop3_1
from eqvproof.papers.library.villar21.scalars import coefficients
from eqvproof.papers.statements import Conjunction, Derivation, Equivariance, Proposition

STATEMENT = Proposition(
    id="villar21.od.vectors",
    place="O(d), vector functions",
    printed="h is equivariant to O(d) iff h(v_1, .., v_n) = sum_t f_t(v_1, .., v_n) v_t with"
    " functions f_t that are invariant",
    claim=Conjunction(
        {
            "such functions are equivariant": Equivariance(
                lambda V: V @ coefficients(V.T @ V), "V: d n -> d", under="O(d)"
            ),
            "h(V) = V g(V^T V)": Derivation(
                "h(V) = times(V, G(gram(V)))",
                {"h(x) = times(x, G(gram(x)))": prop3_1.STATEMENT},
                {},
                "x",
            ),
        }
    ),
    reading=(
        "f_t is invariant, hence by villar21.od.scalars a function of the scalar products, left"
        " uninterpreted",
        "h is any function; if h is a polynomial, the f_t can be polynomials (villar21.od.pairing)",
    ),
)
