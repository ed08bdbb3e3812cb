"""Converts phi, as users write it (SymPy expressions, exponents, functions), to a formula.

A function is called once, with a row of symbols in place of numbers, and its operations on them are
recorded. If that is impossible (a branch on a value, a call into compiled code), `TraceError` is
raised; `pool` then calls the function row by row.
"""

from __future__ import annotations

import contextlib
import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.formula import Formula, Tape
from eqvproof.deepsets.phi.row import Entry
from eqvproof.support.errors import DomainError, TraceError, error_text, is_foreign


def is_symbolic(phi: Any) -> bool:
    """Checks whether phi is a SymPy expression or matrix, or a tuple of expressions and numbers."""
    if isinstance(phi, tuple | list):
        return (
            all(_is_of_sympy(k) or issubclass(k, int | float) for k in set(map(type, phi)))
            and len(phi) > 0
        )
    return _is_of_sympy(type(phi))


def _is_of_sympy(kind: Any) -> bool:
    return not issubclass(kind, type) and any(
        c.__module__.split(".")[0] == "sympy" for c in kind.__mro__
    )


def read_formula(phi: Any, columns: int, symbols: Sequence[Any] | None = None) -> Formula:
    """Converts phi to a formula of a row of d numbers.

    Args:
        phi: a SymPy expression, a tuple of them, tuples of exponents (one for each monomial), an
            object with ``exponents`` (such as `PowerSums`), a `Formula`, or a function of one row.
        columns: d.
        symbols: the symbol of each column. The default: the symbols of phi, ordered by the numbers
            in their names, or alphabetically if there are exactly d of them.

    Raises:
        TraceError: phi is a function whose operations cannot be recorded.
        DomainError: the symbols do not fit the columns.
    """
    if isinstance(phi, Formula):
        if phi.columns != columns:
            raise DomainError(
                "phi is a formula of rows of another length",
                given=f"d = {columns}",
                expected=f"{phi.columns}",
                hint="pass rows of this length",
            )
        return phi
    exponents = getattr(phi, "exponents", None)
    if isinstance(phi, tuple | list) and len(phi) > 0 and isinstance(phi[0], tuple | list):
        exponents = phi
    monomials = exponents is not None and not callable(exponents)
    if monomials:
        phi = exponents
    elif not isinstance(phi, tuple | list) and not _is_of_sympy(type(phi)) and callable(phi):
        return read_function(phi, columns)
    if isinstance(symbols, Sequence):
        symbols = tuple(symbols)
    try:
        if isinstance(phi, tuple | list):
            return _formula_by_identity(
                _SameObjects(tuple(phi)), columns, symbols, monomials=monomials
            )
        fixed = getattr(phi, "as_immutable", lambda: phi)()
        return _cached_formula(fixed, columns, symbols, monomials=monomials)
    except TypeError:  # phi holds lists, which have no hash
        if monomials:
            return _cached_formula(tuple(map(tuple, phi)), columns, symbols, monomials=True)
        return _cached_formula.__wrapped__(phi, columns, symbols, monomials=False)


class _SameObjects:
    """A tuple that is equal only to a tuple of the same objects.

    Comparing hundreds of expressions takes long; comparing their identities does not.
    """

    __slots__ = ("items",)

    def __init__(self, items: tuple[Any, ...]) -> None:
        self.items = items

    def __hash__(self) -> int:
        return hash((len(self.items), *map(id, self.items[:1])))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _SameObjects) or len(self.items) != len(other.items):
            return False
        return self.items is other.items or all(map(operator.is_, self.items, other.items))


@functools.lru_cache(maxsize=64)
def _formula_by_identity(
    phi: _SameObjects, columns: int, symbols: Any, *, monomials: bool
) -> Formula:
    """Converts a tuple of expressions; caches the result by the identity of these (immutable) items."""
    return _cached_formula(phi.items, columns, symbols, monomials=monomials)


@functools.lru_cache(maxsize=64)
def _share(formula: Formula) -> Formula:
    """Returns the first formula that equals this one, so that later caches compare by identity."""
    return formula


@functools.lru_cache(maxsize=64)
def _cached_formula(phi: Any, columns: int, symbols: Any, *, monomials: bool) -> Formula:
    if monomials:
        tape = Tape(columns)
        return _share(tape.formula(tuple(tape.monomial(_read_exponents(e, columns)) for e in phi)))
    if is_symbolic(phi):
        from eqvproof.deepsets.phi.symbolic import read_expressions

        return _share(read_expressions(phi, columns, symbols))
    raise DomainError(
        "phi cannot be evaluated",
        given=repr(phi)[:60],
        expected="a SymPy expression, a tuple of them, exponents, a PowerSums, or a function of"
        " one row",
        hint="write phi with SymPy, or as a function of one row",
    )


def _read_exponents(exponents: Any, columns: int) -> tuple[int, ...]:
    powers: tuple[int, ...] = ()
    with contextlib.suppress(TypeError):
        if isinstance(exponents, tuple):
            powers = tuple(operator.index(a) for a in exponents)
        else:
            powers = (operator.index(exponents),)
    if len(powers) != columns or min(powers, default=0) < 0:
        raise DomainError(
            "the exponents do not fit the rows",
            given=str(exponents),
            expected=f"{columns} natural numbers per monomial",
            hint="give one exponent for each column",
        )
    return powers


def read_function(phi: Callable[..., Any], columns: int) -> Formula:
    """Calls ``phi`` with a row of symbols, and records its operations as a formula.

    Raises:
        TraceError: phi uses the row in a way that is not an operation of formulas.
    """
    tape = Tape(columns)
    row = np.empty(columns, dtype=object)
    for j in range(columns):
        row[j] = Entry(tape, tape.column(j))
    try:
        with np.errstate(all="ignore"):
            result = np.asarray(phi(row), dtype=object)
    except BaseException as error:  # whatever a user's function raises when given symbols
        if not is_foreign(error):
            raise
        raise TraceError("phi cannot be written as a formula", given=error_text(error)) from error
    if result.ndim > 1:
        raise TraceError(
            "phi of one row must be a number or a vector", given=f"shape {result.shape}"
        )
    outputs = []
    for item in result.ravel():
        if isinstance(item, Entry) and item.tape is tape:
            outputs.append(item.index)
        elif isinstance(item, int | float | np.number | np.bool_) and not isinstance(
            item, np.complexfloating
        ):
            outputs.append(tape.const(float(item)))
        else:
            raise TraceError(
                "phi returns something that is not a number", given=type(item).__name__
            )
    return tape.formula(tuple(outputs), scalar=result.ndim == 0)
