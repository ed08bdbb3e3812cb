"""Programs at finitely many points, and results of another shape: nothing is claimed of other points."""

from __future__ import annotations

import copy
from math import prod
from typing import Any

import pytest

from eqvproof.kernel.check import ENVELOPE
from eqvproof.kernel.finite import check_ill_typed
from eqvproof.kernel.report import Rejected, allow
from eqvproof.papers.statements import Case, Court, Enumeration, Instance
from tests.kernel.corpus import JSON, Graph, claim, reseal, seal, tensor
from tests.kernel.encoding import check_certificate, encoded


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
    assert report.accepted and report.grade == "DECIDED" and not report.limited
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


def two_names(shape: list[int], **scope: Any) -> JSON:
    """x = x at sizes of two names, and at ones."""
    graph = Graph(x=["n", "m"])
    graph.node("input", [], ["n", "m"], name="x")
    points = [[{"x": tensor(shape, *["1"] * prod(shape))}]]
    return seal(
        "equality",
        claim={**claim("x: n m -> n m", kind="identity"), "scope": [scope]},
        programs=[graph.program()], others=[graph.program()], evidence={"points": points},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("scope", "holds"),
    [({"n": 1, "m": 1}, True), ({"n": 1, "m": "all"}, False), ({"n": "all", "m": 1}, False)],
)
def test_each_name_has_one_size(scope: Any, holds: bool) -> None:
    for shape in ([1, 1], [1, 0], [0, 1]):
        report = check_certificate(two_names(shape, **scope))
        assert report.accepted == (holds and shape == [1, 1]) and "internal" not in report.reason


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


def unequal(**parts: Any) -> JSON:
    """The same programs, or the first alone, at points for another kind."""
    data = copy.deepcopy(square_or_cube())
    if parts["kind"] != "inequality":
        del data["others"]
    data["evidence"]["points"] = parts.pop("points")
    return reseal({**data, **parts})


def vectors(*rows: str) -> list[Any]:
    return [{"x": tensor([len(row.split())], *row.split())} for row in rows]


#: Kind, points at n = 1 and n = 2, and whether x^2 (and x^3) have such values there.
POINTS: list[tuple[str, list[str], list[str], bool]] = [
    ("inequality", ["2"], ["0 2", "1 -1"], True),
    ("inequality", ["2"], ["0 1"], False),
    ("inequality", ["2"], [], False),
    ("injective", ["1", "0", "-2"], ["1 2", "2 1"], True),
    ("injective", ["1", "0", "-1"], ["1 2", "2 1"], False),
    ("injective", ["1", "0"], ["1 2", "1 2"], False),
    ("injective", ["1", "0"], ["1 2", "1 -2"], False),
    ("injective", ["1", "0"], [], False),
    ("collision", ["1", "-1"], ["1 2", "-1 2"], True),
    ("collision", ["1", "-1"], ["1 2", "2 1"], False),
    ("collision", ["1", "-1"], ["1 2", "1 2"], False),
    ("collision", ["1", "-1"], ["1 2", "1 -2", "-1 2"], False),
    ("collision", ["1", "-1"], ["1 2"], False),
]


@pytest.mark.parametrize(("kind", "first", "second", "holds"), POINTS)
def test_values_of_other_kinds(kind: str, first: list[str], second: list[str], holds: bool) -> None:
    report = check_certificate(unequal(kind=kind, points=[vectors(*first), vectors(*second)]))
    assert report.accepted == holds and "internal" not in report.reason, report.reason
    assert report.grade == ({"injective": "DECIDED"}.get(kind, "EXACT") if holds else "")


@pytest.mark.parametrize("kind", ["inequality", "injective", "collision"])
def test_undefined_values_are_neither_equal_nor_different(kind: str) -> None:
    data = unequal(kind=kind, points=[vectors("0", "1"), vectors("1 2", "3 4")])
    data["programs"][0]["nodes"][1] = RECIPROCAL
    assert not check_certificate(reseal(data)).accepted
    if kind == "inequality":  # the second program undefined
        data["programs"], data["others"] = data["others"], data["programs"]
        assert not check_certificate(reseal(data)).accepted


def transpose(output: str, **scope: Any) -> JSON:
    """A^T is not of the shape of A."""
    graph = Graph(A=["a", "b"])
    graph.node("input", [], ["a", "b"], name="A")
    graph.node("einsum", [0], ["b", "a"], inputs=[[0, 1]], output=[1, 0])
    what = claim(f"A: a b -> {output}", kind="identity")
    return seal("ill-typed", claim={**what, "scope": scope}, program=graph.program())


@pytest.mark.parametrize(
    ("output", "scope", "holds"),
    [
        ("a b", {"a": 1, "b": 2}, True),
        ("a b", {"a": 2, "b": 2}, False),
        ("b a", {"a": 1, "b": 2}, False),
        ("a b", {"a": 1, "b": "all"}, False),
        ("a b", {"a": 1}, False),
        ("b", {"a": 1, "b": 2}, True),
        ("b c", {"a": 1, "b": 2}, False),
        ("c c", {"a": 1, "b": 2}, True),
        ("a c", {"a": 1, "b": 2}, True),
        ("b c+1", {"a": 1, "b": 2}, False),  # nothing says what c is
    ],
)
def test_a_result_of_another_shape(output: str, scope: dict[str, Any], holds: bool) -> None:
    report = check_certificate(transpose(output, **scope))
    assert report.accepted == holds and "internal" not in report.reason, report.reason
    assert not holds or ("the shape 2 x 1" in report.statement and report.grade == "EXACT")


def test_a_number_is_no_vector() -> None:
    """A result without axes; and one of which the shape that is stated is not what it has."""
    graph = Graph(x=["n"])
    graph.node("input", [], ["n"], name="x")
    graph.node("einsum", [0], [], inputs=[[0]], output=[])
    what = {**claim("x: n -> n", kind="identity"), "scope": {"n": 2}}
    report = check_certificate(seal("ill-typed", claim=what, program=graph.program()))
    assert report.accepted and "has the shape (): not" in report.statement
    data = transpose("b a", a=1, b=2)
    data["program"]["nodes"][1]["shape"] = ["a", "b"]
    assert "shapes do not follow" in check_certificate(reseal(data)).reason


def test_work_that_runs_out_is_no_other_shape() -> None:
    content = {k: v for k, v in encoded(transpose("b a", a=1, b=2)).items() if k not in ENVELOPE}
    for units in range(150):
        allow(units)
        with pytest.raises(Rejected, match=r"more work|has the claimed shape"):
            check_ill_typed(content)


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
