"""Computes the hashes of a sketch: three cells, a checksum and a digest for each key.

The functions accept 64-bit words of every kind: NumPy arrays, single words in loops that numba
compiles, and names of CUDA C++ (`eqvproof.deepsets.emit.cuda`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

_U = np.uint64
_M1, _M2, _M3 = _U(0xD6E8FEB86659FD93), _U(0x9E3779B97F4A7C15), _U(0x2545F4914F6CDD1D)
_M4, LOW, HALF = _U(0xFF51AFD7ED558CCD), _U(0xFFFFFFFF), _U(32)
_29, _31 = _U(29), _U(31)


def mix(x: Any) -> Any:
    """Applies a bijection of 64-bit words whose output bits depend on all input bits."""
    x = (x ^ (x >> HALF)) * _M1
    x = (x ^ (x >> HALF)) * _M1
    return x ^ (x >> HALF)


def hashes(x: Any, seed: Any, other: Any) -> Any:
    """Computes two 64-bit hashes of a key."""
    return mix(x ^ seed), mix((x + other) * _M2)


def start(first: Any, starts: Any) -> Any:
    """Returns the first segment of a key."""
    return ((first >> HALF) * starts) >> HALF


def cells_of_key(first: Any, second: Any, length: Any, starts: Any) -> Any:
    """Returns the three cells of a key, each in a segment of its own."""
    base = start(first, starts) * length
    a = base + (((first & LOW) * length) >> HALF)
    b = base + length + (((second >> HALF) * length) >> HALF)
    c = base + length + length + (((second & LOW) * length) >> HALF)
    return a, b, c


def checksum(first: Any, second: Any) -> Any:
    """Computes the checksum of a key, which is added to each of its cells."""
    x = first * _M3 + second
    x = (x ^ (x >> HALF)) * _M4
    return x ^ (x >> _29)


def digest(first: Any, second: Any) -> Any:
    """Computes the digest of a key, another hash; their sum is compared at the end of decoding."""
    x = second * _M4 + first
    x = (x ^ (x >> _31)) * _M3
    return x ^ (x >> HALF)
