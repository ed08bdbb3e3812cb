"""Householder's matrix is orthogonal."""

import numpy as np

from eqvproof.papers.library.my23.notation import is_nonzero, reflection
from eqvproof.papers.statements import Identity, ProofStep

STATEMENT = ProofStep(
    id="my23.prop3.1.householder-orthogonal",
    place="Appendix A",
    formal="Orthogonal.householder_orthogonal",
    printed="Q_u = I - 2 u u^T / |u|^2 is an orthogonal matrix",
    claim=Identity(
        lambda u: reflection(u).T @ reflection(u),
        lambda u: np.eye(u.shape[0]),
        "u: d -> d d",
        domain=is_nonzero,
        where="u != 0",
    ),
    assumptions="u != 0, which is not printed: the formula divides by |u|^2",
    reading="Q_u is orthogonal: Q_u^T Q_u = I, wherever Q_u is defined",
)
