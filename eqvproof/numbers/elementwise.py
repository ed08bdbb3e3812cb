"""Functions of `table` applied to each entry of arrays of flint numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import numpy as np

from eqvproof.numbers.infinite import Infinite
from eqvproof.numbers.scalar import ONE, ZERO
from eqvproof.numbers.table import call
from eqvproof.numbers.tensor import (
    Array,
    constant_array,
    fold,
    is_real,
    matrix_products,
    sum_over_axes,
    tidied,
)
from eqvproof.numbers.undefined import UNDEFINED, Absent, absorb, entrywise

#: Operations that flint's numbers have themselves, defined everywhere.
_NATIVE: dict[str, Callable[..., Any]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "negative": np.negative,
}  # fmt: skip
#: Values of a reduction without entries.
IDENTITIES: dict[str, Any] = {
    "add": ZERO,
    "multiply": ONE,
    "logical_and": ONE,
    "logical_or": ZERO,
    "maximum": None,
    "minimum": None,
    "fmax": None,
    "fmin": None,
    "logaddexp": None,
    "hypot": ZERO,
}


@cache
def lifted(name: str, arity: int) -> Callable[..., Any]:
    """Returns the named function as a ufunc on object arrays, strict in absent entries."""
    function: Callable[..., Any] = np.frompyfunc(entrywise(partial(call, name)), arity, 1)
    return function


def elementwise(name: str, *arrays: Array) -> Any:
    """Applies the named function to each entry, with broadcasting.

    Entries outside the domain of the function become UNDEFINED.

    Raises:
        Undefined, Undecided: fmax or fmin of entries that are no numbers, which these skip for
            floats.
    """
    if name in ("fmax", "fmin"):
        absent = [x for a in arrays for x in np.asarray(a, dtype=object).flat if type(x) is Absent]
        if absent:
            raise absorb(*absent).signal()
    native = _NATIVE.get(name)
    if native is not None and all(is_real(a) for a in arrays):
        return tidied(native(*arrays))
    return lifted(name, len(arrays))(*arrays)


def reduced(name: str, array: Array, axes: tuple[int, ...], empty: Any = UNDEFINED) -> Array:
    """Folds an associative function over some axes; ``empty`` is the value without entries."""
    ufunc = partial(elementwise, name)
    for axis in sorted(axes, reverse=True):
        array = fold(ufunc, array, axis, empty)
    return array


def accumulated(name: str, array: Array, axis: int) -> Array:
    """Returns the running values of an associative function along an axis."""
    moved = np.moveaxis(array, axis, 0)
    out = constant_array(moved.shape, UNDEFINED)
    for i in range(len(moved)):
        here = slice(i, i + 1)
        out[here] = moved[here]
        if i:
            out[here] = elementwise(name, out[i - 1 : i], moved[here])
    return np.moveaxis(out, 0, axis)


def sum_entries(array: Array, axes: Iterable[int]) -> Array:
    """Returns the sum over some axes; infinities are allowed."""
    if _has_infinity(array):
        return reduced("add", array, tuple(a % array.ndim for a in axes), ZERO)
    return sum_over_axes(array, axes)


def matrix_product(a: Array, b: Array) -> Array:
    """Returns the products of matrices in the last two axes; infinities are allowed."""
    if _has_infinity(a) or _has_infinity(b):
        return sum_entries(elementwise("multiply", a[..., :, :, None], b[..., None, :, :]), [-2])
    return matrix_products(a, b)


def _has_infinity(array: Array) -> bool:
    return Infinite in set(map(type, array.flat))
