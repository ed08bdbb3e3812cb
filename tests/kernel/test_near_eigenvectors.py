"""Projectors on eigenvectors of matrices of which rows alone move; arguments of what takes none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.corpus import JSON, Graph, claim, fix, reseal, std
from tests.kernel.encoding import check_certificate

D, FD = std("d"), fix("d")
#: Flipping the sign of the one vector does not matter.
SIGNS = {
    "family": "Signs", "axis": 1, "types": [[[FD, FD], 0], [[FD], 1]],
    "lines": [[0, 0], [1, 1, 0], [0, 2, 1, 1]],
}  # fmt: skip


def off(*nodes: int) -> list[JSON]:
    """Points at which eigenvalues coincide whose eigenvectors these nodes hold."""
    return [{"kind": "eigenvalues", "of": "M", "place": "", "mark": node} for node in nodes]


def projector(signature: str, given: list[Any], vector: Any) -> JSON:
    """v v^T of the first eigenvector of the symmetric part of M."""
    g = Graph(M=["d", "d"])
    m = g.node("input", [], ["d", "d"], [given], name="M")
    v = g.node("eigenvectors", [m], ["d"], [[vector]], start=0)
    g.node("einsum", [v, v], ["d", "d"], [[vector, vector]], inputs=[[0], [1]], output=[0, 1])
    data = g.proof(claim(signature, "O(d)"))
    data["evidence"]["signs"] = [SIGNS]
    data["claim"]["points"] = off(1)
    return reseal(data)


def test_rows_and_columns_move_alike() -> None:
    report = check_certificate(projector("M: d d -> d d", [D, D], D))
    assert report.accepted, report.reason


@pytest.mark.parametrize(
    ("signature", "given", "vector"),
    [
        ("M: d d! -> d d", [D, FD], D), ("M: d! d -> d! d!", [FD, D], FD), ("M: d! d -> d d", [FD, D], D),
        ("M: d! d! -> d d", [FD, FD], D), ("M: d d -> d! d!", [D, D], FD),
    ],
)  # fmt: skip
def test_rows_alone(signature: str, given: list[Any], vector: Any) -> None:
    report = check_certificate(projector(signature, given, vector))
    assert not report.accepted and "internal" not in report.reason, report.reason


def test_a_constant_that_a_group_moves_as_it_moves_others() -> None:
    """Stated to move as pairs of vectors do, under O(2): no rule has such a constant, and none fails."""
    g = Graph(x=[4])
    x = g.node("input", [], [4], [[fix(4)]], name="x")
    pairs = [[[2, 0], [2, 1]]]
    c = g.node("const", [], [4], [[pairs]], values=["1", "0", "0", "1"])
    g.node("einsum", [c, x], [4], [[pairs]], inputs=[[0], [1]], output=[0])
    report = check_certificate(g.proof(claim("x: 4 -> 4", "O(2)")))
    assert not report.accepted and "internal" not in report.reason, report.reason


@pytest.mark.parametrize("fn", ["inv", "pinv"])
def test_pseudo_inverses_of_what_is_sheared(fn: str) -> None:
    """inv(g A) = inv(A) inv(g) for all g; of pinv that holds for orthogonal g alone, where A is singular."""
    g = Graph(A=["d", "d"])
    a = g.node("input", [], ["d", "d"], [[D, FD]], name="A")
    g.node("matrix_function", [a], ["d", "d"], [[FD, [[["d", 2]]]]], fn=fn)
    report = check_certificate(g.proof(claim("A: d d! -> d! d*", "GL(d)")))
    assert report.accepted == (fn == "inv") and "internal" not in report.reason, report.reason


