"""Maps that commute with a representation, vertices of polytopes, and shapes of products."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, product
from typing import Any

from .exact import paid
from .report import LARGE_WORK, Rejected, Report, allow_in_all, spend
from .text import digest, fields, integer, items, read_name, read_rational

Rows = list[list[int]]
#: Largest number of parts, of rows of a list of integers, and absolute value of an integer.
MOST_PARTS, MOST_SIZE, MOST_ENTRY = 64, 4096, 10**6
#: The pattern of a dimension, a number or a name.
DIMENSION = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}|[1-9][0-9]{0,8}", re.ASCII)


def check_linear_maps(content: dict[str, Any]) -> Report:
    """Checks whether a family spans the maps W with ``T W = W S``.

    (S, T) runs through pairs of matrices of generators.

    It does if all its maps commute, which is multiplied out, and its rank is the dimension of the
    space of all such maps.
    """

    def is_span(part: Any, path: str) -> bool:
        pairs, family = fields(part, path, "generators", "family")
        both = [
            [_read_integer_matrix(m, path) for m in items(p, path, 2)]
            for p in items(pairs, path, MOST_PARTS)
        ]
        maps = [_read_integer_matrix(m, path) for m in items(family, path, MOST_SIZE)]
        if not both or any(len(p) != 2 for p in both):
            raise Rejected(f"{path}: expected pairs of matrices of generators")
        s, t = (len(m) for m in both[0])
        shapes = {(len(m), len(m[0]), n) for p in both for m, n in zip(p, (s, t), strict=True)}
        if any({height, width} != {n} for height, width, n in shapes):
            raise Rejected(f"{path}: generators act by square matrices of one size")
        if any((len(w), len(w[0])) != (t, s) for w in maps):
            raise Rejected(f"{path}: a map of another size")
        if any(
            _multiply_integer_matrices(target, w) != _multiply_integer_matrices(w, source)
            for source, target in both
            for w in maps
        ):
            return False
        equations = []
        for source, target in both:
            spend(s * t * (s + t))
            for i, j in product(range(t), range(s)):
                row = {k * s + j: x for k, x in enumerate(target[i]) if x}
                for k in range(s):
                    row[i * s + k] = row.get(i * s + k, 0) - source[k][j]
                equations.append(row)
        return rank_of_rows([dict(enumerate(chain(*w))) for w in maps]) == s * t - rank_of_rows(
            equations
        )

    return _each(
        content, is_span, "the maps that commute with the generators", "the span of the family"
    )


def check_vertices(content: dict[str, Any]) -> Report:
    """Checks whether the vertices of {x >= 0 : A x = b} are the given points.

    They are its basic feasible solutions (A. Schrijver, Theory of Linear and Integer Programming,
    section 8.5): for rank(A) independent columns of A the one x that solves A x = b and is 0 at the
    others, if it is not negative. All choices of columns are gone through, from left to right, by
    elimination in integers.
    """

    def are_vertices(part: Any, path: str) -> bool:
        matrix, right, points = fields(part, path, "left", "right", "points")
        rows, b = _read_integer_matrix(matrix, path), _read_integers(right, path)
        if len(b) != len(rows):
            raise Rejected(f"{path}: expected a number for each row")
        given = {
            tuple(read_rational(x, path) for x in items(p, path))
            for p in items(points, path, MOST_SIZE)
        }
        found = set[tuple[Fraction, ...]]()
        _vertices([[*row, x] for row, x in zip(rows, b, strict=True)], 0, [], found)
        return found == given

    return _each(content, are_vertices, "the vertices of {x >= 0 : A x = b}", "the given points")


def _vertices(rows: Rows, column: int, pivots: list[int], found: set[tuple[Fraction, ...]]) -> None:
    """Collects vertices from the bases that extend the pivots by columns from this one on.

    Pivots stand one a row, from the top.
    """
    width, done = len(rows[0]) - 1, len(pivots)
    spend(4 + width // 8)
    if not any(any(row[:width]) for row in rows[done:]):  # the rank is reached
        point = [Fraction(0)] * width
        for row, k in zip(rows, pivots, strict=False):
            point[k] = Fraction(row[width], row[k])
        if min(point) >= 0 and not any(row[width] for row in rows[done:]):
            found.add(tuple(point))
        return
    for k in range(column, width):
        at = next((i for i in range(done, len(rows)) if rows[i][k]), None)
        if at is not None:
            spend(len(rows) * (1 + width // 16))
            pivot = rows[at]
            others = [
                _less(row, pivot, k) if row[k] else row for i, row in enumerate(rows) if i != at
            ]
            _vertices([*others[:done], pivot, *others[done:]], k + 1, [*pivots, k], found)


def _less(row: list[int], pivot: list[int], k: int) -> list[int]:
    """Combines a row with the pivot row so that its entry k is 0."""
    a, b = pivot[k], row[k]
    found = [a * x - b * y for x, y in zip(row, pivot, strict=True)]
    spend(len(found) * max(map(abs, found)).bit_length() // 64)
    return found


def rank_of_rows(rows: Sequence[Mapping[int, int | Fraction]]) -> int:
    """Returns the rank of rows, given by their entries, by elimination."""
    pivots: dict[int, dict[int, Fraction]] = {}
    for row in rows:
        left = {k: Fraction(v) for k, v in row.items() if v}
        while left:
            k = min(left)
            factor = left[k]
            if k not in pivots:
                pivots[k] = {j: paid(v / factor) for j, v in left.items()}
                break
            for j, v in pivots[k].items():
                left[j] = x = paid(left.get(j, Fraction(0)) - factor * v)
                spend(5)
                if not x:
                    del left[j]
        spend(4)
    return len(pivots)


def _multiply_integer_matrices(a: Rows, b: Rows) -> Rows:
    spend(len(a) * len(b) * (1 + len(b[0]) // 8))
    columns = [*zip(*b, strict=True)]
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in a
    ]


def _read_integers(value: Any, path: str) -> list[int]:
    return [integer(x, path, -MOST_ENTRY, MOST_ENTRY) for x in items(value, path, MOST_SIZE)]


def _read_integer_matrix(value: Any, path: str) -> Rows:
    rows = [_read_integers(row, path) for row in items(value, path, MOST_SIZE)]
    if not rows or not rows[0] or len(set(map(len, rows))) > 1:
        raise Rejected(f"{path}: expected a matrix")
    spend(len(rows) * len(rows[0]))
    return rows


def _each(
    content: dict[str, Any], check: Callable[[Any, str], bool], one: str, other: str
) -> Report:
    """Checks that a property holds in every part, or fails in a single one, and reports it."""
    parts, holds = fields(content, "$", "parts", "holds")
    if type(holds) is not bool or not items(parts, "$.parts", MOST_PARTS if holds else 1):
        raise Rejected("$: expected what is claimed, and whether it holds")
    allow_in_all(LARGE_WORK)
    claimed, found = f"{one} are {other}", f"{one} are not {other}"
    if not holds:
        claimed, found = found, claimed
    for k, part in enumerate(parts):
        if check(part, f"$.parts[{k}]") is not holds:
            raise Rejected(f"$.parts[{k}]: {found}")
    statement = f"{claimed}, in each of {len(parts)} cases ({digest(parts)})"
    grade = "DECIDED" if holds else "EXACT"
    return Report(
        accepted=True, statement=statement, grade=grade, rests_on=("matrices of integers",)
    )


def check_products(content: dict[str, Any]) -> Report:
    """Checks whether some product of matrices can have a shape.

    It may have it for some values of the unknown dimensions, or no product has it whatever these
    are.

    Dimensions are numbers, sizes, of which some vary, and unknowns, one number each for all values
    of those that vary. Neighbours are equal, and the outer ones those of the shape. Such equations
    between names have a solution exactly when no class of equal names holds two numbers or sizes,
    or an unknown beside a size that varies: else every unknown is what its class holds, or any
    number.
    """
    listed, shape, sizes, varies, possible, holds = fields(
        content, "$", "products", "shape", "sizes", "varies", "possible", "holds"
    )
    rows, columns = _dims(shape, "$.shape", 2)
    known, moving = set(_dims(sizes, "$.sizes")), set(_dims(varies, "$.varies"))
    if (
        not moving <= known
        or any(map(str.isdigit, known))
        or {type(possible), type(holds)} != {bool}
    ):
        raise Rejected(
            "$: expected sizes that vary among the sizes, and whether it is possible, and holds"
        )
    found = False
    for k, product_ in enumerate(items(listed, "$.products", MOST_PARTS)):
        pairs = [
            _dims(m, f"$.products[{k}]", 2) for m in items(product_, f"$.products[{k}]", MOST_PARTS)
        ]
        ends = [rows, *chain(*pairs), columns]
        classes = {name: {name} for name in ends}
        for a, b in zip(ends[::2], ends[1::2], strict=True):
            spend(8 + len(ends))
            union = classes[a] | classes[b]
            classes.update(dict.fromkeys(union, union))
        fixed = [(c, {x for x in c if x in known or x.isdigit()}) for c in classes.values()]
        good = all(len(some) < 2 and (some == c or not some & moving) for c, some in fixed)
        found = found or (good and bool(pairs))
    which = "one" if found else "none"
    if (found is possible) is not holds:
        raise Rejected(f"$: {which} of the products can have the shape")
    what = f"{which} of the products {digest(listed)} can have"
    every, own = (", ".join(sorted(names)) for names in (known, moving))
    statement = f"{what} the shape {rows} x {columns} for all {every}, its other dimensions one for all {own}"
    rests = ("equations between dimensions",)
    return Report(
        accepted=True, statement=statement, grade="PROVED" if holds else "EXACT", rests_on=rests
    )


def _dims(value: Any, path: str, count: int | None = None) -> list[str]:
    names = [read_name(x, path, DIMENSION) for x in items(value, path, MOST_PARTS)]
    if count is not None and len(names) != count:
        raise Rejected(f"{path}: expected {count} dimensions")
    return names


CHECKS = {
    "linear-maps": check_linear_maps,
    "vertices": check_vertices,
    "product-shapes": check_products,
}
