"""Reads points and power sums: exact numbers stay exact, floats get an error bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from eqvproof.deepsets.arguments import ragged_error, to_array
from eqvproof.invariants.witnesses.input_matrices import Floats, read_matrices
from eqvproof.support.errors import DomainError, ShapeError


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """A multiset of points, with a bound on the distance of each from the true one.

    Attributes:
        points: shape (m, d), sorted. Exact points: objects, a `Fraction` if the number is rational,
            else a SymPy number (a root of a polynomial). Otherwise float64.
        bounds: shape (m,): the true points can be numbered so that the k-th is within bounds[k] of
            points[k] in every coordinate. The bounds of exact points are 0.
        told_apart: a lower bound on the number of different true points.
        exact: whether the points are the true ones.
    """

    points: NDArray[Any]
    bounds: NDArray[Any]
    told_apart: int
    exact: bool

    @property
    def bound(self) -> float:
        """The largest of the bounds; 0 for no points."""
        return float(self.bounds.max(initial=0.0))

    def __len__(self) -> int:
        return int(self.points.shape[0])

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter(self.points)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        return np.array(self.points, dtype=dtype)


def read_points(points: Any, d: int) -> tuple[list[list[fmpq]], bool]:
    """Converts rows to rationals; returns them, and whether they were given as exact numbers.

    Raises:
        ShapeError: the rows are ragged, or do not have d entries.
        DomainError: an entry is complex, irrational, NaN, infinite, or text.
    """
    array = _to_array(points, "points")
    if array.size == 0:
        if array.ndim > 2 or (array.ndim == 2 and array.shape[0] and array.shape[1] != d):
            raise _dimension_error(f"shape {array.shape}", d)
        return [], array.dtype.kind != "f"
    if array.ndim == 1 and d == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2 or array.shape[1] != d:
        raise _dimension_error(f"shape {array.shape}", d)
    entries, exact = _read_rationals(array, "points")
    return [entries[i : i + d] for i in range(0, len(entries), d)], exact


def read_sums(sums: Any, error: Any, length: int) -> tuple[list[fmpq], list[fmpq]]:
    """Converts features to rationals; returns them, and a bound on the error of each.

    The bound of an exact feature is 0.

    Raises:
        ShapeError: the number of features, or of errors, is another.
        DomainError: a feature is not a real number, or an error is negative or not finite.
    """
    array = _to_array(sums, "sums")
    if array.shape != (length,):
        raise ShapeError(
            "the number of features is wrong",
            given=f"shape {array.shape}",
            expected=f"shape ({length},)",
            hint="pass the array that encode returned",
        )
    if length == 0:
        return [], []
    middle, exact = _read_rationals(array, "sums")
    if error is not None:
        return middle, _read_errors(error, length)
    if exact:
        return middle, [fmpq(0)] * length
    unit, tiniest = fmpq(1, 2**53), fmpq(1, 2**1075)
    return middle, [max(abs(m) * unit, tiniest) for m in middle]


def _read_errors(error: Any, length: int) -> list[fmpq]:
    array = _to_array(error, "error")
    if array.ndim > 1 or (array.ndim == 1 and len(array) != length):
        raise ShapeError(
            "the number of errors is wrong",
            given=f"shape {array.shape}",
            expected=f"a number, or {length} of them",
            hint="pass one number for all",
        )
    radius, _ = _read_rationals(np.broadcast_to(array, (length,)), "error")
    if min(radius) < 0:
        raise DomainError(
            "an error is negative",
            given=str(min(radius)),
            expected="numbers from 0 up",
            hint="pass its absolute value",
        )
    return radius


def _to_array(value: Any, name: str) -> NDArray[Any]:
    if isinstance(value, (str, bytes)) or value is None:
        raise DomainError(
            f"{name} is not an array of numbers",
            given=repr(value),
            expected="numbers",
            hint="convert it with np.asarray(..., dtype=float)",
        )
    if hasattr(value, "__array__"):
        return to_array(name, value)
    if hasattr(value, "__iter__") and not hasattr(value, "__len__"):
        value = list(value)
    return to_array(name, value, object)


def _read_rationals(array: NDArray[Any], name: str) -> tuple[list[fmpq], bool]:
    """Converts entries to rationals; returns them, and whether they were given as exact numbers."""
    if array.dtype.kind == "O" and any(
        isinstance(x, (list, tuple, np.ndarray)) for x in array.flat
    ):
        raise ragged_error(name, "rows of different lengths")
    arguments: dict[str, Any] = {name: array}
    if array.ndim != 2:
        arguments = {name: array.reshape(-1, 1)}
    matrix: Any = read_matrices(**arguments)[0]
    exact = not isinstance(matrix, Floats)
    if not exact:
        if matrix.values.dtype.kind == "c":
            raise DomainError(
                f"{name} is complex",
                given=f"dtype {array.dtype}",
                expected="real numbers",
                hint="a complex number is a point of R^2: give real and imaginary parts as two"
                " coordinates",
                code="domain.complex",
            )
        matrix = read_matrices(exactly=True, **arguments)[0]
    if isinstance(matrix, Floats) or not matrix.field.is_rational:
        raise DomainError(
            f"{name} holds an irrational number",
            expected="rationals, or floats",
            hint="power sums of algebraic numbers are algebraic: round the numbers to floats or"
            " rationals",
            code="domain.irrational",
            given="an algebraic number that is not rational",
        )
    return (fmpq_mat(matrix.parts[0]) / matrix.bottom).entries(), exact


def no_points_error(given: str, hint: str) -> DomainError:
    """Builds the error for sums that no real points have."""
    return DomainError(
        "no real points have these power sums",
        given=given,
        expected="a result of encode, with at most the stated error",
        code="domain.power-sums",
        hint=hint,
    )


def _dimension_error(given: str, d: int) -> ShapeError:
    expected = f"shape (n, {d})"
    if d == 1:
        expected += " or (n,)"
    return ShapeError(
        "the points do not have the dimension of the power sums",
        given=given,
        expected=expected,
        hint="give one point per row",
    )
