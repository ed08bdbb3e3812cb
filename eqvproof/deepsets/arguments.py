"""Arguments as users give them: whole numbers, arrays of numbers, one value for each row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from eqvproof.numbers.scalar import to_fraction, to_scalar
from eqvproof.support.errors import BackendError, DomainError, ShapeError

Array = NDArray[Any]


def whole(name: str, value: Any, least: int) -> int:
    """An integer from ``least`` up.

    Raises:
        DomainError: it is none, or a truth value.
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
    """A number of Python, NumPy, SymPy or python-flint as the rational that it is.

    Raises:
        TypeError, ValueError: it is none.
    """
    found = None if isinstance(value, str | bool) else to_scalar(value)
    if not isinstance(found, fmpq):
        raise TypeError("not a rational number")
    return to_fraction(found)


def array_of(name: str, value: Any, dtype: Any = None) -> np.ndarray:
    """What is given as a NumPy array; a tensor of torch of bfloat16 as float32.

    Raises:
        ShapeError: rows of different lengths.
        DomainError: entries that are masked.
        BackendError: a tensor on another device.
    """
    if type(value) is np.ndarray and dtype is None:
        return value
    if np.ma.is_masked(value):
        raise DomainError(
            f"{name} has entries that are masked",
            given=f"{int(np.sum(value.mask))} of {value.size} entries masked",
            expected="numbers alone",
            hint="leave their rows out, or fill them with .filled(...)",
        )
    try:
        return np.asarray(from_torch(value), dtype=dtype)
    except (ValueError, TypeError) as error:
        raise ragged(name, str(error)) from error


def ragged(name: str, given: str) -> ShapeError:
    """The error of rows of different lengths."""
    return ShapeError(
        f"{name} is ragged",
        given=given,
        expected="rows of equal length",
        hint="give each row as many entries",
        code="shape.ragged",
    )


def library_of(array: Any) -> str:
    """The library that an array is of, such as "numpy", "cupy", "dask"."""
    return type(array).__module__.split(".")[0]


def from_torch(X: Any) -> Any:
    """A tensor of torch on the host as a NumPy array, bfloat16 as float32; anything else as it is.

    Raises:
        BackendError: a tensor on another device.
    """
    if library_of(X) != "torch" or not hasattr(X, "detach"):
        return X
    if X.device.type != "cpu":
        raise BackendError(
            "a tensor that is not on the host",
            given=f"device {X.device}",
            hint="pass tensor.cpu(), or cupy.from_dlpack(tensor) to stay on a GPU",
            expected="a tensor on the host",
        )
    kept = X.detach()
    return (kept.float() if str(kept.dtype) == "torch.bfloat16" else kept).numpy()


def require_one_backend(kind: str, first: str, **others: Any) -> None:
    """Refuses arrays of a GPU, or of Dask, beside those of another library.

    Raises:
        BackendError: there are such.
    """
    for name, value in others.items():
        there = library_of(value)
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


def require_one_a_row(name: str, values: Any, rows: int) -> None:
    """Refuses what is no vector of one number for each row.

    Raises:
        ShapeError: another shape.
    """
    if values.shape != (rows,):
        raise ShapeError(
            f"{name}: one a row",
            given=f"shape {values.shape}",
            expected=f"({rows},)",
            hint="pass as many as rows",
        )
