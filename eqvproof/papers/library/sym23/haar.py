"""The Haar wavelet: 1 on [0, 1/2), -1 on [1/2, 1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from eqvproof.papers.statements import Array, Case

PARTS = 32


def wavelet_coefficients(x: Array) -> Array:
    """Computes W(x)(u), the integral of psi(v - u) x(v), at multiples u of 1/2.

    The signal x is constant on cells of length 1/2.
    """
    return (x[:-1] - x[1:]) / 2


def pad_signal(x: Array) -> Array:
    """Pads a signal with zeros: one cell before it, and two cells after it."""
    return np.concatenate([np.zeros(1), x, np.zeros(2)])


def pad_translated(x: Array) -> Array:
    """Pads a signal like `pad_signal`, translated by half a cell."""
    return np.concatenate([np.zeros(2), x, np.zeros(1)])


def psi(y: Array) -> Array:
    """Evaluates the wavelet."""
    return np.where(y < 0, 0, np.where(y < Fraction(1, 2), 1, np.where(y < 1, -1, 0)))


def kernel_norm(eps: Array) -> Array:
    """Computes the integral of |psi(y / s) / s - psi(y)| for s = 1 - eps.

    The integrand is a step function, summed from jump to jump.
    """
    s = 1 - eps
    jumps = np.sort(np.stack([0 * s, s / 2, 0 * s + Fraction(1, 2), s, 0 * s + 1]))
    middle = (jumps[1:] + jumps[:-1]) / 2
    return (np.abs(psi(middle / s) / s - psi(middle)) * (jumps[1:] - jumps[:-1])).sum()


def commutator_norm(eps: Array) -> Array:
    """Computes the integral of `kernel_norm` for 1/2 <= s <= 1 by a formula.

    The heights are 1/s - 1, 1/s + 1, 1/s - 1, 1 on [0, s/2), [s/2, 1/2), [1/2, s), [s, 1).
    """
    s = 1 - eps
    first = (1 / s - 1) * (s / 2) + (1 / s + 1) * (1 - s) / 2
    return first + (1 / s - 1) * (s - Fraction(1, 2)) + (1 - s)


def points() -> Iterator[Case]:
    """Yields eps from 0 to 1/2 in steps of 1/32."""
    for k in range(PARTS // 2 + 1):
        yield Case({}, {"eps": np.array(Fraction(k, PARTS), dtype=object)})
