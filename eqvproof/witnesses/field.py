"""Real number fields Q(theta), and matrices over them.

A matrix over Q(theta) is a polynomial in theta with rational matrices as coefficients, of degree less than the
degree of the minimal polynomial. The rationals are the case of degree one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat, fmpz_mat, nmod_poly

from eqvproof.errors import ShapeError

Coefficients = tuple[fmpq, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A real number field with a chosen generator theta.

    Attributes:
        minimal: coefficients of the monic minimal polynomial of theta, constant term first.
        interval: rational ends of an interval in which theta is the only root.
        generator: theta as a SymPy expression; None for the rationals.
    """

    minimal: tuple[Fraction, ...]
    interval: tuple[Fraction, Fraction]
    generator: Any = None

    @property
    def degree(self) -> int:
        """The dimension of the field over the rationals."""
        return len(self.minimal) - 1

    @property
    def is_rational(self) -> bool:
        """Whether this is the field of rational numbers."""
        return self.degree == 1

    def root_modulo(self, prime: int) -> int | None:
        """A root of the minimal polynomial modulo a prime: the image of theta, or None if there is none."""
        if self.is_rational:
            return 0
        if any(c.denominator % prime == 0 for c in self.minimal):
            return None
        images = [c.numerator * pow(c.denominator, -1, prime) % prime for c in self.minimal]
        roots = nmod_poly(images, prime).factor()[1]
        found = [int(-f[0]) % prime for f, _ in roots if f.degree() == 1]
        return min(found) if found else None


#: The rational numbers (theta = 0).
RATIONALS = Field((Fraction(0), Fraction(1)), (Fraction(0), Fraction(0)))


@dataclass(frozen=True, slots=True, eq=False)
class FieldMatrix:
    """A matrix over a number field: ``parts[0] + parts[1] theta + ...``.

    Attributes:
        field: the field.
        parts: as many rational matrices of one shape as the field has dimensions.
        shape: (rows, columns).
    """

    field: Field
    parts: tuple[fmpq_mat, ...]
    shape: tuple[int, int]

    @staticmethod
    def rational(matrix: fmpq_mat | fmpz_mat) -> FieldMatrix:
        """A rational matrix."""
        return FieldMatrix(RATIONALS, (fmpq_mat(matrix),), (matrix.nrows(), matrix.ncols()))

    @staticmethod
    def identity(size: int, field: Field = RATIONALS) -> FieldMatrix:
        """The identity matrix."""
        one = fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
        zero = fmpq_mat(size, size)
        return FieldMatrix(field, (one,) + (zero,) * (field.degree - 1), (size, size))

    @staticmethod
    def from_entries(
        field: Field, shape: tuple[int, int], entries: Sequence[Coefficients]
    ) -> FieldMatrix:
        """A matrix from its entries, row by row, each a tuple of coefficients of powers of theta."""
        parts = tuple(fmpq_mat(*shape, [e[k] for e in entries]) for k in range(field.degree))
        return FieldMatrix(field, parts, shape)

    def entries(self) -> list[Coefficients]:
        """The entries, row by row."""
        return list(zip(*(part.entries() for part in self.parts), strict=True))

    def numerators(self) -> tuple[fmpz_mat, int]:
        """A rational matrix as an integer matrix over one denominator."""
        top, bottom = self.parts[0].numer_denom()
        return top, int(bottom)

    def transpose(self) -> FieldMatrix:
        """The transposed matrix."""
        return FieldMatrix(self.field, tuple(p.transpose() for p in self.parts), self.shape[::-1])

    def __add__(self, other: FieldMatrix) -> FieldMatrix:
        return self._zip(other, [a + b for a, b in zip(self.parts, other.parts, strict=True)])

    def __sub__(self, other: FieldMatrix) -> FieldMatrix:
        return self._zip(other, [a - b for a, b in zip(self.parts, other.parts, strict=True)])

    def _zip(self, other: FieldMatrix, parts: list[fmpq_mat]) -> FieldMatrix:
        if self.shape != other.shape or self.field != other.field:
            raise ShapeError("matrices of different shapes", given=f"{self.shape} and {other.shape}")
        return FieldMatrix(self.field, tuple(parts), self.shape)

    def __matmul__(self, other: FieldMatrix) -> FieldMatrix:
        if self.shape[1] != other.shape[0] or self.field != other.field:
            raise ShapeError("matrices that cannot be multiplied", given=f"{self.shape} and {other.shape}")
        shape = (self.shape[0], other.shape[1])
        if self.field.is_rational:
            return FieldMatrix(self.field, (self.parts[0] * other.parts[0],), shape)
        degree = self.field.degree
        product = [fmpq_mat(*shape) for _ in range(2 * degree - 1)]
        for i, a in enumerate(self.parts):
            for j, b in enumerate(other.parts):
                product[i + j] += a * b
        for k in range(2 * degree - 2, degree - 1, -1):
            for i, c in enumerate(self.field.minimal[:-1]):
                product[k - degree + i] -= product[k] * fmpq(c.numerator, c.denominator)
        return FieldMatrix(self.field, tuple(product[:degree]), shape)

    def scale(self, factor: int | fmpq) -> FieldMatrix:
        """The matrix times a rational number."""
        return FieldMatrix(self.field, tuple(p * fmpq(factor) for p in self.parts), self.shape)

    def is_zero(self) -> bool:
        """Whether every entry is zero."""
        return not any(part != fmpq_mat(*self.shape) for part in self.parts)

    def equals(self, other: FieldMatrix) -> bool:
        """Whether two matrices over the same field are equal."""
        return self.shape == other.shape and self.parts == other.parts

    def select(self, rows: Iterable[int] | None = None, columns: Iterable[int] | None = None) -> FieldMatrix:
        """The rows and columns with the given indices, in that order."""
        row_list = list(range(self.shape[0]) if rows is None else rows)
        column_list = list(range(self.shape[1]) if columns is None else columns)
        parts = []
        for part in self.parts:
            entries = part.entries()
            width = self.shape[1]
            chosen = [entries[i * width + j] for i in row_list for j in column_list]
            parts.append(fmpq_mat(len(row_list), len(column_list), chosen))
        return FieldMatrix(self.field, tuple(parts), (len(row_list), len(column_list)))

    def solve(self, right: FieldMatrix) -> FieldMatrix:
        """The solution Z of ``self Z = right`` for an invertible matrix.

        Over a field of degree m this is one rational system of m times the size: multiplication by an element
        is a linear map of Q^m.

        Raises:
            ZeroDivisionError: for a singular matrix.
        """
        if self.field.is_rational:
            top, bottom = self.numerators()
            right_top, right_bottom = right.numerators()
            solution = fmpq_mat(top.solve(right_top)) * fmpq(bottom, right_bottom)
            return FieldMatrix(self.field, (solution,), right.shape)
        degree, size, width = self.field.degree, self.shape[0], right.shape[1]
        powers = [self]
        for _ in range(degree - 1):
            powers.append(powers[-1]._times_theta())
        tables = [[part.tolist() for part in power.parts] for power in powers]
        rows = [
            [tables[k][i][row][column] for k in range(degree) for column in range(size)]
            for i in range(degree)
            for row in range(size)
        ]
        stacked = [row for part in right.parts for row in part.tolist()]
        if not size or not width:
            return FieldMatrix(self.field, tuple(fmpq_mat(size, width) for _ in range(degree)), (size, width))
        solution = fmpq_mat(rows).solve(fmpq_mat(stacked)).tolist()
        parts = tuple(fmpq_mat(solution[k * size : (k + 1) * size]) for k in range(degree))
        return FieldMatrix(self.field, parts, (size, width))

    def _times_theta(self) -> FieldMatrix:
        last = self.parts[-1]
        shifted = [fmpq_mat(*self.shape), *self.parts[:-1]]
        parts = [
            part - last * fmpq(c.numerator, c.denominator)
            for part, c in zip(shifted, self.field.minimal[:-1], strict=True)
        ]
        return FieldMatrix(self.field, tuple(parts), self.shape)

    def residues(self, prime: int, root: int) -> list[int] | None:
        """The entries, row by row, modulo a prime with theta at a root; None if the prime divides a denominator.

        A ring homomorphism: equal numbers have equal residues, so that different residues prove a difference.
        """
        total = [0] * (self.shape[0] * self.shape[1])
        power = 1
        for part in self.parts:
            top, bottom = part.numer_denom()
            if int(bottom) % prime == 0:
                return None
            factor = pow(int(bottom), -1, prime) * power % prime
            total = [(t + int(e % prime) * factor) % prime for t, e in zip(total, top.entries(), strict=True)]
            power = power * root % prime
        return total
