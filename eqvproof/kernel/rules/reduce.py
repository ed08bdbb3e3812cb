"""Rule of maxima, minima and products along axes."""

from __future__ import annotations

from ..powers import Power, count
from ..program import Node, Shape
from ..text import one_of
from .base import Lows, Rule, Step, entry_count, power_zero, read_by, read_integers

PRODUCT = "prod"


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    axes = node.at["axes"]
    kept = tuple(s for i, s in enumerate(shapes[0]) if i not in axes)
    is_sorted = list(axes) == sorted(set(axes))
    return is_sorted and len(kept) + len(axes) == len(shapes[0]) and kept == node.shape


def _typed(step: Step) -> bool:
    """Checks the type: max, min and product do not depend on the order of entries.

    perm: so reduced axes vanish, and kept axes are permuted as before. orth, sign: nothing may act
    anywhere.
    """
    kept = [act for i, act in enumerate(step.types[0]) if i not in step.node.at["axes"]]
    return step.is_free() and step.fits(kept)


def _power(step: Step) -> Power | None:
    """Returns the power: a product of n entries c v is c^n times that of v.

    max(c v) = c max(v) for c > 0.
    """
    if step.node.at["fn"] == PRODUCT:
        lengths = tuple(step.shape()[axis] for axis in step.node.at["axes"])
        return count(step.powers[0], entry_count(lengths))
    if step.kind == "scale":
        return step.powers[0]
    return power_zero(step)


def _along(node: Node, shape: Shape) -> list[int | None]:
    """Maps the axes that are kept, and the others to None."""
    axes = node.at["axes"]
    return [None if a in axes else a - sum(b < a for b in axes) for a in range(len(shape))]


def _carries(node: Node, shape: Shape) -> list[int | None] | None:
    """Maps the axes for max and min: max(v + t) = max(v) + t for t along other axes."""
    if node.at["fn"] == PRODUCT:
        return None
    return _along(node, shape)


RULE = Rule(
    "reduce", _shape, _typed, _power, carries=_carries, along=_along,
    attributes={"fn": read_by(one_of, ("max", "min", PRODUCT)), "axes": read_by(read_integers)},
)  # fmt: skip
