"""The row softmax mixes the entries of a row."""

import numpy as np

from eqvproof.papers.library.my23.notation import softmax_rows
from eqvproof.papers.statements import Array, Identity, NotFor, Remark


def first_entry(a: Array, b: Array) -> Array:
    """Computes the first entry of S_r([a, b])."""
    return softmax_rows(np.stack([a, b])[None, :])[0, 0]


STATEMENT = Remark(
    id="my23.sec3.3.softmax-not-elementwise",
    place="§3.3",
    printed="the softmax over rows is not an elementwise operation",
    claim=NotFor(
        Identity(
            lambda a, b, c: first_entry(a, b),
            lambda a, b, c: first_entry(a, c),
            "a: (), b: (), c: () -> ()",
        )
    ),
    reading=(
        "an entry of the result of an elementwise operation depends only on the entry at the same"
        " place; the claim is that the first entries of the softmax of [a, b] and of [a, c] may"
        " differ",
        "for n = 1 the softmax of every 1 x 1 matrix is 1, an elementwise operation; for n = 2 it"
        " is none",
    ),
)
