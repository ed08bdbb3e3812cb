"""False proofs that a kernel with one check less would accept; beside them true ones that it accepts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kernel.corpus import (
    JSON,
    Graph,
    U,
    claim,
    factor,
    fix,
    move,
    reseal,
    seal,
    std,
    tensor,
    vector,
)
from tests.kernel.encoding import check_certificate

D, FD, N, FN = std("d"), fix("d"), std("n"), fix("n")
Builder = Callable[[], JSON]


def single(signature: str, under: str, shape: list[Any], types: list[Any], parts: str = "") -> JSON:
    """A proof that the first input, returned as it is, moves as said."""
    what = claim(signature, under)
    g = Graph(**{entry["name"]: shape for entry in what["inputs"]})
    g.node("input", [], shape, types, name=what["inputs"][0]["name"])
    return g.proof(what, parts)


def signed(g: Graph, what: JSON, parities: dict[int, int]) -> JSON:
    """The proof for one factor, with parities of some lines."""
    data = g.proof(what)
    for k, parity in parities.items():
        if parity:
            data["evidence"]["factors"][0]["lines"][k]["parity"] = parity
    return reseal(data)


# -- an input whose entries the group relabels is no result (proof.py) ------------------------------------
def positions(signature: str, under: str, act: Any) -> Builder:
    size = signature.split(":")[1].split("-")[0].split()[-1].rstrip("!")
    return lambda: single(signature, under, [size], [[act]] * (1 + under.count(" x ")))


POSITIONS: dict[str, Builder] = {
    f"positions returned, {under}": positions("a[n]: m -> m", under, fix("m"))
    for under in ("S(n)", "A(n)", "C(n)", "D(n)")
} | {
    "positions of themselves returned": positions("a[n]: n! -> n!", "S(n)", FN),
    "kinds and positions": lambda: single("a[n]: m -> m", "S(n) x S(m)", ["m"], [[fix("m")], [std("m")]]),
}


# -- the degree of a divisor (rules/map.py) ----------------------------------------------------------------
def two(signature: str, fn: str, degrees: tuple[str, str], stated: str) -> Builder:
    def build() -> JSON:
        g = Graph(a=["d"], b=["d"])
        args = [
            g.node("input", [], ["d"], [degree], name=name)
            for name, degree in zip("ab", degrees, strict=True)
        ]
        g.node("map", args, ["d"], [stated], fn=fn)
        return g.proof(claim(signature, "Scale(d)"))

    return build


DEGREES: dict[str, Builder] = {
    f"{fn} of degrees {a} and {b} has degree {out}": two(
        f"a: d{'' if a == '1' else '!'}, b: d{'' if b == '1' else '!'} -> d{'' if out == '1' else '!'}",
        fn, (a, b), out,
    )
    for fn in ("mod", "maximum", "minimum")
    for a, b, out in (("1", "0", "1"), ("0", "1", "0"), ("0", "1", "1"), ("1", "0", "0"))
}  # fmt: skip
TRUE_DEGREES = {"mod of equal degrees": two("a: d, b: d -> d", "mod", ("1", "1"), "1")}


# -- determinants of pseudo-scalars times matrices (rules/matrix.py) ---------------------------------------
def turned_determinant(under: str, size: Any, parity: int, times: bool) -> Builder:
    """det(det(X) B), B of that size, said to have that parity; times det(X) where it is said to be odd."""
    text = {str: size, int: str(size), list: "k"}[type(size)]

    def build() -> JSON:
        g = Graph(X=["d", "d"], B=[size, size])
        still, empty = [fix(size), fix(size)], [[]]
        x = g.node("input", [], ["d", "d"], [[D, FD]], name="X")
        b = g.node("input", [], [size, size], [still], name="B")
        s = g.node("det", [x], [], empty)
        m = g.node("einsum", [s, b], [size, size], [still], inputs=[[], [0, 1]], output=[0, 1])
        out = g.node("det", [m], [], empty)
        parities = {s: 1, m: 1, out: parity}
        if times:
            g.node("einsum", [s, out], [], empty, inputs=[[], []], output=[])
        axis = {"k": "n+n+1"}.get(text, text)
        return signed(g, claim(f"X: d d!, B: {axis} {axis} -> ()", under), parities)

    return build


ODD_SIZE, NEXT = [[1, []], [2, ["n"]]], [[1, []], [1, ["n"]]]
PARITIES: dict[str, Builder] = {
    **{
        f"det of an odd {n} x {n} matrix called odd, {under}": turned_determinant(under, n, 1, True)
        for n in (2, 4)
        for under in ("O(d)", "Signs(d)")
    },
    **{
        f"det of an odd {n} x {n} matrix called even, {under}": turned_determinant(under, n, 0, False)
        for n in (1, 3, "n")
        for under in ("O(d)", "Signs(d)")
    },
    "det of an odd n x n matrix called odd": turned_determinant("O(d)", "n", 1, True),
}
TRUE_PARITIES: dict[str, Builder] = {
    "det of an odd 2 x 2 matrix": turned_determinant("O(d)", 2, 0, False),
    "det of an odd 3 x 3 matrix": turned_determinant("O(d)", 3, 1, True),
    "det of an odd matrix of size 2 n + 1": turned_determinant("O(d)", ODD_SIZE, 1, True),
}


def product_of_odd(size: Any, parity: int) -> Builder:
    """The product of as many determinants."""

    def build() -> JSON:
        g = Graph(X=["d", "d"], y=[size])
        x = g.node("input", [], ["d", "d"], [[D, FD]], name="X")
        y = g.node("input", [], [size], [[fix(size)]], name="y")
        s = g.node("det", [x], [], [[]])
        v = g.node("einsum", [s, y], [size], [[fix(size)]], inputs=[[], [0]], output=[0])
        out = g.node("reduce", [v], [], [[]], fn="prod", axes=[0])
        if parity:
            g.node("einsum", [s, out], [], [[]], inputs=[[], []], output=[])
        return signed(g, claim(f"X: d d!, y: {size} -> ()", "O(d)"), {s: 1, v: 1, out: parity})

    return build


PARITIES |= {
    "product of n odd numbers called even": product_of_odd("n", 0),
    "product of n odd numbers called odd": product_of_odd("n", 1),
    "product of two odd numbers called odd": product_of_odd(2, 1),
    "product of three odd numbers called even": product_of_odd(3, 0),
}
TRUE_PARITIES |= {"product of two odd numbers": product_of_odd(2, 0)}


# -- powers of the determinant under GL (powers.py) --------------------------------------------------------
def turned_inverse(op: str, weight: int, times: str) -> Builder:
    """The inverse of det(X) B, said to have that weight, times det(X) or 1 / det(X)."""

    def build() -> JSON:
        g = Graph(X=["d", "d"], B=["n", "n"])
        still = [[FN, FN]]
        x = g.node("input", [], ["d", "d"], [[D, FD]], name="X")
        b = g.node("input", [], ["n", "n"], still, name="B")
        s = g.node("det", [x], [], [[]])
        m = g.node("einsum", [s, b], ["n", "n"], still, inputs=[[], [0, 1]], output=[0, 1])
        at = {"fn": "recip"} if op == "map" else {}
        y = g.node(op, [m], ["n", "n"], still, **at)
        by, parities = s, {s: 1, m: 1, y: weight}
        if times == "1/s" and op == "inv":
            by = g.node("map", [s], [], [[]], fn="recip")
            parities[by] = -1
        elif times == "1/s":
            square = g.node("reshape", [s], [1, 1], [[fix(1), fix(1)]])
            turned = g.node("inv", [square], [1, 1], [[fix(1), fix(1)]])
            by = g.node("reshape", [turned], [], [[]])
            parities |= {square: 1, turned: -1, by: -1}
        g.node("einsum", [by, y], ["n", "n"], still, inputs=[[], [0, 1]], output=[0, 1])
        return signed(g, claim("X: d d!, B: n n -> n n", "GL(d)"), parities)

    return build


WEIGHTS: dict[str, Builder] = {
    f"{op} of weight 1 called {weight}, times {times}": turned_inverse(op, weight, times)
    for op in ("inv", "map")
    for weight, times in ((1, "1/s"), (0, "s"), (0, "1/s"), (-1, "1/s"), (1, "s"))
}
TRUE_WEIGHTS = {f"{op} of weight 1": turned_inverse(op, -1, "s") for op in ("inv", "map")}


# -- steps between the same types, of nodes of the same kinds, are checked once (proof.py) ------------------
def reshaped(second: bool) -> JSON:
    """(2, n, 3) and (3, n, 2), constant along the outer axes, as one axis 2 x n x 3."""
    g = Graph(x=["n"])
    x = g.node("input", [], ["n"], [[N]], name="x")
    six, stated = [[6, ["n"]]], [[[[[2, 0], ["n", 1], [3, 0]]]]]
    outs = []
    for k in (2, 3 if second else 2):
        wide = {"inputs": [[1]], "output": [0, 1, 2]}
        v = g.node("einsum", [x], [k, "n", 6 // k], [[U, N, U]], **wide)
        outs.append(g.node("reshape", [v], [six], stated))
    both = g.node("add", outs, [six], stated)
    g.node("reshape", [both], [2, "n", 3], [[fix(2), N, fix(3)]])
    return g.proof(claim("x: n -> 2 n 3", "S(n)"))


def joined(second: bool) -> JSON:
    """[s s | x | s s s] and [s s s | x | s s]."""
    g = Graph(x=["n"], s=[])
    x = g.node("input", [], ["n"], [[N]], name="x")
    s = g.node("input", [], [], [[]], name="s")
    ends = [g.node("einsum", [s], [k], [[U]], inputs=[[]], output=[0]) for k in (2, 3)]
    size, stated = [[5, []], [1, ["n"]]], [[[[[2, 0]], [["n", 1]], [[3, 0]]]]]
    orders = [ends, ends[::-1] if second else ends]
    outs = [g.node("concat", [left, x, right], [size], stated, axis=0) for left, right in orders]
    both = g.node("add", outs, [size], stated)
    g.node("slice", [both], ["n"], [[N]], axis=0, start=2, step=1)
    return g.proof(claim("x: n, s: () -> n", "S(n)"))


def of_determinant(op: str, counts: tuple[int, int], **at: Any) -> JSON:
    """The sum of products, or determinants, of that many entries det(X) along each axis."""
    g = Graph(X=["d", "d"])
    x = g.node("input", [], ["d", "d"], [[D, FD]], name="X")
    s = g.node("det", [x], [], [[]])
    rank = 2 if op == "det" else 1
    labels = list(range(rank))
    sides = [g.node("einsum", [s], [k] * rank, [[U] * rank], inputs=[[]], output=labels) for k in counts]
    outs = [g.node(op, [side], [], [[]], **at) for side in sides]
    g.node("add", outs, [], [[]])
    return signed(g, claim("X: d d! -> ()", "O(d)"), dict.fromkeys([s, *sides], 1))


def multiplied(second: bool) -> JSON:
    """det(X)^2 + det(X)^3."""
    return of_determinant("reduce", (2, 3 if second else 4), fn="prod", axes=[0])


def determinants(second: bool) -> JSON:
    """Determinants of matrices all of whose entries are det(X), of 2 rows and of one."""
    return of_determinant("det", (2, 1 if second else 4))


KINDS: dict[str, Builder] = {
    f.__name__: (lambda f=f: f(True)) for f in (reshaped, joined, multiplied, determinants)
}
TRUE_KINDS: dict[str, Builder] = {
    f"{f.__name__} alike": (lambda f=f: f(False)) for f in (reshaped, joined, multiplied, determinants)
}


# -- masks and indices are rearranged only (claims.py) -----------------------------------------------------
GENERATORS = {
    "GenO": [[["0", "1"], ["1", "0"]]], "GenGL": [[["1", "1"], ["0", "1"]]], "GenS": [[1, 0]],
}  # fmt: skip
MOTIONS: dict[str, list[Any]] = {
    **{f"{family}(n)": [[N]] for family in ("O", "SO", "Signs", "GL")},
    "Scale(n)": ["1"], "T(n)": [move(0)], "E(n)": [move(0), [N]], "SE(n)": [move(0), [N]],
}  # fmt: skip
PARTS = {"E(n)": "T(n) x O(n)", "SE(n)": "T(n) x SO(n)"}


def beside(kind: str, under: str, types: list[Any]) -> Builder:
    """A mask, or indices, along the axis n, with x returned as it is."""

    def build() -> JSON:
        g = Graph(x=["n"], M=["n"])
        g.node("input", [], ["n"], types, name="x")
        return g.proof(claim(f"x: n, M[{kind}]: n -> n", under), PARTS.get(under, ""))

    return build


def mask_of(family: str) -> Builder:
    def build() -> JSON:
        data = single("M[bool]: n -> n", "S(n)", ["n"], [[N]])
        data["claim"]["group"] = [{**factor(f"{family}(n)"), "generators": GENERATORS[family]}]
        data["claim"]["scope"] = {"n": 2}
        data["evidence"]["factors"][0]["family"] = family
        return reseal(data)

    return build


def mask_point(kind: str, **element: Any) -> Builder:
    """Two recorded values of a function of a mask, which the group is said to move."""

    def build() -> JSON:
        evidence = {
            "sizes": {"n": 2}, "inputs": {"M": vector(1, 0)}, "arithmetic": "rational", "entry": [],
            "element": [{**factor(kind), **element}], "left": tensor([], 1), "right": tensor([], 0),
            "values": {"at": tensor([], 0), "moved": tensor([], 1)},
        }  # fmt: skip
        return seal("evaluation", claim=claim("M[bool]: n -> ()", kind), evidence=evidence)

    return build


MASKS: dict[str, Builder] = {
    **{
        f"a mask under {under}": (
            lambda under=under, types=types: single(
                "M[bool]: n -> n", under, ["n"], types, PARTS.get(under, "")
            )
        )
        for under, types in MOTIONS.items()
    },
    **{f"a mask beside, under {under}": beside("bool", under, types) for under, types in MOTIONS.items()},
    **{f"indices beside, under {under}": beside("k", under, types) for under, types in MOTIONS.items()},
    **{
        f"indices of the axis of {under}": (
            lambda under=under: single("x: m, E[n]: m -> m", under, ["m"], [[fix("m")]])
        )
        for under in ("O(n)", "Signs(n)", "GL(n)")
    },
    "a mask under given reflections": mask_of("GenO"),
    "a mask under given shears": mask_of("GenGL"),
    "a mask with signs": mask_point("Signs(n)", signs=[-1, 1]),
    "a mask multiplied": mask_point("Scale(n)", factor="2"),
    "a mask sheared": mask_point("GL(n)", matrix=[["1", "0"], ["1", "1"]]),
    "a mask turned": mask_point("SO(n)", matrix=[["0", "-1"], ["1", "0"]]),
}
TRUE_MASKS = {
    "a mask under a given swap": mask_of("GenS"),
    "a mask permuted": mask_point("S(n)", permutation=[1, 0]),
}


FALSE: dict[str, Builder] = {
    **POSITIONS, **DEGREES, **PARITIES, **WEIGHTS, **KINDS, **MASKS,
}  # fmt: skip
TRUE: dict[str, Builder] = {
    **TRUE_DEGREES, **TRUE_PARITIES, **TRUE_WEIGHTS, **TRUE_KINDS, **TRUE_MASKS,
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_false(name: str) -> None:
    report = check_certificate(FALSE[name]())
    assert not report.accepted
    assert "internal error" not in report.reason and "$.program" not in report.reason, report.reason


@pytest.mark.parametrize("name", TRUE)
def test_true(name: str) -> None:
    report = check_certificate(TRUE[name]())
    assert report.accepted, report.reason
