"""Large arrays of floats or integers, stored as they are; their entries are exact rationals."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, overload
from weakref import WeakValueDictionary

import numpy as np

Array = np.ndarray[Any, Any]
#: Fewest numbers of a float or integer dtype that are stored as an array.
LEAST_STORED = 64


class Stored(Sequence[Fraction]):
    """The entries of an array, row-major; equal if the numbers are, whatever their width.

    Exactness: rational. Fractions are made on demand and cached.
    """

    __slots__ = ("__weakref__", "_digest", "_fractions", "_hash", "array")

    def __init__(self, array: Array) -> None:
        # a copy: whoever owns the array may change it
        flat = np.array(array, order="C").reshape(-1)
        if flat.dtype.kind == "f":
            flat += 0.0  # -0 is 0
        flat.flags.writeable = False
        self.array: Array = flat
        self._digest: str | None = None
        self._fractions: tuple[Fraction, ...] | None = None
        self._hash = _hash_of_ends(flat)
        _KEPT[flat.dtype, self._hash] = self

    @property
    def fractions(self) -> tuple[Fraction, ...]:
        """Returns the rationals."""
        if self._fractions is None:
            self._fractions = tuple(map(Fraction, self.array.tolist()))
        return self._fractions

    def digest(self) -> str:
        """Returns the digest of these numbers, computed once."""
        if self._digest is None:
            self._digest = _digest_of(self.array)
        return self._digest

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


#: The arrays in use, so that equal numbers are stored once.
_KEPT: WeakValueDictionary[tuple[np.dtype[Any], int], Stored] = WeakValueDictionary()


def _hash_of_ends(flat: Array) -> int:
    """Returns a hash of the length and of the first and last entries."""
    return hash((len(flat), tuple(flat[:16].tolist()), tuple(flat[-16:].tolist())))


def _digest_of(flat: Array) -> str:
    """Returns the digest of some entries: of their dtype, their number, and their bytes."""
    named = hashlib.sha256(f"{flat.dtype.str} {len(flat)} ".encode())
    named.update(flat.tobytes() if flat.dtype.hasobject else flat.view(np.uint8).data)
    return "sha256:" + named.hexdigest()


def _stored_with_hash(flat: Array) -> Stored | None:
    """Returns a stored array of the same dtype and hash, or None; its numbers may still differ."""
    return _KEPT.get((flat.dtype, _hash_of_ends(flat)))


def _may_be_kept(array: Array) -> bool:
    return array.size >= LEAST_STORED and array.dtype.kind in "fiu" and array.dtype.itemsize <= 8


def store_array(array: Array) -> Stored | None:
    """Stores a large finite array of a float or integer dtype; returns None for other arrays."""
    if not _may_be_kept(array):
        return None
    flat = np.ascontiguousarray(array).reshape(-1)
    found = _stored_with_hash(flat)
    if found is not None and np.array_equal(found.array, flat):
        return found
    if flat.dtype.kind != "f" or np.isfinite(flat).all():
        return Stored(flat)
    return None


def digest(array: Array) -> str:
    """Returns the digest of an array of any dtype, cached if its bytes are stored."""
    flat = np.ascontiguousarray(array).reshape(-1)
    found = None
    if _may_be_kept(flat):
        found = _stored_with_hash(flat)
    bits = f"u{flat.dtype.itemsize}"
    if found is not None and np.array_equal(found.array.view(bits), flat.view(bits)):
        return found.digest()
    return _digest_of(flat)
