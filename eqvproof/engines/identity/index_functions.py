"""Slots: what stands in a place of an atom, an index as a function of a label.

A slot is a pair (label, path): the value of the label (0 for the label NONE), sent through the steps of the
path one after another. A step ("affine", start, k) sends i to start + k i; a step ("roll", size, k) sends i
to (i - k) mod size. Sizes are stored as the sorted terms of a polynomial, so that paths can be put in order.
"""

from __future__ import annotations

from typing import NamedTuple

from eqvproof.program import Size

Terms = tuple[tuple[tuple[str, ...], int], ...]


class Step(NamedTuple):
    """One step of a path; see the module."""

    kind: str
    terms: Terms
    number: int


Path = tuple[Step, ...]
Slot = tuple[int, Path]

NONE = -1
FIRST: Slot = (NONE, ())


def affine(start: Size, step: int) -> Step:
    """The step i -> start + step i."""
    return Step("affine", start.terms, step)


def roll(shift: int, size: Size) -> Step:
    """The step i -> (i - shift) mod size."""
    constant = size.constant
    return Step("roll", size.terms, shift % constant if constant else shift)


def then(path: Path, steps: Path) -> Path:
    """The path that goes on with more steps, adjacent ones merged."""
    for step in steps:
        path = _append(path, step)
    return path


def _append(path: Path, step: Step) -> Path:
    last = path[-1] if path else None
    if last and last.kind == step.kind == "affine":
        start = Size(step.terms) + Size(last.terms) * step.number
        path, step = path[:-1], affine(start, last.number * step.number)
    elif last and last.kind == step.kind == "roll" and last.terms == step.terms:
        path, step = path[:-1], roll(last.number + step.number, Size(step.terms))
    if step == ("affine", (), 1) or (step.kind == "roll" and step.number == 0):
        return path
    return (*path, step)


def compose(slot: Slot, path: Path) -> Slot:
    """The slot whose index is the path's value at the index of a slot."""
    label, before = slot
    if label != NONE:
        return label, then(before, path)
    for position, step in enumerate(path):
        at = fixed_index((NONE, before))
        size = Size(step.terms)
        if at is None:
            return NONE, then(before, path[position:])
        if step.kind == "affine":
            before = fixed(size + at * step.number)[1]
        elif at.constant is not None and size.constant:
            before = fixed(Size.of((at.constant - step.number) % size.constant))[1]
        else:
            return NONE, then(before, path[position:])
    return NONE, before


def fixed(index: Size) -> Slot:
    """The slot of a fixed index."""
    return (NONE, (affine(index, 0),)) if index.terms else FIRST


def fixed_index(slot: Slot) -> Size | None:
    """The fixed index of a slot, or None where it varies or is not known as a polynomial."""
    label, path = slot
    if label != NONE or len(path) > 1:
        return None
    if not path:
        return Size(())
    return Size(path[0].terms) if path[0].kind == "affine" else None


def linear(slot: Slot) -> tuple[Size, int] | None:
    """(start, step) where the index is start + step label (step 0: a fixed index), or None."""
    at = fixed_index(slot)
    if at is not None:
        return at, 0
    label, path = slot
    if label == NONE:
        return None
    if not path:
        return Size(()), 1
    if len(path) == 1 and path[0].kind == "affine":
        return Size(path[0].terms), path[0].number
    return None
