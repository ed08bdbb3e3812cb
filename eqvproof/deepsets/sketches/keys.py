"""Converts machine numbers to 64-bit keys, which are their bits, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import Array, to_array
from eqvproof.deepsets.sketches.layout import Words
from eqvproof.support.errors import DomainError


def read_dtype(dtype: Any) -> np.dtype[Any]:
    """Checks a type of machine numbers; returns it in the byte order of the machine.

    Raises:
        DomainError: the type is not one of real numbers of at most 64 bits.
    """
    found: np.dtype[Any]
    try:
        found = np.dtype(dtype).newbyteorder("=")
    except TypeError as error:
        raise _unsupported_type(f"dtype {dtype!r}") from error
    if found.kind not in "fiub" or found.itemsize > 8:
        raise _unsupported_type(f"dtype {found}")
    return found


def to_keys(values: Any, dtype: np.dtype[Any]) -> Words:
    """Returns the bit patterns of an array of any shape, zero-extended to 64 bits.

    An array must have the given type; a list of Python numbers is converted if that changes no
    value.

    Raises:
        DomainError: the numbers have another type.
        ShapeError: the rows are ragged.
    """
    plain = not hasattr(values, "dtype")
    array = to_array("numbers", values)
    if array.size == 0:
        return np.empty(0, np.uint64)
    if plain and array.dtype == np.float64:
        _require_unrounded(array, values)
    if array.dtype.newbyteorder("=") != dtype:
        array = _convert(array, dtype, plain=plain)
    flat = np.ascontiguousarray(array.astype(dtype, copy=False)).reshape(-1)
    bits: Words = flat.view(f"u{dtype.itemsize}").astype(np.uint64, copy=False)
    return bits


def _require_unrounded(array: Array, values: Any) -> None:
    """Checks that NumPy has not rounded an integer of a list that also holds floats."""
    large = np.nonzero(np.isfinite(array) & (np.abs(array) >= 2.0**53))  # smaller ones are exact
    if not len(large[0]):
        return
    given = to_array("numbers", values, object)[large]
    for number, found in zip(given, array[large], strict=True):
        if int(number) != int(found):
            raise DomainError(
                "an integer in a list with floats is not exactly a float64",
                given=repr(number),
                expected="numbers that one type holds",
                hint="encode integers by a separate sketch: Sketch(capacity, dtype='int64')",
                code="domain.dtype",
            )


def to_values(keys: Words, dtype: np.dtype[Any]) -> Array | None:
    """Returns the numbers with these bit patterns; None if a key has bits beyond the type."""
    narrow = keys.astype(f"u{dtype.itemsize}", copy=False)
    if dtype.itemsize < 8 and bool((narrow != keys).any()):
        return None
    return narrow.view(dtype)


def _convert(array: Array, dtype: np.dtype[Any], *, plain: bool) -> Array:
    if plain and array.dtype.kind in "fiub":
        with np.errstate(all="ignore"):
            found = array.astype(dtype)
        same = found == array
        if dtype.kind == "f" and array.dtype.kind == "f":
            same |= np.isnan(found) & np.isnan(array)
        if (
            dtype.kind != "b"
            and array.dtype.kind != "b"
            and bool(same.all())
            and _equal_exactly(array, found)
        ):
            return found
    if array.dtype.kind in "fiub" and array.dtype.itemsize <= 8:
        hint = (
            f"Sketch(capacity, dtype={str(array.dtype)!r}), or X.astype({str(dtype)!r}) to convert"
        )
    else:
        hint = (
            "pass real machine numbers of at most 64 bits; encode z.real and z.imag of a complex"
            " array z separately"
        )
    raise other_dtype_error(array.dtype, dtype, hint)


def other_dtype_error(given: Any, expected: Any, hint: str) -> DomainError:
    """Builds the error for numbers of another type."""
    return DomainError(
        "the numbers do not have the type of the sketch",
        given=f"{given}",
        expected=f"{expected}",
        hint=hint,
        code="domain.dtype",
    )


def _equal_exactly(array: Array, found: Array) -> bool:
    """Checks exactly whether integers and floats are equal (NumPy compares after rounding)."""
    if array.dtype.kind == found.dtype.kind:
        return True
    return all(int(a) == int(b) for a, b in zip(array.reshape(-1), found.reshape(-1), strict=True))


def _unsupported_type(given: str) -> DomainError:
    return DomainError(
        "a sketch holds real machine numbers of at most 64 bits",
        given=given,
        expected="float64, float32, float16, an integer type or bool",
        hint="convert it with astype",
        code="domain.dtype",
    )
