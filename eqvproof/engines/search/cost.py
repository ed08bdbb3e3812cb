"""The cost of the entries of a point: numbers that are simple to check by hand cost less."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from eqvproof.engines.search.result import Inputs

#: Values in order of cost, by which entries are replaced when a counterexample is shrunk.
SIMPLE_VALUES = tuple(Fraction(v) for v in (0, 1, -1, 2, -2, Fraction(1, 2), Fraction(-1, 2)))


def value_cost(value: Any) -> int:
    """Returns the cost of an entry: 0 < 1 < -1 < 2 < -2 < 1/2, 3 < -1/2, -3 < ..."""
    if not isinstance(value, Fraction):
        return 2 * int(value)
    if not value:
        return 0
    cost = abs(value.numerator)
    if value.denominator > 1:
        cost += value.denominator
    return 2 * cost + (value < 0)


def inputs_cost(inputs: Inputs) -> tuple[int, int]:
    """Returns the cost of all inputs: the largest cost of an entry, at least 5, then the sum."""
    costs = [value_cost(v) for array in inputs.values() for v in array.flat]
    return max([5, *costs]), sum(costs)


def key_of(inputs: Inputs) -> tuple[Any, ...]:
    """Returns a hashable form of inputs, faster to compute than the hash of their numbers."""
    return tuple(
        (name, array.shape, tuple(map(_key, array.flat))) for name, array in inputs.items()
    )


def _key(value: Any) -> Any:
    if type(value) is Fraction:
        return value.as_integer_ratio()
    return value
