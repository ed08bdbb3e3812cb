"""SymPy's own evaluation of an expression at given numbers, with which replays are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eqvproof.support.errors import TargetError
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.sympy.bind import Binding, Expression

#: Digits of the floats that SymPy computes with.
DIGITS = 30


def value_at(
    expression: Expression,
    binding: Binding,
    arrays: Mapping[str, Numbers],
    sizes: Mapping[str, int],
) -> Numbers:
    """Evaluates an expression at numbers in floats; NaN where SymPy has no real number.

    Raises:
        TargetError: SymPy cannot evaluate it to numbers.
    """
    import sympy

    found = expression.xreplace(
        {
            s: sympy.Integer(binding.size(s).value(sizes))
            for s in expression.atoms(sympy.Symbol) - bound_symbols(expression)
            if s.name not in binding.signature.argument_names and binding.is_size(s.name)
        }
    )
    try:
        found = _substitute_numbers(found, arrays)
    except (
        Exception
    ):  # SymPy does not do all operations on explicit matrices: entries stay symbols instead
        found = _substitute_numbers(found.as_explicit(), arrays)
    if isinstance(found, (sympy.MatrixBase, sympy.NDimArray)):
        entries = [to_real_float(v) for v in sympy.flatten(found)]
        return np.array(entries, dtype=np.float64).reshape(found.shape)
    return np.array(to_real_float(found))


def bound_symbols(expression: Expression) -> set[Expression]:
    """Returns the symbols that a Sum, a Product or a Lambda binds somewhere in an expression."""
    import sympy

    found: set[object] = set()
    for e in expression.atoms(sympy.Sum, sympy.Product):
        found.update(limits[0] for limits in e.limits)
    for e in expression.atoms(sympy.Lambda):
        found.update(e.variables)
    return found


def _substitute_numbers(expression: Expression, arrays: Mapping[str, Numbers]) -> object:
    """Substitutes numbers for the symbols of an expression of fixed sizes."""
    import sympy

    matrices = {
        m: sympy.ImmutableDenseMatrix(
            *m.shape, [to_sympy_number(v) for v in np.asarray(arrays[m.name]).flat]
        )
        for m in expression.atoms(sympy.MatrixSymbol)
    }
    constants = expression.atoms(sympy.Identity, sympy.ZeroMatrix, sympy.OneMatrix)
    found = expression.xreplace(
        {**matrices, **{c: c.as_explicit().as_immutable() for c in constants}}
    )
    found = found.xreplace(
        {
            s: to_sympy_number(arrays[s.name][()])
            for s in found.atoms(sympy.Symbol) - bound_symbols(found)
            if _is_scalar(s, arrays)
        }
    )
    found = _expand_terms(found.doit())
    found = found.xreplace(
        {e: to_sympy_number(_indexed_entry(e, arrays)) for e in found.atoms(sympy.Indexed)}
    )
    if isinstance(found, sympy.MatrixExpr):
        return found.as_explicit()
    return found


def _expand_terms(expression: Expression) -> Expression:
    """Expands sums and products term by term, as SymPy cannot if ranges depend on outer indices."""
    import sympy

    if not expression.has(sympy.Sum, sympy.Product):
        return expression
    args = [_expand_terms(a) if isinstance(a, sympy.Basic) else a for a in expression.args]
    if not isinstance(expression, (sympy.Sum, sympy.Product)):
        return expression.func(*args)
    term, *limits = expression.args
    if isinstance(expression, sympy.Sum):
        combine = sympy.Add
    else:
        combine = sympy.Mul
    *inner, (symbol, low, high) = limits
    if not (low.is_Integer and high.is_Integer and high >= low - 1):
        return expression
    body = term
    if inner:
        body = expression.func(term, *inner)
    return combine(
        *(_expand_terms(body.xreplace({symbol: sympy.Integer(k)})) for k in range(low, high + 1))
    )


def _is_scalar(symbol: Expression, arrays: Mapping[str, Numbers]) -> bool:
    return symbol.name in arrays and np.ndim(arrays[symbol.name]) == 0


def _indexed_entry(element: Expression, arrays: Mapping[str, Numbers]) -> object:
    return arrays[str(element.base.label)][tuple(int(i) for i in element.indices)]


def to_sympy_number(value: Any) -> Expression:
    """Converts a float to a SymPy number: integers exactly, others with many digits."""
    import sympy

    value = float(value)
    if value.is_integer():
        return sympy.Integer(int(value))
    return sympy.Float(value, DIGITS)


def to_real_float(value: Expression) -> float:
    """Converts a SymPy number to a float; NaN for infinities, nan and numbers that are not real.

    Raises:
        TargetError: it is no number.
    """
    import sympy

    if value in (sympy.true, sympy.false):
        return float(bool(value))
    done = value.doit().evalf(DIGITS // 2)
    if done.has(sympy.zoo, sympy.oo, -sympy.oo, sympy.nan):
        return float("nan")
    done = done.evalf(DIGITS // 2)
    if not done.is_number:
        raise TargetError(
            "SymPy cannot evaluate the expression to a number",
            given=str(done)[:200],
            code="target.sympy",
            expected="an expression whose symbols are all inputs",
            hint="name these as arguments of the signature: "
            + ", ".join(sorted(str(s) for s in done.free_symbols)),
        )
    part = complex(done)
    if abs(part.imag) <= 1e-12 * max(1.0, abs(part.real)):
        return part.real
    return float("nan")
