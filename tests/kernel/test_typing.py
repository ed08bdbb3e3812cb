"""What single checks of the typing core are for: a certificate that each refuses, beside one that is true."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.corpus import JSON, Graph, claim, fix, move, reseal, std
from tests.kernel.encoding import check_certificate

STILL = "still"


def copied(signature: str, shape: list[Any]) -> JSON:
    """x itself, said to be moved as points along its first axis."""
    g = Graph(x=shape)
    g.node("input", [], shape, [move(0)], name="x")
    return g.proof(claim(signature, "T(d)"))


@pytest.mark.parametrize(
    ("signature", "shape", "holds"),
    [
        ("x: d -> d", ["d"], True),
        ("x: d d! -> d d!", ["d", "d"], True),
        ("x: d d -> d d", ["d", "d"], False),
        ("x: d+d -> d+d", [[[2, ["d"]]]], False),
        ("x: d+d! -> d+d!", [[[2, ["d"]]]], False),
        ("x: 2d -> 2d", [[[2, ["d"]]]], False),
    ],
)
def test_points_lie_along_one_axis_which_is_theirs(signature: str, shape: list[Any], holds: bool) -> None:
    assert check_certificate(copied(signature, shape)).accepted == holds


def inverted(op: str, *sizes: str) -> JSON:
    g = Graph(A=["b", *sizes])
    turned = [fix(sizes[1]), fix(sizes[0])]
    g.node("input", [], ["b", *sizes], [[std("b"), fix(sizes[0]), fix(sizes[1])]], name="A")
    g.node(op, [0], ["b", sizes[1], sizes[0]], [[std("b"), *turned]])
    return g.proof(claim(f"A: b {' '.join(sizes)} -> b {sizes[1]} {sizes[0]}", "S(b)"))


def test_only_square_matrices_are_inverted() -> None:
    assert check_certificate(inverted("inv", "n", "n")).accepted
    assert check_certificate(inverted("pinv", "n", "m")).accepted
    assert "applied as another one" in check_certificate(inverted("inv", "n", "m")).reason


def shares(weight: bool) -> JSON:
    """Points weighted by e / sum(e), the sums repeated along another axis; or there multiplied by w."""
    g = Graph(X=["n", "d"], A=["n", "m"], **({"w": ["k"]} if weight else {}))
    size = "k" if weight else 2
    x = g.node("input", [], ["n", "d"], [move(1)], name="X")
    a = g.node("input", [], ["n", "m"], [STILL], name="A")
    e = g.node("map", [a], ["n", "m"], [STILL], fn="exp")
    s = g.node("einsum", [e], ["m"], [STILL], inputs=[[0, 1]], output=[1])
    more = [g.node("input", [], ["k"], [STILL], name="w")] if weight else []
    inputs = [[1], [2]][: 1 + weight]
    v = g.node("einsum", [s, *more], ["m", size], [STILL], inputs=inputs, output=[1, 2])
    r = g.node("map", [v], ["m", size], [STILL], fn="recip")
    rows = {"inputs": [[0, 1], [1, 2], [0, 3]], "output": [1, 2, 3]}
    g.node("einsum", [e, r, x], ["m", size, "d"], [move(2)], **rows)
    return g.proof(claim(f"X: n d, A: n m{', w: k' * weight} -> m {size} d", "T(d)"))


def test_weights_sum_to_one_where_the_sum_is_only_repeated() -> None:
    assert check_certificate(shares(weight=False)).accepted
    assert not check_certificate(shares(weight=True)).accepted


def test_a_constant_may_be_empty() -> None:
    g = Graph(x=["d"])
    x = g.node("input", [], ["d"], [[std("d")]], name="x")
    c = g.node("const", [], [0], [[[]]], values=[])
    s = g.node("einsum", [c], [], [[]], inputs=[[0]], output=[])
    g.node("einsum", [s, x], ["d"], [[std("d")]], inputs=[[], [0]], output=[0])
    report = check_certificate(g.proof(claim("x: d -> d", "O(d)")))
    assert report.accepted, report.reason


@pytest.mark.parametrize(("entry", "holds"), [("1/2", True), ("1", False)])
def test_every_summed_label_counts(entry: str, holds: bool) -> None:
    """The sum over i and j of o_j x_i / n, with the numbers o_j known one by one."""
    g = Graph(x=["n", "d"])
    x = g.node("input", [], ["n", "d"], [move(1)], name="x")
    n = g.node("size", [], [], [STILL], size="n")
    r = g.node("map", [n], [], [STILL], fn="recip")
    v = g.node("einsum", [r], ["n"], [STILL], inputs=[[]], output=[0])
    o = g.node("const", [], [2], [STILL], values=[entry, entry])
    g.node("einsum", [v, o, x], ["d"], [move(0)], inputs=[[0], [1], [0, 2]], output=[2])
    assert check_certificate(g.proof(claim("x: n d -> d", "T(d)"))).accepted == holds


@pytest.mark.parametrize("twisted", [False, True])
def test_joined_parts_have_the_power_of_the_whole(twisted: bool) -> None:
    """x beside y; or beside det(M) y, which a reflection turns round."""
    g = Graph(x=[3], y=[3], **({"M": [3, 3]} if twisted else {}))
    x, y = (g.node("input", [], [3], [[std(3)]], name=name) for name in "xy")
    if twisted:
        m = g.node("input", [], [3, 3], [[std(3), fix(3)]], name="M")
        d = g.node("det", [m], [], [[]])
        y = g.node("einsum", [d, y], [3], [[std(3)]], inputs=[[], [0]], output=[0])
    g.node("concat", [x, y], [6], [[[[[2, 0], [3, 1]]]]], axis=0)
    data = g.proof(claim(f"x: 3, y: 3{', M: 3 3!' * twisted} -> 3+3", "O(3)"))
    for line in data["evidence"]["factors"][0]["lines"][3:5] if twisted else ():
        line["parity"] = 1
    report = check_certificate(reseal(data))
    assert report.accepted != twisted, report.reason
    assert not twisted or "no rule gives line 5, a Join" in report.reason


def test_zeros_have_powers_too() -> None:
    """x times 0 ** 2."""
    g = Graph(x=["d"])
    x = g.node("input", [], ["d"], ["1"], name="x")
    z = g.node("const", [], [], ["zero"], values=["0"])
    c = g.node("const", [], [], ["0"], values=["2"])
    p = g.node("map", [z, c], [], ["0"], fn="pow")
    g.node("einsum", [p, x], ["d"], ["1"], inputs=[[], [0]], output=[0])
    report = check_certificate(g.proof(claim("x: d -> d", "Scale(d)")))
    assert report.accepted, report.reason


