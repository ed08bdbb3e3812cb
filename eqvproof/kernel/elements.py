"""Group elements: membership, decided exactly, and action on tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .decode import Axis, Factor, Tensor, integer, items, one_of, rational
from .evaluate import cells, eliminate, fibres, times, total
from .interval import Arithmetic, Number
from .report import Rejected, spend

#: Row i lists the (j, coefficient != 0) with (g x)[i] = sum of coefficient x[j].
Rows = list[list[tuple[int, Fraction]]]
FORMS = {"orth": "matrix", "perm": "permutation", "sign": "signs"}


def element(value: Any, path: str, factor: Factor, size: int, a: Arithmetic) -> Rows:
    """The element of that factor that the JSON describes.

    Raises:
        Rejected: it is not in the group.
    """
    form = FORMS[factor.kind]
    if not isinstance(value, dict) or value.keys() != {"family", "axis", form}:
        raise Rejected(f"{path}: expected an object with the keys family, axis, {form}")
    one_of(value["family"], path, (factor.family,))
    if type(value["axis"]) is not type(factor.axis) or value["axis"] != factor.axis:
        raise Rejected(f"{path}.axis: expected {factor.axis}")
    data = items(value[form], path)
    if len(data) != size:
        raise Rejected(f"{path}: an element of size {len(data)} on an axis of size {size}")
    if factor.kind == "sign":
        return [[(i, Fraction(_sign(v, path)))] for i, v in enumerate(data)]
    if factor.kind == "perm":
        p = [integer(v, path, 0, size - 1) for v in data]
        _check_permutation(p, factor.family, path)
        return [[(j, Fraction(1))] for j in p]
    spend(3 * size**3)
    matrix: list[list[Number]] = [[rational(v, path) for v in items(row, path)] for row in data]
    _check_orthogonal(matrix, factor.family, path, a)
    return [[(j, x) for j, x in enumerate(row) if isinstance(x, Fraction) and x != 0] for row in matrix]


def _sign(value: Any, path: str) -> int:
    if integer(value, path, -1, 1) == 0:
        raise Rejected(f"{path}: a sign is 1 or -1")
    return int(value)


def _check_permutation(p: list[int], family: str, path: str) -> None:
    """A rearrangement of 0..n-1; for A with an even number of even cycles; for C a shift."""
    n = len(p)
    if len(set(p)) != n:
        raise Rejected(f"{path}: not a permutation")
    seen, odd = [False] * n, 0
    for start in range(n):
        length, at = 0, start
        while not seen[at]:
            seen[at], at, length = True, p[at], length + 1
        odd ^= length > 0 and length % 2 == 0
    if family == "A" and odd:
        raise Rejected(f"{path}: an odd permutation")
    if family == "C" and any(p[i] != (p[0] + i) % n for i in range(n)):
        raise Rejected(f"{path}: not a cyclic shift")


def _check_orthogonal(matrix: list[list[Number]], family: str, path: str, a: Arithmetic) -> None:
    """Q Q^T = I exactly; det Q = 1 for SO."""
    if any(len(row) != len(matrix) for row in matrix):
        raise Rejected(f"{path}: not a square matrix")
    for i, u in enumerate(matrix):
        for j, w in enumerate(matrix[: i + 1]):
            if total([times(x, y, a) for x, y in zip(u, w, strict=True)], a) != int(i == j):
                raise Rejected(f"{path}: not an orthogonal matrix")
    if family == "SO" and eliminate(matrix, a)[0] != 1:
        raise Rejected(f"{path}: the determinant is not 1")


def act(
    factor: Factor, rows: Rows, value: Tensor, axes: Sequence[Axis], sizes: Mapping[str, int], a: Arithmetic
) -> Tensor:
    """The tensor g x: along each axis, g on each acted copy; undefined where an entry that enters is."""
    spend(cells(value.shape))
    for position, axis in enumerate(axes):
        plan: Rows = []
        for term in axis:
            length = term.coefficient * (sizes[term.name] if term.name else 1)
            if not factor.acts_on(term):
                plan += [[(len(plan) + i, Fraction(1))] for i in range(length)]
                continue
            for _ in range(length // len(rows)):
                at = len(plan)
                plan += [[(at + j, c) for j, c in row] for row in rows]
        if any(factor.acts_on(term) for term in axis):
            value = Tensor(value.shape, _apply(plan, value, position, a))
    return value


def _apply(plan: Rows, value: Tensor, position: int, a: Arithmetic) -> list[Any]:
    spend(2 * cells(value.shape) * max(1, max(map(len, plan), default=0)))
    result: list[Any] = [None] * len(value.values)
    for fibre in fibres(value.shape, position):
        for i, row in enumerate(plan):
            result[fibre[i]] = total([times(c, value.values[fibre[j]], a) for j, c in row], a)
    return result
