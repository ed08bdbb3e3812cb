"""Large weights in certificates of proofs: replaced by a digest if a proof uses only their shapes.

Such a constant becomes a *parameter*, for which the certificate holds the digest of the values: the
proof then holds for any values.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from math import prod
from typing import Any

from eqvproof.programs.operations.stored import Stored
from eqvproof.programs.program import numbers_text

JSON = dict[str, Any]
#: Largest number of stored numbers that are all written out; above it, constants with at least
#: LEAST_PARAMETER numbers whose values no line uses become parameters.
MOST_WEIGHTS, LEAST_PARAMETER = 20_000, 64


def free_parameters(program: JSON, evidence: JSON, read: Collection[int] = ()) -> frozenset[int]:
    """Returns the kinds of a large Program that are constants of which a proof uses only the shape.

    Such a constant is neither 0 nor equal in all entries, the group acts on none of its axes, and
    no line uses that it does not vary: so every line about it is true for any values.
    """
    counts = {
        k: prod(kind["shape"]) for k, kind in enumerate(program["kinds"]) if kind["op"] == "const"
    }
    of = [node[0] for node in program["nodes"]]
    by_forms = any("way" in proof for proof in evidence["factors"])  # normal forms use the values
    if by_forms or sum(counts.get(k, 0) for k in of) <= MOST_WEIGHTS:
        return frozenset()
    kinds = program["kinds"]
    found = {
        k
        for k, count in counts.items()
        if count >= LEAST_PARAMETER and _is_mixed(kinds[k]["values"])
    }

    found -= {of[node] for node in read}  # the proof is about the values of these
    for proof in (*evidence["factors"], *evidence.get("signs", ())):
        is_fixed = [_is_fixed(*named) for named in proof["types"]]
        found -= {of[node] for type_, node, *_ in proof["lines"] if not is_fixed[type_]}
    return frozenset(found)


def _is_mixed(values: str | Stored) -> bool:
    if isinstance(values, Stored):
        return bool((values.array != values.array[0]).any())
    return " " in values


def _is_fixed(acts: Any, power: int) -> bool:
    if not isinstance(acts, list):
        return acts in ("still", "0")
    return power == 0 and all(
        act != "uni" and all(f[1] == 0 for block in act for f in block) for act in acts
    )


def write_numbers(program: JSON, free: Collection[int] = ()) -> JSON:
    """Writes out all numbers of a Program; the kinds of `free` become parameters."""
    kinds = []
    for k, kind in enumerate(program["kinds"]):
        if k in free:
            kind = {"op": "parameter", "shape": kind["shape"], "digest": _digest(kind["values"])}
        elif isinstance(kind.get("values"), Stored):
            kind = {**kind, "values": numbers_text(kind["values"])}
        kinds.append(kind)
    return {**program, "kinds": kinds}


def digest_of(kind: JSON) -> str | None:
    """Returns the digest of the numbers of a constant, None for other kinds of nodes."""
    if kind["op"] != "const":
        return None
    return _digest(kind["values"])


def _digest(values: str | Stored) -> str:
    if isinstance(values, Stored):
        return values.digest()
    return "sha256:" + hashlib.sha256(values.encode("ascii")).hexdigest()
