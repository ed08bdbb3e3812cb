"""Folds comparisons with one result at all points and sizes to 0 or 1.

Both sides must be defined everywhere; then the comparison is, too. By intervals: if
every entry of x lies below every entry of y, then x < y. By positions: entries from 0 to s - 1 are
at most t where t - s is at least -1 at all sizes. By identity: x = x. The
remainder of a whole number by 1 is 0. A comparison of numbers that are 0 or 1 with a constant is
the mask that they are, or its negation.
"""

from __future__ import annotations

import operator

from eqvproof.claims.size import Size
from eqvproof.programs.node_table import NodeTable

ONE = Size.of(1)
#: Comparison -> the equal one with the sides exchanged.
_EXCHANGED = {"gt": "lt", "ge": "le"}
#: Comparison -> its negation.
_NEGATED = {"ne": "eq"}
#: Comparison -> the function of Python that computes it.
_COMPARE = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}


def decide_comparison(b: NodeTable, fn: str, x: int, y: int) -> int | None:
    """Returns the value that a comparison or remainder has at all points and sizes, or None."""
    if fn in _NEGATED:
        found = decide_comparison(b, _NEGATED[fn], x, y)
        if found is None:
            return None
        return 1 - found
    if fn in _EXCHANGED:
        return decide_comparison(b, _EXCHANGED[fn], y, x)
    if fn in ("and", "or"):
        known = [b.scalar_value(x), b.scalar_value(y)]
        if None in known:
            return None
        if fn == "and":
            return int(all(known))
        return int(any(known))
    if fn not in ("eq", "lt", "le", "mod") or not (b.is_total(x) and b.is_total(y)):
        return None
    if fn == "mod":
        if b.scalar_value(y) == 1 and b.intervals.is_whole(x):
            return 0
        return None
    if fn == "eq" and x == y:
        return 1
    (low, high), (least, most) = b.intervals.of(x), b.intervals.of(y)
    if fn == "eq":
        if high < least or most < low:
            return 0
        if low == high == least == most:
            return 1
        return None
    is_strict = fn == "lt"
    if high < least or (high == least and not is_strict) or _below(b, x, y, is_strict=is_strict):
        return 1
    if low > most or (low == most and is_strict):
        return 0
    return None


def compare_mask(b: NodeTable, fn: str, x: int, y: int) -> tuple[int, bool, bool] | None:
    """Reads a comparison of numbers that are 0 or 1 with a constant; returns None for others.

    ``np.tri(n) == 0`` holds where ``np.tri(n)`` does not. Two functions on {0, 1} are equal if they
    are at 0 and at 1. QED

    Returns:
        The node of the numbers, whether the comparison holds where it is 0, and where it is 1.
    """
    compare = _COMPARE.get(fn)
    for mask, other, is_first in ((x, y, True), (y, x, False)):
        c = b.scalar_value(other)
        if compare is None or c is None or not b.is_total(mask) or not b.intervals.is_whole(mask):
            continue
        low, high = b.intervals.of(mask)
        if low < 0 or high > 1:
            continue
        at_0, at_1 = (compare(t, c) if is_first else compare(c, t) for t in (0, 1))
        return mask, at_0, at_1
    return None


def decide_extreme(b: NodeTable, fn: str, args: tuple[int, ...]) -> int | None:
    """Returns the one of two nodes that is the greater (less) at all points and sizes, or None."""
    if fn not in ("maximum", "minimum"):
        return None
    for low, high in (args, args[::-1]):
        if decide_comparison(b, "le", low, high):
            if fn == "maximum":
                return high
            return low
    return None


def _below(b: NodeTable, x: int, y: int, *, is_strict: bool) -> bool:
    """Checks whether positions, wherever they are read from, are below (or at most) a size."""
    size, bar = b.ranges.get(_source(b, x)), b.nodes[_source(b, y)].as_size
    return size is not None and bar is not None and (bar - size + (not is_strict)).is_at_least(0)


def _source(b: NodeTable, x: int) -> int:
    """Returns the node whose entries a node moves and repeats."""
    while is_view(b, x):
        x = b.nodes[x].args[0]
    return x


def is_view(b: NodeTable, x: int) -> bool:
    """Checks whether a node moves and repeats the entries of one value.

    Sums over axes of size 1 count as such.
    """
    summed = b.nodes[x].single_factor
    if summed is None:
        return False
    source, row, kept = summed
    return all(k in kept or size == ONE for k, size in zip(row, b.shape(source), strict=True))
