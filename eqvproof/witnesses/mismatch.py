"""What rules an orthogonal witness out: the first pair of columns whose inner products differ."""

from __future__ import annotations

from functools import partial
from typing import Any

from eqvproof.errors import GramMismatch
from eqvproof.witnesses.certificate import element, field_parts, seal, tensor
from eqvproof.witnesses.field import FieldMatrix
from eqvproof.witnesses.reading import to_array

#: Rows of a Gram matrix that are compared at once.
ROWS = 64


def first_difference(x: FieldMatrix, y: FieldMatrix) -> tuple[int, int] | None:
    """The first (i, j), row by row, at which X^T X and Y^T Y differ; None where they are equal.

    Exactness: exact.

    Cost: O(d n^2), in blocks of rows, without storing an n x n matrix.
    """
    n = x.shape[1]
    for start in range(0, n, ROWS):
        block = range(start, min(start + ROWS, n))
        left = x.select(columns=block).transpose() @ x
        right = y.select(columns=block).transpose() @ y
        if left.equals(right):
            continue
        entries = zip(left.entries(), right.entries(), strict=True)
        place = next(k for k, (a, b) in enumerate(entries) if a != b)
        return start + place // n, place % n
    return None


def gram_mismatch(x: FieldMatrix, y: FieldMatrix, pair: tuple[int, int]) -> GramMismatch:
    """The error for a pair of columns with different inner products, with its certificate."""
    i, j = pair
    left = x.select(columns=[i]).transpose() @ x.select(columns=[j])
    right = y.select(columns=[i]).transpose() @ y.select(columns=[j])
    a, b = to_array(left)[0, 0], to_array(right)[0, 0]
    error = GramMismatch(
        f"no orthogonal matrix carries X to Y: their columns {i} and {j} have different inner products",
        given=f"<x_{i}, x_{j}> = {shown(a)}, but <y_{i}, y_{j}> = {shown(b)}",
        expected="equal Gram matrices, X^T X = Y^T Y",
    )
    error.pair, error.inner_products = (i, j), (a, b)
    error.evidence = partial(mismatch_certificate, x, y, pair, left, right)
    return error


def mismatch_certificate(
    x: FieldMatrix, y: FieldMatrix, pair: tuple[int, int], left: FieldMatrix, right: FieldMatrix
) -> dict[str, Any]:
    """Two matrices and a pair of columns whose inner products differ, for the kernel."""
    return seal(
        "gram-mismatch",
        **field_parts(x.field),
        X=tensor(x),
        Y=tensor(y),
        pair=list(pair),
        left=element(left.entries()[0]),
        right=element(right.entries()[0]),
    )


def shown(value: Any) -> str:
    """A number for an error message, cut when it is very long."""
    try:
        text = str(value)
    except ValueError:  # more digits than Python prints
        return f"a fraction of {value.numerator.bit_length()} over {value.denominator.bit_length()} bits"
    return text if len(text) <= 120 else text[:100] + f"... ({len(text)} characters)"
