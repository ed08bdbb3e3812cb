"""Comparison of Gram matrices by random projection: X^T (X r) against Y^T (Y r).

No n x n matrix is stored.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import ceil, log2, pi, sqrt
from typing import Any

import numpy as np
from flint import fmpz
from numpy.typing import NDArray

from eqvproof.invariants.backend import from_host, to_host

#: Number of columns summed at once: 2^15 products below 2^31 * 2^16 fit into 63 bits.
CHUNK = 2**15
#: Largest bit length of integers summed in float64: 2^15 products below 2^21 * 2^16 fit 53 bits.
SMALL = 21
#: log2 of the number of primes between 2^30 and 2^31, rounded down.
PRIMES_LOG = 25.5
#: For floats, a projection shorter than this part of |G_X - G_Y| counts in the error probability.
LUCK = 2.0**-10


@dataclass(frozen=True, slots=True)
class Projection:
    """The result of comparing two Gram matrices by random projections.

    Attributes:
        row: a row in which they differ, or None.
        error_probability: the probability of finding no difference although there is one.
        size: for floats, a bound on |G_X - G_Y|_F that fails with that probability; 0.0 for
            integers.
    """

    row: int | None
    error_probability: float
    size: float = 0.0


def project_integers(x: Any, y: Any, error: float, seed: int | None) -> Projection:
    """Compares the Gram matrices of integer arrays modulo random primes below 2^31.

    One round errs with probability at most ``2^-30 + log_2^30(B) / (number of primes)``, B a bound
    on the entries of G_X - G_Y: a random vector is orthogonal to a nonzero row modulo p with
    probability 1 / p, and few primes divide an entry. Rounds are independent. Without
    a seed they follow from the system's entropy.

    Cost: O(n d) per round.

    Source: Freivalds (1979), "Fast probabilistic algorithms".
    """
    d, n = x.shape
    longest = max(_bits(x), _bits(y))
    bits = 2 * longest + d.bit_length() + 1
    one_round = 2.0**-30 + (bits / 30 + 1) * 2.0**-PRIMES_LOG
    rounds = max(1, ceil(log2(error) / log2(one_round)))
    rng = random.Random(seed)
    for _ in range(rounds):
        prime = _random_prime(rng)
        vector = np.array([rng.randrange(prime) for _ in range(min(n, 64))], dtype=np.int64)
        if n > 64:
            more = np.random.default_rng(rng.getrandbits(64)).integers(0, prime, n - 64)
            vector = np.concatenate([vector, more])
        row = _first_difference(x, y, vector, prime, longest)
        if row is not None:
            return Projection(row, 0.0)
    return Projection(None, one_round**rounds)


def _first_difference(
    x: Any, y: Any, vector: NDArray[np.int64], prime: int, bits: int
) -> int | None:
    left, right = (_multiply_modulo(m, vector, prime, bits) for m in (x, y))
    n = x.shape[1]
    for start in range(0, n, CHUNK):
        a = _multiply_modulo(x[:, start : start + CHUNK].T, left, prime, bits)
        b = _multiply_modulo(y[:, start : start + CHUNK].T, right, prime, bits)
        different = np.flatnonzero(a != b)
        if different.size:
            return start + int(different[0])
    return None


def _multiply_modulo(
    matrix: Any, vector: NDArray[np.int64], prime: int, bits: int
) -> NDArray[np.int64]:
    """Computes X r modulo a prime."""
    total = np.zeros(matrix.shape[0], dtype=np.int64)
    for start in range(0, matrix.shape[1], CHUNK):
        block = _convert_block(matrix[:, start : start + CHUNK], prime, bits)
        part = vector[start : start + CHUNK]
        total = (total + _multiply_by_halves(block, part, prime)) % prime
    return total


def _convert_block(block: Any, prime: int, bits: int) -> Any:
    """Converts a block to a dtype in which `_halves` is exact.

    It is float64 for small entries, and int64 for others. Entries of 31 bits and more are reduced
    modulo the prime.
    """
    if bits <= SMALL:
        return block.astype("float64")
    if bits < 31:
        return block.astype("int64")
    return (block % prime).astype("int64")


def _multiply_by_halves(block: Any, vector: NDArray[np.int64], prime: int) -> NDArray[np.int64]:
    """Computes B v modulo a prime, exactly, for at most 2^15 columns.

    v is split into 16-bit halves so that no product or sum is rounded.
    """
    low, high = vector & 0xFFFF, vector >> 16
    both = from_host(np.stack([low, high], axis=1), block)
    products = to_host(block @ both.astype(block.dtype)).astype(np.int64) % prime
    result: NDArray[np.int64] = (products[:, 0] + (products[:, 1] << 16) % prime) % prime
    return result


def project_floats(x: Any, y: Any, error: float, seed: int | None, tolerance: float) -> Projection:
    """Compares the Gram matrices of float arrays by Gaussian vectors.

    For a Gaussian g, ``|D g| < t |D|_F`` has probability at most t sqrt(2 / pi) (the worst case is
    rank one). So ``|D|_F <= max |D g| / t`` for all g drawn, except with that probability to the
    power of the rounds.

    Args:
        x: d x n.
        y: d x n.
        error: bound on the error probability.
        seed: seed of the Gaussian vectors; with None, from the system's entropy.
        tolerance: the largest relative |D g| / (|X|_F^2 + |Y|_F^2) that counts as rounding.
    """
    n = x.shape[1]
    one_round = LUCK * sqrt(2.0 / pi)
    rounds = max(1, ceil(log2(error) / log2(one_round)))
    vectors = from_host(np.random.default_rng(seed).standard_normal((n, rounds)), x)
    difference = x.conj().T @ (x @ vectors) - y.conj().T @ (y @ vectors)
    scale = float(to_host((abs(x) ** 2).sum()) + to_host((abs(y) ** 2).sum()))
    lengths = to_host((abs(difference) ** 2).sum(axis=0)) ** 0.5
    longest = float(np.max(lengths, initial=0.0))
    probability = one_round**rounds
    if not np.isfinite(scale) or not longest <= tolerance * scale * sqrt(max(n, 1)):
        worst = to_host(abs(difference).max(axis=1).argmax())
        return Projection(int(worst), 0.0, longest / LUCK)
    return Projection(None, probability, longest / LUCK)


def _bits(array: Any) -> int:
    if not array.shape[0] or not array.shape[1]:
        return 1
    return max(abs(int(to_host(array.max()))), abs(int(to_host(array.min())))).bit_length()


def _random_prime(rng: random.Random) -> int:
    while True:
        candidate = rng.randrange(2**30 + 1, 2**31, 2)
        if fmpz(candidate).is_prime():
            return candidate
