"""Lorentz, O(p,q) and SO(p,q): matrices that keep a symmetric form with signs, ``g^T B g = B``.

B is diag(1, ..., 1, -1, ..., -1) with p times 1 and q times -1, and for Lorentz(d) diag(1, -1, ...,
-1): one sign first. The same matrices keep -B. They have four components: by whether they turn the
p, and the q, coordinates into their mirror image; SO(p,q) has two of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from eqvproof.claims.groups import forms
from eqvproof.claims.groups.families.linear import GL, NOT_ONE, SL
from eqvproof.claims.groups.families.orthogonal import flip
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import matrices
from eqvproof.claims.groups.matrices import (
    MOST_SHOWN,
    Matrix,
    diagonal,
    in_rows,
    of_permutation,
    pairs,
    plane_rotation,
    product_of,
    to_flint,
    unit,
)
from eqvproof.claims.groups.permutation import cycle, numbered

#: (cosh, sinh) of boosts, and (cosine, sine) of turns, simplest first.
_BOOSTS = [
    (Fraction(5, 4), Fraction(3, 4)),
    (Fraction(5, 3), Fraction(4, 3)),
    (Fraction(13, 5), Fraction(12, 5)),
]
_TURNS = [(Fraction(0), Fraction(1)), (Fraction(3, 5), Fraction(4, 5))]
_NAME = re.compile(r"(S?)O\(([1-9][0-9]?),([1-9][0-9]?)\)")


def _boost(size: int, i: int, j: int, cosh: Fraction, sinh: Fraction) -> Matrix:
    """Returns the matrix that keeps ``x_i^2 - x_j^2`` and takes e_i to ``cosh e_i + sinh e_j``."""
    rows = [list(row) for row in unit(size)]
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = cosh, sinh, sinh, cosh
    return tuple(map(tuple, rows))


def _same(signs: tuple[int, ...], i: int, j: int) -> bool:
    return signs[i] == signs[j]


def _simple(signs: tuple[int, ...], *, special: bool) -> Iterator[Matrix]:
    """Yields changes of sign, boosts and turns of planes, swaps, and products of two boosts."""
    size = len(signs)
    if not special:
        yield from (flip(size, i) for i in range(size))
    for i, j in pairs(size):
        yield flip(size, i, j)
    for first, second in zip(_BOOSTS, (*_TURNS, _TURNS[1]), strict=True):
        for i, j in pairs(size):
            same = _same(signs, i, j)
            yield plane_rotation(size, i, j, *second) if same else _boost(size, i, j, *first)
            if not same:
                yield _boost(size, i, j, first[0], -first[1])
    if not special:
        yield from (
            of_permutation(cycle(size, pair)) for pair in pairs(size) if _same(signs, *pair)
        )
    mixed = [pair for pair in pairs(size) if not _same(signs, *pair)]
    yield from (
        product_of(_boost(size, *a, *_BOOSTS[0]), _boost(size, *b, *_BOOSTS[1]))
        for a in mixed
        for b in mixed
    )


def _sample(signs: tuple[int, ...], rng: random.Random, *, special: bool) -> Matrix:
    """Draws a Cayley transform of the Lie algebra, times signs that choose the component."""
    flips = [rng.choice((1, -1)) for _ in signs]
    if special and flips.count(-1) % 2:
        flips[0] = -flips[0]
    return product_of(diagonal(flips), forms.sample(forms.lie(_diagonal(signs)), len(signs), rng))


def _diagonal(signs: tuple[int, ...]) -> list[list[int]]:
    return [[s if i == j else 0 for j in range(len(signs))] for i, s in enumerate(signs)]


def words(g: Matrix, axis: str | int) -> str:
    """Describes a matrix that keeps a form with signs, other than the identity, in words."""
    size = len(g)
    moved = [i for i in range(size) if g[i] != unit(size)[i]]
    if all(g[i][i] == -1 for i in moved):
        if len(moved) == size > 1:
            return "turn every vector into its negative"
        return f"reflect coordinate{'s' if len(moved) > 1 else ''} {numbered(moved)}"
    if len(moved) == 2:
        i, j = moved
        if g[i][j] == g[j][i] == 1:
            return f"swap coordinates {numbered(moved)}"
        if g[i][i] == g[j][j] and g[i][j] == g[j][i]:
            return f"boost coordinates {numbered(moved)} with cosh = {g[i][i]} and sinh = {g[j][i]}"
        if g[i][i] == g[j][j] and g[i][j] == -g[j][i]:
            return f"rotate the plane {i + 1}-{j + 1} by the angle with cosine {g[i][i]} and sine {g[j][i]}"
    if size > MOST_SHOWN:
        return f"apply a {size} x {size} matrix that keeps the form"
    return f"apply the matrix {in_rows(g)}"


_ELEMENTS = matrices("lin", words, "g", has_dual=True)


def _signs(size: int) -> tuple[int, ...]:
    return (1, *[-1] * (size - 1))


def _telling(signs: tuple[int, ...]) -> Matrix | None:
    mixed = [pair for pair in pairs(len(signs)) if not _same(signs, *pair)]
    if mixed:
        return _boost(len(signs), *mixed[0], *_BOOSTS[0])
    return None


def _ends(size: int) -> list[Matrix]:
    return [flip(size, i) for i in sorted({0, size - 1})]


Lorentz = Family(
    letter="Lorentz",
    names=("Minkowski",),
    meaning="Lorentz transformations, one sign first",
    element="a Lorentz transformation",
    symbol="G",
    elements=_ELEMENTS,
    default_axis="d",
    why_not=lambda data, size: forms.why_not(data, _diagonal(_signs(size))),
    simple=lambda size: _simple(_signs(size), special=False),
    telling=lambda size: _telling(_signs(size)),
    sample=lambda size, rng: _sample(_signs(size), rng, special=False),
    form=lambda size: _diagonal(_signs(size)),
    lie=lambda size: forms.lie(_diagonal(_signs(size))),
    components=_ends,
    inside=(GL,),
    rocq=GL.rocq,
)


@cache
def indefinite(name: str) -> Family | None:
    """Returns the family named "O(p,q)" or "SO(p,q)", p and q from 1 to 99, or None.

    Its matrices have the one size p + q.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    special, p, q = bool(found[1]), int(found[2]), int(found[3])
    signs = (1,) * p + (-1,) * q
    other = (indefinite(name[1:]),) if special else ()

    def form(size: int) -> list[list[int]] | None:
        if size == p + q:
            return _diagonal(signs)
        return None

    def why_not(data: Any, size: int) -> str:
        reason = forms.why_not(data, form(size))
        return reason or (NOT_ONE if special and to_flint(data).det() != 1 else "")

    ends = [flip(p + q, 0, p + q - 1)] if special else _ends(p + q)
    return Family(
        letter=name,
        meaning=f"matrices that keep the form of the signs ({p}, {q})",
        element=f"a matrix of {name}",
        symbol="G",
        elements=_ELEMENTS,
        default_axis="d",
        why_not=why_not,
        simple=lambda size: _simple(signs, special=special),
        telling=lambda size: _telling(signs),
        sample=lambda size, rng: _sample(signs, rng, special=special),
        special=special,
        form=form,
        lie=lambda size: forms.lie(form(size)),
        components=lambda size: ends,
        inside=tuple(f for f in other if f),
        size=p + q,
        rocq=(SL if special else GL).rocq,
    )
