"""Computes sums `sum_k v_k` exactly, as integers: equal for every order, chunking and machine.

A block of b numbers below 2^e is cut by adding and subtracting `M = 3/2 2^(e + l)`, `2^l >= 2 b`:
`q = (v + M) - M` is v rounded to a multiple of g = ulp(M), `v - q` is exact, and `sum q` is exact
in floating point in any order, because every partial sum is a multiple of g below 2^52 g. The
remainders are cut again until they are 0; the few sums are added as integers. Two cuts suffice for
most data, some sixty for values over the whole exponent range.

Source: S. Rump, T. Ogita, S. Oishi, Accurate floating-point summation I, SIAM J. Sci. Comput. 31
(2008), section 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.deepsets.sums.rounding import round_between, round_units, units

#: numbers of at least 2^900 are scaled down by 2^-256 first, so that M and the sums stay finite
_LARGE, _SCALE = 2.0**900, 256


class ExactSum:
    """An accumulated sum: an integer multiple of 2^-1074, an error bound, and special values.

    The special values are NaN, infinities and -0.0. Sums of parts merge exactly (`+`), so that
    chunks, threads, devices and workers give one result.
    """

    __slots__ = ("infinite", "invalid", "lost", "negative_zero", "terms", "total")

    def __init__(self) -> None:
        self.total = self.lost = 0
        self.terms = 0
        self.invalid = False  # a NaN among the terms
        self.infinite = (False, False)  # +inf, -inf among the terms
        self.negative_zero = True  # every term so far is -0.0

    def add(self, values: Any) -> None:
        """Adds the entries of an array of float64 or float32 (b,), b <= 2^20."""
        v = np.asarray(values).astype(np.float64, copy=False).ravel()
        if not v.size:
            return
        self.terms += v.size
        top = float(np.abs(v).max())
        if not math.isfinite(top):
            self.invalid |= bool(np.isnan(v).any())
            self.infinite = (
                self.infinite[0] or bool((v == np.inf).any()),
                self.infinite[1] or bool((v == -np.inf).any()),
            )
            v = np.where(np.isfinite(v), v, 0.0)
            self.negative_zero = False
            top = float(np.abs(v).max())
        if top == 0.0:
            self.negative_zero = self.negative_zero and bool(np.signbit(v).all())
            return
        self.negative_zero = False
        self.total += exact_units(v, top)

    def add_units(self, total: int, terms: int, lost: int = 0) -> None:
        """Adds a sum of finite terms, not all -0.0, with an error bound ``lost`` in units."""
        self.total += total
        self.lost += lost
        self.terms += terms
        self.negative_zero = self.negative_zero and terms == 0

    def __add__(self, other: ExactSum) -> ExactSum:
        both = ExactSum()
        both.total, both.lost = self.total + other.total, self.lost + other.lost
        both.terms, both.invalid = self.terms + other.terms, self.invalid or other.invalid
        both.infinite = (
            self.infinite[0] or other.infinite[0],
            self.infinite[1] or other.infinite[1],
        )
        both.negative_zero = self.negative_zero and other.negative_zero
        return both

    def result(self, dtype: str = "float64") -> np.floating | None:
        """Rounds the sum once; returns None if the error bound admits two results.

        The result is NaN if a term is NaN or both infinities occur, and +0.0 without terms.
        """
        kind: Callable[[float], np.floating] = np.dtype(dtype).type
        if self.invalid or all(self.infinite):
            return kind(math.nan)
        if self.infinite[0]:
            return kind(math.inf)
        if self.infinite[1]:
            return kind(-math.inf)
        if self.lost:
            return round_between(self.total - self.lost, self.total + self.lost, dtype)
        if self.total == 0 and self.negative_zero and self.terms:
            return kind(-0.0)
        return round_units(self.total, dtype)


def exact_units(v: np.ndarray, top: float) -> int:
    """Sums finite numbers (b,), none larger than ``top`` in modulus, in units of 2^-1074."""
    if top >= _LARGE:
        large = np.abs(v) >= _LARGE
        scaled = v[large] * 2.0**-_SCALE
        rest = v[~large]
        below = float(np.abs(rest).max(initial=0.0))
        return (exact_units(scaled, top * 2.0**-_SCALE) << _SCALE) + exact_units(rest, below)
    total = 0
    headroom = 1 + v.size.bit_length()
    while top > 0.0:
        exponent = max(math.frexp(top)[1] + headroom, -1022)
        anchor = math.ldexp(1.5, exponent)
        q = v + anchor
        q -= anchor
        total += units(float(q.sum()))
        v = v - q
        top = float(max(v.max(), -v.min()))
        if top and np.count_nonzero(v) * 4 < v.size:
            v = v[v != 0.0]
    return total
