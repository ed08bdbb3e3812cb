"""Arrays with the error that rounding may have made in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Enclosed:
    """A value, and how far from it the real one and the computed one may be.

    Attributes:
        value: what float64 gives; NaN where it is undefined.
        error: entry by entry, at least ``|computed - real|``; None: nothing was rounded.
        spread: at least ``|value - real|``; None: the same in float64, `error` times the ratio of the units.
        positive: whether the real and the computed entries are known to be 0 or above.
        terms: of how many terms it is the sum, where a sum may go on from it.
    """

    value: Array
    error: Array | None = None
    spread: Array | None = None
    positive: bool = False
    terms: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return tuple(self.value.shape)

    @property
    def is_exact(self) -> bool:
        """Whether it is known without any error."""
        return self.error is None and self.spread is None

    def scales_exactly(self) -> bool:
        """Whether products with its entries are not rounded: they are 0, or powers of 2 up to a sign."""
        if not self.is_exact:
            return False
        mantissa = np.abs(np.frexp(self.value)[0])
        return bool(np.all((mantissa == 0.5) | (mantissa == 0.0)))


def filled(error: Array | None, shape: tuple[int, ...]) -> Array:
    """The error as an array."""
    return np.zeros(shape) if error is None else error
