"""Parses programs in certificates.

Nodes that differ in nothing but arguments are of one *kind*: operation, shape and attributes, the
numbers of a constant among them. A program lists its kinds, and a node as the number of its kind
with its arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .program import Node, Program
from .report import Rejected, spend
from .rules import RULES
from .rules.leaves import PARAMETER
from .sizes import Size
from .text import (
    MOST_NODES,
    MOST_RANK,
    digest,
    entry_of,
    fields,
    integer,
    items,
    one_of,
    read_name,
    read_size,
)


def _read_sizes(value: Any, path: str, pins: Mapping[str, int]) -> tuple[Size, ...]:
    return tuple(read_size(v, path, pins) for v in items(value, path, MOST_RANK))


#: Operation, shape and attributes.
Kind = tuple[str, tuple[Size, ...], dict[str, Any]]


def program(value: Any, path: str, pins: Mapping[str, int], *, parameters: bool = False) -> Program:
    """Reads a program, with pinned axis names replaced by their sizes.

    Args:
        value: the data.
        path: where it stands.
        pins: axis names with one size.
        parameters: whether constants without stored values, and eigenvectors, are allowed.
    """
    inputs, kinds, nodes, output = fields(value, path, "inputs", "kinds", "nodes", "output")
    declared = []
    where = f"{path}.inputs"
    for entry in items(inputs, where, 64):
        name, shape = fields(entry, where, "name", "shape")
        declared.append((read_name(name, where), _read_sizes(shape, where, pins)))
    listed = items(nodes, f"{path}.nodes", MOST_NODES)
    entries = enumerate(items(kinds, f"{path}.kinds", len(listed)))
    known = [_kind(entry, f"{path}.kinds[{k}]", pins) for k, entry in entries]
    result = [_node(entry, i, known, f"{path}.nodes[{i}]") for i, entry in enumerate(listed)]
    if not parameters and any(op == PARAMETER for op, _, _ in known):
        raise Rejected(
            f"{path}: a constant without values, of which only proofs of equivariance can speak"
        )
    if not parameters and any(RULES[op].is_up_to_signs for op, _, _ in known):
        raise Rejected(f"{path}: eigenvectors, of which only proofs of equivariance can speak")
    last = integer(output, f"{path}.output", 0, len(result) - 1)
    used = {last}
    for i in range(last, -1, -1):
        if i in used:
            used.update(result[i].args)
    if len({node.kind for node in result}) != len(known):
        raise Rejected(f"{path}.kinds: a kind that no node has")
    if len(used) != len(result):
        raise Rejected(f"{path}: nodes that the output does not use")
    return Program(tuple(declared), tuple(result), last, digest(value))


def _kind(value: Any, path: str, pins: Mapping[str, int]) -> Kind:
    spend(10)
    op = one_of(entry_of(value, "op"), f"{path}.op", RULES)
    attributes = RULES[op].attributes
    shape, *rest = fields(value, path, "shape", *attributes, "op")
    at = {
        k: read(v, f"{path}.{k}", pins)
        for (k, read), v in zip(attributes.items(), rest, strict=False)
    }
    return op, _read_sizes(shape, f"{path}.shape", pins), at


def _node(entry: Any, place: int, known: list[Kind], path: str) -> Node:
    number, *args = items(entry, path) or [None]
    op, shape, at = known[integer(number, path, 0, len(known) - 1)]
    spend(2 + len(args))
    ids = tuple(integer(a, path, 0, place - 1) for a in args)
    (fewest, most), counts = RULES[op].arguments, RULES[op].functions
    wanted = counts[at["fn"]] if counts else len(ids)
    if not fewest <= len(ids) <= most or len(ids) != wanted:
        raise Rejected(f"{path}: a wrong number of arguments for {op}")
    return Node(op, ids, shape, at, number)
