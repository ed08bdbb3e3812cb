"""Membership tests of sets of exact matrices for `claims.domains`, and moves into these sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from eqvproof.support.errors import EqvproofError

Array = np.ndarray[Any, Any]
Inputs = Mapping[str, Array]


def filled(shape: tuple[int, ...], values: list[Fraction]) -> Array:
    """Returns an array of Fractions."""
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result.reshape(shape)


def full_rank(side: int, inputs: Inputs) -> bool:
    """Checks whether the rows (0) or the columns (1) of every matrix are linearly independent."""
    return all(_exact_rank(m) == m.shape[side] for m in _all_matrices(inputs))


def _all_matrices(inputs: Inputs) -> list[Array]:
    """Returns the matrices of all arguments.

    Raises:
        EqvproofError: no argument has two axes.
    """
    if all(array.ndim < 2 for array in inputs.values()):
        raise EqvproofError(
            "a domain of matrices speaks of arguments that are none",
            given=", ".join(f"{name} of shape {array.shape}" for name, array in inputs.items()),
            expected="an argument of two axes or more",
            hint='name the one that is meant: ep.domains.invertible("A")',
            code="domain.axis",
        )
    return [m for array in inputs.values() for m in _matrices(array)]


def are_invertible(inputs: Inputs) -> bool:
    """Checks whether every matrix is square and has an inverse."""
    return all(m.shape[0] == m.shape[1] == _exact_rank(m) for m in _all_matrices(inputs))


def are_rotations(inputs: Inputs) -> bool:
    """Checks whether every matrix is orthogonal, of determinant 1."""
    return all(_is_rotation(m) for m in _all_matrices(inputs))


def _is_rotation(matrix: Array) -> bool:
    if matrix.shape[0] != matrix.shape[1]:
        return False
    m = _to_flint(matrix)
    return bool(m.transpose() * m == _flint_identity(len(matrix)) and m.det() == 1)


def to_rotations(array: Array) -> Array:
    """Maps each square matrix to a rotation; rotations stay as they are.

    The rotation is the Cayley transform of the skew part, times a half turn in planes of
    coordinates with a negative diagonal entry.
    """
    return _each_square(array, _to_rotation)


def _to_rotation(matrix: Array) -> Array:
    if _is_rotation(matrix):
        return matrix
    m, one = _to_flint(matrix), _flint_identity(len(matrix))
    skew = (m - m.transpose()) / 2
    negative = [i for i in range(len(matrix)) if matrix[i, i] < 0]
    turned = set(negative[: len(negative) // 2 * 2])
    signs = [-1 if i == j and i in turned else int(i == j) for i, j in np.ndindex(*matrix.shape)]
    found = (one - skew).inv() * (one + skew) * flint.fmpq_mat(len(matrix), len(matrix), signs)
    return filled(matrix.shape, [Fraction(int(v.p), int(v.q)) for v in found.entries()])


def have_simple_spectra(inputs: Inputs) -> bool:
    """Checks whether the eigenvalues of the symmetric part of every matrix are distinct."""
    return all(_has_simple_spectrum(m) for m in _all_matrices(inputs))


def _has_simple_spectrum(matrix: Array) -> bool:
    """Checks whether the symmetric part has only simple eigenvalues.

    These are the simple roots of its characteristic polynomial, which is decided by a gcd.
    """
    if matrix.shape[0] != matrix.shape[1]:
        return False
    m = _to_flint(matrix)
    polynomial = (m + m.transpose()).charpoly()
    return bool(polynomial.gcd(polynomial.derivative()).degree() < 1)


def apart_spectra(array: Array) -> Array:
    """Adds multiples of diag(1, 2, ...) to square matrices until eigenvalues are distinct."""
    return _each_square(array, _apart_spectrum)


def _apart_spectrum(matrix: Array) -> Array:
    """Adds multiples of diag(1, 2, 3, ...) to a matrix until its eigenvalues are distinct.

    The discriminant has degree d (d - 1) in the multiple, so one of the first d (d - 1) + 1
    multiples will do.
    """
    result = matrix.copy()
    for _ in range(len(matrix) * (len(matrix) - 1) + 1):
        if _has_simple_spectrum(result):
            break
        for k in range(len(matrix)):
            result[k, k] += k + 1
    return result


def _each_square(array: Array, function: Callable[[Array], Array]) -> Array:
    """Applies a function to each square matrix in the last two axes; other arrays stay."""
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or not array.size:
        return array
    parts = [function(matrix) for matrix in _matrices(array)]
    return filled(array.shape, [value for part in parts for value in part.flat])


def _to_flint(matrix: Array) -> flint.fmpq_mat:
    rows, columns = matrix.shape
    entries = [flint.fmpq(int(v.numerator), int(v.denominator)) for v in matrix.flat]
    return flint.fmpq_mat(rows, columns, entries)


def _flint_identity(size: int) -> flint.fmpq_mat:
    return flint.fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])


def raised(side: int, array: Array) -> Array:
    """Adds multiples of diag(1, 2, 3, ...) to each matrix until it has full rank."""
    if array.ndim < 2 or array.shape[-1 - side] < array.shape[-2 + side]:
        return array
    result = array.copy()
    for matrix in result.reshape(-1, *array.shape[-2:]):
        for _ in range(min(matrix.shape) + 1):
            if _exact_rank(matrix) == matrix.shape[side]:
                break
            for k in range(min(matrix.shape)):
                matrix[k, k] += 1
    return result


def _matrices(array: Array) -> list[Array]:
    """Returns the matrices in the last two axes; none in an array of fewer axes."""
    if array.ndim >= 2:
        return list(array.reshape(-1, *array.shape[-2:]))
    return []


def _exact_rank(matrix: Array) -> int:
    return int(_to_flint(matrix).rank())
