"""Coefficients of f(X) in the columns of X, or a reflection that proves f not equivariant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.calling import call, require_shape
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.householder import Householder, householder
from eqvproof.invariants.witnesses.input_matrices import (
    any_array,
    call_by_kind,
    read_matrices,
    require_real,
    to_array,
)
from eqvproof.invariants.witnesses.lattice import coprime
from eqvproof.invariants.witnesses.modular import independent_columns
from eqvproof.support.errors import DomainError, defect
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: For floats: largest distance of a column of f(X) from span X, relative to the column's length,
#: that counts as rounding.
OUTSIDE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """The C of least norm with f(X) = X C; or a column of f(X) outside the span of X.

    In the second case let u be the part of that column orthogonal to X, and H the reflection in u:
    H X = X but H f(X) is not f(X), so that f(H X) = H f(X) fails.

    Attributes:
        X: d x n.
        value: f(X), d x m.
        C: n x m, Fractions or floats; None if a column is outside.
        column: the index of the first column of f(X) outside the span, or None.
        reflection: H, or None.
        is_exact: whether X, f(X) and C (or the reflection) are exact.
    """

    X: NDArray[Any]
    value: NDArray[Any]
    C: NDArray[Any] | None
    column: int | None
    reflection: Householder | None
    is_exact: bool

    @property
    def in_span(self) -> bool:
        """Returns True if every column of f(X) lies in the span of the columns of X."""
        return self.column is None

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> NDArray[Any]:
        """Returns C as an array, so that ``X @ coefficients`` is f(X)."""
        if self.C is None:
            raise DomainError(
                str(self),
                given="f(X) outside the span of the columns of X",
                expected="f(X) = X C",
                hint="see .column and .reflection",
            )
        return np.array(self.C, dtype=dtype, copy=copy)

    def __str__(self) -> str:
        if self.column is not None:
            return (
                f"column {self.column} of f(X) is outside the span of the columns of X: the"
                f" reflection {self.reflection!r} fixes X but not f(X), so that f is not equivariant"
            )
        if self.is_exact:
            return "f(X) = X C"
        return "f(X) = X C to rounding"


@shortens_tracebacks
def coefficients(f: Callable[..., Any] | Any, X: Any) -> Coefficients:
    """Computes the minimum-norm C with ``f(X) = X C``, or a reflection that refutes equivariance.

    If f(H X) = H f(X) for all reflections H, then the columns of f(X) lie in the span of those of
    X: a reflection in a vector u orthogonal to X fixes X, hence f(X), hence u is orthogonal to
    f(X).

    Args:
        f: a function of a d x n array, with values d x m (or d, one column); or its value at X.
        X: d x n; integers, Fractions, SymPy or python-flint numbers, or floats.

    Returns:
        `Coefficients`: ``.C``, or ``.column`` and ``.reflection``.

    Exactness: exact if X is and f maps exact numbers to rationals; else float64, with a relative
    threshold.

    Raises:
        TargetError: f raises, or does not return an array of numbers.
        ShapeError: f(X) does not have d rows.
        DomainError: NaN, infinities, text, complex numbers.

    Source: Moore (1920), Penrose (1955) for the minimum-norm solution; Weyl (1939), "The classical
        groups".

    >>> print(coefficients(lambda X: X @ (X.T @ X), [[1, 0], [1, 2]]).C)
    [[Fraction(2, 1) Fraction(2, 1)]
     [Fraction(2, 1) Fraction(4, 1)]]
    """
    (x,) = read_matrices(X=X)
    if isinstance(x, FieldMatrix):
        array = to_array(x)
    else:
        array = x.values
    require_real(array, "X")
    if callable(f):
        value = call(f, [array])
    else:
        value = any_array(f, "f")
    require_real(value, "f(X)")
    if value.ndim == 1:
        value = value[:, None]
    require_shape(value, (array.shape[0], None), "f(X)")
    return solve(array, value)


def solve(array: NDArray[Any], value: NDArray[Any]) -> Coefficients:
    """Computes the coefficients of the columns of a value in those of an array.

    See `coefficients`.
    """

    def exactly(x: FieldMatrix, y: FieldMatrix) -> Coefficients:
        found, residual = _solve_exactly(x, y)
        column = next(
            (j for j in range(y.shape[1]) if not residual.select(columns=[j]).is_zero()), None
        )
        if column is None:
            return Coefficients(array, value, to_array(found), None, None, is_exact=True)
        reflection = Householder(coprime(residual.select(columns=[column])))
        return Coefficients(array, value, None, column, reflection, is_exact=True)

    return call_by_kind(
        read_matrices(X=array, F=value), exactly, lambda x, y: _solve_floats(x.values, y.values)
    )


def nearest(basis: NDArray[Any], target: NDArray[Any]) -> tuple[NDArray[Any], bool, int]:
    """Solves ``basis C = target`` exactly in least squares.

    Returns the C of least norm for which ``basis C`` is nearest to the target, whether ``basis C``
    equals the target, and the rank of the basis.
    """
    x, y = read_matrices(X=basis, F=target)
    if not isinstance(x, FieldMatrix) or not isinstance(y, FieldMatrix):
        raise defect("exact numbers were read as floats")
    found, residual = _solve_exactly(x, y)
    return to_array(found), residual.is_zero(), len(independent_columns(x))


def _solve_exactly(x: FieldMatrix, y: FieldMatrix) -> tuple[FieldMatrix, FieldMatrix]:
    """Returns X^+ F and the residual F - X X^+ F.

    With independent columns A of X, X = A B: X^+ = B^T (B B^T)^-1 (A^T A)^-1 A^T.
    """
    a = x.select(columns=independent_columns(x))
    gram = a.transpose() @ a
    b = gram.solve(a.transpose() @ x)
    inner = gram.solve(a.transpose() @ y)
    return b.transpose() @ (b @ b.transpose()).solve(inner), y - a @ inner


def _solve_floats(x: NDArray[Any], y: NDArray[Any]) -> Coefficients:
    u, s, v = np.linalg.svd(x, full_matrices=False)
    cut = max(x.shape) * np.finfo(np.float64).eps * float(np.max(s, initial=0.0))
    r = int(np.sum(s > cut))
    inner = u[:, :r].T @ y
    residual = y - u[:, :r] @ inner
    residual -= u[:, :r] @ (u[:, :r].T @ residual)
    sizes, whole = np.linalg.norm(residual, axis=0), np.linalg.norm(y, axis=0)
    outside = np.flatnonzero(~(sizes <= OUTSIDE * whole))
    if outside.size:
        j = int(outside[0])
        return Coefficients(x, y, None, j, householder(residual[:, j]), is_exact=False)
    found: NDArray[Any] = v[:r].T @ (inner / s[:r, None])
    return Coefficients(x, y, found, None, None, is_exact=False)
