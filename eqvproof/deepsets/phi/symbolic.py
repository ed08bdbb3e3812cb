"""Converts SymPy expressions to formulas, in an order independent of SymPy's hashes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import sympy
from sympy.core.sorting import default_sort_key

from eqvproof.deepsets.phi.formula import Formula, Tape
from eqvproof.support.errors import DomainError

#: operation -> SymPy's function
SYMPY: dict[str, Any] = {
    "exp": sympy.exp,
    "log": sympy.log,
    "tanh": sympy.tanh,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "floor": sympy.floor,
    "ceil": sympy.ceiling,
    "sign": sympy.sign,
    "abs": sympy.Abs,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "arctan": sympy.atan,
    "arcsin": sympy.asin,
    "arccos": sympy.acos,
    "arcsinh": sympy.asinh,
}
_FUNCTIONS = {function: op for op, function in SYMPY.items()}
_RELATIONS: dict[Any, tuple[str, bool]] = {  # relation -> (operation, arguments swapped)
    sympy.StrictLessThan: ("lt", False),
    sympy.LessThan: ("le", False),
    sympy.StrictGreaterThan: ("lt", True),
    sympy.GreaterThan: ("le", True),
    sympy.Equality: ("eq", False),
}


def read_expressions(phi: Any, columns: int, symbols: Any = None) -> Formula:
    """Builds the formula of an expression (a number), or of a tuple or matrix (a vector).

    Exactness: rational constants and named ones (pi, E) become the nearest machine number; every
        other node of an expression is an operation rounded once.

    Raises:
        DomainError: a constant is complex, formulas do not have a function, or the symbols do not
            fit the columns.
    """
    scalar = not isinstance(phi, sympy.MatrixBase | sympy.NDimArray | tuple | list | sympy.Tuple)
    if scalar:
        phi = [phi]
    if isinstance(symbols, Sequence):
        symbols = tuple(symbols)
    elif symbols is not None:
        symbols = (symbols,)
    expressions = tuple(_to_sympy(e) for e in phi)
    tape = Tape(columns)
    writer = ExpressionWriter(tape, _bind_to_columns(expressions, columns, symbols))
    return tape.formula(tuple(writer.write(e) for e in expressions), scalar=scalar)


def _to_sympy(e: Any) -> Any:
    """Converts a Python number to a number of SymPy; expressions are returned unchanged."""
    if isinstance(e, int):
        return sympy.Integer(e)
    if isinstance(e, float):
        return sympy.Float(e)
    return e


def _bind_to_columns(
    expressions: tuple[Any, ...], columns: int, symbols: tuple[Any, ...] | None
) -> dict[Any, int]:
    """Assigns a column to each leaf: a symbol, or an entry x[j] of an indexed base or a matrix."""
    leaves: set[Any] = set()
    for e in expressions:
        indexed = e.atoms(sympy.Indexed) | e.atoms(sympy.matrices.expressions.matexpr.MatrixElement)
        inside = set().union(*(i.free_symbols for i in indexed)) - indexed
        leaves |= indexed | (e.free_symbols - inside - indexed)
    if symbols is not None:
        bound = {s: j for j, s in enumerate(symbols)}
        if len(bound) != columns or not leaves <= set(bound):
            raise DomainError(
                "the symbols do not fit the columns",
                given=", ".join(sorted(map(str, leaves))),
                expected=f"{columns} symbols, among them all of phi's",
                hint="pass symbols=(...)",
            )
        return bound
    found: dict[Any, int] = {}
    for leaf in leaves:
        if not isinstance(leaf, sympy.Symbol):
            if isinstance(leaf, sympy.Indexed):
                indices = leaf.indices
            else:
                indices = (leaf.i, leaf.j)
            nonzero = [i for i in indices if i != 0]
            if not all(i.is_Integer for i in nonzero) or len(nonzero) > 1:
                raise DomainError(
                    "the index of an entry is not one number",
                    given=str(leaf),
                    expected="one index for each entry",
                    hint="write x[0], x[1], ...",
                )
            found[leaf] = sum(int(i) for i in nonzero)
    plain = [s for s in leaves if isinstance(s, sympy.Symbol)]
    if found and plain:
        raise DomainError(
            "phi mixes entries and symbols",
            given=str(leaves),
            hint="pass symbols=(...)",
            expected="only symbols, or only entries x[0], x[1], ...",
        )
    numbers = assign_columns(sorted(s.name for s in plain), columns)
    return found | {s: numbers[s.name] for s in plain}


class ExpressionWriter:
    """Writes expressions onto a tape, each once."""

    def __init__(self, tape: Tape, columns: dict[Any, int]) -> None:
        self.tape, self.columns = tape, columns
        self.known: dict[Any, int] = {}

    def write(self, e: Any) -> int:
        """Writes an expression; returns the index of its value."""
        if e not in self.known:
            self.known[e] = self._write(e)
        return self.known[e]

    def _write(self, e: Any) -> int:
        if e in self.columns:
            return self.tape.column(self.columns[e])
        if getattr(e, "is_number", False) and not e.free_symbols:
            return self.tape.const(nearest_float(e))
        if isinstance(e, sympy.Add):
            return self._write_sum(sorted(e.args, key=default_sort_key))
        if isinstance(e, sympy.Mul):
            return self._write_product(e)
        if isinstance(e, sympy.Pow):
            return self._write_power(e.base, e.exp)
        if isinstance(e, sympy.Max | sympy.Min):
            values = [self.write(a) for a in sorted(e.args, key=default_sort_key)]
            if isinstance(e, sympy.Max):
                return self._write_fold("max", values)
            return self._write_fold("min", values)
        if isinstance(e, sympy.Piecewise):
            return self._write_piecewise(e)
        if isinstance(e, sympy.Heaviside) and e.args[1] in (0, sympy.S.Half, 1):
            x, zero = self.write(e.args[0]), self.tape.const(0.0)
            at_zero = self.tape.put(
                "select",
                self.tape.put("eq", x, zero),
                self.tape.const(float(e.args[1])),
                self.tape.put("lt", zero, x),
            )
            return at_zero
        if e.func in _FUNCTIONS and len(e.args) == 1:
            return self.tape.put(_FUNCTIONS[e.func], self.write(e.args[0]))
        raise DomainError(
            "phi contains an operation that formulas do not have",
            given=str(e.func),
            expected="sums, products, powers, elementary functions, Piecewise",
            hint="write it with those, or pass a function of one row",
        )

    def _write_fold(self, op: str, values: list[int]) -> int:
        result = values[0]
        for v in values[1:]:
            result = self.tape.put(op, result, v)
        return result

    def _write_sum(self, terms: list[Any]) -> int:
        """Writes a sum: the positive terms are added first, then the others subtracted."""
        signed = [(t.as_coeff_Mul()[0].is_negative is True, t) for t in terms]
        plus = [t for negative, t in signed if not negative]
        minus = [-t for negative, t in signed if negative]
        if not plus:
            return self.tape.put("neg", self._write_fold("add", [self.write(t) for t in minus]))
        result = self._write_fold("add", [self.write(t) for t in plus])
        for t in minus:
            result = self.tape.put("sub", result, self.write(t))
        return result

    def _write_product(self, e: Any) -> int:
        """Writes `c x^a / y^b`: the monomial of columns, then other factors, then the division."""
        coefficient, rest = e.as_coeff_Mul()
        exponents = [0] * self.tape.columns
        above, below = [], []
        for factor in sorted(sympy.Mul.make_args(rest), key=default_sort_key):
            base, exponent = factor.as_base_exp()
            if base in self.columns and exponent.is_Integer and exponent > 0:
                exponents[self.columns[base]] += int(exponent)
            elif exponent.is_Rational and exponent < 0 and base is not sympy.E:
                below.append(self._write_power(base, -exponent))
            else:
                above.append(self.write(factor))
        monomial = []
        if any(exponents):
            monomial = [self.tape.monomial(tuple(exponents))]
        values = monomial + above
        if coefficient != 1 and not (coefficient == -1 and values):
            values = [self.tape.const(nearest_float(coefficient)), *values]
        if values:
            result = self._write_fold("mul", values)
        else:
            result = self.tape.const(1.0)
        if below:
            result = self.tape.put("div", result, self._write_fold("mul", below))
        if coefficient == -1 and (monomial or above):
            return self.tape.put("neg", result)
        return result

    def _write_power(self, base: Any, exponent: Any) -> int:
        if base is sympy.E:
            return self.tape.put("exp", self.write(exponent))
        if exponent.is_Integer:
            return self.tape.power(self.write(base), int(exponent))
        if exponent.is_Rational and exponent.q == 2:
            root = self.tape.put("sqrt", self.write(base))
            return self.tape.power(root, int(exponent.p))
        logarithm = self.tape.put("log", self.write(base))
        return self.tape.put("exp", self.tape.put("mul", self.write(exponent), logarithm))

    def _write_piecewise(self, e: Any) -> int:
        result = self.tape.const(float("nan"))
        for value, condition in reversed(e.args):
            if condition is sympy.true:
                result = self.write(value)
            else:
                result = self.tape.put(
                    "select", self._write_condition(condition), self.write(value), result
                )
        return result

    def _write_condition(self, c: Any) -> int:
        if c in (sympy.true, sympy.false):
            return self.tape.const(float(bool(c)))
        if c.func in _RELATIONS:
            op, swapped = _RELATIONS[c.func]
            a, b = (self.write(c.lhs), self.write(c.rhs))
            if swapped:
                return self.tape.put(op, b, a)
            return self.tape.put(op, a, b)
        if isinstance(c, sympy.And | sympy.Or):
            values = [self._write_condition(a) for a in sorted(c.args, key=default_sort_key)]
            if isinstance(c, sympy.And):
                return self._write_fold("min", values)
            return self._write_fold("max", values)
        if isinstance(c, sympy.Not):
            return self._write_negation(c.args[0])
        if isinstance(c, sympy.Unequality):
            return self._write_negation(sympy.Eq(c.lhs, c.rhs))
        raise DomainError(
            "formulas do not have this condition",
            given=str(c),
            expected="sums, products, powers, elementary functions, Piecewise",
            hint="write it with those, or pass a function of one row",
        )

    def _write_negation(self, c: Any) -> int:
        return self.tape.put("sub", self.tape.const(1.0), self._write_condition(c))


def nearest_float(e: Any) -> float:
    """Returns the float nearest to a constant; infinity beyond the largest float."""
    if e.is_Rational:
        try:
            return int(e.p) / int(e.q)
        except OverflowError:
            if e.p > 0:
                return math.inf
            return -math.inf
    if e is sympy.nan:
        return float("nan")
    if not (e.is_extended_real or e.is_Float):
        raise DomainError(
            "phi has a constant that is not real",
            given=str(e),
            expected="real constants",
            hint="split it into real and imaginary parts",
        )
    return float(sympy.N(e, 40))


def assign_columns(names: Sequence[str], columns: int) -> dict[str, int]:
    """Assigns columns to symbol names, by the numbers at their ends or in alphabetical order.

    The numbers are used if all names are one prefix with a number. Otherwise there must be exactly
    d names, which are sorted.

    Raises:
        DomainError: the names do not determine the columns.
    """
    matched = [re.fullmatch(r"(.*?)_?\{?(\d+)\}?", name) for name in names]
    numbers = [int(m.group(2)) for m in matched if m]
    one_prefix = len(numbers) == len(names) and len({m.group(1) for m in matched if m}) <= 1
    if one_prefix and names:
        if len(set(numbers)) != len(numbers):
            raise DomainError(
                "two symbols have the same number",
                given=", ".join(names),
                hint="pass symbols=(...)",
                expected="a different number for each symbol",
            )
        if 0 in numbers:
            start = 0
        elif columns in numbers or len(names) == columns:
            start = 1
        else:
            start = None
        if start is not None and all(start <= k < start + columns for k in numbers):
            return {name: k - start for name, k in zip(names, numbers, strict=True)}
    elif len(names) == columns:
        return {name: j for j, name in enumerate(sorted(names))}
    if not names:
        return {}
    raise DomainError(
        "the names do not determine the symbol of each column",
        given=", ".join(sorted(names)),
        expected=f"{columns} columns",
        hint="pass symbols=(...), the symbol of each column",
    )
