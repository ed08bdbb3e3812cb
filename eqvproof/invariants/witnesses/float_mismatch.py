"""Errors for floats whose inner products differ by more than rounding.

Such inner products rule out a witness.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.certificate import rational_text, tensor
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import (
    FloatArray,
    columns_hint,
    read_matrices,
    to_array,
)
from eqvproof.invariants.witnesses.mismatch import ROWS, first_difference, number_text
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import GramMismatch

#: Largest number of columns for which the pair that differs most is found exactly.
FEW = 128


def float_mismatch(
    x: FloatArray, y: FloatArray, scale: NDArray[np.float64], tolerance: float
) -> GramMismatch:
    """Builds the error for float matrices that no orthogonal matrix maps onto each other.

    Names the first pair whose inner products differ by more than the tolerance times the column
    lengths; or, if every single pair agrees within it (and only their sum does not), the pair that
    differs most. Both values are exact.
    """
    (i, j), beyond = differing_pair(x, y, scale, tolerance)
    if not beyond and not np.iscomplexobj(x) and not np.iscomplexobj(y):
        i, j = _worst_exactly(x, y, scale) or (i, j)
    left, right = _inner(x, i, j), _inner(y, i, j)
    left_text, right_text = _float_text(left), _float_text(right)
    error = GramMismatch(
        f"no orthogonal matrix maps X to Y within rounding: columns {i} and {j} have"
        " different inner products",
        given=f"<X[:, {i}], X[:, {j}]> = {left_text}, but <Y[:, {i}], Y[:, {j}]> = {right_text};"
        f" they differ by {_float_text(abs(left - right), 3)}",
        expected=f"Gram matrices that agree to about {tolerance:.1g} of the column lengths",
        hint=columns_hint(
            (x.shape[0], x.shape[1]),
            "pass tol= if the data is less precise than its type",
        ),
    )
    error.pair, error.inner_products = (i, j), (left, right)
    if not np.iscomplexobj(x) and not np.iscomplexobj(y):
        error.evidence = lambda: seal(
            "gram-mismatch",
            X=tensor(x),
            Y=tensor(y),
            pair=[i, j],
            left=rational_text(left),
            right=rational_text(right),
        )
    return error


def differing_pair(
    x: FloatArray, y: FloatArray, scale: NDArray[np.float64], tolerance: float
) -> tuple[tuple[int, int], bool]:
    """Finds two columns whose inner products in x and y differ.

    Returns the first pair that differs beyond the tolerance, and True; otherwise the pair that
    differs most, and False.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        a, b = x / scale, y / scale
        sizes = np.sqrt(np.sum(np.abs(a) ** 2, axis=0))
        sizes = np.where(sizes > 0, sizes, 1.0)
        worst, place = -1.0, (0, 0)
        for start in range(0, a.shape[1], ROWS):
            stop = start + ROWS
            gap = np.abs(a[:, start:stop].conj().T @ a - b[:, start:stop].conj().T @ b)
            gap = np.where(np.isfinite(gap), gap / sizes[start:stop, None] / sizes, np.inf)
            beyond = np.argwhere(gap > tolerance)
            if beyond.size:
                return (start + int(beyond[0, 0]), int(beyond[0, 1])), True
            if gap.size and float(gap.max()) > worst:
                worst = float(gap.max())
                i, j = np.unravel_index(int(gap.argmax()), gap.shape)
                place = (start + int(i), int(j))
    return place, False


def _worst_exactly(
    x: FloatArray, y: FloatArray, scale: NDArray[np.float64]
) -> tuple[int, int] | None:
    """Finds two columns whose inner products differ as rational numbers.

    Returns the pair that differs most among up to `FEW` columns, the first pair among more.
    """
    left, right = read_matrices(exactly=True, X=x / scale, Y=y / scale)
    if not isinstance(left, FieldMatrix) or not isinstance(right, FieldMatrix):
        return None
    if x.shape[1] > FEW:
        return first_difference(left, right)
    difference = to_array(left.transpose() @ left - right.transpose() @ right)
    place = max(np.ndindex(difference.shape), key=lambda k: abs(difference[k]))
    return (min(place), max(place))


def _inner(values: FloatArray, i: int, j: int) -> Any:
    """Computes the inner product of two columns, exactly for real floats, rounded for complex."""
    if np.iscomplexobj(values):
        return complex(np.vdot(values[:, i], values[:, j]))
    pairs = zip(values[:, i].tolist(), values[:, j].tolist(), strict=True)
    return sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))


def _float_text(value: Any, digits: int = 17) -> str:
    if isinstance(value, complex):
        return repr(value)
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return number_text(value)
