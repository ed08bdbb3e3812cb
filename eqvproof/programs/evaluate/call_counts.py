"""Counts the values of uninterpreted functions that a Program takes, for error bounds."""

from __future__ import annotations

from collections.abc import Mapping
from math import log2

from eqvproof.numbers.bound import VARIABLE, Bound


class CallCounts:
    """Counts the values of uninterpreted functions that are taken, and bounds their arguments.

    Attributes:
        sizes: the axis sizes.
        arguments: bounds for every argument.
        calls: how many values.
    """

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = sizes
        self.arguments = Bound()
        self.calls = 0

    def call(self, count: int, *arguments: Bound) -> Bound:
        """Counts ``count`` values of an uninterpreted function."""
        self.calls += count
        for x in arguments:
            self.arguments = self.arguments.larger(x)
        return VARIABLE

    def symmetric(self, x: Bound, count: int, entries: int, values: int) -> Bound:
        """Counts and bounds a mean plus values of a symmetric function of deviations."""
        mean = x.summed(count).over(count)
        self.call(entries, x.plus(mean))
        return mean.plus(self.call(values, Bound(top=1, top_bits=log2(max(count, 1)))))
