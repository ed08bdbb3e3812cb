"""The sizes that a search tries, smallest first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from eqvproof.claims.signature import Signature
from eqvproof.engines.scope import by_size, smallest_first

if TYPE_CHECKING:
    from eqvproof.engines.search.constants import Number

#: Largest size of an axis without a given range, except around constants of the function.
REACH = 4
#: Largest constant that seeds sizes, and largest one that seeds the sizes probed at the end.
_LARGEST_SEED, _LARGEST_FAR = 66, 1024
#: Largest number of sizes that are probed at the end.
_MOST_FAR = 48
#: Number of sizes above the lower end of a wide range that are tried, in addition to its ends.
_WIDE = 8
#: Largest distance of the other axes from their least size when seeded sizes are tried.
_LOW = 2
#: Largest number of entries of all inputs: exact arithmetic on larger ones takes the whole budget.
_MOST_ENTRIES = 5000
#: Largest number of combinations of sizes that are listed.
_MOST_SIZES = 400

SizeRange = int | tuple[int, int]


def size_order(
    signature: Signature,
    ranges: Mapping[str, SizeRange],
    constants: Sequence[Number] = (),
    unbounded: Collection[str] = (),
) -> list[dict[str, int]]:
    """Returns the sizes to try, by their sum, then in lexicographic order of the input axes.

    Args:
        signature: the typing.
        ranges: name -> size, or (least, greatest); a name that is missing has sizes from 1 up.
        constants: numbers in the function's code: c - 1 to c + 2 are tried too (an odd and an even
            one above).
        unbounded: names whose range is only a start: constants may exceed it.
    """
    names = signature.input_names
    base: dict[str, list[int]] = {}
    extra: dict[str, list[int]] = {}
    for name in names:
        low, high, is_open = _size_bounds(name, ranges, unbounded)
        plain = sorted({*range(low, min(high, low + _WIDE) + 1), high})
        seeds = {
            int(c) + k
            for c in constants
            if c == int(c) and c <= _LARGEST_SEED
            for k in (-1, 0, 1, 2)
        }
        base[name] = plain
        extra[name] = sorted(
            s for s in seeds if s >= low and (is_open or s <= high) and s not in plain
        )
    order = smallest_first(base)
    for name in names:
        low_ends = {n: base[n][: _LOW + 1] for n in names}
        order += smallest_first({**low_ends, name: extra[name]})
    order = [s for s in order if entries_of(signature, s) <= _MOST_ENTRIES] or order[:1]
    return sorted(order, key=by_size)[:_MOST_SIZES]


def far_sizes(
    signature: Signature,
    ranges: Mapping[str, SizeRange],
    constants: Sequence[Number] = (),
    unbounded: Collection[str] = (),
) -> list[dict[str, int]]:
    """Returns the sizes next to large constants, smallest first, with other sizes small.

    The arguments are those of `size_order`.
    """
    spans = {name: _size_bounds(name, ranges, unbounded) for name in signature.input_names}
    seeds = {int(c) + k for c in constants if c == int(c) for k in (-1, 0, 1, 2)}
    far = sorted(s for s in seeds if _LARGEST_SEED + 2 < s <= _LARGEST_FAR + 2)
    small = {name: min(high, low + 1) for name, (low, high, _) in spans.items()}
    order = [
        {**small, name: s}
        for name, (low, high, is_open) in spans.items()
        for s in far
        if s >= low and (is_open or s <= high)
    ]
    return sorted((s for s in order if entries_of(signature, s) <= _MOST_ENTRIES), key=by_size)[
        :_MOST_FAR
    ]


def _size_bounds(
    name: str, ranges: Mapping[str, SizeRange], unbounded: Collection[str]
) -> tuple[int, int, bool]:
    given = ranges.get(name)
    if given is None:
        return 1, REACH, True
    if isinstance(given, int):
        given = given, given
    low, high = given
    return low, high, name in unbounded


def entries_of(signature: Signature, sizes: Mapping[str, int]) -> int:
    """Counts the entries of all arguments together."""
    return sum(prod(a.at(sizes) for a in argument.axes) for argument in signature.inputs)
