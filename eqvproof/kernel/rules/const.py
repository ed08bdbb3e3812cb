"""Numbers that are written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from ..acts import UNI, Act, fixed, is_fixed
from ..loading import part
from ..powers import ANY, NONE, Power
from ..program import Node, Shape
from ..report import paid, spend
from ..sizes import Size
from ..text import rationals
from .base import Facts, Lows, Rule, Step, entries, read_by

MOST_ENTRIES = 4096


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    return entries(node.shape).constant == len(node.at["values"])


def _zero(node: Node) -> bool:
    return not any(node.at["values"])


def _typed(step: Step) -> bool:
    """Does not depend on the input. UNI where the listed values do not vary along the axis."""
    derived: list[Act] = []
    values, inner = step.node.at["values"], len(step.node.at["values"])
    for size in step.node.shape:
        length = size.constant or 1
        block, inner = inner, inner // length
        constant = all(values[i] == values[i - i % block + i % inner] for i in range(len(values)))
        derived.append(UNI if constant else fixed(size))  # no values are 0, of every type
    return step.fits(derived)


def _kept(step: Step) -> bool:
    """A constant that every generator of the group takes to chi^power times itself, and UNI where it is."""
    moved = [i for i, act in enumerate(step.stated) if not is_fixed(act)]
    still = tuple(fixed(n) if i in moved else step.stated[i] for i, n in enumerate(step.node.shape))
    if not moved or not _typed(replace(step, stated=still)):
        return False
    if step.setting.is_spatial():
        return bool(part("space").is_kept(step))
    return bool(part("invariants").is_kept(step, moved))


def _power(step: Step) -> Power:
    """Zeros have every power."""
    return ANY if _zero(step.node) else NONE


def _sums(node: Node, args: Sequence[Facts], counts: Sequence[Size | None]) -> Facts:
    """Sums along an axis that are one number, and the entries (None) where they are."""
    values: Sequence[Fraction] = node.at["values"]
    if len(values) > MOST_ENTRIES:
        return {}
    spend(len(values) * (1 + len(node.shape)))
    lengths = [size.constant or 0 for size in node.shape]
    sums = {(None, i): value for i, value in enumerate(values)}
    found: Facts = {}
    for axis in (None, *range(len(lengths))):
        if axis is not None:
            sums, behind = {}, prod(lengths[axis + 1 :])
            for i, value in enumerate(values):
                line = (i // (behind * lengths[axis]), i % behind)
                sums[line] = paid(sums.get(line, Fraction(0)) + value)
        if len(set(sums.values())) == 1:
            value = next(iter(sums.values()))
            found[axis] = (Size.of(value.numerator), Size.of(value.denominator))
    return found


CONST = "const"
RULE = Rule(
    CONST, _shape, _typed, _power, arguments=(0, 0), attributes={"values": read_by(rationals)},
    by_kind=False, kept=_kept, form="number", zero=_zero, sums=_sums,
)  # fmt: skip
