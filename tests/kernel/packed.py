"""Certificates of version 2 by hand: one to accept, many to reject, and how they read in version 1."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from tests.kernel.corpus import JSON, U, claim, factor, fix, reseal, seal, std

WEIGHTS = "0x1.999999999999ap-4 1/3 -1/5 2*1/2 0"
DIGEST = "sha256:" + "5c" * 32


def packed() -> JSON:
    """-tanh(tanh(X (A + B))) with A written and B not, under S(n)."""
    kinds: list[JSON] = [
        {"op": "input", "shape": ["n", 2], "name": "X"},
        {"op": "const", "shape": [2, 3]},
        {"op": "parameter", "shape": [2, 3], "digest": DIGEST},
        {"op": "add", "shape": [2, 3]},
        {"op": "einsum", "shape": ["n", 3], "inputs": [[0, 1], [1, 2]], "output": [0, 2]},
        {"op": "map", "shape": ["n", 3], "fn": "tanh"},
        {"op": "const", "shape": []},
        {"op": "einsum", "shape": ["n", 3], "inputs": [[], [0, 1]], "output": [0, 1]},
    ]
    nodes: list[Any] = [[0], [1, WEIGHTS], [2], [3, 1, 2], [4, 0, 3], [5, 4], [5, 5], [6, "-1"], [7, 7, 6]]
    types = [{"type": t} for t in ([std("n"), fix(2)], [fix(2), fix(3)], [std("n"), fix(3)], [])]
    proof = {**factor("S(n)"), "types": types, "lines": [0, 1, 1, 1, 2, [2, 5, 4], 2, 3, 2]}
    program = {"inputs": [{"name": "X", "shape": ["n", 2]}], "kinds": kinds, "nodes": nodes, "output": 8}
    what = claim("X: n 2 -> n 3", "S(n)")
    return reseal({**seal("proof", claim=what, program=program, evidence={"factors": [proof]}), "version": 2})


def written(text: str) -> list[str]:
    """The values of a constant as version 1 writes them."""
    found = []
    for part in text.split():
        count, star, value = part.rpartition("*")
        if "x" in value:
            p, q = float.fromhex(value).as_integer_ratio()
            value = f"{p}/{q}" if q > 1 else str(p)
        found += [value] * (int(count) if star else 1)
    return found


def unpacked(certificate: JSON, rng: random.Random) -> JSON:
    """The Program of a certificate in version 1, with some values for its parameters."""
    program = certificate["program"]
    nodes = []
    for number, *rest in program["nodes"]:
        kind = dict(program["kinds"][number])
        if kind["op"] == "parameter":
            count = 1
            for n in kind["shape"]:
                count *= n
            values = [rng.choice(["-1/4", "0", "1/3", "1/2"]) for _ in range(count)]
            nodes.append({"op": "const", "args": [], "shape": kind["shape"], "values": values})
        elif kind["op"] == "const":
            nodes.append({**kind, "args": [], "values": written(rest[0])})
        else:
            nodes.append({**kind, "args": rest})
    return {"inputs": program["inputs"], "nodes": nodes, "output": program["output"]}


def changed(*edits: tuple[list[Any], Any]) -> Callable[[], JSON]:
    """The accepted certificate with some values replaced."""

    def make() -> JSON:
        data = copy.deepcopy(packed())
        for path, value in edits:
            inside: Any = data
            for key in path[:-1]:
                inside = inside[key]
            inside[path[-1]] = value
        return reseal(data)

    return make


NODES, KINDS = ["program", "nodes"], ["program", "kinds"]
PROOF = ["evidence", "factors", 0]
LINES, TYPES = [*PROOF, "lines"], [*PROOF, "types"]
MORE: list[Any] = [
    [std("n"), fix(2)],
    [fix(2), fix(3)],
    [std("n"), fix(3)],
    [],
    [fix(2), U],
    [fix("n"), fix(3)],
]
TYPED = (TYPES, [{"type": t} for t in MORE])


def values(text: Any) -> Callable[[], JSON]:
    """With another text for the written constant."""
    return changed(([*NODES, 1, 1], text))


REJECTED: dict[str, Callable[[], JSON]] = {
    "packed as version 1": changed((["version"], 1)),
    "packed lines of version 1": changed(
        (TYPES, []), (LINES, [{"node": 0, "type": [std("n"), fix(2)], "from": []}])
    ),
    "packed program of version 1": changed((["program"], {"inputs": [], "nodes": [], "output": 0})),
    "packed counterexample": changed((["kind"], "counterexample")),
    "packed: a parameter that is constant along an axis": changed(TYPED, ([*LINES, 2], 4)),
    "packed: a constant of a kind that is constant, the next is not": changed(
        TYPED, ([*NODES, 1, 1], "6*1"), ([*NODES, 2], [1, "1 2 3 4 5 6"]), ([*LINES, 1], 4), ([*LINES, 2], 4)
    ),
    "packed: the same step from another type": changed(TYPED, ([*LINES, 6], 5)),
    "packed: the same step from a type that does not give it": changed(
        TYPED, (LINES, [0, 1, 1, 1, 2, 2, 2, 3, 2, [5, 5, 4], [5, 6, 9], [3, 7], [2, 8, 11, 10]])
    ),
    "packed: a line about a node whose arguments have none": changed((LINES, [[1, 1], 1, 1, 2, 2, 2, 3, 2])),
    "packed: a line left out": changed((LINES, [0, 1, 1, 2, 2, 2, 2, 3, 2])),
    "packed: one line too many": changed((LINES, [0, 1, 1, 1, 2, 2, 2, 3, 2, 2])),
    "packed: premises about another node": changed(([*LINES, 5], [2, 5, 3])),
    "packed: a premise that comes later": changed(([*LINES, 5], [2, 5, 5])),
    "packed: no such type": changed(([*LINES, 8], 4)),
    "packed: a type as text": changed(([*LINES, 8], "2")),
    "packed: a line of one entry": changed(([*LINES, 8], [2])),
    "packed: no such kind": changed(([*NODES, 5, 0], 8)),
    "packed: a node without a kind": changed(([*NODES, 5], [])),
    "packed: a node as an object": changed(([*NODES, 5], {"op": "map"})),
    "packed: a later node": changed(([*NODES, 5, 1], 5)),
    "packed: arguments of a constant": changed(([*NODES, 1], [1, 0])),
    "packed: a text for an operation": changed(([*NODES, 5, 1], "1/2")),
    "packed: two texts": changed(([*NODES, 1], [1, WEIGHTS, WEIGHTS])),
    "packed: values in the kind": changed(([*KINDS, 6], {"op": "const", "shape": [], "values": ["-1"]})),
    "packed: no digest": changed(([*KINDS, 2], {"op": "parameter", "shape": [2, 3]})),
    "packed: no shape": changed(([*KINDS, 2, "shape"], [2, "n"])),
    "packed: too few values": values("1/3 -1/5 2*1/2 0"),
    "packed: too many values": values(WEIGHTS + " 1"),
    "packed: values as a list": values(["1"] * 6),
    "packed: two blanks": values(WEIGHTS.replace(" ", "  ", 1)),
    "packed: not canonical hexadecimal": values(WEIGHTS.replace("0x1.999999999999a", "0x1.999999999999a0")),
    "packed: capital hexadecimal": values(WEIGHTS.replace("9a", "9A")),
    "packed: infinite": values(WEIGHTS.replace("0x1.999999999999ap-4", "0x1.0p+1024")),
    "packed: zero in hexadecimal": values(WEIGHTS.replace(" 0", " 0x0.0p+0")),
    "packed: a decimal": values(WEIGHTS.replace("1/3", "0.25")),
    "packed: not a number": values(WEIGHTS.replace("1/3", "nan")),
    "packed: none of a number": values(WEIGHTS.replace("2*", "0*")),
    "packed: times times": values(WEIGHTS.replace("2*1/2 0", "1*3*0")),
    "packed: very many": values("999999999*1"),
}
