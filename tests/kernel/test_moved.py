"""Points under translations, in certificates: which weights sum to 1, and what may be reordered."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.corpus import JSON, Graph, claim, move, reseal
from tests.kernel.encoding import check_certificate

STILL = "still"
LESS = [[-1, []], [1, ["n"]]]


def weighted(make: Any, rows: Any) -> JSON:
    """sum_j W_ij x_j, where W is made from the identity, and x from the points."""
    g = Graph(x=["n", "d"])
    x = g.node("input", [], ["n", "d"], [move(1)], name="x")
    w, x = make(g, g.node("indicator", [], ["n", "n"], [STILL]), x)
    g.node("einsum", [w, x], [rows, "d"], [move(1)], inputs=[[0, 1], [1, 2]], output=[0, 2])
    out = "n" if rows == "n" else "m"
    return g.proof(claim(f"x: n d -> {out} d", "T(d)", {"n": [2, 9]}))


def by_normal_forms(data: JSON, way: JSON) -> JSON:
    """The certificate with normal forms in place of lines."""
    (factor,) = data["evidence"]["factors"]
    named = {key: factor[key] for key in ("family", "axis")}
    return reseal({**data, "evidence": {"factors": [{**named, "way": way}]}})


def fewer_rows(g: Graph, w: int, x: int) -> tuple[int, int]:
    return g.node("slice", [w], [LESS, "n"], [STILL], axis=0, start=1, step=1), x


def turned(g: Graph, w: int, x: int) -> tuple[int, int]:
    w = g.node("flip", [w], ["n", "n"], [STILL], axis=0)
    return g.node("roll", [w], ["n", "n"], [STILL], axis=0, shift=1), x


def fewer_terms(g: Graph, w: int, x: int) -> tuple[int, int]:
    w = g.node("slice", [w], ["n", LESS], [STILL], axis=1, start=1, step=1)
    return w, g.node("slice", [x], [LESS, "d"], [move(1)], axis=0, start=1, step=1)


def twice(g: Graph, w: int, x: int) -> tuple[int, int]:
    double = [[2, ["n"]]]
    w = g.node("concat", [w, w], ["n", double], [STILL], axis=1)
    return w, g.node("concat", [x, x], [double, "d"], [move(1)], axis=0)


@pytest.mark.parametrize(("make", "rows"), [
    (fewer_rows, LESS), (turned, "n"), (fewer_terms, "n"), (twice, "n"), (lambda g, w, x: (w, x), "n"),
])  # fmt: skip
def test_rows_of_an_identity_sum_to_one(make: Any, rows: Any) -> None:
    """Of some rows, or of rows in another order, but not of parts of rows, and not of rows twice."""
    way = {"cells": 0, "angles": False}
    report = check_certificate(by_normal_forms(weighted(make, rows), way))
    assert report.accepted is (make not in (fewer_terms, twice)), report.reason


@pytest.mark.parametrize("offset", [-1, 0, 1])
def test_nor_rows_of_a_triangle(offset: int) -> None:
    data = weighted(lambda g, w, x: (w, x), "n")
    data["program"]["nodes"][1]["offset"] = offset
    assert not check_certificate(reseal(data)).accepted
    assert not check_certificate(by_normal_forms(reseal(data), {"cells": 0, "angles": False})).accepted


@pytest.mark.parametrize(("shape", "where", "good"), [(["d", "n"], 0, True), (["n", "d"], 1, False)])
def test_all_shifts_of_an_axis_that_is_not_the_moved_one(shape: list[str], where: int, good: bool) -> None:
    g = Graph(x=shape)
    x = g.node("input", [], shape, [move(where)], name="x")
    g.node("circulant", [x], [*shape, 2], [move(where)], sign=1)
    report = check_certificate(g.proof(claim(f"x: {' '.join(shape)} -> {' '.join(shape)} 2", "T(d)")))
    assert report.accepted is good, report.reason
    assert "internal" not in report.reason


def joined(makes: Any) -> JSON:
    """x joined with something else, of the type said, as a certificate."""
    g = Graph(x=["n", "d"], y=["n", 3])
    x = g.node("input", [], ["n", "d"], [move(1)], name="x")
    other = makes(g, x)
    double = [[2, ["n"]]]
    g.node("concat", [x, other], [double, "d"], [move(1)], axis=0)
    return g.proof(claim("x: n d, y: n 3 -> 2n d", "T(d)"))


def same(g: Graph, x: int) -> int:
    return g.node("flip", [x], ["n", "d"], [move(1)], axis=0)


def doubled(g: Graph, x: int) -> int:
    return g.node("add", [x, x], ["n", "d"], [move(1, 2)])


def zeroed(g: Graph, x: int) -> int:
    minus = g.node("const", [], [], [STILL], values=["-1"])
    less = g.node("einsum", [minus, x], ["n", "d"], [move(1, [[-1, []]])], inputs=[[], [0, 1]], output=[0, 1])
    return g.node("add", [x, less], ["n", "d"], [STILL])


@pytest.mark.parametrize(("makes", "good"), [(same, True), (doubled, False), (zeroed, False)])
def test_what_is_joined_moves_alike(makes: Any, good: bool) -> None:
    report = check_certificate(joined(makes))
    assert report.accepted is good, report.reason
    assert "internal" not in report.reason


@pytest.mark.parametrize("op", ["inv", "pinv"])
@pytest.mark.parametrize(
    ("types", "good"),
    [(["-1", "1"], True), (["1", "1"], False), (["zero", "zero"], False), (["0", "1"], False)],
)
def test_the_degree_of_an_inverse(op: str, types: list[str], good: bool) -> None:
    g = Graph(x=["d", "n"])
    x = g.node("input", [], ["d", "n"], ["1"], name="x")
    turned = {"inputs": [[0, 1], [2, 1]], "output": [0, 2]}
    flat = g.node("einsum", [x, x], ["d", "d"], ["2"], **turned)
    kept = g.node("map", [flat], ["d", "d"], ["1"], fn="sqrt")
    once = g.node(op, [kept], ["d", "d"], [types[0]])
    g.node(op, [once], ["d", "d"], [types[1]])
    report = check_certificate(g.proof(claim("x: d n -> d d!", "Scale(d)")))
    assert report.accepted is good, report.reason
    assert "internal" not in report.reason
