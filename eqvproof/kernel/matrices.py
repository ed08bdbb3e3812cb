"""Matrices over the rationals and over real number fields, and what tells their numbers apart.

A number is an integer polynomial in theta over a common denominator, theta a real root of a monic integer
polynomial (for rational numbers there is no theta). Equal polynomials stand for equal numbers; that two
numbers differ is shown by disjoint enclosures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from .report import Rejected, spend
from .tensors import tensor
from .text import fields, integer, items, rational

MOST_DEGREE, BISECTIONS, PRIME = 24, 600, 2**61 - 1
Element = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """Q(theta): lower coefficients of a monic polynomial, and an interval with its root theta in it."""

    lower: tuple[int, ...] = (0,)
    interval: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))

    @property
    def degree(self) -> int:
        """The number of coefficients of an element."""
        return len(self.lower)

    def value_at(self, x: Fraction) -> Fraction:
        """The minimal polynomial at a rational."""
        total = Fraction(1)
        for c in reversed(self.lower):
            total = total * x + c
        return total

    def words(self) -> str:
        """The field, for a statement."""
        if self.degree == 1:
            return ""
        terms = " + ".join(f"{c} t^{k}" for k, c in enumerate(self.lower) if c)
        low, high = self.interval
        return f" (over Q(t), t^{self.degree} + {terms} = 0, {low} < t < {high})"


@dataclass(frozen=True, slots=True)
class Matrix:
    """rows x columns, row by row, each entry an integer polynomial in theta, over one denominator."""

    rows: int
    columns: int
    entries: tuple[Element, ...]
    bottom: int

    def column(self, j: int) -> tuple[Element, ...]:
        """The entries of a column."""
        return self.entries[j :: self.columns] if self.columns else ()

    @property
    def bits(self) -> int:
        """The length of the longest integer."""
        return max((abs(c).bit_length() for e in self.entries for c in e), default=1)


def read_field(value: Any) -> Field:
    """A number field, from its polynomial and interval."""
    minimal, interval = fields(value, "$.field", "minimal", "interval")
    numbers = [rational(c, "$.field.minimal") for c in items(minimal, "$.field.minimal", MOST_DEGREE + 1)]
    ends = [rational(e, "$.field.interval") for e in items(interval, "$.field.interval", 2)]
    if len(numbers) < 3 or numbers[-1] != 1 or any(c.denominator != 1 for c in numbers) or len(ends) != 2:
        raise Rejected("$.field: expected a monic integer polynomial of degree 2 or more, and two ends")
    field = Field(tuple(int(c) for c in numbers[:-1]), (ends[0], ends[1]))
    if not ends[0] < ends[1] or field.value_at(ends[0]) * field.value_at(ends[1]) >= 0:
        raise Rejected("$.field.interval: the polynomial does not change its sign there")
    return field


def read_matrix(value: Any, path: str, field: Field) -> Matrix:
    """A matrix, from its shape and entries."""
    if field.degree == 1:
        plain = tensor(value, path)
        shape, numbers = plain.shape, [tuple([v]) for v in plain.values]
    else:
        its_shape, values = fields(value, path, "shape", "values")
        shape = tuple(integer(s, path, 0) for s in items(its_shape, path, 2))
        numbers = [read_element(v, path, field) for v in items(values, path)]
    if len(shape) != 2 or shape[0] * shape[1] != len(numbers):
        raise Rejected(f"{path}: expected a matrix")
    bottom = lcm(*(c.denominator for e in numbers for c in e))
    spend(len(numbers) * field.degree * (1 + bottom.bit_length() // 500))
    tops = tuple(tuple(c.numerator * (bottom // c.denominator) for c in e) for e in numbers)
    return Matrix(shape[0], shape[1], tops, bottom)


def read_element(value: Any, path: str, field: Field) -> tuple[Fraction, ...]:
    """An element: a rational as text, over larger fields the list of its coefficients."""
    if field.degree == 1:
        return (rational(value, path),)
    coefficients = items(value, path, field.degree)
    if len(coefficients) != field.degree:
        raise Rejected(f"{path}: expected {field.degree} coefficients")
    return tuple(rational(c, path) for c in coefficients)


def dot(left: Sequence[Element], right: Sequence[Element], field: Field) -> Element:
    """The sum of products, reduced by the minimal polynomial."""
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
    """Account for so many inner products of so many numbers of so many bits."""
    spend(count * (1 + length * field.degree**2 * (1 + (bits // 600) ** 2) // 8))


def product(a: Matrix, b: Matrix, field: Field, path: str) -> Matrix:
    """The matrix product."""
    if a.columns != b.rows:
        raise Rejected(f"{path}: {a.rows} x {a.columns} does not fit {b.rows} x {b.columns}")
    price(a.rows * b.columns, a.columns, max(a.bits, b.bits), field)
    columns = [b.column(j) for j in range(b.columns)]
    rows = [a.entries[i * a.columns : (i + 1) * a.columns] for i in range(a.rows)]
    return Matrix(
        a.rows,
        b.columns,
        tuple(dot(row, column, field) for row in rows for column in columns),
        a.bottom * b.bottom,
    )


def scaled(element: Element, factor: int) -> Element:
    """An element times an integer."""
    return tuple(c * factor for c in element)


def is_equal(a: Matrix, b: Matrix) -> bool:
    """Whether two matrices of one shape are equal."""
    return all(scaled(u, b.bottom) == scaled(v, a.bottom) for u, v in zip(a.entries, b.entries, strict=True))


def transposed(a: Matrix) -> Matrix:
    """The transposed matrix."""
    return Matrix(a.columns, a.rows, tuple(e for j in range(a.columns) for e in a.column(j)), a.bottom)


def identity(size: int, field: Field) -> Matrix:
    """The identity matrix."""
    one, zero = (1,) + (0,) * (field.degree - 1), (0,) * field.degree
    return Matrix(size, size, tuple(one if i == j else zero for i in range(size) for j in range(size)), 1)


def _theta(field: Field) -> tuple[Fraction, Fraction]:
    """A short interval with the root that bisection of the field's interval leads to."""
    low, high = field.interval
    rising = field.value_at(low) < 0
    for _ in range(BISECTIONS):
        spend(60 * field.degree)
        middle = (low + high) / 2
        value = field.value_at(middle)
        if value == 0:
            return middle, middle
        low, high = (middle, high) if (value < 0) == rising else (low, middle)
    return low, high


def enclosures(elements: set[Element], field: Field) -> list[tuple[Fraction, Fraction, Element]]:
    """Intervals around the numbers, in ascending order, pairwise disjoint: different elements differ."""
    if field.degree == 1:
        return sorted((Fraction(e[0]), Fraction(e[0]), e) for e in elements)
    ends = _theta(field)
    found = []
    for element in elements:
        spend(200 * field.degree)
        low = high = Fraction(0)
        for c in reversed(element):
            products = [a * b for a in (low, high) for b in ends]
            low, high = min(products) + c, max(products) + c
        found.append((low, high, element))
    found.sort()
    if any(a[1] >= b[0] for a, b in pairwise(found)):
        raise Rejected("numbers that could not be told apart")
    return found


def determinant_sign(q: Matrix, field: Field) -> int:
    """det Q = 1 or -1 of an orthogonal matrix, from its image modulo a prime at which theta has a root."""
    if field.degree == 1:
        primes = iter([(PRIME, 0), (2**31 - 1, 0), (10**9 + 7, 0)])
    else:
        odd = (p for p in range(3, 20_000, 2) if all(p % k for k in range(3, int(p**0.5) + 1, 2)))
        primes = ((p, r) for p in odd for r in _roots(field, p))
    prime, root = next(((p, r) for p, r in primes if q.bottom % p), (0, 0))
    if not prime:
        raise Rejected("$.determinant: no prime was found to compute it with")
    spend(q.rows**3 // 4)
    factor = pow(q.bottom, -1, prime)
    powers = [pow(root, k, prime) * factor for k in range(field.degree)]
    flat = [sum(c * w for c, w in zip(e, powers, strict=True)) % prime for e in q.entries]
    rows = [flat[i * q.rows : (i + 1) * q.rows] for i in range(q.rows)]
    result = 1
    for k in range(q.rows):
        pivot = next(i for i in range(k, q.rows) if rows[i][k])
        if pivot != k:
            rows[k], rows[pivot], result = rows[pivot], rows[k], -result
        result = result * rows[k][k] % prime
        inverse = pow(rows[k][k], -1, prime)
        for i in range(k + 1, q.rows):
            weight = rows[i][k] * inverse % prime
            if weight:
                rows[i] = [(a - weight * b) % prime for a, b in zip(rows[i], rows[k], strict=True)]
    return 1 if result % prime == 1 else -1


def _roots(field: Field, prime: int) -> list[int]:
    spend(prime * field.degree // 4)
    return [r for r in range(prime) if not _value_modulo(field, r, prime)]


def _value_modulo(field: Field, x: int, prime: int) -> int:
    total = 1
    for c in reversed(field.lower):
        total = (total * x + c) % prime
    return total


def columns_of(matrices: tuple[Matrix, Matrix]) -> list[list[tuple[Element, ...]]]:
    """The columns of two matrices over one denominator."""
    bottom = lcm(matrices[0].bottom, matrices[1].bottom)
    result = []
    for m in matrices:
        entries = tuple(scaled(e, bottom // m.bottom) for e in m.entries)
        result.append([entries[j :: m.columns] for j in range(m.columns)])
    return result
