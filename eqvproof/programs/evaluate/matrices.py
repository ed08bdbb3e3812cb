"""Evaluates the functions of matrices that are not rational, one row for each function.

Each is computed in exact numbers, in floats, and as an unknown function of its known invariants.

Exactness: `exact` as each function says; floats are rounded, NaN where an entry of the matrix or of
its weights is no number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import flint
import numpy as np

from eqvproof.numbers import tensor
from eqvproof.numbers.scalar import tidy, to_ball
from eqvproof.numbers.undefined import Absent, absorb
from eqvproof.programs.evaluate import eigenvalues
from eqvproof.programs.evaluate.system import NumberSystem
from eqvproof.programs.operations.matrix_functions import MATRIX_FUNCTIONS

Array = np.ndarray[Any, Any]
#: Terms of the exponential series of matrices of norm at most 1: the remainder is below 2^-79.
TERMS = 24
#: Eigenvalues count as equal in floats if they differ by less, relative to the largest.
EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Values:
    """The implementations of one function.

    Attributes:
        exact: computes it for object arrays of exact numbers.
        floats: computes it for a namespace and its arrays, which hold numbers only.
    """

    exact: Callable[..., Array]
    floats: Callable[..., Any]


def _by_exponential(
    series: Sequence[int], matrix: Any, exp: Callable[[Any], Any], concat: Any
) -> Any:
    """Computes a series as a block of exp of [[0, s M], [M, 0]], its even or its odd part.

    The square of that matrix has the blocks s M^2 twice.
    """
    if len(series) == 1:
        return exp(matrix)
    n, none = matrix.shape[-1], matrix * 0
    other = matrix
    if min(series) < 0:
        other = -matrix
    whole = exp(concat([concat([none, other], axis=-1), concat([matrix, none], axis=-1)], axis=-2))
    if series[0]:
        return whole[..., :n, :n]
    return whole[..., n:, :n]


def _for_each_matrix(array: Array, compute: Callable[[Array], Array]) -> Array:
    """Applies a function to each matrix of an array of exact numbers; absent entries spread."""
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(*array.shape[:-2]):
        absent = [x for x in array[index].flat if type(x) is Absent]
        if absent:
            out[index] = absorb(*absent)
        else:
            out[index] = compute(array[index])
    return out


def _series_exact(series: Sequence[int]) -> Callable[[Array], Array]:
    def value(array: Array) -> Array:
        return _for_each_matrix(
            array, lambda one: _by_exponential(series, one, _exponential_of_balls, np.concatenate)
        )

    return value


def _exponential_of_balls(matrix: Array) -> Array:
    found = (
        flint.arb_mat(len(matrix), len(matrix), [to_ball(x) for x in matrix.flat]).exp().entries()
    )
    return np.array([tidy(x) for x in found], dtype=object).reshape(matrix.shape)


def _series_in_floats(series: Sequence[int]) -> Callable[[Any, Any], Any]:
    def value(xp: Any, matrix: Any) -> Any:
        concat = getattr(xp, "concat", None) or xp.concatenate
        return _by_exponential(series, matrix, lambda m: _exponential_of_floats(xp, m), concat)

    return value


def _exponential_of_floats(xp: Any, matrix: Any) -> Any:
    """Computes exp(M) = exp(M / 2^k)^(2^k), by the series."""
    if math.prod(matrix.shape):
        largest = float(xp.max(xp.sum(xp.abs(matrix), axis=-1)))
    else:
        largest = 0.0
    halvings = max(0, math.frexp(largest)[1])
    unit = xp.eye(matrix.shape[-1], dtype=matrix.dtype)
    small, found = matrix / 2.0**halvings, xp.broadcast_to(unit, matrix.shape)
    for k in range(TERMS, 0, -1):
        found = unit + xp.matmul(small, found) / k
    for _ in range(halvings):
        found = xp.matmul(found, found)
    return found


def _cholesky_exact(array: Array) -> Array:
    from eqvproof.numbers.arrays import unwrap, wrap_array
    from eqvproof.numbers.linalg import cholesky

    return _for_each_matrix(array, lambda one: unwrap(cholesky(wrap_array(one))))


def _cholesky_in_floats(xp: Any, matrix: Any) -> Any:
    try:
        return xp.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        if len(matrix.shape) == 2:
            return xp.full_like(matrix, math.nan)
    flat = xp.reshape(matrix, (-1, *matrix.shape[-2:]))
    factors = [_cholesky_in_floats(xp, flat[i, :, :]) for i in range(flat.shape[0])]
    return xp.reshape(xp.stack(factors), matrix.shape)


def _transposed(xp: Any, array: Any) -> Any:
    rank = len(array.shape)
    permute = getattr(xp, "permute_dims", None) or xp.transpose
    return permute(array, (*range(rank - 2), rank - 1, rank - 2))


def _symmetrised_eigenvalues(xp: Any, matrix: Any) -> Any:
    return xp.linalg.eigvalsh((matrix + _transposed(xp, matrix)) / 2)


def _spectral(xp: Any, matrix: Any, weights: Any) -> Any:
    vectors = xp.linalg.eigh((matrix + _transposed(xp, matrix)) / 2)[1]
    return xp.matmul(vectors * weights[..., None, :], _transposed(xp, vectors))


def _eigenvectors(xp: Any, matrix: Any) -> Any:
    values, vectors = xp.linalg.eigh((matrix + _transposed(xp, matrix)) / 2)
    if matrix.shape[-1] < 2:
        return vectors
    gap = xp.min(values[..., 1:] - values[..., :-1], axis=-1)
    equal = gap <= EQUAL * xp.max(xp.abs(values), axis=-1)
    return xp.where(equal[..., None, None], xp.full_like(vectors, math.nan), vectors)


VALUES: Mapping[str, Values] = {
    "pinv": Values(tensor.pseudo_inverse, lambda xp, matrix: xp.linalg.pinv(matrix)),
    "eigvals": Values(eigenvalues.symmetric_eigenvalues, _symmetrised_eigenvalues),
    "spectral": Values(eigenvalues.spectral, _spectral),
    "eigenvectors": Values(eigenvalues.eigenvectors, _eigenvectors),
    "cholesky": Values(_cholesky_exact, _cholesky_in_floats),
} | {
    fn: Values(_series_exact(row.series), _series_in_floats(row.series))
    for fn, row in MATRIX_FUNCTIONS.items()
    if row.series
}


class Symbols(NumberSystem, Protocol):
    """A number system with unknown functions."""

    def unknown(self, name: object, arrays: Sequence[Any]) -> Any:
        """Returns an unknown elementwise function, the same one for the same name."""


def as_unknown(system: Symbols, fn: str, arrays: Sequence[Any]) -> Any:
    """Evaluates the function as a polynomial in a matrix P with unknown coefficients.

    A Cholesky factor is the unit triangle of elimination times unknown roots of the pivots.

    The coefficients are functions of the traces of the powers 1, ..., n of P, and of the weights; P
    is named in `operations.matrix`. Proof. The traces determine the characteristic polynomial
    (Newton), so the eigenvalues with their multiplicities. The pseudo-inverse is q(P) M^T with P =
    M^T M and q(t) = 1/t at the eigenvalues t that are not 0; a sum over eigenvectors of P is the
    polynomial that takes the (averaged) weights at the eigenvalues; a power series at P that
    converges everywhere is q(P) for the q that agrees with it at each eigenvalue to the order of
    its multiplicity (Hermite). Each q has degree below n and depends on the eigenvalues, with
    multiplicities, and on the weights only. QED
    """
    matrix, *weights = arrays
    row, n = MATRIX_FUNCTIONS[fn], matrix.shape[-1]
    if not row.polynomial:
        return _cholesky_of_rationals(system, matrix)
    turned = _transpose_last(system, matrix)
    base = {"M": lambda: matrix, "M + M^T": lambda: system.add([matrix, turned]),
            "M^T M": lambda: _matrix_contraction(system, turned, matrix)}[row.polynomial]()  # fmt: skip
    shape = tuple(matrix.shape[:-2])
    if not n:
        kept = matrix
        if row.polynomial == "M^T M":
            kept = turned
        return system.reshape(kept, tuple(kept.shape)[: len(shape) + 2 - row.lost])
    powers = [base]
    for _ in range(n - 1):
        powers.append(_matrix_contraction(system, powers[-1], base))
    labels = tuple(range(len(shape)))
    sizes = {**dict(enumerate(shape)), len(shape): n, len(shape) + 1: n}
    known = [
        system.contract([p], [(*labels, len(shape), len(shape))], labels, sizes) for p in powers
    ]
    for w in weights:
        known += [system.reshape(system.take(w, len(shape), [k]), shape) for k in range(n)]
    unknown = [system.unknown((fn, n, k), known) for k in range(n)]
    if row.lost:
        return system.concat([system.reshape(x, (*shape, 1)) for x in unknown], len(shape))
    unit = system.fractions([Fraction(i == j) for i in range(n) for j in range(n)], (n, n))
    pair = (len(shape), len(shape) + 1)
    terms = [system.contract([unknown[0], unit], [labels, pair], (*labels, *pair), sizes)]
    for x, p in zip(unknown[1:], powers, strict=False):
        terms.append(system.contract([x, p], [labels, (*labels, *pair)], (*labels, *pair), sizes))
    found = system.add(terms)
    if row.polynomial == "M^T M":
        return _matrix_contraction(system, found, turned)
    return found


def eliminate(system: NumberSystem, matrix: Any) -> tuple[Any, Any]:
    """Returns a unit lower triangle U and pivots p with U diag(p) U^T = M, of the lower half of M.

    Rationals stay rational. The entries above the diagonal of M are not read.
    """
    *shape, n, _ = matrix.shape
    labels = tuple(range(len(shape)))
    sizes = dict(enumerate(shape))

    def entry(i: int, j: int) -> Any:
        row = system.take(matrix, len(shape), [i])
        return system.reshape(system.take(row, len(shape) + 1, [j]), shape)

    def product(*factors: Any) -> Any:
        return system.contract(factors, [labels] * len(factors), labels, sizes)

    zero, one, minus = (
        system.broadcast(system.fractions([Fraction(k)], (1,) * len(shape)), shape)
        for k in (0, 1, -1)
    )
    rows: list[list[Any]] = [[] for _ in range(n)]
    pivots: list[Any] = []
    for j in range(n):
        for i in range(j, n):
            pairs = zip(rows[i], rows[j], pivots, strict=False)
            left = system.add([entry(i, j), *(product(minus, *three) for three in pairs)])
            if i == j:
                pivots.append(left)
                over = system.apply("recip", [left])
            rows[i].append(one if i == j else product(left, over))
    entries = [x for k, row in enumerate(rows) for x in (*row, *[zero] * (n - 1 - k))]
    joined = [
        system.concat([system.reshape(x, (*shape, 1)) for x in found], len(shape))
        for found in (entries, pivots)
    ]
    return system.reshape(joined[0], (*shape, n, n)), joined[1]


def _cholesky_of_rationals(system: Symbols, matrix: Any) -> Any:
    *shape, n, _ = matrix.shape
    if not n:
        return matrix
    triangle, pivots = eliminate(system, matrix)
    labels = tuple(range(len(shape) + 1))
    sizes = {**dict(enumerate(shape)), len(shape): n, len(shape) + 1: n}
    rows = [(*labels, len(shape) + 1), (*labels[:-1], len(shape) + 1)]
    return system.contract(
        [triangle, system.apply("sqrt", [pivots])], rows, (*labels, len(shape) + 1), sizes
    )


def _transpose_last(system: NumberSystem, x: Any) -> Any:
    labels = tuple(range(len(x.shape)))
    turned = (*labels[:-2], labels[-1], labels[-2])
    return system.contract([x], [labels], turned, dict(enumerate(x.shape)))


def _matrix_contraction(system: NumberSystem, x: Any, y: Any) -> Any:
    rank = len(x.shape)
    labels = tuple(range(rank - 2))
    sizes = {**dict(enumerate(x.shape)), rank: y.shape[-1]}
    rows = [(*labels, rank - 2, rank - 1), (*labels, rank - 1, rank)]
    return system.contract([x, y], rows, (*labels, rank - 2, rank), sizes)
