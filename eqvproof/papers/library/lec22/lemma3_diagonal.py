"""Lemma 3, sketch, step 1: equal entries on the diagonal."""

import numpy as np

from eqvproof.papers.library.lec22.linear import diagonal_places, entry
from eqvproof.papers.statements import Enumeration, Equivariance, Illustrated, ProofStep

STATEMENT = ProofStep(
    id="lec22.lemma3.diagonal",
    place="Deep Sets, Lemma 3, sketch, step 1",
    formal="Rows.lec22_lemma3_diagonal",
    printed="pi_{k,l} Theta pi_{l,k} = Theta gives (pi_{k,l} Theta pi_{l,k})_{l,l} = Theta_{l,l},"
    " that is Theta_{k,k} = Theta_{l,l}",
    claim=Illustrated(
        Equivariance(lambda T: np.diagonal(T), "T: m m -> m", under="S(m)"),
        {
            "(pi_{k,l} Theta pi_{l,k})_{l,l} = Theta_{k,k}": Enumeration(
                lambda T, A, u, v: entry(A @ T @ A.T, v, v),
                lambda T, A, u, v: entry(T, u, u),
                "T: m m, A: m m, u: m, v: m -> ()",
                diagonal_places,
                "all k and l",
            )
        },
    ),
    reading=(
        "checked for every permutation matrix P at once: the diagonal of P Theta P^T is P times"
        " the diagonal of Theta; for P = pi_{k,l} its entry l is Theta_{k,k}",
        "in the example all entries of Theta are different, so that an entry determines its place",
    ),
)
