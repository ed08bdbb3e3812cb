"""Programs: operations on real arrays, each using earlier ones only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .sizes import Size

Shape = tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """An operation: `at` holds its attributes; nodes of one `kind` share op, shape and attributes."""

    op: str
    args: tuple[int, ...]
    shape: Shape
    at: dict[str, Any]
    kind: int


@dataclass(frozen=True, slots=True)
class Program:
    """Operations, each using earlier ones only."""

    inputs: tuple[tuple[str, Shape], ...]
    nodes: tuple[Node, ...]
    output: int
    digest: str

    @property
    def shape(self) -> Shape:
        """The shape of the result."""
        return self.nodes[self.output].shape
