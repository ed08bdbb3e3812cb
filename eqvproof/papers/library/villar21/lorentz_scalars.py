"""Invariants of Lorentz transformations."""

from eqvproof.papers.library.villar21.scalars import ETA, numbers
from eqvproof.papers.statements import Equivariance, Lemma

STATEMENT = Lemma(
    id="villar21.lorentz.scalars",
    place="Lorentz group, scalar functions",
    formal="Rows.villar21_lorentz_scalars",
    printed="functions of the Minkowski products v_i^T eta v_j of four-vectors are invariant to"
    " O(1, 3)",
    claim=Equivariance(
        lambda V, s: numbers(V.T @ ETA @ V, s), "V: 4 n, s: p -> p", under="Lorentz(4)"
    ),
    reading=(
        "eta = diag(1, -1, -1, -1); F is left uninterpreted, with p values; s only carries this"
        " size",
        "one half of the theorem; the other half is true of polynomials, but not of all functions"
        " (villar21.lorentz.orbits)",
    ),
)
