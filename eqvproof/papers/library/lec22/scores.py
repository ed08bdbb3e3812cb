"""The numbers in the tables of the softmax slides."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from eqvproof.papers.statements import Array

WORDS = ("Hi", "how", "are", "you")
SCORES = ((98, 27, 10, 12), (27, 89, 31, 67), (10, 31, 91, 54), (12, 67, 54, 92))
TENTHS = ((7, 1, 1, 1), (1, 6, 2, 1), (1, 3, 6, 1), (1, 3, 3, 3))


def weights(row: int) -> Array:
    """Returns a printed row of softmax outputs."""
    return np.array([Fraction(t, 10) for t in TENTHS[row]], dtype=object)


def scores(row: int) -> Array:
    """Returns a printed row of scores."""
    return np.array(SCORES[row], dtype=object)
