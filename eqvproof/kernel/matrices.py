"""Matrices over the rationals and over real number fields, with enclosures of their entries.

A number is an integer polynomial in theta over a common denominator, theta a real root of a monic
integer polynomial (for rational numbers there is no theta). Equal polynomials stand for equal
numbers; that two numbers differ is shown by disjoint enclosures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from .exact import common, paid
from .report import Rejected, spend
from .tensors import tensor
from .text import fields, integer, items, read_rational

#: Largest degree of a number field, and number of bisections of the interval of its generator.
MOST_DEGREE, BISECTIONS = 24, 600
Element = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """The field Q(theta), given by a monic polynomial, and an interval with its root theta.

    `lower` are the coefficients of the polynomial but the leading one.
    """

    lower: tuple[int, ...] = (0,)
    interval: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))

    @property
    def degree(self) -> int:
        """The number of coefficients of an element."""
        return len(self.lower)

    def value_at(self, x: Fraction) -> Fraction:
        """Evaluates the minimal polynomial at a rational."""
        total = Fraction(1)
        for c in reversed(self.lower):
            total = paid(total * x + c)
        return total

    def words(self) -> str:
        """Returns the field in words, for a statement."""
        if self.degree == 1:
            return ""
        terms = " + ".join(f"{c} t^{k}" for k, c in enumerate(self.lower) if c)
        low, high = self.interval
        return f" (over Q(t), t^{self.degree} + {terms} = 0, {low} < t < {high})"


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix; each entry is an integer polynomial in theta over one common denominator.

    Entries are listed row by row.
    """

    rows: int
    columns: int
    entries: tuple[Element, ...]
    bottom: int

    def column(self, j: int) -> tuple[Element, ...]:
        """Returns the entries of a column."""
        if self.columns:
            return self.entries[j :: self.columns]
        return ()

    @property
    def bits(self) -> int:
        """The bit length of the longest integer."""
        return max((abs(c).bit_length() for e in self.entries for c in e), default=1)


def read_field(value: Any) -> Field:
    """Reads a number field from its polynomial and interval."""
    minimal, interval = fields(value, "$.field", "minimal", "interval")
    numbers = [
        read_rational(c, "$.field.minimal")
        for c in items(minimal, "$.field.minimal", MOST_DEGREE + 1)
    ]
    ends = [read_rational(e, "$.field.interval") for e in items(interval, "$.field.interval", 2)]
    if (
        len(numbers) < 3
        or numbers[-1] != 1
        or any(c.denominator != 1 for c in numbers)
        or len(ends) != 2
    ):
        raise Rejected(
            "$.field: expected a monic integer polynomial of degree 2 or more, and two ends"
        )
    field = Field(tuple(int(c) for c in numbers[:-1]), (ends[0], ends[1]))
    if not ends[0] < ends[1] or field.value_at(ends[0]) * field.value_at(ends[1]) >= 0:
        raise Rejected("$.field.interval: the polynomial does not change its sign there")
    chain = _chain([Fraction(c) for c in numbers])
    if _changes(chain, ends[0]) - _changes(chain, ends[1]) != 1:
        raise Rejected("$.field.interval: more than one root")
    return field


def _chain(polynomial: list[Fraction]) -> list[list[Fraction]]:
    """Returns J. Sturm's chain of a polynomial, up to positive factors.

    The chain is the polynomial, its derivative, and negated remainders of division.
    """
    found = [polynomial, [k * c for k, c in enumerate(polynomial)][1:]]
    while found[-1]:
        spend(8 * len(polynomial) ** 2)
        rest, by = found[-2], found[-1]
        while len(rest) >= len(by):
            at, factor = len(rest) - len(by), rest[-1] / by[-1]
            rest = [
                *rest[:at],
                *(paid(c - factor * d) for c, d in zip(rest[at:-1], by[:-1], strict=True)),
            ]
            while rest and not rest[-1]:
                rest = rest[:-1]
        size = max(map(abs, rest), default=Fraction(1))
        found.append([-c / size for c in rest])
    return found[:-1]


def _changes(chain: list[list[Fraction]], x: Fraction) -> int:
    """Counts the changes of sign in the chain at a point.

    Between two points as many changes are lost as there are roots.
    """
    values = [paid(sum((paid(c * x**k) for k, c in enumerate(p)), Fraction(0))) for p in chain]
    return sum(a * b < 0 for a, b in pairwise([v for v in values if v]))


def read_matrix(value: Any, path: str, field: Field) -> Matrix:
    """Reads a matrix from its shape and entries."""
    if field.degree == 1:
        plain = tensor(value, path)
        shape, numbers = plain.shape, [tuple([v]) for v in plain.values]
    else:
        its_shape, values = fields(value, path, "shape", "values")
        shape = tuple(integer(s, path, 0) for s in items(its_shape, path, 2))
        numbers = [read_element(v, path, field) for v in items(values, path)]
    if len(shape) != 2 or shape[0] * shape[1] != len(numbers):
        raise Rejected(f"{path}: expected a matrix")
    bottom = common(c.denominator for e in numbers for c in e)
    spend(len(numbers) * field.degree * (1 + bottom.bit_length() // 500))
    tops = tuple(tuple(c.numerator * (bottom // c.denominator) for c in e) for e in numbers)
    return Matrix(shape[0], shape[1], tops, bottom)


def read_element(value: Any, path: str, field: Field) -> tuple[Fraction, ...]:
    """Reads an element: a rational as text, or over larger fields the list of its coefficients."""
    if field.degree == 1:
        return (read_rational(value, path),)
    coefficients = items(value, path, field.degree)
    if len(coefficients) != field.degree:
        raise Rejected(f"{path}: expected {field.degree} coefficients")
    return tuple(read_rational(c, path) for c in coefficients)


def field_dot(left: Sequence[Element], right: Sequence[Element], field: Field) -> Element:
    """Returns the sum of products, reduced by the minimal polynomial."""
    if field.degree == 1:
        return (sum(a[0] * b[0] for a, b in zip(left, right, strict=True)),)
    degree = field.degree
    total = [0] * (2 * degree - 1)
    for a, b in zip(left, right, strict=True):
        for i, u in enumerate(a):
            for j, v in enumerate(b):
                total[i + j] += u * v
    for k in range(2 * degree - 2, degree - 1, -1):
        high = total.pop()
        for i, c in enumerate(field.lower):
            total[k - degree + i] -= high * c
    return tuple(total)


def price(count: int, length: int, bits: int, field: Field) -> None:
    """Accounts for the work of `count` inner products of the given length and number of bits."""
    spend(count * (1 + length * field.degree**2 * (1 + (bits // 600) ** 2) // 8))


def matrix_product(a: Matrix, b: Matrix, field: Field, path: str) -> Matrix:
    """Returns the product of two matrices."""
    if a.columns != b.rows:
        raise Rejected(f"{path}: {a.rows} x {a.columns} does not fit {b.rows} x {b.columns}")
    price(a.rows * b.columns, a.columns, max(a.bits, b.bits), field)
    columns = [b.column(j) for j in range(b.columns)]
    rows = [a.entries[i * a.columns : (i + 1) * a.columns] for i in range(a.rows)]
    return Matrix(
        a.rows,
        b.columns,
        tuple(field_dot(row, column, field) for row in rows for column in columns),
        a.bottom * b.bottom,
    )


def multiply_element(element: Element, factor: int) -> Element:
    """Returns an element times an integer."""
    return tuple(c * factor for c in element)


def is_equal(a: Matrix, b: Matrix) -> bool:
    """Checks whether two matrices of one shape are equal."""
    return all(
        multiply_element(u, b.bottom) == multiply_element(v, a.bottom)
        for u, v in zip(a.entries, b.entries, strict=True)
    )


def transposed(a: Matrix) -> Matrix:
    """Returns the transposed matrix."""
    return Matrix(
        a.columns, a.rows, tuple(e for j in range(a.columns) for e in a.column(j)), a.bottom
    )


def identity_matrix(size: int, field: Field) -> Matrix:
    """Returns the identity matrix."""
    one, zero = (1,) + (0,) * (field.degree - 1), (0,) * field.degree
    return Matrix(
        size, size, tuple(one if i == j else zero for i in range(size) for j in range(size)), 1
    )


def _theta(field: Field) -> tuple[Fraction, Fraction]:
    """Returns a short interval around the root in the field's interval."""
    low, high = field.interval
    if low == high:
        return field.interval
    rising = field.value_at(low) < 0
    for _ in range(BISECTIONS):
        spend(60 * field.degree)
        middle = (low + high) / 2
        value = field.value_at(middle)
        if value == 0:
            return middle, middle
        if (value < 0) == rising:
            low, high = (middle, high)
        else:
            low, high = (low, middle)
    return low, high


def _enclosure(element: Element, ends: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Returns an interval around an element, for theta between the ends."""
    low = high = Fraction(0)
    for c in reversed(element):
        products = [paid(a * b) for a in (low, high) for b in ends]
        low, high = min(products) + c, max(products) + c
    return low, high


def enclosures(elements: set[Element], field: Field) -> list[tuple[Fraction, Fraction, Element]]:
    """Returns pairwise disjoint intervals around the elements, in ascending order.

    So different elements are different numbers.
    """
    if field.degree == 1:
        return sorted((Fraction(e[0]), Fraction(e[0]), e) for e in elements)
    ends = _theta(field)
    found = []
    for element in elements:
        spend(200 * field.degree)
        found.append((*_enclosure(element, ends), element))
    found.sort()
    if any(a[1] >= b[0] for a, b in pairwise(found)):
        raise Rejected("numbers that could not be told apart")
    return found


def determinant_sign(q: Matrix, field: Field) -> int:
    """Returns det Q = 1 or -1 of an orthogonal matrix of n rows.

    It is the sign of det(Q + E), where Q + E is Q rounded to multiples of 1/(4 n^2).

    Then ``|E| < 1/(4 n)``, and ``|det(Q + E) - det Q| = |det(1 + Q^T E) - 1| <= (1 + 1/(4 n))^n - 1
    < 1``.
    """
    n, scale, ends = q.rows, 4 * q.rows**2, _theta(field)
    price(n * n, n, n * scale.bit_length(), Field())
    spend(200 * (field.degree - 1) * len(q.entries))
    flat = []
    for entry in q.entries:
        low, high = _enclosure(entry, ends)
        if (high - low) * scale > q.bottom:
            raise Rejected("$.determinant: numbers that are not known well enough")
        flat.append(round((low + high) * scale / (2 * q.bottom)))
    rows, result, before = [flat[i * n : (i + 1) * n] for i in range(n)], 1, 1
    for k in range(n):  # E. Bareiss
        pivot = next(i for i in range(k, n) if rows[i][k])
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], -result
        top = rows[k]
        for row in rows[k + 1 :]:
            row[k + 1 :] = [
                (x * top[k] - row[k] * y) // before
                for x, y in zip(row[k + 1 :], top[k + 1 :], strict=True)
            ]
        before = top[k]
    if before > 0:
        return result
    return -result


def columns_of(matrices: tuple[Matrix, Matrix]) -> list[list[tuple[Element, ...]]]:
    """Returns the columns of two matrices over one common denominator."""
    bottom = lcm(matrices[0].bottom, matrices[1].bottom)
    result = []
    for m in matrices:
        entries = tuple(multiply_element(e, bottom // m.bottom) for e in m.entries)
        result.append([entries[j :: m.columns] for j in range(m.columns)])
    return result
