"""Several prime fields, drawn at random from a seed, and arrays over all of them at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from eqvproof.numbers.contraction import contract
from eqvproof.numbers.signals import Undefined
from eqvproof.numbers.tensor import take_along_axis
from eqvproof.programs.evaluate.prime_field import Array, PrimeField, random_prime
from eqvproof.programs.operations.stored import Stored

_WORD = 1 << 62
#: Constants with at least this many entries are converted once.
_MANY = 64


@dataclass(frozen=True, slots=True, eq=False)
class Residues:
    """An array in each channel, all of one shape.

    Attributes:
        parts: one array of residues (Montgomery form) a channel.
    """

    parts: tuple[Array, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Returns the shape of each part."""
        shape: tuple[int, ...] = self.parts[0].shape
        return shape


def each(array: Residues, function: Callable[[Array], Array]) -> Residues:
    """Applies a function to each part."""
    return Residues(tuple(function(x) for x in array.parts))


class Channels:
    """Prime fields drawn from a seed; arrays are `Residues`.

    Args:
        seed: decides primes and random arrays.
        channels: how many primes.
    """

    def __init__(self, seed: int | str, channels: int = 3) -> None:
        self._rng = random.Random(f"eqvproof-modular-{seed}-{channels}")
        self.seed = seed
        self.fields = tuple(PrimeField(random_prime(self._rng)) for _ in range(channels))
        self._known: dict[
            int, tuple[Sequence[Fraction], Residues]
        ] = {}  # the values live as long as their id

    contract = contract

    # -- in and out
    # ------------------------------------------------------------------------------------
    def random(self, shape: Sequence[int]) -> Residues:
        """Draws a uniformly random array, new at each call."""
        count = prod(shape)
        return Residues(
            tuple(
                f.encode((self._rng.randrange(f.p) for _ in range(count)), shape)
                for f in self.fields
            )
        )

    def fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Residues:
        """Returns the array of these rationals.

        Raises:
            Undefined: a prime divides a denominator.
        """
        if len(values) < _MANY or not isinstance(values, (tuple, Stored)):
            return self._fractions(values, shape)
        known = self._known.get(id(values))
        if known is None:
            known = self._known[id(values)] = values, self._fractions(tuple(values), shape)
        return each(known[1], lambda x: x.reshape(shape))

    def _fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Residues:
        if all(v.denominator == 1 and abs(v.numerator) < _WORD for v in values):
            whole = np.array([v.numerator for v in values], dtype=np.int64).reshape(shape)
            return Residues(tuple(f.reduce((whole % f.p).astype(np.uint64)) for f in self.fields))
        distinct = {id(v): v for v in values}
        parts = []
        for f in self.fields:
            if any(v.denominator % f.p == 0 for v in distinct.values()):
                raise Undefined("a prime divides the denominator of a constant")
            table = {
                k: (v.numerator * pow(v.denominator, -1, f.p) << 64) % f.p
                for k, v in distinct.items()
            }
            flat = np.fromiter((table[id(v)] for v in values), dtype=np.uint64, count=len(values))
            parts.append(flat.reshape(shape))
        return Residues(tuple(parts))

    def integers(self, value: Residues) -> tuple[np.ndarray[Any, Any], ...]:
        """Returns the integers in [0, p) of each channel."""
        return tuple(f.decode(x) for f, x in zip(self.fields, value.parts, strict=True))

    def are_equal(self, a: Residues, b: Residues) -> bool:
        """Checks whether all entries agree in all channels."""
        return a.shape == b.shape and all(
            np.array_equal(x, y) for x, y in zip(a.parts, b.parts, strict=True)
        )

    # -- moves of entries
    # ------------------------------------------------------------------------------
    def permute(self, array: Residues, axes: Sequence[int]) -> Residues:
        """Permutes the axes of an array."""
        return each(array, lambda x: np.transpose(x, tuple(axes)))

    def reshape(self, array: Residues, shape: Sequence[int]) -> Residues:
        """Reshapes an array; entries stay in row-major order."""
        return each(array, lambda x: x.reshape(tuple(shape)))

    def broadcast(self, array: Residues, shape: Sequence[int]) -> Residues:
        """Repeats an array along axes of size 1."""
        return each(array, lambda x: np.broadcast_to(x, tuple(shape)))

    def stride(self, array: Residues, step: int) -> Residues:
        """Takes entries 0, step, 2 step, ... of the first axis."""
        return each(array, lambda x: x[::step])

    def concat(self, arrays: Sequence[Residues], axis: int) -> Residues:
        """Joins arrays along an axis."""
        return Residues(
            tuple(
                np.concatenate(xs, axis=axis) for xs in zip(*(a.parts for a in arrays), strict=True)
            )
        )

    def take(self, array: Residues, axis: int, indices: range | list[int]) -> Residues:
        """Takes the entries of an axis at these indices."""
        return each(array, lambda x: take_along_axis(x, axis, indices))

    # -- algebra
    # ---------------------------------------------------------------------------------------
    def zip_parts(self, function: Callable[..., Array], *arrays: Residues) -> Residues:
        """Applies a function of a field and the parts there, in each channel."""
        parts = zip(self.fields, *(a.parts for a in arrays), strict=True)
        return Residues(tuple(function(*part) for part in parts))

    def multiply(self, a: Residues, b: Residues) -> Residues:
        """Multiplies entries, with broadcasting."""
        return self.zip_parts(PrimeField.multiply, a, b)

    def matmul(self, a: Residues, b: Residues) -> Residues:
        """Multiplies stacks of matrices."""
        return self.zip_parts(PrimeField.matmul, a, b)

    def total(self, a: Residues, axes: Sequence[int]) -> Residues:
        """Sums over some axes."""
        return self.zip_parts(lambda f, x: f.total(x, axes), a)

    def add(self, arrays: Sequence[Residues]) -> Residues:
        """Adds arrays."""
        result = arrays[0]
        for array in arrays[1:]:
            result = self.zip_parts(PrimeField.add, result, array)
        return result

    def subtract(self, a: Residues, b: Residues) -> Residues:
        """Returns a - b."""
        return self.zip_parts(PrimeField.subtract, a, b)

    def negative(self, a: Residues) -> Residues:
        """Returns -a."""
        return self.zip_parts(PrimeField.negative, a)

    def one_minus(self, a: Residues) -> Residues:
        """Returns 1 - a."""
        return self.zip_parts(lambda f, x: f.subtract(np.full_like(x, f.one), x), a)

    def scale(self, a: Residues, factor: Fraction) -> Residues:
        """Multiplies a by a rational."""
        return self.multiply(a, self.fractions([factor], (1,) * len(a.shape)))

    def reciprocal(self, a: Residues) -> Residues:
        """Returns 1 / a; raises Undefined if an entry vanishes."""
        return self.zip_parts(PrimeField.inverse, a)

    def inverse(self, array: Residues) -> Residues:
        """Inverts matrices; raises Undefined if one is singular."""

        def invert(field: PrimeField, x: Array) -> Array:
            out = np.empty_like(x)
            for index in np.ndindex(*x.shape[:-2]):
                out[index] = field.invert_matrix(x[index])
            return out

        return self.zip_parts(invert, array)

    def determinant(self, array: Residues) -> Residues:
        """Computes the determinants of matrices."""

        def determinant(field: PrimeField, x: Array) -> Array:
            indices = list(np.ndindex(*x.shape[:-2]))
            return field.encode((field.determinant(x[i]) for i in indices), x.shape[:-2])

        return self.zip_parts(determinant, array)
