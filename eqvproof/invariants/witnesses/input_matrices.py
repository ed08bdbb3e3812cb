"""Conversion of users' vectors and matrices: exact numbers stay exact, floats stay floats.

Several arguments are converted together: exact ones share one number field, and if any contains a
float, all become float64 (or complex128).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.field import RATIONALS, FieldMatrix
from eqvproof.numbers.number import Real
from eqvproof.numbers.scalar import from_fraction, to_fraction, to_scalar
from eqvproof.numbers.tensor import objects
from eqvproof.support.errors import DomainError, ShapeError
from eqvproof.support.writing import entry_text

T = TypeVar("T")
U = TypeVar("U")
FloatArray = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Floats:
    """A float64 or complex128 matrix, with the rounding unit of the numbers it was given in.

    Attributes:
        values: the matrix.
        epsilon: the spacing at 1 of the type of the input (converted float32 stays less precise).
    """

    values: FloatArray
    epsilon: float

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return (self.values.shape[0], self.values.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class _Raw:
    """A single argument, converted by itself, before a common kind of numbers is chosen."""

    name: str
    shape: tuple[int, int]
    kind: str  # "rational", "algebraic", "float" or "complex"
    matrix: fmpq_mat | fmpz_mat | None = None
    numbers: tuple[Any, ...] = ()
    floats: FloatArray | None = None
    epsilon: float = 0.0


def read_matrices(*, exactly: bool = False, **arguments: Any) -> list[FieldMatrix] | list[Floats]:
    """Reads the matrices given by name: all exact over one field, or all floats.

    With ``exactly``, a real float counts as the rational number that it equals.

    Raises:
        DomainError: for NaN, infinities, text, or other objects that are not numbers.
        ShapeError: for an argument that is not a matrix.
    """
    raws = [_read_argument(value, name, vector=False) for name, value in arguments.items()]
    if exactly and all(raw.kind != "complex" for raw in raws):
        raws = [_as_rational(raw) for raw in raws]
    return _unify(raws)


def call_by_kind(
    matrices: list[FieldMatrix] | list[Floats], exact: Callable[..., T], floats: Callable[..., U]
) -> T | U:
    """Calls ``exact`` or ``floats`` on matrices that were read together, by their kind."""
    if isinstance(matrices[0], FieldMatrix):
        return exact(*matrices)
    return floats(*matrices)


def read_vector(name: str, value: Any) -> FieldMatrix | Floats:
    """Reads a vector as a matrix of one column; a matrix of one column is accepted too."""
    return _unify([_read_argument(value, name, vector=True)])[0]


def _unify(raws: list[_Raw]) -> list[FieldMatrix] | list[Floats]:
    kinds = {raw.kind for raw in raws}
    if kinds & {"float", "complex"}:
        return [_to_floats(raw) for raw in raws]
    if "algebraic" not in kinds:
        return [FieldMatrix.rational(raw.matrix) for raw in raws if raw.matrix is not None]
    from eqvproof.invariants.witnesses.algebraic import to_field

    every = [number for raw in raws for number in _as_sympy(raw)]
    field, elements = to_field(every)
    result, start = [], 0
    for raw in raws:
        count = raw.shape[0] * raw.shape[1]
        result.append(FieldMatrix.from_entries(field, raw.shape, elements[start : start + count]))
        start += count
    return result


def _as_rational(raw: _Raw) -> _Raw:
    if raw.floats is None:
        return raw
    ratios = [v.as_integer_ratio() for v in raw.floats.ravel().tolist()]
    return _Raw(
        raw.name, raw.shape, "rational", fmpq_mat(*raw.shape, [fmpq(p, q) for p, q in ratios])
    )


def _as_sympy(raw: _Raw) -> list[Any]:
    import sympy

    if raw.matrix is None:
        return list(raw.numbers)
    return [sympy.Rational(int(e.p), int(e.q)) for e in fmpq_mat(raw.matrix).entries()]


def _to_floats(raw: _Raw) -> Floats:
    if raw.floats is not None:
        return Floats(raw.floats, raw.epsilon)
    if raw.matrix is not None:
        try:
            values = [float(to_fraction(e)) for e in fmpq_mat(raw.matrix).entries()]
        except OverflowError as error:
            raise DomainError(
                f"{raw.name} holds a number that is too large for a float, together with floats",
                hint="give exact numbers only",
                given="a number of more than 10^308",
                expected="floats, or exact numbers only",
            ) from error
    else:
        values = [float(n) for n in raw.numbers]
    return Floats(
        np.array(values, dtype=np.float64).reshape(raw.shape), float(np.finfo(np.float64).eps)
    )


def _read_argument(value: Any, name: str, *, vector: bool) -> _Raw:
    if isinstance(value, (fmpz_mat, fmpq_mat)):
        return _Raw(name, (value.nrows(), value.ncols()), "rational", value)
    if isinstance(value, (FieldMatrix, Floats)):
        raise DomainError(
            f"{name} is of an internal type",
            given=type(value).__name__,
            expected="a NumPy array, a list of rows or a SymPy matrix",
            hint="give the numbers themselves",
        )
    array = _as_array(value, name)
    if array.ndim == 1 and array.dtype.kind == "O":
        for item in array:
            if isinstance(item, (list, tuple)):
                raise _ragged(name, item)
    shape = _matrix_shape(array.shape, name, vector=vector)
    if array.dtype.kind in "fc":
        return _read_floats(array.reshape(shape), name)
    if array.dtype.kind in "iub":
        return _Raw(name, shape, "rational", fmpz_mat(*shape, array.ravel().tolist()))
    if array.dtype.kind != "O":
        raise _not_numbers(name, f"an array of dtype {array.dtype}")
    return _read_objects(array.ravel().tolist(), shape, name)


def _as_array(value: Any, name: str) -> NDArray[Any]:
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.is_masked(value):
            raise _not_numbers(name, "a masked array with masked entries")
        return np.asarray(value.data)
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (str, bytes)) or value is None:
        raise _not_numbers(name, repr(value))
    try:
        if _is_sympy(value):
            return objects(list(value), value.shape)
        if hasattr(value, "__array__"):
            return np.asarray(value)
        return np.array(value, dtype=object)
    except Exception as error:  # conversions of foreign objects may raise anything
        raise ShapeError(
            f"{name} is not a rectangular array of numbers",
            given=type(value).__name__,
            expected="a matrix: a NumPy array, a list of rows of equal length, or a SymPy matrix",
            hint="give rows of one length",
        ) from error


#: Number of axes -> hint for an array of that many axes where a matrix is expected.
_RANKS = {0: "a number x is the matrix [[x]]", 1: "a single vector x is the matrix x[:, None]"}


def _matrix_shape(shape: tuple[int, ...], name: str, *, vector: bool) -> tuple[int, int]:
    if vector:
        if len(shape) == 1:
            return (shape[0], 1)
        if len(shape) == 2 and shape[1] == 1:
            return (shape[0], 1)
        raise ShapeError(
            f"{name} is not a vector",
            given=f"shape {shape}",
            expected="shape (d,)",
            hint="give the numbers [1, 2], or one row x[0] or column x[:, 0] of a matrix",
        )
    if len(shape) != 2:
        raise ShapeError(
            f"{name} is not a matrix",
            given=f"shape {shape}",
            expected="shape (d, n), one column for each vector",
            hint=_RANKS.get(len(shape), "give one matrix at a time: x[0], x[1], ..."),
        )
    return (shape[0], shape[1])


def _read_floats(array: NDArray[Any], name: str) -> _Raw:
    epsilon = max(float(np.finfo(array.dtype).eps), float(np.finfo(np.float64).eps))
    values: NDArray[Any]
    if array.dtype.kind == "c":
        kind, values = "complex", np.ascontiguousarray(array, dtype=np.complex128)
    else:
        kind, values = "float", np.ascontiguousarray(array, dtype=np.float64)
    finite = np.isfinite(values)
    if not finite.all():
        i, j = (int(k) for k in np.argwhere(~finite)[0])
        raise _not_finite(name, i, j, values[i, j])
    shape = (values.shape[0], values.shape[1])
    return _Raw(name, shape, kind, floats=values, epsilon=epsilon)


def _read_objects(items: list[Any], shape: tuple[int, int], name: str) -> _Raw:
    if all(type(item) is int for item in items):
        return _Raw(name, shape, "rational", fmpz_mat(*shape, items))
    numbers: list[Any] = []
    kinds = set()
    for position, item in enumerate(items):
        kind, number = _classify(item, name, position // shape[1], position % shape[1])
        kinds.add(kind)
        numbers.append(number)
    if kinds <= {"rational"}:
        return _Raw(name, shape, "rational", fmpq_mat(*shape, numbers))
    if kinds & {"float", "complex"}:
        plain = [_fraction_of(x) for x in numbers]
        if "complex" in kinds:
            values = np.array([complex(x) for x in plain], dtype=np.complex128)
        else:
            values = np.array([float(x) for x in plain], dtype=np.float64)
        return _read_floats(values.reshape(shape), name)
    import sympy

    exact = []
    for number in numbers:
        if isinstance(number, fmpq):
            number = sympy.Rational(int(number.p), int(number.q))
        exact.append(number)
    return _Raw(name, shape, "algebraic", numbers=tuple(exact))


def _fraction_of(number: Any) -> Any:
    """Converts a python-flint rational to a Fraction; other numbers are returned unchanged."""
    if isinstance(number, fmpq):
        return to_fraction(number)
    return number


def _classify(item: Any, name: str, i: int, j: int) -> tuple[str, Any]:
    if isinstance(item, (int, np.integer, np.bool_, Fraction, fmpz, fmpq)):
        return "rational", to_scalar(item)
    if isinstance(item, (float, np.floating)):
        return "float", item
    if isinstance(item, (complex, np.complexfloating)):
        return "complex", item
    if isinstance(item, Decimal) and item.is_finite():
        return "rational", to_scalar(item)
    if _is_sympy(item):
        return _classify_sympy(item, name, i, j)
    if isinstance(item, Real):
        if not item.is_rational:
            return "float", item.to_float()
        return "rational", from_fraction(item.to_fraction())
    if isinstance(item, (list, tuple, np.ndarray)):
        raise _ragged(name, item)
    raise _not_numbers(name, f"{item!r} in entry {entry_text(i, j)}")


def _classify_sympy(item: Any, name: str, i: int, j: int) -> tuple[str, Any]:
    if item.is_Rational:
        return "rational", fmpq(int(item.p), int(item.q))
    if item.is_Float:
        return "float", float(item)
    if not getattr(item, "is_number", False) or item.is_finite is False or str(item) == "nan":
        raise _not_numbers(name, f"{item} in entry {entry_text(i, j)}")
    if any(atom.is_Float for atom in item.atoms()):
        return "float", float(item)
    return "algebraic", item


def _is_sympy(item: Any) -> bool:
    if "sympy" not in sys.modules:
        return False
    import sympy

    return isinstance(item, (sympy.Basic, sympy.MatrixBase))


def _ragged(name: str, item: object) -> ShapeError:
    return ShapeError(
        f"{name} is not a rectangular array of numbers",
        given=f"{str(item)[:80]} in the place of a number",
        expected="rows of equal length",
        hint="[[1, 2], [3, 4]] has two rows of length 2",
    )


def _not_numbers(name: str, given: str) -> DomainError:
    return DomainError(
        f"{name} does not hold numbers only",
        given=given,
        expected="integers, Fractions, SymPy or python-flint numbers, or floats",
        code="domain.number",
        hint="turn its entries into numbers first: Fraction('1/3'), float(text)",
    )


def _not_finite(name: str, i: int, j: int, value: Any) -> DomainError:
    return DomainError(
        f"{name} holds a number that is not finite",
        given=f"{value} in entry {entry_text(i, j)}",
        expected="finite numbers",
        code="domain.finite",
        hint="omit these columns, or fix the data that produced them",
    )


def require_integer(name: str, value: int, least: int) -> None:
    """Checks that an option is an integer, and not below the least value.

    Raises:
        DomainError: naming it.
    """
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
        raise DomainError(
            f"{name} is not an integer from {least} up",
            given=repr(value)[:80],
            expected=f"an integer >= {least}",
            hint=f"{name}={max(least, 1)}",
        )


#: The arguments to give if points are rows.
TRANSPOSED = "X.T and Y.T"


def columns_hint(shape: tuple[int, int], otherwise: str) -> str:
    """Returns the hint for a mismatch of two matrices of a shape.

    Matrices with several columns and more rows than columns may hold points as rows: then the hint
    mentions that first.
    """
    if not shape[0] > shape[1] > 1:
        return otherwise
    return f"points are columns: give {TRANSPOSED} if yours are rows; {otherwise}"


def any_array(value: Any, name: str) -> NDArray[Any]:
    """Reads an array of numbers with any number of axes.

    Raises:
        ShapeError, DomainError: lists of different lengths; entries that are not numbers.
    """
    array = _as_array(value, name)
    if array.dtype.kind not in "iubfcO":
        raise _not_numbers(name, f"an array of dtype {array.dtype}")
    if array.dtype.kind == "O":
        for entry in array.flat:
            if isinstance(entry, (list, tuple, np.ndarray)):
                raise _ragged(name, entry)
    return array


def read_operand(
    value: Any, size: int, **others: Any
) -> tuple[list[FieldMatrix] | list[Floats], bool]:
    """Reads the operand A of `apply`, a matrix of `size` rows or a vector, with other matrices.

    Returns the other matrices followed by A, and whether A was a vector.

    Raises:
        ShapeError, DomainError: A is not a matrix or vector of numbers of this size.
    """
    single = False
    if not isinstance(value, (fmpz_mat, fmpq_mat)):
        value = _as_array(value, "A")
        single = value.ndim == 1
        if single:
            value = value[:, None]
    both = read_matrices(**others, A=value)
    rows = both[-1].shape[0]
    if rows != size:
        raise ShapeError(
            "A has the wrong number of rows",
            given=f"A with {rows} rows",
            expected=f"{size} rows",
            hint="give vectors of this size, one in each column",
        )
    return both, single


def require_columns(value: Any, count: int, *, least: int = 1, name: str = "A") -> NDArray[Any]:
    """Reads an array of numbers whose last axis has ``count`` entries.

    Raises:
        ShapeError, DomainError: it is not such an array.
    """
    array = any_array(value, name)
    if array.ndim < least or array.shape[-1] != count:
        raise ShapeError(
            f"{name} has the wrong number of columns",
            given=f"shape {array.shape}",
            expected=f"{count} columns",
            hint="give an array whose last axis has this size",
        )
    return array


def require_tolerance(tol: float | None) -> None:
    """Checks that a tolerance is None or a number from 0 up.

    Raises:
        DomainError: naming it.
    """
    if tol is None:
        return
    is_number = isinstance(tol, (int, float, np.floating, np.integer, Fraction)) and not isinstance(
        tol, bool
    )
    if not is_number or not 0 <= tol <= sys.float_info.max:
        raise DomainError(
            "tol is not a tolerance",
            given=repr(tol)[:80],
            expected="a number >= 0",
            hint="pass tol=1e-9, or omit it",
        )


def require_same_shape(x: FieldMatrix | Floats, y: FieldMatrix | Floats) -> None:
    """Checks that two matrices have the same shape.

    Raises:
        ShapeError: naming both shapes.
    """
    if x.shape != y.shape:
        raise ShapeError(
            "X and Y have different shapes",
            given=f"X: {x.shape[0]} x {x.shape[1]}, Y: {y.shape[0]} x {y.shape[1]}",
            expected="two d x n matrices, one column for each vector",
            hint=f"points are columns: give {TRANSPOSED} if yours are rows",
        )


def require_real(array: NDArray[Any], name: str) -> None:
    """Checks that an array is real; raises DomainError for complex numbers."""
    if np.iscomplexobj(array):
        raise DomainError(
            f"{name} is complex",
            given=f"complex {name}",
            expected="real entries",
            hint="split them into real and imaginary parts",
        )


def to_array(matrix: FieldMatrix) -> NDArray[Any]:
    """Converts a matrix to an object array of Fractions, or of SymPy numbers."""
    if matrix.field == RATIONALS:
        bottom = matrix.bottom
        return objects([Fraction(int(e), bottom) for e in matrix.top.entries()], matrix.shape)
    from eqvproof.invariants.witnesses.algebraic import to_sympy

    return objects([to_sympy(matrix.field, e) for e in matrix.entries()], matrix.shape)
