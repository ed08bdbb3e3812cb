"""Arrays with the error that rounding may have made in them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
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
        origin: of entries that are entries of an input, up to a sign: the input, and their places in it from
            1 on, with the sign. Two of the same place are the same number, whatever its error is.
    """

    value: Array
    error: Array | None = None
    spread: Array | None = None
    positive: bool = False
    terms: int = 0
    origin: tuple[object, Array] | None = None

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


def outer(value: Array, error: Array | None, spread: Array | None, *, casts: bool) -> Enclosed:
    """An input that has errors, with the places of its entries: which casts make other numbers."""
    if casts:
        return Enclosed(value, error, spread)
    places = np.arange(1.0, value.size + 1).reshape(value.shape)
    return Enclosed(value, error, spread, origin=(object(), places))


def moved_origin(
    factors: Sequence[Enclosed], contract: Callable[[Sequence[Array]], Array]
) -> tuple[object, Array] | None:
    """The places of the products of one moved input with numbers 1, -1 and 0, of which each has one term."""
    rough = [f for f in factors if not f.is_exact]
    if len(rough) != 1 or rough[0].origin is None:
        return None
    plain = (f.value for f in factors if f is not rough[0])
    if not all(bool(np.all((v == 0) | (np.abs(v) == 1))) for v in plain):
        return None
    source, places = rough[0].origin
    return source, contract([places if f is rough[0] else f.value for f in factors])


def same(a: Enclosed, b: Enclosed, sign: float = 1.0) -> Array | None:
    """Where a is b (is -b, for the sign -1), as one number of an input with a finite error; None: nowhere."""
    if a.origin is None or b.origin is None or a.origin[0] is not b.origin[0]:
        return None
    known = np.isfinite(a.value) & np.isfinite(filled(a.error, a.shape))
    return np.asarray((a.origin[1] == sign * b.origin[1]) & known)


def total(arrays: Iterable[Array]) -> Array:
    """The sum of arrays of one shape, of which there is one at least."""
    return reduce(operator.add, arrays)


def filled(error: Array | None, shape: tuple[int, ...]) -> Array:
    """The error as an array."""
    return np.zeros(shape) if error is None else error
