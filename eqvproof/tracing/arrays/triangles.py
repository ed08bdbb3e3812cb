"""Sums and extremes over pairs i < j of symmetric values, rewritten as those over all pairs.

    sum_{i > j} v_ij = 1/2 sum_{i != j} v_ij        sum_{i >= j} v_ij = 1/2 (sum_ij v_ij + sum_i v_ii)
    max_{i > j} v_ij = max_{i != j} v_ij            where v_ij = v_ji

A triangle depends on the order of the axis; the right sides do not. ``np.triu(D, 1).sum()`` and
``D[np.triu_indices(n, 1)].mean()`` are rewritten in this way.

Proof. The pairs (i, j) with i != j are those with i > j and the same turned, at which v is the
same, and undefined where it is undefined there. QED
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from eqvproof.programs import Builder
from eqvproof.tracing.arrays import symmetric
from eqvproof.tracing.arrays.eigenvectors import Product, Row, Work
from eqvproof.tracing.arrays.traced_program import Drafts

#: A comparison of i - j with a number -> whether i = j is excluded.
_STRICT: dict[tuple[str, Fraction | int], bool] = {
    ("lt", 0): True, ("lt", 1): False, ("le", -1): True, ("le", 0): False,
    ("gt", 0): True, ("gt", -1): False, ("ge", 1): True, ("ge", 0): False,
}  # fmt: skip
#: Functions whose values are 1 and 0.
_TRUTHS = ("lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not")


@dataclasses.dataclass(frozen=True, slots=True)
class Triangle:
    """A mask of the pairs on one side of the diagonal of two axes, with or without it.

    Attributes:
        strict: whether the diagonal is left out.
        axes: i and j, where it holds for i > j, or i >= j.
        beside: another mask, symmetric in (i, j), that must hold as well; or None.
    """

    strict: bool
    axes: tuple[int, int]
    beside: int | None = None


def replace_triangles(drafts: Drafts) -> Drafts:
    """Rewrites the drafts of a trace with whole squares in place of triangles where possible."""
    b = drafts.builder
    if not any(_triangle(b, x) for x in b.behind(drafts.output)):
        return drafts
    return _Squares.on(drafts)


class _Squares(Work):
    """One pass over sums and extremes, which replaces triangles by whole squares."""

    def _node(self, x: int) -> int | list[Product]:
        b, same = self.b, self._plain(x)
        op = b.nodes[same]
        if op.extreme is not None:
            return _extreme(b, same, *op.extreme)
        if op.terms:
            return _sum_with_transpose(b, same)
        if op.choice:
            return _both_sides(b, same)
        if op.as_product is None:
            return same
        for number, (a, row) in enumerate(op.as_product.factors):
            found = _whole(b, a)
            if found is None:
                continue
            whole, axes = found
            ends = [row[k] for k in axes]
            others = [f for k, f in enumerate(op.as_product.factors) if k != number]
            output = op.as_product.output
            is_summed = [row.count(k) for k in ends] == [1, 1] and not {*ends} & {*output}
            if is_summed and symmetric.exchanged_product(b, others, (*ends, *output), 0, 1) == 1:
                factors = [(b.const(Fraction(1, 2)), ()), (whole, row), *others]
                sizes = op.as_product.labels(b.nodes)
                return b.einsum([f for f, _ in factors], [r for _, r in factors], output, sizes)
        return same


def _whole(b: Builder, x: int) -> tuple[int, tuple[int, int]] | None:
    """Returns a factor for the whole square, twice the triangular factor; and the two axes.

    Returns None if the factor is not 0 outside a triangle, or not symmetric.
    """
    found = _choice(b, x)
    if found is None:
        return None
    triangle, value, other = found
    if b.scalar_value(other) != 0 or symmetric.exchanged(b, value, *triangle.axes) != 1:
        return None
    shape = b.shape(x)
    if triangle.strict and b.scalar_value(value) != 1:
        return b.select(_off(b, x, triangle), value, b.const(0)), triangle.axes
    if triangle.beside is not None:
        if triangle.strict:
            return (_off(b, x, triangle), triangle.axes)
        return None
    sign = b.const(-1 if triangle.strict else 1)
    both = b.add([b.broadcast_to(b.const(1), shape), b.mul(sign, _diagonal(b, x, triangle.axes))])
    return b.mul(both, value), triangle.axes


def squared(b: Builder, mask: int, value: int) -> int | None:
    """Returns the mask of both triangles if the mask is a strict triangle and the value symmetric.

    Returns None otherwise.
    """
    found = _triangle(b, mask)
    if found is None or not found.strict or symmetric.exchanged(b, value, *found.axes) != 1:
        return None
    return _off(b, mask, found)


def _choice(b: Builder, x: int) -> tuple[Triangle, int, int] | None:
    """Returns a triangle, the value chosen in it, and the value outside.

    For a mask of a triangle these values are 1 and 0. Returns None for other nodes.
    """
    alone = _triangle(b, x)
    if alone is not None:
        return alone, b.const(1), b.const(0)
    if not b.nodes[x].choice:
        return None
    mask, value, other = b.nodes[x].choice
    found = _triangle(b, mask)
    while found is not None and (inner := _chosen(b, value, found)) is not None:
        value = inner
    if found is not None and b.scalar_value(value) is not None:
        found, value, other = _turned(found), other, value
    if found is None:
        return None
    return (found, value, other)


def _chosen(b: Builder, x: int, found: Triangle) -> int | None:
    """Returns the value that a choice by the same triangle selects in it.

    The node may also be the transpose of a choice by the opposite triangle.
    """
    op, view = b.nodes[x], b.nodes[x].single_factor
    if op.choice:
        if _triangle(b, op.choice[0]) == found:
            return op.choice[1]
        return None
    source = b.nodes[view[0]] if view is not None else op
    if not source.choice or x != symmetric.exchange(b, view[0], *found.axes):  # type: ignore[index]
        return None
    turned = _triangle(b, source.choice[0]) == _opposite(found)
    if turned:
        return symmetric.exchange(b, source.choice[1], *found.axes)
    return None


def _turned(found: Triangle) -> Triangle | None:
    """Returns the triangle on the other side of the diagonal, None if another mask applies."""
    if found.beside is not None:
        return None
    return dataclasses.replace(found, strict=not found.strict, axes=found.axes[::-1])


def _diagonal(b: Builder, x: int, axes: tuple[int, int]) -> int:
    """Returns 1 on the diagonal of two axes, else 0, in the shape of a value."""
    shape = b.shape(x)
    return b.einsum([b.eye(shape[axes[0]])], [axes], range(len(shape)), dict(enumerate(shape)))


def _off(b: Builder, x: int, triangle: Triangle) -> int:
    """Returns the mask of all pairs i != j at which the mask `beside` holds."""
    off = b.map("not", [_diagonal(b, x, triangle.axes)])
    if triangle.beside is None:
        return off
    return b.map("and", [off, triangle.beside])


def _extreme(b: Builder, same: int, fn: str, along: tuple[int, ...]) -> int:
    """Replaces an extreme over a triangle and one outer number by that over the square."""
    (x,) = b.nodes[same].args
    found = _choice(b, x)
    if found is None:
        return same
    triangle, value, other = found
    if (
        not triangle.strict
        or not {*triangle.axes} <= {*along}
        or not _is_even(b, other, triangle.axes)
    ):
        return same
    if symmetric.exchanged(b, value, *triangle.axes) != 1:
        return same
    return b.reduce(fn, b.select(_off(b, x, triangle), value, other), along)


def _both_sides(b: Builder, same: int) -> int:
    """Replaces equal choices in both triangles by one choice off the diagonal."""
    first = _choice(b, same)
    second = _choice(b, first[2]) if first is not None else None
    if first is None or second is None or not first[0].strict or first[0] != _opposite(second[0]):
        return same
    value, other, axes = second[1], second[2], first[0].axes
    is_same = first[1] in (value, symmetric.exchange(b, value, *axes))
    if not is_same or symmetric.exchanged(b, value, *axes) != 1:
        return same
    return b.select(_off(b, same, first[0]), value, other)


def _sum_with_transpose(b: Builder, same: int) -> int:
    """Replaces ``M + M.T`` of a symmetric value in a triangle by the value off the diagonal.

    M must be 0 outside the triangle.
    """
    terms = b.nodes[same].terms
    for a in terms:
        found = _choice(b, a)
        if found is None or not found[0].strict or b.scalar_value(found[2]) != 0:
            continue
        turned = symmetric.exchange(b, a, *found[0].axes)
        if (
            turned != a
            and turned in terms
            and symmetric.exchanged(b, found[1], *found[0].axes) == 1
        ):
            rest = [t for t in terms if t not in (a, turned)]
            if len(rest) == len(terms) - 2:
                return b.add([b.select(_off(b, a, found[0]), found[1], b.const(0)), *rest])
    return same


def _opposite(found: Triangle) -> Triangle:
    return dataclasses.replace(found, axes=found.axes[::-1])


def _is_even(b: Builder, x: int, axes: tuple[int, int]) -> bool:
    """Checks whether all entries along two axes are equal."""
    if b.scalar_value(x) is not None:
        return True
    op = b.nodes[x].as_product
    return op is not None and not {op.output[k] for k in axes} & {
        k for row in op.inputs for k in row
    }


def _triangle(b: Builder, x: int) -> Triangle | None:
    """Returns the triangle in which a value is 1, and 0 outside; None for other values."""
    op = b.nodes[x]
    if op.triangle is not None:
        known = op.triangle in (0, -1) and op.shape[0] == op.shape[1]
        if known:
            return Triangle(op.triangle == -1, (0, 1))
        return None
    if op.function in _TRUTHS[:6]:
        return _triangle_of_comparison(b, op.function, *op.args)
    if op.choice and [b.scalar_value(a) for a in op.choice[1:]] == [1, 0]:
        return _triangle(b, op.choice[0])
    if (
        op.choice
        and b.scalar_value(op.choice[2]) == 0
        and b.nodes[op.choice[1]].function in _TRUTHS
    ):
        # `and` looks at all entries
        return _with(b, *op.choice[:2]) if b.is_total(op.choice[1]) else None
    if op.function == "and":
        return _with(b, *op.args) or _with(b, *op.args[::-1])
    source = op.args[0] if op.function == "not" else _less_than_one(b, x)
    if source is not None:
        found = _triangle(b, source)
        if found is None:
            return None
        return _turned(found)
    view = op.single_factor
    found = _triangle(b, view[0]) if view is not None else None
    if view is None or found is None or found.beside is not None:
        return None
    _, row, output = view
    ends = [row[k] for k in found.axes]
    if len(row) != 2 or len({*row}) != 2 or not {*ends} <= {*output}:
        return None
    return Triangle(found.strict, (output.index(ends[0]), output.index(ends[1])))


def _with(b: Builder, mask: int, other: int) -> Triangle | None:
    """Returns a triangle combined with another mask, which must be symmetric."""
    found = _triangle(b, mask)
    if found is None or symmetric.exchanged(b, other, *found.axes) != 1:
        return None
    both = other if found.beside is None else b.map("and", [found.beside, other])
    return dataclasses.replace(found, beside=both)


def _less_than_one(b: Builder, x: int) -> int | None:
    """Returns M if a value is 1 - M, else None."""
    for one, rest in _terms_in_both_orders(b, x):
        negative = _negative(b, rest)
        if b.scalar_value(one) == 1 and negative is not None and negative[1] == negative[2]:
            return negative[0]
    return None


def _terms_in_both_orders(b: Builder, x: int) -> tuple[tuple[int, ...], ...]:
    """Returns the terms of a sum of two, in both orders."""
    terms = b.nodes[x].terms
    if len(terms) == 2:
        return (terms, terms[::-1])
    return ()


def _negative(b: Builder, x: int) -> tuple[int, Row, Row] | None:
    """Returns M, its labels, and those of the value, if a value is -M with axes rearranged."""
    op = b.nodes[x].as_product
    if op is None or len(op.args) != 2 or op.inputs[0] != () or b.scalar_value(op.args[0]) != -1:
        return None
    return op.args[1], op.inputs[1], op.output


def _triangle_of_comparison(b: Builder, fn: str, x: int, y: int) -> Triangle | None:
    """Returns the triangle of a comparison such as i < j or i - j < c.

    A triangle compared with 0, as in ``mask > 0``, is that triangle.
    """
    number = b.scalar_value(y)
    if number == 0 and fn in ("gt", "ne") and (found := _triangle(b, x)):
        return found
    ends = (_count_along(b, x), _count_along(b, y)) if number is None else _difference(b, x)
    strict = _STRICT.get((fn, number or 0))
    sizes = [b.shape(x)[k] for k in ends if k is not None]
    if strict is None or None in ends or ends[0] == ends[1] or sizes[0] != sizes[1]:
        return None
    return Triangle(strict, ends[::-1] if fn in ("lt", "le") else ends)  # type: ignore[arg-type]


def _difference(b: Builder, x: int) -> tuple[int | None, int | None]:
    """Returns the axes i and j of i - j."""
    for one, other in _terms_in_both_orders(b, x):
        if (negative := _negative(b, other)) is not None:
            return _count_along(b, one), _axis_of_count(b, *negative)
    return None, None


def _count_along(b: Builder, x: int) -> int | None:
    """Returns the axis along which a value is 0, 1, 2, ..., else None."""
    view = b.nodes[x].single_factor
    if view is None:
        return None
    return _axis_of_count(b, *view)


def _axis_of_count(b: Builder, x: int, row: Row, output: Row) -> int | None:
    """Returns the axis of a value along which 0, 1, 2, ... stands, else None."""
    if b.nodes[x].is_counting and row[0] in output:
        return output.index(row[0])
    return None
