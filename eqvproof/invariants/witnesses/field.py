"""Real number fields Q(theta), and matrices over them.

A matrix over Q(theta) is a polynomial in theta with rational matrices as coefficients, of degree
less than that of the minimal polynomial. The rationals are the case of degree one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd, lcm
from typing import Any

from flint import fmpq, fmpq_mat, fmpz_mat, fmpz_poly, nmod_poly

from eqvproof.support.errors import ShapeError

Coefficients = tuple[fmpq, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A real number field with a chosen generator theta.

    Attributes:
        minimal: integer coefficients of the monic minimal polynomial of theta, constant term first.
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
        """True if this is the field of rational numbers."""
        return self.degree == 1

    def root_modulo(self, prime: int) -> int | None:
        """Returns a root of the minimal polynomial modulo a prime, or None if there is none.

        The root is the image of theta.
        """
        if self.is_rational:
            return 0
        if any(c.denominator % prime == 0 for c in self.minimal):
            return None
        images = [c.numerator * pow(c.denominator, -1, prime) % prime for c in self.minimal]
        roots = nmod_poly(images, prime).factor()[1]
        found = [int(-f[0]) % prime for f, _ in roots if f.degree() == 1]
        if found:
            return min(found)
        return None


#: The rational numbers (theta = 0).
RATIONALS = Field((Fraction(0), Fraction(1)), (Fraction(0), Fraction(0)))


@dataclass(frozen=True, eq=False)
class FieldMatrix:
    """A matrix over a number field: ``(parts[0] + parts[1] theta + ...) / bottom``.

    With integer parts over one denominator, products need no greatest common divisors for single
    entries. A rational matrix is converted to this form when it is first needed.

    Attributes:
        field: the field.
        given: one integer matrix for each dimension of the field, to be divided by `below`; or a
            rational matrix.
        below: the common denominator, positive; made coprime to the parts by `make`.
        shape: (rows, columns).
    """

    field: Field
    given: tuple[fmpz_mat, ...] | fmpq_mat
    below: int
    shape: tuple[int, int]

    @cached_property
    def _split(self) -> tuple[tuple[fmpz_mat, ...], int]:
        if isinstance(self.given, tuple):
            return self.given, self.below
        top, bottom = self.given.numer_denom()
        return (top,), int(bottom)

    @property
    def parts(self) -> tuple[fmpz_mat, ...]:
        """The coefficients of the powers of theta, integer matrices over `bottom`."""
        return self._split[0]

    @property
    def bottom(self) -> int:
        """The common denominator of all entries."""
        return self._split[1]

    @staticmethod
    def make(field: Field, parts: Iterable[fmpz_mat], bottom: int = 1) -> FieldMatrix:
        """Builds a matrix in lowest terms."""
        parts = tuple(parts)
        if bottom < 0:
            parts, bottom = tuple(-p for p in parts), -bottom
        if bottom != 1:
            common = bottom
            for part in parts:
                entries = part.entries()
                common = gcd(common, *(int(e) for e in entries[:4]))
                if common != 1:
                    common = gcd(common, int(fmpz_poly(entries).content()))
            if common != 1:
                parts = tuple(part / common for part in parts)
                bottom //= common
        return FieldMatrix(field, parts, bottom, (parts[0].nrows(), parts[0].ncols()))

    @staticmethod
    def rational(matrix: fmpq_mat | fmpz_mat) -> FieldMatrix:
        """Builds a rational matrix."""
        if isinstance(matrix, fmpz_mat):
            return FieldMatrix(RATIONALS, (matrix,), 1, (matrix.nrows(), matrix.ncols()))
        return FieldMatrix(RATIONALS, matrix, 1, (matrix.nrows(), matrix.ncols()))

    @staticmethod
    def identity(size: int, field: Field = RATIONALS) -> FieldMatrix:
        """Builds the identity matrix."""
        zeros = (fmpz_mat(size, size),) * (field.degree - 1)
        return FieldMatrix(field, (_integer_identity(size), *zeros), 1, (size, size))

    @staticmethod
    def from_entries(
        field: Field, shape: tuple[int, int], entries: Sequence[Coefficients]
    ) -> FieldMatrix:
        """Builds a matrix from its entries, row by row.

        Each entry is the tuple of its coefficients of powers of theta.
        """
        bottom = lcm(*(int(c.q) for e in entries for c in e))
        tops = ([e[k].p * (bottom // e[k].q) for e in entries] for k in range(field.degree))
        return FieldMatrix(field, tuple(fmpz_mat(*shape, top) for top in tops), bottom, shape)

    @property
    def top(self) -> fmpz_mat:
        """The numerators of a rational matrix, over `bottom`."""
        return self.parts[0]

    @property
    def bits(self) -> int:
        """The largest bit length among the numerators and the common denominator."""
        lengths = [int(abs(e)).bit_length() for part in self.parts for e in part.entries()]
        return max([self.bottom.bit_length(), *lengths])

    def entries(self) -> list[Coefficients]:
        """Returns the entries, row by row, each as the tuple of its rational coefficients."""
        if isinstance(self.given, fmpq_mat):
            return [(e,) for e in self.given.entries()]
        columns = [[fmpq(e, self.bottom) for e in part.entries()] for part in self.parts]
        return list(zip(*columns, strict=True))

    def transpose(self) -> FieldMatrix:
        """Returns the transposed matrix."""
        parts = tuple(part.transpose() for part in self.parts)
        return FieldMatrix(self.field, parts, self.bottom, (self.shape[1], self.shape[0]))

    def __add__(self, other: FieldMatrix) -> FieldMatrix:
        return self._combine(other, 1)

    def __sub__(self, other: FieldMatrix) -> FieldMatrix:
        return self._combine(other, -1)

    def _combine(self, other: FieldMatrix, sign: int) -> FieldMatrix:
        if self.shape != other.shape or self.field != other.field:
            raise ShapeError(
                "the matrices have different shapes",
                given=f"{self.shape} and {other.shape}",
                expected="one shape",
                hint="compare matrices of the same shape",
            )
        bottom = lcm(self.bottom, other.bottom)
        left, right = bottom // self.bottom, sign * (bottom // other.bottom)
        pairs = zip(self.parts, other.parts, strict=True)
        return FieldMatrix.make(self.field, (a * left + b * right for a, b in pairs), bottom)

    def __matmul__(self, other: FieldMatrix) -> FieldMatrix:
        if self.shape[1] != other.shape[0] or self.field != other.field:
            raise ShapeError(
                "the matrices cannot be multiplied",
                given=f"{self.shape} and {other.shape}",
                expected="as many columns on the left as rows on the right",
                hint="transpose one of them",
            )
        bottom = self.bottom * other.bottom
        if self.field.is_rational:
            return FieldMatrix.make(self.field, (self.top * other.top,), bottom)
        degree = self.field.degree
        product = [fmpz_mat(self.shape[0], other.shape[1]) for _ in range(2 * degree - 1)]
        for i, a in enumerate(self.parts):
            for j, b in enumerate(other.parts):
                product[i + j] += a * b
        # theta^degree = -(c_0 + c_1 theta + ...), with common denominator e
        e = lcm(*(c.denominator for c in self.field.minimal))
        for k in range(2 * degree - 2, degree - 1, -1):
            high = product.pop()
            product = [p * e for p in product]
            bottom *= e
            for i, c in enumerate(self.field.minimal[:-1]):
                product[k - degree + i] -= high * int(c * e)
        return FieldMatrix.make(self.field, product, bottom)

    def scale(self, factor: int | fmpq) -> FieldMatrix:
        """Multiplies the matrix by a rational number."""
        number = fmpq(factor)
        return FieldMatrix.make(
            self.field, (p * number.p for p in self.parts), self.bottom * int(number.q)
        )

    def is_zero(self) -> bool:
        """Returns True if every entry is zero."""
        return all(part.is_zero() for part in self.parts)

    def equals(self, other: FieldMatrix) -> bool:
        """Checks whether two matrices over the same field are equal."""
        pairs = zip(self.parts, other.parts, strict=True)
        if self.shape != other.shape:
            return False
        if self.bottom == other.bottom:
            return all(a == b for a, b in pairs)
        return all(a * other.bottom == b * self.bottom for a, b in pairs)

    def select(
        self, rows: Iterable[int] | None = None, columns: Iterable[int] | None = None
    ) -> FieldMatrix:
        """Returns the submatrix of the rows and columns with the given indices, in that order."""
        every_row, every_column = list(range(self.shape[0])), list(range(self.shape[1]))
        row_list, column_list = every_row, every_column
        if rows is not None:
            row_list = list(rows)
        if columns is not None:
            column_list = list(columns)
        if row_list == every_row and column_list == every_column:
            return self
        if isinstance(self.given, fmpq_mat):
            source = self.given
            picked = [source[i, j] for i in row_list for j in column_list]
            return FieldMatrix.rational(fmpq_mat(len(row_list), len(column_list), picked))
        parts = []
        for part in self.parts:
            chosen = [part[i, j] for i in row_list for j in column_list]
            parts.append(fmpz_mat(len(row_list), len(column_list), chosen))
        return FieldMatrix.make(self.field, parts, self.bottom)

    def solve(self, right: FieldMatrix) -> FieldMatrix:
        """Solves ``self Z = right`` for an invertible matrix.

        Over a field of degree m this is one rational system of m times the size, since
        multiplication by an element is a linear map of Q^m.

        Raises:
            ZeroDivisionError: for a singular matrix.
        """
        if self.field.is_rational:
            top, bottom = solve_integers(self.top, right.top)
            return FieldMatrix.make(self.field, (top * self.bottom,), bottom * right.bottom)
        degree, size, width = self.field.degree, self.shape[0], right.shape[1]
        if not size or not width:
            return FieldMatrix.make(self.field, (fmpz_mat(size, width) for _ in range(degree)))
        powers = [self]
        for _ in range(degree - 1):
            powers.append(powers[-1]._times_theta())
        tables = [
            [(fmpq_mat(part) / power.bottom).tolist() for part in power.parts] for power in powers
        ]
        rows = [
            [tables[k][i][row][column] for k in range(degree) for column in range(size)]
            for i in range(degree)
            for row in range(size)
        ]
        stacked = fmpz_mat([row for part in right.parts for row in part.tolist()])
        top, denominator = fmpq_mat(rows).solve(fmpq_mat(stacked)).numer_denom()
        solved = top.tolist()
        parts = [fmpz_mat(solved[k * size : (k + 1) * size]) for k in range(degree)]
        return FieldMatrix.make(self.field, parts, int(denominator) * right.bottom)

    def _times_theta(self) -> FieldMatrix:
        e = lcm(*(c.denominator for c in self.field.minimal))
        shifted = [fmpz_mat(*self.shape), *self.parts[:-1]]
        last = self.parts[-1]
        parts = [
            p * e - last * int(c * e) for p, c in zip(shifted, self.field.minimal[:-1], strict=True)
        ]
        return FieldMatrix.make(self.field, parts, self.bottom * e)

    def residues(self, prime: int, root: int) -> list[int] | None:
        """Reduces the entries modulo a prime, theta mapped to a root; None for a bad prime.

        This is a ring homomorphism: equal numbers have equal residues, so that different residues
        prove a difference.
        """
        if self.bottom % prime == 0:
            return None
        power = pow(self.bottom, -1, prime)
        total = [0] * (self.shape[0] * self.shape[1])
        for part in self.parts:
            total = [
                (t + int(e % prime) * power) % prime
                for t, e in zip(total, part.entries(), strict=True)
            ]
            power = power * root % prime
        return total


@lru_cache(maxsize=32)
def _integer_identity(size: int) -> fmpz_mat:
    return fmpz_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])


def solve_integers(left: fmpz_mat, right: fmpz_mat) -> tuple[fmpz_mat, int]:
    """Solves ``left Z = b right`` for an invertible left side; returns (Z, b), both integral.

    Raises:
        ZeroDivisionError: for a singular left side.
    """
    solution: Any = left.solve(right)  # a fmpq_mat; the type stub says otherwise
    top, bottom = solution.numer_denom()
    return top, int(bottom)
