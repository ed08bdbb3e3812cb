"""Points under translations, in certificates: which weights sum to 1, and what may be reordered."""

from __future__ import annotations

from typing import Any

import pytest

from eqvproof.kernel import check_certificate
from tests.kernel.corpus import JSON, Graph, claim, move

STILL = "still"
LESS = [[-1, []], [1, ["n"]]]


def weighted(make: Any, rows: Any) -> JSON:
    """sum_j W_ij x_j, where W is made from the identity, and x from the points."""
    g = Graph(x=["n", "d"])
    x = g.node("input", [], ["n", "d"], [move(1)], name="x")
    w, x = make(g, g.node("eye", [], ["n", "n"], [STILL]), x)
    g.node("einsum", [w, x], [rows, "d"], [move(1)], inputs=[[0, 1], [1, 2]], output=[0, 2])
    out = "n" if rows == "n" else "m"
    return g.proof(claim(f"x: n d -> {out} d", "T(d)", {"n": [2, 9]}))


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


@pytest.mark.parametrize(("make", "rows"), [(fewer_rows, LESS), (turned, "n")])
def test_rows_of_an_identity_sum_to_one(make: Any, rows: Any) -> None:
    report = check_certificate(weighted(make, rows))
    assert report.accepted, report.reason


@pytest.mark.parametrize("make", [fewer_terms, twice])
def test_parts_of_rows_do_not(make: Any) -> None:
    report = check_certificate(weighted(make, "n"))
    assert not report.accepted and "sum to 1" in report.reason, report.reason


@pytest.mark.parametrize(("shape", "where", "good"), [(["d", "n"], 0, True), (["n", "d"], 1, False)])
def test_all_shifts_of_an_axis_that_is_not_the_moved_one(shape: list[str], where: int, good: bool) -> None:
    g = Graph(x=shape)
    x = g.node("input", [], shape, [move(where)], name="x")
    g.node("circulant", [x], [*shape, 2], [move(where)], sign=1)
    report = check_certificate(g.proof(claim(f"x: {' '.join(shape)} -> {' '.join(shape)} 2", "T(d)")))
    assert report.accepted is good, report.reason
    assert "internal" not in report.reason
