"""Values of SymPy subexpressions: nodes whose leading axes are summation indices, by letter.

An entry ``X[i, k]`` under ``Sum(..., (k, 0, n - 1))`` is a node with an axis for each of i and k.
Two values meet along the letters that they share, as in index notation, so that a product of
entries summed over k is one contraction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import TraceError


@dataclass(frozen=True, slots=True)
class Value:
    """A scalar (rank 0) or a matrix (rank 2), for every value of some index letters.

    Attributes:
        node: its node; the axes are those of the letters, in order, then rows and columns.
        letters: the index letters.
        rank: 0 or 2.
    """

    node: int
    letters: tuple[str, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Range:
    """The values low, low + 1, ..., low + length - 1 of an index letter."""

    low: Size
    length: Size


def aligned(b: Builder, values: Sequence[Value]) -> tuple[list[int], tuple[str, ...]]:
    """Returns nodes with one common list of letters in front.

    A letter that a value lacks is an axis of size 1.
    """
    letters = tuple(dict.fromkeys(letter for v in values for letter in v.letters))
    return [align_letters(b, v, letters) for v in values], letters


def align_letters(b: Builder, value: Value, letters: Sequence[str]) -> int:
    """Returns the node of a value with exactly these letters in front (a superset of its own)."""
    own = value.letters
    tail = range(len(own), len(own) + value.rank)
    node = b.transpose(value.node, [*(own.index(x) for x in letters if x in own), *tail])
    for position, letter in enumerate(letters):
        if letter not in own:
            node = b.expand(node, position)
    return node


def as_rank(b: Builder, value: Value, rank: int) -> Value:
    """Converts a scalar to a 1 x 1 matrix if a matrix is requested."""
    if value.rank == rank:
        return value
    if value.rank:
        raise TraceError("a matrix where a number is expected")
    node = b.expand(value.node, len(value.letters))
    return Value(b.expand(node, len(value.letters)), value.letters, 2)


def common_rank(b: Builder, values: Sequence[Value]) -> tuple[list[int], tuple[str, ...], int]:
    """Returns aligned nodes of one rank."""
    rank = max(v.rank for v in values)
    nodes, letters = aligned(b, [as_rank(b, v, rank) for v in values])
    return nodes, letters, rank


def elementwise(b: Builder, fn: str, values: Sequence[Value]) -> Value:
    """Applies a function of the Program's table, entry by entry."""
    nodes, letters, rank = common_rank(b, values)
    return Value(b.map(fn, nodes), letters, rank)


def add_values(b: Builder, values: Sequence[Value]) -> Value:
    """Adds values, entry by entry."""
    nodes, letters, rank = common_rank(b, values)
    return Value(b.add(nodes), letters, rank)


def multiply_values(b: Builder, values: Sequence[Value]) -> Value:
    """Multiplies values, entry by entry (a number times a matrix among them)."""
    nodes, letters, rank = common_rank(b, values)
    node = nodes[0]
    for other in nodes[1:]:
        node = b.mul(node, other)
    return Value(node, letters, rank)


def multiply_matrices(b: Builder, x: Value, y: Value) -> Value:
    """Multiplies two matrices, for every value of the letters."""
    nodes, letters = aligned(b, [x, y])
    return Value(b.matmul(nodes[0], nodes[1]), letters, 2)


def slice_axis(b: Builder, value: Value, axis: int, start: Size, count: Size, step: int) -> Value:
    """Takes entries start, start + step, ... of an axis of the node.

    A negative step runs backwards.
    """
    if step < 0:
        last = start + (count - 1) * step
        node = b.flip(b.slice(value.node, axis, last, count, -step), axis)
    else:
        node = b.slice(value.node, axis, start, count, step)
    return Value(node, value.letters, value.rank)


def merge_labels(b: Builder, node: int, labels: Sequence[str | None]) -> Value:
    """Builds a value from a node whose axes carry letters; equal letters are a diagonal.

    None stands for an axis of size 1, which is dropped.
    """
    kept = tuple(dict.fromkeys(x for x in labels if x is not None))
    number = {x: i for i, x in enumerate(kept)}
    rows = [number[x] if x is not None else len(kept) + i for i, x in enumerate(labels)]
    return Value(b.einsum([node], [rows], range(len(kept))), kept)


def sum_over_letter(b: Builder, value: Value, letter: str, span: Range) -> Value:
    """Sums over an index letter."""
    if letter not in value.letters:
        return multiply_values(b, [value, Value(b.size(span.length))])
    axis = value.letters.index(letter)
    rest = tuple(x for x in value.letters if x != letter)
    return Value(b.sum(value.node, [axis]), rest, value.rank)


def repeat_along_letters(
    b: Builder, value: Value, letters: Sequence[str], spans: Sequence[Range]
) -> int:
    """Returns the node with these letters in front, repeated along those it does not depend on."""
    node = align_letters(b, value, letters)
    tail = b.shape(node)[len(letters) :]
    return b.broadcast_to(node, [*(s.length for s in spans), *tail])
