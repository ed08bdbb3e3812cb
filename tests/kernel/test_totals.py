"""Sums that are one number at all inputs: what is said of each node of random programs is computed."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest

from eqvproof.kernel import totals
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.shapes import check_shapes
from eqvproof.kernel.sizes import Size
from eqvproof.kernel.tensors import Tensor
from tests.kernel.corpus import Graph
from tests.kernel.encoding import decoded, evaluated

F = Fraction
SIZES = {"n": 3, "m": 2}


def at(size: Size) -> Fraction:
    """The number that a size is."""
    found = size.substitute({name: Size.of(value) for name, value in SIZES.items()}).constant
    assert found is not None
    return F(found)


def facts(graph: Graph) -> list[dict[int | None, Fraction]]:
    """What is known of each node, each of which is computed at a random point."""
    count = len(graph.nodes)
    unused = sorted({*range(count)} - {a for node in graph.nodes for a in node["args"]})
    ranks = [len(graph.nodes[k]["shape"]) for k in unused]
    ends = [
        graph.node("einsum", [k], [], inputs=[[*range(rank)]], output=[])
        for k, rank in zip(unused, ranks, strict=True)
    ]
    graph.node("add", ends, [])
    value = graph.program()
    whole = decoded(value)
    check_shapes(whole, dict.fromkeys(SIZES, 1))
    known = totals.known_sums(whole, {}, dict.fromkeys(SIZES, 1))
    pinned = decoded(value, SIZES)
    check_shapes(pinned, {})
    rng = random.Random(5)
    inputs = {}
    for name, shape in pinned.inputs:
        lengths = tuple(int(at(n)) for n in shape)
        entries = [F(rng.randint(1, 9), rng.randint(1, 5)) for _ in range(prod(lengths))]
        inputs[name] = Tensor(lengths, entries)
    for k, found in enumerate(known):
        tensor = evaluated({**value, "output": k}, inputs, Arithmetic(64), SIZES)
        by_place = dict(zip(product(*map(range, tensor.shape)), tensor.values, strict=True))
        for axis, (num, den) in found.items():
            wanted = at(num) / at(den)
            if axis is None:
                assert all(x == wanted for x in by_place.values()), (k, value)
                continue
            lines: dict[Any, Any] = {}
            for place, x in by_place.items():
                rest = place[:axis] + place[axis + 1 :]
                lines[rest] = lines.get(rest, F(0)) + x
            assert all(x == wanted for x in lines.values()), (k, axis, value)
    return [{axis: at(num) / at(den) for axis, (num, den) in found.items()} for found in known[:count]]


def start() -> tuple[Graph, dict[str, int]]:
    """Two arrays, and each over its sums along an axis."""
    g, found = Graph(x=["n", "m"], y=["n", "m"]), dict[str, int]()
    for name in "xy":
        found[name] = g.node("input", [], ["n", "m"], name=name)
    for name in "xy":
        for axis in (0, 1):
            found[f"{name}{axis}"] = over_sums(g, found[name], axis)
    return g, found


def over_sums(g: Graph, node: int, axis: int, by: int | None = None) -> int:
    """A matrix over its sums, or those of another, along an axis."""
    shape, kept = g.nodes[node]["shape"], 1 - axis
    s = g.node("einsum", [node if by is None else by], [shape[kept]], inputs=[[0, 1]], output=[kept])
    r = g.node("map", [s], [shape[kept]], fn="recip")
    return g.node("einsum", [node, r], shape, inputs=[[0, 1], [kept]], output=[0, 1])


def test_what_sums_to_one() -> None:
    g, found = start()
    over = g.node("map", [g.node("einsum", [found["x"]], [], inputs=[[0, 1]], output=[])], [], fn="recip")
    share = g.node("map", [g.node("size", [], [], size="n")], [], fn="recip")
    even = g.node("einsum", [share], ["n"], inputs=[[]], output=[0])
    nodes = {
        "even": even,
        "even twice": g.node("concat", [even, even], [[[2, ["n"]]]], axis=0),
        "other": over_sums(g, found["x"], 0, found["y"]),
        "both": g.node("add", [found["x0"], found["y0"]], ["n", "m"]),
        "one of both": g.node("add", [found["x0"], found["y"]], ["n", "m"]),
        "beside": g.node("concat", [found["x0"], found["y0"]], ["n", [[2, ["m"]]]], axis=1),
        "beside others": g.node("concat", [found["x0"], found["y1"]], ["n", [[2, ["m"]]]], axis=1),
        "others beside": g.node("concat", [found["y1"], found["x0"]], ["n", [[2, ["m"]]]], axis=1),
        "below": g.node("concat", [found["x0"], found["y0"]], [[[2, ["n"]]], "m"], axis=0),
        "turned": g.node("einsum", [found["x0"]], ["m", "n"], inputs=[[0, 1]], output=[1, 0]),
        "product": g.node("einsum", [found["x0"], found["y0"]], ["n", "n", "m"],
                          inputs=[[0, 2], [1, 2]], output=[0, 1, 2]),
        "summed": g.node("einsum", [found["x0"], found["y0"]], ["m"], inputs=[[0, 2], [1, 2]], output=[2]),
        "over all": g.node("einsum", [found["x"], over], ["n", "m"], inputs=[[0, 1], []], output=[0, 1]),
        "over others": g.node("einsum", [found["x"], g.nodes[found["x1"]]["args"][1]], ["n", "m"],
                              inputs=[[0, 1], [0]], output=[0, 1]),
        "pairs": g.node("einsum", [found["x0"], found["y0"]], ["n", "m"],
                        inputs=[[0, 1], [0, 1]], output=[0, 1]),
        "whole": g.node("einsum", [found["x1"]], [], inputs=[[0, 1]], output=[]),
        "part": g.node("einsum", [found["x1"]], ["m"], inputs=[[0, 1]], output=[1]),
    }  # fmt: skip
    known = facts(g)
    for name in "xy":
        assert [known[found[f"{name}{k}"]] for k in ("", 0, 1)] == [{}, {0: 1}, {1: 1}]
    assert {name: known[node] for name, node in nodes.items()} == {
        "even": {None: F(1, 3), 0: 1}, "even twice": {None: F(1, 3), 0: 2},
        "other": {}, "both": {0: 2}, "one of both": {}, "beside": {0: 1}, "beside others": {},
        "others beside": {}, "below": {}, "turned": {1: 1}, "product": {}, "pairs": {},
        "over all": {}, "over others": {1: 1}, "summed": {None: 1, 0: 2}, "whole": {None: 3}, "part": {0: 3},
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_what_is_known_of_random_programs_is_so(seed: int) -> None:
    rng, (g, found) = random.Random(seed), start()
    nodes = list(found.values())
    for _ in range(14):
        square = [k for k in nodes if g.nodes[k]["shape"] == ["n", "m"]]
        p, q = rng.choice(square), rng.choice(square)
        op = rng.randrange(7)
        if op == 0:
            nodes.append(over_sums(g, p, rng.randrange(2)))
        elif op == 1:
            nodes.append(over_sums(g, p, rng.randrange(2), q))
        elif op == 2:
            nodes.append(g.node("add", [p, q], ["n", "m"]))
        elif op == 3:
            axis = rng.randrange(2)
            shape = [[[2, ["n"]]], "m"] if axis == 0 else ["n", [[2, ["m"]]]]
            nodes.append(g.node("concat", [p, q], shape, axis=axis))
        elif op == 4:
            nodes.append(g.node("einsum", [p, q], ["n", "m"], inputs=[[0, 1], [2, 1]], output=[0, 1]))
        elif op == 5:
            s = g.node("size", [], [], size=rng.choice("nm"))
            r = g.node("map", [s], [], fn="recip")
            nodes.append(g.node("einsum", [p, r], ["n", "m"], inputs=[[0, 1], []], output=[0, 1]))
        else:
            c = g.node("const", [], [2], values=[str(F(rng.randint(-2, 3), 2)) for _ in range(2)])
            nodes.append(g.node("einsum", [c, p], ["n", "m"], inputs=[[2], [0, 1]], output=[0, 1]))
    assert sum(map(len, facts(g))) > 4
