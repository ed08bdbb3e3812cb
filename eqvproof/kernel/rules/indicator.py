"""Entries 1 and 0: [i = j] or [j <= i + offset] of two indices, [x = j] of entry and index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..acts import UNI, dual, fixed, normal
from ..program import Node, Shape
from ..text import integer
from .base import Lows, Rule, Step, every_axis, independent


def _offset(value: Any, path: str, pins: Mapping[str, int]) -> int | None:
    if value is None:
        return None
    return integer(value, path)


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    """Checks the shape: [x = j] has one axis more than x; of two indices, [i = j] is square."""
    shape, equal = node.shape, node.at["offset"] is None
    if shapes:
        return equal and len(shape) >= 1 and shape[:-1] == shapes[0]
    return len(shape) == 2 and (not equal or shape[0] == shape[1])


def _typed(step: Step) -> bool:
    """Checks the type of an indicator.

    [i = j] = I = A I A^T for orthogonal A, I = A I (A^-T)^T for every other; [j <= i + k] has the
    types of any constant.

    [x = j], j = 0, 1, ...: a function, entry by entry, as for map. perm: g, with (g v)[i] =
    v[p(i)], makes of the label j the i with p(i) = j, so that [g x = i] is [x = p(i)]: the new axis
    is permuted by g.
    """
    node, stated, s = step.node, step.stated, step.setting
    if not node.args:
        same = stated[0] == (dual(stated[1]) if step.kind == "lin" else stated[1]) != UNI
        return (same and node.at["offset"] is None) or independent(step)
    size, free = node.shape[-1], step.is_free()
    if node.args[0] in s.labels:
        last, free = normal([[(s.standard, True)]]), step.kind == "perm"
    else:
        last = fixed(size)
    return free and step.fits([*step.types[0], last])


RULE = Rule(
    "indicator", _shape, _typed, arguments=(0, 1), attributes={"offset": _offset},
    by_kind=False, relabelled=True, form="number", along=every_axis,
)  # fmt: skip
