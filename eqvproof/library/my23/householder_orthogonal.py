"""Householder's matrix is orthogonal."""

import numpy as np

from eqvproof.library.my23.notation import reflection
from eqvproof.statements import Identity, ProofStep

STATEMENT = ProofStep(
    id="my23.prop3.1.householder-orthogonal",
    place="Appendix A",
    printed="Q_u = I - 2 u u^T / |u|^2 is an orthogonal matrix",
    claim=Identity(lambda u: reflection(u).T @ reflection(u), lambda u: np.eye(u.shape[0]), "u: d -> d d"),
)
