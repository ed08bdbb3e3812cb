"""A certificate of a network, and with one field altered many to reject for their form."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tests.kernel.corpus import JSON, claim, factor, fix, reseal, seal, std

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
    """The accepted certificate with some values replaced; beyond the end of a list one is added."""

    def make() -> JSON:
        from tests.kernel.encoding import encoded

        data = copy.deepcopy(encoded(packed()))
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


LINES, KINDS, LEAVES, SHAPES = (["forms", key] for key in ("lines", "kinds", "leaves", "shapes"))
PROOF = ["evidence", "factors", 0]
NUMBERS, TYPES = [*PROOF, "lines"], [*PROOF, "types"]
#: A type that no line has, after those that lines have.
TYPED = ([*TYPES, 3], [[[], []], 1])


def values(text: Any) -> Callable[[], JSON]:
    """With another text for the written constant."""
    return changed(([*LEAVES, 0, 1], text))


REJECTED: dict[str, Callable[[], JSON]] = {
    "another version": changed((["version"], 2)),
    "a Program": changed((["program"], {"inputs": [], "kinds": [], "nodes": [], "output": 0})),
    "no forms": changed((["forms"], {})),
    "no lines": changed((LINES, [])),
    "no counterexample": changed((["kind"], "counterexample")),
    "an array that moves": changed(([*NUMBERS, 2], 0)),
    "the same step from another type": changed(TYPED, ([*NUMBERS, 5], 3)),
    "the same step to another type": changed(TYPED, ([*NUMBERS, 6], 3)),
    "a type left out": changed((NUMBERS, [0, 1, 1, 1, 0, 0, 0, 2])),
    "a type too many": changed(([*NUMBERS, 9], 0)),
    "no such type": changed(([*NUMBERS, 8], 3)),
    "a type as text": changed(([*NUMBERS, 8], "2")),
    "no type": changed(([*NUMBERS, 8], None)),
    "a type without a power": changed(([*TYPES, 2], [[]])),
    "a power that is no integer": changed(([*TYPES, 2, 1], False)),
    "a line about no kind": changed(([*LINES, 8, 0], 8)),
    "a line of another line": changed(([*LINES, 5, 1], 3)),
    "a line of a later one": changed(([*LINES, 5, 1], 5)),
    "a line of none": changed(([*LINES, 5, 1], -1)),
    "a line of too few": changed(([*LINES, 8], [7, 7])),
    "a line of too many": changed(([*LINES, 1], [1, 0])),
    "a line without a kind": changed(([*LINES, 5], [])),
    "a line that is a number": changed(([*LINES, 5], 5)),
    "a line as an object": changed(([*LINES, 5], {"kind": 5})),
    "a text for a line": changed(([*LINES, 5, 1], "1/2")),
    "a kind of no form": changed(([*KINDS, 5, 1], "Tanh")),
    "a kind of no shape": changed(([*KINDS, 5, 0], 4)),
    "a kind of another shape": changed(([*KINDS, 5, 0], 0)),
    "lines in another order": changed(([*KINDS, 7, 2], [[1, []], [0, [0, 1]]])),
    "one line twice": changed(([*KINDS, 3, 2], [0, 0])),
    "no such array": changed(([*KINDS, 1, 2], 2)),
    "no digest": changed(([*LEAVES, 1], ["digest"])),
    "another digest": changed(([*LEAVES, 1], ["digest", DIGEST[:-1]])),
    "a size that is no number": changed(([*SHAPES, 1], [2, "n"])),
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
