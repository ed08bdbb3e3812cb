"""Converts the functions rho_1, psi_1, rho_2, psi_2 of a pair form to SymPy expressions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from eqvproof.deepsets.agreement import same_expression
from eqvproof.deepsets.phi.conversion import read_function
from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.phi.numbers import OPERATORS
from eqvproof.deepsets.phi.symbolic import SYMPY
from eqvproof.support.errors import DomainError, TraceError

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Expressions:
    """The four functions of a pair form in symbols, at one k.

    x stands for point k, y for point i, z for point j, and s for the sums.

    Args:
        x, y, z: k symbols each.
        s1: a symbol for each component of psi_1, which rho_1 contains.
        s: a symbol for each component of psi_2, which rho_2 contains.
        psi1, psi2: the components.
        rho1, rho2: expressions.
    """

    x: tuple[Any, ...]
    y: tuple[Any, ...]
    z: tuple[Any, ...]
    s1: tuple[Any, ...]
    s: tuple[Any, ...]
    psi1: tuple[Any, ...]
    rho1: Any
    psi2: tuple[Any, ...]
    rho2: Any


def read_form(rho1: Any, psi1: Any, rho2: Any, psi2: Any, k: int) -> Expressions:
    """Calls the four functions with symbols, and returns their expressions.

    Raises:
        TraceError: a function uses its arguments in other ways than arithmetic and functions of
            SymPy or NumPy.
        DomainError: rho_1 or rho_2 does not return one number.
    """
    x, y, z = (tuple(sympy.symbols(f"{name}0:{k}", real=True)) for name in "xyz")
    first, first_is_number = _call_with_symbols(psi1, x, y)
    second, second_is_number = _call_with_symbols(psi2, x, y, z)
    s1 = tuple(sympy.symbols(f"r0:{len(first)}", real=True))
    s = tuple(sympy.symbols(f"s0:{len(second)}", real=True))
    sum1: Any = s1
    sum2: Any = s
    if first_is_number:
        sum1 = s1[0]
    if second_is_number:
        sum2 = s[0]
    outer1, _ = _call_with_symbols(rho1, y, sum1)
    outer2, _ = _call_with_symbols(rho2, y, z, sum2)
    if len(outer1) != 1 or len(outer2) != 1:
        raise DomainError(
            "rho_1 and rho_2 must return one number",
            given=f"{len(outer1)} and {len(outer2)}",
            expected="1 and 1",
            hint="sum their entries",
        )
    return Expressions(x, y, z, s1, s, first, outer1[0], second, outer2[0])


def _call_with_symbols(function: Any, *arguments: Any) -> tuple[tuple[Any, ...], bool]:
    """Calls a function with symbols; returns its components, and whether it is a number."""
    value = function
    if callable(function):
        try:
            value = function(*(_to_vector(a) for a in arguments))
        except Exception:  # NumPy's functions reject SymPy's symbols: record the operations instead
            value = _record_operations(function, arguments)
    items = np.asarray(value, dtype=object)
    if items.ndim > 1:
        raise DomainError(
            "psi and rho must return a number or a vector",
            given=f"shape {items.shape}",
            expected="shape () or (m,)",
            hint="flatten it",
        )
    known = set(_flat_symbols(arguments))
    try:
        parts = tuple(sympy.sympify(item, strict=True) for item in items.ravel())
    except sympy.SympifyError:
        parts = (sympy.true,)
    for part in parts:
        if not isinstance(part, sympy.Expr) or not part.free_symbols <= known:
            raise DomainError(
                "psi and rho must depend on their arguments only",
                given=", ".join(map(str, items.ravel())),
                expected="numbers, and functions of the arguments",
                hint="write comparisons with Piecewise, and replace other symbols by numbers",
            )
    return parts, items.ndim == 0


def _to_vector(symbols: Any) -> Any:
    if not isinstance(symbols, tuple):
        return symbols
    vector = np.empty(len(symbols), dtype=object)
    vector[:] = symbols
    return vector


def _record_operations(function: Function, arguments: tuple[Any, ...]) -> Any:
    """Records the operations of a NumPy function on a row of symbols, as SymPy expressions."""
    flat = _flat_symbols(arguments)

    def of_row(row: Any) -> Any:
        rest, given = list(row), []
        for a in arguments:
            if isinstance(a, tuple):
                given.append(_to_vector(tuple(rest.pop(0) for _ in a)))
            else:
                given.append(rest.pop(0))
        return function(*given)

    formula = read_function(of_row, len(flat))
    shown = to_expressions(formula, flat)
    if formula.scalar:
        return shown[0]
    return shown


def _flat_symbols(arguments: tuple[Any, ...]) -> list[Any]:
    """Lists the symbols of arguments that are symbols or tuples of symbols."""
    flat: list[Any] = []
    for argument in arguments:
        if isinstance(argument, tuple):
            flat += argument
        else:
            flat.append(argument)
    return flat


def to_expressions(formula: Formula, columns: list[Any]) -> list[Any]:
    """Converts a formula's features to SymPy."""
    values: list[Any] = []
    for node in formula.nodes:
        args = [values[a] for a in node.args]
        if node.op == "column":
            values.append(columns[int(node.value)])
        elif node.op == "const":
            if float(node.value).is_integer():
                values.append(sympy.Integer(int(node.value)))
            else:
                values.append(sympy.Float(node.value))
        elif node.op in _SYMPY:
            values.append(_SYMPY[node.op](*args))
        else:
            raise TraceError(
                "a function of a pair form cannot be written in symbols", given=node.op
            )
    return [values[o] for o in formula.outputs]


_SYMPY: dict[str, Callable[..., Any]] = {**SYMPY, **OPERATORS, "sqrt": sympy.sqrt, "max": sympy.Max,
                                         "min": sympy.Min}  # fmt: skip


@functools.lru_cache(maxsize=4096)
def is_zero_expression(expression: Any) -> bool:
    """Checks whether expansion and cancellation show that an expression is 0."""
    return same_expression(expression, sympy.S.Zero)
