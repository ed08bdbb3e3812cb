"""Checks claims about finitely many points: values equal or different, results of wrong shape."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from . import claims, decode, proof
from .claims import Claim
from .evaluate import evaluate
from .interval import Arithmetic
from .points import read_inputs
from .report import LARGE_WORK, Rejected, Report, allow_in_all, spend
from .shapes import check_shapes
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

    The scope of the claim lists choices of sizes; for each of them there is a program, two where
    two are compared, and points. Points of different sizes are not compared.
    """
    names = ("programs", "others") if kind in PAIRS else ("programs",)
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
    if any(low != high for low, high in what.scope.values()):
        raise Rejected("$.claim.scope: expected one number for each axis name")
    graphs = [decode.program(p, "$.programs", what.pins) for p in programs]
    bound: list[dict[str, Size]] = []
    for graph in graphs:
        check_shapes(graph, {})
        bound.append(proof.bind_names(what, graph))
    if any(names != bound[0] for names in bound) or not points:
        raise Rejected("$: no points, or a result of another shape")
    sizes = {name: size.number for name, size in bound[0].items()}
    seen: list[tuple[dict[str, Tensor], list[Tensor]]] = []
    for k, point in enumerate(points):
        spend(40)
        inputs = read_inputs(what, sizes, point, f"$.evidence.points[{k}]")
        values = [evaluate(graph, inputs, Arithmetic(64)) for graph in graphs]
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
    claim, program = fields(content, "$", "claim", "program")
    what = claims.claim(claim, "identity")
    graph = decode.program(program, "$.program", what.pins)
    check_shapes(graph, {})
    bound = proof.bind_inputs(what, graph)
    alone = {axis[0].name for axis in what.output if len(axis) == axis[0].coefficient == 1}
    if (
        any(low != high for low, high in what.scope.values())
        or not what.names <= bound.keys() | alone
    ):
        raise Rejected("$.claim: expected sizes, and an output that they determine")
    if claims.bind(what.output, graph.shape, bound):
        raise Rejected("$.claim: the result has the claimed shape")
    shape = " x ".join(map(str, graph.shape)) or "()"
    statement = f"at {sizes_words(what.pins)} the program {graph.digest} has the shape {shape}: not"
    return Report(
        accepted=True, statement=f"{statement} {signature_words(what)}", grade="EXACT",
        rests_on=("shapes of operations",),
    )  # fmt: skip


CHECKS = {
    **{kind: partial(check_points, kind=kind) for kind in SHOWN},
    "ill-typed": check_ill_typed,
}
