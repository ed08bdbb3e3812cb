"""Checks claims about finitely many points: values equal or different, results of wrong shape."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from . import claims
from .claims import Claim
from .form_shapes import shaped
from .form_values import bound_sizes, evaluate, read_forms
from .interval import Arithmetic
from .points import read_inputs
from .report import LARGE_WORK, Rejected, Report, allow_in_all, spend
from .sizes import Size
from .tensors import Tensor
from .text import fields, items
from .words import signature_words, sizes_words

#: Largest number of choices of sizes, and of points at each.
MOST_SIZES, MOST_POINTS = 64, 4096
#: Kind -> what is shown of f and g, or of f alone, and the grade.
SHOWN = {
    "equality": ("f(x) = g(x) at the recorded points", "DECIDED"),
    "inequality": ("f(x) is not g(x) at each of the recorded points", "EXACT"),
    "injective": ("f has different values at the recorded points", "DECIDED"),
    "collision": ("f has one value at two different points, which are recorded", "EXACT"),
}
PAIRS = ("equality", "inequality")


def check_points(content: dict[str, Any], *, kind: str) -> Report:
    """Checks a claim about the values of programs at recorded rational points, computed exactly.

    The scope of the claim lists choices of sizes; for each of them there is a program in forms, two where
    two are compared, and points. Points of different sizes are not compared.
    """
    names = ("forms", "others") if kind in PAIRS else ("forms",)
    claim, evidence, *programs = fields(content, "$", "claim", "evidence", *names)
    (points,) = fields(evidence, "$.evidence", "points")
    if not isinstance(claim, dict):
        raise Rejected("$.claim: expected an object")
    sizes = items(claim.get("scope"), "$.claim.scope", MOST_SIZES)
    lists = [items(x, "$") for x in (points, *programs)]
    if not sizes or any(len(x) != len(sizes) for x in lists):
        raise Rejected("$: expected a program or two, and points, for each choice of sizes")
    allow_in_all(LARGE_WORK)
    texts = []
    for at, some, *given in zip(sizes, *lists, strict=True):
        what = claims.claim({**claim, "scope": at}, "identity")
        count = _check_at(what, given, items(some, "$.evidence.points", MOST_POINTS), kind)
        texts.append(f"{sizes_words(what.pins)} ({count} points)")
    shown, grade = SHOWN[kind]
    statement = f"{shown}, at {'; at '.join(texts)}, {signature_words(what)}"
    rests = (
        "evaluation in rational arithmetic",
        "that the recorded points are those that are meant",
    )
    return Report(
        accepted=True, statement=statement, grade=grade, rests_on=rests[: 1 + (kind != "collision")]
    )


def _check_at(what: Claim, programs: list[Any], points: list[Any], kind: str) -> int:
    """Checks the points at one choice of sizes, and returns their number.

    Raises:
        Rejected: a value is not rational, or the values are not as the kind says.
    """
    read = [read_forms(p, "$.forms", what.pins) for p in programs]
    sizes, *others = (bound_sizes(what, p.shapes[-1]) for p in read)
    if any(names != sizes for names in others) or not points:
        raise Rejected("$: no points, or a result of another shape")
    fixed = [dict[int, Tensor]() for _ in read]
    seen: list[tuple[dict[str, Tensor], list[Tensor]]] = []
    for k, point in enumerate(points):
        spend(40)
        inputs = read_inputs(what, sizes, point, f"$.evidence.points[{k}]")
        values = [
            evaluate(p, [*inputs.values()], Arithmetic(64), constants=own)
            for p, own in zip(read, fixed, strict=True)
        ]
        if not all(isinstance(x, Fraction) for value in values for x in value.values):
            raise Rejected(f"$.evidence.points[{k}]: a value that is not seen to be rational")
        if kind in PAIRS and (values[0] == values[1]) is not (kind == "equality"):
            raise Rejected(
                f"$.evidence.points[{k}]: two values that are {'not ' * (kind == PAIRS[0])}equal"
            )
        seen.append((inputs, values))
    different = len({tuple(values[0].values) for _, values in seen})
    if kind == "injective" and different != len(seen):
        raise Rejected("$.evidence.points: two points of one value")
    if kind == "collision" and (len(seen) != 2 or different != 1 or seen[0][0] == seen[1][0]):
        raise Rejected("$.evidence.points: expected two different points of one value")
    return len(points)


def check_ill_typed(content: dict[str, Any]) -> Report:
    """Checks that, at one choice of sizes, the result does not have the claimed shape.

    This must hold whatever the names that only the output mentions stand for.
    """
    claim, forms = fields(content, "$", "claim", "forms")
    what = claims.claim(claim, "identity")
    alone = {axis[0].name for axis in what.output if len(axis) == axis[0].coefficient == 1}
    if any(low != high for low, high in what.scope.values()) or not (
        what.names <= what.input_names | alone
    ):
        raise Rejected("$.claim: expected sizes, and an output that they determine")
    program = read_forms(forms, "$.forms", what.pins)
    bound = {name: Size.of(what.pins[name]) for name in what.input_names}
    given = [tuple(claims.axis_size(axis, bound) for axis in axes) for _, axes in what.inputs]
    shapes = [tuple(map(Size.of, shape)) for shape in program.shapes]
    if not shaped({}, given, program.lines, shapes, shapes[-1]):
        raise Rejected("$.forms: the shapes do not follow, or an entry outside of an array is read")
    if claims.bind(what.output, shapes[-1], bound):
        raise Rejected("$.claim: the result has the claimed shape")
    shape = " x ".join(map(str, program.shapes[-1])) or "()"
    statement = (
        f"at {sizes_words(what.pins)} the program {program.digest} has the shape {shape}: not"
    )
    return Report(
        accepted=True, statement=f"{statement} {signature_words(what)}", grade="EXACT",
        rests_on=("shapes of operations",),
    )  # fmt: skip


CHECKS = {
    **{kind: partial(check_points, kind=kind) for kind in SHOWN},
    "ill-typed": check_ill_typed,
}
