"""Rule of choices, entry by entry: u where c is not 0, else w."""

from __future__ import annotations

from ..acts import UNI, Act, is_fixed, unify
from ..powers import Power
from .base import Rule, Step, every_axis, same_shapes


def _typed(step: Step) -> bool:
    """Checks the type of a choice between u and w, entry by entry.

    perm: as for map. orth, sign: so too along an axis on which nothing acts; along an acted axis
    the condition does not depend on the entry, so the whole of A u or of A w is chosen.
    """
    columns: list[Act | None] = []
    for c, a, b in zip(*step.types, strict=True):
        act = unify((a, b), step.kind)
        if step.kind == "perm" or (act is not None and is_fixed(act)):
            columns.append(unify((c, a, b), step.kind))
        else:
            columns.append(act if c == UNI else None)
    return step.fits(columns)


def _power(step: Step) -> Power | None:
    """Returns the common power of both values; that of the condition does not matter.

    A condition is 0 or not whatever its character is.
    """
    return step.common(step.powers[1:])


RULE = Rule(
    "select", same_shapes, _typed, _power, arguments=(3, 3), conditions=1, carries=every_axis
)
