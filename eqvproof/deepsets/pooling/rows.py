"""Reads the rows x_k as NumPy arrays, and chooses the dtype in which phi is evaluated."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import to_array
from eqvproof.support.errors import DomainError, ShapeError

#: number of rows evaluated at once by NumPy: d + m such arrays stay in the cache
BLOCK = 8192
#: dtype of the rows -> dtype of phi and of the result
_WORKING = {"float64": "float64", "float32": "float32", "float16": "float32", "bfloat16": "float32"}


@functools.cache
def dtype_name(dtype: Any) -> str:
    """Returns the name of a dtype; it is cached, since NumPy composes it again at each access."""
    return str(dtype.name)


def read_rows(X: Any) -> np.ndarray:
    """Converts X to an array (n, d); a vector (n,) is n rows of one number.

    Raises:
        ShapeError: the rows have different lengths, or X does not have one axis or two.
        DomainError: X holds complex numbers, text, objects, or integers that no float64 equals.
    """
    rows: np.ndarray = with_two_axes(to_array("X", X))
    if dtype_name(rows.dtype) in _WORKING:
        return rows
    if rows.dtype.kind not in "iub":
        hint = "convert them first: np.array(..., dtype=float)"
        if rows.dtype.kind == "c":
            hint = "pool real and imaginary parts as two columns"
        raise DomainError(
            "rows must hold real machine numbers",
            given=f"dtype {rows.dtype}",
            expected="float16, bfloat16, float32, float64, or integers",
            hint=hint,
        )
    converted = rows.astype(np.float64)
    if rows.dtype.itemsize == 8 and rows.size:
        biggest = max(abs(int(rows.max())), abs(int(rows.min())))
        if biggest > 2**53 and any(
            int(a) != int(b) for a, b in zip(rows.ravel(), converted.ravel(), strict=True)
        ):
            raise DomainError(
                "an integer is not exactly a float64",
                given=f"up to {biggest}",
                expected="at most 2^53",
                hint="subtract an offset, or pass floats",
            )
    return converted


def with_two_axes(X: Any) -> Any:
    """Reshapes an array of any backend to rows (n, d).

    Raises:
        ShapeError: the array does not have one axis or two, or has no column.
    """
    if X.ndim == 1:
        return X[:, None]
    if X.ndim != 2 or X.shape[1] == 0:
        raise ShapeError(
            "rows must be an array (n, d)",
            given=f"shape {X.shape}",
            expected="shape (n, d), one row per point",
            hint=_advice_on_rows(X),
        )
    return X


def _advice_on_rows(X: Any) -> str:
    """Returns what to try where an array has neither one axis nor two."""
    if X.ndim == 0 and callable(X.item()):
        return "the function comes first: pool(phi, X)"
    return "reshape a vector with X[:, None]"


def working_dtype(rows: Any, asked: Any, *, needs_float64: bool) -> tuple[str, str]:
    """Returns the dtype in which phi is evaluated, and the dtype of the result."""
    result = _WORKING.get(dtype_name(rows.dtype), "float64")
    if asked is not None:
        try:
            result = np.dtype(asked).name
        except TypeError:
            result = ""
        if result not in ("float32", "float64"):
            raise DomainError(
                "phi is evaluated in float32 or float64 only",
                given=f"dtype={asked!r}",
                expected="float32 or float64",
                hint="omit dtype=",
            )
    if needs_float64:
        return "float64", result
    return result, result


def column_blocks(rows: np.ndarray, dtype: str) -> Iterator[list[np.ndarray]]:
    """Yields the columns of `BLOCK` rows at a time, as contiguous arrays."""
    for start in range(0, len(rows), BLOCK):
        part = rows[start : start + BLOCK].T.astype(dtype, order="C", copy=True)
        yield list(part)
