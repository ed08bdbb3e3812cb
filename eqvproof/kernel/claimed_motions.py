"""Reads from a claim how translations move arguments and result: points along one axis, or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import motions
from .claims import Axis, Factor, Term
from .report import Rejected
from .sizes import Size


def claimed_motion(factor: Factor, axes: Sequence[Axis]) -> motions.Motion:
    """Returns how a translation moves a value: points along one axis, or nothing.

    Raises:
        Rejected: several parts of the value are points.
    """
    places = [k for k, axis in enumerate(axes) if any(factor.translates(t) for t in axis)]
    if not places:
        return motions.STILL
    if len(places) > 1 or len(axes[places[0]]) > 1 or not _is_once(factor, axes[places[0]][0]):
        raise Rejected(f"$.claim: {factor} on a value with several parts that are translated")
    return motions.Moved(places[0], 1, (), ())


def given_motion(
    factor: Factor, axes: Sequence[Axis], indexed: str | None, bound: Mapping[str, Size]
) -> motions.Motion:
    """Returns how a translation moves an argument.

    Indices stand for the indicators of their labels, which sum to 1.
    """
    if indexed is None:
        return claimed_motion(factor, axes)
    return motions.Share(len(axes), bound[indexed])


def _is_once(factor: Factor, term: Term) -> bool:
    """Checks whether a part of an axis is one copy of what the factor acts on."""
    return term.name is None or term.coefficient == factor.about.reals
