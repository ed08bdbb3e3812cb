"""Eigenvalues, and functions by eigenvectors, of symmetric matrices of at most two rows.

For S = [[p, q], [q, r]] with m = (p + r)/2 and h = (p - r)/2 the eigenvalues are m - e and m + e
with ``e = sqrt(h^2 + q^2)``, and the value u at the first and w at the second is taken by
``(u + w)/2 I + (w - u)/(2 e) (S - m I)``, for ``(S - m I)^2 = e^2 I``; by (u + w)/2 I when e = 0.
"""

from __future__ import annotations

from fractions import Fraction

from .elementary import sqrt
from .interval import F0, Arithmetic, Number, Real, hi, lo
from .report import Rejected, Undecided

HALF = Fraction(1, 2)


def symmetric_eigenvalues(matrix: list[list[Number]], a: Arithmetic) -> list[Number]:
    """Returns the eigenvalues of (M + M^T)/2, ascending; undefined where an entry is."""
    parts = _half_sums(matrix, a)
    if parts is None:
        return [None] * len(matrix)
    if len(parts) == 1:
        return [parts[0]]
    middle, half, off = parts
    radius = _radius(half, off, a)
    return [a.sub(middle, radius), a.add(middle, radius)]


def spectral(matrix: list[list[Number]], weights: list[Number], a: Arithmetic) -> list[Number]:
    """Returns sum_k w_k v_k v_k^T, in row-major order.

    Raises:
        Undecided: the eigenvalues may be equal.
    """
    parts = _half_sums(matrix, a)
    known = [w for w in weights if w is not None]
    if parts is None or len(known) < len(weights):
        return [None] * (len(matrix) * len(matrix))
    if len(parts) == 1:
        return [known[0]]
    _, half, off = parts
    first, second = known
    mean = a.mul(HALF, a.add(first, second))
    radius = _radius(half, off, a)
    if lo(radius) == hi(radius) == 0:
        return [mean, F0, F0, mean]
    if lo(radius) <= 0 or (inverse := a.recip(radius)) is None:
        raise Undecided("eigenvalues that may be equal")
    slope = a.mul(a.mul(HALF, a.sub(second, first)), inverse)
    side, cross = a.mul(slope, half), a.mul(slope, off)
    return [a.add(mean, side), cross, cross, a.sub(mean, side)]


def _half_sums(matrix: list[list[Number]], a: Arithmetic) -> list[Real] | None:
    """Returns (p + r)/2, (p - r)/2 and q of a 2 x 2 matrix, or the entry of a 1 x 1 matrix.

    Returns None where an entry is undefined.
    """
    entries = [x for row in matrix for x in row if x is not None]
    if len(matrix) > 2:
        raise Rejected("eigenvalues of more than two rows have no value here")
    if len(entries) < len(matrix) ** 2:
        return None
    if len(matrix) == 1:
        return entries
    p, q, t, r = entries
    return [a.mul(HALF, x) for x in (a.add(p, r), a.sub(p, r), a.add(q, t))]


def _radius(half: Real, off: Real, a: Arithmetic) -> Real:
    """Returns sqrt(h^2 + q^2)."""
    return sqrt(a, a.add(a.square(half), a.square(off)))
