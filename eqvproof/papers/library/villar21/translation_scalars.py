"""Functions invariant to translations."""

import eqvproof as ep
from eqvproof.papers.statements import Conjunction, Equational, Equivariance, Lemma

F = ep.opaque("F", "D: m d, s: p -> p", example=lambda D, s: D.sum() * s)

STATEMENT = Lemma(
    id="villar21.translation.scalars",
    place="translations, scalar functions",
    formal="Rows.villar21_translation_scalars",
    printed="a function of positions r_1, .., r_n is invariant to translations iff it is a"
    " function of r_2 - r_1, .., r_n - r_1",
    claim=Conjunction(
        {
            "such functions are invariant": Equivariance(
                lambda R, s: F(R[1:] - R[:1], s), "R: n+1 d, s: p -> p", under="T(d)"
            ),
            "f(R) = f(R - r_1)": Equational(
                "f(R) = f(shift(R, neg(first(R))))",
                {"f is invariant": "f(shift(r, t)) = f(r)"},
                "r t",
            ),
        }
    ),
    reading="R - r_1 has the rows 0, r_2 - r_1, .., r_n - r_1; F is left uninterpreted, with p"
    " values; s only carries this size",
)
