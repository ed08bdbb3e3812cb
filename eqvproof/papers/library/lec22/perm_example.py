"""The printed permutation matrix."""

import numpy as np

from eqvproof.papers.statements import Conjunction, Instance, Remark

P = np.array([[0, 1, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 1, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 0]])

STATEMENT = Remark(
    id="lec22.perm.example",
    place="Permutation Invariance, the example",
    formal="Rows.lec22_perm_example",
    printed="the printed 5 x 5 matrix P, with ones at (1, 2), (2, 5), (3, 3), (4, 1), (5, 4), maps"
    " (1, 2, 3, 4, 5) to (2, 5, 3, 1, 4)",
    claim=Conjunction(
        {
            "P x": Instance(
                lambda P, x: P @ x,
                lambda P, x: np.array([2, 5, 3, 1, 4]),
                "P: 5 5, x: 5 -> 5",
                {"P": P, "x": [1, 2, 3, 4, 5]},
            ),
            "P is orthogonal": Instance(
                lambda P: P @ P.T, lambda P: np.eye(5), "P: 5 5 -> 5 5", {"P": P}
            ),
            "entries 0 and 1": Instance(lambda P: P * P, lambda P: P, "P: 5 5 -> 5 5", {"P": P}),
        }
    ),
    reading="the numbers are those on the slide; a permutation matrix is an orthogonal matrix with"
    " entries 0 and 1",
)
