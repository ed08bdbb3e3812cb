"""Checks and conversions of users' arguments: integers, arrays, one value for each row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from eqvproof.numbers.scalar import to_fraction, to_scalar
from eqvproof.support.errors import BackendError, DomainError, ShapeError

Array = NDArray[Any]


def require_integer(name: str, value: Any, least: int) -> int:
    """Checks that an option is an integer from ``least`` up; returns it as an int.

    Raises:
        DomainError: it is another value, or a truth value.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise DomainError(
            f"{name} is not an integer from {least} up",
            given=repr(value),
            expected=f"{least}, {least + 1}, {least + 2}, ...",
            hint=f"give {name}= as a Python int",
        )
    return int(value)


def read_rational(value: Any) -> Fraction:
    """Converts a number of Python, NumPy, SymPy or python-flint to the equal Fraction.

    Raises:
        TypeError, ValueError: it is not a rational number.
    """
    if isinstance(value, str | bool):
        raise TypeError("not a rational number")
    found = to_scalar(value)
    if not isinstance(found, fmpq):
        raise TypeError("not a rational number")
    return to_fraction(found)


def to_array(name: str, value: Any, dtype: Any = None) -> np.ndarray:
    """Converts an argument to a NumPy array; a bfloat16 tensor of torch to float32.

    Raises:
        ShapeError: the rows have different lengths.
        DomainError: some entries are masked.
        BackendError: the tensor is on another device.
    """
    if type(value) is np.ndarray and dtype is None:
        return value
    if np.ma.is_masked(value):
        raise DomainError(
            f"{name} has masked entries",
            given=f"{int(np.sum(value.mask))} of {value.size} entries masked",
            expected="numbers only",
            hint="drop their rows, or fill them with .filled(...)",
        )
    try:
        return np.asarray(from_torch(value), dtype=dtype)
    except (ValueError, TypeError) as error:
        raise ragged_error(name, str(error)) from error


def ragged_error(name: str, given: str) -> ShapeError:
    """Builds the error for rows of different lengths."""
    return ShapeError(
        f"{name} is ragged",
        given=given,
        expected="rows of equal length",
        hint="give each row the same number of entries",
        code="shape.ragged",
    )


def library_name(array: Any) -> str:
    """Returns the name of an array's library, such as "numpy", "cupy" or "dask"."""
    return type(array).__module__.split(".")[0]


def from_torch(X: Any) -> Any:
    """Converts a torch tensor on the host to a NumPy array, bfloat16 to float32.

    Any other object is returned unchanged.

    Raises:
        BackendError: the tensor is on another device.
    """
    if library_name(X) != "torch" or not hasattr(X, "detach"):
        return X
    if X.device.type != "cpu":
        raise BackendError(
            "the tensor is not on the host",
            given=f"device {X.device}",
            hint="pass tensor.cpu(), or cupy.from_dlpack(tensor) to stay on a GPU",
            expected="a tensor on the host",
        )
    tensor = X.detach()
    if str(tensor.dtype) == "torch.bfloat16":
        tensor = tensor.float()
    return tensor.numpy()


def require_one_backend(kind: str, first: str, **others: Any) -> None:
    """Checks that GPU arrays and Dask arrays are not combined with arrays of another library.

    Raises:
        BackendError: the arrays are of different backends.
    """
    for name, value in others.items():
        there = library_name(value)
        if (
            value is not None
            and {kind, there} & {"cupy", "dask"}
            and there != kind
            and there != "builtins"
        ):
            raise BackendError(
                f"{name} and {first} are arrays of different backends",
                given=f"{name}: {there}, {first}: {kind}",
                hint="put both on one device",
                expected="one backend for both",
            )


def require_one_per_row(name: str, values: Any, rows: int) -> None:
    """Checks that values are a vector with one number for each row.

    Raises:
        ShapeError: the values have another shape.
    """
    if values.shape != (rows,):
        raise ShapeError(
            f"{name} must hold one value per row",
            given=f"shape {values.shape}",
            expected=f"({rows},)",
            hint="pass one value for each row",
        )
