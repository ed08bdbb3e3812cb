"""Pools rows that arrive in chunks: partial pools add up, in any order, to the same bits.

A stream is read once, so that its sums are exact from the start; `pool` of an array sums faster and
reads features a second time if their rounding is in doubt. Both round the same exact sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import library_name
from eqvproof.deepsets.phi.conversion import read_formula
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.pooling.host import add_sums
from eqvproof.deepsets.pooling.parts import part_sums
from eqvproof.deepsets.pooling.row_calls import call_by_rows, column_features
from eqvproof.deepsets.pooling.rows import read_rows, working_dtype
from eqvproof.deepsets.pooling.weights import multiply_by_weight, read_weights
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.support.errors import BackendError, DomainError, ShapeError, TraceError
from eqvproof.support.short_tracebacks import shortens_tracebacks_of_methods


@shortens_tracebacks_of_methods
class PartialPool:
    """The sums `sum_k w_k phi(x_k)` over rows that are added chunk by chunk.

    Partial pools of different chunks are added with `+`. The result has the bits of `pool` on all
    rows, whatever the chunks and the order of additions. They can be pickled, so that workers
    return them, if phi can be written as a formula and rows were added.

    Args:
        phi: as in `pool`.
        symbols: the symbol of each column, if the names of the symbols do not determine it.
        dtype: float32 or float64, in which phi is evaluated and the result is returned. The default
            is that of the rows, or float32 for 16-bit rows.

    Exactness: the exact sum of the terms, as in `pool`; `result` rounds it once.

    >>> from sympy.abc import x
    >>> import numpy as np
    >>> left, right = PartialPool(x), PartialPool(x)
    >>> print(left.add(np.array([1e16, 1.0])), "+", right.add(np.array([-1e16])))
    PartialPool of 2 rows + PartialPool of 1 rows
    >>> print((right + left).result())
    1.0
    """

    def __init__(
        self, phi: Any, *, symbols: Sequence[Any] | None = None, dtype: Any = None
    ) -> None:
        self._phi, self._symbols, self._dtype = phi, symbols, dtype
        #: The formula, the dtypes of phi and of the result, and the number of columns of rows.
        self._kind: tuple[Formula, str, str, int] | None = None
        self._is_called = False
        self._sums: list[ExactSum] = []
        #: The number of rows that were added.
        self.rows = 0

    def __str__(self) -> str:
        return f"PartialPool of {self.rows} rows"

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: without phi, which need not be picklable, if a formula is known."""
        state = dict(self.__dict__)
        if self._kind is not None and not self._is_called:
            state["_phi"] = None
        return state

    def add(self, X: Any, *, weights: Any = None) -> PartialPool:
        """Adds the rows of a chunk; returns this partial pool.

        Args:
            X: rows, (n, d), or (n,) for d = 1, of the columns and the dtype of other chunks. A NumPy
                or CuPy array, or an array of another array API namespace.
            weights: (n,), as in `pool`.

        Raises:
            ShapeError: the columns or the weights do not fit.
            DomainError: rows of float64 follow rows of float32, or the other way round; or as
                `pool`.
            BackendError: X is a Dask array.
        """
        if library_name(X) == "dask":
            raise BackendError(
                "a chunk is a Dask array",
                given="a Dask array",
                expected="an array in memory",
                hint="pool(phi, X) sums the chunks of a Dask array where they are stored",
            )
        if library_name(X) == "cupy":
            X = X.get()
        rows, weight = read_rows(X), None
        if weights is not None:
            weight = read_weights(weights, len(rows))
        columns = rows.shape[1]
        if self._kind is not None and columns != self._kind[3]:
            raise self._other_columns(columns)
        if self._is_called and not len(rows):
            return self
        formula, rows = self._formula_of(rows)
        working, result = working_dtype(rows, self._dtype, needs_float64=formula.needs_float64)
        self._require_same(formula, working, result, columns)
        wanted = formula
        if weight is not None and weight.dtype.kind == "f":
            wanted = multiply_by_weight(formula)
        sums = part_sums(wanted, "exact", working, 1, rows, weight, None)
        self._sums = add_sums(self._sums or [ExactSum() for _ in sums], sums)
        self._kind = (formula, working, result, columns)
        self.rows += len(rows)
        return self

    def __add__(self, other: object) -> PartialPool:
        """Returns the partial pool of the rows of both; 0 has no rows, so that `sum` works."""
        if isinstance(other, int) and not other:
            other = PartialPool(self._phi)
        if not isinstance(other, PartialPool):
            return NotImplemented
        if self._kind is not None and other._kind is not None:
            self._require_same(*other._kind)
        first, second = self, other
        if self._kind is None:
            first, second = other, self
        both = PartialPool(first._phi, symbols=first._symbols, dtype=first._dtype)
        both._kind, both._is_called = first._kind, first._is_called
        both._sums, both.rows = list(first._sums), self.rows + other.rows
        if second._sums:
            both._sums = add_sums(first._sums, second._sums)
        return both

    __radd__ = __add__

    def result(self) -> Any:
        """Rounds the sums: (m,), or a scalar for a scalar phi.

        Raises:
            ShapeError: no chunk was added, so that the columns are unknown.
        """
        if self._kind is None:
            raise ShapeError(
                "nothing was added to a partial pool",
                given="no chunk",
                expected="at least one chunk, which may have no rows: shape (0, d)",
                hint="the sum over no rows is 0 for each feature",
            )
        formula, _, dtype, _ = self._kind
        total = np.array([one.result(dtype) for one in self._sums], dtype=dtype)
        if formula.scalar:
            return total[..., 0]
        return total

    def _formula_of(self, rows: np.ndarray) -> tuple[Formula, np.ndarray]:
        """Returns the formula and its rows: the values of phi, if phi is called row by row."""
        if self._kind is not None and not self._is_called:
            return self._kind[0], rows
        if not self._is_called:
            try:
                return read_formula(self._phi, rows.shape[1], self._symbols), rows
            except TraceError:
                if not len(rows):
                    raise
        values, scalar = call_by_rows(self._phi, rows)
        self._is_called = True
        return column_features(values.shape[1], scalar=scalar), values

    def _require_same(self, formula: Formula, working: str, result: str, columns: int) -> None:
        """Checks that rows fit those that were added before."""
        if self._kind is None or self._kind == (formula, working, result, columns):
            return
        if self._kind[3] != columns:
            raise self._other_columns(columns)
        if self._kind[1:3] != (working, result):
            raise DomainError(
                "chunks have different dtypes",
                given=f"{result} after {self._kind[2]}",
                expected=f"rows of {self._kind[2]}",
                hint='choose one for all: dtype="float64"',
            )
        raise DomainError(
            "partial pools of different functions are not added",
            given="two functions phi",
            expected="one function phi for all",
            hint="pool each function by itself",
        )

    def _other_columns(self, columns: int) -> ShapeError:
        """Builds the error for rows with another number of columns."""
        known = 0
        if self._kind is not None:
            known = self._kind[3]
        return ShapeError(
            "chunks have different numbers of columns",
            given=f"{columns} columns after {known}",
            expected=f"shape (n, {known})",
            hint="pool each kind of rows by itself",
        )


def pool_stream(
    phi: Any, chunks: Iterator[Any], weights: Any, symbols: Sequence[Any] | None, dtype: Any
) -> Any:
    """Pools the chunks of an iterator, one after the other.

    Raises:
        ShapeError: there is no chunk, or not one chunk of weights for each chunk of rows.
    """
    total = PartialPool(phi, symbols=symbols, dtype=dtype)
    if weights is None:
        for chunk in chunks:
            total.add(chunk)
        return total.result()
    ended = object()
    given = iter(weights)
    for chunk in chunks:
        weight = next(given, ended)
        if weight is ended:
            break
        total.add(chunk, weights=weight)
    else:
        if next(given, ended) is ended:
            return total.result()
    raise ShapeError(
        "there are more chunks of rows than of weights, or fewer",
        given="iterators of different lengths",
        expected="weights in one chunk for each chunk of rows",
        hint="PartialPool.add(X, weights=...) takes both at once",
    )
