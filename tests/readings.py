"""Parts, reversals and shifts as readings: the words that tests use for them."""

from __future__ import annotations

from typing import Any

from eqvproof.programs import Size
from eqvproof.programs.operations import MATRIX_FUNCTIONS, WHOLE, Args, Place, Read, Shape

VIEWS = ("slice", "flip", "roll", "circulant")


def written(op: str, given: list[Any], **at: Any) -> tuple[str, dict[str, Any]]:
    """An operation of certificates with its attributes: those of a view, those that tests leave out."""
    if op in VIEWS:
        return "read", {"places": places(op, given, **at)}
    if op in MATRIX_FUNCTIONS:
        return "matrix_function", {"fn": op}
    return op, ({"offset": None} | at if op == "indicator" else at)


def _along(args: Args, shape: Shape, axis: int, place: Place) -> Read:
    rank = len(shape) + 1 - len(place.steps)
    return Read(args, shape, tuple(place if a == axis else WHOLE for a in range(rank)))


def part(args: Args, shape: Shape, axis: int, start: Size, step: int = 1) -> Read:
    """Entries start, start + step, ... along an axis."""
    return _along(args, shape, axis, Place(start, (step,)))


def flip(args: Args, shape: Shape, axis: int) -> Read:
    """An axis reversed."""
    return _along(args, shape, axis, Place(shape[axis] - 1, (-1,)))


def roll(args: Args, shape: Shape, axis: int, shift: int) -> Read:
    """out[i] = in[(i - shift) mod s]."""
    return _along(args, shape, axis, Place(Size.of(-shift), (1,), cyclic=True))


def circulant(args: Args, shape: Shape, sign: int) -> Read:
    """out[..., i, j] = in[..., (i + sign j) mod s]."""
    return _along(args, shape, len(shape) - 2, Place(Size.of(0), (1, sign), cyclic=True))


def size(value: Any) -> Size:
    """A size as certificates write it."""
    if isinstance(value, (int, str)):
        return Size.of(value)
    total = Size.of(0)
    for coefficient, names in value:
        product = Size.of(coefficient)
        for name in names:
            product = product * name
        total = total + product
    return total


def places(op: str, given: list[Any], **at: Any) -> list[Any]:
    """The places of a part, reversal or shift of an array of that shape, as certificates write them."""
    axis = at.get("axis", len(given) - 1)
    place: list[Any] = [0, [1], False]
    if op == "slice":
        place = [at["start"], [at["step"]], False]
    elif op == "flip":
        place = [(size(given[axis]) - 1).to_json(), [-1], False]
    elif op == "roll":
        place = [-at["shift"], [1], True]
    else:
        place = [0, [1, at["sign"]], True]
    return [place if a == axis else [0, [1], False] for a in range(len(given))]
