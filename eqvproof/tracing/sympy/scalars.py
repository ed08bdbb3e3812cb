"""Numbers, symbols and elementary functions of SymPy."""

from __future__ import annotations

from fractions import Fraction

from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.formulas import MAPS
from eqvproof.tracing.sympy.bind import Expression
from eqvproof.tracing.sympy.reader import TABLE, Handler, Reader, reads
from eqvproof.tracing.sympy.values import (
    Value,
    add_values,
    common_rank,
    elementwise,
    multiply_values,
)

#: SymPy class -> function of the Program's table.
FUNCTIONS = MAPS | {
    "StrictLessThan": "lt", "LessThan": "le", "StrictGreaterThan": "gt", "GreaterThan": "ge",
    "Equality": "eq", "Unequality": "ne", "Not": "not", "Mod": "mod",
}  # fmt: skip
#: Classes of several arguments that are taken two by two.
FOLDED = {"Max": "maximum", "Min": "minimum", "And": "and", "Or": "or"}


def _function(fn: str) -> Handler:
    def handler(r: Reader, e: Expression) -> Value:
        return elementwise(r.builder, fn, r.all(e.args))

    return handler


def _folded(fn: str) -> Handler:
    def handler(r: Reader, e: Expression) -> Value:
        values = r.all(e.args)
        found = values[0]
        for value in values[1:]:
            found = elementwise(r.builder, fn, [found, value])
        return found

    return handler


for _name, _fn in FUNCTIONS.items():
    reads(_name)(_function(_fn))
for _name, _fn in FOLDED.items():
    reads(_name)(_folded(_fn))


def exact_rational(number: Expression) -> Fraction:
    """Converts a SymPy rational or float to the rational that it is."""
    if number.is_Rational:
        return Fraction(int(number.p), int(number.q))
    sign, mantissa, exponent, _ = number._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    if sign:
        return -value
    return value


@reads("Rational", "Float")
def _rational_or_float(r: Reader, e: Expression) -> Value:
    if not e.is_finite:
        raise TraceError("an infinite or undefined constant", given=str(e), code="trace.constant")
    return r.number(exact_rational(e))


@reads("BooleanTrue", "BooleanFalse")
def _boolean_constant(r: Reader, e: object) -> Value:
    return r.number(int(bool(e)))


@reads("Pi")
def _pi(r: Reader, e: object) -> Value:
    return Value(r.builder.pi())


@reads("Exp1")
def _e(r: Reader, e: object) -> Value:
    return Value(r.builder.map("exp", [r.builder.const(1)]))


@reads("GoldenRatio")
def _golden(r: Reader, e: object) -> Value:
    b = r.builder
    return Value(b.mul(b.const(Fraction(1, 2)), b.add([b.const(1), b.map("sqrt", [b.const(5)])])))


@reads("Symbol")
def _symbol(r: Reader, e: Expression) -> Value:
    b = r.builder
    bound = r.scope.get(e)
    if isinstance(bound, Value):
        return bound
    if bound is not None:
        letter, span = bound
        return Value(b.add([b.iota(span.length), b.size(span.low)]), (letter,))
    names = r.binding.signature.argument_names
    if e.name in names and r.binding.is_size(e.name):
        raise TraceError(f"{e.name} names an argument and an axis size", code="trace.symbol")
    if e.name in names:
        argument = r.binding.argument(e.name, e)
        if argument.axes:
            raise TraceError(
                f"{e.name} is a scalar, the argument is {argument}",
                hint="write it as a MatrixSymbol or an IndexedBase",
                code="trace.symbol",
            )
        return Value(b.input(e.name, []))
    if r.binding.is_size(e.name):
        return r.size(r.binding.size(e))
    r.binding.argument(e.name, e)  # raises: it is neither
    raise TraceError("a symbol without a meaning", given=str(e), code="trace.symbol")


@reads("Add", "MatAdd", "ZeroMatrixAdd")
def _add_terms(r: Reader, e: Expression) -> Value:
    return add_values(r.builder, r.all(e.args))


@reads("Mul", "HadamardProduct")
def _mul(r: Reader, e: Expression) -> Value:
    return multiply_values(r.builder, r.all(e.args))


@reads("Pow", "HadamardPower")
def _pow(r: Reader, e: Expression) -> Value:
    base, exponent = e.args
    if exponent.is_Number and exponent.is_finite:
        value = r.read(base)
        return Value(
            r.builder.power(value.node, exact_rational(exponent)), value.letters, value.rank
        )
    return elementwise(r.builder, "pow", r.all([base, exponent]))


#: Functions that are complex at some real numbers.
_COMPLEX = frozenset("log asin acos acosh atanh acoth asec acsc asech loggamma".split())


def require_real(e: Expression) -> None:
    """Refuses an expression that may be a complex number, of which a part or conjugate is asked."""
    import sympy

    powers = e.atoms(sympy.Pow, sympy.HadamardPower)
    roots = [p for p in powers if not (p.exp.is_integer or p.base.is_positive)]
    others = [f for f in e.atoms(sympy.Function) if type(f).__name__ in _COMPLEX]
    for part in (*roots, *others):
        raise TraceError(
            "a conjugate, or a real or imaginary part, of what may be a complex number",
            given=str(part),
            hint="write the real function that is meant",
            code="trace.operation",
        )


@reads("conjugate", "re")
def _real_part(r: Reader, e: Expression) -> Value:
    require_real(e.args[0])
    return r.read(e.args[0])


@reads("im")
def _imaginary(r: Reader, e: Expression) -> Value:
    require_real(e.args[0])
    return multiply_values(r.builder, [r.number(0), r.read(e.args[0])])


@reads("erfc")
def _erfc(r: Reader, e: Expression) -> Value:
    erf = elementwise(r.builder, "erf", r.all(e.args))
    return add_values(r.builder, [r.number(1), multiply_values(r.builder, [r.number(-1), erf])])


@reads("cot", "sec", "csc", "coth", "sech", "csch", "atanh", "acoth", "sinc")
def _rewritten(r: Reader, e: Expression) -> Value:
    """Rewrites a function by functions that are in the table."""
    import sympy

    x = e.args[0]
    forms = {
        "cot": lambda: sympy.cos(x) / sympy.sin(x),
        "sec": lambda: 1 / sympy.cos(x),
        "csc": lambda: 1 / sympy.sin(x),
        "coth": lambda: sympy.cosh(x) / sympy.sinh(x),
        "sech": lambda: 1 / sympy.cosh(x),
        "csch": lambda: 1 / sympy.sinh(x),
        "atanh": lambda: (sympy.log(1 + x) - sympy.log(1 - x)) / 2,
        "acoth": lambda: (sympy.log(1 + 1 / x) - sympy.log(1 - 1 / x)) / 2,
        "sinc": lambda: sympy.Piecewise((sympy.sin(x) / x, sympy.Ne(x, 0)), (1, True)),
    }
    return r.read(forms[type(e).__name__]())


@reads("Heaviside")
def _heaviside(r: Reader, e: Expression) -> Value:
    b = r.builder
    nodes, letters, rank = common_rank(b, r.all(e.args))
    positive = b.map("gt", [nodes[0], b.const(0)])
    zero = b.map("eq", [nodes[0], b.const(0)])
    return Value(b.select(zero, nodes[1], positive), letters, rank)


@reads("KroneckerDelta")
def _delta(r: Reader, e: Expression) -> Value:
    b = r.builder
    if len(e.args) > 2:  # beyond which SymPy takes it to be 0
        raise TraceError(
            "a KroneckerDelta with a range", given=str(e), hint="leave the range out",
            code="trace.operation",
        )  # fmt: skip
    first, second = (r.scope.get(x) for x in e.args)
    if (
        isinstance(first, tuple)
        and isinstance(second, tuple)
        and first[1] == second[1]
        and first != second
    ):
        return Value(b.eye(first[1].length), (first[0], second[0]))
    return elementwise(b, "eq", r.all(e.args[:2]))


@reads("Piecewise")
def _piecewise(r: Reader, e: Expression) -> Value:
    b = r.builder
    *cases, (last, condition) = e.args
    if condition != True:  # noqa: E712  (a SymPy truth value)
        raise TraceError(
            "a Piecewise without a case for everything else",
            given=str(e),
            hint="end it with (value, True)",
            code="trace.operation",
        )
    found = r.read(last)
    for case, when in reversed(cases):
        nodes, letters, rank = common_rank(b, [r.read(when), r.read(case), found])
        found = Value(b.select(*nodes), letters, rank)
    return found


@reads("ITE")
def _if(r: Reader, e: Expression) -> Value:
    b = r.builder
    nodes, letters, rank = common_rank(b, r.all(e.args))
    return Value(b.select(*nodes), letters, rank)


__all__ = ["FUNCTIONS", "TABLE", "exact_rational"]
