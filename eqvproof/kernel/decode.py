"""Reading, third part: programs, and the lines of proofs."""

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
    digest,
    fields,
    integer,
    items,
    one_of,
    pair,
    rational,
    size,
    text,
)

Decoder = Callable[[Any, str, Mapping[str, int]], Any]


@dataclass(frozen=True, slots=True)
class Node:
    """An operation: `at` holds its attributes."""

    op: str
    args: tuple[int, ...]
    shape: tuple[Size, ...]
    at: dict[str, Any]


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

#: op -> (fewest arguments, most arguments, attributes)
OPERATIONS: dict[str, tuple[int, int, dict[str, Decoder]]] = {
    "input": (0, 0, {"name": _plain(text)}),
    "const": (0, 0, {"values": lambda v, path, _: [rational(x, path) for x in items(v, path)]}),
    "size": (0, 0, {"size": size}),
    "eye": (0, 0, {}),
    "tri": (0, 0, {"offset": _plain(integer)}),
    "iota": (0, 0, {}),
    "einsum": (1, 256, {"inputs": _rows, "output": _integers}),
    "add": (2, MOST_NODES, {}),
    "map": (0, 2, {"fn": _plain(one_of, FUNCTIONS)}),
    "select": (3, 3, {}),
    "reduce": (1, 1, {"fn": _plain(one_of, ("max", "min", "prod")), "axes": _integers}),
    "concat": (1, MOST_NODES, {"axis": _plain(integer, 0)}),
    "slice": (1, 1, {"axis": _plain(integer, 0), "start": size, "step": _plain(integer, 1)}),
    "flip": (1, 1, {"axis": _plain(integer, 0)}),
    "roll": (1, 1, {"axis": _plain(integer, 0), "shift": _plain(integer)}),
    "reshape": (1, 1, {}),
    "sort": (1, 1, {"axis": _plain(integer, 0)}),
    "circulant": (1, 1, {"sign": _plain(integer, -1, 1)}),
    "onehot": (1, 1, {}),
    "inv": (1, 1, {}),
    "det": (1, 1, {}),
    "eigvals": (1, 1, {}),
    "opaque": (0, 256, {"name": _plain(text, LABEL), "symmetry": _symmetry}),
}


def program(value: Any, path: str, pins: Mapping[str, int]) -> Program:
    """A program, with pinned axis names replaced by their sizes."""
    inputs, nodes, output = fields(value, path, "inputs", "nodes", "output")
    declared = []
    for entry in items(inputs, f"{path}.inputs", 64):
        name, shape = fields(entry, f"{path}.inputs", "name", "shape")
        declared.append((text(name, f"{path}.inputs"), _sizes(shape, f"{path}.inputs", pins)))
    result = [_node(n, i, f"{path}.nodes[{i}]", pins) for i, n in enumerate(items(nodes, path, MOST_NODES))]
    last = integer(output, f"{path}.output", 0, len(result) - 1)
    used = {last}
    for i in range(last, -1, -1):
        if i in used:
            used.update(result[i].args)
    if len(used) != len(result):
        raise Rejected(f"{path}: nodes that the output does not use")
    return Program(tuple(declared), tuple(result), last, digest(value))


def _node(value: Any, number: int, path: str, pins: Mapping[str, int]) -> Node:
    spend(10)
    op = one_of(value.get("op") if isinstance(value, dict) else None, f"{path}.op", OPERATIONS)
    fewest, most, attributes = OPERATIONS[op]
    _, args, shape, *rest = fields(value, path, "op", "args", "shape", *attributes)
    ids = tuple(integer(a, f"{path}.args", 0, number - 1) for a in items(args, f"{path}.args"))
    at = {k: read(v, f"{path}.{k}", pins) for (k, read), v in zip(attributes.items(), rest, strict=True)}
    wanted = FUNCTIONS[at["fn"]] if op == "map" else len(ids)
    if not fewest <= len(ids) <= most or len(ids) != wanted:
        raise Rejected(f"{path}.args: a wrong number of arguments for {op}")
    return Node(op, ids, _sizes(shape, f"{path}.shape", pins), at)


# -- proofs ----------------------------------------------------------------------------------------------

#: Factors (size, acted): False, True, or 2 for the dual.
Blocks = list[list[tuple[Size, int]]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a proof: acts ("uni" or blocks) of the axes of a node, and a parity, from earlier lines."""

    node: int
    acts: tuple[str | Blocks, ...]
    premises: tuple[int, ...]
    odd: int


def lines(value: Any, path: str, pins: Mapping[str, int]) -> list[Line]:
    """The lines of a proof for one factor."""
    result = []
    for i, entry in enumerate(items(value, path, 16 * MOST_NODES)):
        spend(40)
        where = f"{path}[{i}]"
        more = ("parity",) if isinstance(entry, dict) and "parity" in entry else ()
        node, type_, premises, *parity = fields(entry, where, "node", "type", "from", *more)
        odd = integer(parity[0], where, -1000, 1000) if parity else 0
        if parity and odd == 0:
            raise Rejected(f"{where}: a parity that is 0 is left out")
        acts = tuple(_act(a, where, pins) for a in items(type_, where, MOST_RANK))
        numbers = tuple(integer(p, where, 0, i - 1) for p in items(premises, where))
        result.append(Line(integer(node, where, 0), acts, numbers, odd))
    return result


def _act(value: Any, path: str, pins: Mapping[str, int]) -> str | Blocks:
    if isinstance(value, str):
        return one_of(value, path, ("uni",))
    blocks = []
    for block in items(value, path):
        spend(8)
        factors = []
        for factor in items(block, path):
            its_size, acted = pair(factor, path)
            factors.append((size(its_size, path, pins), (False, True, 2)[integer(acted, path, 0, 2)]))
        if not factors:
            raise Rejected(f"{path}: a block without factors")
        blocks.append(factors)
    return blocks
