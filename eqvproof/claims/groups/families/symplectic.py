"""Sp: matrices that keep the standard skew form, ``g^T J g = J``, at even sizes.

Sp(2d) has those of size 2d.

J is ``[[0, I], [-I, 0]]``: positions first, then momenta. The group is connected, and its matrices
have determinant 1. At odd sizes there is no such form, and the group is the identity alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from eqvproof.claims.groups.families.linear import LINEAR, SL
from eqvproof.claims.groups.family import LieFamily
from eqvproof.claims.groups.forms import draw_cayley_transform, lie_algebra, why_not_keeping
from eqvproof.claims.groups.matrices import Matrix, diagonal_matrix, product_of, unit


def skew_form(size: int) -> list[list[int]] | None:
    """Returns J at a size; None at odd ones."""
    half = size // 2
    if size % 2:
        return None
    return [[int(j == i + half) - int(i == j + half) for j in range(size)] for i in range(size)]


def _with_ones(size: int, *entries: tuple[int, int]) -> Matrix:
    """Returns the identity matrix with 1 added at some places."""
    rows = [list(row) for row in unit(size)]
    for i, j in entries:
        rows[i][j] += 1
    return tuple(map(tuple, rows))


def _squeeze(size: int, i: int, j: int) -> Matrix:
    """Returns the diagonal matrix that doubles one coordinate and halves another."""
    factors = {i: Fraction(2), j: Fraction(1, 2)}
    return diagonal_matrix([factors.get(k, Fraction(1)) for k in range(size)])


def _quarter_turn(size: int, i: int, j: int) -> Matrix:
    rows = [list(row) for row in unit(size)]
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = (Fraction(v) for v in (0, 1, -1, 0))
    return tuple(map(tuple, rows))


class Symplectic(LieFamily):
    """Sp: all matrices that keep the standard skew form."""

    keeps_form = True

    def form(self, size: int) -> list[list[int]] | None:
        return skew_form(size)

    def why_not(self, data: Any, size: int) -> str:
        return why_not_keeping(skew_form(size), data)

    def simple(self, size: int) -> Iterator[Matrix]:
        """Yields shears of a position by its momentum and back, squeezes, and quarter turns."""
        if size % 2:
            return
        half = size // 2
        for i in range(half):
            yield _with_ones(size, (i, half + i))
            yield _with_ones(size, (half + i, i))
        for i in range(half):
            yield _squeeze(size, i, half + i)
            yield _quarter_turn(size, i, half + i)
        for i in range(half):
            for j in range(i):
                yield _with_ones(size, (i, half + j), (j, half + i))
                yield product_of(_with_ones(size, (i, half + i)), _with_ones(size, (half + j, j)))

    def sample(self, size: int, rng: random.Random) -> Matrix:
        return draw_cayley_transform(self.lie(size), size, rng)

    def lie(self, size: int) -> list[list[list[int]]]:
        return lie_algebra(skew_form(size))

    def components(self, size: int) -> list[Matrix]:
        return []


Sp = Symplectic(
    letter="Sp",
    names=("Symplectic",),
    meaning="symplectic matrices, of even size",
    element="a symplectic matrix",
    symbol="G",
    kind=LINEAR,
    default_axis="d",
    trivial_below=2,
    special=True,
    inside=(SL,),
    rocq=SL.rocq,
)
Sp2 = Symplectic(
    letter="Sp2",
    meaning="symplectic matrices on an axis written 2d",
    element=Sp.element,
    symbol=Sp.symbol,
    kind=LINEAR,
    default_axis="d",
    reals=2,
    special=True,
    rocq=SL.rocq,
)
