"""Symmetric expressions as rho(sum_k phi(x_k)), in SymPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from eqvproof.deepsets.agreement import PROVED, Agreement, compare, rational_points, same_expression
from eqvproof.deepsets.arguments import Array
from eqvproof.deepsets.rewriting import Rewriter, SumExpression
from eqvproof.support.errors import DomainError

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, eq=False)
class Formula(SumExpression):
    """f(x_1, ..., x_n) = rho(sum_k phi(x_k)) as SymPy expressions.

    Attributes:
        n: the number of points.
        agreement: how the formula was compared with f.
    """

    n: int
    agreement: Agreement

    def __call__(self, points: Any) -> Any:
        """Evaluates rho(sum_k phi(x_k)) at points given as rows, as a SymPy number or matrix."""
        if len(points) != self.n:
            raise DomainError(
                "another number of points",
                given=f"{len(points)} points",
                expected=f"{self.n} points",
                hint="give the number of points that the formula has",
            )
        return self.compose(points)


def symbol_array(n: int, d: int, name: str) -> Array:
    """Builds an (n, d) array of symbols, such as name_0_1."""
    import sympy

    rows = [[sympy.Symbol(f"{name}_{i}_{j}", real=True) for j in range(d)] for i in range(n)]
    return np.array(rows, dtype=object).reshape(n, d)


def symbol_rows(f: Any, points: Any) -> list[tuple[Any, ...]]:
    """Returns the symbols of each point, as rows.

    Raises:
        DomainError: an entry is not a symbol, or a symbol occurs twice.
    """
    import sympy

    if points is None:
        return [(s,) for s in sorted(f.free_symbols, key=lambda s: _natural_sort_key(s.name))]
    if hasattr(points, "tolist"):
        raw = points.tolist()
    elif isinstance(points, Iterable):
        raw = points
    else:
        raw = [points]
    rows = [_as_row(row) for row in raw]
    symbols = [s for row in rows for s in row]
    if (
        any(not isinstance(s, sympy.Symbol) for s in symbols)
        or len(set(symbols)) < len(symbols)
        or len({len(row) for row in rows}) > 1
    ):
        raise DomainError(
            "the points are not given by different symbols, the same number for each",
            given=repr(points),
            expected="for example [x1, x2, x3], or [(x1, y1), (x2, y2)]",
            hint="name each coordinate once",
        )
    return rows


def _as_row(entry: Any) -> tuple[Any, ...]:
    """Returns a row as a tuple; a single symbol is a row of one."""
    import sympy

    if isinstance(entry, (list, tuple, sympy.Tuple)):
        return tuple(entry)
    return (entry,)


def _natural_sort_key(name: str) -> tuple[str, int]:
    """Returns a sort key for names with numbers: x2 before x10."""
    head = name.rstrip("0123456789")
    return head, int(name[len(head) :] or -1)


def make_formula(
    f: Any, rows: list[tuple[Any, ...]], *, reduce: bool, trials: int, seed: int
) -> Formula:
    """Builds the formula of an expression in the symbols given as rows, and compares both."""
    found = Rewriter(rows, point_symbols(rows, f), reduce=reduce, name=sum_name(f)).rewrite(f)
    agreement = compare_expressions(
        f, found.compose(rows), rows, trials, seed, "the formula differs from the function"
    )
    return Formula(found.point, found.phi, found.sums, found.rho, len(rows), agreement)


def point_symbols(rows: Sequence[Sequence[Any]], f: Any, name: str = "x") -> tuple[Any, ...]:
    """Creates symbols for one point that occur neither in the rows nor in f.

    They have the assumptions of the first row.
    """
    import sympy

    assumptions: list[dict[str, Any]] = [{}]
    if rows:
        assumptions = [symbol.assumptions0 for symbol in rows[0]]
    taken = {s.name for s in f.free_symbols} | {s.name for row in rows for s in row}
    if len(assumptions) == 1:
        names = [name]
    else:
        names = [f"{name}{j + 1}" for j in range(len(assumptions))]
    while taken & set(names):
        names = [f"{x}_" for x in names]
    return tuple(sympy.Symbol(x, **a) for x, a in zip(names, assumptions, strict=True))


def sum_name(f: Any, name: str = "p") -> str:
    """Returns a name for sums that is not the beginning of a numbered name in f."""
    while any(s.name.startswith(name) and s.name[len(name) :].isdigit() for s in f.free_symbols):
        name += name[0]
    return name


def compare_expressions(
    f: Any, composed: Any, rows: list[tuple[Any, ...]], trials: int, seed: int, what: str
) -> Agreement:
    """Compares two expressions, or matrices: as expressions, or at points to fifty digits."""
    if hasattr(f, "shape"):
        pairs = list(zip(composed, f, strict=True))
    else:
        pairs = [(composed, f)]
    if all(same_expression(a, b) for a, b in pairs):
        return PROVED
    import sympy

    names = [s for row in rows for s in row]
    names += sorted(f.free_symbols - set(names), key=lambda s: s.name)

    def at(e: Any) -> Callable[[Array], Array]:
        def value(x: Array) -> Array:
            table = {
                s: sympy.Rational(v.numerator, v.denominator)
                for s, v in zip(names, x[:, 0], strict=True)
            }
            try:
                found = [complex(sympy.N(entry, 50)) for entry in _entries_of(e.xreplace(table))]
            except (TypeError, ValueError):  # SymPy's maxima, comparisons and steps reject 0/0
                found = [math.nan]
            if not np.isfinite(found).all() or any(abs(z.imag) > 0 for z in found):
                raise DomainError(
                    "the formula is not defined at this point",
                    given="a point at which the formula has no value",
                    expected="a point of its domain",
                    hint="look for a division by zero",
                )
            return np.array([z.real for z in found])

        return value

    return compare(at(f), at(composed), rational_points(len(names), 1, trials, seed), what)


def value_in_symbols(f: Callable[..., Any], array: Array, axes: tuple[int, ...]) -> Any:
    """Calls f with an array of symbols; returns an expression or a matrix, or None.

    The result is None if f cannot be called with symbols, or if the number of axes of its value is
    not one of ``axes``.
    """
    import sympy

    try:
        entries = np.asarray(f(array.copy()), dtype=object)
        if entries.ndim not in axes:
            return None
        flat = [sympy.sympify(e, strict=True) for e in entries.reshape(-1).tolist()]
        if entries.ndim == 2:
            found = sympy.ImmutableDenseMatrix(*entries.shape, flat)
        elif entries.ndim == 1:
            found = sympy.ImmutableDenseMatrix(len(flat), 1, flat)
        else:
            found = flat[0]
    except Exception:
        return None  # f may need numbers; an error of its own is raised again when it gets them
    if found.free_symbols <= set(array.flat):
        return found
    return None


def formula_by_symbols(
    value: Any,
    make: Callable[[Any], Found],
    sides: tuple[Callable[[Array], Array], Callable[[Found, Array], Array]],
    points: Iterator[Array],
    what: str,
) -> Found | None:
    """Builds the formula of a function from its value at symbols, and compares both at points.

    Returns None if there is no value at symbols, or no formula for it.

    Args:
        value: the value of the function at symbols, or None.
        make: builds the formula of a value.
        sides: evaluate the function at an array of points, and a formula at an array of points.
        points: arrays of points.
        what: the message of the error if both sides differ.
    """
    if value is None:
        return None
    try:
        found: Any = make(value)
    except Exception:
        return None  # an error of the function itself is raised again when it gets numbers
    left, right = sides
    compared: Found = replace(
        found, agreement=compare(left, lambda x: right(found, x), points, what)
    )
    return compared


def to_numbers(value: Any) -> Array:
    """Converts SymPy numbers to Fractions if they are all rational, else to floats."""
    entries = _entries_of(value)
    if all(e.is_Rational for e in entries):
        found = np.array([Fraction(int(e.p), int(e.q)) for e in entries], dtype=object)
    else:
        found = np.array([float(e) for e in entries], dtype=np.float64)
    if hasattr(value, "shape"):
        return found
    return found.reshape(())


def _entries_of(value: Any) -> list[Any]:
    """Returns the entries of a SymPy matrix, or a scalar as a list of one."""
    if hasattr(value, "shape"):
        return list(value)
    return [value]
