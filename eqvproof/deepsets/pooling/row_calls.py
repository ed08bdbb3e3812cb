"""Calls phi row by row: needed for functions that cannot be written as a formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.formula import Formula, Tape
from eqvproof.support.errors import DomainError, ShapeError, TargetError, error_text, is_foreign


def column_features(columns: int, *, scalar: bool) -> Formula:
    """Builds the formula whose features are the columns; with ``scalar``, the only column."""
    tape = Tape(columns)
    return tape.formula([tape.column(j) for j in range(columns)], scalar=scalar)


def call_by_rows(phi: Callable[..., Any], rows: np.ndarray) -> tuple[np.ndarray, bool]:
    """Calls phi on each row; returns the values (n, m), and whether each is a number.

    Exactness: the values that phi returns, converted to float64.

    Raises:
        TargetError: phi raises an error.
        DomainError: phi does not return real numbers.
        ShapeError: the values have different shapes, or there are no rows, so that the number of
            features is unknown.
    """
    if not len(rows):
        raise ShapeError(
            "the number of features is unknown without rows",
            hint="write phi with SymPy",
            given="no rows",
            expected="at least one row",
        )
    found = []
    for row in rows:
        try:
            value = np.asarray(phi(row.copy()))
        except BaseException as error:  # whatever a user's function raises
            if not is_foreign(error):
                raise
            raise TargetError(
                "phi raises on a row",
                given=f"{error_text(error)} at {row.tolist()}",
                expected="a value for each row",
                hint="call phi with this row to see the error",
            ) from error
        if value.dtype.kind not in "iufb" or value.ndim > 1:
            raise DomainError(
                "phi must return a real number, or a vector of them",
                given=f"{value.dtype}, {value.shape}",
                expected="floats of shape () or (m,)",
                hint="flatten what phi returns",
            )
        found.append(value.astype(np.float64))
    if len({v.shape for v in found}) > 1:
        raise ShapeError(
            "phi returns values of different shapes",
            given=str({v.shape for v in found}),
            expected="one shape for all rows",
            hint="return the same number of features for each row",
        )
    return np.array(found).reshape(len(found), -1), found[0].ndim == 0
