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


@pytest.mark.parametrize(
    ("op", "size", "more"), [("form", "d", {"signs": True}), ("const", 2, {"values": ["1"] * 4})]
)
def test_operations_of_no_arguments(op: str, size: Any, more: dict[str, Any]) -> None:
    """A node is not an argument of what takes none: what depends on it would be said not to move."""
    for args in ([], [0]):
        g = Graph(x=["d"])
        x = g.node("input", [], ["d"], [[D]], name="x")
        c = g.node(op, args, [size, size], [[fix(size), fix(size)]], **more)
        g.node("einsum", [x, x, c], [size, size], [[fix(size)] * 2], inputs=[[0], [0], [1, 2]], output=[1, 2])
        report = check_certificate(g.proof(claim(f"x: d -> {'d! d!' if size == 'd' else '2 2'}", "O(d)")))
        assert report.accepted == (not args) and "internal" not in report.reason, (args, report.reason)


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


def test_vectors_are_one_choice_for_all_lines() -> None:
    """Those of diag(1, 2) move as its rows, and do not move, as its rows do not: not both in one proof."""
    both, none, rows = [std(2), std(2)], [fix(2), fix(2)], [std(2), fix(2)]
    g = Graph(x=[2])
    for _ in range(2):
        g.node("const", [], [2, 2], [both], values=["1", "0", "0", "2"])
    for k in range(2):
        g.node("eigenvectors", [k], [2, 2], [rows], start=0)
    g.node("einsum", [2, 2], [], [[]], inputs=[[0, 1], [0, 1]], output=[])
    g.node("input", [], [2], [[std(2)]], name="x")
    g.node("einsum", [3, 3, 4, 5, 5], [2, 2], [rows], inputs=[[0, 2], [1, 2], [], [3], [3]], output=[0, 1])
    data = g.proof(claim("x: 2 -> 2 2!", "Signs(2)"))
    types = [both, both, none, rows, rows, none, [], [std(2)], rows]
    nodes, premises = [0, 1, 1, 2, 3, 3, 4, 5, 6], [[], [], [], [0], [1], [2], [3, 3], [], [4, 5, 6, 7, 7]]
    data["evidence"]["factors"][0]["lines"] = [
        {"node": n, "type": t, "from": p} for n, t, p in zip(nodes, types, premises, strict=True)
    ]
    plain = [[0, k, *node["args"]] for k, node in enumerate(g.nodes)]
    data["evidence"]["signs"] = [  # read before, and looked at later
        {"family": "Signs", "axis": k, "types": [[none, 0]], "lines": plain} for k in (2, 3)
    ]
    data["claim"]["points"] = off(2, 3)
    report = check_certificate(reseal(data))
    assert not report.accepted and "lines[5]" in report.reason, report.reason
