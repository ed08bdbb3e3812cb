"""Checks and converts the arrays X (d, n) and Z (d, k) that a pair form is called with."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import library_name, require_one_backend, to_array
from eqvproof.support.errors import DomainError, ShapeError


def read_points(X: Any, Z: Any) -> tuple[Any, Any, Any]:
    """Returns X (d, n), the points Z^T X as rows (n, k), and the namespace (numpy or cupy)."""
    require_one_backend(library_name(X), "X", Z=Z)
    if library_name(X) == "cupy":
        import cupy

        xp: Any = cupy
    else:
        xp = np
        X = _to_array(X, "X")
        if Z is not None:
            Z = _to_array(Z, "Z")
    dtype = working_dtype(X, Z)
    X = Y = X.astype(dtype)
    if Z is not None:
        Y = Z.astype(dtype).T @ X
    return X, xp.ascontiguousarray(Y.T), xp


def working_dtype(X: Any, Z: Any) -> str:
    """Returns the dtype in which pairs are evaluated.

    It is float32 for float32 and shorter floats, "O" for exact numbers, else float64.

    Raises:
        ShapeError: X (d, n) and Z (d, k) do not fit.
        DomainError: an array does not hold real numbers, or only one of the two is exact.
    """
    arrays = [array for array in (X, Z) if array is not None]
    if any(array.ndim != 2 or array.shape[0] != X.shape[0] for array in arrays):
        raise ShapeError(
            "X must have shape (d, n) and Z shape (d, k)",
            given=" and ".join(str(array.shape) for array in arrays),
            expected="two arrays with d rows each",
            hint="one point per column of X",
        )
    kinds = "".join(array.dtype.kind for array in arrays)
    if set(kinds) - set("fiubO") or kinds == "Of":
        raise DomainError(
            "X and Z must hold real numbers, both rounded or both exact",
            given="dtype " + " and ".join(str(array.dtype) for array in arrays),
            expected="floats, integers or Fractions",
            hint="convert them with astype(float)",
        )
    if X.dtype.kind == "O":
        return "O"
    if X.dtype in (np.float32, np.float16):
        return "float32"
    return "float64"


def _to_array(array: Any, name: str) -> np.ndarray:
    found = to_array(name, array)
    if found.dtype.kind == "O":
        flat = found.ravel()
        if not all(isinstance(v, Fraction | int) for v in flat):
            raise DomainError(
                f"{name} holds objects",
                given=type(flat[0]).__name__,
                expected="numbers or Fractions",
                hint="convert it with astype(float)",
            )
        exact = np.empty(found.shape, dtype=object)
        exact.ravel()[:] = [Fraction(v) for v in flat]
        return exact
    if found.dtype.name == "bfloat16":
        return found.astype(np.float32)
    return found
