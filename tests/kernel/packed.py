"""A certificate as the kernel reads it, by hand: one to accept, many to reject for its form."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tests.kernel.corpus import JSON, U, claim, factor, fix, reseal, seal, std

WEIGHTS = "0x1.999999999999ap-4 1/3 -1/5 2*1/2 0"
DIGEST = "sha256:" + "5c" * 32


def packed() -> JSON:
    """-tanh(tanh(X (A + B))) with A written and B not, under S(n)."""
    kinds: list[JSON] = [
        {"op": "input", "shape": ["n", 2], "name": "X"},
        {"op": "const", "shape": [2, 3], "values": WEIGHTS},
        {"op": "parameter", "shape": [2, 3], "digest": DIGEST},
        {"op": "add", "shape": [2, 3]},
        {"op": "einsum", "shape": ["n", 3], "inputs": [[0, 1], [1, 2]], "output": [0, 2]},
        {"op": "map", "shape": ["n", 3], "fn": "tanh"},
        {"op": "const", "shape": [], "values": "-1"},
        {"op": "einsum", "shape": ["n", 3], "inputs": [[], [0, 1]], "output": [0, 1]},
    ]
    nodes: list[Any] = [[0], [1], [2], [3, 1, 2], [4, 0, 3], [5, 4], [5, 5], [6], [7, 7, 6]]
    types = [[t, 0] for t in ([std("n"), fix(2)], [fix(2), fix(3)], [std("n"), fix(3)], [])]
    lines = [
        [0, 0], [1, 1], [1, 2], [1, 3, 1, 2], [2, 4, 0, 3], [2, 5, 4], [2, 6, 5], [3, 7], [2, 8, 7, 6],
    ]  # fmt: skip
    proof = {**factor("S(n)"), "types": types, "lines": lines}
    program = {"inputs": [{"name": "X", "shape": ["n", 2]}], "kinds": kinds, "nodes": nodes, "output": 8}
    what = claim("X: n 2 -> n 3", "S(n)")
    return seal("proof", claim=what, program=program, evidence={"factors": [proof]})


def changed(*edits: tuple[list[Any], Any]) -> Callable[[], JSON]:
    """The accepted certificate with some values replaced."""

    def make() -> JSON:
        data = copy.deepcopy(packed())
        for path, value in edits:
            inside: Any = data
            for key in path[:-1]:
                inside = inside[key]
            if isinstance(inside, list) and path[-1] == len(inside):
                inside.append(value)
            else:
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
TYPED = (TYPES, [[t, 0] for t in MORE])


def values(text: Any) -> Callable[[], JSON]:
    """With another text for the written constant."""
    return changed(([*KINDS, 1, "values"], text))


REJECTED: dict[str, Callable[[], JSON]] = {
    "another version": changed((["version"], 2)),
    "lines as objects": changed((LINES, [{"node": 0, "type": [std("n"), fix(2)], "from": []}])),
    "a program without kinds": changed((["program"], {"inputs": [], "nodes": [], "output": 0})),
    "no counterexample": changed((["kind"], "counterexample")),
    "a parameter that is constant along an axis": changed(TYPED, ([*LINES, 2, 0], 4)),
    "the same step from another type": changed(TYPED, ([*LINES, 6, 0], 5)),
    "the same step from a type that does not give it": changed(
        TYPED, (LINES, [
            [0, 0], [1, 1], [1, 2], [1, 3, 1, 2], [2, 4, 0, 3], [2, 5, 4], [2, 6, 5], [3, 7], [2, 8, 7, 6],
            [5, 5, 4], [5, 6, 9], [2, 8, 7, 10],
        ])
    ),
    "a line left out": changed((LINES, [*packed()["evidence"]["factors"][0]["lines"][:-1]])),
    "a line about no node": changed(([*LINES, 8, 1], 9)),
    "premises about another node": changed(([*LINES, 5, 2], 3)),
    "a premise that comes later": changed(([*LINES, 5, 2], 5)),
    "a premise too few": changed(([*LINES, 8], [2, 8, 7])),
    "no such type": changed(([*LINES, 8, 0], 4)),
    "a type as text": changed(([*LINES, 8, 0], "2")),
    "a type without a power": changed(([*TYPES, 3], [[]])),
    "a power that is no integer": changed(([*TYPES, 3, 1], False)),
    "more types than lines": changed((TYPES, [[t, 0] for t in MORE] * 2)),
    "a line of one entry": changed(([*LINES, 8], [2])),
    "a line that is a number": changed(([*LINES, 8], 2)),
    "no such kind": changed(([*NODES, 5, 0], 8)),
    "a kind that no node has": changed(([*KINDS, 8], {"op": "iota", "shape": ["n"]})),
    "a node without a kind": changed(([*NODES, 5], [])),
    "a node as an object": changed(([*NODES, 5], {"op": "map"})),
    "a later node": changed(([*NODES, 5, 1], 5)),
    "arguments of a constant": changed(([*NODES, 1], [1, 0])),
    "a text for an argument": changed(([*NODES, 5, 1], "1/2")),
    "a text beside the kind": changed(([*NODES, 1], [1, WEIGHTS])),
    "arguments in the kind": changed(([*KINDS, 5, "args"], [4])),
    "no digest": changed(([*KINDS, 2], {"op": "parameter", "shape": [2, 3]})),
    "no shape": changed(([*KINDS, 2, "shape"], [2, "n"])),
    "too few values": values("1/3 -1/5 2*1/2 0"),
    "too many values": values(WEIGHTS + " 1"),
    "values as a list": values(["1"] * 6),
    "two blanks": values(WEIGHTS.replace(" ", "  ", 1)),
    "not canonical hexadecimal": values(WEIGHTS.replace("0x1.999999999999a", "0x1.999999999999a0")),
    "capital hexadecimal": values(WEIGHTS.replace("9a", "9A")),
    "infinite": values(WEIGHTS.replace("0x1.999999999999ap-4", "0x1.0p+1024")),
    "zero in hexadecimal": values(WEIGHTS.replace(" 0", " 0x0.0p+0")),
    "a decimal": values(WEIGHTS.replace("1/3", "0.25")),
    "not a number": values(WEIGHTS.replace("1/3", "nan")),
    "none of a number": values(WEIGHTS.replace("2*", "0*")),
    "times times": values(WEIGHTS.replace("2*1/2 0", "1*3*0")),
    "very many": values("999999999*1"),
}
