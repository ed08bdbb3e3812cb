"""Lemma 3 for a constant nonlinearity."""

from eqvproof.papers.library.lec22.linear import REDUCES
from eqvproof.papers.statements import Equivariance, Implies, Lemma

FIXED = "T: m! m!, x: m -> m"

STATEMENT = Lemma(
    id="lec22.lemma3.constant-sigma",
    place="Deep Sets, Lemma 3",
    formal="Refuted.lec22_lemma3_constant_sigma",
    printed="if sigma(Theta x) is permutation equivariant, sigma constant, then Theta = lambda I +"
    " gamma 1 1^T",
    claim=Implies(
        Equivariance(lambda T, x: 0 * (T @ x) + 1, FIXED, under="S(m)"),
        Equivariance(lambda T, x: T @ x, FIXED, under="S(m)"),
    ),
    reading=(
        "a question to the lemma, whose wording leaves sigma open: sigma(t) = 1 for all t. Theta"
        " (T) is any matrix, on which P does not act",
        "Theta = lambda I + gamma 1 1^T gives Theta P x = P Theta x: we check this consequence of"
        " the conclusion",
    ),
).repaired_as(
    printed="if sigma(Theta x) is permutation equivariant, sigma injective, then Theta P x = P"
    " Theta x",
    claim=REDUCES,
    reading="an injective sigma has an inverse on its values; with Theta P = P Theta for all P,"
    " steps 1 and 2 of the sketch apply",
)
