# ruff: noqa: E501 (a certificate a line, as far as it goes)
"""Small certificates written by hand: right ones, and wrong ones that differ in a rule, a type or the claim.

Nothing of the package makes them, so that what Rocq rejects is not refused earlier.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.kernel.encoding import encoded

#: Acts: f nothing, s the group's element, u nothing, and constant along the axis.
ACTS = {"f": 0, "s": 1}
MATRICES = ("inv", "det", "pinv", "eigvals", "spectral", "expm", "sinm")
Spec = tuple[str, str, tuple[tuple[Any, ...], ...], tuple[Sequence[str], ...]]


#: An axis that is read as it is, or its beginning.
KEPT = [0, [1], False]


def axis(word: str) -> list[Any]:
    """An axis of a claim: ``d``, ``n!``, irreps ``2x1e``, or parts one after another, ``d+n!``."""
    found = list[list[Any]]()
    for name, mark in re.findall(r"(\w+)([!^]?)(?:\+|$)", word):
        if irrep := re.fullmatch(r"(\d+)x(\d+)([eo])", name):
            found.append([int(irrep[1]) * (2 * int(irrep[2]) + 1), None, irrep[2] + irrep[3]])
        elif name.isdecimal():
            found.append([int(name), None, mark])
        else:
            found.append([1, name, mark])
    return found


def size(word: str) -> Any:
    """A size in JSON: a number, a name, a multiple of one, or a sum of names."""
    factor, times, name = word.partition("*")
    if times:
        return [[int(factor), [name]]]
    if "+" in word:
        return [[count, [name]] for name, count in sorted(Counter(word.split("+")).items())]
    return int(word) if word.isdecimal() else word


def length(word: str) -> Any:
    """The size of an axis of a claim."""
    if all(term[1] is None for term in axis(word)):
        return sum(term[0] for term in axis(word))
    return size(re.sub("[!^]", "", word))


def act(word: str, whole: Any) -> Any:
    """The act along an axis: a letter or an irrep, or parts with a size and one each, ``d:s m:f``."""
    if word == "u":
        return "uni"
    parts = [part.partition(":") for part in word.split()]
    return [
        [[size(of), ACTS.get(letter, letter)] if letter else [whole, ACTS.get(of, of)]]
        for of, _, letter in parts
    ]


def certificate(
    signature: str, group: str, nodes: Sequence[Sequence[Any]], types: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """A certificate for one factor of a group.

    Args:
        signature: ``X: d n, E[n]: 2 m -> d n``.
        group: ``O(d)``.
        nodes: (operation, arguments, shape, attributes) each, the inputs first.
        types: the acts along the axes of each node: a word of letters, or one word each (see `act`).
    """
    left, right = signature.split("->")
    family, name = re.fullmatch(r"(\w+)\((\w+)\)", group).groups()  # type: ignore[union-attr]
    on = int(name) if name.isdecimal() else name
    inputs, declared = [], []
    for argument in left.split(","):
        head, axes = argument.split(":")
        label = re.fullmatch(r"\s*(\w+)(?:\[(\w+)\])?\s*", head)
        entry: dict[str, Any] = {"name": label[1], "axes": [axis(w) for w in axes.split()], "type": "real"}  # type: ignore[index]
        if label[2]:  # type: ignore[index]
            entry |= {"type": "index", "indexes": label[2]}  # type: ignore[index]
        inputs.append(entry)
        declared.append({"name": entry["name"], "shape": [length(w) for w in axes.split()]})
    output = [axis(w) for w in right.replace("()", "").split()]
    names = {term[1] for e in inputs for t in e["axes"] for term in t if term[1]}
    names |= {e["indexes"] for e in inputs if "indexes" in e}
    program = [
        {
            "op": "matrix_function" if op in MATRICES else op,
            "args": list(args),
            "shape": [size(w) for w in shape.split()],
            **({"offset": None} if op == "indicator" else {"fn": op} if op in MATRICES else {}),
            **(more[0] if more else {}),
        }
        for op, args, shape, *more in nodes
    ]
    lines = []
    for i, (node, acts) in enumerate(zip(program, types, strict=True)):
        shape = node["shape"]
        type_ = [act(word, s) for word, s in zip(acts, shape, strict=True)]
        lines.append({"node": i, "type": type_, "from": node["args"]})
    claim = {
        "kind": "equivariance", "inputs": inputs, "output": output,
        "group": [{"family": family, "axis": on}], "scope": dict.fromkeys(sorted(names), "all"),
    }  # fmt: skip
    evidence = {"factors": [{"family": family, "axis": on, "lines": lines}]}
    whole = {"inputs": declared, "nodes": program, "output": len(program) - 1}
    return encoded({"kind": "proof", "version": 1, "claim": claim, "program": whole, "evidence": evidence})


def ein(
    args: Sequence[int], shape: str, inputs: Sequence[Sequence[int]], output: Sequence[int]
) -> tuple[Any, ...]:
    """An einsum."""
    return "einsum", args, shape, {"inputs": [list(r) for r in inputs], "output": list(output)}


def fn(name: str, args: Sequence[int], shape: str) -> tuple[Any, ...]:
    """An elementwise function."""
    return "map", args, shape, {"fn": name}


X, Z = ("input", (), "d n", {"name": "X"}), ("input", (), "d n", {"name": "Z"})
ROWS = ("input", (), "n 3", {"name": "X"})
A, B = ("input", (), "n n", {"name": "A"}), ("input", (), "d d", {"name": "A"})
E = ("input", (), "2 m", {"name": "E"})
GRAM = ein((0, 0), "n n", [[0, 1], [0, 2]], [1, 2])
POINTS = ("input", (), "n d", {"name": "X"})
ONE = ("const", (), "", {"values": ["1"]})
H, K = ("input", (), "5", {"name": "H"}), ("input", (), "5", {"name": "K"})
V = ("input", (), "3", {"name": "V"})
Y, P = ("input", (), "m n", {"name": "Y"}), ("input", (), "d n", {"name": "Y"})


def joined(args: Sequence[int], shape: str, along: int = 0) -> tuple[Any, ...]:
    """Arguments one after another."""
    return "concat", args, shape, {"axis": along}


#: The place of the last of d entries.
LAST = [[-1, []], [1, ["d"]]]

RIGHT: dict[str, Spec] = {
    "attention without weights": (
        "X: d n -> d n", "O(d)", (X, GRAM, ein((0, 1), "d n", [[0, 1], [1, 2]], [0, 2])), ("sf", "ff", "sf")),
    "the same under permutations": (
        "X: d n -> d n", "S(n)", (X, GRAM, ein((0, 1), "d n", [[0, 1], [1, 2]], [0, 2])), ("fs", "ss", "fs")),
    "sum of features": (
        "X: n 3 -> 3", "S(n)", (ROWS, fn("tanh", (0,), "n 3"), ein((1,), "3", [[0, 1]], [1])), ("sf", "sf", "f")),
    "greatest features": (
        "X: n 3 -> 3", "S(n)", (ROWS, ("reduce", (0,), "3", {"fn": "max", "axes": [0]})), ("sf", "f")),
    "sorted features": ("X: n 3 -> n! 3", "S(n)", (ROWS, ("sort", (0,), "n 3", {"axis": 0})), ("sf", "ff")),
    "message": (
        "A: n n, X: n 3 -> n 3", "S(n)",
        (A, ROWS, ein((0, 1), "n 3", [[0, 1], [1, 2]], [0, 2])), ("ss", "sf", "sf")),
    "inverse": ("A: n n -> n n", "S(n)", (A, ("inv", (0,), "n n")), ("ss", "ss")),
    "inverse of moved rows": ("A: n n! -> n! n", "S(n)", (A, ("inv", (0,), "n n")), ("sf", "fs")),
    "inverse of a form": ("A: d d -> d d", "O(d)", (B, ("inv", (0,), "d d")), ("ss", "ss")),
    "inverse of a turned basis": ("A: d d! -> d! d", "O(d)", (B, ("inv", (0,), "d d")), ("sf", "fs")),
    "inverse of a basis with turned duals": ("A: d! d -> d d!", "O(d)", (B, ("inv", (0,), "d d")), ("fs", "sf")),
    "determinant": ("A: d d -> ()", "O(d)", (B, ("det", (0,), "")), ("ss", "")),
    "eigenvalues": ("A: d d -> d!", "O(d)", (B, ("eigvals", (0,), "d")), ("ss", "f")),
    "eigenvalues of a graph": ("A: n n -> n!", "S(n)", (A, ("eigvals", (0,), "n")), ("ss", "f")),
    "function of a form": (
        "A: d d -> d d", "O(d)",
        (B, ("eigvals", (0,), "d"), fn("exp", (1,), "d"), ("spectral", (0, 2), "d d")), ("ss", "f", "f", "ss")),
    "function of a graph": (
        "A: n n -> n n", "S(n)", (A, ("eigvals", (0,), "n"), ("spectral", (0, 1), "n n")), ("ss", "f", "ss")),
    "exponential of a form": ("A: d d -> d d", "O(d)", (B, ("expm", (0,), "d d")), ("ss", "ss")),
    "sine of a graph": ("A: n n -> n n", "S(n)", (A, ("sinm", (0,), "n n")), ("ss", "ss")),
    "pseudo-inverse of a form": ("A: d d -> d d", "O(d)", (B, ("pinv", (0,), "d d")), ("ss", "ss")),
    "pseudo-inverse of points": ("X: d n -> n d", "O(d)", (X, ("pinv", (0,), "n d")), ("sf", "fs")),
    "pseudo-inverse of moved points": ("X: d n -> n d", "S(n)", (X, ("pinv", (0,), "n d")), ("fs", "sf")),
    "projection": (
        "X: d n -> d d", "O(d)",
        (X, ein((0, 0), "d d", [[0, 1], [2, 1]], [0, 2]), ("indicator", (), "d d"), ("add", (1, 2), "d d")),
        ("sf", "ss", "ss", "ss")),
    "ends of edges": ("E[n]: 2 m -> 2 m n", "S(n)", (E, ("indicator", (0,), "2 m n")), ("ff", "ffs")),
    "unit vectors": (
        "X: d n -> d n", "O(d)",
        (X, ein((0, 0), "n", [[0, 1], [0, 1]], [1]), ein((1,), "d n", [[0]], [1, 0]), fn("sqrt", (2,), "d n"),
         fn("recip", (3,), "d n"), ein((0, 4), "d n", [[0, 1], [0, 1]], [0, 1])),
        ("sf", "f", "uf", "uf", "uf", "sf")),
    "choice of vectors": (
        "X: d n, Z: d n -> d n", "O(d)",
        (X, Z, ein((0, 1), "n", [[0, 1], [0, 1]], [1]), ein((2,), "d n", [[0]], [1, 0]), ("select", (3, 0, 1), "d n")),
        ("sf", "sf", "f", "uf", "sf")),
    "padded with zeros": (
        "X: d n -> d m", "O(d)",
        (X, ("const", (), "", {"values": ["0"]}), ein((1,), "d n", [[]], [0, 1]), ("concat", (0, 2), "d 2*n", {"axis": 1})),
        ("sf", "", "sf", "sf")),
    "side by side": (
        "X: d n -> d m", "O(d)", (X, ("concat", (0, 0), "d 2*n", {"axis": 1})), ("sf", "sf")),
    "vectors and others in one axis": (
        "X: d n, Y: m n -> d+m n", "O(d)", (X, Y, joined((0, 1), "d+m n")), ("sf", "ff", ("d:s m:f", "f"))),
    "vectors between others": (
        "X: d n, Y: m n -> m+d+m n", "SO(d)", (X, Y, joined((1, 0, 1), "d+m+m n")),
        ("sf", "ff", ("m:f d:s m:f", "f"))),
    "two vectors in one axis": (
        "X: d n, Y: d n -> d+d n", "O(d)", (X, P, joined((0, 1), "2*d n")), ("sf", "sf", ("d:s d:s", "f"))),
    "moved points and others in one axis": (
        "X: d n, Y: m n -> d+m n", "S(d)", (X, Y, joined((0, 1), "d+m n")), ("sf", "ff", ("d:s m:f", "f"))),
    "inner product of irreps": ("H: 1x2e, K: 1x2e -> ()", "O(3)", (H, K, ein((0, 1), "", [[0], [0]], [])), (("2e",), ("2e",), ())),
    "an irrep and a vector in one axis": (
        "H: 1x2e, V: 3 -> 1x1o+1x2e", "O(3)", (H, V, joined((1, 0), "8")), (("2e",), "s", ("3:s 5:2e",))),
    "reversed features": (
        "X: n d -> n d", "S(n)", (POINTS, ("read", (0,), "n d", {"places": [KEPT, [LAST, [-1], False]]})), ("sf", "sf")),
    "first features, and windows": (
        "X: n 5 -> n 2 4", "S(n)",
        (("input", (), "n 5", {"name": "X"}), ("read", (0,), "n 4", {"places": [KEPT, KEPT]}),
         ("read", (0,), "n 2 4", {"places": [KEPT, [0, [1, 1], False]]}), ein((1,), "n 2 4", [[0, 1]], [0, 2, 1]),
         ("add", (2, 3), "n 2 4")),
        ("sf", "sf", "sff", "sff", "sff")),
    "features in a row": (
        "X: n d 3 -> n m", "S(n)", (("input", (), "n d 3", {"name": "X"}), ("reshape", (0,), "n 3*d")), ("sff", "sf")),
    "unknown function of invariants": (
        "X: d n -> n", "O(d)", (X, GRAM, ("opaque", (1,), "n", {"name": "g", "symmetry": None})), ("sf", "ff", "f")),
}  # fmt: skip

#: By what differs from a right one: "rule", "type", "claim" or "shape".
WRONG: dict[str, tuple[str, Spec]] = {
    "function of a basis": (
        "rule",
        ("A: d d! -> d d!", "O(d)", (B, ("eigvals", (0,), "d"), ("spectral", (0, 1), "d d")), ("sf", "f", "sf"))),
    "pseudo-inverse that does not turn over": (
        "type", ("A: d d! -> d d!", "O(d)", (B, ("pinv", (0,), "d d")), ("sf", "sf"))),
    "sum of coordinates": ("rule", ("X: d n -> n", "O(d)", (X, ein((0,), "n", [[0, 1]], [1])), ("sf", "f"))),
    "three factors": (
        "rule", ("X: d n -> n", "O(d)", (X, ein((0, 0, 0), "n", [[0, 1]] * 3, [1])), ("sf", "f"))),
    "squares of coordinates": (
        "rule", ("X: d n -> d n", "O(d)", (X, ein((0, 0), "d n", [[0, 1]] * 2, [0, 1])), ("sf", "sf"))),
    "tanh of coordinates": ("rule", ("X: d n -> d n", "O(d)", (X, fn("tanh", (0,), "d n")), ("sf", "sf"))),
    "sum of absolute values": (
        "rule",
        ("X: d n -> n", "O(d)", (X, fn("abs", (0,), "d n"), ein((1,), "n", [[0, 1]], [1])), ("sf", "sf", "f"))),
    "greatest coordinate": (
        "rule", ("X: d n -> n", "O(d)", (X, ("reduce", (0,), "n", {"fn": "max", "axes": [0]})), ("sf", "f"))),
    "sorted coordinates": (
        "rule", ("X: d n -> d! n", "O(d)", (X, ("sort", (0,), "d n", {"axis": 0})), ("sf", "ff"))),
    "greater coordinates": (
        "rule", ("X: d n, Z: d n -> d n", "O(d)", (X, Z, fn("maximum", (0, 1), "d n")), ("sf", "sf", "sf"))),
    "choice by coordinates": (
        "rule", ("X: d n, Z: d n -> d n", "O(d)", (X, Z, ("select", (0, 0, 1), "d n")), ("sf", "sf", "sf"))),
    "one added": (
        "rule",
        ("X: d n -> d n", "O(d)",
         (X, ONE, ein((1,), "d n", [[]], [0, 1]), ("add", (0, 2), "d n")), ("sf", "", "ff", "sf"))),
    "coordinates reversed": (
        "rule", ("X: d n -> d n", "O(d)", (X, ("read", (0,), "d n", {"places": [[[[-1, []], [1, ["d"]]], [-1], False], KEPT]})), ("sf", "sf"))),
    "first point": (
        "rule",
        ("X: n 3 -> 3", "S(n)",
         (ROWS, ("read", (0,), "1 3", {"places": [KEPT, KEPT]}), ein((1,), "3", [[0, 1]], [1])),
         ("sf", "ff", "f"))),
    "points reversed": ("rule", ("X: n 3 -> n 3", "S(n)", (ROWS, ("read", (0,), "n 3", {"places": [[[[-1, []], [1, ["n"]]], [-1], False], KEPT]})), ("sf", "sf"))),
    "points shifted": (
        "rule", ("X: n 3 -> n 3", "S(n)", (ROWS, ("read", (0,), "n 3", {"places": [[-1, [1], True], KEPT]})), ("sf", "sf"))),
    "weighted by place": (
        "rule",
        ("X: n 3 -> 3", "S(n)",
         (ROWS, ("iota", (), "n"), ein((0, 1), "3", [[0, 1], [0]], [1])), ("sf", "f", "f"))),
    "causal mask": (
        "rule",
        ("A: n n -> n n", "S(n)",
         (A, ("indicator", (), "n n", {"offset": 0}), ein((0, 1), "n n", [[0, 1]] * 2, [0, 1])), ("ss", "ss", "ss"))),
    "sum of upper entries": (
        "rule",
        ("A: n n -> ()", "S(n)",
         (A, ("indicator", (), "n n", {"offset": 0}), ein((0, 1), "", [[0, 1]] * 2, [])), ("ss", "ff", ""))),
    "labels as numbers": (
        "rule",
        ("A: n n -> n n n", "S(n)", (A, ("indicator", (0,), "n n n")), ("ss", "sss"))),
    "determinant of moved rows": ("rule", ("A: n n! -> ()", "S(n)", (A, ("det", (0,), "")), ("sf", ""))),
    "unknown function of vectors": (
        "rule",
        ("X: d n -> n", "O(d)", (X, ("opaque", (0,), "n", {"name": "g", "symmetry": None})), ("sf", "f"))),
    "product along points": (
        "rule",
        ("X: d n -> n", "O(d)", (X, ("reduce", (0,), "n", {"fn": "prod", "axes": [0]})), ("sf", "f"))),
    "sorted points that move": ("type", ("X: n 3 -> n 3", "S(n)", (ROWS, ("sort", (0,), "n 3", {"axis": 0})), ("sf", "sf"))),
    "inverse with its axes swapped": ("type", ("A: n n! -> n n!", "S(n)", (A, ("inv", (0,), "n n")), ("sf", "sf"))),
    "inverse of a form, half": ("type", ("A: d d -> d d!", "O(d)", (B, ("inv", (0,), "d d")), ("ss", "sf"))),
    "transposed": ("type", ("A: n n! -> n n!", "S(n)", (A, ein((0,), "n n", [[0, 1]], [1, 0])), ("sf", "sf"))),
    "identity matrix, half": (
        "type",
        ("A: n n! -> n n!", "S(n)", (A, ("indicator", (), "n n"), ("add", (0, 1), "n n")), ("sf", "sf", "sf"))),
    "ends that do not move": (
        "type", ("E[n]: 2 m -> 2 m n!", "S(n)", (E, ("indicator", (0,), "2 m n")), ("ff", "fff"))),
    "row sums that do not move": (
        "type", ("A: n n -> n!", "S(n)", (A, ein((0,), "n", [[0, 1]], [0])), ("ss", "f"))),
    "called constant": (
        "type",
        ("X: n 3 -> n! 3", "S(n)", (ROWS, fn("tanh", (0,), "n 3")), ("sf", "uf"))),
    "outer products, half": (
        "type", ("X: d n -> d d! n", "O(d)", (X, ein((0, 0), "d d n", [[0, 2], [1, 2]], [0, 1, 2])), ("sf", "sff"))),
    "label over two sizes": (
        "shape",
        ("X: d n, Z: 3 n -> n", "S(n)",
         (X, ("input", (), "3 n", {"name": "Z"}), ein((0, 1), "n", [[0, 1]] * 2, [1])), ("fs", "fs", "s"))),
    "diagonal of a rectangle": (
        "shape",
        ("X: n 3 2 -> n 2", "S(n)",
         (("input", (), "n 3 2", {"name": "X"}), ein((0,), "n 2", [[0, 1, 1]], [0, 1])), ("sff", "sf"))),
    "entry after the last one": (
        "shape",
        ("X: n d -> n", "S(n)", (POINTS, ("read", (0,), "n", {"places": [KEPT, ["d", [], False]]})), ("sf", "s"))),
    "second of perhaps one": (
        "shape", ("X: n d -> n", "S(n)", (POINTS, ("read", (0,), "n", {"places": [KEPT, [1, [], False]]})), ("sf", "s"))),
    "steps beyond the end": (
        "shape",
        ("X: n 3 -> n 3", "S(n)", (ROWS, ("read", (0,), "n 3", {"places": [KEPT, [0, [2], False]]})), ("sf", "sf"))),
    "windows beyond the end": (
        "shape",
        ("X: n 3 -> n 3 2", "S(n)", (ROWS, ("read", (0,), "n 3 2", {"places": [KEPT, [0, [1, 1], False]]})), ("sf", "sff"))),
    "beginning that is too long": (
        "shape", ("X: n 3 -> n 4", "S(n)", (ROWS, ("read", (0,), "n 4", {"places": [KEPT, KEPT]})), ("sf", "sf"))),
    "result of another size": (
        "shape", ("X: n d -> n 7", "S(n)", (POINTS, fn("tanh", (0,), "n d")), ("sf", "sf"))),
    "line of another size": (
        "shape", ("X: n d -> n 7", "S(n)", (POINTS, fn("tanh", (0,), "n 7")), ("sf", "sf"))),
    "sum of two sizes": (
        "shape",
        ("X: n d, Z: n 3 -> n d", "S(n)",
         (POINTS, ("input", (), "n 3", {"name": "Z"}), ("add", (0, 1), "n d")), ("sf", "sf", "sf"))),
    "argument of another size": (
        "shape", ("X: n d -> n d", "S(n)", (("input", (), "n 3", {"name": "X"}), fn("tanh", (0,), "n d")), ("sf", "sf"))),
    "side by side, one too many": (
        "shape", ("X: n 3 -> n 7", "S(n)", (ROWS, ("concat", (0, 0), "n 7", {"axis": 1})), ("sf", "sf"))),
    "side by side, of other rows": (
        "shape",
        ("X: n 3 d, Z: n 4 d -> n 3 m", "S(n)",
         (("input", (), "n 3 d", {"name": "X"}), ("input", (), "n 4 d", {"name": "Z"}),
          ("concat", (0, 1), "n 3 2*d", {"axis": 2})), ("sff", "sff", "sff"))),
    "choice of another size": (
        "shape",
        ("X: n d, Z: n 3 -> n d", "S(n)",
         (POINTS, ("input", (), "n 3", {"name": "Z"}), ("select", (1, 0, 0), "n d")), ("sf", "sf", "sf"))),
    "sorted along another size": (
        "shape", ("X: n 3 -> n 4", "S(n)", (ROWS, ("sort", (0,), "n 4", {"axis": 1})), ("sf", "sf"))),
    "greatest of other features": (
        "shape", ("X: n d 3 -> n 7", "S(n)", (("input", (), "n d 3", {"name": "X"}), ("reduce", (0,), "n 7", {"fn": "max", "axes": [2]})), ("sff", "sf"))),
    "claimed invariant": (
        "claim",
        ("X: d n -> d! n", "O(d)", (X, GRAM, ein((0, 1), "d n", [[0, 1], [1, 2]], [0, 2])), ("sf", "ff", "sf"))),
    "claimed of a fixed input": (
        "claim",
        ("X: d! n, Z: d n -> d n", "O(d)", (X, Z, ("add", (0, 1), "d n")), ("sf", "sf", "sf"))),
    "claimed to move along": (
        "claim", ("X: n 3 -> n 3", "S(n)", (ROWS, ("sort", (0,), "n 3", {"axis": 0})), ("sf", "ff"))),
    "claimed of the other axis": (
        "claim",
        ("A: n n! -> n! n", "S(n)", (A, fn("tanh", (0,), "n n")), ("sf", "sf"))),
    "claimed of weights that do not move": (
        "claim",
        ("A: n! n, X: n 3 -> n 3", "S(n)",
         (A, ROWS, ein((0, 1), "n 3", [[0, 1], [1, 2]], [0, 2])), ("fs", "sf", "ff"))),
    "claimed of another parity": (
        "claim", ("H: 1x2e -> 1x2o", "O(3)", (H, ein((0,), "5", [[0]], [0])), (("2e",), ("2e",)))),
    "claimed of another irrep": (
        "claim", ("H: 1x2e -> 1x1o+2x0e", "O(3)", (H, ein((0,), "5", [[0]], [0])), (("2e",), ("2e",)))),
    "claimed in another order": (
        "claim",
        ("X: d n, Y: m n -> m+d n", "O(d)", (X, Y, joined((0, 1), "d+m n")), ("sf", "ff", ("d:s m:f", "f")))),
    "claimed of fixed labels": (
        "claim", ("E: 2 m, X: n m -> 2 m n", "S(n)", (E, ("indicator", (0,), "2 m n")), ("ff", "ffs"))),
}  # fmt: skip
