"""Sums over points k other than i and j, for each pair (i, j), without cancellation.

Subtracting two terms from a rounded sum would lose all that is smaller than the rounding of the
largest term. Sums are therefore stored as two numbers `high + low`, where `low` holds the rest to
2^-38 of the last place of ``high`` (a cut as in `eqvproof.deepsets.sums.exact`), and terms are
subtracted without rounding: the error is below `2^-85 n` times the largest term.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.numbers import two_sum


def is_exact(array: Any) -> bool:
    """Checks whether an array holds exact numbers (dtype object)."""
    return getattr(getattr(array, "dtype", None), "kind", "") == "O"


def to_float64(values: Any) -> Any:
    """Converts values to float64; exact numbers are returned unchanged."""
    if is_exact(values):
        return values
    return values.astype(np.float64)


def cut_sum(values: Any, axis: int, xp: Any) -> tuple[Any, Any]:
    """Sums along an axis, which gets length 1; returns the sum as two numbers, high and low."""
    if is_exact(values):
        s = values.sum(axis=axis, keepdims=True)
        return s, s - s
    v = to_float64(values)
    top = xp.abs(v).max(axis=axis, keepdims=True)
    headroom = 1 + int(v.shape[axis]).bit_length()
    _, exponent = xp.frexp(xp.where(top < math.inf, top, 1.0))
    anchor = xp.ldexp(xp.full_like(top, 1.5), xp.clip(exponent + headroom, -1022, 1022))
    q = (v + anchor) - anchor
    return q.sum(axis=axis, keepdims=True), (v - q).sum(axis=axis, keepdims=True)


class SplitSum:
    """A sum `high + low` along an axis, accumulated tile by tile."""

    __slots__ = ("high", "low")

    def __init__(self, high: Any = None, low: Any = None) -> None:
        self.high, self.low = high, low

    @staticmethod
    def join(parts: Sequence[SplitSum], xp: Any) -> SplitSum:
        """Concatenates the sums of consecutive points."""
        return SplitSum(
            xp.concatenate([p.high for p in parts]), xp.concatenate([p.low for p in parts])
        )

    def at(self, points: slice) -> SplitSum:
        """Returns the sums of some points."""
        return SplitSum(self.high[points], self.low[points])

    def add(self, values: Any, axis: int, xp: Any) -> None:
        """Adds a tile's entries along an axis."""
        high, low = cut_sum(values, axis, xp)
        if self.high is None:
            self.high, self.low = high, low
            return
        self.high, lost = two_sum(self.high, high)
        self.low = self.low + (lost + low)

    def minus(self, *terms: Any) -> Any:
        """Returns the sum without some of its terms."""
        high, low = self.high, self.low
        for term in terms:
            high, lost = two_sum(high, -to_float64(term))
            low = low + lost
        return _add_parts(high, low)

    @property
    def value(self) -> Any:
        """The sum."""
        return _add_parts(self.high, self.low)


def _add_parts(high: Any, low: Any) -> Any:
    """Computes `high + low`; an infinite sum has no low part."""
    total = high + low
    if not is_exact(total):
        infinite = abs(high) == math.inf
        total[infinite] = high[infinite]
    return total
