"""Many numbers as they are stored: an array of floats or integers, read as the rationals that they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, overload

import numpy as np

Array = np.ndarray[Any, Any]
#: So many numbers of a float or integer dtype are kept as they are stored.
LEAST = 64


class Stored(Sequence[Fraction]):
    """The entries of an array, row-major; equal where the numbers are, whatever their width.

    Exactness: rational. Fractions are made when they are asked for, and then kept.
    """

    __slots__ = ("_fractions", "_hash", "array")

    def __init__(self, array: Array) -> None:
        flat = np.array(array, order="C").reshape(-1)  # a copy: whoever owns the array may change it
        if flat.dtype.kind == "f":
            flat += 0.0  # -0 is 0
        flat.flags.writeable = False
        self.array: Array = flat
        self._fractions: tuple[Fraction, ...] | None = None
        self._hash = hash((len(flat), tuple(flat[:16].tolist()), tuple(flat[-16:].tolist())))

    @property
    def fractions(self) -> tuple[Fraction, ...]:
        """The rationals."""
        if self._fractions is None:
            self._fractions = tuple(map(Fraction, self.array.tolist()))
        return self._fractions

    def digest(self) -> str:
        """The name of these numbers: of their dtype, how many they are, and their bytes."""
        named = hashlib.sha256(f"{self.array.dtype.str} {len(self.array)} ".encode())
        named.update(self.array.data)
        return "sha256:" + named.hexdigest()

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Fraction, ...]: ...
    def __getitem__(self, index: int | slice) -> Fraction | tuple[Fraction, ...]:
        if isinstance(index, slice):
            return tuple(map(Fraction, self.array[index].tolist()))
        return Fraction(self.array[index].item())

    def __iter__(self) -> Iterator[Fraction]:
        return iter(self.fractions)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Stored):
            alike = self._hash == other._hash and self.array.dtype.kind == other.array.dtype.kind
            return self is other or (alike and np.array_equal(self.array, other.array))
        return NotImplemented

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Stored({len(self)} of {self.array.dtype})"


def stored(array: Array) -> Stored | None:
    """Numbers that are kept as they are stored: many, of a float or integer dtype, finite; None: others."""
    if array.size < LEAST or array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        return None
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        return None
    return Stored(array)
