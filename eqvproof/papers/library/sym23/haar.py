"""The Haar wavelet: 1 on [0, 1/2), -1 on [1/2, 1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from eqvproof.papers.statements import Array, Case

PARTS = 32


def halves(x: Array) -> Array:
    """W(x)(u) = integral of psi(v - u) x(v) at multiples u of 1/2, for x constant on cells of length 1/2."""
    return (x[:-1] - x[1:]) / 2


def before(x: Array) -> Array:
    """A signal on n half cells, with two empty cells after it, and one before it."""
    return np.concatenate([np.zeros(1), x, np.zeros(2)])


def after(x: Array) -> Array:
    """The same signal, translated by half a cell."""
    return np.concatenate([np.zeros(2), x, np.zeros(1)])


def psi(y: Array) -> Array:
    """The wavelet."""
    return np.where(y < 0, 0, np.where(y < Fraction(1, 2), 1, np.where(y < 1, -1, 0)))


def kernel_norm(eps: Array) -> Array:
    """The integral of |psi(y / s) / s - psi(y)| for s = 1 - eps: a step function, from jump to jump."""
    s = 1 - eps
    jumps = np.sort(np.stack([0 * s, s / 2, 0 * s + Fraction(1, 2), s, 0 * s + 1]))
    middle = (jumps[1:] + jumps[:-1]) / 2
    return (np.abs(psi(middle / s) / s - psi(middle)) * (jumps[1:] - jumps[:-1])).sum()


def commutator_norm(eps: Array) -> Array:
    """The same for 1/2 <= s <= 1: heights 1/s - 1, 1/s + 1, 1/s - 1, 1 on [0, s/2), [s/2, 1/2), [1/2, s), [s, 1)."""
    s = 1 - eps
    first = (1 / s - 1) * (s / 2) + (1 / s + 1) * (1 - s) / 2
    return first + (1 / s - 1) * (s - Fraction(1, 2)) + (1 - s)


def points() -> Iterator[Case]:
    """eps from 0 to 1/2 in steps of 1/32."""
    for k in range(PARTS // 2 + 1):
        yield Case({}, {"eps": np.array(Fraction(k, PARTS), dtype=object)})
