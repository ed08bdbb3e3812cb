"""Columns of V: unit eigenvectors of (M + M^T)/2, in the ascending order of their eigenvalues.

Of several matrices along one axis, of each; there is no value where two eigenvalues are equal.
Which of the two vectors of each is meant is not said; what that asks of a proof is in `proof`. The
value holds the columns from `start` on, or that one column.
"""

from __future__ import annotations

from ..acts import UNI, fixed, is_fixed, normal
from ..powers import NONE, UNIT, Power
from ..program import Node, Shape
from ..sizes import ONE, is_nonnegative
from ..text import read_size
from .base import Lows, Rule, Step, power_zero


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    (matrix,) = shapes
    if not 2 <= len(matrix) <= 3 or len(node.shape) > len(matrix) or matrix[-1] != matrix[-2]:
        return False
    if node.shape[: len(matrix) - 1] != matrix[:-1]:
        return False
    start, (count,) = node.at["start"], node.shape[len(matrix) - 1 :] or (ONE,)
    return all(is_nonnegative(n, lows) for n in (start, count, matrix[-1] - start - count))


def _typed(step: Step) -> bool:
    """Checks the type: for eigenvectors V of M and orthogonal A, A V are eigenvectors of A M A^T.

    They have the same eigenvalues in order.

    So they are a choice of eigenvectors at g x where V is one at x; it is one choice for all lines
    of a proof. Where the signs of this value are flipped, by s, V s is another choice for the same
    M. These are matrices s on the columns; of one column s is chi. Several matrices are permuted
    with their V, and equal ones may have others; that each of them has signs of its own is checked
    in `each`.
    """
    setting, lengths = step.setting, step.shape()
    pairs = zip(step.types[0], lengths, strict=True)
    *batch, a, columns = (fixed(n) if act == UNI else act for act, n in pairs)
    free = all(map(is_fixed, batch))
    if a != columns or not (free or step.kind == "perm"):
        return False
    is_early = setting.flipped is not None and step.number <= setting.flipped
    if (is_early or step.kind == "lin") and not (free and is_fixed(a)):
        return False
    last = [
        normal([[(n, step.number == setting.flipped)]]) for n in step.node.shape[len(lengths) - 1 :]
    ]
    chosen = setting.chosen.setdefault(step.number, (step.stated, step.power))
    return step.fits([*batch, a, *last]) and chosen == (step.stated, step.power)


def _power(step: Step) -> Power | None:
    """Returns power 0, or 1 for one column whose sign is flipped.

    c M, c > 0, has the eigenvectors of M in order; of other arguments with a power nothing is
    known.
    """
    if step.kind == "scale":
        return NONE
    is_one = len(step.node.shape) < len(step.shape()) and step.number == step.setting.flipped
    if is_one and power_zero(step) is not None:
        return UNIT
    return power_zero(step)


def _along(node: Node, shape: Shape) -> list[int | None]:
    """Maps the batch axes to themselves, as matrices are taken one by one."""
    return [*range(len(shape) - 2), None, None]


RULE = Rule(
    "eigenvectors", _shape, _typed, _power, by_kind=False, attributes={"start": read_size},
    sizes=lambda node: [node.at["start"]], is_up_to_signs=True, along=_along,
)  # fmt: skip
