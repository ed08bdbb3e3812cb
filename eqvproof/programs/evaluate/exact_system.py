"""The number system of exact numbers: object arrays of flint rationals, balls, absent entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from eqvproof.numbers import arithmetic, tensor
from eqvproof.numbers.arrays import result_array, sorted_raw, unwrap, wrap_array
from eqvproof.numbers.einsum import ObjectArithmetic
from eqvproof.numbers.elementwise import elementwise, reduced
from eqvproof.numbers.scalar import ONE, Scalar, current_precision, from_fraction, sign, to_fraction
from eqvproof.numbers.signals import Undecided
from eqvproof.numbers.tensor import Array, constant_array, objects
from eqvproof.numbers.undefined import UNDECIDED_ENTRY, UNDEFINED, Absent, absorb
from eqvproof.programs.evaluate import matrices
from eqvproof.programs.evaluate.named_constants import MOST_ENTRIES, named_value
from eqvproof.programs.evaluate.opaque import Functions, draw_rationals, find_function
from eqvproof.programs.operations.functions import FUNCTIONS


class ExactSystem(ObjectArithmetic):
    """Computes with rationals while possible, then balls; see `system.NumberSystem`.

    Balls have the current precision.
    """

    def __init__(
        self, functions: Functions | None = None, seed: int = 0, *, named: bool = False,
        moved: Mapping[Fraction, Fraction] | None = None,
    ) -> None:  # fmt: skip
        self._functions = functions
        self._seed = seed
        self._named, self._moved = named, moved

    def fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Array:
        """Returns the array of these rationals, or of the real numbers that they may stand for."""
        if self._moved and len(values) <= MOST_ENTRIES:
            return objects([from_fraction(self._moved.get(v, v)) for v in values], shape)
        if self._named and len(values) <= MOST_ENTRIES:
            read = named_value
        else:
            read = from_fraction
        return objects([read(v) for v in values], shape)

    def add(self, arrays: Sequence[Array]) -> Array:
        """Adds arrays."""
        result = arrays[0]
        for array in arrays[1:]:
            result = _object_array(elementwise("add", result, array))
        return result

    def apply(self, fn: str, arrays: Sequence[Array]) -> Array:
        """Applies an elementwise function."""
        if fn == "pi":
            return constant_array((), arb.pi())
        return _object_array(elementwise(FUNCTIONS[fn].exact or fn, *arrays))

    def select(self, c: Array, a: Array, b: Array) -> Array:
        """Chooses a where c is not 0, else b; the entry that is not chosen may be undefined."""
        return _object_array(_CHOOSE(c, a, b))

    def reduce(self, fn: str, array: Array, axes: tuple[int, ...]) -> Array:
        """Computes max, min (undefined over nothing) or prod (1 over nothing)."""
        name, empty = {
            "max": ("maximum", UNDEFINED),
            "min": ("minimum", UNDEFINED),
            "prod": ("multiply", ONE),
        }[fn]
        return _object_array(reduced(name, array, axes, empty))

    def sort(self, array: Array, axis: int) -> Array:
        """Sorts in ascending order; a line with an undefined entry is undefined."""
        return sorted_raw(array, axis)

    def inverse(self, array: Array) -> Array:
        """Inverts matrices."""
        return tensor.inverse_matrices(array)

    def determinant(self, array: Array) -> Array:
        """Computes the determinants of matrices."""
        return tensor.determinants(array)

    def matrix(self, fn: str, arrays: Sequence[Array]) -> Array:
        """Evaluates another function of matrices: rational if possible, else in balls."""
        return matrices.VALUES[fn].exact(*arrays)

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Array], shape: tuple[int, ...]
    ) -> Array:
        """Calls the given function on exact arrays, or draws rationals from rational arguments."""
        function = find_function(name, symmetry, self._functions)
        if function is not None:
            return unwrap(result_array(function(*(wrap_array(a) for a in arrays)))).reshape(shape)
        entries = [x for a in arrays for x in (*map(fmpq, a.shape), *a.flat)]
        absent = [x for x in entries if type(x) is Absent]
        if absent:
            return constant_array(shape, absorb(*absent))
        if any(type(x) is arb for x in entries):
            return constant_array(shape, UNDECIDED_ENTRY)  # equal numbers may have different balls
        values = draw_rationals(
            name, (to_fraction(x) for x in entries), int(np.prod(shape, dtype=int)), self._seed
        )
        return self.fractions(values, shape)


def _object_array(values: Any) -> Array:
    return np.asarray(values, dtype=object)


def _choose(c: Any, a: Any, b: Any) -> Any:
    if type(c) is Absent:
        if c is UNDEFINED:
            return UNDEFINED
        return _either(a, b)
    try:
        if sign(c):
            return a
        return b
    except Undecided:
        return _either(a, b)


def _either(a: Any, b: Any) -> Any:
    """Returns the hull of a and b if it is narrow, else UNDECIDED_ENTRY."""
    if a is b:
        return a
    if type(a) is Absent or type(b) is Absent:
        return UNDECIDED_ENTRY
    both: Scalar = arithmetic.hull(a, b)
    if is_narrow(both, current_precision() // 4):
        return both
    return UNDECIDED_ENTRY


def is_narrow(x: Scalar, bits: int) -> bool:
    """Checks whether the radius is at most 2^-bits times max(1, |middle|)."""
    if isinstance(x, fmpq):
        return True
    scaled = x.rad() * arb((1, bits))
    return bool(scaled <= 1 or scaled <= abs(x.mid()))


_CHOOSE = np.frompyfunc(_choose, 3, 1)
