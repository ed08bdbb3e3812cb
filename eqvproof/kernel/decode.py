"""Reading, third part: programs.

A node is an operation, its arguments, and attributes. Nodes that differ in nothing but arguments, and the
values of a constant, are of one *kind*. Version 1 writes every node in full. Version 2 writes each kind once
and a node as its number with the arguments; the values of a constant are one text of numbers, each as in
version 1, or as Python's ``float.hex`` writes it, or ``k*number`` for k equal ones.
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
    fields,
    integer,
    items,
    one_of,
    rational,
    rationals,
    size,
    text,
)


def _sizes(value: Any, path: str, pins: Mapping[str, int]) -> tuple[Size, ...]:
    return tuple(size(v, path, pins) for v in items(value, path, MOST_RANK))


#: op, shape, attributes; for a constant without its values.
Kind = tuple[str, tuple[Size, ...], dict[str, Any]]


def program(
    value: Any, path: str, pins: Mapping[str, int], *, packed: bool = False, parameters: bool = False
) -> Program:
    """A program, with pinned axis names replaced by their sizes.

    Args:
        value: as version 1 writes it; where `packed`, as version 2 does.
        path: where it stands.
        pins: axis names with one size.
        packed: the version.
        parameters: whether constants whose values are not written are understood.
    """
    kinds = ("kinds",) if packed else ()
    inputs, nodes, output, *more = fields(value, path, "inputs", "nodes", "output", *kinds)
    declared = []
    for entry in items(inputs, f"{path}.inputs", 64):
        name, shape = fields(entry, f"{path}.inputs", "name", "shape")
        declared.append((text(name, f"{path}.inputs"), _sizes(shape, f"{path}.inputs", pins)))
    listed = items(nodes, f"{path}.nodes", MOST_NODES)
    result = _packed(listed, more[0], path, pins) if packed else _written(listed, path, pins)
    if not parameters and any(node.op == PARAMETER for node in result):
        raise Rejected(f"{path}: a constant without values, of which only proofs of equivariance can speak")
    last = integer(output, f"{path}.output", 0, len(result) - 1)
    used = {last}
    for i in range(last, -1, -1):
        if i in used:
            used.update(result[i].args)
    if len(used) != len(result):
        raise Rejected(f"{path}: nodes that the output does not use")
    return Program(tuple(declared), tuple(result), last, digest(value))


def _kind(value: Any, path: str, pins: Mapping[str, int], *own: str) -> Kind:
    """The kind of a node, which has `own` keys besides."""
    op = one_of(value.get("op") if isinstance(value, dict) else None, f"{path}.op", RULES)
    attributes = RULES[op].attributes
    shape, *rest = fields(value, path, "shape", *attributes, "op", *own)
    at = {k: read(v, f"{path}.{k}", pins) for (k, read), v in zip(attributes.items(), rest, strict=False)}
    return op, _sizes(shape, f"{path}.shape", pins), at


def _written(entries: list[Any], path: str, pins: Mapping[str, int]) -> list[Node]:
    """Nodes of version 1. A kind that was read once is known by its text: equal data have equal texts."""
    known: dict[str, tuple[int, Kind]] = {}
    nodes: list[Node] = []
    for i, entry in enumerate(entries):
        spend(10)
        where = f"{path}.nodes[{i}]"
        if not isinstance(entry, dict):
            raise Rejected(f"{where}: expected an object")
        own = ("args", "values") if "values" in entry else ("args",)
        key = repr([pair for pair in entry.items() if pair[0] not in own])
        if key not in known:
            known[key] = (len(known), _kind(entry, where, pins, *own))
        number, kind = known[key]
        if RULES[kind[0]].values != ("values" in own):
            raise Rejected(f"{where}: values stand in nodes that are numbers, and in no others")
        values = [rational(x, where) for x in items(entry["values"], where)] if own[1:] else None
        nodes.append(_node(kind, number, items(entry.get("args"), f"{where}.args"), values, i, where))
    return nodes


def _packed(entries: list[Any], kinds: Any, path: str, pins: Mapping[str, int]) -> list[Node]:
    """Nodes of version 2: [kind, argument, ...], and [kind, text of the values] for a constant."""
    listed = items(kinds, f"{path}.kinds", len(entries))
    known = [_kind(entry, f"{path}.kinds[{k}]", pins) for k, entry in enumerate(listed)]
    nodes: list[Node] = []
    for i, entry in enumerate(entries):
        where = f"{path}.nodes[{i}]"
        if not items(entry, where):
            raise Rejected(f"{where}: expected a kind")
        number = integer(entry[0], where, 0, len(known) - 1)
        kind, args, values = known[number], entry[1:], None
        if RULES[kind[0]].values:
            if len(args) != 1:
                raise Rejected(f"{where}: expected the text of the values")
            values, args = rationals(args[0], where), []
        nodes.append(_node(kind, number, args, values, i, where))
    return nodes


def _node(kind: Kind, number: int, args: list[Any], values: list[Any] | None, last: int, path: str) -> Node:
    op, shape, at = kind
    spend(1 + len(args))
    ids = tuple(integer(a, f"{path}.args", 0, last - 1) for a in args)
    (fewest, most), counts = RULES[op].arguments, RULES[op].functions
    wanted = counts[at["fn"]] if counts else len(ids)
    if not fewest <= len(ids) <= most or len(ids) != wanted:
        raise Rejected(f"{path}.args: a wrong number of arguments for {op}")
    return Node(op, ids, shape, at if values is None else {"values": values}, number)
