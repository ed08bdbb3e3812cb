"""Defines a linear, invertible sketch of a multiset of machine numbers: a table of integers.

Floats are a countable universe. Each number is added to three cells of the table, chosen by a hash
of its bits; the sum of two tables is the table of the union. A table with at most `capacity`
different numbers can be decoded: all numbers are recovered with their multiplicities. With a small
probability, decoding gets stuck, which raises an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.deepsets.arguments import Array, library_name, require_integer
from eqvproof.deepsets.distribution import cut, map_parts
from eqvproof.deepsets.sketches import plain
from eqvproof.deepsets.sketches.keys import read_dtype, to_keys, to_values
from eqvproof.deepsets.sketches.layout import Layout, Words, choose_layout, failure_rate
from eqvproof.support.errors import DomainError, ShapeError
from eqvproof.support.short_tracebacks import shortens_tracebacks_of_methods

#: Keys that NumPy adds to a table in a microsecond; it decodes about one cell.
KEYS_PER_MICROSECOND = 4
#: Microseconds for which loops of NumPy run in all before others are compiled.
MOST_PLAIN = 500_000


@dataclass(frozen=True, slots=True, eq=False)
class Multiset:
    """Different numbers with their multiplicities, in no particular order.

    Attributes:
        values: the different numbers, as bit patterns: 0.0 and -0.0 are different, and so are NaNs
            with different payloads.
        counts: their multiplicities, int64, not 0; in a difference of sketches they may be
            negative.
    """

    values: Array
    counts: NDArray[np.int64]

    def elements(self) -> Array:
        """Returns an array in which every number occurs as often as in the multiset.

        Raises:
            DomainError: a multiplicity is negative.
        """
        if bool((self.counts < 0).any()):
            raise DomainError(
                "a difference of multisets has no list of elements",
                given=f"{self.values[self.counts < 0][0]!r}, {self.counts.min()} times",
                hint="use .values and .counts",
                expected="no negative multiplicity",
            )
        return np.repeat(self.values, self.counts)

    def __len__(self) -> int:
        return int(self.counts.sum())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:  # noqa: FBT001
        return self.elements().astype(dtype or self.values.dtype)


class CapacityExceeded(DomainError):
    """An error: a sketch cannot be decoded, most likely since it holds too many different numbers.

    Attributes:
        recovered: the numbers that were decoded before decoding got stuck. They may be wrong, since
            the rest of the sketch is not empty.
    """

    default_code = "domain.capacity"
    recovered: Multiset | None = None


@shortens_tracebacks_of_methods
class Sketch:
    """An exact linear sketch of multisets with at most `capacity` different machine numbers.

    Args:
        capacity: largest number of different numbers in a multiset, with any multiplicities.
        dtype: the type of the numbers: float64, float32, float16, an integer type, bool. Numbers
            are bit patterns: signed zeros and the payloads of NaNs are preserved.
        failure: the probability, at capacity, that decoding gets stuck (see `layout`); a larger one
            needs fewer cells.
        seed: the seed of the hash functions; only sketches of the same capacity, failure, dtype and
            seed can be added. Someone who knows the seed can choose numbers for which decoding gets
            stuck, but a wrong result requires a collision of three 64-bit hashes.

    Exactness: integers modulo 2^64. A decoded multiset is subtracted from the sketch, number by
    number, until every word is 0, including a digest by another hash function: a wrong result
    would be a coincidence of probability below 2^-60.

    Cost: encode and decode O(number of elements), the table O(capacity).

    Raises:
        DomainError: the capacity is below 1, the failure is not in (0, 1), or the type has more
            than 64 bits.

    Source: Goodrich and Mitzenmacher 2011; Walzer 2021 and Graf and Lemire 2022 for the order of
        the cells.

    >>> sketch = Sketch(10)
    >>> a, b = sketch.encode([1.5, 2.0, 2.0]), sketch.encode([0.25, 2.0])
    >>> sorted(sketch.decode(a + b).elements().tolist())
    [0.25, 1.5, 2.0, 2.0, 2.0]
    """

    __slots__ = ("_layout", "capacity", "dtype", "failure", "seed")

    def __init__(
        self, capacity: int, dtype: Any = np.float64, *, failure: float = 1e-3, seed: int = 0
    ) -> None:
        if not isinstance(failure, int | float) or not 0 < failure < 1:
            raise DomainError(
                "failure= is not a probability between 0 and 1",
                given=repr(failure),
                expected="0 < failure < 1",
                hint="omit failure=",
            )
        self.capacity: int = require_integer("capacity", capacity, 1)
        self.dtype: np.dtype[Any] = read_dtype(dtype)
        self.failure: float = float(failure)
        self.seed: int = require_integer("seed", seed, 0)
        self._layout: Layout = choose_layout(self.capacity, self.failure, self.seed)

    def __repr__(self) -> str:
        return (
            f"Sketch({self.capacity}, {str(self.dtype)!r}, failure={self.failure:g},"
            f" seed={self.seed})"
        )

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of an encoded multiset: four words per cell, and one row for the whole."""
        return (self._layout.cells + 1, 4)

    @property
    def failure_rate(self) -> float:
        """The expected number of sets of keys on which decoding gets stuck, at capacity."""
        return failure_rate(self.capacity, self._layout.length, self._layout.starts)

    def encode(
        self, numbers: Any, *, into: Words | None = None, threads: int = 1, executor: Any = None
    ) -> Words:
        """Encodes an array of numbers of any shape, or adds it to another sketch.

        Args:
            numbers: a NumPy array of the sketch's type, a list, a CuPy array (it is encoded on its
                device, where the words stay), a Dask array (each chunk is encoded where it is
                stored), or an iterator of chunks, which are encoded one after the other.
            into: the words of a sketch, to which the numbers are added in place.
            threads: number of threads of compiled loops.
            executor: a Dask client, or an executor of `concurrent.futures`, whose workers encode
                parts.

        Returns:
            Unsigned 64-bit words of shape `shape`, which can be added and subtracted as arrays.

        Raises:
            DomainError: the numbers have another type.
            ShapeError: the rows are ragged, or ``into`` has another shape.
        """
        threads = require_integer("threads", threads, 1)
        if hasattr(numbers, "__next__"):
            into = self._table_to_fill(into)
            for chunk in numbers:
                self.encode(chunk, into=into, threads=threads, executor=executor)
            return into
        if hasattr(numbers, "__dask_graph__"):
            return self._encode_parts(
                [(block,) for block in numbers.to_delayed().ravel()], into, executor
            )
        if library_name(numbers) == "cupy":
            from eqvproof.deepsets.sketches import cuda

            if into is not None:
                self._require_words(into, type(numbers))
            words: Words = cuda.encode(numbers, self.dtype, self._layout, into)
            return words
        keys = to_keys(numbers, self.dtype)
        if executor is not None:
            values = to_values(keys, self.dtype)
            parts = []
            if values is not None:
                parts = [(values[a:b],) for a, b in cut(len(keys), self.shape[0])]
            return self._encode_parts(parts, into, executor)
        into = self._table_to_fill(into)
        compiled = _compiled(len(keys) // KEYS_PER_MICROSECOND)
        if compiled is None or not into.flags.c_contiguous:
            plain.encode(keys, into, self._layout)
        else:
            compiled.encode(keys, into, self._layout, threads)
        return into

    def decode(self, words: Any) -> Multiset:
        """Decodes a sketch to its multiset.

        Raises:
            CapacityExceeded: decoding gets stuck; the message says how many numbers were recovered.
            ShapeError: the words have another shape.
            DomainError: the words are not an array of unsigned 64-bit words.
        """
        if library_name(words) == "cupy":
            words = words.get()
        self._require_words(words)
        cells = self._blank_table()
        cells[...] = words
        decoder = _compiled(self._layout.cells) or plain
        keys, counts = decoder.decode(cells, self._layout)
        values = to_values(keys, self.dtype)
        if values is None or cells.max():  # a maximum is found faster than any()
            raise self._capacity_error(keys, counts, int(cells[-1, :1].view(np.int64)[0]))
        return Multiset(values, counts.view(np.int64))

    def _blank_table(self) -> Words:
        """Allocates a table of zeros, two rows to a cache line."""
        rows, columns = self.shape
        room = np.zeros(rows * columns + 8, np.uint64)
        begin = (-room.ctypes.data % 64) // 8
        return room[begin : begin + rows * columns].reshape(rows, columns)

    def _require_words(self, words: Any, kind: Any = np.ndarray) -> None:
        if not isinstance(words, kind) or words.dtype != np.uint64:
            raise DomainError(
                "a sketch must be an array of unsigned 64-bit words",
                given=str(getattr(words, "dtype", type(words).__name__)),
                expected="an array that encode returned, or sums and differences of such arrays",
                code="domain.sketch",
                hint="pass the array that encode returned",
            )
        if words.shape != self.shape:
            raise ShapeError(
                "the sketch was made with another capacity, or another probability of failure",
                given=f"shape {words.shape}",
                expected=f"shape {self.shape}",
                hint="decode with the sketch that encoded it",
            )

    def _capacity_error(self, keys: Words, counts: Words, left: int) -> CapacityExceeded:
        error = CapacityExceeded(
            "the sketch cannot be decoded completely",
            given=f"{len(keys)} different numbers were recovered; elements left: {left}",
            expected=f"a sketch by {self!r} of at most {self.capacity} different numbers",
            hint="choose a larger capacity; or another seed, if the multiset is within the capacity"
            f" (one in {1 / max(self.failure_rate, 1e-300):.0f} gets stuck)",
        )
        inside = keys <= np.uint64(2 ** (8 * self.dtype.itemsize) - 1)
        values = to_values(keys[inside], self.dtype)
        if values is not None:
            error.recovered = Multiset(values, counts[inside].view(np.int64))
        return error

    def _encode_parts(self, parts: list[tuple[Any]], into: Words | None, executor: Any) -> Words:
        """Encodes parts, and sums their sketches."""
        into = self._table_to_fill(into)
        if parts:
            (total,) = map_parts(self.encode, parts, executor, np.add)
            into += total
        return into

    def _table_to_fill(self, into: Words | None) -> Words:
        """Returns the table to which numbers are added: a blank one, or ``into``."""
        if into is None:
            return self._blank_table()
        self._require_words(into)
        if not into.flags.writeable:
            raise DomainError(
                "the sketch given as into= is read-only",
                given="a read-only array",
                expected="a writable array",
                hint="pass words.copy()",
            )
        return into


class _PlainLoops:
    """Counts the microseconds for which loops of NumPy have run in this process, about."""

    spent = 0


def _compiled(microseconds: int) -> Any:
    """Returns the module of compiled loops, or None for the loops of NumPy.

    These are used without numba, and until they have run for about half a second in all: it takes
    longer to load numba and to compile the others.
    """
    _PlainLoops.spent += microseconds
    if _PlainLoops.spent < MOST_PLAIN:
        return None
    from eqvproof.deepsets.sketches import compiled

    if compiled.available:
        return compiled
    return None
