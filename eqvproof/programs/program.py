"""A Program: a directed acyclic graph of operations, plain data, with a canonical JSON form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from eqvproof.claims.size import Size
from eqvproof.programs.operations import Operation, Place, Shape
from eqvproof.programs.operations.stored import Stored
from eqvproof.programs.text import expression, value_names

if TYPE_CHECKING:
    from eqvproof.programs.operations import Opaque


@dataclass(frozen=True, slots=True)
class Program:
    """A typed tensor program.

    Attributes:
        inputs: names and shapes, in the order of the signature.
        nodes: operations; each uses earlier nodes only.
        output: the index of the result.
    """

    inputs: tuple[tuple[str, Shape], ...]
    nodes: tuple[Operation, ...]
    output: int

    @property
    def shape(self) -> Shape:
        """Returns the shape of the result."""
        return self.nodes[self.output].shape

    @property
    def names(self) -> frozenset[str]:
        """Returns the axis names on which some size depends."""
        found: set[str] = set()
        for node in self.nodes:
            for size in node.shape:
                for names, _ in size.terms:
                    found.update(names)
        return frozenset(found)

    @property
    def stored(self) -> int:
        """Returns how many numbers its constants hold."""
        return sum(n.constant.size for n in self.nodes if n.constant is not None)

    @property
    def opaques(self) -> tuple[Opaque, ...]:
        """Returns the nodes of uninterpreted functions."""
        return tuple(cast("Opaque", node) for node in self.nodes if node.opaque_name is not None)

    def to_json(self, *, is_stored: bool = False) -> dict[str, Any]:
        """Returns the canonical JSON form, as certificates hold it.

        Nodes that differ in their arguments alone are of one kind, which is written once; a node is
        the number of its kind with its arguments. With `is_stored`, `Stored` numbers stay arrays.
        """
        kinds: dict[str, int] = {}
        listed: list[dict[str, Any]] = []
        nodes = []
        for node in self.nodes:
            kind, args = node_to_json(node, is_stored=is_stored)
            number = kinds.setdefault(json.dumps(kind, sort_keys=True, default=id), len(kinds))
            if number == len(listed):
                listed.append(kind)
            nodes.append([number, *args])
        return {
            "inputs": [
                {"name": n, "shape": [s.to_json() for s in shape]} for n, shape in self.inputs
            ],
            "kinds": listed,
            "nodes": nodes,
            "output": self.output,
        }

    def value_names(self) -> list[str]:
        """Returns a name for every node; see `text.value_names`."""
        return value_names([name for name, _ in self.inputs], self.nodes, self.output)

    def lines(self) -> list[tuple[str, str]]:
        """Returns the formula of each node, with its shape."""
        names = self.value_names()
        return [
            (expression(self.nodes, i, names), ", ".join(map(str, node.shape)))
            for i, node in enumerate(self.nodes)
        ]

    def __str__(self) -> str:
        return "\n".join(f"{text}   ({shape})" for text, shape in self.lines())

    def _repr_html_(self) -> str:
        """Returns the Program as HTML for a notebook."""
        from eqvproof.support.display import in_notebook, program_html

        return in_notebook(program_html([name for name, _ in self.inputs], self.lines()))


def rational_to_json(value: Fraction) -> str:
    """Writes a rational as text in lowest terms."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{value.numerator}/{value.denominator}"


def numbers_text(values: Iterable[Fraction]) -> str:
    """Writes rationals as one text, ``k*p/q`` for k equal ones.

    Floats are written in hexadecimal if that is shorter.
    """
    runs = ((value, sum(1 for _ in group)) for value, group in groupby(values))
    return " ".join(
        _shortest_text(value) if count == 1 else f"{count}*{_shortest_text(value)}"
        for value, count in runs
    )


def parse_numbers(text: str) -> list[Fraction]:
    """Parses the text that `numbers_text` writes."""
    found: list[Fraction] = []
    for part in text.split():
        count, _, number = part.rpartition("*")
        if "x" in number:
            value = Fraction(float.fromhex(number))
        else:
            value = Fraction(number)
        found += [value] * int(count or 1)
    return found


def _shortest_text(value: Fraction) -> str:
    text = rational_to_json(value)
    if len(text) <= 10:
        return text
    try:
        binary = float(value)
    except OverflowError:
        return text
    if binary != 0 and Fraction(binary) == value:
        return min(text, binary.hex(), key=len)
    return text


def node_to_json(
    node: Operation, *, is_stored: bool = False
) -> tuple[dict[str, Any], tuple[int, ...]]:
    """Returns the kind of a node in canonical JSON, and its arguments; see `Program.to_json`."""
    entry: dict[str, Any] = {"op": node.op}
    for field in fields(node):
        value: Any = getattr(node, field.name)
        if field.name == "shape":
            value = [s.to_json() for s in value]
        elif isinstance(value, Size):
            value = value.to_json()
        elif field.name == "values":
            if not (is_stored and isinstance(value, Stored)):
                value = numbers_text(value)
        elif field.name == "symmetry":
            value = json.loads(value or "null")
        elif isinstance(value, tuple):
            value = [_field_to_json(v) for v in value]
        entry[field.name] = value
    return entry, tuple(entry.pop("args"))


def _field_to_json(value: Any) -> Any:
    if isinstance(value, Place):
        return [value.start.to_json(), list(value.steps), value.cyclic]
    if isinstance(value, tuple):
        return list(value)
    return value


def substitute_sizes(program: Program, sizes: Mapping[str, int]) -> Program:
    """Substitutes numbers for some axis names in a Program."""
    return Program(
        tuple((name, _shape_at(shape, sizes)) for name, shape in program.inputs),
        tuple(_substitute_in_node(node, sizes) for node in program.nodes),
        program.output,
    )


def _shape_at(shape: Shape, sizes: Mapping[str, int]) -> Shape:
    return tuple(s.substitute(sizes) for s in shape)


def _substitute_in_node(node: Operation, sizes: Mapping[str, int]) -> Operation:
    changes: dict[str, Any] = {"shape": _shape_at(node.shape, sizes)}
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, Size):
            changes[field.name] = value.substitute(sizes)
        elif field.name == "places":
            changes[field.name] = tuple(replace(p, start=p.start.substitute(sizes)) for p in value)
    return replace(node, **changes)
