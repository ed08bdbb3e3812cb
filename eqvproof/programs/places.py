"""Composes, normalises and evaluates the places at which entries are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from eqvproof.claims.size import Size


@dataclass(frozen=True, slots=True)
class Place:
    """The indices start + sum_k steps[k] i_k at which an axis is read.

    They are taken modulo the size of the axis if ``cyclic``. The i_k are the indices of
    neighbouring axes of the result.
    """

    start: Size
    steps: tuple[int, ...]
    cyclic: bool = False


#: Reads an axis as it is, from its beginning; the size of the result says whether to its end.
WHOLE = Place(Size.of(0), (1,))
Shape = tuple[Size, ...]


def is_whole(place: Place, count: Size, size: Size) -> bool:
    """Checks whether an axis of that size, read by an axis with `count` entries, is unchanged."""
    return place == WHOLE and count == size


def normalise_place(place: Place, counts: Shape, size: Size) -> Place:
    """Normalises a place that reads an axis of that size by axes with `counts` entries."""
    start, modulus = place.start, size.constant
    if not place.cyclic:
        return place
    if modulus and start.constant is not None:
        start = Size.of(start.constant % modulus)
    elif start == size:
        start = Size.of(0)
    whole = not start.terms and place.steps == (1,) and counts == (size,)
    if whole:
        return WHOLE
    return Place(start, place.steps, cyclic=True)


def compose_places(inner: Place, outer: Sequence[Place], counts: Shape, size: Size) -> Place | None:
    """Composes a read of a read into one place; None if no single place is known.

    Args:
        inner: reads an axis of that size, by axes with `counts` entries.
        outer: how these axes are read.
        counts: see inner.
        size: see inner.

    ``(a + k (b mod s)) mod s = (a + k b) mod s``, and ``a + k b`` without a modulus. A part of a
    shifted axis is left as it is: no single place describes it as well.
    """
    if inner == WHOLE and counts == (size,):
        return outer[0]
    for place, count in zip(outer, counts, strict=True):
        if place.cyclic:
            fits = inner.cyclic and count == size
        else:
            fits = not inner.cyclic or place == WHOLE
        if not fits:
            return None
    start, steps = inner.start, list[int]()
    for step, place in zip(inner.steps, outer, strict=True):
        start = start + place.start * step
        steps += [step * s for s in place.steps]
    return Place(start, tuple(steps), inner.cyclic)


def indices(place: Place, counts: Sequence[int], size: int, start: int) -> range | list[int]:
    """Returns the indices at which an axis of that size is read, in row-major order of `counts`."""
    if len(counts) == 1 and not place.cyclic:
        (step,) = place.steps
        if step:
            return range(start, start + step * counts[0], step)
        return [start] * counts[0]
    found = [
        start + sum(s * i for s, i in zip(place.steps, at, strict=True))
        for at in product(*map(range, counts))
    ]
    if place.cyclic and size:
        return [i % size for i in found]
    return found
