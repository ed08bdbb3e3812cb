"""Texts that must be refused within a second and 200 MB, by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.kernel.corpus import (
    JSON,
    Graph,
    U,
    accepted,
    axis,
    claim,
    factor,
    fix,
    reseal,
    seal,
    std,
    tensor,
    vector,
)
from tests.kernel.encoding import encoded
from tests.kernel.packed import packed

MOST = 4_000_000


def text(data: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(encoded(data), separators=(",", ":")).encode()


def enveloped(body: str) -> bytes:
    """A certificate whose program is the given text."""
    return (
        b'{"format":"eqvproof-certificate","version":1,"kind":"proof","claim":{},"forms":'
        + body.encode()
        + b"}"
    )


def fill(piece: str, start: str = "[", end: str = "]") -> bytes:
    """An array of as many pieces as a certificate may hold."""
    count = (MOST - 200) // (len(piece) + 1)
    return enveloped(start + ",".join([piece] * count) + end)


def evaluated(
    graph: Graph, signature: str, sizes: JSON, inputs: JSON, precision: int = 0, entry: Any = (0,)
) -> bytes:
    """A difference between a program and itself, so that both sides must be computed."""
    evidence: JSON = {
        "sizes": sizes,
        "inputs": inputs,
        "arithmetic": "ball" if precision else "rational",
        "entry": list(entry),
        "left": {"lo": "0", "hi": "1"},
        "right": {"lo": "2", "hi": "3"},
    }
    evidence |= {"precision": precision} if precision else {"left": vector(1), "right": vector(2)}
    what = claim(signature, kind="identity")
    return text(
        seal("difference", claim=what, program=graph.program(), other=graph.program(), evidence=evidence)
    )


def chain(make: Callable[[Graph, int], int], steps: int, *values: Any, precision: int = 0) -> bytes:
    """A vector through many steps."""
    n = len(values)
    g = Graph(x=["n"])
    x = g.node("input", [], ["n"], name="x")
    for _ in range(steps):
        x = make(g, x)
    return evaluated(g, "x: n -> n", {"n": n}, {"x": vector(*values)}, precision)


def mapped(fn: str) -> Callable[[Graph, int], int]:
    """A step that applies a function."""
    return lambda g, x: g.node("map", [x], ["n"], fn=fn)


def squared(g: Graph, x: int) -> int:
    """A step that squares."""
    return g.node("einsum", [x, x], ["n"], inputs=[[0], [0]], output=[0])


def doubled(g: Graph, x: int) -> int:
    """A step that adds the value to itself."""
    return g.node("add", [x, x], ["n"])


def powered(g: Graph, x: int) -> int:
    """A step that takes x to the x."""
    return g.node("map", [x, x], ["n"], fn="pow")


def wide_einsum() -> bytes:
    """A sum over twelve labels of size 10."""
    g = Graph(x=["n"])
    x = g.node("input", [], ["n"], name="x")
    s = g.node("einsum", [x] * 12, [], inputs=[[k] for k in range(12)], output=[])
    g.node("einsum", [x] * 12 + [s], ["n"] * 8, inputs=[[k] for k in range(12)] + [[]], output=list(range(8)))
    return evaluated(g, "x: n -> " + "n " * 8, {"n": 10}, {"x": vector(*range(10))}, entry=[0] * 8)


def broadcast(size: Any, rank: int, op: str = "einsum", **at: Any) -> bytes:
    """A constant broadcast to an enormous array."""
    g = Graph()
    if op == "einsum":
        c = g.node("const", [], [], values=["1"])
        g.node("einsum", [c], [size] * rank, inputs=[[]], output=list(range(rank)))
    else:
        g.node(op, [], [size] * rank, **at)
    evidence = {
        "sizes": {},
        "inputs": {},
        "arithmetic": "rational",
        "entry": [0] * rank,
        "left": vector(1),
        "right": vector(2),
    }
    what = {"kind": "identity", "inputs": [], "output": [axis(str(size))] * rank, "scope": {}}
    return text(seal("difference", claim=what, program=g.program(), other=g.program(), evidence=evidence))


def matrix(n: int, op: str) -> bytes:
    """A determinant or inverse of a Hilbert-like matrix."""
    g = Graph(x=["n", "n"])
    x = g.node("input", [], ["n", "n"], name="x")
    y = g.node(op, [x], ["n", "n"] if op == "inv" else [])
    values = [f"1/{i + 2 * j + 2}" for i in range(n) for j in range(n)]
    out, entry = ("n n", [0, 0]) if op == "inv" else ("()", [])
    del y
    return evaluated(g, f"x: n n -> {out}", {"n": n}, {"x": tensor([n, n], *values)}, entry=entry)


def orthogonal(n: int) -> bytes:
    """A large matrix as a group element."""
    data = accepted()["square"]
    data["evidence"]["element"][0]["matrix"] = [["1" if i == j else "0" for j in range(n)] for i in range(n)]
    data["evidence"]["sizes"]["d"] = n
    for node in data["program"]["nodes"] + data["program"]["inputs"]:
        node["shape"] = ["d"]
    data["claim"]["scope"]["d"] = "all"
    data["evidence"]["inputs"]["x"] = vector(*[1] * n)
    return text(reseal(data))


LETTERS = [c + d for c in "abcd" for d in "abcd"]


def terms(names: int, degree: int) -> Any:
    """A size with many terms."""
    letters = LETTERS[:names]
    found = {(letters[i % names],) * (1 + i // names % degree) for i in range(60)}
    return [[1, list(m)] for m in sorted(found)]


def polynomials(nodes: int, rank: int, op: str) -> bytes:
    """A proof whose shapes are large polynomials."""
    names = LETTERS
    big = [[-1, []], *terms(16, 4)]
    signature = "x: " + " ".join(names) + " -> ()"
    g = Graph(x=list(names))
    g.node("input", [], list(names), [[fix(n) for n in names]], name="x")
    last: list[int] = []
    for _ in range(nodes):
        if op == "reshape" and last:
            last = [g.node("reshape", last, [big] * rank, [[fix(big)] * rank])]
        else:
            c = g.node("const", [], [], [[]], values=["1"])
            new = g.node("einsum", [c], [big] * rank, [[U] * rank], inputs=[[]], output=list(range(rank)))
            last = [g.node("add", [*last, new], [big] * rank, [[U] * rank]) if last else new]
    return text(g.proof(claim(signature, "S(aa)")))


def long_proof(lines: int) -> bytes:
    """A line repeated as often as a certificate can hold, of which none is used."""
    data = encoded(accepted()["gram"])
    data["forms"]["lines"] = data["forms"]["lines"][:1] * lines + data["forms"]["lines"]
    for proof in data["evidence"]["factors"]:
        proof["lines"] = proof["lines"][:1] * lines + proof["lines"]
    return text(reseal(data))


def long_const(count: int, lines: int) -> bytes:
    """A large constant, again and again, and a result of another type."""
    g = Graph(x=["n"])
    g.node("const", [], [count], [[fix(count)]], values=["1", "2"] * (count // 2))
    data = encoded(g.proof(claim("x: n -> " + str(count), "S(n)")))
    data["forms"]["lines"] *= lines
    data["evidence"]["factors"][0]["lines"] *= lines
    data["claim"]["output"][0][0][0] += 1
    return text(reseal(data))


def many_axes() -> bytes:
    """A claim with hundreds of axes and blocks, and a last line that does not follow."""
    g = Graph(x=[[[1000, ["n"]]]])
    g.node("input", [], [[[1000, ["n"]]]], [[[[["n", 1]]] * 1000]], name="x")
    data = g.proof(claim("x: 1000n -> 1000n", "S(n)"))
    lines = data["evidence"]["factors"][0]["lines"]
    lines += lines * 100 + [{**lines[0], "type": [fix([[1000, ["n"]]])]}]
    return text(reseal(data))


def packed_chain(count: int) -> bytes:
    """A long chain of which the last step does not follow."""
    data = encoded(packed())
    proof = data["evidence"]["factors"][0]
    data["forms"]["lines"][7:] = [[5, 6 + k] for k in range(count)]
    proof["lines"][7:] = [proof["lines"][6]] * (count - 1) + [proof["lines"][1]]
    return text(reseal(data))


def packed_numbers(piece: str, count: int) -> bytes:
    """A constant of very many values."""
    data = encoded(packed())
    data["forms"]["leaves"][0][1] = " ".join([piece] * count)
    return text(reseal(data))


def wide(op: str, count: int) -> bytes:
    """A node with very many arguments, again and again."""
    g = Graph(x=["n"])
    g.node("input", [], ["n"], [[std("n")]], name="x")
    for _ in range(40):
        g.node(op, [len(g.nodes) - 1] * count, ["n"], [[std("n")]], **({"axis": 0} if op == "concat" else {}))
    return text(g.proof(claim("x: n -> n", "S(n)")))


def empty_sum() -> bytes:
    """A sum over 10^9 terms of which there are none."""
    g = Graph()
    c = g.node("const", [], [0, 10**9], values=[])
    g.node("einsum", [c, c], [0], inputs=[[0, 1], [0, 2]], output=[0])
    evidence = {
        "sizes": {},
        "inputs": {},
        "arithmetic": "rational",
        "entry": [0],
        "left": vector(1),
        "right": vector(2),
    }
    what = {"kind": "identity", "inputs": [], "output": [[[1, "m", ""]]], "scope": {}}
    return text(seal("difference", claim=what, program=g.program(), other=g.program(), evidence=evidence))


def slices() -> bytes:
    """One entry of a long vector, many times."""
    g = Graph(x=["n"])
    x = g.node("input", [], ["n"], name="x")
    found = [g.node("slice", [x], [1], axis=0, start=k, step=1) for k in range(4000)]
    g.node("add", found, [1])
    return evaluated(g, "x: n -> m", {"n": 90_000}, {"x": vector(*[1] * 90_000)})


def reductions(rank: int) -> bytes:
    """Maxima over all axes, many times."""
    g = Graph(x=[2] * rank)
    x = g.node("input", [], [2] * rank, name="x")
    found = [g.node("reduce", [x], [], fn=("max", "min")[k % 2], axes=list(range(rank))) for k in range(50)]
    g.node("add", found, [])
    return evaluated(
        g, "x: " + "2 " * rank + "-> ()", {}, {"x": tensor([2] * rank, *[1] * 2**rank)}, entry=()
    )


def field(name: str, path: list[Any], value: Any) -> bytes:
    """An accepted certificate with one value replaced."""
    data = encoded(accepted()[name])
    inside: Any = data
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return text(reseal(data))


def raw(old: bytes, new: bytes, name: str = "gram") -> bytes:
    """An accepted certificate with a piece of its text replaced."""
    before = text(accepted()[name])
    after = before.replace(old, new, 1)
    if before == after:
        raise ValueError(f"{old!r} does not occur")
    return after


def long_rationals(count: int) -> list[str]:
    """Rationals with long denominators that have no common factor with most others."""
    return [f"1/{3 * 10**3980 + 2 * k + 1}" for k in range(count) if k % 3 != 1]


def inner_product() -> bytes:
    """Sums of squares of long rationals."""
    x = long_rationals(200)
    column = tensor([len(x), 1], *x)
    return text(seal("orbit-mismatch", family="O", X=column, Y=column, pair=[0, 0]))


def moved(group: JSON, element: JSON, n: int) -> bytes:
    """The square of a vector, which an element moves."""
    data = accepted()["square"]
    data["claim"] |= {"group": [group], "scope": {"d": "all"}}
    data["evidence"] |= {"element": [element], "sizes": {"d": n}}
    data["evidence"]["inputs"]["x"] = vector(*[1] * n)
    for place in (*data["program"]["inputs"], *data["program"]["nodes"]):
        place["shape"] = ["d"]
    return text(reseal(data))


def form_of_a_matrix() -> bytes:
    """A matrix of long rationals that might keep a form."""
    rows = [[v, *["0"] * 59] for v in long_rationals(90)]
    return moved(factor("Lorentz(d)"), {**factor("Lorentz(d)"), "matrix": rows}, 60)


def listed_word(n: int, letters: int) -> bytes:
    """A long product of matrices with a long denominator."""
    rows = [[str(Fraction(min(i, j) + 1, 10**300 + 7)) for j in range(n)] for i in range(n)]
    group = {"family": "GenGL", "axis": "d"}
    return moved({**group, "generators": [rows]}, {**group, "word": [1] * letters}, n)


def polytope(rows: int, columns: int) -> bytes:
    """Eliminations whose numbers have twice as many digits after every row."""
    left = [[104_729 * (j + 2) ** (i + 1) % 999_983 for j in range(columns)] for i in range(rows)]
    part = {"left": left, "right": [1] * rows, "points": []}
    return text(seal("vertices", holds=True, parts=[part]))


def denominators() -> bytes:
    """A matrix of long rationals, which are brought over one denominator."""
    x = long_rationals(250)
    column = tensor([len(x), 1], *x)
    return text(seal("permutation-witness", X=column, Y=column, permutation=[0]))


SHAPE = ["forms", "shapes", 0, 0]
X0 = ["evidence", "inputs", "x", "values", 0]

HOSTILE: dict[str, Callable[[], bytes]] = {
    # text
    "empty": lambda: b"",
    "blank": lambda: b" \n",
    "null": lambda: b"null",
    "number": lambda: b"1",
    "list": lambda: b"[]",
    "string": lambda: b'"eqvproof-certificate"',
    "object": lambda: b"{}",
    "two": lambda: b"{}{}",
    "open": lambda: b'{"format":"eqvproof-certificate"',
    "binary": lambda: bytes(range(256)) * 100,
    "zeros": lambda: b"\0" * MOST,
    "utf16": lambda: text(accepted()["gram"]).decode().encode("utf-16"),
    "bom": lambda: b"\xef\xbb\xbf" + text(accepted()["gram"]),
    "latin": lambda: raw(b'"X"', b'"\xe9"'),
    "surrogate": lambda: raw(b'"X"', b'"\\ud800"'),
    "tail": lambda: text(accepted()["gram"]) + b"x",
    "comment": lambda: b"// \n" + text(accepted()["gram"]),
    "too-long": lambda: text(accepted()["gram"]) + b" " * MOST,
    "deep-lists": lambda: b"[" * MOST,
    "deep-objects": lambda: b'{"a":' * (MOST // 5),
    "deep-closed": lambda: b"[" * 100_000 + b"]" * 100_000,
    "deep-in-place": lambda: enveloped("[" * 900 + "]" * 900),
    "deep-25": lambda: enveloped("[" * 25 + "]" * 25),
    "long-string": lambda: b'"' + b"a" * (MOST - 2) + b'"',
    "escapes": lambda: b'"' + b"\\u0041" * (MOST // 6 - 1) + b'"',
    "backslashes": lambda: b'"' + b"\\" * (MOST - 1),
    "quotes": lambda: b'"' * MOST,
    "lists": lambda: fill("[]"),
    "objects": lambda: fill("{}"),
    "zeros-list": lambda: fill("0"),
    "small-objects": lambda: fill('{"a":0}'),
    "strings": lambda: fill('"ab"'),
    "lists-of-lists": lambda: fill("[[]]"),
    "keys": lambda: enveloped("{" + ",".join(f'"{i}":0' for i in range(150_000)) + "}"),
    "nulls": lambda: fill("null"),
    "rationals": lambda: fill('"1/3"'),
    "integers": lambda: fill("1000000000000000"),
    # numbers
    "nan": lambda: raw(b'"version":1', b'"version":NaN'),
    "infinity": lambda: raw(b'"version":1', b'"version":Infinity'),
    "minus-infinity": lambda: raw(b'"version":1', b'"version":-Infinity'),
    "float": lambda: raw(b'"version":1', b'"version":1.0'),
    "exponent": lambda: raw(b'"version":1', b'"version":1e0'),
    "big-exponent": lambda: raw(b'"version":1', b'"version":1e999999999'),
    "minus-zero": lambda: raw(b'"output":2', b'"output":-0'),
    "true": lambda: raw(b'"version":1', b'"version":true'),
    "million-digits": lambda: raw(b'"version":1', b'"version":' + b"9" * 1_000_000),
    "version-2": lambda: raw(b'"version":1', b'"version":2'),
    "version-2-sealed": lambda: field("gram", ["version"], 2),
    "version-3": lambda: field("gram", ["version"], 3),
    "version-text": lambda: raw(b'"version":1', b'"version":"1"'),
    "long-rational": lambda: field("square", X0, "1" * 1_000_000),
    "long-denominator": lambda: field("square", X0, "1/" + "7" * 100_000),
    "many-long-rationals": lambda: field(
        "square", ["evidence", "inputs", "x"], vector(*["1" * 3999 + "/" + "7" * 3999] * 200)
    ),
    "zero-denominator": lambda: field("square", X0, "1/0"),
    "not-lowest": lambda: field("square", X0, "2/4"),
    "over-one": lambda: field("square", X0, "1/1"),
    "negative-denominator": lambda: field("square", X0, "1/-2"),
    "plus": lambda: field("square", X0, "+1"),
    "spaces": lambda: field("square", X0, " 1"),
    "underscore": lambda: field("square", X0, "1_0"),
    "leading-zero": lambda: field("square", X0, "01"),
    "minus-nothing": lambda: field("square", X0, "-0"),
    "decimal": lambda: field("square", X0, "1.5"),
    "exponential": lambda: field("square", X0, "1e5"),
    "fullwidth": lambda: field("square", X0, "１"),
    "arabic": lambda: field("square", X0, "٣"),
    "newline": lambda: field("square", X0, "1\n"),
    "int-value": lambda: field("square", X0, 1),
    "bool-value": lambda: field("square", X0, True),
    "nan-value": lambda: field("square", X0, "nan"),
    "inf-value": lambda: field("square", X0, "inf"),
    "null-input": lambda: field("square", X0, None),
    # keys
    "duplicate": lambda: raw(b'"version":1', b'"version":1,"version":1'),
    "duplicate-deep": lambda: raw(b'"op":', b'"op":"add","op":'),
    "duplicate-escaped": lambda: raw(b'"op":"einsum"', b'"op":"einsum","\\u006fp":"einsum"'),
    "unknown-key": lambda: field("gram", ["note"], "x"),
    "kind-list": lambda: field("gram", ["kind"], ["proof"]),
    "kind-none": lambda: field("gram", ["kind"], None),
    "other-kind": lambda: field("gram", ["kind"], "theorem"),
    "no-digest": lambda: text({k: v for k, v in accepted()["gram"].items() if k != "digest"}),
    "wrong-digest": lambda: raw(b'"digest":"sha256:', b'"digest":"sha256:0'),
    "md5": lambda: raw(b'"digest":"sha256:', b'"digest":"md5:'),
    # programs
    "self-use": lambda: field("gram", ["forms", "lines", 1], [1, 1, 1]),
    "later-use": lambda: field("gram", ["forms", "lines", 1], [1, 2, 2]),
    "negative-use": lambda: field("gram", ["forms", "lines", 1], [1, -1, -1]),
    "kind-out": lambda: field("gram", ["forms", "lines", 1], [3, 0, 0]),
    "kind-negative": lambda: field("gram", ["forms", "lines", 1], [-1, 0, 0]),
    "no-lines": lambda: field("gram", ["forms", "lines"], []),
    "unknown-form": lambda: field("gram", ["forms", "kinds", 1, 1], "MatMul"),
    "code-form": lambda: field("gram", ["forms", "kinds", 1, 1], "__import__('os')"),
    "code-name": lambda: field("unknown", ["forms", "functions", 0, "name"], "__import__('os').abort()"),
    "dunder-function": lambda: field("norm", ["forms", "functions", 0], "__class__"),
    "lookalike": lambda: field("gram", ["claim", "inputs", 0, "name"], "Х"),
    "lookalike-size": lambda: field("gram", SHAPE, "ԁ"),
    "joiner": lambda: field("gram", SHAPE, "d\u200b"),
    "name-size": lambda: field("gram", SHAPE, "d" * 100_000),
    "unhashable-form": lambda: field("gram", ["forms", "kinds", 1, 1], {}),
    "unhashable-function": lambda: field("norm", ["forms", "functions", 0], []),
    "rank": lambda: field("gram", ["forms", "shapes", 0], ["n"] * 100_000),
    "labels": lambda: field("gram", ["forms", "kinds", 1, 4], [list(range(100_000))] * 2),
    # sizes
    "huge-size": lambda: field("gram", SHAPE, 10**15),
    "negative-size": lambda: field("gram", SHAPE, -1),
    "bool-size": lambda: field("gram", SHAPE, True),
    "size-not-canonical": lambda: field("gram", SHAPE, [[1, ["d"]]]),
    "size-zero-term": lambda: field("gram", SHAPE, [[0, ["d"]]]),
    "size-unsorted": lambda: field("gram", SHAPE, [[1, ["n", "d"]]]),
    "size-twice": lambda: field("gram", SHAPE, [[1, ["d"]], [1, ["d"]]]),
    "size-empty": lambda: field("gram", SHAPE, []),
    "size-constant-list": lambda: field("gram", SHAPE, [[3, []]]),
    "size-degree": lambda: field("gram", SHAPE, [[1, ["d"] * 100_000]]),
    "size-terms": lambda: field("gram", SHAPE, [[1, ["d", "e"]]] * 10_000),
    "scope-zero": lambda: field("gram", ["claim", "scope", "d"], 0),
    "scope-empty": lambda: field("gram", ["claim", "scope", "d"], [3, 2]),
    "scope-text": lambda: field("gram", ["claim", "scope", "d"], "every"),
    "scope-more": lambda: field("gram", ["claim", "scope", "q"], "all"),
    "scope-none": lambda: field("gram", ["claim", "scope"], {}),
    "terms-huge": lambda: field("gram", ["claim", "output", 0], [[10**9, "d", ""]]),
    "terms-many": lambda: field("gram", ["claim", "output", 0], [[1, "d", ""]] * 50_000),
    "group-many": lambda: field("gram", ["claim", "group"], [factor("O(d)")] * 10_000),
    # work
    "cells": lambda: broadcast(10**6, 2),
    "cells-rank": lambda: broadcast(10, 30),
    "cells-small": lambda: broadcast(300, 3),
    "eye": lambda: broadcast(10**9, 2, "indicator"),
    "tri": lambda: broadcast(10**5, 2, "indicator", offset=0),
    "iota": lambda: broadcast(10**12, 1, "iota"),
    "einsum-loop": wide_einsum,
    "squares": lambda: chain(squared, 4000, "3/7"),
    "squares-balls": lambda: chain(squared, 4000, "3/7", precision=1024),
    "doubling": lambda: chain(doubled, 4900, *["1/3"] * 100),
    "exps": lambda: chain(mapped("exp"), 60, "3", precision=1024),
    "exp-huge": lambda: chain(mapped("exp"), 1, "9" * 3000, precision=64),
    "exp-large": lambda: chain(mapped("exp"), 3, "7999", precision=1024),
    "sin-huge": lambda: chain(mapped("sin"), 1, "9" * 3990, precision=64),
    "sins": lambda: chain(mapped("sin"), 4000, "3", precision=1024),
    "logs": lambda: chain(mapped("log"), 4000, "9" * 3000, precision=1024),
    "roots": lambda: chain(mapped("sqrt"), 4000, "2", precision=1024),
    "cube-roots": lambda: chain(mapped("cbrt"), 4000, "2", precision=1024),
    "erfs": lambda: chain(mapped("erf"), 4000, "1/3", precision=1024),
    "tans": lambda: chain(mapped("tan"), 4000, "1/3", precision=1024),
    "arcs": lambda: chain(mapped("arcsin"), 4000, "1/3", precision=1024),
    "floors": lambda: chain(mapped("floor"), 4000, *["9" * 3900] * 100),
    "recips": lambda: chain(mapped("recip"), 4000, *["9" * 3900] * 10),
    "powers": lambda: chain(powered, 4000, "99"),
    "powers-balls": lambda: chain(powered, 400, "99", "3/2", precision=1024),
    "power-zero": lambda: chain(powered, 4000, *["1"] * 300),
    "precision": lambda: chain(mapped("exp"), 1, "1", precision=10**6),
    "det": lambda: matrix(60, "det"),
    "inv": lambda: matrix(40, "inv"),
    "orthogonal": lambda: orthogonal(300),
    "polynomials": lambda: polynomials(50, 30, "einsum"),
    "polynomials-many": lambda: polynomials(1000, 1, "einsum"),
    "reshapes": lambda: polynomials(100, 6, "reshape"),
    "long-proof": lambda: long_proof(20_000),
    "long-proof-more": lambda: long_proof(36_000),
    "packed-chain": lambda: packed_chain(45_000),
    "packed-hex": lambda: packed_numbers("0x1.999999999999ap-4", 150_000),
    "packed-rationals": lambda: packed_numbers("1/3", 900_000),
    "packed-long-rationals": lambda: packed_numbers("1" * 3999 + "/" + "7" * 3998 + "1", 400),
    "packed-repeats": lambda: packed_numbers("999999999*1", 300_000),
    "packed-repeats-few": lambda: packed_numbers("9*1", 900_000),
    "long-const": lambda: long_const(200_000, 1000),
    "many-axes": many_axes,
    "wide-add": lambda: wide("add", 9_000),
    "wide-concat": lambda: wide("concat", 4_000),
    "no-values": lambda: field(
        "square", ["evidence", "inputs", "x"], {"shape": [10**15, 10**15], "values": []}
    ),
    "no-values-zero": lambda: field(
        "square", ["evidence", "inputs", "x"], {"shape": [10**15, 0], "values": []}
    ),
    "empty-sum": empty_sum,
    "slices": slices,
    "reductions": lambda: reductions(16),
    "inner-product": inner_product,
    "form-of-a-matrix": form_of_a_matrix,
    "listed-word": lambda: listed_word(20, 64),
    "polytope": lambda: polytope(14, 300),
    "denominators": denominators,
    "big-tensor": lambda: field("square", ["evidence", "inputs", "x"], vector(*[1] * 450_000)),
}
