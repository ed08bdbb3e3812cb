"""Matrices of forms: [[0, I], [-I, 0]] of even size, and diag(1, -1, ..., -1)."""

from __future__ import annotations

from ..acts import dual, normal
from ..program import Node, Shape
from ..text import boolean
from .base import Lows, Rule, Step, independent, read_by


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    """Checks that the matrix is square, and of even size if it has no signs."""
    even = node.at["signs"] or all(c % 2 == 0 for _, c in node.shape[0].terms)
    return len(node.shape) == 2 and node.shape[0] == node.shape[1] and even


def _typed(step: Step) -> bool:
    """Checks the type of a constant, which the group of its form keeps.

    Where g^T B g = B for all g, g^-T B g^-1 = B; and g B g^T = B, as B^-1 is B or -B.

    No type of an orthogonal group has duals.
    """
    s, stated = step.setting, step.stated
    kept = s.factor.about.form == ("minkowski" if step.node.at["signs"] else "symplectic")
    if kept:
        moved = normal([[(s.standard, True)]])
        if stated in ((moved, moved), (dual(moved), dual(moved))):
            return True
    return independent(step)


RULE = Rule(
    "form", _shape, _typed, arguments=(0, 0), attributes={"signs": read_by(boolean)}, by_kind=False,
    form="number",
)  # fmt: skip
