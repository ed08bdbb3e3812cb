"""Gram matrices, and `gram_match`, which tests whether two arrays have the same one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from eqvproof.invariants.backend import namespace, to_host
from eqvproof.invariants.projection import project_floats, project_integers
from eqvproof.invariants.witnesses.certificate import Certificate
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.float_mismatch import differing_pair, float_mismatch
from eqvproof.invariants.witnesses.input_matrices import (
    Floats,
    call_by_kind,
    read_matrices,
    require_integer,
    require_same_shape,
    require_tolerance,
    to_array,
)
from eqvproof.invariants.witnesses.mismatch import first_difference, gram_mismatch, mismatch_error
from eqvproof.invariants.witnesses.modular import ATTEMPTS, pivots, primes
from eqvproof.invariants.witnesses.orthogonal_float import column_scales
from eqvproof.support.errors import DomainError, EqvproofError, GramMismatch, ShapeError, defect
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: Largest number of entries of integer arrays that method="auto" compares exactly.
MOST_EXACT = 2_000_000
#: Largest number of columns of float arrays that method="auto" compares entry by entry.
MOST_COLUMNS = 2048
#: Relative differences of inner products up to this many times (d + 8) rounding units count as
#: rounding.
SLACK = 16.0


@dataclass(frozen=True, slots=True, eq=False)
class GramMatch:
    """The result of comparing X^T X with Y^T Y, and how certain it is.

    Attributes:
        equal: whether they are equal; also the truth value.
        method: "exact", "rounding" (floats, entry by entry) or "projection".
        error_probability: the probability that "equal" is wrong; 0.0 for the other methods, and
            for "different".
        difference_bound: for floats, a bound on |G_X - G_Y|_F that fails with at most that
            probability.
        mismatch: the `GramMismatch` that names a pair of columns, if they differ.
    """

    equal: bool
    method: str
    error_probability: float = 0.0
    difference_bound: float = 0.0
    mismatch: GramMismatch | None = None

    def __bool__(self) -> bool:
        return self.equal

    @property
    def pair(self) -> tuple[int, int] | None:
        """The indices of two columns whose inner products differ in X and Y, or None."""
        if self.mismatch is None:
            return None
        return self.mismatch.pair

    @property
    def inner_products(self) -> tuple[Any, Any] | None:
        """The inner products of the columns `pair`, in X and in Y."""
        if self.mismatch is None:
            return None
        return self.mismatch.inner_products

    @property
    def certificate(self) -> Certificate | None:
        """For a mismatch, the certificate that the kernel re-checks."""
        if self.mismatch is None:
            return None
        return self.mismatch.certificate

    def __str__(self) -> str:
        if self.mismatch is not None:
            return self.mismatch.paragraph()
        kind = {"exact": "", "rounding": " to rounding"}.get(self.method, " by random projection")
        text = f"the Gram matrices are equal{kind}"
        if self.error_probability:
            text += f", wrong with probability at most {self.error_probability:.3g}"
        return text


@shortens_tracebacks
def gram(X: Any) -> Any:
    """Computes the Gram matrix ``X^T X`` (``X^* X`` for complex X), n x n.

    Args:
        X: d x n; integers, Fractions, SymPy or python-flint numbers (exact), floats, or a CuPy or
            Dask array.

    Returns:
        For NumPy integers, an array of integers (Python's own where 64 bits could overflow); for
        other exact input, an object array of Fractions (SymPy numbers over larger fields); for
        floats, CuPy and Dask, an array of the same library.

    Exactness: exact for exact input; float64 otherwise.

    >>> gram([[1, 2], [3, 4]]).tolist()
    [[Fraction(10, 1), Fraction(14, 1)], [Fraction(14, 1), Fraction(20, 1)]]
    """
    if namespace(X) is not None:
        return X.conj().T @ X
    if type(X) is np.ndarray and X.dtype.kind in "iu" and X.ndim == 2:
        return _integer_gram(X)
    (x,) = read_matrices(X=X)
    if isinstance(x, Floats):
        return x.values.conj().T @ x.values
    return to_array(x.transpose() @ x)


def _integer_gram(x: NDArray[Any]) -> NDArray[Any]:
    largest = max(abs(int(x.max(initial=0))), abs(int(x.min(initial=0))))
    if x.shape[0] * largest**2 < 2**63:
        wide = x.astype(np.int64)
        narrow: NDArray[Any] = wide.T @ wide
        return narrow
    matrix = fmpz_mat(x.shape[0], x.shape[1], x.ravel().tolist())
    product = matrix.transpose() * matrix
    result = np.array([int(e) for e in product.entries()], dtype=object)
    return result.reshape(x.shape[1], x.shape[1])


@shortens_tracebacks
def gram_match(
    X: Any,
    Y: Any,
    *,
    method: str = "auto",
    error: float = 2.0**-60,
    seed: int | None = None,
    tol: float | None = None,
) -> GramMatch:
    """Tests whether ``X^T X = Y^T Y``, exactly or by random projection.

    No n x n matrix is stored.

    Args:
        X: d x n; exact numbers, floats, or CuPy or Dask arrays of integers or floats.
        Y: d x n, of the same kind.
        method: "exact" (a float then counts as the rational number that it equals), "projection",
            or "auto": exact for exact numbers unless there are millions of them, to rounding for
            floats, projection for many columns.
        error: for projection, the largest probability of a wrong "equal".
        seed: for projection; equal seeds give equal results. The probability holds for X and Y that
            are chosen without knowing the seed; with None it comes from the system's entropy.
        tol: for floats, the largest difference of inner products, relative to the lengths, that
            counts as rounding.

    Returns:
        A `GramMatch`, true if the Gram matrices are equal; ``.error_probability``, ``.pair``,
            ``.certificate``.

    Exactness: exact if the method is; for integers, "different" is certain with every method.

    Raises:
        DomainError: NaN, infinities, text, an unknown method.
        ShapeError: X and Y of different shapes.

    Cost: exact: O(n d r), r the rank (a mismatch: O(n^2 d) at worst); projection: O(n d) a round.

    Source: Freivalds (1979), "Fast probabilistic algorithms".

    >>> bool(gram_match([[3], [4]], [[5], [0]]))
    True
    """
    if not isinstance(method, str) or method not in ("auto", "exact", "projection"):
        raise DomainError(
            "unknown method",
            given=repr(method),
            expected="auto, exact or projection",
            hint="omit method=",
        )
    require_tolerance(tol)
    if seed is not None:
        require_integer("seed", seed, 0)
    if not isinstance(error, (int, float, Fraction, np.floating)) or not 0.0 < error < 1.0:
        raise DomainError(
            "error is not a probability",
            given=repr(error),
            expected="0 < error < 1",
            hint="omit error= for 2^-60",
        )
    arrays = _numeric_arrays(X, Y)
    if arrays is not None and method != "exact":
        x, y = arrays
        remote = namespace(x) is not None
        if x.dtype.kind in "iu" and (remote or method == "projection" or x.size > MOST_EXACT):
            return _match_by_integers(x, y, error, seed)
        if x.dtype.kind in "fc" and (remote or method == "projection" or x.shape[1] > MOST_COLUMNS):
            return _match_by_floats(x, y, error, seed, tol)
    both = read_matrices(exactly=method == "exact", X=_on_host(X), Y=_on_host(Y))
    require_same_shape(*both)
    return call_by_kind(both, _match_exactly, partial(_match_to_rounding, tol=tol))


def _on_host(array: Any) -> Any:
    if namespace(array) is None:
        return array
    return to_host(array)


def _kind(array: Any) -> str:
    """Returns the dtype kind of an array of any library; "" for other objects.

    Exceptions that an object raises when its attributes are read are caught.
    """
    try:
        if hasattr(array, "shape"):
            return str(array.dtype.kind)
        return ""
    except Exception:
        return ""


def _numeric_arrays(x: Any, y: Any) -> tuple[Any, Any] | None:
    """Returns x and y if both are numeric arrays of one library and kind, else None."""
    if any(isinstance(m, np.ma.MaskedArray) for m in (x, y)):
        return None
    if not all(_kind(m) in tuple("iufc") for m in (x, y)):
        return None
    if namespace(x) is not namespace(y) or (x.dtype.kind in "iu") != (y.dtype.kind in "iu"):
        return None
    if x.ndim != 2 or y.ndim != 2 or x.shape != y.shape:
        raise ShapeError(
            "X and Y are not matrices of one shape",
            given=f"{x.shape} and {y.shape}",
            expected="two matrices d x n of one d and n",
            hint="one vector per column in both",
        )
    return x, y


def gram_equal(x: FieldMatrix, y: FieldMatrix) -> bool:
    """Decides exactly, in O(n d r), whether X^T X = Y^T Y.

    Let J be independent columns of X that span all of them. Equal inner products with the columns
    in J, and equal lengths, suffice: x_j = X_J c with c determined by X_J^T x_j = Y_J^T y_j, so
    that the projection of y_j on the span of Y_J is Y_J c, as long as x_j, hence as long as y_j; so
    y_j = Y_J c. That J spans is proved by d - r independent vectors orthogonal to X.
    """
    for _, (prime, root) in zip(range(ATTEMPTS), primes(x.field), strict=False):
        chosen = pivots(x, prime, root)
        if chosen is None:
            continue
        if not _spans(x, chosen):
            continue
        left = x.select(columns=chosen).transpose() @ x
        right = y.select(columns=chosen).transpose() @ y
        return left.equals(right) and _lengths(x) == _lengths(y)
    raise defect("no prime was found that keeps the rank of X")


def _spans(x: FieldMatrix, chosen: list[int]) -> bool:
    """Checks whether independent columns of x span all its columns."""
    d, r = x.shape[0], len(chosen)
    if r == d:
        return True
    if not x.field.is_rational:
        basis = x.select(columns=chosen)
        inner = (basis.transpose() @ basis).solve(basis.transpose() @ x)
        return (basis @ inner).equals(x)
    kernel, nullity = x.select(columns=chosen).top.transpose().nullspace()
    columns = range(nullity)
    normals = FieldMatrix.rational(kernel).select(columns=columns)
    return nullity == d - r and (normals.transpose() @ x).is_zero()


def _lengths(x: FieldMatrix) -> list[Any]:
    """Returns the squared lengths of the columns."""
    d, n = x.shape
    if x.field.is_rational:
        table, square = x.top.tolist(), x.bottom**2
        return [Fraction(sum(int(table[i][j]) ** 2 for i in range(d)), square) for j in range(n)]
    columns = (x.select(columns=[j]) for j in range(n))
    return [(c.transpose() @ c).entries()[0] for c in columns]


def _match_exactly(x: FieldMatrix, y: FieldMatrix) -> GramMatch:
    if gram_equal(x, y):
        return GramMatch(equal=True, method="exact")
    pair = first_difference(x, y)
    if pair is None:
        raise defect("the Gram matrices differ, but in no entry")
    return GramMatch(equal=False, method="exact", mismatch=gram_mismatch(x, y, pair))


def _match_to_rounding(x: Floats, y: Floats, tol: float | None) -> GramMatch:
    if tol is None:
        tolerance = SLACK * (x.shape[0] + 8) * max(x.epsilon, y.epsilon)
    else:
        tolerance = float(tol)
    scale = column_scales(x.values)
    _, beyond = differing_pair(x.values, y.values, scale, tolerance)
    if not beyond:
        return GramMatch(equal=True, method="rounding")
    return GramMatch(
        equal=False,
        method="rounding",
        mismatch=float_mismatch(x.values, y.values, scale, tolerance),
    )


def _match_by_integers(x: Any, y: Any, error: float, seed: int | None) -> GramMatch:
    found = project_integers(x, y, error, seed)
    if found.row is None:
        return GramMatch(equal=True, method="projection", error_probability=found.error_probability)
    i, n = found.row, x.shape[1]
    columns = [fmpz_mat(m.shape[0], 1, to_host(m[:, i]).tolist()) for m in (x, y)]
    for start in range(0, n, MOST_COLUMNS):
        blocks = [to_host(m[:, start : start + MOST_COLUMNS]) for m in (x, y)]
        exact = [fmpz_mat(b.shape[0], b.shape[1], b.ravel().tolist()) for b in blocks]
        left, right = (c.transpose() * b for c, b in zip(columns, exact, strict=True))
        j = next((j for j in range(left.ncols()) if left[0, j] != right[0, j]), None)
        if j is not None:
            pair = (i, start + j)
            mismatch = mismatch_error(
                pair, Fraction(int(left[0, j])), Fraction(int(right[0, j])), x.shape
            )
            mismatch.evidence = partial(_evidence, x, y, pair)
            return GramMatch(equal=False, method="projection", mismatch=mismatch)
    raise defect("a projection differs, but the Gram matrices do not")


def _evidence(x: Any, y: Any, pair: tuple[int, int]) -> Certificate:
    """Builds the certificate of a pair of columns from these two columns of X and Y only."""
    left, right = (to_host(m[:, sorted(set(pair))]) for m in (x, y))
    small = (0, len(set(pair)) - 1)
    a, b = read_matrices(exactly=True, X=left, Y=right)
    if isinstance(a, FieldMatrix) and isinstance(b, FieldMatrix):
        certificate = gram_mismatch(a, b, small).certificate
        if certificate is not None:
            return certificate
    raise EqvproofError(
        "there is no certificate for this kind of numbers",
        given="floats",
        expected="exact numbers",
        hint="give integers, fractions or SymPy numbers",
    )


def _match_by_floats(
    x: Any, y: Any, error: float, seed: int | None, tol: float | None
) -> GramMatch:
    unit = float(np.finfo(x.dtype).eps)
    if tol is None:
        tolerance = SLACK * (x.shape[0] + 8) * unit
    else:
        tolerance = float(tol)
    with np.errstate(all="ignore"):
        found = project_floats(x, y, error, seed, tolerance)
    if found.row is None:
        return GramMatch(
            equal=True,
            method="projection",
            error_probability=found.error_probability,
            difference_bound=found.size,
        )
    i = found.row
    with np.errstate(all="ignore"):
        gaps = to_host(abs(x[:, i].conj() @ x - y[:, i].conj() @ y))
    if not np.isfinite(gaps).all():
        raise DomainError(
            "X or Y holds a number that is not finite",
            given=f"in or near column {i}",
            expected="finite numbers",
            hint="look for NaN, infinities and overflow",
        )
    j = int(np.argmax(gaps))
    left, right = (complex(to_host(m[:, i].conj() @ m[:, j])) for m in (x, y))
    if x.dtype.kind == "f":
        mismatch = mismatch_error((i, j), left.real, right.real, x.shape)
        mismatch.evidence = partial(_evidence, x, y, (i, j))
    else:
        mismatch = mismatch_error((i, j), left, right, x.shape)
    return GramMatch(
        equal=False, method="projection", difference_bound=found.size, mismatch=mismatch
    )
