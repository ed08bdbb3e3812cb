"""Rule of constants with stored numbers."""

from __future__ import annotations

from dataclasses import replace

from ..acts import UNI, Act, fixed, is_fixed
from ..loading import part
from ..powers import ANY, NONE, Power
from ..program import Node, Shape
from ..text import rationals
from .base import Lows, Rule, Step, entry_count, read_by


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    return entry_count(node.shape).constant == len(node.at["values"])


def _zero(node: Node) -> bool:
    return not any(node.at["values"])


def _typed(step: Step) -> bool:
    """Checks the type of a value that does not depend on the input."""
    derived: list[Act] = []
    values, inner = step.node.at["values"], len(step.node.at["values"])
    for size in step.node.shape:
        length = size.constant or 1
        block, inner = inner, inner // length
        constant = all(values[i] == values[i - i % block + i % inner] for i in range(len(values)))
        derived.append(UNI if constant else fixed(size))  # no values are 0, of every type
    return step.fits(derived)


def _kept(step: Step) -> bool:
    """Checks whether every generator of the group takes the constant to chi^power times itself.

    Along an axis with UNI the constant must not vary.
    """
    moved = [i for i, act in enumerate(step.stated) if not is_fixed(act)]
    still = tuple(fixed(n) if i in moved else step.stated[i] for i, n in enumerate(step.node.shape))
    if not moved or not _typed(replace(step, stated=still)):
        return False
    if step.setting.is_spatial():
        return bool(part("space").is_kept(step))
    return bool(part("invariants").is_kept(step, moved))


def _power(step: Step) -> Power:
    """Returns power 0; zeros have every power."""
    if _zero(step.node):
        return ANY
    return NONE


CONST = "const"
RULE = Rule(
    CONST, _shape, _typed, _power, arguments=(0, 0), attributes={"values": read_by(rationals)},
    by_kind=False, kept=_kept, form="number", zero=_zero,
)  # fmt: skip
