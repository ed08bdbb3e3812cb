"""U, SU: unitary matrices X + iY, as the real orthogonal matrices ``[[X, -Y], [Y, X]]``.

These are the orthogonal matrices that commute with i. They act on complex vectors x + iy as on the
real ones (x, y):
``(X + iY)(x + iy) = (Xx - Yy) + i(Yx + Xy)``. Of real orthogonal matrices g these are the ones with
``g^T J g = J``, J = ``[[0, I], [-I, 0]]``, so that ``J g = g J``. The group is connected; its Lie
algebra is all X + iY with X skew and Y symmetric, for SU Y of trace 0. At odd sizes there are none,
and the group is the identity alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from eqvproof.claims.complex_number import ComplexNumber
from eqvproof.claims.groups import forms
from eqvproof.claims.groups.families.orthogonal import SO
from eqvproof.claims.groups.families.orthogonal import why_not as why_not_orthogonal
from eqvproof.claims.groups.families.symplectic import standard
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import matrices
from eqvproof.claims.groups.matrices import MOST_SHOWN, Matrix, pairs, unit

Complex = tuple[Fraction, Fraction]
_ONE, _ZERO = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(0))
#: Complex numbers of modulus 1: i, -1, and one with a 3-4-5 angle.
_PHASES = [
    (Fraction(0), Fraction(1)),
    (Fraction(-1), Fraction(0)),
    (Fraction(3, 5), Fraction(4, 5)),
]


def _real(rows: Sequence[Sequence[Complex]]) -> Matrix:
    """Returns the real matrix ``[[X, -Y], [Y, X]]`` of a complex matrix X + iY."""
    top = [(*(z[0] for z in row), *(-z[1] for z in row)) for row in rows]
    return (*top, *((*(z[1] for z in row), *(z[0] for z in row)) for row in rows))


def _complex(g: Matrix) -> list[list[Complex]]:
    half = len(g) // 2
    return [[(g[i][j], g[half + i][j]) for j in range(half)] for i in range(half)]


def _diagonal(entries: Sequence[Complex]) -> Matrix:
    return _real(
        [[z if i == j else _ZERO for j in range(len(entries))] for i, z in enumerate(entries)]
    )


def _times(x: Complex, y: Complex) -> Complex:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def determinant(g: Matrix) -> Complex:
    """Computes det(X + iY), by elimination."""
    rows, result = _complex(g), _ONE
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k] != _ZERO), None)
        if pivot is None:
            return _ZERO
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], (-result[0], -result[1])
        a, b = rows[k][k]
        result = _times(result, (a, b))
        inverse = (a / (a * a + b * b), -b / (a * a + b * b))
        for i in range(k + 1, len(rows)):
            by = _times(rows[i][k], inverse)
            rows[i] = [
                (x[0] - z[0], x[1] - z[1])
                for x, z in zip(rows[i], (_times(by, y) for y in rows[k]), strict=True)
            ]
    return result


def _why_not(data: Any, size: int, *, special: bool) -> str:
    reason = why_not_orthogonal(data, size) or forms.why_not(data, standard(size))
    if reason or not special or standard(size) is None:
        return reason
    if determinant(data) == _ONE:
        return ""
    return "the complex determinant is not 1"


def _plane(half: int, i: int, j: int, block: Sequence[Sequence[Complex]]) -> Matrix:
    rows = [[_ONE if a == b else _ZERO for b in range(half)] for a in range(half)]
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = (*block[0], *block[1])
    return _real(rows)


def _simple(size: int, *, special: bool) -> Iterator[Matrix]:
    """Yields phases of one coordinate and of all, opposite phases of two, and turns of planes.

    The turns are real, or have i times the sine off the diagonal. If `special`, only those of
    determinant 1.
    """
    half = 0 if size % 2 else size // 2
    for z in _PHASES:
        if half and not special:
            yield from (
                _diagonal([z if k == i else _ONE for k in range(half)]) for i in range(half)
            )
            yield _diagonal([z] * half)
        for i, j in pairs(half):
            back = (z[0], -z[1])
            yield _diagonal([z if k == i else back if k == j else _ONE for k in range(half)])
    zero = Fraction(0)
    for c, s in ((zero, Fraction(1)), (Fraction(3, 5), Fraction(4, 5))):
        for i, j in pairs(half):
            yield _plane(half, i, j, [[(c, zero), (-s, zero)], [(s, zero), (c, zero)]])
            yield _plane(half, i, j, [[(c, zero), (zero, s)], [(zero, s), (c, zero)]])


def _lie(size: int, *, special: bool) -> list[list[list[int]]]:
    """Returns a basis of the Lie algebra: X + iY with X skew and Y symmetric (of trace 0)."""
    half, found = 0 if size % 2 else size // 2, []

    def empty() -> list[list[int]]:
        return [[0] * size for _ in range(size)]

    for i in range(half):
        for j in range(i + 1):
            a = empty()
            for k, m in {(i, j), (j, i)}:
                a[k][half + m], a[half + k][m] = -1, 1
            if special and i == j:
                if not i:
                    continue
                a[i - 1][half + i - 1], a[half + i - 1][i - 1] = 1, -1
            found.append(a)
            if i != j:
                b = empty()
                b[i][j] = b[half + i][half + j] = 1
                b[j][i] = b[half + j][half + i] = -1
                found.append(b)
    return found


def _sample(size: int, rng: random.Random, *, special: bool) -> Matrix:
    """Draws a Cayley transform of the Lie algebra; for SU a phase multiplies its first row."""
    if size % 2:
        return unit(size)
    g = forms.sample(_lie(size, special=False), size, rng)
    if not special:
        return g
    re, im = determinant(g)
    rows = _complex(g)
    return _real([[_times(z, (re, -im)) for z in rows[0]], *rows[1:]])


def _telling(size: int) -> Matrix | None:
    phase = _PHASES[2]
    rest = [_ONE] * (size // 2 - 2)
    if size % 2 or size < 4:
        return None
    return _diagonal([phase, (phase[0], -phase[1]), *rest])


def words(g: Matrix, axis: str | int) -> str:
    """Describes a unitary matrix other than the identity in words."""
    rows = _complex(g)
    half = len(rows)
    if all(rows[i][j] == _ZERO for i in range(half) for j in range(half) if i != j):
        moved = {i + 1: ComplexNumber(*rows[i][i]) for i in range(half) if rows[i][i] != _ONE}
        return "multiply " + " and ".join(f"coordinate {i} by {z}" for i, z in moved.items())
    if half > MOST_SHOWN:
        return f"apply a unitary {half} x {half} matrix"
    shown = (", ".join(str(ComplexNumber(*z)) for z in row) for row in rows)
    return f"apply the unitary matrix [{', '.join(f'[{row}]' for row in shown)}]"


_ELEMENTS = matrices("orth", words, "u", has_dual=False)
U = Family(
    letter="U",
    names=("Unitary",),
    meaning="unitary matrices, on complex arrays",
    element="a unitary matrix",
    symbol="U",
    elements=_ELEMENTS,
    default_axis="d",
    why_not=lambda data, size: _why_not(data, size, special=False),
    simple=lambda size: _simple(size, special=False),
    telling=_telling,
    sample=lambda size, rng: _sample(size, rng, special=False),
    special=True,
    form=standard,
    reals=2,
    lie=lambda size: _lie(size, special=False),
    components=lambda size: [],
    rocq=SO.rocq,
)
SU = Family(
    letter="SU",
    meaning="unitary matrices of determinant 1",
    element="a special unitary matrix",
    symbol="U",
    elements=_ELEMENTS,
    default_axis="d",
    why_not=lambda data, size: _why_not(data, size, special=True),
    simple=lambda size: _simple(size, special=True),
    telling=_telling,
    sample=lambda size, rng: _sample(size, rng, special=True),
    special=True,
    form=standard,
    reals=2,
    lie=lambda size: _lie(size, special=True),
    components=lambda size: [],
    trivial_below=3,
    inside=(U,),
    rocq=SO.rocq,
)
