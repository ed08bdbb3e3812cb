"""Invariant functions of vectors."""

from eqvproof.papers.library.my23 import fft
from eqvproof.papers.library.villar21.scalars import numbers
from eqvproof.papers.statements import Conjunction, Derivation, Equivariance, Lemma

STATEMENT = Lemma(
    id="villar21.od.scalars",
    place="O(d), scalar functions (first fundamental theorem, Weyl 1939)",
    formal="Rows.villar21_od_scalars",
    printed="a function f of v_1, .., v_n is invariant to O(d) iff it is a function of the scalar"
    " products v_i . v_j",
    claim=Conjunction(
        {
            "such functions are invariant": Equivariance(
                lambda V, s: numbers(V.T @ V, s), "V: d n, s: p -> p", under="O(d)"
            ),
            "f(V) = f(W) when V^T V = W^T W": Derivation(
                "f(V) = f(W)", {"f(V) = f(W)": fft.STATEMENT}, {}, ""
            ),
        }
    ),
    reading=(
        "the vectors are the columns of V; f is any function, not only a polynomial: it is a"
        " function of V^T V if it has equal values wherever V^T V has",
        "F is left uninterpreted, with p values; s only carries this size",
    ),
)
