"""A prime field with hashes in place of functions: two terms have one value there if they are one term.

Sums, products and reciprocals are those of the field of 2^31 - 1 elements; any other function is a
hash of its name and of its arguments. Two different terms agree at a random point with a probability
of about their degree over 2^31. `programs.evaluate.modular` is the same with identities of functions,
and larger primes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import prod
from zlib import crc32

import numpy as np
import numpy.typing as npt

from eqvproof.numbers.contraction import Labels, contract

Array = npt.NDArray[np.uint64]
PRIME = (1 << 31) - 1
_P = np.uint64(PRIME)
#: Numbers below 2^31 are split into parts of 11 bits. A sum of 2^11 products of a part and a number
#: is below 2^53, so that floats hold it.
_BITS, _PARTS, _TERMS = 11, 3, 1 << 11
#: Numbers below this one, such as labels, are compared as they are; others by hashes.
_SMALL = np.uint64(1 << 12)
#: Constants of a mixing function of 64-bit words (splitmix64).
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = (1 << 64) - 1
#: The number of entries from which on an array is read from a pool, and the size of the pool, a
#: prime: entries of an array that is larger, at two places that a wrong place could confuse, are
#: not one number.
LARGE, POOL = 1 << 17, (1 << 20) + 7


class HashedField:
    """The field as a number system, see `programs.evaluate.system`.

    Args:
        seed: of the hashes and of random arrays.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._random = np.random.default_rng(seed)
        #: The pool, again and again: at least as far as the largest array so far from any place.
        self._repeated = np.zeros(0, dtype=np.uint64)

    def drawn(self, shape: tuple[int, ...]) -> Array:
        """Draws a random array; a large one is read from a pool, from a random place on.

        Two entries of such an array, or of two of them, are one number of the pool with a
        probability of about 1 / `POOL`.
        """
        count = prod(shape)
        if count < LARGE:
            return self._random_numbers(count).reshape(shape)
        if len(self._repeated) < POOL + count:
            self._repeated = np.resize(self._pool, POOL + count)
            self._repeated.flags.writeable = False
        start = int(self._random.integers(POOL))
        return self._repeated[start : start + count].reshape(shape)

    @cached_property
    def _pool(self) -> Array:
        return self._random_numbers(POOL)

    def _random_numbers(self, count: int) -> Array:
        return self._random.integers(1, PRIME, count, dtype=np.uint32).astype(np.uint64)

    def hashed(self, name: object, *arrays: Array) -> Array:
        """Returns a hash of a name and of the entries of arrays at each place."""
        seed = (crc32(repr(name).encode()) + self._seed * _STEP) & _WORD
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        word = np.full(shape, seed, dtype=np.uint64)
        with np.errstate(over="ignore"):
            for array in arrays:
                word = (word ^ array) + np.uint64(_STEP)
                word = (word ^ (word >> np.uint64(30))) * np.uint64(_FIRST)
                word = (word ^ (word >> np.uint64(27))) * np.uint64(_SECOND)
                word = word ^ (word >> np.uint64(31))
        return word % _P

    # -- arithmetic

    def fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Array:
        """Returns the array of these rationals, row-major."""
        flat = [v.numerator * pow(v.denominator, -1, PRIME) % PRIME for v in values]
        return np.array(flat, dtype=np.uint64).reshape(shape)

    def add(self, arrays: Sequence[Array]) -> Array:
        """Adds arrays of equal shape."""
        total = np.zeros(arrays[0].shape, dtype=np.uint64)
        for array in arrays:  # fewer than 2^33
            total += array
        return total % _P

    def multiply(self, a: Array, b: Array) -> Array:
        """Returns the products of entries, with broadcasting."""
        return (a * b) % _P

    def matmul(self, a: Array, b: Array) -> Array:
        """Returns the products of stacks of matrices.

        The smaller matrices are split into parts, which are multiplied as floats by the others:
        `_TERMS` terms at a time, so that this is exact.
        """
        if a.size > b.size:
            return self.matmul(b.swapaxes(-1, -2), a.swapaxes(-1, -2)).swapaxes(-1, -2)
        bits, found = np.uint64(_BITS), np.zeros((*a.shape[:-1], b.shape[-1]), dtype=np.uint64)
        shifts = [np.uint64(_BITS * k) for k in reversed(range(_PARTS))]
        parts = np.concatenate([(a >> shift) % (1 << bits) for shift in shifts], axis=-2)
        for start in range(0, a.shape[-1], _TERMS):
            terms = slice(start, start + _TERMS)
            sums = parts[..., terms].astype(np.float64) @ b[..., terms, :].astype(np.float64)
            value = np.zeros_like(found)
            for part in np.split(sums.astype(np.uint64), _PARTS, axis=-2):
                value = ((value << bits) + part) % _P
            found = (found + value) % _P
        return found

    def total(self, a: Array, axes: Sequence[int]) -> Array:
        """Returns the sums over some axes."""
        found: Array = np.asarray(a.sum(axis=tuple(axes), dtype=np.uint64) % _P)
        return found

    def contract(
        self,
        arrays: Sequence[Array],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> Array:
        """Sums products over the labels that are not in the output."""
        found: Array = contract(self, arrays, labels, output, sizes)
        return found

    # -- places

    def permute(self, array: Array, axes: Sequence[int]) -> Array:
        """Permutes the axes of an array."""
        return np.transpose(array, tuple(axes))

    def reshape(self, array: Array, shape: Sequence[int]) -> Array:
        """Reshapes an array; entries stay in row-major order."""
        return array.reshape(tuple(shape))

    def broadcast(self, array: Array, shape: Sequence[int]) -> Array:
        """Repeats an array along axes of size 1."""
        return np.broadcast_to(array, tuple(shape))

    def concat(self, arrays: Sequence[Array], axis: int) -> Array:
        """Joins arrays along an axis."""
        return np.concatenate(arrays, axis=axis)

    def take(self, array: Array, axis: int, indices: range | list[int]) -> Array:
        """Takes the entries of an axis at these indices."""
        return np.take(array, np.asarray(indices, dtype=np.intp), axis=axis)

    def stride(self, array: Array, step: int) -> Array:
        """Returns the entries 0, step, 2 step, ... of the first axis."""
        return array[::step]

    # -- functions

    def apply(self, fn: str, arrays: Sequence[Array]) -> Array:
        """Applies a function of entries: reciprocals are those of the field, small numbers compare."""
        if fn == "recip":
            return self._inverse(arrays[0])
        if fn == "eq":
            one, other = arrays
            equal = (one == other).astype(np.uint64)
            return np.where((one < _SMALL) & (other < _SMALL), equal, self.hashed(fn, one, other))
        return self.hashed(fn, *arrays)

    def _inverse(self, array: Array) -> Array:
        """Returns ``x^(p - 2)``: 1/x, or 0 for 0."""
        found, power, left = np.ones_like(array), array, PRIME - 2
        while left:
            if left % 2:
                found = self.multiply(found, power)
            power, left = self.multiply(power, power), left // 2
        return found

    def select(self, c: Array, a: Array, b: Array) -> Array:
        """Returns ``b + h(c) (a - b)``, in place of a choice."""
        less = (a + _P - b) % _P
        return (b + self.hashed("is chosen", c) * less) % _P

    def reduce(self, fn: str, array: Array, axes: tuple[int, ...]) -> Array:
        """Folds along one axis after another: a hash of the sum of hashes."""
        for axis in sorted(axes, reverse=True):
            sums = self.total(self.hashed((fn, "entry"), array), (axis,))
            array = self.hashed((fn, array.shape[axis]), sums)
        return array

    def sort(self, array: Array, axis: int) -> Array:
        """Returns another hash of the entries at each place along an axis."""
        sums = np.expand_dims(self.total(self.hashed("sort entry", array), (axis,)), axis)
        shape = [1] * array.ndim
        shape[axis] = array.shape[axis]
        places = np.arange(array.shape[axis], dtype=np.uint64).reshape(shape)
        return self.hashed("sort", np.broadcast_to(sums, array.shape), places)

    def inverse(self, array: Array) -> Array:
        """Returns a hash of the matrices in the last two axes, for each place."""
        return self._of_matrices("inv", [array], array.shape)

    def determinant(self, array: Array) -> Array:
        """Returns a hash of the matrices in the last two axes."""
        return self._of_matrices("det", [array], array.shape[:-2])

    def matrix(self, fn: str, arrays: Sequence[Array]) -> Array:
        """Returns a hash of the matrices in the last two axes, and of their weights."""
        *batch, rows, columns = arrays[0].shape
        shapes = {"eigvals": (rows,), "pinv": (columns, rows)}
        return self._of_matrices(fn, arrays, (*batch, *shapes.get(fn, (rows, columns))))

    def _of_matrices(self, fn: str, arrays: Sequence[Array], shape: tuple[int, ...]) -> Array:
        batch = arrays[0].shape[:-2]
        digest = self.hashed((fn, "digest"), np.zeros(batch, dtype=np.uint64))
        for k, array in enumerate(arrays):
            flat = array.reshape((*batch, -1))
            digest = self.hashed((fn, k, array.shape[len(batch) :]), digest, self._digest(flat))
        count = prod(shape[len(batch) :])
        places = np.arange(count, dtype=np.uint64)
        return self.hashed((fn, "entry"), digest[..., None], places).reshape(shape)

    def _digest(self, flat: Array) -> Array:
        """Returns a hash of the entries of the last axis in their order."""
        places = np.arange(flat.shape[-1], dtype=np.uint64)
        return self.total(self.hashed("place", flat, places), (-1,))

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Array], shape: tuple[int, ...]
    ) -> Array:
        """Returns a hash of all entries of all arguments; of those at each place, if it is so assumed."""
        if symmetry == '"entries"':
            return self.hashed(("opaque", name), *arrays)
        digest = np.zeros((), dtype=np.uint64)
        for k, array in enumerate(arrays):
            digest = self.hashed(("opaque", name, k), digest, self._digest(array.reshape(-1)))
        places = np.arange(prod(shape), dtype=np.uint64)
        return self.hashed(("opaque", name), digest, places).reshape(shape)
