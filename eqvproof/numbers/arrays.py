"""Arrays of exact numbers: NumPy object arrays of `Real` that know NumPy's functions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from eqvproof.numbers.arithmetic import sorted_scalars
from eqvproof.numbers.infinite import Infinite
from eqvproof.numbers.number import Real, operand, wrap
from eqvproof.numbers.protocol import FunctionOperand
from eqvproof.numbers.signals import Inexact, Undefined, forget_signal
from eqvproof.numbers.tensor import Array, objects
from eqvproof.numbers.undefined import UNDEFINED, Absent, absorb


class ExactArray(FunctionOperand, np.ndarray[Any, Any]):
    """An object array whose entries are `Real` (or `UNDEFINED`, `UNDECIDED_ENTRY`).

    NumPy's and SciPy's elementwise functions, sums, products, einsum, inverses and determinants of
    it are exact or enclosing; an entry outside a function's domain becomes UNDEFINED and the others
    stay. What has no exact form raises `Inexact`.
    """

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """Converts the entries over the reals: to floats, the same numbers; to ints, truncated."""
        kind = np.dtype(dtype).kind
        if kind in "fO":
            return self.copy()
        if kind in "biu":
            convert: type = int
            if kind == "b":
                convert = bool
            return np.array([convert(x) for x in self.flat], dtype=dtype).reshape(self.shape)
        raise Inexact("exact numbers cannot be converted", given=f"astype({np.dtype(dtype)})")

    def dot(self, other: Any, out: Any = None) -> Any:
        """Computes ``np.dot``."""
        return np.dot(self, other, out=out)

    def sort(self, axis: int = -1, *args: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Sorts in place; ties of balls need no decision."""
        self[...] = sorted_along(self, axis)


def unwrap_entry(x: Any) -> Any:
    """Converts an entry of an object array to a flint number, an infinity or an absent entry.

    NaN becomes UNDEFINED.
    """
    if type(x) is Real:
        return x._v
    if type(x) is Absent or type(x) in (fmpq, arb, Infinite):
        return x
    if x is None:  # np.empty_like
        return UNDEFINED
    try:
        value = operand(x)
    except Undefined as signal:
        forget_signal(signal)
        return UNDEFINED
    if value is NotImplemented:
        raise TypeError(f"not a real number: {type(x).__name__} {x!r}")
    return value


def _object_array(values: Any) -> Array:
    """Returns arrays as they are, other values as arrays of objects, so that nothing is rounded."""
    if isinstance(values, np.ndarray):
        return values
    return np.asarray(values, dtype=object)


def unwrap(values: Any) -> Array:
    """Converts an array to an object array of flint numbers, infinities and absent entries."""
    array = np.asarray(_object_array(values))
    entries: Any = array.ravel()
    if array.dtype != object and not (array.dtype.kind == "f" and array.dtype.itemsize > 8):
        entries = entries.tolist()
    if array.dtype == object and all(type(x) is Real for x in entries):
        return objects([x._v for x in entries], array.shape)
    return objects([unwrap_entry(x) for x in entries], array.shape)


def _wrap_entry(x: Any) -> Any:
    if type(x) is Absent:
        return x
    return wrap(x)


def wrap_array(raw: Any) -> Any:
    """Wraps flint numbers as an ExactArray of Real.

    A single number (no array, or one without axes) becomes an entry.
    """
    if not isinstance(raw, np.ndarray):
        return _wrap_entry(raw)
    if raw.ndim == 0:
        return _wrap_entry(raw.item())
    return objects([_wrap_entry(x) for x in raw.flat], raw.shape).view(ExactArray)


def exact_array(values: Any) -> ExactArray:
    """Converts nested numbers to an array of exact numbers; floats are exact rationals.

    Absent entries stay.

    Raises:
        Undefined: an entry is NaN or an infinity. TypeError: an entry is no real number.

    Example:
        >>> exact_array([[1, 0.5]])
        ExactArray([[Real('1'), Real('1/2')]], dtype=object)
    """
    array = _object_array(values)
    entries = [x if type(x) is Absent else Real(x) for x in array.ravel().tolist()]
    for x in entries:
        if type(x) is Real and not x.is_finite:
            raise Undefined("an infinity is no real number", given=str(x), code="exact.not-finite")
    return objects(entries, array.shape).view(ExactArray)


def result_array(values: Any) -> ExactArray:
    """Converts a function's result like `exact_array`; NaN and infinities become UNDEFINED."""
    raw = unwrap(values)
    entries = [UNDEFINED if type(x) is Infinite else _wrap_entry(x) for x in raw.flat]
    return objects(entries, raw.shape).view(ExactArray)


def to_fractions(values: Any) -> Array:
    """Converts an array to an object array of Fractions.

    Raises:
        Inexact: an entry is a ball. Undefined, Undecided: an entry is absent.
    """
    array = exact_array(values)
    return objects([_fraction(x) for x in array.flat], array.shape)


def _fraction(x: Any) -> Fraction:
    if type(x) is Absent:
        raise absorb(x).signal()
    return Real(x).to_fraction()


def to_floats(values: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Converts an array to the nearest float64 array, for printing and plotting.

    Absent entries become NaN.
    """
    array = result_array(values)
    floats = [float("nan") if type(x) is Absent else x.to_float() for x in array.flat]
    return np.array(floats, dtype=np.float64).reshape(array.shape)


def is_rational(values: Any) -> bool:
    """Checks whether every entry is known as a rational."""
    return all(type(x) is fmpq for x in unwrap(values).flat)


def sorted_raw(raw: Array, axis: int) -> Array:
    """Sorts flint numbers along an axis; one absent entry makes its whole line absent."""
    moved = np.moveaxis(raw, axis, -1)
    out = np.empty(moved.shape, dtype=object)
    for index in np.ndindex(*moved.shape[:-1]):
        line = moved[index].tolist()
        absent = [x for x in line if type(x) is Absent]
        if absent:
            out[index] = absorb(*absent)
        elif any(type(x) is Infinite for x in line):
            finite = sorted_scalars([x for x in line if type(x) is not Infinite])
            low = [x for x in line if type(x) is Infinite and x.sign < 0]
            out[index] = [*low, *finite, *[x for x in line if type(x) is Infinite and x.sign > 0]]
        else:
            out[index] = sorted_scalars(line)
    return np.moveaxis(out, -1, axis)


def sorted_along(values: Any, axis: int | None) -> Any:
    """Computes ``np.sort`` of exact numbers."""
    raw = unwrap(values)
    if axis is None:
        return wrap_array(sorted_raw(raw.ravel(), 0))
    return wrap_array(sorted_raw(raw, axis))
