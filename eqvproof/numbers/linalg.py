"""Exact ``numpy.linalg``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from eqvproof.numbers import tensor
from eqvproof.numbers.arrays import ExactArray, unwrap, wrap_array
from eqvproof.numbers.number import Real
from eqvproof.numbers.scalar import ZERO
from eqvproof.numbers.signals import Inexact, Undecided
from eqvproof.numbers.undefined import UNDEFINED


def as_exact_array(values: Any) -> Any:
    """Returns the values as an ExactArray; a single number becomes an entry."""
    if isinstance(values, ExactArray):
        return values
    return wrap_array(unwrap(values))


def _square(a: Any) -> Any:
    raw = unwrap(a)
    if raw.ndim < 2 or raw.shape[-1] != raw.shape[-2]:
        raise np.linalg.LinAlgError(
            f"Last 2 dimensions of the array must be square, not {raw.shape}"
        )
    return raw


def inv(a: Any) -> Any:
    """Returns the inverse; UNDEFINED entries where the matrix is singular."""
    return wrap_array(tensor.inverse_matrices(_square(a)))


def det(a: Any) -> Any:
    """Returns the determinant."""
    return wrap_array(tensor.determinants(_square(a)))


class SlogdetResult(NamedTuple):
    """The result of `slogdet`, as NumPy's."""

    sign: Any
    logabsdet: Any


def slogdet(a: Any) -> Any:
    """Returns the sign and the logarithm of the absolute value of the determinant."""
    value = det(a)
    return SlogdetResult(np.sign(value), np.log(np.abs(value)))


def solve(a: Any, b: Any) -> Any:
    """Solves a x = b by the inverse; b is a vector only where it has one axis (as in NumPy 2)."""
    inverse = inv(a)
    right = as_exact_array(b)
    if right.ndim == 1:
        return np.matmul(inverse, right[:, None])[..., 0]
    return np.matmul(inverse, right)


def matrix_power(a: Any, n: int) -> Any:
    """Returns the n-th power of a square matrix."""
    raw = _square(a)
    if n < 0:
        return matrix_power(inv(a), -n)
    size = raw.shape[-1]
    identity = unwrap(np.broadcast_to(np.eye(size, dtype=int), raw.shape))
    result, square = identity, raw
    while n:
        if n & 1:
            result = tensor.matrix_products(result, square)
        square = tensor.matrix_products(square, square)
        n >>= 1
    return wrap_array(result)


def matrix_rank(a: Any, *args: Any, **kwargs: Any) -> Any:
    """Returns the rank of a rational matrix, exactly: no tolerance is used.

    Raises:
        Undecided: an entry is a ball.
    """
    raw = unwrap(a)
    if raw.ndim != 2:
        raise Inexact("np.linalg.matrix_rank of a stack has no exact form here")
    rank = tensor.rational_rank(raw)
    if rank is None:
        raise Undecided("the rank of a matrix with enclosures")
    return rank


def pinv(a: Any, *args: Any, **kwargs: Any) -> Any:
    """Returns the pseudo-inverse; no tolerance is used."""
    return wrap_array(tensor.pseudo_inverse(unwrap(a)))


def cholesky(a: Any, *, upper: bool = False) -> Any:
    """Returns the lower triangular L with positive diagonal and L L^T = A.

    Only the lower triangle of A is used.

    All entries are UNDEFINED where A is not positive definite.
    """
    matrix = as_exact_array(a)
    n = matrix.shape[-1]
    factor = wrap_array(tensor.constant_array(matrix.shape, ZERO))
    if matrix.ndim > 2:
        for index in np.ndindex(matrix.shape[:-2]):
            factor[index] = cholesky(matrix[index], upper=upper)
        return factor
    pivots = wrap_array(tensor.constant_array((n,), ZERO))
    for j in range(n):
        pivot = pivots[j] = matrix[j, j] - np.sum(factor[j, :j] ** 2 * pivots[:j])
        if isinstance(pivot, Real) and pivot.is_rational and pivot <= 0:
            return wrap_array(tensor.constant_array(matrix.shape, UNDEFINED))
        factor[j, j] = 1
        for i in range(j + 1, n):
            rest = matrix[i, j] - np.sum(factor[i, :j] * factor[j, :j] * pivots[:j])
            factor[i, j] = np.divide(rest, pivots[j])
    roots = np.sqrt(pivots)
    factor = factor * roots / np.prod(np.sign(roots))  # by 1, or undefined
    if upper:
        return factor.T
    return factor


def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Computes ``np.dot``.

    It is a product of matrices, or sums of products over the last and the last but one axis.
    """
    x, y = as_exact_array(a), as_exact_array(b)
    if np.ndim(x) == 0 or np.ndim(y) == 0:
        result = np.multiply(x, y)
    elif y.ndim <= 2:
        result = np.matmul(x, y)
    else:
        result = np.tensordot(x, y, axes=(-1, -2))
    if out is None:
        return result
    return np.positive(result, out=out)


def inner(a: Any, b: Any) -> Any:
    """Returns the sums of products over the last axes."""
    x, y = as_exact_array(a), as_exact_array(b)
    if np.ndim(x) == 0 or np.ndim(y) == 0:
        return np.multiply(x, y)
    return np.tensordot(x, y, axes=(-1, -1))


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """Returns the p-norm of vectors, (sum |x|^p)^(1/p)."""
    values = as_exact_array(x)
    if axis is None and not keepdims:
        values, axis = np.ravel(values), 0
    size = np.abs(values)
    if ord == np.inf:
        return np.max(size, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(size, axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum(np.not_equal(values, 0), axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(size, axis=axis, keepdims=keepdims)
    if ord == 2:
        return np.sqrt(np.sum(values * values, axis=axis, keepdims=keepdims))
    return np.sum(size ** Real(ord), axis=axis, keepdims=keepdims) ** (1 / Real(ord))


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """Returns a Frobenius, row-sum or column-sum norm of the matrices in the last two axes."""
    values = as_exact_array(x)
    if ord in ("fro", "f", None):
        return np.sqrt(np.sum(values * values, axis=(-2, -1), keepdims=keepdims))
    sums = {1: (-2, np.max), -1: (-2, np.min), np.inf: (-1, np.max), -np.inf: (-1, np.min)}
    if ord not in sums:
        raise Inexact(f"the matrix norm of order {ord} has no exact form here")
    axis, extreme = sums[ord]
    result = extreme(np.sum(np.abs(values), axis=axis, keepdims=True), axis=(-2, -1), keepdims=True)
    if keepdims:
        return result
    return result[..., 0, 0]


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:  # noqa: FBT002
    """Computes ``np.linalg.norm``."""
    values = as_exact_array(x)
    dimension = np.ndim(values)
    if axis is None and (
        ord is None or (dimension == 1 and ord == 2) or (dimension == 2 and ord in ("f", "fro"))
    ):
        value = vector_norm(np.ravel(values))
        if keepdims:
            return np.reshape(value, (1,) * dimension)
        return value
    if axis is None:
        axes = tuple(range(dimension))
    elif isinstance(axis, (int, np.integer)):
        axes = (int(axis),)
    else:
        axes = tuple(axis)
    if len(axes) == 1:
        return vector_norm(values, axis=axes[0], keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    result = matrix_norm(np.moveaxis(values, axes, (-2, -1)), ord=ord)
    if keepdims:
        return np.expand_dims(result, tuple(a % dimension for a in axes))
    return result
