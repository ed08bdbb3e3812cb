"""O and SO: orthogonal matrices, and those of determinant 1."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd, lcm
from typing import Any

import flint

from eqvproof.claims.groups.families.linear import GL
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import matrices
from eqvproof.claims.groups.matrices import (
    MOST_SHOWN,
    Matrix,
    diagonal,
    from_flint,
    householder_matrix,
    in_rows,
    of_permutation,
    pairs,
    plane_rotation,
    product_of,
    small_vectors,
    to_flint,
    why_not_square,
)
from eqvproof.claims.groups.permutation import arrows, cycle, cycles_of, numbered

_PRODUCTS = 24
_PYTHAGORAS = [
    (Fraction(3, 5), Fraction(4, 5)),
    (Fraction(4, 5), Fraction(3, 5)),
    (Fraction(-3, 5), Fraction(4, 5)),
    (Fraction(5, 13), Fraction(12, 13)),
]


def why_not(data: Any, size: int, *, special: bool = False) -> str:
    """Says why a matrix is not orthogonal (of determinant 1); empty if it is."""
    reason = why_not_square(data)
    if reason:
        return reason
    matrix = to_flint(data)
    one = flint.fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
    if matrix.transpose() * matrix != one:
        return "Q^T Q is not the identity"
    if special and matrix.det() != 1:
        return "the determinant is -1"
    return ""


def flip(size: int, *places: int) -> Matrix:
    """Returns the matrix that turns some coordinates into their negatives."""
    return diagonal([-1 if i in places else 1 for i in range(size)])


def simple(size: int, *, special: bool = False) -> Iterator[Matrix]:
    """Yields simple orthogonal matrices, simplest first.

    These are reflections, swaps, quarter turns, -1, the 3-4-5 rotation, Householder reflections,
    and products of reflections; if `special`, those of determinant 1.
    """
    both = pairs(size)
    if not special:
        yield from (flip(size, i) for i in range(size))
        yield from (of_permutation(cycle(size, pair)) for pair in both)
    for i, j in both:
        yield plane_rotation(size, i, j, Fraction(0), Fraction(1))
    yield from (flip(size, *pair) for pair in both)
    if not special or size % 2 == 0:
        yield diagonal((-1,) * size)
    for triple in combinations(range(min(size, 5)), 3):
        yield of_permutation(cycle(size, triple))
    for i, j in both:
        yield plane_rotation(size, i, j, *_PYTHAGORAS[0])
    for i, j in both:
        yield plane_rotation(size, i, j, Fraction(0), Fraction(-1))
        yield plane_rotation(size, i, j, Fraction(3, 5), Fraction(-4, 5))
    if not special:
        yield from map(householder_matrix, small_vectors(size))
    for i, j in both:
        for cosine, sine in _PYTHAGORAS[1:]:
            yield plane_rotation(size, i, j, cosine, sine)
    reflections = [
        householder_matrix(u) for u, _ in zip(small_vectors(size), range(_PRODUCTS), strict=False)
    ]
    first = flip(size, 0)
    yield from (product_of(first, r) for r in reflections)
    for r, s in pairwise(reflections):
        yield product_of(r, s)
        if not special:
            yield product_of(first, product_of(r, s))


def sample(size: int, rng: random.Random, *, special: bool = False) -> Matrix:
    """Draws ``D (I - A)^-1 (I + A)``, A skew of small rationals, D signs (of determinant 1).

    Every orthogonal matrix is such a product over the reals. **Cost**: one rational inverse;
    entries have some size^2 digits.
    """
    plus = [[flint.fmpq(int(i == j)) for j in range(size)] for i in range(size)]
    minus = [row[:] for row in plus]
    for i in range(size):
        for j in range(i):
            value = flint.fmpq(rng.randint(-4, 4), rng.randint(1, 3))
            plus[i][j], plus[j][i] = value, -value
            minus[i][j], minus[j][i] = -value, value
    signs = [rng.choice((1, -1)) for _ in range(size)]
    if special and signs.count(-1) % 2:
        signs[0] = -signs[0]
    flat_minus = flint.fmpq_mat(size, size, [v for row in minus for v in row])
    flat_plus = flint.fmpq_mat(size, size, [v for row in plus for v in row])
    rows = from_flint(flat_minus.inv() * flat_plus)
    return tuple(tuple(s * v for v in row) for s, row in zip(signs, rows, strict=True))


def turns(size: int) -> list[list[list[int]]]:
    """Returns the skew matrices E[k, k+1] - E[k+1, k]; these generate so(size)."""
    return [
        [
            [int(i == k and j == k + 1) - int(i == k + 1 and j == k) for j in range(size)]
            for i in range(size)
        ]
        for k in range(size - 1)
    ]


def telling(size: int) -> Matrix | None:
    """Returns the rotation of the first plane by the angle with cosine 3/5 and sine 4/5."""
    if size > 1:
        return plane_rotation(size, 0, 1, *_PYTHAGORAS[0])
    return None


def words(q: Matrix, axis: str | int) -> str:
    """Describes an orthogonal matrix other than the identity in words."""
    size = len(q)
    if all(q[i][j] == 0 for i in range(size) for j in range(size) if i != j):
        places = [i for i in range(size) if q[i][i] == -1]
        if len(places) == size > 1:
            return "turn every vector into its negative"
        return f"reflect coordinate{'s' if len(places) > 1 else ''} {numbered(places)}"
    moved = [i for i in range(size) if q[i] != tuple(Fraction(int(i == j)) for j in range(size))]
    if len(moved) == 2:
        return _in_a_plane(q, *moved)
    if u := _mirror(q):
        return f"reflect in the hyperplane orthogonal to ({', '.join(map(str, u))})"
    if all(v in (0, 1) for row in q for v in row):
        return "move coordinates " + arrows(cycles_of([row.index(Fraction(1)) for row in q]))
    if size > MOST_SHOWN:
        return f"apply an orthogonal {size} x {size} matrix"
    return f"apply the orthogonal matrix {in_rows(q)}"


def _in_a_plane(q: Matrix, i: int, j: int) -> str:
    cosine, sine = q[i][i], q[j][i]
    if q[i][j] == sine:
        if sine == 1:
            return f"swap coordinates {numbered((i, j))}"
        u = _mirror(q) or ()
        return f"reflect in the hyperplane orthogonal to ({', '.join(map(str, u))})"
    if cosine == 0:
        return f"quarter turn in the plane {i + 1}-{j + 1}" + (" backwards" if sine == -1 else "")
    return f"rotate the plane {i + 1}-{j + 1} by the angle with cosine {cosine} and sine {sine}"


def _mirror(q: Matrix) -> tuple[int, ...] | None:
    """Returns the primitive integer vector u with ``q = I - 2 u u^T / |u|^2``, or None."""
    size = len(q)
    for j in range(size):
        column = [Fraction(int(i == j)) - q[i][j] for i in range(size)]
        if any(column):
            scale = lcm(*(v.denominator for v in column))
            whole = [int(v * scale) for v in column]
            divisor = gcd(*whole)
            first = next(v for v in whole if v)
            u = tuple(v // divisor * (1 if first > 0 else -1) for v in whole)
            if householder_matrix(u) == q:
                return u
            return None
    return None


MATRICES = matrices("orth", words, "q", has_dual=False)
O = Family(  # noqa: E741
    letter="O",
    names=("Orthogonal",),
    meaning="orthogonal matrices",
    element="an orthogonal matrix",
    symbol="Q",
    elements=MATRICES,
    default_axis="d",
    why_not=why_not,
    simple=simple,
    telling=telling,
    sample=sample,
    lie=turns,
    components=lambda size: [flip(size, 0)],
    mirrors=1,
    irreps=True,
    inside=(GL,),
    rocq="O",
)
SO = Family(
    letter="SO",
    names=("Rot", "Rotations"),
    meaning="rotations",
    element="a rotation matrix",
    symbol="R",
    elements=MATRICES,
    default_axis="d",
    why_not=lambda data, size: why_not(data, size, special=True),
    simple=lambda size: simple(size, special=True),
    telling=telling,
    sample=lambda size, rng: sample(size, rng, special=True),
    lie=turns,
    components=lambda size: [],
    mirrors=2,
    trivial_below=2,
    special=True,
    irreps=True,
    inside=(O,),
    rocq="SO",
)
