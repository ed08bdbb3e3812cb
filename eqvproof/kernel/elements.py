"""Decides exactly whether an element belongs to a group, and applies elements to tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import Any

from .claims import Axis, Factor, Term, degree
from .exact import paid
from .form_values import System, multiply_defined, sum_defined
from .interval import Arithmetic, Number
from .loading import part
from .membership import check_matrix, check_permutation
from .report import Rejected, spend
from .tensors import Tensor, cells, fibres
from .text import fields, integer, items, one_of, read_rational

#: Row i lists the (j, coefficient != 0) with (g x)[i] = sum of coefficient x[j]; coefficients are
#: numbers of some number system.
Rows = list[list[tuple[int, Any]]]
FORMS = {
    "orth": ("matrix",), "perm": ("permutation",), "sign": ("signs",), "shift": ("vector",),
    "rigid": ("matrix", "vector"), "scale": ("factor",), "lin": ("matrix",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Motion:
    """The map x -> times (rows x) + vector, where the vector is added to points only.

    Empty rows stand for the identity.

    On dual axes `dual` takes the place of `rows`. Where there is an element for each entry of an
    axis, it is that of the entry `at`, and the identity is that of the others.
    """

    rows: Rows
    vector: list[Any]
    times: Fraction = Fraction(1)
    dual: Rows = field(default_factory=list)
    at: int = 0


def element(value: Any, path: str, factor: Factor, size: int, a: Arithmetic) -> Motion:
    """Reads a group element of a factor from JSON.

    Raises:
        Rejected: it is not in the group.
    """
    forms = ("word",) if factor.generators else FORMS[factor.kind]
    given = dict(zip(forms, fields(value, path, *forms, "family", "axis"), strict=False))
    one_of(value["family"], path, (factor.family,))
    if type(value["axis"]) is not type(factor.axis) or value["axis"] != factor.axis:
        raise Rejected(f"{path}.axis: expected {factor.axis}")
    if factor.generators:
        return _read_word(given["word"], path, factor, size, a)
    if factor.kind == "scale":
        times = read_rational(given["factor"], path)
        if times <= 0:
            raise Rejected(f"{path}: a multiple is positive")
        return Motion([], [], times)
    if "vector" in forms:
        vector = [read_rational(v, path) for v in items(given["vector"], path)]
    else:
        vector = []
    if "vector" in forms and len(vector) != size:
        raise Rejected(f"{path}: a vector of size {len(vector)} on an axis of size {size}")
    if factor.kind == "lin":
        rows = [
            [read_rational(v, path) for v in items(row, path)]
            for row in items(given["matrix"], path)
        ]
        return _linear_motion(rows, path, factor.family, size, a)
    if factor.kind == "shift":
        if factor.about.integral and any(v.denominator != 1 for v in vector):
            raise Rejected(f"{path}: expected a vector of integers")
        return Motion([], vector)
    return Motion(_rows(given[forms[0]], path, factor, size), vector)


def _rows(value: Any, path: str, factor: Factor, size: int) -> Rows:
    data = items(value, path)
    if len(data) != size:
        raise Rejected(f"{path}: an element of size {len(data)} on an axis of size {size}")
    if factor.kind == "sign":
        return [[(i, Fraction(_sign(v, path)))] for i, v in enumerate(data)]
    if factor.kind == "perm":
        p = [integer(v, path, 0, size - 1) for v in data]
        check_permutation(p, factor.family, path)
        return [[(j, Fraction(1))] for j in p]
    matrix = [[read_rational(v, path) for v in items(row, path)] for row in data]
    check_matrix(matrix, factor.family, path)
    return _sparse(matrix)


def _sparse(matrix: Sequence[Sequence[Fraction]]) -> Rows:
    return [[(j, x) for j, x in enumerate(row) if x != 0] for row in matrix]


def _linear_motion(
    matrix: Sequence[Sequence[Fraction]], path: str, family: str, size: int, a: Arithmetic
) -> Motion:
    """Builds the motion of an invertible matrix of rationals in the family.

    It holds the inverse transpose, too.
    """
    if len(matrix) != size:
        raise Rejected(f"{path}: not a square matrix of size {size}")
    check_matrix(matrix, family, path)
    spend(12 * size**3)
    wide: list[list[Number]] = [
        [*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(matrix)
    ]
    reduced = part("matrix_values").eliminate(wide, a)[1]
    if reduced is None or not all(isinstance(x, Fraction) for row in reduced for x in row):
        raise Rejected(f"{path}: no exact inverse")
    dual = [
        [(j, row[size + i]) for j, row in enumerate(reduced) if row[size + i] != 0]
        for i in range(size)
    ]
    return Motion(_sparse(matrix), [], dual=dual)


def generator(g: Any, path: str, factor: Factor, a: Arithmetic) -> Motion:
    """Builds the motion of a generator that the claim lists.

    The generator must be an element of the group of its family.
    """
    if factor.kind == "perm":
        check_permutation(g, factor.family, path)
        return Motion([[(j, Fraction(1))] for j in g], [])
    if factor.kind == "lin":
        return _linear_motion(g, path, factor.family, len(g), a)
    check_matrix(g, factor.family, path)
    return Motion(_sparse(g), [])


def _read_word(value: Any, path: str, factor: Factor, size: int, a: Arithmetic) -> Motion:
    """Multiplies the generators that a word names, from the left.

    k names the k-th generator, -k its inverse.
    """
    if len(factor.generators[0]) != size:
        raise Rejected(f"{path}: not an element of {factor} on an axis of size {size}")
    count = len(factor.generators)
    motions = [generator(g, path, factor, a) for g in factor.generators]
    still: Rows = [[(i, Fraction(1))] for i in range(size)]
    rows, dual = still, still
    for k in items(value, path, 64):
        index = integer(k, path, -count, count)
        if index == 0:
            raise Rejected(f"{path}: generators are counted from 1")
        g = motions[abs(index) - 1]
        by, by_dual = g.rows, g.dual or g.rows
        if index < 0:
            by, by_dual = _transposed(by_dual, size), _transposed(by, size)
        rows, dual = _times_rows(rows, by), _times_rows(dual, by_dual)
    return Motion(rows, [], dual=dual)


def _transposed(rows: Rows, size: int) -> Rows:
    found: Rows = [[] for _ in range(size)]
    for i, row in enumerate(rows):
        for j, x in row:
            found[j].append((i, x))
    return found


def _times_rows(left: Rows, right: Rows) -> Rows:
    """Returns the product of two matrices."""
    found: Rows = []
    for row in left:
        entries: dict[int, Fraction] = {}
        for k, x in row:
            spend(1 + len(right[k]))
            for j, y in right[k]:
                entries[j] = paid(entries.get(j, Fraction(0)) + x * y)
        found.append([(j, x) for j, x in sorted(entries.items()) if x != 0])
    return found


def _sign(value: Any, path: str) -> int:
    if integer(value, path, -1, 1) == 0:
        raise Rejected(f"{path}: a sign is 1 or -1")
    return int(value)


def act_on_tensor(
    factor: Factor,
    g: Motion,
    value: Tensor,
    axes: Sequence[Axis],
    sizes: Mapping[str, int],
    a: System,
) -> Tensor:
    """Returns the tensor g x: along each axis, g acts on each acted copy.

    An entry is undefined where an entry that enters it is.
    """
    spend(cells(value.shape))
    if factor.each:
        alone = replace(factor, each="")
        return in_entry(
            factor, g, value, axes, lambda part, rest: act_on_tensor(alone, g, part, rest, sizes, a)
        )
    if factor.kind == "scale":
        times_by = g.times ** degree(axes, factor)
        return Tensor(value.shape, [multiply_defined(times_by, v, a) for v in value.values])
    if g.rows:
        value = _act_along_axes(factor, g, value, axes, sizes, a)
    if g.vector:
        return _translated(factor, g.vector, value, axes, sizes, a)
    return value


def in_entry(
    factor: Factor, g: Motion, value: Tensor, axes: Sequence[Axis],
    moved: Callable[[Tensor, Sequence[Axis]], Tensor],
) -> Tensor:  # fmt: skip
    """Moves one entry of the factor's axis of elements, and returns the tensor.

    A tensor without that axis is returned as it is.
    """
    place = factor.place(axes)
    if place is None:
        return value
    size, step = value.shape[place], prod(value.shape[place + 1 :])
    own = [i for i in range(len(value.values)) if i // step % size == g.at]
    entry = Tensor(
        (*value.shape[:place], *value.shape[place + 1 :]), [value.values[i] for i in own]
    )
    found = list(value.values)
    for i, v in zip(own, moved(entry, [*axes[:place], *axes[place + 1 :]]).values, strict=True):
        found[i] = v
    return Tensor(value.shape, found)


def _translated(
    factor: Factor,
    vector: list[Any],
    value: Tensor,
    axes: Sequence[Axis],
    sizes: Mapping[str, int],
    a: System,
) -> Tensor:
    """Adds the vector to the points, which lie along one axis."""
    moved = [k for k, axis in enumerate(axes) if any(factor.acts_on(t) for t in axis)]
    points = [k for k in moved if any(factor.translates(t) for t in axes[k])]
    if not points:
        return value
    if len(points) > 1 or (factor.kind == "rigid" and len(moved) > 1):
        raise Rejected("a value with points along one axis, of which another axis moves too")
    plan: list[Any] = []
    for term in axes[points[0]]:
        length = _length(term, sizes)
        if factor.translates(term):
            plan += vector * factor.copies(term, length, len(vector))
        else:
            plan += [Fraction(0)] * length
    result = list(value.values)
    for fibre in fibres(value.shape, points[0]):
        for place, t in zip(fibre, plan, strict=True):
            if t:
                result[place] = sum_defined([result[place], t], a)
    return Tensor(value.shape, result)


def _length(term: Term, sizes: Mapping[str, int]) -> int:
    """Returns the number of coordinates of a part of an axis."""
    if term.name:
        return term.coefficient * sizes[term.name]
    return term.coefficient


def _act_along_axes(
    factor: Factor,
    g: Motion,
    value: Tensor,
    axes: Sequence[Axis],
    sizes: Mapping[str, int],
    a: System,
) -> Tensor:
    for position, axis in enumerate(axes):
        plan: Rows = []
        for term in axis:
            length = _length(term, sizes)
            if not factor.acts_on(term):
                plan += [[(len(plan) + i, Fraction(1))] for i in range(length)]
                continue
            rows = g.dual if factor.is_dual(term) else g.rows
            if term.irrep:
                rows = part("harmonics").acting(rows, term.irrep, a, special=factor.about.special)
            for _ in range(factor.copies(term, length, len(rows))):
                at = len(plan)
                plan += [[(at + j, c) for j, c in row] for row in rows]
        if any(factor.acts_on(term) for term in axis):
            value = Tensor(value.shape, _apply_rows(plan, value, position, a))
    return value


def _apply_rows(plan: Rows, value: Tensor, position: int, a: System) -> list[Any]:
    spend(2 * cells(value.shape) * max(1, max(map(len, plan), default=0)))
    result: list[Any] = [None] * len(value.values)
    for fibre in fibres(value.shape, position):
        for i, row in enumerate(plan):
            result[fibre[i]] = a.dot([(c, value.values[fibre[j]]) for j, c in row])
    return result
