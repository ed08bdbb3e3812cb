"""Rule of sorting: entries in ascending order along an axis."""

from __future__ import annotations

from ..acts import UNI, fixed
from ..powers import Power
from ..program import Node, Shape
from ..text import integer
from .base import Lows, Rule, Step, beside, power_zero, read_by, same_shapes


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    return node.at["axis"] < len(node.shape) and same_shapes(node, shapes, lows)


def _typed(step: Step) -> bool:
    """Checks the type: a sorted fibre does not depend on the order of its entries.

    perm: other axes permute the fibres. orth, sign: nothing may act anywhere.
    """
    axis, columns = step.node.at["axis"], list(step.types[0])
    if columns[axis] != UNI:
        columns[axis] = fixed(step.node.shape[axis])
    return step.is_free() and step.fits(columns)


def _power(step: Step) -> Power | None:
    """Returns the power for c > 0, as multiplying by c keeps the order."""
    if step.kind == "scale":
        return step.powers[0]
    return power_zero(step)


RULE = Rule(
    "sort", _shape, _typed, _power, attributes={"axis": read_by(integer, 0)}, carries=beside
)
