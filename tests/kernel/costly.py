"""The most expensive certificates that are known near each limit: short files that ask for much work."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np

import eqvproof as ep
from tests.kernel import hostile
from tests.kernel.corpus import (
    JSON,
    Graph,
    accepted,
    claim,
    reseal,
    seal,
    single,
    std,
    tensor,
    vector,
)
from tests.kernel.encoding import encoded

#: What is built on one input node.
Build = Callable[[Graph, int], Any]


def graph(build: Build, *shape: Any) -> Graph:
    """A program of one input."""
    g = Graph(x=list(shape))
    build(g, g.node("input", [], list(shape), name="x"))
    return g


def single_sizes(
    build: Build,
    signature: str,
    under: str,
    *scope: JSON,
    shape: tuple[Any, ...] = ("n",),
    kind: str = "decision",
) -> JSON:
    """A decision, or a test, at these sizes."""
    return single(kind, claim(signature, under), list(scope), graph(build, *shape).program())


def product(g: Graph, args: list[int], shape: list[Any], rows: list[list[int]], output: list[int]) -> int:
    return g.node("einsum", args, shape, inputs=rows, output=output)


def summed(g: Graph, x: int) -> int:
    return product(g, [x], [], [[0]], [])


def square_of_sum(g: Graph, x: int) -> None:
    s = summed(g, x)
    product(g, [s, s], [], [[], []], [])


def cube_of_sum(g: Graph, x: int) -> None:
    s = summed(g, x)
    product(g, [s, s, s], [], [[], [], []], [])


def in_order(g: Graph, x: int) -> None:
    g.node("sort", [x], ["n"], axis=0)


def greatest(g: Graph, x: int) -> None:
    g.node("reduce", [x], [], fn="max", axes=[0])


def exponentials(g: Graph, x: int) -> None:
    g.node("map", [x], ["n"], fn="exp")


def inverses_times_sum(g: Graph, x: int) -> None:
    """Each entry is defined under as many conditions as there are entries."""
    r = g.node("map", [x], ["n"], fn="recip")
    product(g, [r, summed(g, r)], ["n"], [[0], []], [0])


def absolute_sum(g: Graph, x: int) -> None:
    summed(g, g.node("map", [x], ["n"], fn="abs"))


def many_moving(g: Graph, x: int) -> None:
    """Many values, each of which moves under all infinitesimal elements."""
    spread = product(g, [summed(g, x)], [2000], [[]], [0])
    g.node("add", [spread, g.node("iota", [], [2000])], [2000])


def outer(g: Graph, x: int) -> None:
    product(g, [x, x], ["n", "n"], [[0], [1]], [0, 1])


def long_coefficients(g: Graph, x: int) -> None:
    c = g.node("const", [], [], values=[str((1 << 13_000) - 1)])
    y = product(g, [c, summed(g, x)], [], [[], []], [])
    product(g, [y, y, y], [], [[], [], []], [])


def long_denominators(g: Graph, x: int) -> None:
    c = g.node("const", [], [500], values=[f"1/{10**3900 + 2 * k + 1}" for k in range(500)])
    g.node("add", [x, product(g, [summed(g, c)], ["n"], [[]], [0])], ["n"])


def unknown(g: Graph, x: int) -> None:
    g.node("opaque", [x], [20_000], name="h", symmetry=None)


def matrix_function(fn: str) -> Build:
    """A function of a square matrix."""
    return lambda g, x: g.node(
        "matrix_function", [x], {"det": [], "eigvals": ["d"]}.get(fn, ["d", "d"]), fn=fn
    )


def turned(fn: str, d: int) -> JSON:
    """A function of a matrix, under O(d)."""
    after = {"det": "()", "eigvals": "d!"}.get(fn, "d d")
    return single_sizes(matrix_function(fn), f"x: d d -> {after}", "O(d)", {"d": d}, shape=("d", "d"))


def many_results(kind: str) -> JSON:
    """Sixty certificates in one, each of which is some work."""

    def own(k: int) -> JSON:
        if kind == "test":
            return single_sizes(in_order, "x: n -> n!", "S(n)", {"n": 2000 + k}, kind=kind)
        return single_sizes(square_of_sum, "x: n -> ()", "S(n)", {"n": 100 + k})

    return seal("results", results=[{"name": f"r{k}", "certificate": encoded(own(k))} for k in range(60)])


def many_points(kind: str) -> JSON:
    """Thousands of points, at several choices of sizes."""
    points = [[{"x": vector(str(k), str(k + 1))} for k in range(4000)] for _ in range(10)]
    squares = graph(lambda g, x: product(g, [x, x], ["n"], [[0], [0]], [0]), "n").program()
    parts = {"programs": [squares] * 10} | ({"others": [squares] * 10} if kind == "equality" else {})
    what = {**claim("x: n -> n", kind="identity"), "scope": [{"n": 2}] * 10}
    return seal(kind, claim=what, evidence={"points": points}, **parts)


def commuting(n: int, parts: int) -> JSON:
    """The maps that commute with a matrix of long entries."""
    rng = random.Random(1)
    m = [[rng.randint(-(10**6), 10**6) for _ in range(n)] for _ in range(n)]
    one = [[int(i == j) for j in range(n)] for i in range(n)]
    return seal("linear-maps", holds=True, parts=[{"generators": [[m, m]], "family": [one]}] * parts)


def expanded(g: Graph, x: int) -> None:
    """A square of the square of a sum of functions, which normal forms multiply out."""
    names = ("exp", "tanh", "sin", "cos", "sqrt", "log", "erf", "floor", "arctan", "cbrt")
    s = g.node("add", [g.node("map", [x], ["n"], fn=name) for name in names], ["n"])
    for _ in range(2):
        s = product(g, [s, s], ["n"], [[0], [0]], [0])


def look_alike(g: Graph, x: int) -> None:
    """Axes that look alike, of which all orders are tried."""
    y = product(g, [x] * 6, ["n"] * 6, [[k] for k in range(6)], list(range(6)))
    product(g, [g.node("map", [y], ["n"] * 6, fn="tanh")], ["n"], [list(range(6))], [0])


def identity(build: Build) -> JSON:
    """A program is itself, which is shown by normal forms."""
    program, evidence = graph(build, "n").program(), accepted()["associative"]["evidence"]
    what = claim("x: n -> n", kind="identity")
    return seal("identity", claim=what, program=program, other=program, evidence=evidence)


def long_proof(nodes: int) -> JSON:
    """A function of a function of a function."""
    g = Graph(x=["n"])
    x = g.node("input", [], ["n"], [[std("n")]], name="x")
    for _ in range(nodes):
        x = g.node("map", [x], ["n"], [[std("n")]], fn="exp")
    return g.proof(claim("x: n -> n", "S(n)"))


def reflections(n: int) -> JSON:
    """An orthogonal matrix as a product of as many reflections as there may be."""
    rng, one = random.Random(0), tensor([n, n], *[str(int(i == j)) for i in range(n) for j in range(n)])
    vectors = [[str(rng.randint(-(10**50), 10**50)) for _ in range(n)] for _ in range((n + 1) // 2)]
    twice = [v for u in vectors for v in (u, u)]
    return seal("orthogonal-witness", X=one, Y=one, Q=one, determinant=1, reflections=twice)


def permuted(n: int) -> JSON:
    """Very many columns, in the same order."""
    row = tensor([1, n], *range(n))
    return seal("permutation-witness", X=row, Y=row, permutation=list(range(n)), tolerance="0")


def typed_sizes(nodes: int, sizes: int) -> JSON:
    """A decision by types at many sizes."""
    data = accepted()["typed"]
    scope, program, proof = data["claim"]["scope"][0], data["programs"][0], data["evidence"]["proofs"][0]
    return seal(
        "decision", claim={**data["claim"], "scope": [scope] * sizes}, programs=[program],
        evidence={"proofs": [proof] * sizes},
    )  # fmt: skip


def enclosed(fn: str) -> bytes:
    """A function of a function, enclosed in many bits."""
    return hostile.chain(hostile.mapped(fn), 4000, "1/3", precision=1024)


def rationals(n: int, steps: int) -> bytes:
    """Squares of squares of rationals."""
    values = [f"{3 * k + 1}/{7 * k + 2}" if gcd(3 * k + 1, 7 * k + 2) == 1 else "1/3" for k in range(n)]
    return hostile.chain(hostile.squared, steps, *values)


def series(n: int) -> bytes:
    """An exponential of a matrix, enclosed in many bits."""
    g = Graph(x=["n", "n"])
    g.node("matrix_function", [g.node("input", [], ["n", "n"], name="x")], ["n", "n"], fn="expm")
    entries = tensor([n, n], *[f"{i * 7 % 11 + 1}/13" for i in range(n * n)])
    return hostile.evaluated(g, "x: n n -> n n", {"n": n}, {"x": entries}, 1024, entry=(0, 0))


def violated(n: int, steps: int) -> JSON:
    """A bound at a point of long rationals, enclosed in many bits."""

    def power(x: Any) -> Any:
        y = x * x[0]
        for _ in range(steps):
            y = np.exp(-y * y)
        return y

    found = ep.violation(power, "x: n -> n", "S(n)", sizes={"n": n}, budget=5)
    data = copy.deepcopy(found.certificate)
    assert data is not None
    data["evidence"]["precision"] = 1024
    (point,), (box,) = data["evidence"]["inputs"].values(), data["bound"]["box"].values()
    point["values"] = [str(Fraction(10**300 + 7 * k, 10**301 + 3)) for k in range(n)]
    box["low"]["values"] = ["-1" for _ in box["low"]["values"]]
    box["high"]["values"] = ["1" for _ in box["high"]["values"]]
    return reseal(data)


#: By kind and what is much: the certificate as data, or as text.
COSTLY: dict[str, Callable[[], JSON | bytes]] = {
    "decision, terms": lambda: single_sizes(square_of_sum, "x: n -> ()", "S(n)", {"n": 900}),
    "decision, terms at 64 sizes": lambda: single_sizes(
        square_of_sum, "x: n -> ()", "S(n)", *({"n": 164 - k} for k in range(64))),
    "decision, terms of degree 3": lambda: single_sizes(cube_of_sum, "x: n -> ()", "S(n)", {"n": 100}),
    "decision, dense forms": lambda: single_sizes(in_order, "x: n -> n!", "S(n)", {"n": 2000}),
    "decision, fewer dense forms": lambda: single_sizes(in_order, "x: n -> n!", "S(n)", {"n": 200}),
    "decision, many variables": lambda: single_sizes(exponentials, "x: n -> n", "S(n)", {"n": 15_000}),
    "decision, conditions": lambda: single_sizes(inverses_times_sum, "x: n -> n", "S(n)", {"n": 3000}),
    "decision, unknown functions": lambda: single_sizes(unknown, "x: n -> 20000", "S(n)", {"n": 100}),
    "decision, signs": lambda: single_sizes(absolute_sum, "x: n -> ()", "Signs(n)", {"n": 2000}),
    "decision, signs of more": lambda: single_sizes(absolute_sum, "x: n -> ()", "Signs(n)", {"n": 20_000}),
    "decision, cycles": lambda: single_sizes(greatest, "x: n -> ()", "A(n)", {"n": 5000}),
    "decision, translations": lambda: single_sizes(greatest, "x: n -> ()", "T(n)", {"n": 2000}),
    "decision, forms": lambda: single_sizes(many_moving, "x: n -> 2000", "Lorentz(n)", {"n": 100}),
    "decision, matrices": lambda: single_sizes(outer, "x: n -> n n", "GL(n)", {"n": 60}),
    "decision, long coefficients": lambda: single_sizes(long_coefficients, "x: n -> ()", "S(n)", {"n": 60}),
    "decision, long denominators": lambda: single_sizes(long_denominators, "x: n -> n", "S(n)", {"n": 5}),
    "decision, pseudo-inverse": lambda: turned("pinv", 8),
    "decision, by types at 64 sizes": lambda: typed_sizes(10, 64),
    "test, dense forms": lambda: single_sizes(in_order, "x: n -> n!", "S(n)", {"n": 20_000}, kind="test"),
    "test, at 64 sizes": lambda: single_sizes(
        in_order, "x: n -> n!", "S(n)", *({"n": 2000 + k} for k in range(64)), kind="test"),
    "test, reflections": lambda: single_sizes(outer, "x: n -> n n", "O(n)", {"n": 100}, kind="test"),
    "test, forms": lambda: single_sizes(many_moving, "x: n -> 2000", "Lorentz(n)", {"n": 100}, kind="test"),
    "results, decisions": lambda: many_results("decision"), "results, tests": lambda: many_results("test"),
    "injective": lambda: many_points("injective"), "equality": lambda: many_points("equality"),
    "linear-maps": lambda: commuting(20, 1),
    "vertices": lambda: hostile.polytope(3, 40), "vertices, digits": lambda: hostile.polytope(14, 300),
    "identity, terms": lambda: identity(expanded), "identity, orders": lambda: identity(look_alike),
    "proof": lambda: long_proof(49_000),
    "orthogonal-witness": lambda: reflections(60), "permutation-witness": lambda: permuted(20_000),
    "orbit-mismatch": hostile.inner_product, "counterexample": lambda: hostile.listed_word(20, 64),
    "difference, arcs": lambda: enclosed("arctan"),
    "violation": lambda: violated(60, 12),
    "difference, squares": lambda: rationals(300, 8), "difference, series": lambda: series(20),
}  # fmt: skip
#: Kinds of which some are near a limit and all right: what is allowed is enough for them.
ACCEPTED = (
    "proof", "orthogonal-witness", "permutation-witness", "decision, fewer dense forms",
    "decision, by types at 64 sizes",
)  # fmt: skip
