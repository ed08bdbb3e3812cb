"""Rule of sums, entry by entry."""

from __future__ import annotations

from ..text import MOST_NODES
from .base import Rule, Step, every_axis, same_shapes, shared


def _typed(step: Step) -> bool:
    """Checks the type: A u + A w = A (u + w), for equal acts along every axis."""
    return step.fits(step.unified(step.types))


RULE = Rule(
    "add", same_shapes, _typed, shared, arguments=(2, MOST_NODES), form="sum", along=every_axis
)  # fmt: skip
