"""Arrays over a prime field: uint64 residues in Montgomery form, for a prime of 61 bits.

The residue of x is stored as x R mod p with R = 2^64, in [0, p), so that equal residues are equal
integers. Source: P. L. Montgomery, Modular multiplication without trial division, 1985.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import flint
import numpy as np

from eqvproof.numbers.signals import Undefined

Array = np.ndarray[Any, np.dtype[np.uint64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
LIMB = 21
LIMB_MASK = np.uint64((1 << LIMB) - 1)
#: Inner sizes up to this keep sums of products of sums of two limbs below 2^53.
INNER = 512
#: Entries worked on at a time, so that the many passes of a product stay in the cache.
BLOCK = 1 << 14
#: Most operations of a matrix product that OpenBLAS computes in one thread. Larger products are
#: computed in tiles, since threads that wait for one another cost more than they gain where
#: processors are busy.
TILE = 1 << 18


def random_prime(rng: random.Random) -> int:
    """Draws a prime uniformly from those in (2^60, 2^61)."""
    while True:
        candidate = rng.getrandbits(60) | (1 << 60) | 1
        if flint.fmpz(candidate).is_prime():
            return candidate


class PrimeField:
    """Elementwise arithmetic and products of matrices modulo a prime p in (2^60, 2^61)."""

    def __init__(self, p: int) -> None:
        if not (1 << 60) < p < (1 << 61) or not flint.fmpz(p).is_prime():
            raise ValueError(f"a prime between 2^60 and 2^61 is needed, not {p}")
        self.p = p
        self._p = np.uint64(p)
        self._p0, self._p1 = np.uint64(p & 0xFFFFFFFF), np.uint64(p >> 32)
        self._minus_inverse = np.uint64(-pow(p, -1, 1 << 64) % (1 << 64))
        self.one = np.uint64((1 << 64) % p)
        self._square = np.uint64((1 << 128) % p)
        self._weights = np.array([pow(2, LIMB * k, p) for k in range(5)], dtype=np.uint64)
        self._shift = np.uint64((1 << 96) % p)  # 2^32 in Montgomery form

    # -- in and out
    # ------------------------------------------------------------------------------------
    def encode(self, integers: Iterable[int], shape: Sequence[int]) -> Array:
        """Converts integers to residues."""
        flat = np.array([((x % self.p) << 64) % self.p for x in integers], dtype=np.uint64)
        return flat.reshape(tuple(shape))

    def decode(self, array: Array) -> Array:
        """Returns the integers in [0, p) that residues stand for."""
        return self.multiply(array, np.uint64(1))

    def reduce(self, words: Array) -> Array:
        """Converts any 64-bit words to residues."""
        return self.multiply(words, self._square)

    # -- elementwise
    # -----------------------------------------------------------------------------------
    def add(self, a: Array, b: Array) -> Array:
        """Returns a + b."""
        with np.errstate(over="ignore"):  # NumPy warns of wrap-around in arrays of no axis
            s = a + b
            result: Array = np.minimum(s, s - self._p)
        return result

    def subtract(self, a: Array, b: Array) -> Array:
        """Returns a - b."""
        with np.errstate(over="ignore"):
            d = a - b
            result: Array = np.minimum(d, d + self._p)
        return result

    def negative(self, a: Array) -> Array:
        """Returns -a."""
        return self.subtract(np.zeros_like(a), a)

    def multiply(self, a: Any, b: Any) -> Array:
        """Returns a b, for one factor below 2^64 and the other below p; blockwise, broadcast."""
        left, right = np.broadcast_arrays(
            np.asarray(a, dtype=np.uint64), np.asarray(b, dtype=np.uint64)
        )
        if left.size <= BLOCK:
            return self._product(left.reshape(-1), right.reshape(-1)).reshape(left.shape)
        out = np.empty(left.size, dtype=np.uint64)
        x, y = left.reshape(-1), right.reshape(-1)
        for k in range(0, left.size, BLOCK):
            out[k : k + BLOCK] = self._product(x[k : k + BLOCK], y[k : k + BLOCK])
        return out.reshape(left.shape)

    def _product(self, a: Array, b: Array) -> Array:
        """Returns a b / 2^64 mod p: the high word of a b plus that of m p, m p = -a b mod 2^64."""
        m = a * b
        carry = m != 0
        m *= self._minus_inverse
        total = _high(a, b)
        total += _high(m, (self._p0, self._p1))
        total += carry
        result: Array = np.minimum(total, total - self._p, out=total)
        return result

    def inverse(self, a: Array) -> Array:
        """Returns 1 / a, by products over halves and one exponentiation.

        Raises:
            Undefined: an entry is zero.
        """
        if not np.all(a):
            raise Undefined("a denominator vanishes at this point")
        return self._inverse(np.ascontiguousarray(a).reshape(-1)).reshape(a.shape)

    def _inverse(self, a: Array) -> Array:
        if a.size <= 32:
            values = [(pow(int(x), -1, self.p) << 128) % self.p for x in a]  # (x R)^-1 R^2 = x^-1 R
            return np.array(values, dtype=np.uint64)
        half = a.size // 2
        x, y = a[:half], a[half : 2 * half]
        z = self._inverse(self.multiply(x, y))
        parts = [self.multiply(z, y), self.multiply(z, x)]
        if a.size % 2:
            parts.append(self._inverse(a[-1:]))
        return np.concatenate(parts)

    # -- sums and products
    # -----------------------------------------------------------------------------
    def total(self, a: Array, axes: Sequence[int]) -> Array:
        """Sums over axes (of fewer than 2^32 entries)."""
        high = np.sum(a >> HALF, axis=tuple(axes), dtype=np.uint64)
        low = np.sum(a & LOW, axis=tuple(axes), dtype=np.uint64)
        return self.add(self.multiply(high, self._shift), self.multiply(low, self.one))

    def product(self, a: Array, axis: int) -> Array:
        """Multiplies the entries along an axis; 1 for none."""
        a = np.moveaxis(a, axis, 0)
        while len(a) > 1:
            half = len(a) // 2
            folded = self.multiply(a[:half], a[half : 2 * half])
            if len(a) % 2:
                a = np.concatenate([folded, a[2 * half :]])
            else:
                a = folded
        if len(a):
            first: Array = a[0]
            return first
        return np.full(a.shape[1:], self.one)

    def matmul(self, a: Array, b: Array) -> Array:
        """Multiplies stacks of matrices: limbs of 21 bits, multiplied exactly in float64.

        Of the nine products of limbs three are had from others, (x + y) (z + w) - x z - y w.
        Source: A. Karatsuba, Yu. Ofman, Multiplication of multidigit numbers on automata, 1962.
        """
        inner = a.shape[-1]
        shape = (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1])
        result = np.zeros(shape, dtype=np.uint64)
        weights = self._weights.reshape(-1, *[1] * len(shape))
        for k in range(0, inner, INNER):
            left, right = _limbs(a[..., :, k : k + INNER]), _limbs(b[..., k : k + INNER, :])
            words = np.empty((len(weights), *shape), dtype=np.uint64)
            for word, values in zip(words, _product_coefficients(left, right), strict=True):
                word[...] = values
            total = self.multiply(words, weights).sum(axis=0, dtype=np.uint64)  # below 5 p < 2^64
            for many in (4, 2, 1):
                np.minimum(total, total - np.uint64(many * self.p), out=total)
            if k:
                total = self.add(result, total)
            result = total
        return result

    # -- matrices
    # --------------------------------------------------------------------------------------
    def invert_matrix(self, a: Array) -> Array:
        """Returns the inverse of one square matrix.

        Raises:
            Undefined: it is singular at this point.
        """
        n = a.shape[0]
        try:
            inverse = self._matrix(a).inv()
        except ZeroDivisionError:
            raise Undefined("a matrix is singular at this point") from None
        return self.encode(map(int, inverse.entries()), (n, n))

    def determinant(self, a: Array) -> int:
        """Returns the determinant of one square matrix, as an integer in [0, p)."""
        if a.shape[0]:
            return int(self._matrix(a).det())
        return 1

    def _matrix(self, a: Array) -> Any:
        rows, columns = a.shape
        return flint.nmod_mat(rows, columns, [int(x) for x in self.decode(a).flat], self.p)


def _high(a: Array, b: Any) -> Array:
    """Returns the high words of products of words; ``b`` may be a number, as its two halves."""
    a0, a1 = a & LOW, a >> HALF
    b0, b1 = b if isinstance(b, tuple) else (b & LOW, b >> HALF)
    middle = a0 * b0
    middle >>= HALF
    other = a1 * b0
    middle += other
    a0 *= b1
    np.bitwise_and(middle, LOW, out=other)
    other += a0
    a1 *= b1
    middle >>= HALF
    a1 += middle
    other >>= HALF
    a1 += other
    return a1


def _limbs(a: Array) -> list[Floats]:
    return [((a >> np.uint64(LIMB * k)) & LIMB_MASK).astype(np.float64) for k in range(3)]


def _product_coefficients(a: list[Floats], b: list[Floats]) -> Iterator[Floats]:
    """Yields the coefficients of (a0 + a1 t + a2 t^2) (b0 + b1 t + b2 t^2).

    Sums of INNER products of sums of two limbs stay below (2^22)^2 2^9 = 2^53.
    """
    low, middle, high = (_tiled_matmul(x, y) for x, y in zip(a, b, strict=True))
    yield low
    yield _tiled_matmul(a[0] + a[1], b[0] + b[1]) - low - middle
    yield _tiled_matmul(a[0] + a[2], b[0] + b[2]) - low - high + middle
    yield _tiled_matmul(a[1] + a[2], b[1] + b[2]) - middle - high
    yield high


def _tiled_matmul(a: Floats, b: Floats) -> Floats:
    """Multiplies matrices by tiles of at most TILE operations."""
    rows, inner, columns = a.shape[-2], a.shape[-1], b.shape[-1]
    most = max(1, TILE // max(1, inner))
    if rows * columns <= most:
        product: Floats = np.matmul(a, b)
        return product
    high = min(rows, 1 << (most.bit_length() - 1) // 2)
    wide = min(columns, most // high)
    result = np.empty((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), rows, columns))
    for i in range(0, rows, high):
        for j in range(0, columns, wide):
            left, right = a[..., i : i + high, :], b[..., j : j + wide]
            np.matmul(left, right, out=result[..., i : i + high, j : j + wide])
    return result
