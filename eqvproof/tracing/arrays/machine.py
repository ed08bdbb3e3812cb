"""Machine integers: the value that a type of a given width stores for a whole number.

A node is a whole number; the target stores that number modulo 2^bits. Where an interval shows that
the number fits at all sizes, both are equal. Elsewhere a Program subtracts multiples of 2^bits, as
the machine does, or, where it is read for limited sizes, the number is kept and the sizes up to
which it fits are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from eqvproof.programs import Builder
from eqvproof.programs.intervals import LARGEST, Intervals
from eqvproof.support.errors import ErrorCode, TraceError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

#: A type of entries, as NumPy takes it.
TypeLike: TypeAlias = "DTypeLike | None"
#: Limits below this say less than decisions at single sizes.
FEWEST = 5


def fits(b: Builder, x: int, dtype: TypeLike) -> bool:
    """Checks whether all entries fit into the type at all sizes."""
    return is_within(b.intervals.of(x), dtype)


def _ends(dtype: TypeLike) -> tuple[int, int]:
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return 0, 1
    info = np.iinfo(kind)
    return int(info.min), int(info.max)


def is_within(interval: tuple[Any, Any], dtype: TypeLike) -> bool:
    """Checks whether all whole numbers of an interval fit into the type."""
    low, high = _ends(dtype)
    return bool(low <= interval[0] and interval[1] <= high)


def stored(b: Builder, x: int, dtype: TypeLike, *, wraps: bool = True) -> int | None:
    """Returns the node of whole numbers as the type stores them.

    Returns None where they may not fit and the result of an overflow is not known.

    Args:
        b: the builder.
        x: the numbers.
        dtype: the type.
        wraps: whether a number that does not fit is taken modulo 2^bits.
    """
    b.integers.add(x)
    if fits(b, x, dtype):
        return x
    if b.limited:
        b.held.add((x, np.dtype(dtype)))
        return x
    if wraps:
        return _wrapped(b, x, *_ends(dtype))
    return None


def _wrapped(b: Builder, x: int, low: int, high: int) -> int:
    """Returns x modulo 2^bits between both ends, exactly x where it lies there, in floats too."""
    count, value = high - low + 1, b.scalar_value(x)
    if value is not None:
        return b.broadcast_to(b.const((value - low) % count + low), b.shape(x))
    b.modular = True
    turns = b.map(
        "floor", [b.add([b.mul(b.const(Fraction(1, count)), x), b.const(Fraction(-low, count))])]
    )
    result = b.add([x, b.mul(b.const(-count), turns)])
    b.bounds[result] = low, high
    return result


def require_stored(b: Builder, x: int, dtype: TypeLike, *, wraps: bool = True) -> int:
    """Returns the node of whole numbers as the type stores them, like `stored`.

    Raises:
        TraceError: they may not fit, and what becomes of them then is not known.
    """
    found = stored(b, x, dtype, wraps=wraps)
    if found is None:
        raise TraceError(too_large(dtype), hint=HINT, code=ErrorCode.TRACE_WIDTH)
    return found


HINT = "a wider type, or floats, hold them"


def too_large(dtype: TypeLike) -> str:
    """Returns the message for integers that may not fit."""
    return f"integers that may be too large for {np.dtype(dtype)}"


def limits(b: Builder, names: Iterable[str]) -> dict[str, int]:
    """Returns sizes up to which all integers fit, for the names among these that are limited.

    Raises:
        TraceError: some do not fit at small sizes already.
    """
    if not b.held:
        return {}
    names = list(names)

    def all_fit(sizes: dict[str, int]) -> bool:
        found = Intervals(b, sizes)
        return all(is_within(found.of(x), dtype) for x, dtype in b.held)

    def greatest(low: int, fit: Callable[[int], bool]) -> int:
        if fit(LARGEST):
            return LARGEST
        high = LARGEST
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fit(middle) else (low, middle)
        return low

    common = greatest(0, lambda n: all_fit(dict.fromkeys(names, n)))
    result = dict.fromkeys(names, common)
    for name in names:
        result[name] = greatest(common, lambda n: all_fit({**result, name: n}))  # noqa: B023
    if not common or min(result.values()) < FEWEST:
        raise TraceError(too_large(next(iter(b.held))[1]), hint=HINT, code=ErrorCode.TRACE_WIDTH)
    return {name: n for name, n in result.items() if n < LARGEST}
