"""Columns of V: unit eigenvectors of (M + M^T)/2, in the ascending order of their eigenvalues.

There is no value where two eigenvalues are equal. Which of the two vectors of each is meant is not said; what
that asks of a proof is in `proof`. The value holds the columns from `start` on, or that one column.
"""

from __future__ import annotations

from ..acts import UNI, fixed, is_fixed, normal
from ..powers import NONE, UNIT, Power
from ..program import Node, Shape
from ..sizes import ONE, is_nonnegative
from ..text import size
from .base import Lows, Rule, Step, plain


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    (matrix,) = shapes
    if len(matrix) != 2 or matrix[0] != matrix[1] or node.shape[:1] != matrix[:1] or len(node.shape) > 2:
        return False
    start, count = node.at["start"], node.shape[1] if len(node.shape) == 2 else ONE
    return all(is_nonnegative(n, lows) for n in (start, count, matrix[0] - start - count))


def _typed(step: Step) -> bool:
    """A V are eigenvectors of A M A^T for those V of M, A orthogonal, with the same eigenvalues in order.

    So they are a choice of eigenvectors at g x where V is one at x; it is one choice for all lines of a
    proof. Where the signs of this value are flipped, by s, V s is another choice for the same M. These are
    matrices s on the columns; of one column s is chi.
    """
    setting, (rows, columns) = step.setting, step.types[0]
    a = fixed(step.shape()[0]) if rows == UNI else rows
    if rows != columns or (step.kind == "lin" and not is_fixed(a)):
        return False
    flipped = setting.flipped
    if flipped is not None and step.number <= flipped and not is_fixed(a):
        return False
    last = [normal([[(n, step.number == flipped)]]) for n in step.node.shape[1:]]
    chosen = setting.chosen.setdefault(step.number, (step.stated, step.power))
    return step.fits([a, *last]) and chosen == (step.stated, step.power)


def _power(step: Step) -> Power | None:
    """None, but that of one column whose sign is flipped; c M, c > 0, has the eigenvectors of M in order."""
    if step.kind == "scale":
        return NONE
    is_flipped = len(step.node.shape) == 1 and step.number == step.setting.flipped
    return UNIT if is_flipped and plain(step) is not None else plain(step)


RULE = Rule(
    "eigenvectors", _shape, _typed, _power, by_kind=False, attributes={"start": size},
    sizes=lambda node: [node.at["start"]], is_up_to_signs=True,
)  # fmt: skip
