"""Lorentz, O(p,q) and SO(p,q): matrices that keep a symmetric form with signs, ``g^T B g = B``.

B is diag(1, ..., 1, -1, ..., -1) with p times 1 and q times -1, and for Lorentz(d) diag(1, -1, ...,
-1): one sign first. The same matrices keep -B. They have four components: by whether they turn the
p, and the q, coordinates into their mirror image; SO(p,q) has two of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from eqvproof.claims.groups.families.linear import GL, NOT_ONE, SL, LinearMatrices
from eqvproof.claims.groups.families.orthogonal import flip
from eqvproof.claims.groups.family import LieFamily
from eqvproof.claims.groups.forms import draw_cayley_transform, lie_algebra, why_not_keeping
from eqvproof.claims.groups.matrices import (
    MOST_SHOWN,
    Matrix,
    diagonal_matrix,
    index_pairs,
    matrix_text,
    permutation_matrix,
    plane_rotation,
    product_of,
    to_flint,
    unit,
)
from eqvproof.claims.groups.permutation import cycle, list_places

#: (cosh, sinh) of boosts, and (cosine, sine) of turns, simplest first.
_BOOSTS = [
    (Fraction(5, 4), Fraction(3, 4)),
    (Fraction(5, 3), Fraction(4, 3)),
    (Fraction(13, 5), Fraction(12, 5)),
]
_TURNS = [(Fraction(0), Fraction(1)), (Fraction(3, 5), Fraction(4, 5))]
Signs = tuple[int, ...]
_NAME = re.compile(r"(S?)O\(([1-9][0-9]?),([1-9][0-9]?)\)")


def _boost(size: int, i: int, j: int, cosh: Fraction, sinh: Fraction) -> Matrix:
    """Returns the matrix that keeps ``x_i^2 - x_j^2`` and takes e_i to ``cosh e_i + sinh e_j``."""
    rows = [list(row) for row in unit(size)]
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = cosh, sinh, sinh, cosh
    return tuple(map(tuple, rows))


def _pairs_of_signs(signs: Signs, *, alike: bool) -> list[tuple[int, int]]:
    """Returns the pairs of coordinates with equal signs, or of those with different ones."""
    return [(i, j) for i, j in index_pairs(len(signs)) if (signs[i] == signs[j]) is alike]


def _form_of_signs(signs: Signs) -> list[list[int]]:
    return [[s * int(i == j) for j in range(len(signs))] for i, s in enumerate(signs)]


class FormPreservingMatrices(LinearMatrices):
    """Matrices that keep a form with signs."""

    def describe(self, data: Matrix, axis: str | int) -> str:
        size = len(data)
        changed = [i for i in range(size) if data[i] != unit(size)[i]]
        if all(data[i][i] == -1 for i in changed):
            if len(changed) == size > 1:
                return "turn every vector into its negative"
            return f"reflect coordinate{'s' if len(changed) > 1 else ''} {list_places(changed)}"
        if len(changed) == 2 and (found := _describe_in_plane(data, *changed)):
            return found
        if size > MOST_SHOWN:
            return f"apply a {size} x {size} matrix that keeps the form"
        return f"apply the matrix {matrix_text(data)}"


def _describe_in_plane(g: Matrix, i: int, j: int) -> str:
    """Describes a matrix that changes two coordinates only; empty if there are no words for it."""
    if g[i][j] == g[j][i] == 1:
        return f"swap coordinates {list_places((i, j))}"
    if g[i][i] != g[j][j]:
        return ""
    if g[i][j] == g[j][i]:
        return f"boost coordinates {list_places((i, j))} with cosh = {g[i][i]} and sinh = {g[j][i]}"
    if g[i][j] == -g[j][i]:
        angle = f"the angle with cosine {g[i][i]} and sine {g[j][i]}"
        return f"rotate the plane {i}-{j} by {angle}"
    return ""


class Indefinite(LieFamily):
    """Lorentz: all matrices that keep a form with signs, one sign first."""

    keeps_form = True

    def signs(self, size: int) -> Signs:
        """Returns the diagonal of the form."""
        return (1, *[-1] * (size - 1))

    def form(self, size: int) -> list[list[int]] | None:
        return _form_of_signs(self.signs(size))

    def why_not(self, data: Any, size: int) -> str:
        if reason := why_not_keeping(self.form(size), data):
            return reason
        if self.special and to_flint(data).det() != 1:
            return NOT_ONE
        return ""

    def simple(self, size: int) -> Iterator[Matrix]:
        """Yields changes of sign, boosts and turns of planes, swaps, products of two boosts."""
        signs = self.signs(size)
        size, mixed = len(signs), _pairs_of_signs(signs, alike=False)
        if not self.special:
            yield from (flip(size, i) for i in range(size))
        for i, j in index_pairs(size):
            yield flip(size, i, j)
        for (cosh, sinh), turn in zip(_BOOSTS, (*_TURNS, _TURNS[1]), strict=True):
            for i, j in index_pairs(size):
                if signs[i] == signs[j]:
                    yield plane_rotation(size, i, j, *turn)
                else:
                    yield _boost(size, i, j, cosh, sinh)
                    yield _boost(size, i, j, cosh, -sinh)
        if not self.special:
            alike = _pairs_of_signs(signs, alike=True)
            yield from (permutation_matrix(cycle(size, pair)) for pair in alike)
        yield from (
            product_of(_boost(size, *a, *_BOOSTS[0]), _boost(size, *b, *_BOOSTS[1]))
            for a in mixed
            for b in mixed
        )

    def revealing_element(self, size: int) -> Matrix | None:
        signs = self.signs(size)
        mixed = _pairs_of_signs(signs, alike=False)
        if mixed:
            return _boost(len(signs), *mixed[0], *_BOOSTS[0])
        return None

    def sample(self, size: int, rng: random.Random) -> Matrix:
        """Draws a Cayley transform of the Lie algebra, times signs that choose the component."""
        signs = self.signs(size)
        flips = [rng.choice((1, -1)) for _ in signs]
        if self.special and flips.count(-1) % 2:
            flips[0] = -flips[0]
        algebra = lie_algebra(_form_of_signs(signs))
        return product_of(diagonal_matrix(flips), draw_cayley_transform(algebra, len(signs), rng))

    def lie(self, size: int) -> list[list[list[int]]]:
        return lie_algebra(self.form(size))

    def components(self, size: int) -> list[Matrix]:
        """Returns reflections of the first and of the last coordinate; if special, of both."""
        size = len(self.signs(size))
        if self.special:
            return [flip(size, 0, size - 1)]
        return [flip(size, i) for i in sorted({0, size - 1})]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndefiniteOfOneSize(Indefinite):
    """O(p,q), and SO(p,q) where it is special.

    Attributes:
        diagonal: p times 1 and q times -1.
    """

    diagonal: Signs

    def signs(self, size: int) -> Signs:
        return self.diagonal

    def form(self, size: int) -> list[list[int]] | None:
        if size == self.size:
            return _form_of_signs(self.diagonal)
        return None


FORM_PRESERVING = FormPreservingMatrices()
Lorentz = Indefinite(
    letter="Lorentz",
    names=("Minkowski",),
    meaning="Lorentz transformations, one sign first",
    element="a Lorentz transformation",
    symbol="G",
    kind=FORM_PRESERVING,
    default_axis="d",
    inside=(GL,),
    rocq=GL.rocq,
)


@cache
def indefinite(name: str) -> IndefiniteOfOneSize | None:
    """Returns the family named "O(p,q)" or "SO(p,q)", p and q from 1 to 99, or None.

    Its matrices have the one size p + q.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    special, p, q = bool(found[1]), int(found[2]), int(found[3])
    inside, rocq = [], GL.rocq
    if special:
        inside, rocq = [indefinite(name[1:])], SL.rocq
    return IndefiniteOfOneSize(
        letter=name,
        meaning=f"matrices that keep the form of the signs ({p}, {q})",
        element=f"a matrix of {name}",
        symbol="G",
        kind=FORM_PRESERVING,
        default_axis="d",
        special=special,
        inside=tuple(family for family in inside if family),
        size=p + q,
        rocq=rocq,
        diagonal=(1,) * p + (-1,) * q,
    )
