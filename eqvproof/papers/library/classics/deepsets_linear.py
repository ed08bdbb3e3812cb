"""Linear layers for sets whose elements are vectors."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from eqvproof.papers.statements import LinearMaps, MapSpace, Proposition

SIZES = ((2, 1, 1), (3, 1, 1), (2, 2, 1), (3, 1, 2), (3, 2, 2), (4, 2, 2))


def spaces() -> Iterator[MapSpace]:
    """Yields spaces of maps from n x c to n x e, with generators of S(n): a swap and a cycle."""
    for n, c, e in SIZES:
        one = np.eye(n, dtype=int)
        generators = [one[[1, 0, *range(2, n)]], np.roll(one, 1, axis=0)]
        units = [np.eye(1, c * e, k, dtype=int).reshape(e, c) for k in range(c * e)]
        yield MapSpace(
            f"n = {n}, c = {c}, e = {e}",
            [np.kron(P, np.eye(c, dtype=int)) for P in generators],
            [np.kron(P, np.eye(e, dtype=int)) for P in generators],
            [np.kron(A, E) for A, E in product((one, np.ones((n, n), dtype=int)), units)],
        )


STATEMENT = Proposition(
    id="classics.deepsets.linear",
    place="Zaheer and others 2017, Lemma 3, for several channels",
    printed="a linear map from n x c to n x e commutes with permutations of the n elements iff it"
    " is X -> X A + 1 1^T X B",
    claim=LinearMaps(spaces),
    reading=(
        "the lemma treats one channel (lec22.lemma3); here A and B are any matrices of shape c x e",
        "n is at least 2: for n = 1 the two terms are the same. Exact at some sizes",
    ),
)
