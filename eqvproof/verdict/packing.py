"""Version 2 of certificates of proofs: what occurs often is written once, and large weights by their digest.

A Program of version 2 lists the kinds of its nodes (operation, shape, attributes) and writes a node as the
number of its kind with its arguments; a proof lists its types, and a line is the number of its type where it
is about the next node. A large constant of which a proof uses nothing but the shape becomes a *parameter*, of
which the certificate has the digest of the values: what is proved then holds whatever the values are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from eqvproof.operations.stored import Stored
from eqvproof.program.program import texts

JSON = dict[str, Any]
#: Proofs of at most so many nodes and numbers are written in version 1.
MOST_NODES, MOST_VALUES = 1000, 5000
#: Above so many numbers, those constants of at least so many whose values no line uses become parameters.
MOST_WEIGHTS, LEAST_PARAMETER = 20_000, 64


def is_large(program: JSON) -> bool:
    """Whether a Program of version 1 has so many nodes or numbers that version 2 is to be written."""
    return len(program["nodes"]) > MOST_NODES or _count(program) > MOST_VALUES


def _count(program: JSON) -> int:
    return sum(len(node.get("values", ())) for node in program["nodes"])


def parameters(program: JSON, evidence: JSON) -> frozenset[int]:
    """The constants of a large Program that a proof uses only as arrays of some shape, by node.

    Such a constant is neither 0 nor equal in all entries, and on none of its axes does the group act, or is
    it used that it does not vary: so every line about it is true of any values.
    """
    if _count(program) <= MOST_WEIGHTS:
        return frozenset()
    found = {
        i
        for i, node in enumerate(program["nodes"])
        if node["op"] == "const" and len(node["values"]) >= LEAST_PARAMETER and _is_mixed(node["values"])
    }
    for proof in evidence["factors"]:
        for line in proof["lines"]:
            if line["node"] in found and not _is_fixed(line):
                found.discard(line["node"])
    return frozenset(found)


def _is_mixed(values: list[str] | Stored) -> bool:
    return bool((values.array != values.array[0]).any()) if isinstance(values, Stored) else len({*values}) > 1


def _is_fixed(line: JSON) -> bool:
    acts = line["type"]
    if not isinstance(acts, list):
        return acts in ("still", "0")
    fixed = all(act != "uni" and all(f[1] == 0 for block in act for f in block) for act in acts)
    return fixed and "parity" not in line


def packed_program(program: JSON, free: Collection[int] = ()) -> JSON:
    """A Program of version 1 as version 2 writes it, the nodes of `free` as parameters."""
    kinds: dict[str, int] = {}
    nodes: list[list[Any]] = []
    for i, node in enumerate(program["nodes"]):
        kind = {k: v for k, v in node.items() if k not in ("args", "values")}
        if i in free:
            kind = {"op": "parameter", "shape": node["shape"], "digest": _digest(node["values"])}
        number = kinds.setdefault(json.dumps(kind, sort_keys=True), len(kinds))
        nodes.append([number, *([numbers(node["values"])] if kind["op"] == "const" else node["args"])])
    return {
        "inputs": program["inputs"],
        "kinds": [json.loads(kind) for kind in kinds],
        "nodes": nodes,
        "output": program["output"],
    }


def packed_like(program: JSON, packed: JSON) -> JSON:
    """A Program of version 1 in version 2, with parameters where another has them."""
    free = [i for i, (k, *_) in enumerate(packed["nodes"]) if packed["kinds"][k]["op"] == "parameter"]
    given = range(len(program["nodes"]))
    return packed_program(program, [i for i in free if i in given and "values" in program["nodes"][i]])


def plain(program: JSON) -> JSON:
    """A Program of version 1 with all numbers written out."""
    nodes = [
        {**n, "values": texts(n["values"])} if isinstance(n.get("values"), Stored) else n
        for n in program["nodes"]
    ]
    return {**program, "nodes": nodes}


def _digest(values: list[str] | Stored) -> str:
    if isinstance(values, Stored):
        return values.digest()
    return "sha256:" + hashlib.sha256(" ".join(values).encode("ascii")).hexdigest()


def numbers(values: list[str] | Stored) -> str:
    """Rationals in one text, ``k*p/q`` for k equal ones; floats in hexadecimal where that is shorter."""
    return " ".join(_runs(texts(values) if isinstance(values, Stored) else values))


def _runs(values: list[str]) -> Iterator[str]:
    for value, group in groupby(values):
        count = sum(1 for _ in group)
        text = value
        if len(value) > 10:
            exact = Fraction(value)
            try:
                binary = float(exact)
            except OverflowError:
                binary = 0.0
            if binary != 0 and Fraction(binary) == exact:
                text = min(value, binary.hex(), key=len)
        yield text if count == 1 else f"{count}*{text}"


def packed_evidence(evidence: JSON, program: JSON) -> JSON:
    """The lines of a proof as version 2 writes them; the Program is of version 1."""
    return {"factors": [_packed_factor(proof, program) for proof in evidence["factors"]]}


def _packed_factor(proof: JSON, program: JSON) -> JSON:
    types: dict[str, int] = {}
    lines: list[Any] = []
    latest: dict[int, int] = {}
    before = -1
    for i, line in enumerate(proof["lines"]):
        type_ = {k: v for k, v in line.items() if k not in ("node", "from")}
        number = types.setdefault(json.dumps(type_, sort_keys=True), len(types))
        node, premises = line["node"], line["from"]
        follows = node == before + 1 and premises == [latest[a] for a in program["nodes"][node]["args"]]
        lines.append(number if follows else [number, node, *premises])
        latest[node], before = i, node
    return {**proof, "types": [json.loads(t) for t in types], "lines": lines}
