"""Parses the lines of proofs in certificates: types of nodes, and the lines they follow from.

A line ``[type, node, premise, ...]`` says that a node has a type because the nodes of earlier lines
have theirs, one for each argument. Types are listed once, each with the power of the determinant
beside it. Lines that "shown" names are shown by normal forms (see `flips`): their premises are
about any nodes before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .acts import Acted
from .loading import part
from .program import Program
from .report import Rejected, spend
from .sizes import Size
from .text import MOST_NODES, MOST_RANK, fields, integer, items, one_of, read_pair, read_size

#: Factors (size, acted), where acted is False, True, or 2 for the dual.
Blocks = list[list[tuple[Size, Acted]]]
#: Largest number of lines of a proof: a few for each node.
MOST_LINES = 4 * MOST_NODES


@dataclass(frozen=True, slots=True)
class Line:
    """A line: a node has a type, by its number, because the nodes of earlier lines have theirs."""

    node: int
    type: int
    premises: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a proof for one factor, with the types in them, not yet read, and their powers.

    Attributes:
        types: by number.
        lines: each after its premises.
        shown: how normal forms show some of the lines, by number.
    """

    types: list[tuple[Any, int]]
    lines: list[Line]
    shown: Mapping[int, Any] = field(default_factory=dict)


def read_lines(entry: Any, path: str, program: Program) -> tuple[Any, Any, Lines]:
    """Reads the family, the axis and the lines of a proof for one factor.

    Every premise must be about the argument in its place.
    """
    has_shown = isinstance(entry, dict) and "shown" in entry
    keys = ["family", "axis", "types", "lines", *["shown"] * has_shown]
    family, axis, types, listed, *more = fields(entry, path, *keys)
    entries = items(listed, f"{path}.lines", MOST_LINES)
    ways = [made for given in more for made in items(given, f"{path}.shown", len(entries))]
    shown = dict(part("flips").way(made, f"{path}.shown") for made in ways)
    if has_shown and (len(shown) != len(ways) or not shown or max(shown) >= len(entries)):
        raise Rejected(f"{path}.shown: expected one entry for each of some lines")
    known: list[tuple[Any, int]] = []
    for k, listed_type in enumerate(items(types, f"{path}.types", len(entries))):
        type_, power = read_pair(listed_type, f"{path}.types[{k}]")
        known.append((type_, integer(power, f"{path}.types[{k}]", -1000, 1000)))
    found: list[Line] = []
    for i, line in enumerate(entries):
        where = f"{path}.lines[{i}]"
        numbers = [integer(x, where, 0) for x in items(line, where)]
        spend(2 + len(numbers))
        if len(numbers) < 2 or numbers[0] >= len(known) or any(p >= i for p in numbers[2:]):
            raise Rejected(f"{where}: expected a type, a node, and earlier lines")
        type_, node, *premises = numbers
        about = tuple(found[p].node for p in premises)
        if node >= len(program.nodes) or (about != program.nodes[node].args and i not in shown):
            raise Rejected(f"{where}: the premises are not about the arguments of a node")
        if i in shown and (len({*about}) != len(about) or any(other >= node for other in about)):
            raise Rejected(f"{where}: the premises are not about different nodes before")
        found.append(Line(node, type_, tuple(premises)))
    return family, axis, Lines(known, found, shown)


def acts(value: Any, path: str, pins: Mapping[str, int]) -> tuple[str | Blocks, ...]:
    """Reads a type: for each axis "uni", or blocks of factors.

    A factor is [size, 0], [size, 1], dual [size, 2], or an irrep such as [5, "2e"].
    """
    return tuple(_read_act(a, path, pins) for a in items(value, path, MOST_RANK))


def _read_act(value: Any, path: str, pins: Mapping[str, int]) -> str | Blocks:
    if isinstance(value, str):
        return one_of(value, path, ("uni",))
    blocks = []
    for block in items(value, path):
        spend(8)
        factors = []
        for factor in items(block, path):
            its_size, acted = read_pair(factor, path)
            factors.append((read_size(its_size, path, pins), _acted(acted, path)))
        if not factors:
            raise Rejected(f"{path}: a block without factors")
        blocks.append(factors)
    return blocks


def _acted(value: Any, path: str) -> Acted:
    if isinstance(value, str):
        kind: Acted = part("space").read_factor(value, path)
        return kind
    return (False, True, 2)[integer(value, path, 0, 2)]
