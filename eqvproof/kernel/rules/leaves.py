"""Rules of inputs, parameters, sizes and counters: values without arguments."""

from __future__ import annotations

from ..program import Node, Shape
from ..text import SHA256, read_name, read_size
from .base import Lows, Rule, independent, read_by

INPUT = "input"
PARAMETER = "parameter"
SIZE = "size"


def _literal(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    return all(n.constant is not None for n in node.shape)


RULES = (
    Rule(
        INPUT,
        lambda node, shapes, lows: True,  # `check_shapes` compares it with the program's inputs
        arguments=(0, 0),
        attributes={"name": read_by(read_name)},
        by_kind=False,
    ),
    Rule(
        PARAMETER,
        _literal,
        independent,
        arguments=(0, 0),
        attributes={"digest": read_by(read_name, SHA256)},
    ),
    Rule(
        SIZE,
        lambda node, shapes, lows: node.shape == (),
        independent,
        arguments=(0, 0),
        attributes={"size": read_size},
        form="number",
        sizes=lambda node: [node.at["size"]],
    ),
    Rule(
        "iota",
        lambda node, shapes, lows: len(node.shape) == 1,
        independent,
        arguments=(0, 0),
        form="number",
    ),
)  # fmt: skip
