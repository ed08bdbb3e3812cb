"""Reading of families of vectors for `orbit_witness`, and application of elements to arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq_mat, fmpz_mat

from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import (
    Floats,
    any_array,
    read_matrices,
    require_same_shape,
)
from eqvproof.invariants.witnesses.rational import stack
from eqvproof.support.errors import DomainError, ShapeError

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class FloatSides:
    """X and Y as floats of one shape, complex ones for complex groups."""

    x: Floats
    y: Floats


def read_sides(X: Any, Y: Any, *, is_complex: bool) -> tuple[fmpq_mat, fmpq_mat] | FloatSides:
    """Reads two matrices of one shape, as rationals or as floats.

    Rational complex matrices are returned with real parts above imaginary parts, complex floats
    unchanged.

    Raises:
        DomainError: numbers that are neither; complex numbers for real vectors.
        ShapeError: matrices of different shapes.
    """
    given: dict[str, Any] = {"X": X, "Y": Y}
    if is_complex:
        given = {
            f"{part} of {name}": v
            for name, m in given.items()
            for part, v in _split_complex(name, m).items()
        }
    matrices = read_matrices(**given)
    require_same_shape(matrices[0], matrices[len(matrices) // 2])
    floats = [m for m in matrices if isinstance(m, Floats)]
    if floats and not any(np.iscomplexobj(m.values) for m in floats):
        if not is_complex:
            return FloatSides(floats[0], floats[1])
        epsilon = max(m.epsilon for m in floats)
        x, y = (floats[k].values + 1j * floats[k + 1].values for k in (0, 2))
        return FloatSides(Floats(x, epsilon), Floats(y, epsilon))
    found = [
        fmpq_mat(m.top) / m.bottom
        for m in matrices
        if isinstance(m, FieldMatrix) and m.field.is_rational
    ]
    if len(found) < len(given):
        raise DomainError(
            "the numbers are not rational",
            given="complex numbers, or irrational ones",
            expected="rational numbers or floats; complex ones for U and SU only",
            hint="use orthogonal_witness for real algebraic numbers, or convert them to floats",
        )
    if is_complex:
        return (stack(*found[:2]), stack(*found[2:]))
    return (found[0], found[1])


def _split_complex(name: str, value: Any) -> dict[str, Any]:
    """Splits a matrix of complex numbers into its real and its imaginary part."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iubfc":
        return {"the real part": value.real, "the imaginary part": value.imag}
    if isinstance(value, (fmpz_mat, fmpq_mat)):
        return {"the real part": value, "the imaginary part": value * 0}
    array = any_array(value, name).astype(object)
    pairs = np.empty((2, *array.shape), dtype=object)
    for place, v in np.ndenumerate(array):
        pairs[(0, *place)], pairs[(1, *place)] = _real_and_imaginary(name, v)
    return {"the real part": pairs[0], "the imaginary part": pairs[1]}


def _real_and_imaginary(name: str, value: Any) -> tuple[Any, Any]:
    if hasattr(value, "as_real_imag"):
        re, im = value.as_real_imag()
        return re, im
    if hasattr(value, "imag") and not isinstance(value, np.ndarray):
        return value.real, value.imag
    raise DomainError(
        f"{name} does not hold numbers only",
        given=repr(value)[:80],
        expected="complex numbers, integers, Fractions or SymPy numbers",
        hint="turn its entries into numbers first",
    )


def apply_element(matrix: Array, array: Any, *, is_complex: bool) -> Array:
    """Applies a matrix to the first axis of an array.

    The matrices of complex groups also act on complex arrays of half as many rows.

    Exactness: exact for an exact matrix and integers, Fractions or SymPy numbers.
    """
    size, array = len(matrix), any_array(array, "A")
    if array.dtype.kind in "iub":
        array = array.astype(object)
    if is_complex and array.ndim and 2 * len(array) == size:
        parts = _split_complex("A", array)
        stacked = np.concatenate([np.asarray(part) for part in parts.values()])
        image = apply_element(matrix, stacked, is_complex=False)
        unit: Any = 1j
        if image.dtype == object:
            import sympy

            unit = sympy.I
            if image.size:
                image = np.vectorize(sympy.sympify, otypes=[object])(image)
        return np.asarray(image[: size // 2] + unit * image[size // 2 :])
    if not array.ndim or len(array) != size:
        raise ShapeError(
            "A does not fit the element",
            given=f"A of shape {array.shape}",
            expected=f"{size} rows" + f", or {size // 2} of complex numbers" * is_complex,
            hint="one column for each vector",
        )
    if matrix.dtype == object and array.dtype != object:
        matrix = matrix.astype(np.float64)
    return np.asarray(np.tensordot(matrix, array, axes=(1, 0)))
