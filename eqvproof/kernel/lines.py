"""Reading, fourth part: the lines of proofs.

A line says that a node has a type because the nodes of earlier lines have theirs. Version 1 writes ``{"node",
"type", "from"}``, and a parity that is not 0. Version 2 writes each type once, in a list, and a line as
``[number of the type, node, premise, ...]``; or as the number alone: then it is about the node after that of
the line before, from the latest line about each of its arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .acts import Acted, irrep
from .program import Program
from .report import Rejected, spend
from .sizes import Size
from .text import MOST_NODES, MOST_RANK, fields, integer, items, one_of, pair, size

#: Factors (size, acted): False, True, or 2 for the dual.
Blocks = list[list[tuple[Size, Acted]]]
MOST_LINES = 4 * MOST_NODES
#: Irreps of O(3) that are neither the identity nor the standard matrix.
IRREPS = ("0o", "1e", *(f"{degree}{parity}" for degree in range(2, 17) for parity in "eo"))


@dataclass(frozen=True, slots=True)
class Line:
    """A node has a type, by its number, as the nodes of earlier lines have theirs."""

    node: int
    type: int
    premises: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a proof for one factor, and the types that they speak of, not yet read, with parities."""

    types: list[tuple[Any, int]]
    lines: list[Line]


def lines(entry: Any, path: str, program: Program, *, packed: bool = False) -> tuple[Any, Any, Lines]:
    """The family, the axis and the lines of a proof for one factor; every premise is about its argument."""
    types = ("types",) if packed else ()
    family, axis, listed, *more = fields(entry, path, "family", "axis", "lines", *types)
    entries = items(listed, f"{path}.lines", MOST_LINES)
    if packed:
        named = items(more[0], f"{path}.types", len(entries))
        known = [_type(t, f"{path}.types[{k}]") for k, t in enumerate(named)]
        return family, axis, Lines(known, _packed(entries, len(known), path, program))
    return family, axis, _written(entries, path, program)


def _type(value: Any, path: str, *own: str) -> tuple[Any, int]:
    """A type and its parity, of an object that has `own` keys besides."""
    more = ("parity",) if isinstance(value, dict) and "parity" in value else ()
    type_, *parity = fields(value, path, "type", *more, *own)
    odd = integer(parity[0], path, -1000, 1000) if more else 0
    if more and odd == 0:
        raise Rejected(f"{path}: a parity that is 0 is left out")
    return type_, odd


def _line(
    node: int, type_: int, premises: tuple[int, ...], path: str, found: list[Line], of: Program
) -> Line:
    spend(2 + len(premises))
    if tuple(found[p].node for p in premises) != of.nodes[node].args:
        raise Rejected(f"{path}: the premises are not about the arguments of the node")
    return Line(node, type_, premises)


def _written(entries: list[Any], path: str, program: Program) -> Lines:
    """Lines of version 1. A type that was read once is known by its text: equal data have equal texts."""
    known: dict[str, int] = {}
    types: list[tuple[Any, int]] = []
    found: list[Line] = []
    for i, entry in enumerate(entries):
        spend(12)
        where = f"{path}.lines[{i}]"
        if not isinstance(entry, dict):
            raise Rejected(f"{where}: expected an object")
        key = repr([pair for pair in entry.items() if pair[0] not in ("node", "from")])
        if key not in known:
            known[key] = len(known)
            types.append(_type(entry, where, "node", "from"))
        node = integer(entry.get("node"), where, 0, len(program.nodes) - 1)
        premises = tuple(integer(p, where, 0, i - 1) for p in items(entry.get("from"), where))
        found.append(_line(node, known[key], premises, where, found, program))
    return Lines(types, found)


def _packed(entries: list[Any], types: int, path: str, program: Program) -> list[Line]:
    """Lines of version 2."""
    found: list[Line] = []
    latest: dict[int, int] = {}
    for i, entry in enumerate(entries):
        where = f"{path}.lines[{i}]"
        if isinstance(entry, list) and len(entry) >= 2:
            type_, node, *numbers = entry
            premises = tuple(integer(p, where, 0, i - 1) for p in numbers)
        else:
            type_, node, premises = entry, found[-1].node + 1 if found else 0, None
        at = integer(node, where, 0, len(program.nodes) - 1)
        if premises is None:
            args = program.nodes[at].args
            if not all(a in latest for a in args):
                raise Rejected(f"{where}: an argument of which no line speaks")
            premises = tuple(latest[a] for a in args)
        found.append(_line(at, integer(type_, where, 0, types - 1), premises, where, found, program))
        latest[at] = i
    return found


def acts(value: Any, path: str, pins: Mapping[str, int]) -> tuple[str | Blocks, ...]:
    """A type: for each axis "uni", or blocks of factors [size, 0], [size, 1], dual [size, 2], [5, "2e"]."""
    return tuple(_act(a, path, pins) for a in items(value, path, MOST_RANK))


def _act(value: Any, path: str, pins: Mapping[str, int]) -> str | Blocks:
    if isinstance(value, str):
        return one_of(value, path, ("uni",))
    blocks = []
    for block in items(value, path):
        spend(8)
        factors = []
        for factor in items(block, path):
            its_size, acted = pair(factor, path)
            factors.append((size(its_size, path, pins), _acted(acted, path)))
        if not factors:
            raise Rejected(f"{path}: a block without factors")
        blocks.append(factors)
    return blocks


def _acted(value: Any, path: str) -> Acted:
    if isinstance(value, str):
        return irrep(one_of(value, path, IRREPS), special=False)[1]
    return (False, True, 2)[integer(value, path, 0, 2)]
