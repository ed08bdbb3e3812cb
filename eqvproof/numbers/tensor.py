"""Object arrays of exact scalars, with sums, matrix products, inverses and determinants.

These arrays hold flint numbers themselves (``fmpq``, ``arb``) and perhaps absent entries, not
`Real`: the form in which Programs are evaluated, and in which `Real` arrays do their linear
algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import flint
import numpy as np
from flint import arb, fmpq

from eqvproof.numbers.scalar import LONGEST, ONE, ZERO, tidy, to_ball
from eqvproof.numbers.undefined import UNDECIDED_ENTRY, UNDEFINED, absorb

Array = np.ndarray[Any, Any]


def objects(values: Sequence[Any], shape: Sequence[int]) -> Array:
    """Builds an object array of this shape from its row-major entries."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array.reshape(tuple(shape))


def map_entries(function: Callable[[Any], Any], array: Array) -> Array:
    """Applies a function to each entry; returns an object array."""
    return objects([function(x) for x in array.flat], array.shape)


def constant_array(shape: Sequence[int], value: Any) -> Array:
    """Builds an object array whose entries are all this value."""
    array = np.empty(tuple(shape), dtype=object)
    array[...] = value
    return array


def is_rational(array: Array) -> bool:
    """Checks whether every entry is an fmpq."""
    return set(map(type, array.flat)) <= {fmpq}


def is_real(array: Array) -> bool:
    """Checks whether every entry is a rational or a ball."""
    return set(map(type, array.flat)) <= {fmpq, arb}


def tidied(array: Any) -> Any:
    """Normalises the entries of an array.

    Exact balls become rationals, unbounded ones UNDECIDED_ENTRY, and rationals that are too long
    balls.
    """
    if type(array) is not np.ndarray:
        return _tidy_entry(array)
    if any(type(x) is arb or (type(x) is fmpq and x.height_bits() > LONGEST) for x in array.flat):
        return objects([_tidy_entry(x) for x in array.flat], array.shape)
    return array


def _tidy_entry(x: Any) -> Any:
    if type(x) is not arb:
        if type(x) is fmpq:
            return tidy(x)
        return x
    if x.is_finite():
        return tidy(x)
    return UNDECIDED_ENTRY


def take_along_axis(array: Any, axis: int, indices: range | list[int]) -> Any:
    """Takes the entries of an axis at these indices; evenly spaced ones by basic indexing."""
    index: list[Any] = [slice(None)] * len(array.shape)
    index[axis] = indices
    if isinstance(indices, range):
        index[axis] = slice(0, 0)
        if indices:
            stop = indices.stop if indices.stop >= 0 else None
            index[axis] = slice(indices.start, stop, indices.step)
    return array[tuple(index)]


def fold(ufunc: Any, array: Array, axis: int, empty: Any) -> Array:
    """Folds an associative and commutative operation over one axis, by halves.

    So intermediate numbers stay short.
    """
    array = np.moveaxis(array, axis, 0)
    while len(array) > 1:
        half = len(array) // 2
        folded = ufunc(array[:half], array[half : 2 * half])
        if len(array) % 2:
            array = np.concatenate([folded, array[2 * half :]])
        else:
            array = folded
    if len(array):
        return np.asarray(array[0], dtype=object)
    return constant_array(array.shape[1:], empty)


def sum_over_axes(array: Array, axes: Iterable[int]) -> Array:
    """Returns the sum over some axes, 0 for an empty one."""
    for axis in sorted(axes, reverse=True):
        array = fold(np.add, array, axis, ZERO)
    result: Array = tidied(array)
    return result


def matrix_products(a: Array, b: Array) -> Array:
    """Returns products of matrices, (..., m, k) times (..., k, n), leading axes broadcast.

    Rational rows times rational columns stay rational even where other entries are balls.
    """
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    if not is_real(a) or not is_real(b) or 0 in (m, k, n):
        products = a[..., :, :, None] * b[..., None, :, :]
        return sum_over_axes(products, [products.ndim - 2])
    left = np.broadcast_to(a, (*batch, m, k))
    right = np.broadcast_to(b, (*batch, k, n))
    out = np.empty((*batch, m, n), dtype=object)
    for index in np.ndindex(*batch):
        out[index] = _matrix_product(left[index], right[index])
    return out


def _matrix_product(a: Array, b: Array) -> Array:
    if is_rational(a) and is_rational(b):
        return _rational_product(a, b)
    (m, k), n = a.shape, b.shape[1]
    product = flint.arb_mat(m, k, [to_ball(x) for x in a.flat]) * flint.arb_mat(
        k, n, [to_ball(x) for x in b.flat]
    )
    out: Array = tidied(objects(product.entries(), (m, n)))
    rows = [i for i in range(m) if is_rational(a[i])]
    columns = [j for j in range(n) if is_rational(b[:, j])]
    if rows and columns:
        out[np.ix_(rows, columns)] = _rational_product(a[rows], b[:, columns])
    return out


def _rational_product(a: Array, b: Array) -> Array:
    (m, k), n = a.shape, b.shape[1]
    product = flint.fmpq_mat(m, k, a.ravel().tolist()) * flint.fmpq_mat(k, n, b.ravel().tolist())
    return objects(product.entries(), (m, n))


def _each_matrix(array: Array) -> Iterable[tuple[tuple[int, ...], Array]]:
    for index in np.ndindex(*array.shape[:-2]):
        yield index, array[index]


def inverse_matrices(array: Array) -> Array:
    """Returns the inverses of the matrices in the last two axes.

    All entries are UNDEFINED where a matrix is singular.
    """
    out = np.empty(array.shape, dtype=object)
    for index, matrix in _each_matrix(array):
        out[index] = _inverse_matrix(matrix)
    return out


def _inverse_matrix(matrix: Array) -> Array:
    n = matrix.shape[0]
    if n == 0:
        return matrix
    if is_rational(matrix):
        try:
            entries = flint.fmpq_mat(n, n, matrix.ravel().tolist()).inv().entries()
        except ZeroDivisionError:
            return constant_array((n, n), UNDEFINED)
        return objects(entries, (n, n))
    if not is_real(matrix):
        return constant_array((n, n), absorb(*matrix.flat))
    try:
        balls = flint.arb_mat(n, n, [to_ball(x) for x in matrix.flat]).inv()
    except ZeroDivisionError:  # not shown to be invertible, which is not to say that it is singular
        det = _matrix_determinant(matrix)
        if isinstance(det, fmpq) and det == 0:
            return constant_array((n, n), UNDEFINED)
        return constant_array((n, n), UNDECIDED_ENTRY)
    inverted: Array = tidied(objects(balls.entries(), (n, n)))
    return inverted


def determinants(array: Array) -> Array:
    """Returns the determinants of the matrices in the last two axes."""
    out = np.empty(array.shape[:-2], dtype=object)
    for index, matrix in _each_matrix(array):
        out[index] = _matrix_determinant(matrix)
    return out


def _matrix_determinant(matrix: Array) -> Any:
    n = matrix.shape[0]
    if n == 0:
        return ONE
    if is_rational(matrix):
        return flint.fmpq_mat(n, n, matrix.ravel().tolist()).det()
    if not is_real(matrix):
        return absorb(*matrix.flat)
    if n <= 4:
        return _laplace(matrix)
    return _tidy_entry(flint.arb_mat(n, n, [to_ball(x) for x in matrix.flat]).det())


def _laplace(matrix: Array) -> Any:
    """Returns the determinant by expansion along the first row.

    Where zeros make it rational, it stays rational.
    """
    if len(matrix) == 1:
        return matrix[0, 0]
    result: Any = ZERO
    for j, x in enumerate(matrix[0]):
        if isinstance(x, fmpq) and x == 0:
            continue
        term = x * _laplace(np.delete(matrix[1:], j, axis=1))
        if j % 2:
            term = -term
        result = _tidy_entry(result + term)
    return result


def rational_rank(matrix: Array) -> int | None:
    """Returns the rank of a rational matrix; None where an entry is not rational."""
    m, n = matrix.shape
    if not is_rational(matrix):
        return None
    if m and n:
        return int(flint.fmpq_mat(m, n, matrix.ravel().tolist()).rank())
    return 0


def pseudo_inverse(array: Array) -> Array:
    """Returns the pseudo-inverses of the matrices in the last two axes.

    M = B C with independent columns in B and rows in C gives C^T (C C^T)^-1 (B^T B)^-1 B^T.

    Exactness: rational for rational matrices; balls, where the smaller Gram matrix is shown to be
    invertible, else UNDECIDED_ENTRY.
    Source: A. Ben-Israel and T. N. E. Greville, Generalized Inverses, chapter 1 (after
    C. C. MacDuffee).
    """
    *batch, m, n = array.shape
    out = np.empty((*batch, n, m), dtype=object)
    for index, matrix in _each_matrix(array):
        if is_real(matrix):
            out[index] = _pseudo_inverse(matrix)
        else:
            out[index] = absorb(*matrix.flat)
    return out


def _pseudo_inverse(matrix: Array) -> Array:
    m, n = matrix.shape
    if not is_rational(matrix):
        gram = matrix.T if m >= n else matrix
        inverted = inverse_matrices(matrix_products(gram, gram.T))
        if not is_real(inverted):  # a Gram matrix that is not shown to be invertible
            return constant_array((n, m), UNDECIDED_ENTRY)
        if m >= n:
            return matrix_products(inverted, matrix.T)
        return matrix_products(matrix.T, inverted)
    reduced, rank = flint.fmpq_mat(m, n, matrix.ravel().tolist()).rref()
    right = objects(reduced.entries(), (m, n))[:rank]
    left = matrix[:, [next(j for j in range(n) if row[j] != 0) for row in right]]
    middle = matrix_products(
        inverse_matrices(matrix_products(right, right.T)),
        inverse_matrices(matrix_products(left.T, left)),
    )
    return matrix_products(matrix_products(right.T, middle), left.T)
