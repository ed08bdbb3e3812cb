"""Permutation witnesses: P with X P = Y, or the column whose multiplicities differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.certificate import (
    Certificate,
    element,
    field_parts,
    rational_text,
    tensor,
)
from eqvproof.invariants.witnesses.columns import first_unequal, match_columns
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import (
    Floats,
    read_matrices,
    require_columns,
    require_same_shape,
    require_tolerance,
    to_array,
)
from eqvproof.invariants.witnesses.matching import match_within
from eqvproof.invariants.witnesses.mismatch import number_text
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import DomainError, MultisetMismatch
from eqvproof.support.short_tracebacks import shortens_tracebacks
from eqvproof.support.writing import count_in_words

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class PermutationWitness:
    """A permutation matrix P with X P = Y (or within a tolerance, column by column).

    Attributes:
        x: X, d x n.
        y: Y, d x n.
        permutation: p with ``X[:, p] == Y``: column j of Y is column p[j] of X.
        tol: the largest Euclidean distance between matched columns that was allowed; 0 for
            equality.
    """

    x: Any
    y: Any
    permutation: Indices
    tol: float = 0.0

    @property
    def is_exact(self) -> bool:
        """True if X P equals Y exactly."""
        return self.tol == 0

    @cached_property
    def P(self) -> NDArray[np.int64]:
        """The n x n permutation matrix, ``P[p[j], j] = 1``."""
        return matrix_of(self.permutation)

    def apply(self, array: Any) -> NDArray[Any]:
        """Computes A P for A with n columns, or permutes a vector of length n."""
        return require_columns(array, len(self.permutation))[..., self.permutation]

    @property
    def certificate(self) -> Certificate:
        """The certificate with X, Y and the permutation, for the kernel."""
        x, y = _read_both(self.x, self.y)
        parts: dict[str, Any] = {}
        if isinstance(x, FieldMatrix):
            parts = field_parts(x.field)
        else:
            x, y = _to_plain_array(x), _to_plain_array(y)
        if self.tol:
            parts["tolerance"] = rational_text(self.tol)
        permutation = self.permutation.tolist()
        return seal(
            "permutation-witness", **parts, X=tensor(x), Y=tensor(y), permutation=permutation
        )

    def __repr__(self) -> str:
        kind = "exact" if self.is_exact else f"within {self.tol:g}"
        return f"<permutation witness of {self.permutation.shape[0]} columns, {kind}>"


def matrix_of(permutation: Indices) -> NDArray[np.int64]:
    """Builds the matrix P with ``P[p[j], j] = 1``, so that ``X P = X[:, p]``."""
    return np.eye(len(permutation), dtype=np.int64)[np.argsort(permutation)]


@shortens_tracebacks
def permutation_witness(X: Any, Y: Any, *, tol: float = 0.0) -> PermutationWitness:
    """Finds a permutation matrix P with ``X P = Y``: columns of X in another order.

    Args:
        X: d x n; integers, Fractions, SymPy or python-flint numbers, or floats (each counts as the
            rational number that it equals).
        Y: d x n.
        tol: for floats, the largest Euclidean distance of matched columns; 0 requires equality.

    Returns:
        A witness with ``.permutation`` (``X[:, p] == Y``), ``.P``, ``.apply(A)``, ``.certificate``.
        For X = Y it is the identity.

    Exactness: exact for tol = 0. With a tolerance, distances are compared in float64, those within
        rounding of the tolerance exactly.

    Raises:
        MultisetMismatch: naming a column and its multiplicities in X and in Y. With a tolerance, a
            set of columns of Y with too few partners in X (Hall's condition).
        DomainError: NaN, infinities, text, a negative tolerance.
        ShapeError: X and Y of different shapes.

    Cost: O(n log n); 10^7 columns of three floats take a few seconds. With a tolerance, the number
    of near pairs, and a bipartite matching if neighbourhoods overlap.

    Source: Kuhn (1955) for the matching; Hall (1935) for the obstruction.

    >>> permutation_witness([[1, 2, 2]], [[2, 1, 2]]).permutation.tolist()
    [1, 0, 2]
    """
    require_tolerance(tol)
    x, y = _native_arrays(X, Y) or _read_both(X, Y)
    if tol:
        return _match_within_tolerance(x, y, float(tol))
    order, place = match_columns(x, y)
    if order is not None:
        return PermutationWitness(_to_plain_array(x), _to_plain_array(y), order)
    raise _mismatch(x, y, place)


def _native_arrays(x: Any, y: Any) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Returns x and y if both are numeric arrays of one dtype, shape and finite entries, else None.

    Such arrays are compared exactly without conversion to exact numbers.
    """
    if type(x) is not np.ndarray or type(y) is not np.ndarray:
        return None
    if x.dtype != y.dtype or x.dtype.kind not in "iuf" or x.ndim != 2 or x.dtype.itemsize > 8:
        return None
    if x.shape != y.shape or (x.dtype.kind == "f" and not (_all_finite(x) and _all_finite(y))):
        return None  # the slow path raises the error
    return x, y


def _all_finite(values: NDArray[Any]) -> bool:
    return bool(np.isfinite(np.sum(values, dtype=np.float64)) or np.isfinite(values).all())


def _read_both(x: Any, y: Any) -> tuple[Any, Any]:
    left, right = read_matrices(exactly=True, X=x, Y=y)
    require_same_shape(left, right)
    return left, right


def _to_plain_array(matrix: Any) -> Any:
    if isinstance(matrix, FieldMatrix):
        return to_array(matrix)
    if isinstance(matrix, Floats):
        return matrix.values
    return matrix


def _mismatch(x: Any, y: Any, place: int) -> MultisetMismatch:
    """Builds the error that names column ``place`` of Y, or column ``place - n`` of X from n on."""
    n = x.shape[1]
    side, index = (y, place) if place < n else (x, place - n)
    counts = [int(np.sum(first_unequal(m, side, index))) for m in (x, y)]
    parts: dict[str, Any] = {}
    if isinstance(side, FieldMatrix):
        single = side.select(columns=[index])
        column = tuple(to_array(single)[:, 0].tolist())
        texts: list[Any] = [element(e) for e in single.entries()]
        parts = field_parts(side.field)
        hint = "congruence_witness(X, Y), if they may be rotated too"
    else:
        column = tuple(_to_plain_array(side)[:, index].tolist())
        texts = []
        if not any(isinstance(v, complex) for v in column):
            texts = [rational_text(v) for v in column]
        hint = "pass tol= if equal columns may differ by rounding"
    entries = [number_text(v) for v in column[:8]]
    floats = [_as_float(v) for v in column[:8]]
    if any(floats):
        entries = [decimal or text for decimal, text in zip(floats, entries, strict=True)]
        hint = "pass tol= if equal columns may differ by rounding"
    if len(column) > 8:
        entries.append("...")
    error = MultisetMismatch(
        "the columns of Y are not those of X in another order",
        given=f"the column ({', '.join(entries)}) occurs {count_in_words(counts[0])} in X and"
        f" {count_in_words(counts[1])} in Y",
        expected="every column equally often in X and in Y",
        hint=hint,
    )
    error.column, error.multiplicities = column, (counts[0], counts[1])
    if not any(isinstance(v, complex) for v in column):
        error.evidence = lambda: seal(
            "multiset-mismatch", **parts, X=tensor(x), Y=tensor(y), column=texts, counts=counts
        )
    return error


def _as_float(value: Any) -> str:
    """Writes a rational number that is a float with a long fraction as that float, others as ""."""
    denominator = int(getattr(value, "denominator", 1))
    if denominator > 2**20 and denominator & (denominator - 1) == 0:
        return repr(float(value))
    return ""


def _as_inexact(values: NDArray[Any]) -> NDArray[Any]:
    """Converts values to floats; complex numbers are returned unchanged."""
    if values.dtype.kind == "c":
        return values
    try:
        return values.astype(np.float64)
    except OverflowError as error:
        raise DomainError(
            "a number is too large for a float, in which distances are compared",
            given="a number of more than 10^308",
            expected="numbers in the range of floats",
            hint="omit tol= to compare exactly",
        ) from error


def _match_within_tolerance(x: Any, y: Any, tol: float) -> PermutationWitness:
    """Matches columns within a tolerance; raises MultisetMismatch if that is impossible."""
    left, right = (_as_inexact(np.asarray(_to_plain_array(m))) for m in (x, y))
    order, hall = match_within(left, right, tol)
    if order is not None:
        return PermutationWitness(left, right, order, tol)
    crowd, partners = hall
    column = tuple(right[:, crowd[0]].tolist())
    entries = ", ".join(number_text(v) for v in column[:8])
    error = MultisetMismatch(
        f"the columns of Y cannot be matched with those of X within {tol:g}",
        given=f"{len(crowd)} columns of Y, the first one column {crowd[0]} ({entries}), have"
        f" only {len(partners)} columns of X within the tolerance together",
        expected="for every set of columns of Y at least as many columns of X near it",
        hint="use a larger tol= if the data are less precise",
    )
    error.column, error.multiplicities = column, (len(partners), len(crowd))
    if not np.iscomplexobj(left):
        error.evidence = lambda: seal(
            "multiset-mismatch",
            X=tensor(left),
            Y=tensor(right),
            tolerance=rational_text(tol),
            crowd=crowd,
            partners=partners,
        )
    raise error
