"""Rule of opaque functions, of which at most an entrywise action or a symmetry is assumed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from ..acts import UNI, claimed, fits, is_fixed
from ..claims import Factor, axes, bind, group
from ..functions import AT_A_TIE, ENTRIES
from ..program import Node, Shape
from ..sizes import Size
from ..text import LABEL, fields, items, read_name
from .base import Lows, Rule, Step, independent, read_by, same_shapes

OPAQUE = "opaque"


def _symmetry(value: Any, path: str, pins: Mapping[str, int]) -> Any:
    if value is None or value == ENTRIES:
        return value
    inputs, output, factors = fields(value, path, "inputs", "output", "group")
    rows = tuple(axes(v, path) for v in items(inputs, path))
    result = axes(output, path)
    return rows, result, group(factors, path, [a for row in (*rows, result) for a in row])


def _typed(step: Step) -> bool:
    """Checks the type: a function of arguments on which nothing acts takes the same value.

    One that goes entry by entry commutes with a permutation of the entries, the same for all
    arguments. With an assumed symmetry under a group that contains ours, arguments moved as assumed
    give a result moved as assumed.
    """
    node, s, types = step.node, step.setting, [*step.types, step.stated]
    if all(is_fixed(act) for type_ in step.types for act in type_) and independent(step):
        return True
    if node.at["symmetry"] == ENTRIES:
        return step.kind == "perm" and step.fits(step.unified(step.types))
    if node.at["symmetry"] is None:
        return False
    inputs, output, assumed = node.at["symmetry"]
    shapes = [*(step.shape(k) for k in range(len(node.args))), node.shape]
    rows, bound = [*inputs, output], dict[str, Size]()
    if UNI in step.stated or [*map(len, rows)] != [*map(len, shapes)]:
        return False
    if not bind([*chain(*rows)], [*chain(*shapes)], bound):
        return False
    for factor in assumed:
        size = Size.of(factor.axis) if isinstance(factor.axis, int) else bound.get(factor.axis)
        is_within = s.factor.family in factor.about.subgroups
        is_within = is_within and factor.keeps_words(s.factor, chain(*rows))
        if not is_within or size is None or factor.size(size) != s.standard:
            continue
        ours = Factor(s.factor.family, factor.axis)
        if all(
            fits(act, claimed(axis, length, ours, s.standard, bound), step.kind)
            for type_, row, shape in zip(types, rows, shapes, strict=True)
            for act, axis, length in zip(type_, row, shape, strict=True)
        ):
            s.assumed.add(node.kind)
            return True
    return False


def is_unknown(node: Node) -> bool:
    """Checks whether a node is a number of which nothing is known, where entries tie."""
    return node.op == OPAQUE and node.at["name"].startswith(AT_A_TIE)


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    if is_unknown(node):
        return node.args == () and node.at["symmetry"] is None
    return node.at["symmetry"] != ENTRIES or (node.args != () and same_shapes(node, shapes, lows))


RULE = Rule(
    OPAQUE, _shape, _typed, arguments=(0, 256), by_kind=False,
    attributes={"name": read_by(read_name, LABEL), "symmetry": _symmetry},
)  # fmt: skip
