"""Two programs that have the same value at each of finitely many points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from . import claims, decode, proof
from .claims import Claim
from .evaluate import evaluate
from .interval import Arithmetic
from .points import read_inputs
from .report import Rejected, Report, allow
from .shapes import check_shapes
from .sizes import Size
from .text import fields, items
from .words import signature_words

MOST_SIZES, MOST_POINTS = 64, 4096
#: Work for one choice of sizes, in the units of `spend`.
WORK = 1_500_000


def check_equality(content: dict[str, Any]) -> Report:
    """f(x) = g(x) at the recorded points, both defined: rational numbers, computed and compared exactly.

    The scope of the claim lists choices of sizes; for each of them there are two programs, and points.
    """
    claim, programs, others, evidence = fields(content, "$", "claim", "programs", "others", "evidence")
    (points,) = fields(evidence, "$.evidence", "points")
    if not isinstance(claim, dict):
        raise Rejected("$.claim: expected an object")
    sizes = items(claim.get("scope"), "$.claim.scope", MOST_SIZES)
    lists = [items(x, "$") for x in (programs, others, points)]
    if not sizes or any(len(x) != len(sizes) for x in lists):
        raise Rejected("$: expected two programs, and points, for each choice of sizes")
    texts = []
    for at, f, g, some in zip(sizes, *lists, strict=True):
        allow(WORK)
        what = claims.claim({**claim, "scope": at}, "identity")
        count = _check_at(what, (f, g), items(some, "$.evidence.points", MOST_POINTS))
        where = ", ".join(f"{n} = {v}" for n, v in sorted(what.pins.items())) or "the only size"
        texts.append(f"{where} ({count} points)")
    statement = f"f(x) = g(x) at the recorded points, at {'; at '.join(texts)}, {signature_words(what)}"
    rests = ("evaluation in rational arithmetic", "that the recorded points are those that are meant")
    return Report(accepted=True, statement=statement, grade="DECIDED", rests_on=rests)


def _check_at(what: Claim, programs: tuple[Any, Any], points: list[Any]) -> int:
    """How many points there are at one choice of sizes.

    Raises:
        Rejected: the two values are not certain to be equal at one of them.
    """
    if any(low != high for low, high in what.scope.values()):
        raise Rejected("$.claim.scope: expected one number for each axis name")
    graphs = [decode.program(p, "$.programs", what.pins) for p in programs]
    bound: list[dict[str, Size]] = []
    for graph in graphs:
        check_shapes(graph, {})
        bound.append(proof.bind_names(what, graph))
    if bound[0] != bound[1] or not points:
        raise Rejected("$: no points, or a result of another shape")
    sizes = {name: size.constant or 0 for name, size in bound[0].items()}
    for k, point in enumerate(points):
        inputs = read_inputs(what, sizes, point, f"$.evidence.points[{k}]")
        left, right = (evaluate(graph, inputs, Arithmetic(64)) for graph in graphs)
        exact = all(isinstance(x, Fraction) for x in left.values)
        if not exact or left != right:
            raise Rejected(f"$.evidence.points[{k}]: two values that are not seen to be equal")
    return len(points)


CHECKS = {"equality": check_equality}
