"""Places in forms, as arithmetic of labels and sizes, and the axes that a reshape joins or splits."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.translation import ONE
from eqvproof.support.errors import ExportError


def size_as_place(size: Size) -> Any:
    """Returns a size as a place; the subtracted part is no more than the rest."""
    more = Size(tuple((names, c) for names, c in size.terms if c > 0))
    less = more - size
    text: Any = ("Size", more)
    if more.constant is not None:
        text = ("Num", more.constant)
    if less.terms:
        return ("Minus", text, size_as_place(less))
    return text


def cyclic_place(start: Size, steps: Sequence[int], labels: Sequence[int], size: Size) -> Any:
    """Returns the place of start plus the steps, modulo a size.

    Subtracting one is written as adding the size less one.
    """
    whole: Any = ("Size", size)
    if any(c < 0 for _, c in size.terms):
        whole = size_as_place(size)
    back = ("Minus", whole, ("Num", 1))

    def times(count: int, place: Any) -> Any:
        if count < 0:
            place = ("Times", back, place)
        if abs(count) == 1:
            return place
        return ("Times", ("Num", abs(count)), place)

    if start.constant is None:
        raise ExportError.of("read", "a shift that is a number")
    terms = [times(step, ("Lab", label)) for step, label in zip(steps, labels, strict=True)]
    if start.constant > 0:
        terms.append(("Num", start.constant))
    elif start.constant < 0:
        terms.append(("Times", back, ("Num", -start.constant)))
    return ("Modulo", sum_of_places(terms), whole)


def sum_of_places(terms: Sequence[Any]) -> Any:
    """Returns the place that is a sum of places; 0 if there are none."""
    found, *others = terms or [("Num", 0)]
    for term in others:
        found = ("Plus", found, term)
    return found


def affine_place(start: Size, steps: Sequence[int], labels: Sequence[int]) -> Any:
    """Returns the place of start plus the steps; negative steps are subtracted at the end."""
    terms: list[tuple[int, Any]] = []
    for step, label in zip(steps, labels, strict=True):
        term: Any = ("Lab", label)
        if abs(step) != 1:
            term = ("Times", ("Num", abs(step)), term)
        terms.append((step, term))
    more = [size_as_place(start)] if start.terms else []
    found = sum_of_places([*more, *(term for step, term in terms if step > 0)])
    for step, term in terms:
        if step < 0:
            found = ("Minus", found, term)
    return found


def whole_size(size: Size) -> Any:
    """Returns a size as a place, in one piece if it can be, so that it equals that of an axis."""
    if any(count < 0 for _, count in size.terms):
        return size_as_place(size)
    return ("Size", size)


def groups_of_axes(
    before: Sequence[Size], after: Sequence[Size]
) -> list[tuple[list[int], list[int]]]:
    """Groups the axes before and after a reshape, so that groups have equal size.

    Axes of size 1 are left out.
    """
    left = [a for a, s in enumerate(before) if s != ONE]
    right = [a for a, s in enumerate(after) if s != ONE]
    found: list[tuple[list[int], list[int]]] = []
    while left or right:
        ours, theirs = left[:1], right[:1]
        left, right = left[1:], right[1:]
        while (p := prod((before[a] for a in ours), start=ONE)) != (
            q := prod((after[a] for a in theirs), start=ONE)
        ):
            grow = (p.divide(q) is None and q.divide(p) is not None) or not right
            if grow and left:
                ours.append(left.pop(0))
            elif right:
                theirs.append(right.pop(0))
            else:
                raise ExportError.of("reshape", "axes that are joined and split in groups")
        found.append((ours, theirs))
    return found
