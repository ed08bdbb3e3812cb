"""Rule of constants with stored numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from .. import checker
from ..acts import UNI, Act, Acted, Irrep, fixed, is_fixed
from ..checker import FIX, STD, Axis, Det, Irr, Kind, Part, Prod
from ..loading import part
from ..powers import ANY, NONE, Power
from ..program import Node, Shape
from ..sizes import as_integers
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
    return _is_table_kept(step)


def _is_table_kept(step: Step) -> bool:
    """Checks whether the group takes the constant to chi^power times itself.

    A use of the constant may be one of the table next to it.
    """
    s, power, found = step.setting, step.power, list[Axis]()
    if isinstance(power, str) or (s.factor.about.cyclic and power != NONE):
        return False
    for act in step.stated:
        axis = _axis_of(act)
        if axis is None:
            return False
        found.append(axis)
    values, lengths = step.node.at["values"], as_integers(step.node.shape)
    stated, exact = (tuple(found), power[0].number), step.number not in s.readable
    square: Fraction | None = part("invariants").distance_to_kept(
        s.factor, s.standard, values, lengths, stated, exact=exact
    )
    if square:
        s.read[step.number] = max(square, s.read.get(step.number, Fraction(0)))
    return square is not None


def _axis_of(act: Act) -> Axis | None:
    """Returns an act as parts of an axis, or None where the number of its copies is no number."""
    if isinstance(act, str):
        return ()
    parts = list[Part]()
    for multiplicity, rest in act:
        if not rest:
            parts.append((FIX, multiplicity))
            continue
        if multiplicity.constant is None:
            return None
        size, kind = rest[-1][0], _kind_of(rest[-1][1])
        for length, acted in reversed(rest[:-1]):
            kind, size = Prod(_kind_of(acted), length, kind, size), length * size
        parts += [(kind, size)] * multiplicity.number
    return tuple(parts)


def _kind_of(acted: Acted) -> Kind:
    """Returns a factor of an act as a kind of part."""
    if not isinstance(acted, Irrep):
        return (FIX, STD, checker.DUAL)[acted]
    kind: Kind = {0: FIX, 1: STD}.get(acted.degree, Irr(acted.degree))
    return Det(kind) if acted.twisted else kind


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
