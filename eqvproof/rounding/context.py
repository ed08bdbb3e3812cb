"""Bounds of the size and the rounding error of single numbers in a function's floating format."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from eqvproof.rounding.enclosed import Array, Enclosed, fill_bound, places_of
from eqvproof.rounding.formats import UNIT, Format


class RoundingContext:
    """The format in which a function rounds, with the bounds of numbers that follow from it.

    Args:
        form: the format.

    Attributes:
        compares: True if the Program compares entries: then each rounded number stores its place,
            wherever it is moved, so that it is known to be equal to itself.
        silent: True if operations add no roundings of their own, and only propagate the errors of
            their arguments.
    """

    def __init__(self, form: Format) -> None:
        self.form = form
        self.silent = False
        self.compares = False

    def gap_to_real(self, x: Enclosed) -> Array | None:
        """Bounds |value - real|; None stands for 0."""
        if x.spread is not None or x.error is None:
            return x.spread
        return x.error * self.form.ratio

    def size(self, x: Enclosed) -> Array:
        """Bounds |real|."""
        size, apart = np.abs(x.value), self.gap_to_real(x)
        if apart is None:
            return size
        return size + apart

    def gap_to_both(self, x: Enclosed) -> Array | None:
        """Bounds both |value - real| and |value - computed|; None stands for 0."""
        if x.spread is not None and x.error is not None:
            return x.spread + x.error
        if x.error is None:
            return x.spread
        return x.error * (1 + self.form.ratio)

    def radius(self, x: Enclosed) -> Array:
        """Bounds both |value - real| and |value - computed|, as an array; inf if unknown."""
        found = fill_bound(self.gap_to_both(x), x.shape)
        if np.max(found, initial=0.0) < np.inf:
            return found
        return np.where(np.isnan(found), np.inf, found)

    def enclose(
        self, value: Array, error: Array | None, spread: Array | None = None, *,
        work: int = 8, positive: bool = False, terms: int = 0, least: float = 0.0,
    ) -> Enclosed:  # fmt: skip
        """Builds a number, with its bounds rounded outwards after `work` operations.

        The bound is inf if the computed number may exceed the largest number of the format.
        """
        if error is not None:
            error = error * (1 + (work + 16) * 4 * UNIT)
            with np.errstate(all="ignore"):
                most = np.maximum(np.max(value, initial=0.0), -np.min(value, initial=0.0))
                reach = most + np.max(error, initial=0.0)
            if not reach <= self.form.greatest:
                bad = ~(np.abs(value) + error <= self.form.greatest)
                error = np.where(bad, np.inf, error)
        if spread is not None:
            spread = spread * (1 + (work + 16) * 4 * UNIT)
            if not np.max(spread, initial=0.0) < np.inf:
                spread = np.where(np.isnan(spread), np.inf, spread)
            room = (value - least) * (1 + 2.0**-40)
            # no number is below the least: move the value to the middle of the possible range
            if positive and np.any(spread > room):
                low = (spread > room) & np.isfinite(spread)
                top = value + spread
                middle, half = (top + least) / 2, (top - least) / 2 + 4 * UNIT * top
                value, spread = np.where(low, middle, value), np.where(low, half, spread)
        known = self.compares and error is not None and not self.form.casts
        origin = places_of(value) if known else None
        return Enclosed(value, error, spread, positive, terms, origin, least if positive else 0.0)

    def is_whole(self, arrays: Sequence[Enclosed], total: Callable[[], Array]) -> bool:
        """Checks whether all entries are such small integers that sums and products are exact."""
        if not all(a.is_exact and np.array_equal(a.value, np.rint(a.value)) for a in arrays):
            return False
        return bool(np.max(total(), initial=0.0) <= 1 / max(self.form.unit, self.form.factors))
