"""Sp: matrices that keep the standard skew form, ``g^T J g = J``, at even sizes.

Sp(2d) has those of size 2d.

J is ``[[0, I], [-I, 0]]``: positions first, then momenta. The group is connected, and its matrices
have determinant 1. At odd sizes there is no such form, and the group is the identity alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from eqvproof.claims.groups import forms
from eqvproof.claims.groups.families.linear import GL, SL
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.matrices import Matrix, diagonal, product_of, unit


def standard(size: int) -> list[list[int]] | None:
    """Returns J at a size; None at odd ones."""
    half = size // 2
    if size % 2:
        return None
    return [[int(j == i + half) - int(i == j + half) for j in range(size)] for i in range(size)]


def _added(size: int, *entries: tuple[int, int]) -> Matrix:
    """Returns the identity matrix with 1 added at some places."""
    rows = [list(row) for row in unit(size)]
    for i, j in entries:
        rows[i][j] += 1
    return tuple(map(tuple, rows))


def _simple(size: int) -> Iterator[Matrix]:
    """Yields shears of a position by its momentum and back, squeezes, and quarter turns."""
    half = 0 if size % 2 else size // 2
    for i in range(half):
        yield _added(size, (i, half + i))
        yield _added(size, (half + i, i))
    for i in range(half):
        yield diagonal(
            [2 if k == i else Fraction(1, 2) if k == half + i else 1 for k in range(size)]
        )
        yield _quarter(size, i, half + i)
    for i in range(half):
        for j in range(i):
            yield _added(size, (i, half + j), (j, half + i))
            yield product_of(_added(size, (i, half + i)), _added(size, (half + j, j)))


def _quarter(size: int, i: int, j: int) -> Matrix:
    rows = [list(row) for row in unit(size)]
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = (Fraction(v) for v in (0, 1, -1, 0))
    return tuple(map(tuple, rows))


Sp = Family(
    letter="Sp", names=("Symplectic",), meaning="symplectic matrices, of even size",
    element="a symplectic matrix", symbol="G", elements=GL.elements, default_axis="d",
    why_not=lambda data, size: forms.why_not(data, standard(size)), simple=_simple,
    sample=lambda size, rng: forms.sample(forms.lie(standard(size)), size, rng),
    trivial_below=2, special=True, form=standard, lie=lambda size: forms.lie(standard(size)),
    components=lambda size: [], inside=(SL,), rocq=SL.rocq,
)  # fmt: skip
Sp2 = replace(
    Sp,
    letter="Sp2",
    names=(),
    meaning="symplectic matrices on an axis written 2d",
    reals=2,
    trivial_below=1,
    inside=(),
)
