"""Checks whether two Programs compute the same, up to axes of size 1.

An entry does not depend on an index that has one value. So values are told apart by their entries
in row-major order, and their shapes without axes of size 1: an operation that only adds, drops or
moves such axes, or sums or takes the largest of one entry, returns the value itself, and labels of
size 1 say nothing. All else is one operation, with the same fields, of the same values. By
induction, nodes of equal numbers have equal entries.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from fractions import Fraction
from typing import TypeVar

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.programs.operations import Operation, Reduce, Shape
from eqvproof.programs.operations.stored import Stored
from eqvproof.programs.program import Program

ONE = Size.of(1)
_T = TypeVar("_T")
#: Greatest relative difference of numbers: a few roundings to float32.
NEAR = Fraction(1, 2**20)


def is_same(one: Program, other: Program) -> bool:
    """Checks whether two Programs have equal results for equal inputs; False may mean unknown."""
    known: dict[Hashable, int] = {}
    first, second = _number_nodes(one, known), _number_nodes(other, known)
    shapes = [p.nodes[p.output].shape for p in (one, other)]
    return one.inputs == other.inputs and shapes[0] == shapes[1] and first == second


def is_near(one: Program, other: Program) -> bool:
    """Checks whether two Programs are equal up to numbers that a rounding to float32 changes."""
    pairs = zip(one.nodes, other.nodes, strict=False)
    same = (
        one.inputs == other.inputs
        and one.output == other.output
        and len(one.nodes) == len(other.nodes)
    )
    return same and all(
        type(a) is type(b)
        and all(_is_near(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
        for a, b in pairs
    )


def _is_near(x: object, y: object) -> bool:
    if type(x) is not type(y) or x == y:
        return type(x) is type(y)
    if isinstance(x, Stored) and isinstance(y, Stored):
        return len(x) == len(y) and bool(np.allclose(x.array, y.array, rtol=float(NEAR), atol=0.0))
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(_is_near, x, y))
    return isinstance(x, Fraction) and isinstance(y, Fraction) and abs(x - y) <= NEAR * abs(x)


def _number_nodes(program: Program, known: dict[Hashable, int]) -> int:
    """Returns the number of the result; equal numbers mean equal entries."""
    numbers: list[int] = []
    for node in program.nodes[: program.output + 1]:
        given = [(numbers[a], program.nodes[a].shape) for a in node.args]
        key = _numbering_key(node, given)
        if not isinstance(key, int):
            key = known.setdefault(key, len(known))
        numbers.append(key)
    return numbers[program.output]


def _numbering_key(node: Operation, given: list[tuple[int, Shape]]) -> Hashable:
    """Returns a key for an operation on numbered values in their shapes.

    If the operation returns one of these values again, the key is its number.
    """
    shape, shapes = (
        _drop_unit_axes(node.shape, node.shape),
        [_drop_unit_axes(s, s) for _, s in given],
    )
    product = node.as_product
    if product is not None:
        names: dict[int, int] = {}
        axes = [
            *zip(product.inputs, (s for _, s in given), strict=True),
            (product.output, node.shape),
        ]
        rows = [
            tuple(names.setdefault(k, len(names)) for k in _drop_unit_axes(*pair)) for pair in axes
        ]
        is_given = len(given) == 1 and rows[0] == rows[1]
        if is_given:
            return given[0][0]
        return (node.op, shape, *(number for number, _ in given), *rows)
    if (node.keeps_order or isinstance(node, Reduce)) and shapes == [shape]:
        return given[0][0]
    if node.keeps_order:
        return node.op, shape, given[0][0]
    rest = (getattr(node, f.name) for f in fields(node) if f.name != "args")
    return type(node), *rest, *given


def _drop_unit_axes(values: tuple[_T, ...], shape: Shape) -> tuple[_T, ...]:
    """Returns the values at axes of other sizes than 1."""
    return tuple(v for v, s in zip(values, shape, strict=True) if s != ONE)
