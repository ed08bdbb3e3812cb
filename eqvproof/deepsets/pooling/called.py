"""phi as a function that cannot be written down: called with one row at a time."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.deepsets.pooling.segments import Segments
from eqvproof.deepsets.pooling.weights import counted
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.errors import DomainError, ShapeError, TargetError


def called_sums(
    phi: Callable[..., Any], rows: np.ndarray, cut: Segments | None, weight: np.ndarray | None
) -> np.ndarray:
    """The sums of phi's values, each row alone: no row can depend on its neighbours, or on its place.

    Exactness: values as phi returns them, as float64; their exact sum, rounded once.

    Raises:
        TargetError: phi raises, or returns no numbers.
        ShapeError: values of different shapes; no rows, so that phi's shape is unknown.
    """
    if not len(rows):
        raise ShapeError(
            "no row on which phi could show its shape",
            hint="write phi with SymPy",
            given="no rows",
            expected="at least one row, or a phi that says its shape",
        )
    values, shape = _values(phi, rows)
    offsets = np.array([0, len(rows)]) if cut is None else cut.offsets
    total = np.zeros((len(offsets) - 1, values.shape[1]))
    for i, (a, b) in enumerate(itertools.pairwise(offsets)):
        chosen = slice(a, b) if cut is None or cut.order is None else cut.order[a:b]
        for f in range(values.shape[1]):
            total[i, f] = _one(values[chosen, f], None if weight is None else weight[chosen])
    shaped = total.reshape(len(total), *shape)
    return shaped[0] if cut is None else shaped


def _one(v: np.ndarray, weight: np.ndarray | None) -> Any:
    one = ExactSum()
    if weight is None or weight.dtype.kind == "f":
        one.add(v if weight is None else v * weight.astype(np.float64))
    else:
        used = weight != 0
        one += counted(v[used], weight[used])
    return one.result()


def _values(phi: Callable[..., Any], rows: np.ndarray) -> tuple[np.ndarray, tuple[int, ...]]:
    found = []
    for row in rows:
        try:
            value = np.asarray(phi(row.copy()))
        except Exception as error:  # whatever a user's function raises
            raise TargetError(
                "phi raises on a row",
                given=f"{error!r} at {row.tolist()}",
                expected="a value for each row",
                hint="call phi with this row to see the error",
            ) from error
        if value.dtype.kind not in "iufb" or value.ndim > 1:
            raise DomainError(
                "phi returns real numbers, one or a vector",
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
            hint="return as many features for each row",
        )
    shape = found[0].shape
    return np.array(found).reshape(len(found), -1), shape
