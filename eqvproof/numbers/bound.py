"""Bounds for rational functions N / (c D): degrees, and the sizes of integer coefficients.

N and D are polynomials with integer coefficients, c an integer common to all entries of an array.
Bounded are the degrees of N and D and the logarithms (base 2) of c and of the lengths of N and D,
the length of a polynomial being the sum of the absolute values of its coefficients: it is
submultiplicative and subadditive.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from math import log2


@dataclass(frozen=True, slots=True)
class Bound:
    """Bounds for every entry of a node, written N / (c D).

    Attributes:
        top: degree of N.
        top_bits: logarithm of the length of N.
        bottom: degree of D.
        bottom_bits: logarithm of the length of D.
        common_bits: logarithm of c.
    """

    top: int = 0
    top_bits: float = 0.0
    bottom: int = 0
    bottom_bits: float = 0.0
    common_bits: float = 0.0

    def times(self, other: Bound) -> Bound:
        """Returns the bound of a product."""
        return Bound(
            self.top + other.top, self.top_bits + other.top_bits, self.bottom + other.bottom,
            self.bottom_bits + other.bottom_bits, self.common_bits + other.common_bits,
        )  # fmt: skip

    def plus(self, other: Bound) -> Bound:
        """Returns the bound of a sum or difference, over the product of the denominators."""
        left, right = self.top_bits + other.common_bits, other.top_bits + self.common_bits
        return Bound(
            max(self.top + other.bottom, other.top + self.bottom),
            max(left + other.bottom_bits, right + self.bottom_bits) + 1,
            self.bottom + other.bottom,
            self.bottom_bits + other.bottom_bits,
            self.common_bits + other.common_bits,
        )

    def summed(self, count: int) -> Bound:
        """Returns the bound of a sum of ``count`` entries."""
        n = max(count, 1)
        return Bound(
            self.top + (n - 1) * self.bottom, self.top_bits + (n - 1) * self.bottom_bits + log2(n),
            n * self.bottom, n * self.bottom_bits, self.common_bits,
        )  # fmt: skip

    def power(self, n: int) -> Bound:
        """Returns the bound of a product of n entries."""
        return Bound(
            n * self.top,
            n * self.top_bits,
            n * self.bottom,
            n * self.bottom_bits,
            n * self.common_bits,
        )

    def longer(self, count: int) -> Bound:
        """Returns the bound of a sum of ``count`` terms like this one, over one denominator."""
        return replace(self, top_bits=self.top_bits + log2(max(count, 1)))

    def over(self, count: int) -> Bound:
        """Returns the bound of a quotient by a whole number."""
        return replace(self, common_bits=self.common_bits + log2(max(count, 1)))

    def reciprocal(self) -> Bound:
        """Returns the bound of 1 / x = c D / N."""
        return Bound(self.bottom, self.bottom_bits + self.common_bits, self.top, self.top_bits)

    def joined(self, other: Bound) -> Bound:
        """Returns the bound of an array with entries of both; its c is the product of both."""
        return Bound(
            max(self.top, other.top),
            max(self.top_bits + other.common_bits, other.top_bits + self.common_bits),
            max(self.bottom, other.bottom),
            max(self.bottom_bits, other.bottom_bits),
            self.common_bits + other.common_bits,
        )

    def larger(self, other: Bound) -> Bound:
        """Returns a bound of both, each taken alone."""
        return Bound(
            max(self.top, other.top),
            max(self.top_bits, other.top_bits),
            max(self.bottom, other.bottom),
            max(self.bottom_bits, other.bottom_bits),
            max(self.common_bits, other.common_bits),
        )


VARIABLE = Bound(top=1)
#: The bound of 1 - t and t (1 - s) for values t, s of uninterpreted functions.
ONE_MINUS = Bound(top=1, top_bits=1.0)


def bits_of(value: int) -> float:
    """Returns the logarithm of a natural number, 0 for 0."""
    if value > 1:
        return math.log2(value)
    return 0.0


def with_variable(x: Bound) -> Bound:
    """Returns the bound of u + v t, for u, v of a common denominator.

    t is a value of an uninterpreted function, or 1 minus such a value.
    """
    return replace(x, top=x.top + 1, top_bits=x.top_bits + 2)


def _matrix_over_polynomial(x: Bound, n: int) -> tuple[int, float, int, float]:
    """Returns bounds of an n x n matrix written as M / (c P): degree and bits of M, and of P."""
    more = n * n - 1
    return (
        x.top + more * x.bottom,
        x.top_bits + more * x.bottom_bits,
        n * n * x.bottom,
        n * n * x.bottom_bits,
    )


def inverse_bound(x: Bound, n: int) -> Bound:
    """Returns the bound of (M / (c P))^-1 = c P adj(M) / det(M)."""
    degree, bits, below, below_bits = _matrix_over_polynomial(x, n)
    orders = bits_of(math.factorial(n))
    return Bound(
        (n - 1) * degree + below, (n - 1) * bits + orders + below_bits + x.common_bits,
        n * degree, n * bits + orders,
    )  # fmt: skip


def determinant_bound(x: Bound, n: int) -> Bound:
    """Returns the bound of det(M / (c P)) = det(M) / (c P)^n."""
    degree, bits, below, below_bits = _matrix_over_polynomial(x, n)
    return Bound(
        n * degree,
        n * bits + bits_of(math.factorial(n)),
        n * below,
        n * below_bits,
        n * x.common_bits,
    )


def pivot_bound(x: Bound, n: int) -> Bound:
    """Returns a bound of the quotients of two minors of an n x n matrix, as pivots are."""
    whole = determinant_bound(x, n)
    return whole.times(whole.reciprocal())
