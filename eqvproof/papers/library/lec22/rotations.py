"""Sinusoidal position encodings as pairs of sine and cosine, and rotations of the pairs."""

from __future__ import annotations

import numpy as np

from eqvproof.papers.statements import Array

WIDTH = 4


def rotate_pair(c: Array, s: Array, x: Array, y: Array) -> Array:
    """Computes (c x + s y, c y - s x): a rotation where c^2 + s^2 = 1."""
    return np.stack([c * x + s * y, c * y - s * x])


def encoding(pos: Array) -> Array:
    """Computes the position encoding PE(pos) for d = 4, as pairs.

    PE_{2i} = sin(pos / 10000^{2i/d}), PE_{2i+1} = cos(pos / 10000^{2i/d}).
    """
    angles = [pos / 10000 ** (2 * i / WIDTH) for i in range(WIDTH // 2)]
    return np.stack([np.stack([np.sin(a), np.cos(a)]) for a in angles])


def rotated_encoding(pos: Array, s: Array) -> Array:
    """Computes PE(pos) with every pair rotated by its own angle s / 10000^{2i/d}."""
    now, by = encoding(pos), encoding(s)
    return np.stack(
        [rotate_pair(by[i, 1], by[i, 0], now[i, 0], now[i, 1]) for i in range(WIDTH // 2)]
    )
