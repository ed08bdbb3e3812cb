"""Two programs at finitely many points: equal, both defined, and nothing is claimed of other points."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from eqvproof.statements import Case, Court, Enumeration, Instance
from tests.kernel.corpus import JSON, Graph, claim, reseal, seal, tensor
from tests.kernel.encoding import check_certificate


def square_or_cube() -> JSON:
    """x^2 = x^3 and 1/x = x at 1, at one size and another."""
    g, h = Graph(x=["n"]), Graph(x=["n"])
    for graph in (g, h):
        graph.node("input", [], ["n"], name="x")
    g.node("einsum", [0, 0], ["n"], inputs=[[0], [0]], output=[0])
    h.node("einsum", [0, 0, 0], ["n"], inputs=[[0], [0], [0]], output=[0])
    what = claim("x: n -> n", kind="identity")
    points = [[{"x": tensor([1], "1")}, {"x": tensor([1], "0")}], [{"x": tensor([2], "1", "0")}]]
    return seal(
        "equality",
        claim={**what, "scope": [{"n": 1}, {"n": 2}]},
        programs=[g.program()] * 2,
        others=[h.program()] * 2,
        evidence={"points": points},
    )


def changed(path: list[Any], value: Any) -> JSON:
    """The certificate with another part."""
    data = copy.deepcopy(square_or_cube())
    at: Any = data
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return reseal(data)


def test_accepted() -> None:
    report = check_certificate(square_or_cube())
    assert report.accepted and report.grade == "DECIDED"
    assert "n = 1 (2 points); at n = 2 (1 points)" in report.statement
    assert "that the recorded points are those that are meant" in report.rests_on


POINT = ["evidence", "points", 0, 1, "x"]
RECIPROCAL = {"op": "map", "fn": "recip", "args": [0], "shape": ["n"]}
FORGED: dict[str, tuple[list[Any], Any]] = {
    "another point": (POINT, tensor([1], "2")),
    "an undefined entry": (POINT, {"shape": [1], "values": [None]}),
    "another shape": (POINT, tensor([2], "1", "1")),
    "no points": (["evidence", "points", 0], []),
    "points at one size only": (["evidence", "points"], [[{"x": tensor([1], "1")}]]),
    "another size": (["claim", "scope", 0, "n"], 2),
    "all sizes": (["claim", "scope", 0, "n"], "all"),
    "no sizes": (["claim", "scope"], []),
    "another operation": (["others", 0, "nodes", 1, "args"], [0, 0, 1]),
    "both undefined": (POINT, tensor([1], "1/0")),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged(name: str) -> None:
    report = check_certificate(changed(*FORGED[name]))
    assert not report.accepted and "internal" not in report.reason, report.reason


def test_both_undefined_is_no_equality() -> None:
    data = changed(["programs", 0, "nodes", 1], RECIPROCAL)
    both = copy.deepcopy(data)
    both["others"][0]["nodes"][1] = RECIPROCAL
    assert not check_certificate(reseal(both)).accepted
    both["evidence"]["points"] = [[{"x": tensor([1], "1")}], [{"x": tensor([2], "2", "-1/3")}]]
    assert check_certificate(reseal(both)).accepted


def test_statements_have_these_certificates() -> None:
    one = Court().judge(Instance(lambda x: x * x, lambda x: x, "x: n -> n", {"x": [0, 1]}))
    cases = [Case({"n": 1}, {"x": [0]}), Case({"n": 1}, {"x": [1]}), Case({"n": 2}, {"x": [0, 1]})]
    family = [Case(c.sizes, {"x": _array(c.inputs["x"])}) for c in cases]
    several = Court().judge(
        Enumeration(lambda x: x * x, lambda x: x, "x: n -> n", lambda: iter(family), "all zeros and ones")
    )
    for finding in (one, several):
        assert (finding.outcome, finding.grade) == ("HOLDS", "DECIDED")
        assert check_certificate(finding.certificates[0]).accepted


def _array(values: list[int]) -> Any:
    import numpy as np

    return np.array(values, dtype=object)
