"""Programs: operations on real arrays, each using earlier ones only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .sizes import Size

Shape = tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """An operation with its arguments, shape and attributes.

    `at` holds the attributes. Nodes of one `kind` share operation, shape and attributes.
    """

    op: str
    args: tuple[int, ...]
    shape: Shape
    at: dict[str, Any]
    kind: int


@dataclass(frozen=True, slots=True)
class Program:
    """A program: operations in a sequence, each using earlier ones only."""

    inputs: tuple[tuple[str, Shape], ...]
    nodes: tuple[Node, ...]
    output: int
    digest: str

    @property
    def shape(self) -> Shape:
        """The shape of the result."""
        return self.nodes[self.output].shape
