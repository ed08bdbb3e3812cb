"""The acts that a claim assigns to the axes of its inputs and of its output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eqvproof.claims.groups.families import family_named
from eqvproof.claims.size import Size
from eqvproof.programs.rules.acts import DUAL, ONE, Act, Factor, canonical, fix, of_irrep

Term = Sequence[object]


def axis_act(
    terms: Sequence[Term], axis: str | int, size: Size, pins: Mapping[str, int], family: str = ""
) -> Act:
    """Returns the act of a factor on an axis that is a sum of terms [coefficient, name, mark].

    The factor belongs to ``axis``. A term is moved when it has the factor's name (a literal term:
    the factor's number) and is not marked ``!``, under GL by its dual when marked ``*``; ``2n`` is
    n + n; a mark ``2e`` says that the term carries this irrep of O(3) or SO(3), as often as fills
    it. ``size`` is the size of the whole axis in the program, in which the names in ``pins`` are
    numbers.
    """
    record = family_named(family)
    special, carries = bool(record and record.special), bool(record and record.irreps)
    has_dual, reals = False, 1
    if record:
        has_dual, reals = record.kind.has_dual, record.reals
    blocks: list[list[Factor]] = []
    for coefficient, name, mark in terms:
        count = int(str(coefficient))
        if str(mark)[:1].isdigit():  # irreps, of any group of motions in space
            own, moved = of_irrep(int(str(mark)[:-1]), str(mark)[-1], special=special)
            blocks.append(
                [(Size.of(count).divide(own) or ONE, False), (own, moved if carries else False)]
            )
            continue
        if name is None:
            one = Size.of(count)
        else:
            one = Size.of(pins.get(str(name), str(name)))
        copies = 1 if name is None else count
        literal = type(axis) is int and count == reals * axis
        if mark != "!" and (literal if name is None else name == axis):
            whole = one if name is None else one * reals
            blocks.extend(
                [[(whole, DUAL if mark == "*" and has_dual else True)]] * max(copies // reals, 1)
            )
        else:
            blocks.append([(one * copies, False)])
    if not any(moved for block in blocks for _, moved in block):
        return fix(size)
    return canonical(blocks)
