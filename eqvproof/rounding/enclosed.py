"""`Enclosed`: an array of values, each with a bound of its rounding error."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The terms of sums.

    Attributes:
        source: the array whose entries are the terms.
        sums: for each place in it, from 1 on, the number of the sum with this term; 0 for none.
        places: for each entry, the number of the sum that it is.
        is_inverse: True if entries are the inverses of these sums.
    """

    source: object
    sums: Array
    places: Array
    is_inverse: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Enclosed:
    """A value, with bounds of its distances from the real and from the computed number.

    Attributes:
        value: the result of float64; NaN if it is undefined.
        error: entry by entry, at least ``|computed - real|``; None if nothing was rounded.
        spread: at least ``|value - real|``; None stands for `error` times the ratio of the units of
            float64 and the format.
        positive: True if the real and the computed entries are known to be 0 or above.
        terms: the number of terms, if this is a sum that another sum may continue.
        origin: if entries are entries of an input, up to a sign: the input, and their places in it
            from 1 on, with the sign. Entries with the same place are the same number, whatever its
            error is.
        least: if `positive`, a lower bound of all entries: real, computed, and of float64.
        relative: at least ``|computed / real - 1|`` for entries above 0; inf if unknown.
        parts: for a sum of positive numbers, or its inverse: the terms of each entry.
    """

    value: Array
    error: Array | None = None
    spread: Array | None = None
    positive: bool = False
    terms: int = 0
    origin: tuple[object, Array] | None = None
    least: float = 0.0
    relative: float = np.inf
    parts: Parts | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return tuple(self.value.shape)

    @property
    def is_exact(self) -> bool:
        """True if the value is known without any error."""
        return self.error is None and self.spread is None

    def scales_exactly(self) -> bool:
        """Checks whether products with its entries are exact: they are 0, or powers of 2 up to sign."""
        if not self.is_exact:
            return False
        mantissa = np.abs(np.frexp(self.value)[0])
        return bool(np.all((mantissa == 0.5) | (mantissa == 0.0)))


def input_with_error(
    value: Array, error: Array | None, spread: Array | None, *, casts: bool
) -> Enclosed:
    """Returns an input with errors, and with an origin unless casts may change its numbers."""
    origin = None if casts else places_of(value)
    return Enclosed(value, error, spread, origin=origin)


def places_of(value: Array) -> tuple[object, Array]:
    """Returns an origin for the entries of a new array."""
    return object(), np.arange(1.0, value.size + 1).reshape(value.shape)


def origin_of_products(
    factors: Sequence[Enclosed], contract: Callable[[Sequence[Array]], Array]
) -> tuple[object, Array] | None:
    """Returns the origin of the products of one input with numbers 1, -1 and 0, or None.

    The products must not be summed.
    """
    rough = [f for f in factors if not f.is_exact]
    if len(rough) != 1 or rough[0].origin is None:
        return None
    plain = (f.value for f in factors if f is not rough[0])
    if not all(bool(np.all((v == 0) | (np.abs(v) == 1))) for v in plain):
        return None
    source, places = rough[0].origin
    return source, contract([places if f is rough[0] else f.value for f in factors])


def parts_of_sums(
    a: Enclosed, back: Callable[[Array], Array], shape: tuple[int, ...]
) -> Parts | None:
    """Returns the terms of sums of an array's entries.

    Returns None if they are not known, or an entry occurs twice.

    Args:
        a: the array whose entries are the terms.
        back: broadcasts an array of the shape of the sums to the shape of a.
        shape: the shape of the sums.
    """
    if a.origin is None or not bool(np.all(a.origin[1] > 0)):
        return None
    places = a.origin[1].astype(np.int64).ravel()
    numbers = np.arange(1, prod(shape) + 1).reshape(shape)
    sums = np.zeros(int(np.max(places, initial=0)) + 1, dtype=np.int64)
    sums[places] = np.broadcast_to(back(numbers), a.shape).ravel()
    is_once = len(np.unique(places)) == len(places)
    if is_once:
        return Parts(a.origin[0], sums, numbers)
    return None


def is_share_of_sum(a: Enclosed, r: Enclosed, move: Callable[[Array, Enclosed], Array]) -> bool:
    """Checks whether all products are quotients of a term by a sum of positive terms.

    The factors are a, with the terms, and r, with the inverses of the sums.
    """
    if (
        a.origin is None
        or r.parts is None
        or not r.parts.is_inverse
        or r.parts.source is not a.origin[0]
    ):
        return False
    places, sums = move(a.origin[1], a).astype(np.int64), r.parts.sums
    known = (places > 0) & (places < len(sums))
    return bool(
        np.all(known) and np.all(sums[np.where(known, places, 0)] == move(r.parts.places, r))
    )


def where_one_number(a: Enclosed, b: Enclosed, sign: float = 1.0) -> Array | None:
    """Returns where a and b (or -b, for the sign -1) are the same number of an input.

    Returns None if their entries do not come from one input.
    """
    if a.origin is None or b.origin is None or a.origin[0] is not b.origin[0]:
        return None
    known = np.isfinite(a.value) & np.isfinite(fill_bound(a.error, a.shape))
    return np.asarray((a.origin[1] == sign * b.origin[1]) & known)


def array_sum(arrays: Iterable[Array]) -> Array:
    """Returns the sum of one or more arrays of one shape."""
    return reduce(operator.add, arrays)


def add_bounds(*bounds: Array | None) -> Array | None:
    """Returns the sum of bounds, where None stands for 0; None if all are None."""
    known = [b for b in bounds if b is not None]
    if known:
        return array_sum(known)
    return None


def change_bound(bound: Array | None, change: Callable[[Array], Array]) -> Array | None:
    """Returns a changed bound; None, which stands for 0, stays None."""
    if bound is None:
        return None
    return change(bound)


def clear_bound(bound: Array | None, here: Array) -> Array | None:
    """Returns a bound with 0 at these places; None, which stands for 0, stays None."""
    if bound is None:
        return None
    return np.where(here, 0.0, bound)


def fill_bound(error: Array | None, shape: tuple[int, ...]) -> Array:
    """Returns a bound as an array; zeros for None."""
    if error is None:
        return np.zeros(shape)
    return error
