"""Entries read at other places: ``out[i] = x[e_1(i), ..., e_k(i)]``, an index e for each axis of x.

A place (start, steps, cyclic) reads an axis at ``start + sum_l steps[l] i_l``, where cyclic modulo its size;
the first axis is read by the first axes of the result, the next by those that follow.
"""

from __future__ import annotations

from collections.abc import Mapping

from .decode import Node
from .sizes import ONE, ZERO, Size, is_nonnegative


def readers(node: Node) -> list[range]:
    """The axes of the result by which each axis of the argument is read."""
    found: list[range] = []
    for _, steps, _ in node.at["places"]:
        first = found[-1].stop if found else 0
        found.append(range(first, first + len(steps)))
    return found


def moved(node: Node, shape: tuple[Size, ...]) -> list[int]:
    """The axes of the argument, of that shape, that are not read as they are."""
    rows = zip(node.at["places"], readers(node), shape, strict=True)
    return [
        a for a, (place, axes, size) in enumerate(rows)
        if place != (ZERO, (1,), False) or node.shape[axes.start] != size
    ]  # fmt: skip


def is_in_range(node: Node, shape: tuple[Size, ...], lows: Mapping[str, int]) -> bool:
    """Whether all places lie in their axes, at all sizes.

    ``start + sum_l step_l i_l`` is least and greatest at ends of the ranges of the i_l. A cyclic place lies
    in its axis unless that has no entries, and then the result has none either.
    """
    places, axes = node.at["places"], readers(node)
    if len(places) != len(shape) or (axes[-1].stop if axes else 0) != len(node.shape):
        return False
    for (start, steps, cyclic), own, size in zip(places, axes, shape, strict=True):
        counts = node.shape[own.start : own.stop]
        if ZERO in counts:
            continue
        if cyclic:
            if size not in counts and not is_nonnegative(size - ONE, lows):
                return False
            continue
        low = high = start
        for step, count in zip(steps, counts, strict=True):
            far = (count - ONE) * Size.of(step)
            low, high = (low, high + far) if step > 0 else (low + far, high)
        if not (is_nonnegative(low, lows) and is_nonnegative(size - ONE - high, lows)):
            return False
    return True
