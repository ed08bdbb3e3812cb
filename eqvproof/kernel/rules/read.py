"""Rule of slices, flips and shifts: ``out[i] = x[e_1(i), ..., e_k(i)]``, an index e per axis.

A place (start, steps, cyclic) reads an axis at ``start + sum_l steps[l] i_l``, where cyclic modulo
its size; the first axis is read by the first axes of the result, the next by those that follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..acts import UNI, Act, fits, fixed, is_fixed, normal, split_act
from ..program import Node, Shape
from ..report import Rejected
from ..sizes import ONE, ZERO, Size, is_nonnegative
from ..text import MOST_RANK, integer, items, read_size
from .base import Lows, Rule, Setting, Step, shared

Place = tuple[Size, tuple[int, ...], bool]
AS_IT_IS: Place = (ZERO, (1,), False)


def _read_places(value: Any, path: str, pins: Mapping[str, int]) -> tuple[Place, ...]:
    found = []
    for entry in items(value, path, MOST_RANK):
        if len(items(entry, path)) != 3 or type(entry[2]) is not bool:
            raise Rejected(f"{path}: expected a start, steps, and whether the axis goes round")
        steps = tuple(integer(v, path) for v in items(entry[1], path, MOST_RANK))
        found.append((read_size(entry[0], path, pins), steps, entry[2]))
    return tuple(found)


def readers(node: Node) -> list[range]:
    """Returns the axes of the result by which each axis of the argument is read."""
    found: list[range] = []
    for _, steps, _ in node.at["places"]:
        first = sum(map(len, found))
        found.append(range(first, first + len(steps)))
    return found


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    """Checks that all places lie in their axes, at all sizes.

    ``start + sum_l step_l i_l`` is least and greatest at ends of the ranges of the i_l. A cyclic
    place lies in its axis unless that has no entries, and then the result has none either.
    """
    places, axes, shape = node.at["places"], readers(node), shapes[0]
    if len(places) != len(shape) or sum(map(len, axes)) != len(node.shape):
        return False
    for (start, steps, cyclic), own, length in zip(places, axes, shape, strict=True):
        counts = node.shape[own.start : own.stop]
        if ZERO in counts:
            continue
        if cyclic:
            if length not in counts and not is_nonnegative(length - ONE, lows):
                return False
            continue
        ends = [start, start]  # the least and the greatest position
        for step, count in zip(steps, counts, strict=True):
            ends[step > 0] = ends[step > 0] + (count - ONE) * Size.of(step)
        if not (is_nonnegative(ends[0], lows) and is_nonnegative(length - ONE - ends[1], lows)):
            return False
    return True


def _typed(step: Step) -> bool:
    """Checks the type: entries are moved, axis after axis.

    Acts on the axes that are read as they are mix whole lines.

    Entries that g does not act on stay what they are, wherever they are read. B acts on the middle
    part of A (+) B (+) C. Where g shifts x by c, and the indices i_l with a_l = 1 are shifted by c,
    the place ``start + sum_l step_l i_l`` modulo n is shifted by c sum_l step_l a_l, which is c
    where that sum is 1; where g leaves x alone, the sum must be 0.
    """
    node = step.node
    rows = zip(step.types[0], step.shape(), node.at["places"], readers(node), strict=True)
    return all(
        _axis(act, length, place, [(node.shape[k], step.stated[k]) for k in own], step.setting)
        for act, length, place, own in rows
    )


def _axis(
    act: Act, length: Size, place: Place, stated: Sequence[tuple[Size, Act]], s: Setting
) -> bool:
    """Checks whether the axes by which one axis is read have the stated acts."""
    (start, steps, cyclic), kind = place, s.factor.kind
    if is_fixed(act):
        derived = [UNI if isinstance(act, str) else fixed(count) for count, _ in stated]
        if all(fits(d, want, kind) for d, (_, want) in zip(derived, stated, strict=True)):
            return True
    if cyclic:
        moved = normal([[(s.standard, True)]])
        shifted = [want == moved and count == length for count, want in stated]
        still = [want == fixed(count) for count, want in stated]
        total = sum(step for step, chosen in zip(steps, shifted, strict=True) if chosen)
        good = (is_fixed(act) and total == 0) or (act == moved and total == 1)
        alone = all(a != b for a, b in zip(shifted, still, strict=True))
        return s.factor.about.cyclic and length == s.standard and alone and good
    if isinstance(act, str) or steps != (1,):
        return False
    front = split_act(act, start, s.lows)
    if front:
        middle = split_act(front[1], stated[0][0], s.lows)
    else:
        middle = None
    return middle is not None and fits(middle[0], stated[0][1], kind)


def _carries(node: Node, shape: Shape) -> list[int | None]:
    """Maps the axes that are read as they are, and the others to None."""
    rows = zip(node.at["places"], readers(node), shape, strict=True)
    return [
        own.start if place == AS_IT_IS and node.shape[own.start] == length else None
        for place, own, length in rows
    ]


RULE = Rule(
    "read", _shape, _typed, shared, attributes={"places": _read_places},
    sizes=lambda node: [start for start, _, _ in node.at["places"]], form="moved", carries=_carries,
)  # fmt: skip
