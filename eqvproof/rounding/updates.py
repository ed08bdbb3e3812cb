"""Bounds the roundings of means and variances computed by updates, beyond those of two passes.

Moments of parts a and b of a row x_1, ..., x_n are merged, one entry at a time (Welford) or in a
tree (Chan, Golub and LeVeque). With ``d = m_b - m_a`` and ``N = N_a + N_b``,

    m = m_a + d N_b / N,     M = M_a + M_b + T,     T = d^2 N_a N_b / N

Let Q_j be the sum of squares of the entries of part j, so that ``m_j^2 <= Q_j / N_j``; let Q and M
be those of the whole row, and u the unit. To first order the rounding of m_j is ``w_j <= u |m_j| +
3 u |d_j| N_b / N_j``. It changes the mean by w_j N_j / n, and the term T of every part above j by
``2 |d| (N_a N_b / N) (N_j / N_a)`` w_j. The sum of these is by Cauchy and Schwarz at most

    2 N_j sqrt(sum T) sqrt(sum N_b / (N_a N)) w_j <= 2 sqrt(N_j M) w_j,  as  N_b / (N_a N) = 1 / N_a
    - 1 / N.

Since ``sum_j sqrt(N_j) |m_j| <= sum_j sqrt(Q_j) <= (n - 1) sqrt(Q)`` and, if ``sum_j N_b / N_a <=
n``, ``sum_j |d_j| N_b / sqrt(N_j) = sum_j sqrt(T_j N_b / N_a) <= sqrt(n M)``, the error of M is at
most

    2 u ((n - 1) sqrt(M Q) + 3 sqrt(n) M)  +  u sqrt(2 M Q (1 + ln n)) + 6 u M  +  (n + 6) u M:

the second part since Welford's own T contains the new mean, the third for T and its sum. For
independent roundings, squares are added: ``4 u^2 M sum_j Q_j <= 4 u^2 (n - 1) M Q``; ``12 u^2 M
sum_j T_j N_b / N_a``, at most 12 u^2 M^2 if no larger part is added to a smaller one, and otherwise
``24 u^2 M n R^2`` more, with R the range of the row; and ``(n + 5) u^2 M^2 + 8 u^2 M Q``.

The mean: the first part of w_j is the rounding of a flat sum. The second is ``3 u sqrt(M sum_j N_b
N_j / N_a) / n``, at most 3 u sqrt(M) since that sum is at most n^2, with the deviation ``u sqrt(18 M
/ n + 9 R^2 / 2)``.

Trees of kernels are chains, or shallow: on CPUs 16 entries each, merged in pairs, then lane by lane;
on GPUs some entries for each thread, whose means are weighted, ``(N_a / N) m_a + (N_b / N) m_b``,
with ``w_j <= 4 u sum |x_i| / N_j``. The additional cost of these weights, and of adding larger parts,
is less than the part of n - 1 that the smaller depth saves, except for ``16 u sqrt(M Q)`` and ``12 u
sqrt(Q / n)`` (squares of deviations: ``32 u^2 M Q`` and ``16 u^2 Q / n``), which are added:
`tests/rounding/test_updates.py` counts them.

Second order: with S_j the sum of magnitudes and ``w_j N_j <= 4 u S_j``, the error e_j of m_j is at
most 4 u S_j, ``sum_j min(N_a, N_b) S_j^2 <= Q max over paths of sum_j min(N_a, N_b) N_j <= (2 / 3)
n^2 Q`` by induction, and ``sum_j (N_a N_b / N) (e_a + e_b)^2 <= 11 u^2 n^2 Q``. If larger parts are
added, twice that and ``300 u^2 n (1 + log2 n) M``, from errors of at most ``3 u sqrt(M)``. Products
of roundings are covered by 1 / (1 - 16 n u)^2.

Source: T. Chan, G. Golub, R. LeVeque, Algorithms for computing the sample variance, Am. Stat. 37,
1983; PyTorch, aten/src/ATen/native/cpu/moments_utils.h and cuda/layer_norm_kernel.cu.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eqvproof.programs.evaluate.library_functions import SQUARES
from eqvproof.rounding.enclosed import Array, Enclosed
from eqvproof.rounding.formats import Format

#: The factor for the roundings of float64 in these bounds.
OUTWARDS = 1 + 2.0**-30


@dataclass(frozen=True, slots=True)
class ExtraRoundings:
    """Roundings of updates beyond two passes: a bound, a deviation, and the second-order part."""

    error: Array
    deviation: Array
    second: Array


def update_roundings(form: Format, what: str, rows: Enclosed, radius: Array) -> ExtraRoundings:
    """Bounds the roundings of updates of rows.

    The computed entries are within `radius` of the values.
    """
    n, u = rows.shape[-1], form.sums * (1 + 2.0**-20)
    total = 16 * n * u
    grown = math.inf
    if total < 1:
        grown = OUTWARDS / (1 - total) ** 2
    moved = np.sqrt(np.sum(radius * radius, axis=-1))
    values = rows.value
    centred = values - np.mean(values, axis=-1, keepdims=True)
    M = np.sqrt(np.sum(centred * centred, axis=-1)) * OUTWARDS + moved  # roots of M and Q
    Q = np.sqrt(np.sum(values * values, axis=-1)) * OUTWARDS + moved
    M = M + n * 2.0**-50 * Q
    if n < 2:
        return ExtraRoundings(0 * M, 0 * M, 0 * M)
    high, low = np.max(values + radius, axis=-1), np.min(values - radius, axis=-1)
    unequal: Array | float = 0.0  # powers of 2 make trees of equal parts
    if n & (n - 1):
        unequal = (high - low) ** 2
    if what == SQUARES:
        second = grown * (u * Q * n) ** 2 * 22 + grown * 300 * n * (1 + math.log2(n)) * (u * M) ** 2
        second += (grown - 1) * (4 * n * Q + (7 * n + 12) * M) * M * u
        first = (2 * n + 14 + math.sqrt(2 + 2 * math.log(n))) * Q + (6 * math.sqrt(n) + n + 12) * M
        squares = (4 * n + 36) * Q * Q + (n + 17) * M * M + 24 * n * unequal
        return ExtraRoundings(u * M * first + second, u * M * np.sqrt(squares) * OUTWARDS, second)
    second = (grown - 1) * u * (2 * n * Q + 3 * M)
    error = u * (3 * M + 12 * Q / math.sqrt(n)) * OUTWARDS
    squares = (18 * M * M + 16 * Q * Q) / n + 9 / 2 * unequal
    return ExtraRoundings(error + second, u * np.sqrt(squares) * OUTWARDS, second)
