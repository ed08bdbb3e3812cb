"""The reject corpus: certificates that are well formed and sealed, and show nothing."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from tests.kernel import corpus
from tests.kernel.corpus import (
    JSON,
    STILL,
    Graph,
    U,
    accepted,
    axis,
    claim,
    factor,
    fix,
    move,
    std,
    tensor,
    vector,
)

D, N = std("d"), std("n")
FD, FN, FK = fix("d"), fix("n"), fix("k")


def edited(name: str, *edits: tuple[list[Any], Any]) -> JSON:
    """An accepted certificate with some values replaced."""
    return corpus.edited(ACCEPTED[name], *edits)


def one(
    signature: str,
    under: str,
    shapes: list[Any],
    types: list[Any],
    op: str,
    shape: list[Any],
    stated: list[Any],
    scope: JSON | None = None,
    **at: Any,
) -> JSON:
    """A proof with one operation on the inputs a, b, ..."""
    names = "abcdef"[: len(shapes)]
    g = Graph(**dict(zip(names, shapes, strict=True)))
    args = [g.node("input", [], s, [t], name=k) for k, s, t in zip(names, shapes, types, strict=True)]
    g.node(op, args, shape, [stated], **at)
    return g.proof(claim(signature, under, scope))


def unary(fn: str, under: str, stated: Any = D) -> JSON:
    """fn(a), entry by entry, said to stay acted on."""
    return one(
        f"a: d -> {'d' if stated == D else 'd!'}", under, [["d"]], [[D]], "map", ["d"], [stated], fn=fn
    )


def pair(fn: str, under: str) -> JSON:
    """fn(a, b)."""
    return one("a: d, b: d -> d", under, [["d"], ["d"]], [[D], [D]], "map", ["d"], [D], fn=fn)


def contract(
    signature: str,
    under: str,
    shapes: list[Any],
    types: list[Any],
    rows: Any,
    output: Any,
    shape: Any,
    stated: Any,
) -> JSON:
    """One einsum."""
    return one(signature, under, shapes, types, "einsum", shape, stated, inputs=rows, output=output)


def broadcast(under: str) -> JSON:
    """A vector of ones, said to be acted on."""
    g = Graph(a=["d"])
    a = g.node("input", [], ["d"], [[D]], name="a")
    c = g.node("const", [], [], [[]], values=["1"])
    o = g.node("einsum", [c], ["d"], [[D]], inputs=[[]], output=[0])
    g.node("add", [a, o], ["d"], [[D]])
    return g.proof(claim("a: d -> d", under))


def leaf(
    op: str, shape: list[Any], stated: list[Any], under: str = "S(n)", output: str = "n", **at: Any
) -> JSON:
    """A leaf added to the input."""
    g = Graph(a=shape, z=["k"])
    given = [fix("n") if t == U else t for t in stated]
    a = g.node("input", [], shape, [given], name="a")
    b = g.node(op, [], shape, [stated], **at)
    g.node("add", [a, b], shape, [given])
    return g.proof(claim(f"a: {output}, z: k -> {output}", under))


def of_ones(op: str, shape: list[Any], *given: list[int], **at: Any) -> JSON:
    """An operation on ones of these shapes, which are constant along their axes: no type refuses it."""
    g = Graph(a=shape, z=["n"])
    a = g.node("input", [], shape, [[fix(s) for s in shape]], name="a")
    ones = [g.node("const", [], s, [[U] * len(s)], values=["1"] * prod(s)) for s in given]
    b = g.node(op, ones, shape, [[fix(s) for s in shape]], **at)
    g.node("add", [a, b], shape, [[fix(s) for s in shape]])
    axes = " ".join(f"{s}!" for s in shape)
    return g.proof(claim(f"a: {axes}, z: n -> {axes}", "S(n)"))


def maybe_zero() -> JSON:
    """0 times 1/x is not 0 where 1/x is undefined."""
    g = Graph(a=["d"])
    a = g.node("input", [], ["d"], [[D]], name="a")
    z = g.node("const", [], [], [[]], values=["0"])
    s = g.node("einsum", [a], [], [[]], inputs=[[0]], output=[])
    r = g.node("map", [s], [], [[]], fn="recip")
    g.node("einsum", [z, r], ["d"], [[D]], inputs=[[], []], output=[0])
    return g.proof(claim("a: d -> d", "O(d)"))


def select(c: Any, under: str) -> JSON:
    """Where a, then b, else c."""
    types = [[c], [D], [D]]
    return one(
        f"a: {'d' if c == D else 'd!'}, b: d, c: d -> d", under, [["d"]] * 3, types, "select", ["d"], [D]
    )


def weighted(summed: bool) -> JSON:
    """Points weighted by the columns of softmax(A), which sum to 1 one by one, or by their sum."""
    g = Graph(X=["n", "d"], A=["n", "m"])
    x = g.node("input", [], ["n", "d"], [move(1)], name="X")
    a = g.node("input", [], ["n", "m"], [STILL], name="A")
    e = g.node("map", [a], ["n", "m"], [STILL], fn="exp")
    s = g.node("einsum", [e], ["m"], [STILL], inputs=[[0, 1]], output=[1])
    r = g.node("map", [s], ["m"], [STILL], fn="recip")
    if summed:
        w = g.node("einsum", [e, r], ["n"], [STILL], inputs=[[0, 1], [1]], output=[0])
        g.node("einsum", [w, x], ["d"], [move(0)], inputs=[[0], [0, 1]], output=[1])
        return g.proof(claim("X: n d, A: n m -> d", "T(d)"))
    w = g.node("einsum", [e, r], ["n", "m"], [STILL], inputs=[[0, 1], [1]], output=[0, 1])
    g.node("einsum", [w, x], ["m", "d"], [move(1)], inputs=[[0, 2], [0, 1]], output=[2, 1])
    return g.proof(claim("X: n d, A: n m -> m d", "T(d)"))


def mean_without_first() -> JSON:
    """The mean of X[1:], which is a sum over nothing for n = 1."""
    g, less = Graph(X=["n", "d"]), [[-1, []], [1, ["n"]]]
    x = g.node("input", [], ["n", "d"], [move(1)], name="X")
    y = g.node("slice", [x], [less, "d"], [move(1)], axis=0, start=1, step=1)
    s = g.node("size", [], [], [STILL], size=less)
    r = g.node("map", [s], [], [STILL], fn="recip")
    g.node("einsum", [y, r], ["d"], [move(0)], inputs=[[0, 1], []], output=[1])
    return g.proof(claim("X: n d -> d", "T(d)"))


def product_of_no_zeros() -> JSON:
    """prod of n - 1 zeros times x, said to have every degree; it is 1 for n = 1."""
    g, less = Graph(x=["n", "d"]), [[-1, []], [1, ["n"]]]
    x = g.node("input", [], ["n", "d"], ["1"], name="x")
    z = g.node("const", [], [], ["zero"], values=["0"])
    b = g.node("einsum", [z], [less], ["zero"], inputs=[[]], output=[0])
    p = g.node("reduce", [b], [], ["zero"], fn="prod", axes=[0])
    g.node("einsum", [p, x], [], ["0"], inputs=[[], [0, 1]], output=[])
    return g.proof(claim("x: n d -> ()", "Scale(d)"))


def rigid_matrix() -> JSON:
    """A matrix of which both axes rotate, and one is translated too."""
    g = Graph(a=["d", "d"])
    a = g.node("input", [], ["d", "d"], [move(0), [D, D]], name="a")
    g.node("add", [a, a], ["d", "d"], [move(0, 2), [D, D]])
    return g.proof(claim("a: d d -> d d", "E(d)"), "T(d) x O(d)")


def motion(signature: str, under: str, given: Any, op: str, stated: Any, count: int = 1, **at: Any) -> JSON:
    """One operation on vectors of size d, of these types under T or Scale."""
    names = "abc"[:count]
    g = Graph(**{key: ["d"] for key in names})
    args = [g.node("input", [], ["d"], [given], name=k) for k in names]
    g.node(op, args, [] if signature.endswith("()") else ["d"], [stated], **at)
    return g.proof(claim(signature, under))


NK = [[1, ["k"]], [1, ["n"]]]
NK_TYPE = [[["n", 1]], [["k", 0]]]
LINES = ["evidence", "factors", 0, "lines"]
ELEMENT = ["evidence", "element", 0]
#: A constant that is read as the table next to it.
READ = [{"node": 0, "read": "invariant"}]

ACCEPTED = accepted()

#: The last line does not follow.
UNJUSTIFIED: dict[str, Callable[[], JSON]] = {
    # entrywise functions
    **{
        f"{fn} under {g}": (lambda fn=fn, g=g: unary(fn, g))
        for fn in ("exp", "abs", "recip", "tanh", "sign")
        for g in ("O(d)", "SO(d)")
    },
    **{
        f"{fn} under Signs": (lambda fn=fn: unary(fn, "Signs(d)"))
        for fn in ("exp", "log", "sqrt", "abs", "cos", "cosh", "arccos", "floor", "ceil", "not")
    },
    **{
        f"{fn} called even": (lambda fn=fn: unary(fn, "Signs(d)", FD))
        for fn in ("exp", "sin", "rint", "erf", "cbrt")
    },
    **{
        f"{fn} of two under {g}": (lambda fn=fn, g=g: pair(fn, g))
        for fn in ("maximum", "arctan2", "pow", "mod")
        for g in ("O(d)", "Signs(d)")
    },
    "forgetting by exp": lambda: unary("exp", "S(d)", FD),
    # einsum
    "sum of one acted": lambda: contract("a: d -> ()", "O(d)", [["d"]], [[D]], [[0]], [], [], []),
    "sum of one sign": lambda: contract("a: d -> ()", "Signs(d)", [["d"]], [[D]], [[0]], [], [], []),
    "sum of three": lambda: contract(
        "a: d, b: d, c: d -> ()", "O(d)", [["d"]] * 3, [[D]] * 3, [[0], [0], [0]], [], [], []
    ),
    "sum of three signs": lambda: contract(
        "a: d, b: d, c: d -> ()", "Signs(d)", [["d"]] * 3, [[D]] * 3, [[0], [0], [0]], [], [], []
    ),
    "square kept": lambda: contract(
        "a: d, b: d -> d", "O(d)", [["d"], ["d"]], [[D], [D]], [[0], [0]], [0], ["d"], [D]
    ),
    "product of signs": lambda: contract(
        "a: d, b: d -> d", "Signs(d)", [["d"], ["d"]], [[D], [D]], [[0], [0]], [0], ["d"], [D]
    ),
    "product with fixed": lambda: contract(
        "a: d, b: d! -> d", "O(d)", [["d"], ["d"]], [[D], [FD]], [[0], [0]], [0], ["d"], [D]
    ),
    "inner product with fixed": lambda: contract(
        "a: d, b: d! -> ()", "O(d)", [["d"], ["d"]], [[D], [FD]], [[0], [0]], [], [], []
    ),
    "inner product with fixed, S": lambda: contract(
        "a: n, b: n! -> ()", "S(n)", [["n"], ["n"]], [[N], [FN]], [[0], [0]], [], [], []
    ),
    "product with fixed, S": lambda: contract(
        "a: n, b: n! -> n", "S(n)", [["n"], ["n"]], [[N], [FN]], [[0], [0]], [0], ["n"], [N]
    ),
    "diagonal": lambda: contract("a: d d -> d", "O(d)", [["d", "d"]], [[D, D]], [[0, 0]], [0], ["d"], [D]),
    "diagonal fixed": lambda: contract(
        "a: d d -> d!", "O(d)", [["d", "d"]], [[D, D]], [[0, 0]], [0], ["d"], [FD]
    ),
    "half trace": lambda: contract("a: d d! -> ()", "O(d)", [["d", "d"]], [[D, FD]], [[0, 0]], [], [], []),
    "kept but fixed": lambda: contract("a: n -> n!", "S(n)", [["n"]], [[N]], [[0]], [0], ["n"], [FN]),
    "transposed acts": lambda: contract(
        "a: d d! -> d! d", "O(d)", [["d", "d"]], [[D, FD]], [[0, 1]], [0, 1], ["d", "d"], [FD, D]
    ),
    "ones under O": lambda: broadcast("O(d)"),
    "ones under SO": lambda: broadcast("SO(d)"),
    "ones under Signs": lambda: broadcast("Signs(d)"),
    "zero times undefined": maybe_zero,
    # sums, choices
    "sum of acted and fixed": lambda: one(
        "a: d, b: d! -> d", "O(d)", [["d"], ["d"]], [[D], [FD]], "add", ["d"], [D]
    ),
    "sum of acted and fixed, S": lambda: one(
        "a: n, b: n! -> n", "S(n)", [["n"], ["n"]], [[N], [FN]], "add", ["n"], [N]
    ),
    "choice by fixed, O": lambda: select(FD, "O(d)"),
    "choice by acted, O": lambda: select(D, "O(d)"),
    "choice by acted, Signs": lambda: select(D, "Signs(d)"),
    "choice by acted, SO": lambda: select(D, "SO(d)"),
    # reductions, sorts, rearrangements
    **{
        f"{fn} under {g}": (
            lambda fn=fn, g=g: one("a: d -> ()", g, [["d"]], [[D]], "reduce", [], [], fn=fn, axes=[0])
        )
        for fn in ("max", "min", "prod")
        for g in ("O(d)", "Signs(d)")
    },
    "max of fixed beside acted": lambda: one(
        "a: d n -> d", "O(d)", [["d", "n"]], [[D, FN]], "reduce", ["d"], [D], fn="max", axes=[1]
    ),
    "sorted stays": lambda: one("a: n -> n", "S(n)", [["n"]], [[N]], "sort", ["n"], [N], axis=0),
    "sorted under O": lambda: one("a: d -> d!", "O(d)", [["d"]], [[D]], "sort", ["d"], [FD], axis=0),
    "sorted beside signs": lambda: one(
        "a: d n -> d n", "Signs(d)", [["d", "n"]], [[D, FN]], "sort", ["d", "n"], [D, FN], axis=1
    ),
    "flip": lambda: one("a: n -> n", "S(n)", [["n"]], [[N]], "flip", ["n"], [N], axis=0),
    "flip under C": lambda: one("a: n -> n", "C(n)", [["n"]], [[N]], "flip", ["n"], [N], axis=0),
    "roll under S": lambda: one("a: n -> n", "S(n)", [["n"]], [[N]], "roll", ["n"], [N], axis=0, shift=1),
    "roll under A": lambda: one("a: n -> n", "A(n)", [["n"]], [[N]], "roll", ["n"], [N], axis=0, shift=1),
    "roll of two copies": lambda: one(
        "a: 2n -> 2n",
        "C(n)",
        [[[[2, ["n"]]]]],
        [[[[["n", 1]], [["n", 1]]]]],
        "roll",
        [[[2, ["n"]]]],
        [[[["n", 1]], [["n", 1]]]],
        axis=0,
        shift=1,
    ),
    # parts
    "first entry": lambda: one(
        "a: n -> 1", "S(n)", [["n"]], [[N]], "slice", [1], [fix(1)], axis=0, start=0, step=1
    ),
    "every second": lambda: one(
        "a: 2n -> n",
        "S(n)",
        [[[[2, ["n"]]]]],
        [[[[["n", 1]], [["n", 1]]]]],
        "slice",
        ["n"],
        [N],
        axis=0,
        start=0,
        step=2,
    ),
    "across blocks": lambda: one(
        "a: n+k -> k", "S(n)", [[NK]], [[NK_TYPE]], "slice", ["k"], [FK], axis=0, start=0, step=1
    ),
    "joined beside": lambda: one(
        "a: d 1, b: d! 1 -> d 2",
        "O(d)",
        [["d", 1], ["d", 1]],
        [[D, fix(1)], [FD, fix(1)]],
        "concat",
        ["d", 2],
        [D, fix(2)],
        axis=1,
    ),
    "reshaped in another order": lambda: one(
        "a: n 2 -> 2n",
        "S(n)",
        [["n", 2]],
        [[N, fix(2)]],
        "reshape",
        [[[2, ["n"]]]],
        [[[["n", 1]], [["n", 1]]]],
    ),
    "reshaped away": lambda: one(
        "a: n k -> m",
        "S(n)",
        [["n", "k"]],
        [[N, FK]],
        "reshape",
        [[[1, ["k", "n"]]]],
        [fix([[1, ["k", "n"]]])],
    ),
    "reshaped exchange": lambda: one(
        "a: n n! -> n! n", "S(n)", [["n", "n"]], [[N, FN]], "reshape", ["n", "n"], [FN, N]
    ),
    # matrices
    "inverse not transposed": lambda: one(
        "a: n n! -> n n!", "O(n)", [["n", "n"]], [[N, FN]], "inv", ["n", "n"], [N, FN]
    ),
    "determinant of one side": lambda: one("a: n n! -> ()", "O(n)", [["n", "n"]], [[N, FN]], "det", [], []),
    "determinant of one side, S": lambda: one(
        "a: n n! -> ()", "S(n)", [["n", "n"]], [[N, FN]], "det", [], []
    ),
    "determinant of a mixed batch": lambda: one(
        "a: d n! n! -> d", "O(d)", [["d", "n", "n"]], [[D, FN, FN]], "det", ["d"], [D]
    ),
    "inverse of a mixed batch": lambda: one(
        "a: d n! n! -> d n! n!", "O(d)", [["d", "n", "n"]], [[D, FN, FN]], "inv", ["d", "n", "n"], [D, FN, FN]
    ),
    # leaves
    "iota moves": lambda: leaf("iota", ["n"], [N]),
    "triangle moves": lambda: leaf("indicator", ["n", "n"], [N, N], output="n n", offset=0),
    "half identity": lambda: leaf("indicator", ["n", "n"], [N, FN], output="n n!"),
    "a triangle for the identity": lambda: edited("inverse", (["program", "nodes", 2, "offset"], 0)),
    "identity under another axis": lambda: leaf("indicator", ["n", "n"], [FN, N], output="n! n"),
    # opaque
    "unknown of acted": lambda: one(
        "a: d -> d", "O(d)", [["d"]], [[D]], "opaque", ["d"], [D], name="g", symmetry=None
    ),
    "unknown of acted, fixed": lambda: one(
        "a: d -> d!", "O(d)", [["d"]], [[D]], "opaque", ["d"], [FD], name="g", symmetry=None
    ),
    "unknown uniform": lambda: one(
        "a: n -> n", "S(n)", [["n"]], [[N]], "opaque", ["n"], [U], name="g", symmetry=None
    ),
    "assumed for less": lambda: one(
        "a: d -> d",
        "O(d)",
        [["d"]],
        [[D]],
        "opaque",
        ["d"],
        [D],
        name="g",
        symmetry={"inputs": [[axis("d")]], "output": [axis("d")], "group": [factor("SO(d)")]},
    ),
    "assumed on another axis": lambda: one(
        "a: d n -> d n",
        "O(d)",
        [["d", "n"]],
        [[D, FN]],
        "opaque",
        ["d", "n"],
        [D, FN],
        name="g",
        symmetry={
            "inputs": [[axis("d"), axis("n")]],
            "output": [axis("d"), axis("n")],
            "group": [factor("O(n)")],
        },
    ),
    "assumed invariant": lambda: one(
        "a: d -> d",
        "O(d)",
        [["d"]],
        [[D]],
        "opaque",
        ["d"],
        [D],
        name="g",
        symmetry={"inputs": [[axis("d")]], "output": [axis("d!")], "group": [factor("O(d)")]},
    ),
}

REJECTED: dict[str, Callable[[], JSON]] = {
    "pi along an axis": lambda: of_ones("map", [2], fn="pi"),
    "an identity matrix that is not square": lambda: of_ones("indicator", [2, 3], offset=None),
    "an identity matrix of three axes": lambda: of_ones("indicator", [2, 2, 2], offset=None),
    "the inverse of a matrix that is not square": lambda: of_ones(
        "matrix_function", [3, 2], [2, 3], fn="inv"
    ),
    "as many determinants as rows": lambda: of_ones("matrix_function", [2], [2, 2], fn="det"),
    "more weights than eigenvalues": lambda: of_ones(
        "matrix_function", [2, 2], [2, 2], [3], fn="spectral"
    ),
    "a program of another input": lambda: one(
        "b: d -> d", "S(d)", [["d"]], [[D]], "map", ["d"], [D], fn="exp"
    ),
    **UNJUSTIFIED,
    "part out of range": lambda: one(
        "a: n k -> n 2",
        "S(n)",
        [["n", "k"]],
        [[N, FK]],
        "slice",
        ["n", 2],
        [N, fix(2)],
        axis=1,
        start=0,
        step=1,
    ),
    "part before the start": lambda: one(
        "a: n k -> n 1",
        "S(n)",
        [["n", "k"]],
        [[N, FK]],
        "slice",
        ["n", 1],
        [N, fix(1)],
        axis=1,
        start=[[-2, []], [1, ["k"]]],
        step=1,
    ),
    "joined in another order": lambda: one(
        "a: n, b: k -> k+n", "S(n)", [["n"], ["k"]], [[N], [FK]], "concat", [NK], [NK_TYPE], axis=0
    ),
    # translations and multiples
    "weights that sum to m": lambda: weighted(summed=True),
    "mean over nothing": mean_without_first,
    "product of no zeros": product_of_no_zeros,
    "points added": lambda: motion("a: d, b: d -> d", "T(d)", move(0), "add", move(0), count=2),
    "points added twice": lambda: motion("a: d, b: d -> d", "T(d)", move(0), "add", move(0, 2), count=2),
    "points said to stay": lambda: motion("a: d, b: d -> d^", "T(d)", move(0), "add", STILL, count=2),
    "tanh of points": lambda: motion("a: d -> d", "T(d)", move(0), "map", move(0), fn="tanh"),
    "tanh of points, still": lambda: motion("a: d -> d^", "T(d)", move(0), "map", STILL, fn="tanh"),
    "greatest coordinate": lambda: motion("a: d -> ()", "T(d)", move(0), "reduce", STILL, fn="max", axes=[0]),
    "coordinates sorted": lambda: motion("a: d -> d", "T(d)", move(0), "sort", move(0), axis=0),
    "coordinates shifted": lambda: motion("a: d -> d", "T(d)", move(0), "roll", move(0), axis=0, shift=1),
    "coordinates summed": lambda: motion(
        "a: d -> ()", "T(d)", move(0), "einsum", STILL, inputs=[[0]], output=[]
    ),
    "coordinates squared": lambda: motion(
        "a: d, b: d -> d", "T(d)", move(0), "einsum", move(0), count=2, inputs=[[0], [0]], output=[0]
    ),
    "no multiple of anything": lambda: motion("a: d -> d", "T(d)", move(0, 0, 0), "flip", move(0), axis=0),
    "degree of exp": lambda: motion("a: d -> d", "Scale(d)", "1", "map", "1", fn="exp"),
    "degree of a square": lambda: motion(
        "a: d, b: d -> d", "Scale(d)", "1", "einsum", "1", count=2, inputs=[[0], [0]], output=[0]
    ),
    "degree of a square root": lambda: motion("a: d -> d", "Scale(d)", "1", "map", "1", fn="sqrt"),
    "degree of a product of d": lambda: motion(
        "a: d -> ()", "Scale(d)", "1", "reduce", "0", fn="prod", axes=[0]
    ),
    "degree of a comparison": lambda: motion(
        "a: d, b: d -> d", "Scale(d)", "1", "map", "1", count=2, fn="lt"
    ),
    "rigid motion of a matrix": rigid_matrix,
    "rotations proved, motions claimed": lambda: edited(
        "barycentre", (["evidence", "factors"], ACCEPTED["barycentre"]["evidence"]["factors"][1:])
    ),
    "negative multiple": lambda: edited("quadratic", ([*ELEMENT, "factor"], "-2")),
    "no multiple": lambda: edited("quadratic", ([*ELEMENT, "factor"], "0")),
    "short translation": lambda: edited("quadratic", (["evidence", "element", 1, "vector"], [])),
    "reflection as motion": lambda: edited("doubled", ([*ELEMENT, "matrix"], [["0", "1"], ["1", "0"]])),
    "neither rotation nor reflection": lambda: edited(
        "doubled",
        (["evidence", "element", 1, "permutation"], [0, 1, 3, 2]),
        (["evidence", "sizes", "n"], 4),
        (["evidence", "inputs", "x"], tensor([4, 2], 1, 0, 2, 0, 4, 0, 0, 0)),
    ),
    # the frame of a proof
    "no lines": lambda: edited("norm", (LINES, [])),
    "no factors": lambda: edited("norm", (["evidence", "factors"], [])),
    "factor missing": lambda: edited(
        "gram", (["evidence", "factors"], ACCEPTED["gram"]["evidence"]["factors"][:1])
    ),
    "factors exchanged": lambda: edited(
        "gram", (["evidence", "factors"], ACCEPTED["gram"]["evidence"]["factors"][::-1])
    ),
    "proof of less": lambda: edited("norm", (["claim", "group", 0, "family"], "O")),
    "group without factors": lambda: edited("norm", (["claim", "group"], []), (["evidence", "factors"], [])),
    "claim of another axis": lambda: edited("gram", (["claim", "output"], [axis("n"), axis("d")])),
    "claimed to move": lambda: edited("literal", (["claim", "inputs", 1, "axes"], [axis("3")])),
    "claimed to stay": lambda: edited("gram", (["claim", "output", 0], axis("d!"))),
    "another program": lambda: edited("gram", (["program"], ACCEPTED["attention"]["program"])),
    "size of another name": lambda: edited("gram", (["program", "nodes", 1, "shape", 0], "d")),
    "wrong pin": lambda: edited("pinned", (["claim", "scope", "d"], 4)),
    "unpinned": lambda: edited("pinned", (["claim", "scope", "d"], "all")),
    "scope of the output": lambda: edited("sorted_entries", (["claim", "scope", "m"], 3)),
    # points
    "equal sides": lambda: edited(
        "square", (ELEMENT, {**factor("O(d)"), "matrix": [["1"]]}), (["evidence", "right"], vector(1))
    ),
    "other left side": lambda: edited("square", (["evidence", "left"], vector(2))),
    "other right side": lambda: edited("square", (["evidence", "right"], vector(1))),
    "undefined left side": lambda: edited("square", (["evidence", "left"], vector(None))),
    "entry outside": lambda: edited("square", (["evidence", "entry"], [1])),
    "entry of another rank": lambda: edited("square", (["evidence", "entry"], [])),
    "not orthogonal": lambda: edited(
        "square",
        (ELEMENT, {**factor("O(d)"), "matrix": [["2"]]}),
        (["evidence", "left"], vector(4)),
        (["evidence", "right"], vector(2)),
    ),
    "not square": lambda: edited("square", (ELEMENT, {**factor("O(d)"), "matrix": [["1", "0"]]})),
    "projection": lambda: edited(
        "square",
        (ELEMENT, {**factor("O(d)"), "matrix": [["0"]]}),
        (["evidence", "left"], vector(0)),
        (["evidence", "right"], vector(0)),
    ),
    "reflection as rotation": lambda: edited(
        "square", (["claim", "group", 0, "family"], "SO"), (ELEMENT, {**factor("SO(d)"), "matrix": [["-1"]]})
    ),
    "element of another family": lambda: edited("square", (ELEMENT, {**factor("SO(d)"), "matrix": [["-1"]]})),
    "element of another axis": lambda: edited("square", (ELEMENT, {**factor("O(n)"), "matrix": [["-1"]]})),
    "tables read at a point": lambda: edited("square", (["claim", "readings"], READ)),
    "no element": lambda: edited("square", (["evidence", "element"], [])),
    "two elements": lambda: edited(
        "square", (["evidence", "element"], [{**factor("O(d)"), "matrix": [["-1"]]}] * 2)
    ),
    "size outside the scope": lambda: edited("square", (["claim", "scope", "d"], [2, 5])),
    "size zero": lambda: edited("square", (["evidence", "sizes", "d"], 0)),
    "size missing": lambda: edited("square", (["evidence", "sizes"], {})),
    "another shape": lambda: edited("square", (["evidence", "inputs", "x"], vector(1, 1))),
    "another input": lambda: edited("square", (["evidence", "inputs"], {"y": vector(1)})),
    "ball without precision": lambda: edited("square", (["evidence", "arithmetic"], "ball")),
    "not a permutation": lambda: edited("shifted", (ELEMENT, {**factor("C(n)"), "permutation": [1, 1, 0]})),
    "not a shift": lambda: edited("shifted", (ELEMENT, {**factor("C(n)"), "permutation": [1, 0, 2]})),
    "odd": lambda: edited(
        "shifted",
        (["claim", "group", 0, "family"], "A"),
        (ELEMENT, {**factor("A(n)"), "permutation": [1, 0, 2]}),
    ),
    "one value of two functions": lambda: edited("apart", (["evidence", "values", "right"], vector(3))),
    "values of other sizes": lambda: edited("apart", (["evidence", "values", "left"], vector(3, 3))),
    "sides that are not the values": lambda: edited("apart", (["evidence", "left"], vector(5))),
    "sides that are equal": lambda: edited(
        "apart", (["evidence", "right"], vector(3)), (["evidence", "values", "right"], vector(3))
    ),
    "values under a group": lambda: edited("apart", (["claim", "kind"], "equivariance")),
    "too short": lambda: edited("shifted", (ELEMENT, {**factor("C(n)"), "permutation": [0, 1]})),
    "other values": lambda: edited("shifted", (["evidence", "values", "at"], tensor([], 6))),
    "values of another shape": lambda: edited("shifted", (["evidence", "values", "at"], vector(3))),
    "sign zero": lambda: edited("enclosed", (ELEMENT, {**factor("Signs(d)"), "signs": [0]})),
    "sign two": lambda: edited("enclosed", (ELEMENT, {**factor("Signs(d)"), "signs": [2]})),
    "identity sign": lambda: edited(
        "enclosed",
        (ELEMENT, {**factor("Signs(d)"), "signs": [1]}),
        (["evidence", "left"], {"lo": "2", "hi": "3"}),
        (["evidence", "right"], {"lo": "2", "hi": "3"}),
    ),
    "too narrow": lambda: edited("enclosed", (["evidence", "left"], {"lo": "367/1000", "hi": "1839/5000"})),
    "beside": lambda: edited("enclosed", (["evidence", "left"], {"lo": "1", "hi": "2"})),
    "upside down": lambda: edited("enclosed", (["evidence", "left"], {"lo": "23/62", "hi": "367/1000"})),
    "overlapping": lambda: edited("enclosed", (["evidence", "left"], {"lo": "-3", "hi": "1"})),
    "undefined ball": lambda: edited("enclosed", (["evidence", "left"], None)),
    "interval around nothing": lambda: edited(
        "enclosed",
        (["program", "nodes", 1, "fn"], "log"),
        (["evidence", "right"], {"lo": "-1", "hi": "0"}),
    ),
    "rational exp": lambda: edited(
        "square", (["program", "nodes", 1], {"op": "map", "args": [0], "shape": [1], "fn": "exp"})
    ),
    "mask of two": lambda: edited("relabelled", (["evidence", "inputs", "M"], vector(2, 0))),
    "mask of a half": lambda: edited("relabelled", (["evidence", "inputs", "M"], vector("1/2", 0))),
    "index outside": lambda: edited("relabelled", (["evidence", "inputs", "E"], tensor([2, 1], 0, 2))),
    "index negative": lambda: edited("relabelled", (["evidence", "inputs", "E"], tensor([2, 1], 0, -1))),
    "index without its axis": lambda: edited("relabelled", (["evidence", "sizes"], {"m": 1})),
    "index under O": lambda: edited(
        "relabelled",
        (["claim", "group", 0, "family"], "O"),
        (ELEMENT, {**factor("O(n)"), "matrix": [["0", "1"], ["1", "0"]]}),
    ),
    "mask under Signs": lambda: edited(
        "blanked", (["claim", "group", 0, "family"], "Signs"), ([*LINES[:3], "family"], "Signs")
    ),
    "indices not relabelled": lambda: edited("graph_sum", (["evidence", "left"], tensor([], 0))),
    "proof with indices": lambda: one("a[n]: n -> n", "S(n)", [["n"]], [[N]], "map", ["n"], [N], fn="exp"),
    "eigenvalues that move": lambda: one(
        "a: n n -> n", "S(n)", [["n", "n"]], [[N, N]], "eigvals", ["n"], [N]
    ),
    "eigenvalues of rows that move": lambda: one(
        "a: n n! -> n!", "S(n)", [["n", "n"]], [[N, FN]], "eigvals", ["n"], [FN]
    ),
    "eigenvectors of weights that move": lambda: edited("smoothing", ([*LINES, 3, "type"], [std("d")])),
    "eigenvectors with weights of another matrix": lambda: edited(
        "smoothing", (["program", "nodes", 4, "args"], [0, 3])
    ),
    "pseudo-inverse unturned": lambda: one(
        "a: n n! -> n n!", "S(n)", [["n", "n"]], [[N, FN]], "pinv", ["n", "n"], [N, FN]
    ),
    "eigenvalues of no square": lambda: one(
        "a: n k -> k", "S(n)", [["n", "k"]], [[N, FK]], "eigvals", ["k"], [FK]
    ),
    "shifts under permutations": lambda: edited(
        "correlation", (["claim", "group", 0, "family"], "S"), ([*LINES[:3], "family"], "S")
    ),
    "shifts of both indices": lambda: edited("correlation", ([*LINES, 2, "type"], [N, N])),
    "positions of another axis": lambda: edited("gathered", (["claim", "inputs", 1, "indexes"], "m")),
    "numbers for positions": lambda: edited(
        "gathered", (["claim", "inputs", 1], {"name": "E", "axes": [axis("m")], "type": "real"})
    ),
    "positions in an axis of another size": lambda: one(
        "a[n]: m -> m k",
        "S(n)",
        [["m"]],
        [[fix("m")]],
        "indicator",
        ["m", "k"],
        [fix("m"), FK],
        scope={"k": 2},
    ),
    "positions as the result": lambda: one(
        "a[n]: n -> n", "S(n)", [["n"]], [[N]], "flip", ["n"], [N], axis=0
    ),
    "sum of positions": lambda: one(
        "a[n]: m -> ()", "S(n)", [["m"]], [[fix("m")]], "einsum", [], [], inputs=[[0]], output=[]
    ),
    "positions that may be out of range": lambda: edited(
        "differences", (["claim", "inputs", 1, "indexes"], "d")
    ),
    "parts of one-hot vectors": lambda: edited(
        "differences", (["program", "nodes", 3, "places", 2], [[[-1, []], [1, ["n"]]], [-1], False])
    ),
    "an offset that is no number": lambda: edited("inverse", (["program", "nodes", 2, "offset"], "0")),
    "the same program": lambda: edited("different", (["other"], ACCEPTED["different"]["program"])),
    "equal values": lambda: edited(
        "different",
        (["evidence", "inputs", "y"], tensor([], 0)),
        (["evidence", "left"], tensor([], 1)),
        (["evidence", "right"], tensor([], 1)),
    ),
    "value of an unknown": lambda: edited(
        "square",
        (["program", "nodes", 1], {"op": "opaque", "args": [0], "shape": [1], "name": "s", "symmetry": None}),
    ),
    "difference of an equivariance": lambda: edited("different", (["claim", "kind"], "equivariance")),
    "proof of an identity": lambda: edited("different", (["kind"], "proof")),
}
