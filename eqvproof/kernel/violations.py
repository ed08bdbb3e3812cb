"""Checks bounds of violations: |f(g x) - g f(x)| at a recorded point of a box is at least a number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from . import claims, points
from .exact import three_digits
from .form_values import evaluate
from .interval import F0, Arithmetic, Real, hi, lo
from .report import LARGE_WORK, Rejected, Report, allow_in_all
from .tensors import Tensor, tensor
from .text import fields, integer, read_rational
from .words import group_words, signature_words, sizes_words


def check_violation(content: dict[str, Any]) -> Report:
    """Checks that the Euclidean norm of f(g x) - g f(x) has a lower bound at a recorded point.

    A relative bound is one of that norm over the larger of the norms of f(g x) and g f(x). Squares
    are compared, so that no root is taken: the least possible square of the difference with the
    largest possible square of the sides.
    """
    claim, forms, bound, evidence = fields(content, "$", "claim", "forms", "bound", "evidence")
    given = fields(evidence, "$.evidence", "sizes", "inputs", "element", "precision")
    at_least, is_relative, box = fields(bound, "$.bound", "at_least", "relative", "box")
    least = read_rational(at_least, "$.bound.at_least")
    if least <= 0 or not isinstance(is_relative, bool):
        raise Rejected("$.bound: expected a number above 0, and whether it is relative")
    point = _read_point(claim, *given)
    program, sizes = points.program_at(point, forms, "$.forms")
    if program.opaque():
        raise Rejected("$.forms: an opaque function, which may have any values")
    limits = _box_words(point, box)
    g, axes, known = points.read_element(point, sizes), point.claim.output, dict[int, Tensor]()
    moved = [points.move_input(point, g, name, own, sizes) for name, own in point.claim.inputs]
    at = [point.inputs[name] for name, _ in point.claim.inputs]
    left, value = (evaluate(program, x, point.arithmetic, None, known) for x in (moved, at))
    right = points.move(point, g, value, axes, sizes)
    is_exact = _require_gap(point.arithmetic, left, right, least, is_relative=is_relative)
    kind = "relative to the larger of the two sides, " * is_relative
    statement = (
        f"the program {program.digest} as f, {signature_words(point.claim)}, violates equivariance"
        f" under {group_words(point.claim.group)}: {kind}|f(g x) - g f(x)| is at least"
        f" {three_digits(least, up=False)} (at least {least})"
        f" at {sizes_words(sizes)} and the recorded point{limits}"
    )
    arithmetic, grade = "rational interval", "ENCLOSED"
    if is_exact:
        arithmetic, grade = "rational", "EXACT"
    return Report(
        accepted=True,
        statement=statement,
        grade=grade,
        rests_on=(f"evaluation in {arithmetic} arithmetic",),
    )


def _read_point(claim: Any, sizes: Any, inputs: Any, element: Any, precision: Any) -> points.Point:
    what = claims.claim(claim, "equivariance", each=True)
    if what.readings:
        raise Rejected("$.claim.readings: a point is one of the program as it is written")
    bits = 2 * integer(precision, "$.evidence.precision", 2, points.MOST_PRECISION) + 64
    allow_in_all(LARGE_WORK)
    known = points.read_sizes(what, sizes)
    at = points.read_inputs(what, known, inputs, "$.evidence.inputs")
    return points.Point(what, {"element": element}, known, at, Arithmetic(bits))


def _box_words(point: points.Point, box: Any) -> str:
    """Checks that the point lies in the box, and returns words for it.

    For each argument of real numbers the box holds the least and the largest value: of each entry,
    or one for all entries.
    """
    real = [
        name
        for name, _ in point.claim.inputs
        if name not in point.claim.masks and name not in point.claim.indices
    ]
    words = []
    for name, ends in zip(real, fields(box, "$.bound.box", *real), strict=True):
        path = f"$.bound.box.{name}"
        low, high = (tensor(end, path) for end in fields(ends, path, "low", "high"))
        entries = point.inputs[name].values
        spread = [_spread(end, point.inputs[name], path) for end in (low, high)]
        if not all(a <= x <= b for a, x, b in zip(spread[0], entries, spread[1], strict=True)):
            raise Rejected(f"{path}: the point lies outside of the box")
        if low.shape == high.shape == ():
            words.append(f", {name} from {low.values[0]} to {high.values[0]}")
        else:
            words.append(f", {name} between the recorded arrays")
    return "".join(words)


def _spread(end: Tensor, like: Tensor, path: str) -> Sequence[Fraction]:
    if end.shape == ():
        return end.values * len(like.values)
    if end.shape != like.shape:
        raise Rejected(f"{path}: expected one number, or one for each entry")
    return end.values


def _require_gap(
    a: Arithmetic, left: Tensor, right: Tensor, least: Fraction, *, is_relative: bool
) -> bool:
    """Checks the bound, and returns whether both sides are known exactly."""
    if left.shape != right.shape:
        raise Rejected("the two sides have different shapes")
    x, y = _defined(left), _defined(right)
    gap = lo(_square(a, [a.sub(p, q) for p, q in zip(x, y, strict=True)]))
    wanted = least * least
    if is_relative:
        wanted *= max(hi(_square(a, side)) for side in (x, y))
    if gap <= 0 or gap < wanted:
        raise Rejected("$.bound.at_least: the kernel does not find so large a violation")
    return all(isinstance(value, Fraction) for value in (*x, *y))


def _defined(side: Tensor) -> list[Real]:
    found = [value for value in side.values if value is not None]
    if len(found) < len(side.values):
        raise Rejected("a side that is not defined at the point has no distance to the other")
    return found


def _square(a: Arithmetic, numbers: Sequence[Real]) -> Real:
    """Returns the sum of squares."""
    return a.sum([F0, *(a.square(value) for value in numbers)])


CHECKS = {"violation": check_violation}
