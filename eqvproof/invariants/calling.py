"""Calls of a user's function, with exact numbers if it accepts them, otherwise with floats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.numbers import (
    exact_array,
    is_rational,
    recording,
    result_array,
    to_floats,
    to_fractions,
)
from eqvproof.support.errors import DomainError, ShapeError, TargetError, error_text, is_foreign

Array = NDArray[Any]


def is_exact(array: Array) -> bool:
    """Checks whether an array holds exact entries: its dtype is integer, boolean or object."""
    return array.dtype.kind in "iubO"


def as_floats(array: Array) -> Array:
    """Returns a float64 copy of a real array."""
    if array.dtype.kind == "O":
        return to_floats(array)
    return np.array(array, dtype=np.float64)


def as_inexact(array: Array) -> Array:
    """Returns a float64 copy of a real array, and a complex array itself."""
    if array.dtype.kind == "c":
        return array
    return as_floats(array)


def call(f: Callable[..., Any], arrays: Sequence[Array]) -> Array:
    """Calls f with copies of the arrays: exact numbers if f accepts them, else float64.

    Arrays of machine integers, booleans (indices, masks) or complex numbers are passed unchanged.
    The value is an array of Fractions if f maps exact numbers to rationals. An enclosure of an
    irrational value is rounded; a function that rejects exact numbers is called with floats.

    Raises:
        TargetError: f raises, or does not return an array of numbers.
        DomainError: f is not finite there.
    """
    if all(is_exact(a) for a in arrays):
        with recording() as signals:
            try:
                value = f(*map(_exact_copy, arrays))
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                value = None  # floats below: either they work, or their error is reported
        # after a signal that f caught, the value it returned is not its value at these numbers
        if value is not None and not signals and not _is_not_numeric(value):
            return _exact_value(value)
    try:
        with np.errstate(all="ignore"):
            value = f(*map(_float_copy, arrays))
    except BaseException as error:
        if not is_foreign(error):
            raise
        raise TargetError(
            "the function raised an error",
            given=f"{error_text(error)}",
            expected="an array of numbers",
            hint="call the function with these arrays to see it",
        ) from error
    if any(a.dtype.kind == "c" for a in arrays):
        return _require_finite(_require_numbers(value, "iubfc"))
    return _require_finite(_require_numbers(value, "iubf"))


def _exact_copy(array: Array) -> Array:
    """Copies an array; Fractions become the exact numbers that functions are traced with."""
    if array.dtype.kind == "O":
        return exact_array(array)
    return array.copy()


def _float_copy(array: Array) -> Array:
    """Copies an array; Fractions and floats become float64."""
    if array.dtype.kind in "fO":
        return as_floats(array)
    return array.copy()


def _is_not_numeric(value: Any) -> bool:
    """Checks whether the value of f at exact numbers is not an array of real numbers."""
    return _to_array(value).dtype.kind not in "iubfO"


def _to_array(value: Any) -> Array:
    """Converts the value of a function to an array.

    Raises:
        TargetError: NumPy cannot convert it, such as nested lists of different lengths.
    """
    try:
        return np.asarray(value)
    except BaseException as error:  # objects other than arrays may raise anything
        if not is_foreign(error):
            raise
        raise _not_numbers(type(value).__name__) from error


def _not_numbers(given: str) -> TargetError:
    return TargetError(
        "the function did not return an array of real numbers",
        given=given,
        expected="an array of numbers",
        hint="return one array of real numbers",
    )


def _exact_value(value: Any) -> Array:
    """Converts the value of f at exact numbers to Fractions if it is rational, else to floats."""
    array = _to_array(value)
    if array.dtype.kind in "iubf" and np.isfinite(array).all():
        return to_fractions(array)
    if array.dtype.kind != "O":
        return _require_finite(array)
    try:
        found = result_array(array)
    except TypeError as error:
        raise _not_numbers(f"{type(value).__name__}: {error_text(error)}") from error
    if is_rational(found):
        return to_fractions(found)
    return _require_finite(to_floats(found))


def _require_numbers(value: Any, kinds: str) -> Array:
    """Converts the value of f at floats to an array of floats, or of complex numbers."""
    array = _to_array(value)
    if value is None or array.dtype.kind == "O":
        raise _not_numbers(type(value).__name__)
    if array.dtype.kind not in kinds:
        raise _not_numbers(f"dtype {array.dtype}")
    if array.dtype.kind == "c":
        return array
    return array.astype(np.float64)


def _require_finite(array: Array) -> Array:
    if array.dtype.kind in "fc" and not np.isfinite(array).all():
        raise DomainError(
            "the function is not finite at this point",
            given="NaN or an infinity in its value",
            expected="a finite value",
            hint="give a point at which the function is defined",
        )
    return array


def require_shape(array: Array, shape: tuple[int | None, ...], what: str) -> None:
    """Checks the shape of an array; None stands for any size.

    Raises:
        ShapeError: naming both shapes.
    """
    fits = array.ndim == len(shape) and all(
        b is None or a == b for a, b in zip(array.shape, shape, strict=True)
    )
    if not fits:
        wanted = " x ".join("any" if s is None else str(s) for s in shape)
        raise ShapeError(
            f"{what} has the wrong shape",
            given=f"shape {array.shape}",
            expected=wanted,
            hint="compare the shape that f returns with the signature",
        )
