"""Errors that name the first pair of columns whose inner products differ in X and Y.

Such a pair rules out an orthogonal witness.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from flint import fmpz_mat

from eqvproof.invariants.witnesses.certificate import element, field_parts, tensor
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import columns_hint, to_array
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import GramMismatch

#: Number of rows of a Gram matrix compared at once.
ROWS = 64
#: Number of columns above which the row of the first difference is found by projection.
MANY = 512


def first_difference(x: FieldMatrix, y: FieldMatrix) -> tuple[int, int] | None:
    """Finds the first (i, j), row by row, at which X^T X and Y^T Y differ; None if they are equal.

    Exactness: exact. Among more than `MANY` columns the first row is found by a random projection,
        which misses it with a probability below 2^-60 (and then finds a later one, or searches
        all).

    Cost: O(d n^2) at worst, in blocks of rows, without storing an n x n matrix; O(d n) with the
        projection.
    """
    n = x.shape[1]
    if n > MANY:
        row = _first_row_by_projection(x, y)
        if row is not None:
            column = _first_nonzero(_gram_difference_rows(x, y, range(row, row + 1)))
            if column is not None:
                return row, column
    for start in range(0, n, ROWS):
        place = _first_nonzero(_gram_difference_rows(x, y, range(start, min(start + ROWS, n))))
        if place is not None:
            return start + place // n, place % n
    return None


def _gram_difference_rows(x: FieldMatrix, y: FieldMatrix, rows: range) -> FieldMatrix:
    """Computes some rows of X^T X - Y^T Y."""
    return x.select(columns=rows).transpose() @ x - y.select(columns=rows).transpose() @ y


def _first_nonzero(matrix: FieldMatrix) -> int | None:
    """Returns the index of the first nonzero entry, row by row, or None."""
    places = (next((k for k, e in enumerate(p.entries()) if e != 0), None) for p in matrix.parts)
    return min((place for place in places if place is not None), default=None)


def _first_row_by_projection(x: FieldMatrix, y: FieldMatrix) -> int | None:
    """Finds the first nonzero row of (X^T X - Y^T Y) r for a random integer vector r, or None."""
    rng, n = random.Random(0), x.shape[1]
    numbers = fmpz_mat(n, 1, [rng.getrandbits(64) for _ in range(n)])
    zeros = [fmpz_mat(n, 1)] * (x.field.degree - 1)
    vector = FieldMatrix.make(x.field, [numbers, *zeros])
    return _first_nonzero(x.transpose() @ (x @ vector) - y.transpose() @ (y @ vector))


def gram_mismatch(x: FieldMatrix, y: FieldMatrix, pair: tuple[int, int]) -> GramMismatch:
    """Builds the error for two columns with different inner products, with its certificate."""
    i, j = pair
    left = x.select(columns=[i]).transpose() @ x.select(columns=[j])
    right = y.select(columns=[i]).transpose() @ y.select(columns=[j])
    error = mismatch_error(pair, to_array(left)[0, 0], to_array(right)[0, 0], x.shape)
    error.evidence = partial(mismatch_certificate, x, y, pair, left, right)
    return error


def mismatch_error(pair: tuple[int, int], a: Any, b: Any, shape: tuple[int, int]) -> GramMismatch:
    """Builds the error that names two columns and their inner products in X and in Y."""
    i, j = pair
    error = GramMismatch(
        f"no orthogonal matrix maps X to Y: columns {i} and {j} have different inner products",
        given=f"<X[:, {i}], X[:, {j}]> = {number_text(a)}, but <Y[:, {i}], Y[:, {j}]> ="
        f" {number_text(b)}",
        expected="equal Gram matrices, X^T X = Y^T Y",
        hint=columns_hint(
            shape, "congruence_witness(X, Y), if the columns of Y may be in another order"
        ),
    )
    error.pair, error.inner_products = pair, (a, b)
    return error


def mismatch_certificate(
    x: FieldMatrix, y: FieldMatrix, pair: tuple[int, int], left: FieldMatrix, right: FieldMatrix
) -> dict[str, Any]:
    """Builds the certificate of two columns whose inner products differ in X and Y."""
    return seal(
        "gram-mismatch",
        **field_parts(x.field),
        X=tensor(x),
        Y=tensor(y),
        pair=list(pair),
        left=element(left.entries()[0]),
        right=element(right.entries()[0]),
    )


def number_text(value: Any) -> str:
    """Formats a number for an error message, cut if it is very long."""
    try:
        text = str(value)
    except ValueError:  # more digits than Python prints
        above, below = value.numerator.bit_length(), value.denominator.bit_length()
        return f"a fraction of {above} over {below} bits"
    if len(text) <= 120:
        return text
    return text[:100] + f"... ({len(text)} characters)"
