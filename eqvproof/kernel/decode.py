"""Reading, third part: programs.

A node is an operation, its arguments, and attributes. Nodes that differ in nothing but arguments, and the
values of a constant, are of one *kind*. Version 1 writes every node in full. Version 2 writes each kind once
and a node as its number with the arguments; the values of a constant are one text of numbers, each as in
version 1, or as Python's ``float.hex`` writes it, or ``k*number`` for k equal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .claims import axes, group
from .report import Rejected, spend
from .sizes import Size
from .text import (
    LABEL,
    MOST_NODES,
    MOST_RANK,
    SHA256,
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

Decoder = Callable[[Any, str, Mapping[str, int]], Any]


@dataclass(frozen=True, slots=True)
class Node:
    """An operation: `at` holds its attributes; nodes of one `kind` share op, shape and attributes."""

    op: str
    args: tuple[int, ...]
    shape: tuple[Size, ...]
    at: dict[str, Any]
    kind: int


@dataclass(frozen=True, slots=True)
class Program:
    """Operations, each using earlier ones only."""

    inputs: tuple[tuple[str, tuple[Size, ...]], ...]
    nodes: tuple[Node, ...]
    output: int
    digest: str

    @property
    def shape(self) -> tuple[Size, ...]:
        """The shape of the result."""
        return self.nodes[self.output].shape


def _sizes(value: Any, path: str, pins: Mapping[str, int]) -> tuple[Size, ...]:
    return tuple(size(v, path, pins) for v in items(value, path, MOST_RANK))


def _integers(value: Any, path: str, pins: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(integer(v, path, 0) for v in items(value, path))


def _rows(value: Any, path: str, pins: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    return tuple(_integers(v, path, pins) for v in items(value, path))


def _places(value: Any, path: str, pins: Mapping[str, int]) -> tuple[tuple[Size, tuple[int, ...], bool], ...]:
    found = []
    for entry in items(value, path, MOST_RANK):
        if len(items(entry, path)) != 3 or type(entry[2]) is not bool:
            raise Rejected(f"{path}: expected a start, steps, and whether the axis goes round")
        steps = tuple(integer(v, path) for v in items(entry[1], path, MOST_RANK))
        found.append((size(entry[0], path, pins), steps, entry[2]))
    return tuple(found)


def _offset(value: Any, path: str, pins: Mapping[str, int]) -> int | None:
    return None if value is None else integer(value, path)


def _symmetry(value: Any, path: str, pins: Mapping[str, int]) -> Any:
    if value is None:
        return None
    inputs, output, factors = fields(value, path, "inputs", "output", "group")
    rows = tuple(axes(v, path) for v in items(inputs, path))
    result = axes(output, path)
    return rows, result, group(factors, path, [a for row in (*rows, result) for a in row])


def _plain(read: Callable[..., Any], *more: Any) -> Decoder:
    return lambda value, path, pins: read(value, path, *more)


FUNCTIONS: dict[str, int] = {
    "pi": 0, **dict.fromkeys(
        "recip exp log sqrt cbrt abs sign sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh erf floor "
        "ceil rint not".split(), 1
    ), **dict.fromkeys("maximum minimum arctan2 pow mod lt le gt ge eq ne and or".split(), 2),
}  # fmt: skip

#: function of matrices -> number of arguments
MATRICES: dict[str, int] = {"inv": 1, "det": 1, "pinv": 1, "eigvals": 1, "spectral": 2}
#: op -> (fewest arguments, most arguments, attributes)
OPERATIONS: dict[str, tuple[int, int, dict[str, Decoder]]] = {
    "input": (0, 0, {"name": _plain(text)}),
    "const": (0, 0, {}),
    "parameter": (0, 0, {"digest": _plain(text, SHA256)}),
    "size": (0, 0, {"size": size}),
    "iota": (0, 0, {}),
    "indicator": (0, 1, {"offset": _offset}),
    "einsum": (1, 256, {"inputs": _rows, "output": _integers}),
    "add": (2, MOST_NODES, {}),
    "map": (0, 2, {"fn": _plain(one_of, FUNCTIONS)}),
    "select": (3, 3, {}),
    "reduce": (1, 1, {"fn": _plain(one_of, ("max", "min", "prod")), "axes": _integers}),
    "concat": (1, MOST_NODES, {"axis": _plain(integer, 0)}),
    "read": (1, 1, {"places": _places}),
    "reshape": (1, 1, {}),
    "sort": (1, 1, {"axis": _plain(integer, 0)}),
    "matrix": (1, 2, {"fn": _plain(one_of, MATRICES)}),
    "opaque": (0, 256, {"name": _plain(text, LABEL), "symmetry": _symmetry}),
}


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
    if not parameters and any(node.op == "parameter" for node in result):
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
    op = one_of(value.get("op") if isinstance(value, dict) else None, f"{path}.op", OPERATIONS)
    attributes = OPERATIONS[op][2]
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
        own = ("args", "values") if entry.get("op") == "const" else ("args",)
        key = repr([pair for pair in entry.items() if pair[0] not in own])
        if key not in known:
            known[key] = (len(known), _kind(entry, where, pins, *own))
        number, kind = known[key]
        values = [rational(x, where) for x in items(entry.get("values"), where)] if own[1:] else None
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
        if kind[0] == "const":
            if len(args) != 1:
                raise Rejected(f"{where}: expected the text of the values")
            values, args = rationals(args[0], where), []
        nodes.append(_node(kind, number, args, values, i, where))
    return nodes


def _node(kind: Kind, number: int, args: list[Any], values: list[Any] | None, last: int, path: str) -> Node:
    op, shape, at = kind
    spend(1 + len(args))
    ids = tuple(integer(a, f"{path}.args", 0, last - 1) for a in args)
    fewest, most, _ = OPERATIONS[op]
    counts = {"map": FUNCTIONS, "matrix": MATRICES}.get(op)
    wanted = counts[at["fn"]] if counts else len(ids)
    if not fewest <= len(ids) <= most or len(ids) != wanted:
        raise Rejected(f"{path}.args: a wrong number of arguments for {op}")
    return Node(op, ids, shape, at if values is None else {"values": values}, number)
