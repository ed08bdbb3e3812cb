"""Large weights in certificates of proofs: what a proof does not look at is named by its digest.

A large constant of which a proof uses nothing but the shape becomes a *parameter*, of which the
certificate has the digest of the values: what is proved then holds whatever the values are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from math import prod
from typing import Any

from eqvproof.programs.operations.stored import Stored
from eqvproof.programs.program import numbers

JSON = dict[str, Any]
#: Above so many numbers, those constants of at least so many whose values no line uses become
#: parameters.
MOST_WEIGHTS, LEAST_PARAMETER = 20_000, 64


def parameters(program: JSON, evidence: JSON, read: Collection[int] = ()) -> frozenset[int]:
    """The kinds of a large Program that are constants which a proof uses only as arrays of some shape.

    Such a constant is neither 0 nor equal in all entries, and on none of its axes does the group
    act, or is it used that it does not vary: so every line about it is true of any values.
    """
    counts = {
        k: prod(kind["shape"]) for k, kind in enumerate(program["kinds"]) if kind["op"] == "const"
    }
    of = [node[0] for node in program["nodes"]]
    by_forms = any(
        "forms" in proof for proof in evidence["factors"]
    )  # these take numbers as they are
    if by_forms or sum(counts.get(k, 0) for k in of) <= MOST_WEIGHTS:
        return frozenset()
    kinds = program["kinds"]
    found = {
        k
        for k, count in counts.items()
        if count >= LEAST_PARAMETER and _is_mixed(kinds[k]["values"])
    }
    found -= {of[node] for node in read}  # of these the numbers are what is proved
    for proof in (*evidence["factors"], *evidence.get("signs", ())):
        is_fixed = [_is_fixed(*named) for named in proof["types"]]
        found -= {of[node] for type_, node, *_ in proof["lines"] if not is_fixed[type_]}
    return frozenset(found)


def _is_mixed(values: str | Stored) -> bool:
    return (
        bool((values.array != values.array[0]).any())
        if isinstance(values, Stored)
        else " " in values
    )


def _is_fixed(acts: Any, power: int) -> bool:
    if not isinstance(acts, list):
        return acts in ("still", "0")
    return power == 0 and all(
        act != "uni" and all(f[1] == 0 for block in act for f in block) for act in acts
    )


def written(program: JSON, free: Collection[int] = ()) -> JSON:
    """A Program with all numbers written out, the kinds of `free` as parameters."""
    kinds = []
    for k, kind in enumerate(program["kinds"]):
        if k in free:
            kind = {"op": "parameter", "shape": kind["shape"], "digest": _digest(kind["values"])}
        elif isinstance(kind.get("values"), Stored):
            kind = {**kind, "values": numbers(kind["values"])}
        kinds.append(kind)
    return {**program, "kinds": kinds}


def written_like(program: JSON, other: JSON) -> JSON:
    """A Program with all numbers written out, with parameters where another has them."""
    free = {k for k, kind in enumerate(other["kinds"]) if kind["op"] == "parameter"}
    return written(
        program, [k for k, kind in enumerate(program["kinds"]) if k in free and "values" in kind]
    )


def _digest(values: str | Stored) -> str:
    if isinstance(values, Stored):
        return values.digest()
    return "sha256:" + hashlib.sha256(values.encode("ascii")).hexdigest()
