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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eqvproof.claims.complex_number import ComplexNumber
from eqvproof.claims.groups.families.orthogonal import SO, O, OrthogonalMatrices
from eqvproof.claims.groups.families.symplectic import skew_form
from eqvproof.claims.groups.family import LieFamily
from eqvproof.claims.groups.forms import draw_cayley_transform, why_not_keeping
from eqvproof.claims.groups.matrices import MOST_SHOWN, Matrix, index_pairs, unit

Complex = tuple[Fraction, Fraction]
_ONE, _ZERO = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(0))
#: Complex numbers of modulus 1: i, -1, and one with a 3-4-5 angle.
_PHASES = [
    (Fraction(0), Fraction(1)),
    (Fraction(-1), Fraction(0)),
    (Fraction(3, 5), Fraction(4, 5)),
]


def _to_real(rows: Sequence[Sequence[Complex]]) -> Matrix:
    """Returns the real matrix ``[[X, -Y], [Y, X]]`` of a complex matrix X + iY."""
    top = [(*(z[0] for z in row), *(-z[1] for z in row)) for row in rows]
    return (*top, *((*(z[1] for z in row), *(z[0] for z in row)) for row in rows))


def _to_complex(g: Matrix) -> list[list[Complex]]:
    half = len(g) // 2
    return [[(g[i][j], g[half + i][j]) for j in range(half)] for i in range(half)]


def _identity_rows(half: int) -> list[list[Complex]]:
    """Returns the rows of the complex identity matrix."""
    return [[(Fraction(int(i == j)), Fraction(0)) for j in range(half)] for i in range(half)]


def _with_phases(half: int, phases: Mapping[int, Complex]) -> Matrix:
    """Returns the diagonal matrix with these entries at some places, and 1 at the others."""
    rows = _identity_rows(half)
    for i, z in phases.items():
        rows[i][i] = z
    return _to_real(rows)


def _multiply_complex(x: Complex, y: Complex) -> Complex:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def complex_determinant(g: Matrix) -> Complex:
    """Computes det(X + iY), by elimination."""
    rows, result = _to_complex(g), _ONE
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k] != _ZERO), None)
        if pivot is None:
            return _ZERO
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], (-result[0], -result[1])
        a, b = rows[k][k]
        result = _multiply_complex(result, (a, b))
        reciprocal = (a / (a * a + b * b), -b / (a * a + b * b))
        for i in range(k + 1, len(rows)):
            by = _multiply_complex(rows[i][k], reciprocal)
            rows[i] = [
                (x[0] - z[0], x[1] - z[1])
                for x, z in zip(rows[i], (_multiply_complex(by, y) for y in rows[k]), strict=True)
            ]
    return result


def _plane(half: int, i: int, j: int, block: Sequence[Sequence[Complex]]) -> Matrix:
    rows = _identity_rows(half)
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = (*block[0], *block[1])
    return _to_real(rows)


class UnitaryMatrices(OrthogonalMatrices):
    """Unitary matrices, as real orthogonal ones."""

    variable = "u"

    def describe(self, data: Matrix, axis: str | int) -> str:
        rows = _to_complex(data)
        half = len(rows)
        if all(rows[i][j] == _ZERO for i in range(half) for j in range(half) if i != j):
            changed = {i: ComplexNumber(*rows[i][i]) for i in range(half) if rows[i][i] != _ONE}
            return "multiply " + " and ".join(f"coordinate {i} by {z}" for i, z in changed.items())
        if half > MOST_SHOWN:
            return f"apply a unitary {half} x {half} matrix"
        shown = (", ".join(str(ComplexNumber(*z)) for z in row) for row in rows)
        return f"apply the unitary matrix [{', '.join(f'[{row}]' for row in shown)}]"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unitary(LieFamily):
    """U, and SU where the complex determinant is 1.

    Attributes:
        of_determinant_one: whether the determinant of X + iY is 1; that of the real matrix always
            is.
    """

    of_determinant_one: bool

    keeps_form = True

    def form(self, size: int) -> list[list[int]] | None:
        return skew_form(size)

    def why_not(self, data: Any, size: int) -> str:
        if reason := O.why_not(data, size) or why_not_keeping(skew_form(size), data):
            return reason
        if self.of_determinant_one and size % 2 == 0 and complex_determinant(data) != _ONE:
            return "the complex determinant is not 1"
        return ""

    def simple(self, size: int) -> Iterator[Matrix]:
        """Yields phases of one coordinate and of all, opposite phases of two, turns of planes.

        The turns are real, or have i times the sine off the diagonal. Of SU, only those of
        determinant 1.
        """
        if size % 2:
            return
        half = size // 2
        for z in _PHASES:
            if half and not self.of_determinant_one:
                yield from (_with_phases(half, {i: z}) for i in range(half))
                yield _with_phases(half, dict.fromkeys(range(half), z))
            for i, j in index_pairs(half):
                yield _with_phases(half, {i: z, j: (z[0], -z[1])})
        zero = Fraction(0)
        for c, s in ((zero, Fraction(1)), (Fraction(3, 5), Fraction(4, 5))):
            for i, j in index_pairs(half):
                yield _plane(half, i, j, [[(c, zero), (-s, zero)], [(s, zero), (c, zero)]])
                yield _plane(half, i, j, [[(c, zero), (zero, s)], [(zero, s), (c, zero)]])

    def revealing_element(self, size: int) -> Matrix | None:
        phase = _PHASES[2]
        if size % 2 or size < 4:
            return None
        return _with_phases(size // 2, {0: phase, 1: (phase[0], -phase[1])})

    def sample(self, size: int, rng: random.Random) -> Matrix:
        """Draws a Cayley transform of the Lie algebra; for SU a phase multiplies its first row."""
        if size % 2:
            return unit(size)
        g = draw_cayley_transform(_unitary_algebra(size), size, rng)
        if not self.of_determinant_one:
            return g
        re, im = complex_determinant(g)
        rows = _to_complex(g)
        return _to_real([[_multiply_complex(z, (re, -im)) for z in rows[0]], *rows[1:]])

    def lie(self, size: int) -> list[list[list[int]]]:
        return _unitary_algebra(size, traceless=self.of_determinant_one)

    def components(self, size: int) -> list[Matrix]:
        return []


def _unitary_algebra(size: int, *, traceless: bool = False) -> list[list[list[int]]]:
    """Returns a basis of the Lie algebra: X + iY with X skew and Y symmetric (of trace 0)."""
    if size % 2:
        return []
    half = size // 2
    found = []

    def empty() -> list[list[int]]:
        return [[0] * size for _ in range(size)]

    for i in range(half):
        for j in range(i + 1):
            a = empty()
            for k, m in {(i, j), (j, i)}:
                a[k][half + m], a[half + k][m] = -1, 1
            if traceless and i == j:
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


UNITARY = UnitaryMatrices()
U = Unitary(
    letter="U",
    names=("Unitary",),
    meaning="unitary matrices, on complex arrays",
    element="a unitary matrix",
    symbol="U",
    kind=UNITARY,
    default_axis="d",
    of_determinant_one=False,
    special=True,
    reals=2,
    rocq=SO.rocq,
)
SU = Unitary(
    letter="SU",
    meaning="unitary matrices of determinant 1",
    element="a special unitary matrix",
    symbol="U",
    kind=UNITARY,
    default_axis="d",
    of_determinant_one=True,
    special=True,
    reals=2,
    trivial_below=3,
    inside=(U,),
    rocq=SO.rocq,
)
