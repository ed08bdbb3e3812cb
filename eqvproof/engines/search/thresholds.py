"""Checks whether a difference starts where some quantity equals a number in the code.

Functions that are constant in floats, but not for real numbers (a saturated ``tanh``), seem to
violate a claim at large entries. A threshold such as ``distance <= 0.2`` does so too, and that
counts. On the ray t x the residual of a threshold appears just where an entry, a difference or a
norm equals the number, to many digits; that of a saturation appears where the digits of floats end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from eqvproof.engines.search.result import Array, Inputs

if TYPE_CHECKING:
    from eqvproof.engines.search.constants import Number

#: Number of halvings of the part of the ray in which the residual appears, and largest relative
#: distance of a quantity from a number after them.
_HALVINGS, _NEAR = 44, 1e-9
#: Largest number of rows whose distances are computed.
_MOST_ROWS = 200


def begins_at_number(
    is_there: Callable[[float], bool], points_at: Callable[[float], Sequence[Inputs]], start: float,
    constants: Sequence[Number],
) -> bool:  # fmt: skip
    """Checks whether a residual starts at a number in the function's code.

    Args:
        is_there: t -> whether there is a residual at t x; false at `start`, true at 1.
        points_at: t -> t x and its image under the element.
        start: a t without a residual.
        constants: the numbers.

    Exactness: none; floats.
    """
    numbers = np.array([float(c) for c in constants if c > 0])
    if not numbers.size:
        return False
    without, there = start, 1.0
    for _ in range(_HALVINGS):
        middle = (without + there) / 2
        if is_there(middle):
            there = middle
        else:
            without = middle
    for point in points_at(there):
        for array in point.values():
            if array.dtype.kind == "f" and array.size:
                for values in _quantities(array.astype(np.float64)):
                    gaps = np.abs(values[:, None] - numbers[None])
                    if bool((gaps <= _NEAR * numbers).any()):
                        return True
    return False


def _quantities(array: Array) -> Iterator[Array]:
    """Yields the usual quantities of thresholds: entries, sums, norms, distances, their squares."""
    flat = array.ravel()
    yield np.abs(flat)
    yield flat * flat
    total, squares = abs(float(flat.sum())), float(flat @ flat)
    yield np.array(
        [total, total / flat.size, squares, squares / flat.size, squares**0.5, float(flat.std())]
    )
    for axis in range(array.ndim):
        rows = np.moveaxis(array, axis, 0)
        rows = rows.reshape(len(rows), -1)[:_MOST_ROWS]
        yield from _row_norms(rows)
        yield from _row_norms((rows[:, None] - rows[None]).reshape(-1, rows.shape[1]))


def _row_norms(rows: Array) -> Iterator[Array]:
    """Yields the sums and the norms of rows."""
    squares = (rows * rows).sum(1)
    yield np.abs(rows.sum(1))
    yield np.abs(rows).sum(1)
    yield np.abs(rows).max(1)
    yield squares
    yield np.sqrt(squares)
