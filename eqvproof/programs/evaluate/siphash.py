"""SipHash-2-4 over arrays: a keyed pseudo-random function, one message an entry.

Source: J.-P. Aumasson and D. J. Bernstein, SipHash: a fast short-input PRF, 2012.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.uint64]]
BLOCK = 1 << 14
_CONSTANTS = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)


def key_of(*parts: object) -> tuple[int, int]:
    """Returns a 128-bit key that depends on all parts."""
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def _rotate(x: Array, bits: int, free: Array) -> None:
    """Rotates the bits of x in place; ``free`` is overwritten."""
    np.right_shift(x, np.uint64(64 - bits), out=free)
    np.left_shift(x, np.uint64(bits), out=x)
    np.bitwise_or(x, free, out=x)


def _rounds(state: Sequence[Array], free: Array, count: int) -> None:
    """Applies SipRounds in place."""
    v0, v1, v2, v3 = state
    for _ in range(count):
        np.add(v0, v1, out=v0)
        _rotate(v1, 13, free)
        np.bitwise_xor(v1, v0, out=v1)
        _rotate(v0, 32, free)
        np.add(v2, v3, out=v2)
        _rotate(v3, 16, free)
        np.bitwise_xor(v3, v2, out=v3)
        np.add(v0, v3, out=v0)
        _rotate(v3, 21, free)
        np.bitwise_xor(v3, v0, out=v3)
        np.add(v2, v1, out=v2)
        _rotate(v1, 17, free)
        np.bitwise_xor(v1, v2, out=v1)
        _rotate(v2, 32, free)


def siphash(key: tuple[int, int], words: Sequence[Array], outputs: int) -> list[Array]:
    """Hashes messages of whole words (arrays of equal shape) to ``outputs`` values an entry.

    The first value of a message of at most 31 words is SipHash-2-4 of its bytes, little-endian;
    further values are drawn from the state by four more rounds each, as SipHash-128 does for its
    second half.
    """
    shape = words[0].shape
    flat = [np.ascontiguousarray(w).reshape(-1) for w in words]
    size = flat[0].size
    result = [np.empty(size, dtype=np.uint64) for _ in range(outputs)]
    for start in range(0, size, BLOCK):
        part = [w[start : start + BLOCK] for w in flat]
        for value, out in zip(_siphash_outputs(key, part, outputs), result, strict=True):
            out[start : start + BLOCK] = value
    return [r.reshape(shape) for r in result]


def _siphash_outputs(key: tuple[int, int], words: list[Array], outputs: int) -> list[Array]:
    k0, k1 = key
    start = (_CONSTANTS[0] ^ k0, _CONSTANTS[1] ^ k1, _CONSTANTS[2] ^ k0, _CONSTANTS[3] ^ k1)
    state = [np.full(words[0].shape, c, dtype=np.uint64) for c in start]
    free = np.empty_like(state[0])
    length = np.full(words[0].shape, ((8 * len(words)) % 256) << 56, dtype=np.uint64)
    for word in (*words, length):
        np.bitwise_xor(state[3], word, out=state[3])
        _rounds(state, free, 2)
        np.bitwise_xor(state[0], word, out=state[0])
    np.bitwise_xor(state[2], np.uint64(0xFF), out=state[2])
    values = []
    for k in range(outputs):
        if k:
            np.bitwise_xor(state[1], np.uint64(0xDD), out=state[1])
        _rounds(state, free, 4)
        values.append(state[0] ^ state[1] ^ state[2] ^ state[3])
    return values
