"""Numbers that are written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from ..acts import DUAL, UNI, Act, fixed, is_fixed, normal
from ..loading import part
from ..powers import ANY, NONE, Power
from ..program import Node, Shape
from ..report import spend
from ..sizes import ONE, Size
from .base import Facts, Lows, Rule, Step, entries

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
        constant = all(
            values[i] == values[i - i % block + i % inner] for i in range(len(values) if block else 0)
        )
        derived.append(UNI if constant and values else fixed(size))
    return step.fits(derived)


def _kept(step: Step) -> bool:
    """A constant that every generator of the group takes to chi^power times itself (`invariants`)."""
    node, stated, power, s = step.node, step.stated, step.power, step.setting
    size = s.standard.constant
    if s.is_spatial():
        return _kept_in_space(step)
    moved = [i for i, act in enumerate(stated) if not is_fixed(act)]
    ways: dict[Act, int] = {normal([[(s.standard, True)]]): 1}
    if step.kind == "lin":
        ways[normal([[(s.standard, DUAL)]])] = -1
    if size is None or not moved or any(stated[i] not in ways for i in moved) or isinstance(power, str):
        return False
    lengths = [n.constant for n in node.shape]
    still = tuple(fixed(n) if i in moved else stated[i] for i, n in enumerate(node.shape))
    if None in lengths or not _typed(replace(step, stated=still)):
        return False
    strides = tuple(prod(n or 1 for n in lengths[i + 1 :]) for i in moved)
    invariants = part("invariants")
    c = invariants.Constant(node.at["values"], size, strides, tuple(ways[stated[i]] for i in moved))
    return bool(invariants.is_kept(c, s.factor, power[0].constant or 0, special=s.is_special()))


def _kept_in_space(step: Step) -> bool:
    """The same under O(3) or SO(3), with irreps on axes; a use may be one of the table next to it."""
    irreps, s, lengths = part("irreps"), step.setting, [n.constant or 0 for n in step.node.shape]
    if all(is_fixed(act) for act in step.stated) or not all(map(irreps.is_readable, step.stated)):
        return False
    found = irreps.kept(step.node.at["values"], lengths, step.stated, exact=not s.is_read)
    if found is None:
        return False
    if found.square:
        s.read[step.number] = max(found.square, s.read.get(step.number, Fraction(0)))
    return s.is_special() or step.power == (Size.of(found.power), ONE)


def _power(step: Step) -> Power:
    """Zeros have every power."""
    return ANY if step.kind == "scale" and _zero(step.node) else NONE


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
                sums[line] = sums.get(line, Fraction(0)) + value
        if len(set(sums.values())) == 1:
            value = next(iter(sums.values()))
            found[axis] = (Size.of(value.numerator), Size.of(value.denominator))
    return found


RULE = Rule(
    "const", _shape, _typed, _power, arguments=(0, 0), values=True, by_kind=False, kept=_kept,
    form="number", zero=_zero, sums=_sums,
)  # fmt: skip
