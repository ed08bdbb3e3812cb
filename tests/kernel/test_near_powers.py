"""False proofs about translations, zeros and characters that a kernel with one check less would accept."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.corpus import JSON, Graph, claim, fix, move, std
from tests.kernel.encoding import check_certificate
from tests.kernel.test_near import FD, FN, Builder, D, signed


# -- values that the same translation moves differently (affine_types.py) ----------------------------------
def translated(
    signature: str, moves: list[Any], op: str, stated: Any, shape: list[Any] | None = None, **more: Any
) -> Builder:
    """A proof that an operation on the inputs, each moved as said, is moved so."""

    def build() -> JSON:
        what = claim(signature, "T(d)")
        shapes = [[axis[0][1] or axis[0][0] for axis in entry["axes"]] for entry in what["inputs"]]
        g = Graph(**{entry["name"]: shape for entry, shape in zip(what["inputs"], shapes, strict=True)})
        args = [
            g.node("input", [], shape, [way], name=entry["name"])
            for entry, shape, way in zip(what["inputs"], shapes, moves, strict=True)
        ]
        g.node(op, args, shape or shapes[-1], [stated], **more)
        return g.proof(what)

    return build


def middle(signature: str, ways: tuple[int, int]) -> Builder:
    """A proof that (x + y)/2 moves as points along its first axis, where x and y are points along these."""

    def build() -> JSON:
        what = claim(signature, "T(d)")
        g = Graph(x=["d", "d"], y=["d", "d"])
        half = g.node("const", [], [], ["still"], values=["1/2"])
        halves = []
        for name, way in zip("xy", ways, strict=True):
            point = g.node("input", [], ["d", "d"], [move(way)], name=name)
            rows = {"inputs": [[], [0, 1]], "output": [0, 1]}
            halves.append(g.node("einsum", [half, point], ["d", "d"], [move(way, 1, 2)], **rows))
        g.node("add", halves, ["d", "d"], [move(0)])
        return g.proof(what)

    return build


def spread() -> JSON:
    """A proof that the largest less the least of weighted sums of points stays, whatever the weights are."""
    g = Graph(X=["m", "n", "d"], W=["m", "n"])
    x = g.node("input", [], ["m", "n", "d"], [move(2)], name="X")
    w = g.node("input", [], ["m", "n"], ["still"], name="W")
    sums, high, low = (
        {**move(axis, sign), "weights": [[w, [0, -1]]]} for axis, sign in ((2, 1), (1, 1), (1, -1))
    )
    rows = {"inputs": [[0, 1], [2, 1, 3]], "output": [0, 2, 3]}
    a = g.node("einsum", [w, x], ["m", "m", "d"], [sums], **rows)
    largest = g.node("reduce", [a], ["m", "d"], [high], fn="max", axes=[0])
    least = g.node("reduce", [a], ["m", "d"], [high], fn="min", axes=[0])
    minus = g.node("const", [], [], ["still"], values=["-1"])
    less = g.node("einsum", [minus, least], ["m", "d"], [low], inputs=[[], [0, 1]], output=[0, 1])
    g.node("add", [largest, less], ["m", "d"], ["still"])
    return g.proof(claim("X: m n d, W: m n -> m d!", "T(d)"))


def mean(fn: str) -> Builder:
    """A proof that the sum of n points times a function of n moves as the points do."""

    def build() -> JSON:
        g = Graph(X=["n", "d"])
        x = g.node("input", [], ["n", "d"], [move(1)], name="X")
        count = g.node("size", [], [], ["still"], size="n")
        share = g.node("map", [count], [], ["still"], fn=fn)
        g.node("einsum", [share, x], ["d"], [move(0)], inputs=[[], [0, 1]], output=[1])
        return g.proof(claim("X: n d -> d", "T(d)"))

    return build


M0, M1, STAYS = move(0), move(1), "still"
JOINED = {"op": "concat", "axis": 0, "shape": [[[2, ["n"]]], "d"]}
TRANSLATIONS: dict[str, Builder] = {
    "a choice of points or others": translated("c: d!, x: d, w: d! -> d", [STAYS, M0, STAYS], "select", M0),
    "a choice of others or points": translated("c: d!, w: d!, x: d -> d", [STAYS, STAYS, M0], "select", M0),
    "a choice of points, said to stay": translated(
        "c: d!, x: d, w: d! -> d!", [STAYS, M0, STAYS], "select", STAYS
    ),
    "a choice by points": translated("x: d, v: d!, w: d! -> d!", [M0, STAYS, STAYS], "select", STAYS),
    "a choice by points of points": translated("x: d, y: d, z: d -> d", [M0, M0, M0], "select", M0),
    "the spread of weighted sums of points": spread,
    **{f"the sum of points times {fn} of their number": mean(fn) for fn in ("sqrt", "exp", "abs", "cos")},
    "points joined with others": translated("x: n d, w: n d! -> 2n d", [M1, STAYS], stated=M1, **JOINED),
    "others joined with points": translated("w: n d!, x: n d -> 2n d", [STAYS, M1], stated=M1, **JOINED),
    "points joined, said to stay": translated("x: n d, y: n d -> 2n d!", [M1, M1], stated=STAYS, **JOINED),
    "the middle of points along two axes": middle("x: d d!, y: d! d -> d d!", (0, 1)),
    "a product of points": translated("x: n d -> d", [M1], "reduce", M0, fn="prod", axes=[0], shape=["d"]),
    "the greatest coordinates": translated(
        "x: n d -> n", [M1], "reduce", STAYS, fn="max", axes=[1], shape=["n"]
    ),
    "the greatest points, said to stay": translated(
        "x: n d -> d!", [M1], "reduce", STAYS, fn="max", axes=[0], shape=["d"]
    ),
    "points reversed": translated("x: n d -> n d", [M1], "flip", M1, axis=1),
}
TRUE_TRANSLATIONS: dict[str, Builder] = {
    "a choice of points": translated("c: d!, x: d, y: d -> d", [STAYS, M0, M0], "select", M0),
    "points joined": translated("x: n d, y: n d -> 2n d", [M1, M1], stated=M1, **JOINED),
    "the middle of points": middle("x: d d!, y: d d! -> d d!", (0, 0)),
    "the mean of points": mean("recip"),
    "points with others": translated("x: d d!, y: d! d! -> d d!", [M0, STAYS], "add", M0),
    "the greatest points": translated("x: n d -> d", [M1], "reduce", M0, fn="max", axes=[0], shape=["d"]),
    "points sorted": translated("x: n d -> n d", [M1], "sort", M1, axis=0),
    "points in reverse order": translated("x: n d -> n d", [M1], "flip", M1, axis=0),
}


# -- zeros that are not defined everywhere (rules/__init__.py) ---------------------------------------------
def nothing_times(fn: str, act: Any, result: str) -> Builder:
    """A proof about 0 times a function of the entries."""

    def build() -> JSON:
        g = Graph(x=["d"])
        x = g.node("input", [], ["d"], [[D]], name="x")
        y = g.node("map", [x], ["d"], [[D]], fn=fn)
        zero = g.node("const", [], [], [[]], values=["0"])
        g.node("einsum", [zero, y], ["d"], [[act]], inputs=[[], [0]], output=[0])
        return g.proof(claim(f"x: d -> {result}", "S(d)"))

    return build


def no_zeros(op: str, fn: str) -> Builder:
    """A proof that x times a product of n - 1 zeros, which is 1 for n = 1, is not multiplied with x."""

    def build() -> JSON:
        g, less = Graph(x=["n", "d"]), [[-1, []], [1, ["n"]]]
        x = g.node("input", [], ["n", "d"], ["1"], name="x")
        zero = g.node("const", [], [], ["zero"], values=["0"])
        output, more = ([0], {"axes": [0]}) if op == "reduce" else ([0, 1], {})
        zeros = g.node("einsum", [zero], [less] * len(output), ["zero"], inputs=[[]], output=output)
        product = g.node(op, [zeros], [], ["zero"], fn=fn, **more)
        g.node("einsum", [product, x], ["n", "d"], ["zero"], inputs=[[], [0, 1]], output=[0, 1])
        return g.proof(claim("x: n d -> n d!", "Scale(d)"))

    return build


PARTIAL = ("recip", "log", "sqrt", "arcsin", "arccos")
ZEROS = {f"0 times {fn} is nothing": nothing_times(fn, FD, "d!") for fn in PARTIAL} | {
    "a product of no zeros": no_zeros("reduce", "prod"),
    "a determinant of no zeros": no_zeros("matrix_function", "det"),
}
TRUE_ZEROS = {f"0 times {fn} is permuted": nothing_times(fn, D, "d") for fn in PARTIAL}


# -- what keeps or loses a character (the powers of rules/map.py, reduce.py, sort.py, matrix.py) -----------
def determinants(under: str, op: str, power: int, *, count: int = 1, **more: Any) -> Builder:
    """A proof about an operation on determinants, said to have that power, times one that has the inverse."""

    def build() -> JSON:
        shape, linear = ["n", "d", "d"], under[0] == "G"
        g = Graph(X=shape, Y=shape, Z=shape)
        acts: list[Any] = [[FN, std("d"), fix("d")]]
        x, y, z = (g.node("input", [], shape, acts, name=which) for which in "XYZ")
        dets = [g.node("matrix_function", [m], ["n"], [[FN]], fn="det") for m in (x, y, z)]
        powers = dict.fromkeys(dets, 1)
        kept = [] if op == "reduce" else ["n"]
        u = g.node(op, dets[:count], kept, [[FN] * len(kept)], **more)
        powers[u] = power
        factors, rows = [u], [[0]] if kept else [[]]
        if power:
            last = g.node("map", [dets[2]], ["n"], [[FN]], fn="recip" if linear else "sign")
            powers[last] = -1 if linear else 1
            factors, rows = [*factors, last], [*rows, [0]]
        other = g.node("einsum", dets, ["n"], [[FN]], inputs=[[0]] * 3, output=[0])
        powers[other] = 3 if linear else 1
        same = g.node("map", [other, other], ["n"], [[FN]], fn="eq")
        g.node("einsum", [*factors, same], ["n"], [[FN]], inputs=[*rows, [0]], output=[0])
        return signed(g, claim("X: n d d!, Y: n d d!, Z: n d d! -> n", under), powers)

    return build


def eigenvalues(fn: str) -> Builder:
    """A proof that takes the order of the eigenvalues of det(X) S for that of the eigenvalues of S."""

    def build() -> JSON:
        g, still = Graph(X=["d", "d"], S=["k", "k"], w=["k"]), fix("k")
        x = g.node("input", [], ["d", "d"], [[std("d"), fix("d")]], name="X")
        s = g.node("input", [], ["k", "k"], [[still, still]], name="S")
        w = g.node("input", [], ["k"], [[still]], name="w")
        det = g.node("matrix_function", [x], [], [[]], fn="det")
        m = g.node("einsum", [det, s], ["k", "k"], [[still] * 2], inputs=[[], [0, 1]], output=[0, 1])
        powers = {det: 1, m: 1}
        if fn == "eigvals":
            e = g.node("matrix_function", [m], ["k"], [[still]], fn=fn)
            powers[e] = 1
            g.node("einsum", [det, e, w], ["k"], [[still]], inputs=[[], [0], [0]], output=[0])
        else:
            e = g.node("matrix_function", [m, w], ["k", "k"], [[still] * 2], fn=fn)
            g.node("einsum", [e], ["k"], [[still]], inputs=[[0, 0]], output=[0])
        return signed(g, claim("X: d d!, S: k k, w: k -> k", "O(d)"), powers)

    return build


def chosen(power: int, *, first: bool) -> Builder:
    """A proof that a choice between det(X) and det(X)^2 has that power."""

    def build() -> JSON:
        g = Graph(X=["d", "d"])
        x = g.node("input", [], ["d", "d"], [[std("d"), fix("d")]], name="X")
        det = g.node("matrix_function", [x], [], [[]], fn="det")
        square = g.node("einsum", [det, det], [], [[]], inputs=[[], []], output=[])
        which = [det, square] if first else [square, det]
        u = g.node("select", [square, *which], [], [[]])
        g.node("einsum", [u, det] if power else [u], [], [[]], inputs=[[]] * (1 + power), output=[])
        return signed(g, claim("X: d d! -> ()", "O(d)"), {det: 1, u: power})

    return build


def multiplied(fn: str, degree: str, output: str) -> Builder:
    """A proof that a function of what is multiplied has a degree."""

    def build() -> JSON:
        g = Graph(a=["d"])
        a = g.node("input", [], ["d"], ["1"], name="a")
        g.node("map", [a], ["d"], [degree], fn=fn)
        return g.proof(claim(f"a: d -> {output}", "Scale(d)"))

    return build


NOT_ODD = ("exp", "cos", "floor", "ceil", "cosh", "abs", "not")
NOT_EVEN = ("sin", "sign", "cbrt", "tanh", "recip", "exp", "floor")
CHARACTERS: dict[str, Builder] = {
    **{f"{fn} of pseudo-scalars is one": determinants("O(d)", "map", 1, fn=fn) for fn in NOT_ODD},
    **{f"{fn} of pseudo-scalars is none": determinants("O(d)", "map", 0, fn=fn) for fn in NOT_EVEN},
    **{
        f"{fn} of determinants is one under GL": determinants("GL(d)", "map", 1, fn=fn)
        for fn in ("sin", "sign", "cbrt", "tanh", "abs", "sqrt", "arctan", "rint")
    },
    **{
        f"{fn} of determinants is invariant under GL": determinants("GL(d)", "map", 0, fn=fn)
        for fn in ("abs", "cos", "cosh", "sign", "recip")
    },
    **{
        f"{fn} of pseudo-scalars is {word}": determinants("O(d)", "map", power, count=2, fn=fn)
        for fn in ("maximum", "minimum", "lt", "ge", "arctan2", "mod", "pow")
        for power, word in ((1, "one"), (0, "none"))
    },
    **{
        f"{fn} over pseudo-scalars": determinants("O(d)", "reduce", 1, fn=fn, axes=[0])
        for fn in ("max", "min", "prod")
    },
    "pseudo-scalars sorted": determinants("O(d)", "sort", 1, axis=0),
    "determinants sorted under GL": determinants("GL(d)", "sort", 1, axis=0),
    **{
        f"{fn} of a multiple has degree {degree}": multiplied(fn, degree, output)
        for fn in ("exp", "log", "sin", "tanh", "floor", "arctan", "erf", "rint")
        for degree, output in (("0", "d!"), ("1", "d"))
    },
    **{f"{fn} in the order of others": eigenvalues(fn) for fn in ("eigvals", "spectral")},
    **{
        f"a choice of {'one' if first else 'none'} or {'none' if first else 'one'} has power {power}": chosen(
            power, first=first
        )
        for first in (True, False)
        for power in (0, 1)
    },
    "a choice of pseudo-scalars is none": determinants("O(d)", "select", 0, count=3),
}
TRUE_CHARACTERS: dict[str, Builder] = {
    **{
        f"{fn} of pseudo-scalars keeps it": determinants("O(d)", "map", 1, fn=fn)
        for fn in ("sin", "sign", "recip")
    },
    **{
        f"{fn} of pseudo-scalars loses it": determinants("O(d)", "map", 0, fn=fn)
        for fn in ("abs", "cos", "not")
    },
    "the absolute value of a multiple": multiplied("abs", "1", "d"),
    "the sign of a multiple": multiplied("sign", "0", "d!"),
    "which determinants are equal, under GL": determinants("GL(d)", "map", 0, count=2, fn="ne"),
}


FALSE: dict[str, Builder] = {**TRANSLATIONS, **ZEROS, **CHARACTERS}
TRUE: dict[str, Builder] = {**TRUE_TRANSLATIONS, **TRUE_ZEROS, **TRUE_CHARACTERS}


@pytest.mark.parametrize("name", FALSE)
def test_false(name: str) -> None:
    report = check_certificate(FALSE[name]())
    assert not report.accepted
    assert "internal error" not in report.reason and "$." not in report.reason.replace("$.evidence.f", "")


@pytest.mark.parametrize("name", TRUE)
def test_true(name: str) -> None:
    report = check_certificate(TRUE[name]())
    assert report.accepted, report.reason
