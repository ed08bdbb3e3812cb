"""Programs as polynomials of the entries of their inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any

import flint
import numpy as np

from eqvproof.engines.violation.result import root_above
from eqvproof.numbers.contraction import contract
from eqvproof.numbers.einsum import ArrayShapes
from eqvproof.numbers.scalar import from_fraction, to_fraction
from eqvproof.numbers.tensor import objects
from eqvproof.programs import Program
from eqvproof.programs.evaluate.walk import bind, evaluate_program

Array = np.ndarray[Any, np.dtype[Any]]
#: Largest number of entries of the inputs, and of terms of an array of polynomials.
MOST_ENTRIES, MOST_TERMS = 48, 60_000
#: Largest exponent of a power that is written out.
MOST_POWER = 12


#: A ball: the places of some variables, and a bound of their Euclidean norm.
Ball = tuple[Sequence[int], Fraction]


class NotPolynomial(Exception):
    """Raised if a Program is no polynomial of its inputs, or has too many terms."""


class Variables:
    """The entries of the inputs as the variables of a ring of polynomials.

    Attributes:
        arrays: the inputs, by name, as arrays of variables.
    """

    def __init__(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        count = sum(map(prod, shapes.values()))
        if not 0 < count <= MOST_ENTRIES:
            raise NotPolynomial
        names = [f"x{k}" for k in range(count)]
        self.ring = flint.fmpq_mpoly_ctx.get(names, flint.Ordering.lex)
        left = list(self.ring.gens())
        self.arrays: dict[str, Array] = {}
        for name, shape in shapes.items():
            size = prod(shape)
            self.arrays[name] = objects(left[:size], shape)
            left = left[size:]

    def value(self, program: Program, sizes: Mapping[str, int], arrays: Mapping[str, Any]) -> Array:
        """Returns the result of a Program at arrays of polynomials.

        Raises:
            NotPolynomial: it is none, or has too many terms.
        """
        try:
            known = bind(program, arrays, sizes)
            system: Any = _Polynomials(self.ring)
            found = evaluate_program(program, system, arrays, known)
        except (AttributeError, TypeError, ZeroDivisionError) as error:
            raise NotPolynomial from error
        return _array(found)

    def derivative(self, value: Array, direction: Mapping[str, Array]) -> Array:
        """Returns the derivative of polynomials along a direction, given for each variable."""
        steps = [step for array in direction.values() for step in array.flat]

        def along(polynomial: Any) -> Any:
            parts = (polynomial.derivative(k) * step for k, step in enumerate(steps))
            return sum(parts, self.ring.constant(0))

        return objects([along(p) for p in value.flat], value.shape)

    def bound(self, polynomial: Any, parts: Sequence[Ball]) -> Fraction:
        """Returns a bound of the size of a polynomial over a product of balls.

        Where ``sum_i y_i^2 <= r^2``, a product ``y_1^a_1 ... y_k^a_k`` of degree A is at most
        ``r^A sqrt(a_1^a_1 ... a_k^a_k / A^A)`` (Lagrange: ``y_i^2 = r^2 a_i / A``).

        Args:
            polynomial: the polynomial.
            parts: the balls; each variable belongs to one of them.
        """
        total = Fraction(0)
        for exponents, coefficient in polynomial.to_dict().items():
            term = abs(to_fraction(coefficient))
            for places, radius in parts:
                own = [int(exponents[k]) for k in places if exponents[k]]
                if own:
                    term *= radius ** sum(own) * _greatest_product(tuple(own))
            total += term
        return total


@cache
def _greatest_product(exponents: tuple[int, ...]) -> Fraction:
    """Returns a number that is at least the greatest product of such powers on the unit sphere."""
    if len(exponents) == 1:
        return Fraction(1)
    whole = sum(exponents)
    return root_above(Fraction(prod(a**a for a in exponents), whole**whole))


class _Polynomials(ArrayShapes):
    """Computes with object arrays of polynomials; see `evaluate.system.NumberSystem`.

    What is no polynomial is absent, so that it raises AttributeError.
    """

    contract = contract

    def __init__(self, ring: Any) -> None:
        self._ring = ring

    def _checked(self, array: Array) -> Array:
        if sum(map(len, array.flat)) > MOST_TERMS:
            raise NotPolynomial
        return array

    def fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Array:
        """Returns the array of these constants."""
        return objects([self._ring.constant(from_fraction(v)) for v in values], shape)

    def multiply(self, a: Array, b: Array) -> Array:
        """Returns the products of entries, with broadcasting."""
        return self._checked(_array(a * b))

    def matmul(self, a: Array, b: Array) -> Array:
        """Returns the products of stacks of matrices."""
        if not a.shape[-1]:
            raise NotPolynomial
        return self.total(self.multiply(a[..., :, :, None], b[..., None, :, :]), (a.ndim - 1,))

    def total(self, a: Array, axes: Sequence[int]) -> Array:
        """Returns the sums over some axes."""
        zero = objects([self._ring.constant(0)], ())
        found = np.broadcast_to(zero, [s for k, s in enumerate(a.shape) if k not in set(axes)])
        front = np.moveaxis(a, tuple(axes), range(len(axes))).reshape((-1, *found.shape))
        for k in range(len(front)):
            found = self._checked(_array(found + front[k, ...]))
        return found

    def add(self, arrays: Sequence[Array]) -> Array:
        """Adds arrays."""
        found = arrays[0]
        for array in arrays[1:]:
            found = self._checked(_array(found + array))
        return found

    def apply(self, fn: str, arrays: Sequence[Array]) -> Array:
        """Returns powers whose exponents are small natural numbers.

        Raises:
            NotPolynomial: another function.
        """
        if fn != "pow":
            raise NotPolynomial
        base, exponent = np.broadcast_arrays(*arrays)
        return self._checked(
            objects(
                [_natural_power(a, b) for a, b in zip(base.flat, exponent.flat, strict=True)],
                base.shape,
            )
        )


def _natural_power(base: Any, exponent: Any) -> Any:
    """Returns a power of a polynomial by a constant polynomial."""
    if not exponent.is_constant():
        raise NotPolynomial
    number = to_fraction(exponent.leading_coefficient()) if exponent else Fraction(0)
    if number.denominator != 1 or not 0 <= number <= MOST_POWER:
        raise NotPolynomial
    return base ** int(number)


def _array(value: Any) -> Array:
    """Returns an array; NumPy returns a polynomial itself where an array has no axes."""
    if isinstance(value, np.ndarray):
        return value
    return objects([value], ())
