"""False proofs and points for elements of the entries of an axis, that one check less would accept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from eqvproof.kernel.entries import bounds_at
from eqvproof.kernel.forms import Lab, Modulo, Num, Place, SizePlace
from eqvproof.kernel.sizes import Size
from tests.kernel.corpus import JSON, Graph, claim, fix, reseal, seal, std, tensor
from tests.kernel.encoding import check_certificate

Builder = Callable[[], JSON]
D, FD = std("d"), fix("d")


def each(data: JSON, axis: str) -> JSON:
    """The certificate with an element for each entry of an axis."""
    data["claim"]["group"][0]["each"] = axis
    return reseal(data)


def length_of_the_sum() -> JSON:
    """The squared length of the sum over b of vectors: each turned by itself changes it."""
    g = Graph(x=["b", "d"])
    x = g.node("input", [], ["b", "d"], [[fix("b"), D]], name="x")
    s = g.node("einsum", [x], ["d"], [[D]], inputs=[[0, 1]], output=[1])
    g.node("einsum", [s, s], [], [[]], inputs=[[0], [0]], output=[])
    return each(g.proof(claim("x: b d -> ()", "O(d)")), "b")


def sum_of_the_lengths() -> JSON:
    """The sum over b of squared lengths, which no turn changes."""
    g = Graph(x=["b", "d"])
    x = g.node("input", [], ["b", "d"], [[fix("b"), D]], name="x")
    g.node("einsum", [x, x], [], [[]], inputs=[[0, 1], [0, 1]], output=[])
    return each(g.proof(claim("x: b d -> ()", "O(d)")), "b")


def combined_along(op: str, *axes: int) -> Builder:
    """x + y, or sum_d x y, entry by entry at sizes b = k = 2, y with the axis b first or second."""
    first, second = (["b k d", "k b d"][a] for a in axes)
    rest = first if op == "add" else "b k"

    def build() -> JSON:
        g = Graph(x=["b", "k", "d"], y=["b", "k", "d"])
        typed: list[Any] = [fix("b"), fix("k"), D]
        args = [g.node("input", [], ["b", "k", "d"], [typed], name=name) for name in "xy"]
        if op == "add":
            g.node("add", args, ["b", "k", "d"], [typed])
        else:
            g.node("einsum", args, ["b", "k"], [typed[:2]], inputs=[[0, 1, 2]] * 2, output=[0, 1])
        data = g.proof(claim(f"x: {first}, y: {second} -> {rest}", "O(d)", scope={"b": 2, "k": 2}))
        return each(data, "b")

    return build


def scaled(weighted: bool) -> Builder:
    """The sum over b of x, of degree 1 where one number multiplies all."""

    def build() -> JSON:
        g = Graph(x=["b", "d"])
        x = g.node("input", [], ["b", "d"], ["1"], name="x")
        if weighted:
            s = g.node("einsum", [x], ["d"], ["1"], inputs=[[0, 1]], output=[1])
            inverse = g.node("map", [s], ["d"], ["-1"], fn="recip")
            g.node("einsum", [s, inverse], ["d"], ["0"], inputs=[[0], [0]], output=[0])
        else:
            below = g.node("map", [x], ["b", "d"], ["-1"], fn="recip")
            g.node("einsum", [x, below], ["d"], ["0"], inputs=[[0, 1]] * 2, output=[1])
        return each(g.proof(claim("x: b d -> d!", "Scale(d)")), "b")

    return build


def eigenvalues(signature: str) -> Builder:
    """Eigenvalues of matrices along d, of two rows and columns; each row of them permuted by itself."""
    shape = signature.split(":")[1].split("->")[0].split()

    def build() -> JSON:
        g = Graph(x=shape)
        x = g.node("input", [], shape, [[D if name == "d" else fix(name) for name in shape]], name="x")
        kept = shape[:-1]
        g.node(
            "matrix_function", [x], kept, [[D if name == "d" else fix(name) for name in kept]], fn="eigvals"
        )
        sizes = {name: 2 for name in shape if name != "d"}
        return each(g.proof(claim(signature, "S(d)", scope=sizes)), "b")

    return build


#: The values of sinh and cosh at 2.
ENDS = {"sinh": ("18/5", "37/10"), "cosh": ("37/10", "19/5")}


def point(fn: str, at: int, row: int, sign: int) -> Builder:
    """fn(x) at x = (1, 2), where the entry `at` of b alone changes its sign, seen in a row."""

    low, high = ENDS[fn]
    turned = (low, high) if sign == 1 else (f"-{high}", f"-{low}")

    def build() -> JSON:
        g = Graph(x=["b", "d"])
        x = g.node("input", [], ["b", "d"], name="x")
        g.node("map", [x], ["b", "d"], fn=fn)
        evidence = {
            "sizes": {"b": 2, "d": 1}, "inputs": {"x": tensor([2, 1], 1, 2)}, "arithmetic": "ball",
            "precision": 64, "entry": [row, 0],
            "element": [{"family": "O", "axis": "d", "each": "b", "at": at, "matrix": [["-1"]]}],
            "left": {"lo": low, "hi": high}, "right": {"lo": turned[0], "hi": turned[1]},
        }  # fmt: skip
        what = claim("x: b d -> b d", "O(d)")
        return each(seal("counterexample", claim=what, program=g.program(), evidence=evidence), "b")

    return build


FALSE: dict[str, Builder] = {
    "the length of a sum": length_of_the_sum,
    "added along two axes": combined_along("add", 0, 1),
    "added along two axes, the second first": combined_along("add", 1, 0),
    "multiplied along two axes": combined_along("product", 0, 1),
    "the sum of multiples, by itself": scaled(True),
    "rows permuted one by one": eigenvalues("x: d b k -> d b"),
    "the other entry changes its sign": point("sinh", 0, 1, -1),
    "the other entry changes, even": point("cosh", 0, 1, -1),
}
TRUE: dict[str, Builder] = {
    "the sum of lengths": sum_of_the_lengths,
    "added along the first axis": combined_along("add", 0, 0),
    "added along the second axis": combined_along("add", 1, 1),
    "multiplied along the first axis": combined_along("product", 0, 0),
    "the sum of multiples by themselves": scaled(False),
    "matrices permuted one by one": eigenvalues("x: b d k l -> b d k"),
    "the entry itself changes its sign": point("cosh", 1, 1, -1),
}


@pytest.mark.parametrize("name", FALSE)
def test_false(name: str) -> None:
    report = check_certificate(FALSE[name]())
    assert not report.accepted
    words = ("index by index", "one value for each entry", "the recorded")
    assert any(part in report.reason for part in words), report.reason


@pytest.mark.parametrize("name", TRUE)
def test_true(name: str) -> None:
    report = check_certificate(TRUE[name]())
    assert report.accepted, report.reason


@pytest.mark.parametrize(("size", "is_known"), [("n", True), ("n - 1", False)])
def test_the_first_of_perhaps_no_entries_is_not_known_to_be_inside(size: str, is_known: bool) -> None:
    """What is said of indices below a size is said of index 0 where the size is positive for sure."""
    own = Size.of("n") - Size.of(int(size != "n"))
    places: tuple[Place, ...] = (Num(0),)
    assert (bounds_at(places, ((0, own),), {}) == ()) is is_known
    assert (bounds_at((Modulo(Lab(0), SizePlace(own)),), ((0, own),), {}) == ()) is is_known
