"""Certificates written by hand: the accept corpus, with small builders that know nothing of the package."""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

from tests import readings

JSON = dict[str, Any]
U = "uni"


def seal(kind: str, **parts: Any) -> JSON:
    """A certificate with its digest."""
    return reseal({"format": "eqvproof-certificate", "version": 1, "kind": kind, **parts})


def reseal(data: JSON) -> JSON:
    """The certificate with the digest of its content."""
    body = {k: v for k, v in data.items() if k != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return {**body, "digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()}


def edited(data: JSON, *edits: tuple[list[Any], Any]) -> JSON:
    """A certificate with some values replaced, under its new digest."""
    found = copy.deepcopy(data)
    for path, value in edits:
        inside: Any = found
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = value
    return reseal(found)


def fix(size: Any) -> Any:
    """Not acted on."""
    return [[[size, 0]]]


def std(size: Any) -> Any:
    """Acted on by the standard matrix."""
    return [[[size, 1]]]


def axis(text: str) -> list[Any]:
    """An axis as a signature writes it: d, d!, 3, 2n, n+k."""
    terms = []
    for part in text.split("+"):
        mark = part[-1] if part[-1] in "!^*" else ""
        body = part.rstrip("!^*")
        digits = "".join(c for c in body if c.isdigit())
        name = body[len(digits) :] or None
        terms.append([int(digits or 1), name, mark])
    return terms


def claim(signature: str, under: str = "", scope: JSON | None = None, kind: str = "equivariance") -> JSON:
    """A claim from a signature and a group in text."""
    left, right = signature.split("->")
    inputs = []
    for argument in left.split(","):
        name, axes = argument.split(":")
        name, _, kind_ = name.strip().rstrip("]").partition("[")
        axes = axes.replace("()", "")
        entry: JSON = {
            "name": name,
            "axes": [axis(a) for a in axes.split()],
            "type": "bool" if kind_ else "real",
        }
        inputs.append({**entry, "type": "index", "indexes": kind_} if kind_ not in ("", "bool") else entry)
    output = [axis(a) for a in right.replace("()", "").split()]
    names = (
        [i.get("indexes") for i in inputs]
        + [t[1] for i in inputs for a in i["axes"] for t in a]
        + [t[1] for a in output for t in a]
    )
    result = {
        "kind": kind,
        "inputs": inputs,
        "output": output,
        "scope": {n: "all" for n in dict.fromkeys(names) if n} | (scope or {}),
    }
    if kind == "equivariance":
        result["group"] = [factor(f) for f in under.split(" x ")]
    return result


def factor(text: str) -> JSON:
    """A factor O(d)."""
    family, where = text.rstrip(")").split("(")
    return {"family": family, "axis": int(where) if where.isdigit() else where}


class Graph:
    """Collects nodes and, factor by factor, the types that the proof gives them."""

    def __init__(self, **inputs: list[Any]) -> None:
        self.inputs = [{"name": k, "shape": v} for k, v in inputs.items()]
        self.nodes: list[JSON] = []
        self.types: list[list[Any]] = []

    def node(
        self, op: str, args: list[int], shape: list[Any], types: list[Any] | None = None, **at: Any
    ) -> int:
        """A node; types: one type for each factor (or None). Parts and shifts are written as readings."""
        op, at = readings.written(op, self.nodes[args[0]]["shape"] if args else [], **at)
        self.nodes.append({"op": op, "args": args, "shape": shape, **at})
        self.types.append(types or [])
        return len(self.nodes) - 1

    def program(self) -> JSON:
        """The program that ends in the last node."""
        return {"inputs": self.inputs, "nodes": self.nodes, "output": len(self.nodes) - 1}

    def proof(self, what: JSON, parts: str = "") -> JSON:
        """The certificate, one line a node and factor; parts: the factors, if not those of the claim."""
        factors = []
        for i, group in enumerate([factor(f) for f in parts.split(" x ")] if parts else what["group"]):
            lines = [
                {"node": k, "type": types[i], "from": list(node["args"])}
                for k, (node, types) in enumerate(zip(self.nodes, self.types, strict=True))
            ]
            factors.append({**group, "lines": lines})
        return seal("proof", claim=what, program=self.program(), evidence={"factors": factors})


def gram() -> JSON:
    """X (X^T X) under O(d) x S(n)."""
    g = Graph(X=["d", "n"])
    x = g.node("input", [], ["d", "n"], [[std("d"), fix("n")], [fix("d"), std("n")]], name="X")
    k = g.node(
        "einsum",
        [x, x],
        ["n", "n"],
        [[fix("n"), fix("n")], [std("n"), std("n")]],
        inputs=[[0, 1], [0, 2]],
        output=[1, 2],
    )
    g.node(
        "einsum",
        [x, k],
        ["d", "n"],
        [[std("d"), fix("n")], [fix("d"), std("n")]],
        inputs=[[0, 1], [1, 2]],
        output=[0, 2],
    )
    return g.proof(claim("X: d n -> d n", "O(d) x S(n)"))


def attention() -> JSON:
    """X softmax(X^T X) under O(d) x S(n)."""
    g = Graph(X=["d", "n"])
    ff, ss = [fix("n"), fix("n")], [std("n"), std("n")]
    x = g.node("input", [], ["d", "n"], [[std("d"), fix("n")], [fix("d"), std("n")]], name="X")
    k = g.node("einsum", [x, x], ["n", "n"], [ff, ss], inputs=[[0, 1], [0, 2]], output=[1, 2])
    e = g.node("map", [k], ["n", "n"], [ff, ss], fn="exp")
    t = g.node("einsum", [e], ["n"], [[fix("n")], [std("n")]], inputs=[[0, 1]], output=[1])
    r = g.node("map", [t], ["n"], [[fix("n")], [std("n")]], fn="recip")
    g.node(
        "einsum",
        [x, e, r],
        ["d", "n"],
        [[std("d"), fix("n")], [fix("d"), std("n")]],
        inputs=[[0, 1], [1, 2], [2]],
        output=[0, 2],
    )
    return g.proof(claim("X: d n -> d n", "O(d) x S(n)"))


def norm() -> JSON:
    """x / |x|, with the norm broadcast, under SO(d), d from 2 to 7."""
    g = Graph(x=["d"])
    x = g.node("input", [], ["d"], [[std("d")]], name="x")
    s = g.node("einsum", [x, x], [], [[]], inputs=[[0], [0]], output=[])
    r = g.node("map", [s], [], [[]], fn="sqrt")
    i = g.node("map", [r], [], [[]], fn="recip")
    b = g.node("einsum", [i], ["d"], [[U]], inputs=[[]], output=[0])
    g.node("einsum", [x, b], ["d"], [[std("d")]], inputs=[[0], [0]], output=[0])
    return g.proof(claim("x: d -> d", "SO(d)", {"d": [2, 7]}))


def pooled() -> JSON:
    """(max over n of |X|) + n, broadcast over n again and added to X, under A(n)."""
    g = Graph(X=["n", "c"])
    x = g.node("input", [], ["n", "c"], [[std("n"), fix("c")]], name="X")
    a = g.node("map", [x], ["n", "c"], [[std("n"), fix("c")]], fn="abs")
    m = g.node("reduce", [a], ["c"], [[fix("c")]], fn="max", axes=[0])
    b = g.node("einsum", [m], ["n", "c"], [[U, fix("c")]], inputs=[[1]], output=[0, 1])
    s = g.node("size", [], [], [[]], size=[[1, []], [1, ["n"]]])
    w = g.node("einsum", [s], ["n", "c"], [[U, U]], inputs=[[]], output=[0, 1])
    g.node("add", [x, b, w], ["n", "c"], [[std("n"), fix("c")]])
    return g.proof(claim("X: n c -> n c", "A(n)"))


def knowledge() -> JSON:
    """[X, Z] joined along n+k, under S(n) x S(k) and O(d)."""
    g = Graph(X=["d", "n"], Z=["d", "k"])
    nk = [[1, ["k"]], [1, ["n"]]]
    x = g.node(
        "input", [], ["d", "n"], [[std("d"), fix("n")], [fix("d"), std("n")], [fix("d"), fix("n")]], name="X"
    )
    z = g.node(
        "input", [], ["d", "k"], [[std("d"), fix("k")], [fix("d"), fix("k")], [fix("d"), std("k")]], name="Z"
    )
    types = [
        [std("d"), fix(nk)],
        [fix("d"), [[["n", 1]], [["k", 0]]]],
        [fix("d"), [[["n", 0]], [["k", 1]]]],
    ]
    c = g.node("concat", [x, z], ["d", nk], types, axis=1)
    types = [[std("d"), fix("k")], [fix("d"), fix("k")], [fix("d"), std("k")]]
    s = g.node("slice", [c], ["d", "k"], types, axis=1, start="n", step=1)
    g.node(
        "concat",
        [c, s],
        ["d", [[2, ["k"]], [1, ["n"]]]],
        [
            [std("d"), fix([[2, ["k"]], [1, ["n"]]])],
            [fix("d"), [[["n", 1]], [[[[2, ["k"]]], 0]]]],
            [fix("d"), [[["n", 0]], [["k", 1]], [["k", 1]]]],
        ],
        axis=1,
    )
    return g.proof(claim("X: d n, Z: d k -> d n+2k", "O(d) x S(n) x S(k)"))


def odd() -> JSON:
    """tanh(x) |y| under Signs(d): odd in x, even in y."""
    g = Graph(x=["d"], y=["d"])
    x = g.node("input", [], ["d"], [[std("d")]], name="x")
    y = g.node("input", [], ["d"], [[std("d")]], name="y")
    t = g.node("map", [x], ["d"], [[std("d")]], fn="tanh")
    a = g.node("map", [y], ["d"], [[fix("d")]], fn="abs")
    g.node("einsum", [t, a], ["d"], [[std("d")]], inputs=[[0], [0]], output=[0])
    return g.proof(claim("x: d, y: d -> d", "Signs(d)"))


def circular() -> JSON:
    """x * w: sum of cyclic shifts under C(m)."""
    g = Graph(x=["m"])
    x = g.node("input", [], ["m"], [[std("m")]], name="x")
    r = g.node("roll", [x], ["m"], [[std("m")]], axis=0, shift=1)
    g.node("add", [x, r], ["m"], [[std("m")]])
    return g.proof(claim("x: m -> m", "C(m)"))


def unknown() -> JSON:
    """X s(X^T X) for an unknown s, under O(d)."""
    g = Graph(X=["d", "n"])
    x = g.node("input", [], ["d", "n"], [[std("d"), fix("n")]], name="X")
    k = g.node("einsum", [x, x], ["n", "n"], [[fix("n"), fix("n")]], inputs=[[0, 1], [0, 2]], output=[1, 2])
    s = g.node("opaque", [k], ["n", "n"], [[fix("n"), fix("n")]], name="s", symmetry=None)
    g.node("einsum", [x, s], ["d", "n"], [[std("d"), fix("n")]], inputs=[[0, 1], [1, 2]], output=[0, 2])
    return g.proof(claim("X: d n -> d n", "O(d)"))


def assumed() -> JSON:
    """g(X, 1) + X for g assumed O(a)-equivariant, under Signs(d)."""
    g = Graph(X=["d", "n"])
    x = g.node("input", [], ["d", "n"], [[std("d"), fix("n")]], name="X")
    one = g.node("const", [], [], [[]], values=["1"])
    symmetry = {
        "inputs": [[axis("a"), axis("b")], []],
        "output": [axis("a"), axis("b")],
        "group": [factor("S(b)"), factor("O(a)")],
    }
    y = g.node("opaque", [x, one], ["d", "n"], [[std("d"), fix("n")]], name="g", symmetry=symmetry)
    g.node("add", [x, y], ["d", "n"], [[std("d"), fix("n")]])
    return g.proof(claim("X: d n -> d n", "Signs(d)"))


def literal() -> JSON:
    """The literal axis 3 under O(3), with 3! beside it."""
    g = Graph(x=[3, "n"], w=[3])
    x = g.node("input", [], [3, "n"], [[std(3), fix("n")]], name="x")
    w = g.node("input", [], [3], [[fix(3)]], name="w")
    s = g.node("einsum", [w], [], [[]], inputs=[[0]], output=[])
    g.node("einsum", [x, s], [3, "n"], [[std(3), fix("n")]], inputs=[[0, 1], []], output=[0, 1])
    return g.proof(claim("x: 3 n, w: 3! -> 3 n", "O(3)"))


def pinned() -> JSON:
    """d pinned to 3: constants stand for the name, an identity matrix as Q I Q^T."""
    g = Graph(x=[3])
    x = g.node("input", [], ["d"], [[std(3)]], name="x")
    e = g.node("indicator", [], [3, 3], [[std(3), std("d")]])
    y = g.node("einsum", [e, x], [3], [[std(3)]], inputs=[[0, 1], [1]], output=[0])
    z = g.node("const", [], [3], [[std(3)]], values=["0", "0", "0"])
    g.node("add", [y, z], [3], [[std(3)]])
    return g.proof(claim("x: d -> d", "O(d)", {"d": 3}))


def inverse() -> JSON:
    """X (X^T X + I)^-1 det(X^T X) under O(d) x S(n)."""
    g = Graph(X=["d", "n"])
    ff, ss = [fix("n"), fix("n")], [std("n"), std("n")]
    x = g.node("input", [], ["d", "n"], [[std("d"), fix("n")], [fix("d"), std("n")]], name="X")
    k = g.node("einsum", [x, x], ["n", "n"], [ff, ss], inputs=[[0, 1], [0, 2]], output=[1, 2])
    e = g.node("indicator", [], ["n", "n"], [ff, ss])
    a = g.node("add", [k, e], ["n", "n"], [ff, ss])
    i = g.node("inv", [a], ["n", "n"], [ff, ss])
    d = g.node("det", [k], [], [[], []])
    g.node(
        "einsum",
        [x, i, d],
        ["d", "n"],
        [[std("d"), fix("n")], [fix("d"), std("n")]],
        inputs=[[0, 1], [1, 2], []],
        output=[0, 2],
    )
    return g.proof(claim("X: d n -> d n", "O(d) x S(n)"))


def reshaped() -> JSON:
    """A matrix (2, n) as a vector 2n, and back, under S(n)."""
    g = Graph(X=["n", 2])
    x = g.node("input", [], ["n", 2], [[std("n"), fix(2)]], name="X")
    t = g.node("einsum", [x], [2, "n"], [[fix(2), std("n")]], inputs=[[0, 1]], output=[1, 0])
    g.node("reshape", [t], [[[2, ["n"]]]], [[[[["n", 1]], [["n", 1]]]]])
    return g.proof(claim("X: n 2 -> 2n", "S(n)"))


def sorted_entries() -> JSON:
    """The sorted entries without the least, minus their mirror image, under S(n), n >= 2."""
    g = Graph(x=["n"])
    less = [[-1, []], [1, ["n"]]]
    x = g.node("input", [], ["n"], [[std("n")]], name="x")
    s = g.node("sort", [x], ["n"], [[fix("n")]], axis=0)
    c = g.node("slice", [s], [less], [[fix(less)]], axis=0, start=1, step=1)
    f = g.node("flip", [c], [less], [[fix(less)]], axis=0)
    m = g.node("const", [], [], [[]], values=["-1"])
    w = g.node("einsum", [m, f], [less], [[fix(less)]], inputs=[[], [0]], output=[0])
    g.node("add", [c, w], [less], [[fix(less)]])
    return g.proof(claim("x: n -> m", "S(n)"))


def masked() -> JSON:
    """x where x > 0, else pi, and the product of all of it, under S(n); a lower triangle under no action."""
    g = Graph(x=["n"], y=["k"])
    x = g.node("input", [], ["n"], [[std("n")]], name="x")
    y = g.node("input", [], ["k"], [[fix("k")]], name="y")
    p = g.node("map", [], [], [[]], fn="pi")
    b = g.node("einsum", [p], ["n"], [[U]], inputs=[[]], output=[0])
    z = g.node("const", [], [], [[]], values=["0"])
    zn = g.node("einsum", [z], ["n"], [[std("n")]], inputs=[[]], output=[0])
    c = g.node("map", [x, zn], ["n"], [[std("n")]], fn="gt")
    s = g.node("select", [c, x, b], ["n"], [[std("n")]])
    r = g.node("reduce", [s], [], [[]], fn="prod", axes=[0])
    t = g.node("indicator", [], ["k", "k"], [[fix("k"), fix("k")]], offset=-1)
    i = g.node("iota", [], ["k"], [[fix("k")]])
    g.node("einsum", [r, t, y, i], ["k"], [[fix("k")]], inputs=[[], [0, 1], [1], [1]], output=[0])
    return g.proof(claim("x: n, y: k -> k", "S(n)"))


def blanked() -> JSON:
    """x where a mask says so, under S(n)."""
    g = Graph(x=["n"], M=["n"])
    x = g.node("input", [], ["n"], [[std("n")]], name="x")
    m = g.node("input", [], ["n"], [[std("n")]], name="M")
    g.node("einsum", [x, m], ["n"], [[std("n")]], inputs=[[0], [0]], output=[0])
    return g.proof(claim("x: n, M[bool]: n -> n", "S(n)"))


def associative() -> JSON:
    """(X Y) z = X (Y z), and (x + y)^2 = x^2 + 2 x y + y^2, in one: identities at all sizes."""
    shapes: dict[str, list[Any]] = {"X": ["n", "m"], "Y": ["m", "n"], "z": ["n"]}
    g, h = Graph(**shapes), Graph(**shapes)
    x, y, z = (g.node("input", [], s, name=k) for k, s in shapes.items())
    xy = g.node("einsum", [x, y], ["n", "n"], inputs=[[0, 1], [1, 2]], output=[0, 2])
    v = g.node("einsum", [xy, z], ["n"], inputs=[[0, 1], [1]], output=[0])
    s = g.node("add", [v, z], ["n"])
    g.node("einsum", [s, s], ["n"], inputs=[[0], [0]], output=[0])
    x, y, z = (h.node("input", [], s, name=k) for k, s in shapes.items())
    yz = h.node("einsum", [y, z], ["m"], inputs=[[0, 1], [1]], output=[0])
    v = h.node("einsum", [x, yz], ["n"], inputs=[[0, 1], [1]], output=[0])
    two = h.node("const", [], [], values=["2"])
    parts = [
        h.node("einsum", [v, v], ["n"], inputs=[[0], [0]], output=[0]),
        h.node("einsum", [two, v, z], ["n"], inputs=[[], [0], [0]], output=[0]),
        h.node("einsum", [z, z], ["n"], inputs=[[0], [0]], output=[0]),
    ]
    h.node("add", parts, ["n"])
    what = claim("X: n m, Y: m n, z: n -> n", kind="identity")
    evidence = {"way": {"cells": 0, "angles": False}, "same_domain": True}
    return seal("identity", claim=what, program=g.program(), other=h.program(), evidence=evidence)


def move(where: int, num: Any = 1, den: Any = 1) -> JSON:
    """A multiple of the translation along an axis."""
    return {"axis": where, "num": num, "den": den}


STILL = "still"


def barycentre() -> JSON:
    """sum_n softmax(w)_n X_n under E(d)."""
    g = Graph(X=["n", "d"], w=["n"])
    x = g.node("input", [], ["n", "d"], [move(1), [fix("n"), std("d")]], name="X")
    w = g.node("input", [], ["n"], [STILL, [fix("n")]], name="w")
    e = g.node("map", [w], ["n"], [STILL, [fix("n")]], fn="exp")
    s = g.node("einsum", [e], [], [STILL, []], inputs=[[0]], output=[])
    r = g.node("map", [s], [], [STILL, []], fn="recip")
    p = g.node("einsum", [e, r], ["n"], [STILL, [fix("n")]], inputs=[[0], []], output=[0])
    g.node("einsum", [p, x], ["d"], [move(0), [std("d")]], inputs=[[0], [0, 1]], output=[1])
    return g.proof(claim("X: n d, w: n -> d", "E(d)"), "T(d) x O(d)")


def centred() -> JSON:
    """X less its mean: directions, under T(d)."""
    g = Graph(X=["n", "d"])
    x = g.node("input", [], ["n", "d"], [move(1)], name="X")
    s = g.node("size", [], [], [STILL], size="n")
    r = g.node("map", [s], [], [STILL], fn="recip")
    m = g.node("const", [], [], [STILL], values=["-1"])
    y = g.node("einsum", [x, r, m], ["n", "d"], [move(1, -1)], inputs=[[0, 1], [], []], output=[2, 1])
    g.node("add", [x, y], ["n", "d"], [STILL])
    return g.proof(claim("X: n d -> n d^", "T(d)"))


def homogeneous() -> JSON:
    """|x| y + max(x) under Scale(d) x D(n): degrees 1 and 1."""
    g = Graph(x=["d"], y=["n"])
    x = g.node("input", [], ["d"], ["1", [fix("d")]], name="x")
    y = g.node("input", [], ["n"], ["0", [std("n")]], name="y")
    s = g.node("einsum", [x, x], [], ["2", []], inputs=[[0], [0]], output=[])
    r = g.node("map", [s], [], ["1", []], fn="sqrt")
    m = g.node("reduce", [x], [], ["1", []], fn="max", axes=[0])
    z = g.node("einsum", [r, y], ["n"], ["1", [std("n")]], inputs=[[], [0]], output=[0])
    b = g.node("einsum", [m], ["n"], ["1", [U]], inputs=[[]], output=[0])
    t = g.node("add", [z, b], ["n"], ["1", [std("n")]])
    o = g.node("const", [], [2], ["0", [U]], values=["1", "1"])
    g.node("einsum", [t, o], ["n", "d"], ["1", [std("n"), U]], inputs=[[0], [2]], output=[0, 1])
    return g.proof(claim("x: d, y: n -> n d", "Scale(d) x D(n)"))


# -- points ----------------------------------------------------------------------------------------------


def tensor(shape: list[int], *values: Any) -> JSON:
    """A tensor of rationals."""
    return {"shape": shape, "values": [None if v is None else str(v) for v in values]}


def vector(*values: Any) -> JSON:
    """A tensor with one axis."""
    return tensor([len(values)], *values)


def square() -> JSON:
    """x^2 entrywise is not O(d)-equivariant: d = 1, x = 1, Q = -1."""
    g = Graph(x=[1])
    x = g.node("input", [], [1], name="x")
    g.node("einsum", [x, x], [1], inputs=[[0], [0]], output=[0])
    evidence = {
        "sizes": {"d": 1},
        "inputs": {"x": vector(1)},
        "arithmetic": "rational",
        "entry": [0],
        "element": [{**factor("O(d)"), "matrix": [["-1"]]}],
        "left": vector(1),
        "right": vector(-1),
    }
    return seal(
        "counterexample", claim=claim("x: d -> d", "O(d)", {"d": 1}), program=g.program(), evidence=evidence
    )


def turned() -> JSON:
    """1/x under SO(2): defined on one side only."""
    g = Graph(x=["d", "n"])
    x = g.node("input", [], ["d", "n"], name="x")
    g.node("map", [x], ["d", "n"], fn="recip")
    evidence = {
        "sizes": {"d": 2, "n": 1},
        "inputs": {"x": tensor([2, 1], "3/5", "-4/5")},
        "arithmetic": "rational",
        "entry": [1, 0],
        "element": [
            {**factor("SO(d)"), "matrix": [["4/5", "3/5"], ["-3/5", "4/5"]]},
            {**factor("S(n)"), "permutation": [0]},
        ],
        "left": tensor([2, 1], None, -1),
        "right": tensor([2, 1], "7/12", -2),
    }
    evidence["left"] = tensor([2, 1], None, -1)
    what = claim("x: d n -> d n", "SO(d) x S(n)")
    return seal("counterexample", claim=what, program=g.program(), evidence=evidence)


def shifted() -> JSON:
    """Masked sums are not invariant under C(n): recorded values of a black box."""
    evidence = {
        "sizes": {"n": 3},
        "inputs": {"x": vector(1, 2, 4)},
        "arithmetic": "rational",
        "entry": [],
        "element": [{**factor("C(n)"), "permutation": [1, 2, 0]}],
        "left": tensor([], 6),
        "right": tensor([], 3),
        "values": {"at": tensor([], 3), "moved": tensor([], 6)},
    }
    return seal("evaluation", claim=claim("x: n -> ()", "C(n)"), evidence=evidence)


def apart() -> JSON:
    """Two functions of which only values are recorded."""
    evidence = {
        "sizes": {"n": 2, "k": 1},
        "inputs": {"x": vector(1, 2)},
        "arithmetic": "rational",
        "entry": [0],
        "left": vector(3),
        "right": vector(4),
        "values": {"left": vector(3), "right": vector(4)},
    }
    return seal("evaluation", claim=claim("x: n -> k", kind="identity"), evidence=evidence)


def relabelled() -> JSON:
    """The label of the first edge's source is not invariant: recorded values, indices and a mask."""
    evidence = {
        "sizes": {"n": 2, "m": 1},
        "inputs": {"E": tensor([2, 1], 0, 1), "M": vector(1, 0)},
        "arithmetic": "rational",
        "entry": [],
        "element": [{**factor("S(n)"), "permutation": [1, 0]}],
        "left": tensor([], 1),
        "right": tensor([], 0),
        "values": {"at": tensor([], 0), "moved": tensor([], 1)},
    }
    return seal("evaluation", claim=claim("E[n]: 2 m, M[bool]: n -> ()", "S(n)"), evidence=evidence)


def graph_sum() -> JSON:
    """The sum of the entries of an index array, by a program, is not invariant."""
    g = Graph(E=["m"])
    e = g.node("input", [], ["m"], name="E")
    g.node("einsum", [e], [], inputs=[[0]], output=[])
    evidence = {
        "sizes": {"n": 3, "m": 1},
        "inputs": {"E": vector(2)},
        "arithmetic": "rational",
        "entry": [],
        "element": [{**factor("C(n)"), "permutation": [1, 2, 0]}],
        "left": tensor([], 1),
        "right": tensor([], 2),
    }
    return seal(
        "counterexample", claim=claim("E[n]: m -> ()", "C(n)"), program=g.program(), evidence=evidence
    )


def doubled() -> JSON:
    """2 x does not commute with translations and rotations, nor with reflections of a cycle."""
    g = Graph(x=["n", 2])
    x = g.node("input", [], ["n", 2], name="x")
    g.node("roll", [g.node("add", [x, x], ["n", 2])], ["n", 2], axis=0, shift=1)
    evidence = {
        "sizes": {"n": 3},
        "inputs": {"x": tensor([3, 2], 1, 0, 2, 0, 4, 0)},
        "arithmetic": "rational",
        "entry": [0, 0],
        "element": [
            {**factor("SE(2)"), "matrix": [["0", "-1"], ["1", "0"]], "vector": ["1", "1/2"]},
            {**factor("D(n)"), "permutation": [0, 2, 1]},
        ],
        "left": tensor([3, 2], 2, 5, 2, 3, 2, 9),
        "right": tensor([3, 2], 1, "17/2", 1, "9/2", 1, "5/2"),
    }
    what = claim("x: n 2 -> n 2", "SE(2) x D(n)")
    return seal("counterexample", claim=what, program=g.program(), evidence=evidence)


def quadratic() -> JSON:
    """x^2 is not homogeneous of degree 1, nor does it commute with translations."""
    g = Graph(x=["d"])
    x = g.node("input", [], ["d"], name="x")
    g.node("einsum", [x, x], ["d"], inputs=[[0], [0]], output=[0])
    evidence = {
        "sizes": {"d": 1},
        "inputs": {"x": vector(1)},
        "arithmetic": "rational",
        "entry": [0],
        "element": [{**factor("Scale(d)"), "factor": "2"}, {**factor("T(d)"), "vector": ["1"]}],
        "left": vector(9),
        "right": vector(3),
    }
    what = claim("x: d -> d", "Scale(d) x T(d)")
    return seal("counterexample", claim=what, program=g.program(), evidence=evidence)


def gathered() -> JSON:
    """x[E]: what stands at positions, under permutations of the positions and of the list."""
    g = Graph(x=["n"], E=["m"])
    still = [fix("m"), std("m")]
    x = g.node("input", [], ["n"], [[std("n")], [fix("n")]], name="x")
    e = g.node("input", [], ["m"], [[t] for t in still], name="E")
    h = g.node("indicator", [e], ["m", "n"], [[still[0], std("n")], [still[1], fix("n")]])
    g.node("einsum", [h, x], ["m"], [[t] for t in still], inputs=[[0, 1], [1]], output=[0])
    return g.proof(claim("x: n, E[n]: m -> m", "S(n) x S(m)"))


def correlation() -> JSON:
    """sum_j w_j x[i + j] under shifts of x; and a circulant matrix of a fixed w commutes with them."""
    g = Graph(x=["n"], w=["n"])
    moved, still = std("n"), fix("n")
    x = g.node("input", [], ["n"], [[moved]], name="x")
    w = g.node("input", [], ["n"], [[still]], name="w")
    s = g.node("circulant", [x], ["n", "n"], [[moved, still]], sign=1)
    y = g.node("einsum", [s, w], ["n"], [[moved]], inputs=[[0, 1], [1]], output=[0])
    c = g.node("circulant", [w], ["n", "n"], [[moved, moved]], sign=-1)
    g.node("einsum", [c, y], ["n"], [[moved]], inputs=[[0, 1], [1]], output=[0])
    return g.proof(claim("x: n, w: n! -> n", "C(n)"))


def spectrum() -> JSON:
    """The eigenvalues of X^T X under O(d) and S(n)."""
    g = Graph(X=["d", "n"])
    x = g.node("input", [], ["d", "n"], [[std("d"), fix("n")], [fix("d"), std("n")]], name="X")
    types = [[fix("n"), fix("n")], [std("n"), std("n")]]
    y = g.node("einsum", [x, x], ["n", "n"], types, inputs=[[0, 1], [0, 2]], output=[1, 2])
    g.node("eigvals", [y], ["n"], [[fix("n")], [fix("n")]])
    return g.proof(claim("X: d n -> n!", "O(d) x S(n)"))


def smoothing() -> JSON:
    """A function of X X^T by its eigenvectors, under O(d) and S(n)."""
    g = Graph(X=["d", "n"])
    x = g.node("input", [], ["d", "n"], [[std("d"), fix("n")], [fix("d"), std("n")]], name="X")
    types = [[std("d"), std("d")], [fix("d"), fix("d")]]
    y = g.node("einsum", [x, x], ["d", "d"], types, inputs=[[0, 1], [2, 1]], output=[0, 2])
    t = g.node("eigvals", [y], ["d"], [[fix("d")], [fix("d")]])
    w = g.node("map", [t], ["d"], [[fix("d")], [fix("d")]], fn="exp")
    g.node("spectral", [y, w], ["d", "d"], types)
    return g.proof(claim("X: d n -> d d", "O(d) x S(n)"))


def differences() -> JSON:
    """x_j - x_k for the edges (j, k): translations cancel, since one-hot vectors sum to 1."""
    g = Graph(x=["n", "d"], E=[2, "m"])
    x = g.node("input", [], ["n", "d"], [{"axis": 1, "num": 1, "den": 1}], name="x")
    e = g.node("input", [], [2, "m"], ["still"], name="E")
    h = g.node("indicator", [e], [2, "m", "n"], ["still"])
    ends = []
    for k in range(2):
        part = g.node("slice", [h], [1, "m", "n"], ["still"], axis=0, start=k, step=1)
        flat = g.node("einsum", [part], ["m", "n"], ["still"], inputs=[[0, 1, 2]], output=[1, 2])
        moved = {"axis": 1, "num": 1, "den": 1}
        at = {"inputs": [[0, 1], [1, 2]], "output": [0, 2]}
        ends.append(g.node("einsum", [flat, x], ["m", "d"], [moved], **at))
    c = g.node("const", [], [], ["still"], values=["-1"])
    moved = {"axis": 1, "num": -1, "den": 1}
    back = g.node("einsum", [c, ends[1]], ["m", "d"], [moved], inputs=[[], [0, 1]], output=[0, 1])
    g.node("add", [ends[0], back], ["m", "d"], ["still"])
    return g.proof(claim("x: n d, E[n]: 2 m -> m d!", "T(d)"))


def weighted_points() -> JSON:
    """W x / W.sum(1): what is added is a sum of weights, and 1 in the end."""
    g = Graph(x=["n", "d"], W=["n", "n"])
    x = g.node("input", [], ["n", "d"], [move(1)], name="x")
    w = g.node("input", [], ["n", "n"], [STILL], name="W")
    moved = {**move(1), "weights": [[w, [0, -1]]]}
    y = g.node("einsum", [w, x], ["n", "d"], [moved], inputs=[[0, 1], [1, 2]], output=[0, 2])
    s = g.node("einsum", [w], ["n"], [STILL], inputs=[[0, 1]], output=[0])
    r = g.node("map", [s], ["n"], [STILL], fn="recip")
    g.node("einsum", [y, r], ["n", "d"], [move(1)], inputs=[[0, 1], [0]], output=[0, 1])
    return g.proof(claim("x: n d, W: n n -> n d", "T(d)"))


def enclosed() -> JSON:
    """exp(x) entrywise is not equivariant under Signs(d)."""
    g = Graph(x=["d"])
    x = g.node("input", [], ["d"], name="x")
    g.node("map", [x], ["d"], fn="exp")
    evidence = {
        "sizes": {"d": 1},
        "inputs": {"x": vector(1)},
        "arithmetic": "ball",
        "precision": 16,
        "entry": [0],
        "element": [{**factor("Signs(d)"), "signs": [-1]}],
        "left": {"lo": "367/1000", "hi": "23/62"},
        "right": {"lo": "-2719/1000", "hi": "-1359/500"},
    }
    return seal(
        "counterexample", claim=claim("x: d -> d", "Signs(d)"), program=g.program(), evidence=evidence
    )


def different() -> JSON:
    """(x + y)^2 is not x^2 + y^2."""
    g = Graph(x=[], y=[])
    x = g.node("input", [], [], name="x")
    y = g.node("input", [], [], name="y")
    s = g.node("add", [x, y], [])
    g.node("einsum", [s, s], [], inputs=[[], []], output=[])
    h = Graph(x=[], y=[])
    x = h.node("input", [], [], name="x")
    y = h.node("input", [], [], name="y")
    a = h.node("einsum", [x, x], [], inputs=[[], []], output=[])
    b = h.node("einsum", [y, y], [], inputs=[[], []], output=[])
    h.node("add", [a, b], [])
    evidence = {
        "sizes": {},
        "inputs": {"x": tensor([], 1), "y": tensor([], "1/2")},
        "arithmetic": "rational",
        "entry": [],
        "left": tensor([], "9/4"),
        "right": tensor([], "5/4"),
    }
    what = claim("x: (), y: () -> ()", kind="identity")
    return seal("difference", claim=what, program=g.program(), other=h.program(), evidence=evidence)


def single(kind: str, what: JSON, scope: list[JSON], *programs: JSON) -> JSON:
    """A decision, or a test, at these sizes."""
    evidence = {"proofs": [None for _ in scope]} if kind == "decision" else {"bits": 100}
    names = dict(zip(("programs", "others"), ([p] for p in programs), strict=False))
    return seal(kind, claim={**what, "scope": scope}, evidence=evidence, **names)


def decided() -> JSON:
    """X (X^T X), at two choices of sizes."""
    proof = gram()
    return single("decision", proof["claim"], [{"d": 2, "n": 2}, {"d": 3, "n": 1}], proof["program"])


def tested() -> JSON:
    """X softmax(X^T X), at one choice of sizes."""
    proof = attention()
    return single("test", proof["claim"], [{"d": 3, "n": 2}], proof["program"])


def decided_difference() -> JSON:
    """(x - 1/y) (x + 1/y) = x^2 - 1/y^2."""
    g, h = Graph(x=[], y=[]), Graph(x=[], y=[])
    for q in (g, h):
        q.node("input", [], [], name="x")
        q.node("input", [], [], name="y")
        q.node("map", [1], [], fn="recip")
        q.node("const", [], [], values=["-1"])
    x, r, m = 0, 2, 3
    product = {"inputs": [[], []], "output": []}
    g.node("einsum", [m, r], [], **product)
    g.node("add", [x, r], [])
    g.node("add", [x, 4], [])
    g.node("einsum", [5, 6], [], **product)
    h.node("einsum", [x, x], [], **product)
    h.node("einsum", [m, r, r], [], inputs=[[], [], []], output=[])
    h.node("add", [4, 5], [])
    what = claim("x: (), y: () -> ()", kind="identity")
    return single("decision", what, [{}], g.program(), h.program())


def typed() -> JSON:
    """The largest entry, at sizes where types are the proof."""
    proof = pinned()
    scope = {k: v for k, v in proof["claim"]["scope"].items() if isinstance(v, int)}
    assert scope.keys() == proof["claim"]["scope"].keys()
    what = {**proof["claim"], "scope": [scope]}
    return seal("decision", claim=what, programs=[proof["program"]], evidence={"proofs": [proof["evidence"]]})


BUILDERS = (
    decided,
    tested,
    decided_difference,
    typed,
    gram,
    attention,
    norm,
    pooled,
    knowledge,
    odd,
    circular,
    unknown,
    assumed,
    literal,
    pinned,
    inverse,
    reshaped,
    sorted_entries,
    masked,
    blanked,
    associative,
    barycentre,
    centred,
    homogeneous,
    doubled,
    quadratic,
    square,
    turned,
    shifted,
    apart,
    relabelled,
    graph_sum,
    gathered,
    correlation,
    spectrum,
    smoothing,
    differences,
    weighted_points,
    enclosed,
    different,
)


def accepted() -> dict[str, JSON]:
    """The accept corpus, by name."""
    return {build.__name__: copy.deepcopy(build()) for build in BUILDERS}
