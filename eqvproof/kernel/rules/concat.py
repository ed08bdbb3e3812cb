"""Rule of values joined along an axis."""

from __future__ import annotations

from ..acts import fits, split_act
from ..loading import part
from ..powers import Power
from ..program import Node, Shape
from ..sizes import ZERO
from ..text import MOST_NODES, integer
from .base import Lows, Rule, Step, beside, read_by, shared


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    axis, total = node.at["axis"], ZERO
    for shape in shapes:
        if len(shape) != len(node.shape) or axis >= len(shape):
            return False
        total = total + shape[axis]
    return all((*shape[:axis], total, *shape[axis + 1 :]) == node.shape for shape in shapes)


def _typed(step: Step) -> bool:
    """Checks the type: acts A and B on the parts of the axis are A (+) B on the whole.

    On other axes the acts agree, as in add.

    Under O(3) a part A with another power of the determinant than the whole has that of the whole,
    with det A; under other groups all have the same, as `_power` requires.
    """
    axis, columns = step.node.at["axis"], step.unified(step.types)
    columns[axis] = rest = step.stated[axis]
    for number, type_ in enumerate(step.types):
        if isinstance(rest, str):
            return False
        parts = split_act(rest, step.shape(number)[axis], step.setting.lows)
        if parts is None:
            return False
        own, rest = parts
        if step.powers[number] != step.power:
            own = part("space").twisted(own)
        if not fits(type_[axis], own, step.kind):
            return False
    return step.fits(columns)


def _power(step: Step) -> Power | None:
    if step.setting.is_spatial():
        return step.power
    return shared(step)


RULE = Rule(
    "concat", _shape, _typed, _power, arguments=(1, MOST_NODES),
    attributes={"axis": read_by(integer, 0)}, form="moved", carries=beside,
)  # fmt: skip
