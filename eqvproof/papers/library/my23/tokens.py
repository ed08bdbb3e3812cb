"""One-hot sequences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from eqvproof.papers.statements import Array, Case

LARGEST = 3


def one_hot_sequences() -> Iterator[Case]:
    """Yields all sequences of n unit vectors of R^d, for d, n up to 3."""
    sizes = sorted(product(range(1, LARGEST + 1), repeat=2), key=lambda s: (sum(s), s))
    for d, n in sizes:
        for tokens in product(range(d), repeat=n):
            yield Case(
                {"d": d, "n": n}, {"X": np.eye(d, dtype=int)[:, list(tokens)].astype(object)}
            )


def first_tokens(v: Array, w: Array) -> Array:
    """Builds [I; 0]: the first n of n + k tokens, each once."""
    n, k = v.shape[0], w.shape[0]
    return np.concatenate([np.eye(n), np.zeros((k, n))], axis=0)
