"""SymPy numbers as elements of one real number field.

SymPy is imported only here, and only when an input holds one of its numbers that is not rational.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from flint import fmpq, fmpz_poly

from eqvproof.invariants.witnesses.field import Coefficients, Field, FieldMatrix
from eqvproof.numbers.scalar import from_fraction, to_fraction
from eqvproof.support.errors import DomainError


def to_field(numbers: Sequence[Any]) -> tuple[Field, list[Coefficients]]:
    """Places SymPy numbers in one real number field; returns the field and the numbers in it.

    Exactness: exact; the generator is a primitive element found by SymPy.

    Raises:
        DomainError: for a number that is not real, or not known to be algebraic.
    """
    import sympy
    from sympy.polys.numberfields import primitive_element

    distinct = dict.fromkeys(numbers)
    prepared = {n: sympy.expand(sympy.sympify(n, strict=True).expand(func=True)) for n in distinct}
    generators: list[Any] = []
    for number in prepared.values():
        _collect(number, generators)
    if not generators:
        raise DomainError(
            "all numbers are rational",
            given=str(list(prepared)[:3]),
            expected="an algebraic number that is not rational",
            hint="use the rational numbers directly",
        )
    x = sympy.Symbol("x")
    try:
        minimal, weights, images = primitive_element(generators, x, ex=True, polys=True)
    except (NotImplementedError, ValueError) as error:
        raise DomainError(
            "these numbers could not be placed in one number field",
            given=", ".join(str(g) for g in generators[:5]),
            expected="real algebraic numbers, such as sqrt(2) or Rational(1, 3)",
            hint="give floats for a witness to rounding",
        ) from error
    theta = sum((w * g for w, g in zip(weights, generators, strict=True)), sympy.Integer(0))
    lower = [to_fraction(c) for c in reversed(minimal.monic().all_coeffs())]
    # theta times the common denominator is an algebraic integer: its polynomial is monic with
    # integers
    factor, degree = lcm(*(c.denominator for c in lower)), len(lower) - 1
    field = _make_field([c * factor ** (degree - k) for k, c in enumerate(lower)], theta * factor)
    known = {
        g: _pad([from_fraction(c) / factor**k for k, c in enumerate(reversed(image))], field.degree)
        for g, image in zip(generators, images, strict=True)
    }
    memo = {n: _evaluate(prepared[n], field, known) for n in prepared}
    return field, [memo[n] for n in numbers]


def to_sympy(field: Field, element: Coefficients) -> Any:
    """Converts an element of the field to an expanded SymPy expression."""
    import sympy

    total = sympy.Integer(0)
    for k, c in enumerate(element):
        if c:
            total += sympy.Rational(int(c.p), int(c.q)) * field.generator**k
    return sympy.expand(total)


def _collect(number: Any, generators: list[Any]) -> None:
    """Appends the irrational parts of a number that are not yet among the generators.

    The parts are radicals and algebraic values of functions.
    """
    if number.is_Rational:
        return
    if number.is_Add or number.is_Mul or (number.is_Pow and number.exp.is_Integer):
        for part in number.args:
            _collect(part, generators)
        return
    if number.is_real is not True or number.is_algebraic is not True:
        raise DomainError(
            "a number is not known to be real and algebraic",
            given=str(number),
            expected="integers, rationals, or real algebraic numbers such as sqrt(2)",
            hint="give floats for a witness to rounding",
        )
    if number not in generators:
        generators.append(number)


def _evaluate(number: Any, field: Field, known: dict[Any, Coefficients]) -> Coefficients:
    if number in known:
        return known[number]
    if number.is_Rational:
        return _pad([from_fraction(number)], field.degree)
    values = [] if number.is_Pow else [_evaluate(a, field, known) for a in number.args]
    if number.is_Add:
        return tuple(sum((v[k] for v in values), fmpq(0)) for k in range(field.degree))
    if number.is_Mul:
        result = values[0]
        for value in values[1:]:
            result = _multiply_elements(field, result, value)
        return result
    base = _evaluate(number.base, field, known)
    exponent = int(number.exp)
    if exponent < 0:
        base, exponent = _invert_element(field, base), -exponent
    result = _pad([fmpq(1)], field.degree)
    for _ in range(exponent):
        result = _multiply_elements(field, result, base)
    return result


def _single(field: Field, a: Coefficients) -> FieldMatrix:
    return FieldMatrix.from_entries(field, (1, 1), [a])


def _multiply_elements(field: Field, a: Coefficients, b: Coefficients) -> Coefficients:
    return (_single(field, a) @ _single(field, b)).entries()[0]


def _invert_element(field: Field, a: Coefficients) -> Coefficients:
    if not any(a):
        raise DomainError(
            "the input contains a division by zero",
            given="1/0",
            expected="finite numbers",
            hint="look for a denominator that vanishes",
        )
    return _single(field, a).solve(FieldMatrix.identity(1, field)).entries()[0]


def _pad(values: list[fmpq], degree: int) -> Coefficients:
    return tuple(values) + (fmpq(0),) * (degree - len(values))


def _make_field(minimal: list[Fraction], theta: Any) -> Field:
    """Builds the field of a root of a monic polynomial, given with its constant term first.

    The field holds an interval in which the root theta is the only one.
    """
    import sympy

    if len(minimal) == 2:
        value = -minimal[0]
        return Field(
            (Fraction(0), Fraction(1)), (Fraction(0), Fraction(0)), sympy.Rational(str(value))
        )
    found: Any = fmpz_poly([int(c) for c in minimal]).complex_roots()  # (root, multiplicity)
    roots = [complex(root) for root, _ in found]
    place = complex(sympy.N(theta, 30))
    nearest, *others = sorted(roots, key=lambda r: abs(r - place))
    gap = min((abs(r - nearest) for r in others), default=1.0)
    if abs(nearest - place) * 100 > gap or abs(nearest.imag) * 100 > gap:
        raise DomainError(
            "the roots of a minimal polynomial could not be separated",
            given=str(theta),
            expected="numbers of smaller degree or height",
            hint="give floats, or simplify the numbers",
        )
    centre, radius = Fraction(nearest.real), Fraction(gap) / 4
    return Field(tuple(minimal), (centre - radius, centre + radius), theta)
