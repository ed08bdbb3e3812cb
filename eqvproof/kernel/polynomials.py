"""Polynomials, for decisions and tests at given sizes, with a random point of evaluation.

A `Poly` has integer coefficients. It is known by its value at one point modulo one prime, with
bounds of its degree and of its coefficients; in a *decision* also by its terms, so that equal means
equal. In a *test* it is the value that is compared.

A test. The prime is a random one of 256 bits, and the point is random; both are derived from a hash
of all data that determines the polynomials, so that nobody can choose them. A polynomial that is
not 0 has, where its degree and the bits of its coefficients are at most 2^66, the value 0 with
probability at most 2^-178: fewer than 2^59 of more than 2^246 primes divide a coefficient, and the
point is a root with probability 2^66 / 2^255 (J. T. Schwartz 1980, R. Zippel 1979). The work allows
fewer than 2^35 values, and at most each two of them are compared, with both signs: so a test is
misled with probability at most 2^-100, if the hash is a random function.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from math import factorial, gcd
from typing import NamedTuple

from .report import Limited, Rejected, spend

#: Largest degree, and largest number of bits of a coefficient.
LARGEST = 1 << 64
#: Bits of an exponent where the exponents of a monomial are digits of one integer; they bound
#: degrees, too.
DIGIT = 10
#: A variable is the power of 2 at its digit, above MARK bits that hold a sum of random numbers, one
#: for each variable: powers of 2 alone have few different hashes. A random number has MARK_OF_ONE
#: bits, which leaves room for as many as the degree.
MARK, MARK_OF_ONE = 64, 54
#: Largest number of bits of a coefficient in a decision, and of a rational number.
MOST_BITS = 1 << 16
ROUNDS = 64
#: Most composite numbers have a factor up to 1000, which is found faster than the test runs.
FACTORS = factorial(1000)
#: The prime of decisions, where values only help to find equal polynomials.
PRIME = (1 << 127) - 1
#: The terms of the polynomial 1.
ONE = {0: 1}


class Poly(NamedTuple):
    """A polynomial with integer coefficients.

    Attributes:
        value: its value at the point, modulo the prime.
        degree: at least its degree.
        bits: the sum of the absolute values of its coefficients is at most 2^bits.
        terms: coefficients by monomials, none of them 0; in a test they are not kept.
    """

    value: int
    degree: int
    bits: int
    terms: dict[int, int]


class Ring:
    """The ring of polynomials, to which variables are added on request.

    Args:
        seed: the text from which the prime and the point are derived.
        exact: whether terms are kept: a decision, not a test.
    """

    def __init__(self, seed: str, *, exact: bool) -> None:
        self._draws = _stream(seed)
        self._variables = 0
        self._integers: dict[int, Poly] = {}
        self.exact = exact
        if exact:
            self.prime, self._most_degree, self._most_bits = PRIME, (1 << DIGIT) - 1, MOST_BITS
        else:
            self.prime = _prime(self._draws)
            self._most_degree = self._most_bits = LARGEST

    def variable(self) -> Poly:
        """Returns a new variable, with a random value."""
        draw, terms = next(self._draws), dict[int, int]()
        if self.exact:
            terms = {1 << MARK + DIGIT * self._variables | draw >> 512 - MARK_OF_ONE: 1}
            self._variables += 1
            spend(self._stored(1, 1))
        return Poly(draw % self.prime, 1, 1, terms)

    def integer(self, n: int) -> Poly:
        """Returns a constant polynomial."""
        found = self._integers.get(n)
        if found is None:
            terms = {0: n} if n and self.exact else {}
            found = Poly(n % self.prime, 0, abs(n).bit_length(), terms)
            self._integers[n] = found
        return found

    def _stored(self, count: int, bits: int) -> int:
        """Returns the work for storing terms.

        Each takes 150 bytes, and the digits of its monomial and its coefficient.
        """
        return count * (150 + self._variables * 4 // 3 + bits // 8) // 100

    def plus(self, a: Poly, b: Poly) -> Poly:
        """Returns a + b."""
        return self.sum([a, b])

    def sum(self, polys: Sequence[Poly]) -> Poly:
        """Returns the sum of polynomials."""
        first = max(range(len(polys)), key=lambda k: len(polys[k].terms))
        most, rest = polys[first].terms, [*polys[:first], *polys[first + 1 :]]
        value = degree = bits = others = 0
        for p in polys:
            value += p.value
            degree, bits = max(degree, p.degree), max(bits, p.bits)
            others += len(p.terms)
        others -= len(most)
        spend(4 + 2 * len(polys) + len(most) * 3 // 4 + self._stored(others, bits))
        terms = dict(most)
        for p in rest:
            for m, c in p.terms.items():
                terms[m] = terms.get(m, 0) + c
        if others and 0 in terms.values():
            terms = {m: c for m, c in terms.items() if c}
        return Poly(value % self.prime, degree, bits + (len(polys) - 1).bit_length(), terms)

    def dot(self, pairs: Sequence[tuple[Poly, Poly]]) -> Poly:
        """Returns the sum of the products of one or more pairs."""
        if len(pairs) == 1 and ONE in (pairs[0][0].terms, pairs[0][1].terms):
            return pairs[0][pairs[0][0].terms == ONE]
        value = degree = bits = work = 0
        for (v, d, b, terms), (w, e, c, more) in pairs:
            value += v * w
            degree, bits = max(degree, d + e), max(bits, b + c)
            work += len(terms) * len(more)
        if degree > self._most_degree or bits > self._most_bits:
            raise Limited("a polynomial of too large a degree, or with too large coefficients")
        spend(
            4
            + 2 * len(pairs)
            + work * (250 + self._variables + bits // 8 + (bits * bits >> 12)) // 1000
        )
        found: dict[int, int] = {}
        paid = 0
        for (*_, terms), (*_, more) in pairs if work else ():
            if len(terms) > len(more):
                terms, more = more, terms
            for m, x in terms.items():
                if not found:
                    found = {n + m: x * y for n, y in more.items()}
                    get = found.get
                else:
                    for n, y in more.items():
                        n += m
                        found[n] = get(n, 0) + x * y
                if len(found) > paid:
                    spend(self._stored(len(found) - paid, bits))
                    paid = len(found)
        if 0 in found.values():
            found = {m: x for m, x in found.items() if x}
        return Poly(value % self.prime, degree, bits + (len(pairs) - 1).bit_length(), found)

    def multiple(self, a: Poly, n: int) -> Poly:
        """Returns n a, for n that is not 0."""
        if n == 1:
            return a
        bits = a.bits + n.bit_length()
        spend(6 + self._stored(len(a.terms), bits) + len(a.terms) * (bits * bits >> 12) // 1000)
        terms = {m: n * c for m, c in a.terms.items()}
        return Poly(a.value * n % self.prime, a.degree, bits, terms)

    def product(self, factors: Sequence[Poly]) -> Poly:
        """Returns the product of polynomials."""
        result = self.integer(1)
        for factor in factors:
            result = self.dot([(result, factor)])
        return result

    def equal(self, a: Poly, b: Poly) -> bool:
        """Checks whether two polynomials are equal."""
        spend(1 + len(a.terms) * (125 + self._variables) // 1000)
        return a.value == b.value and a.terms == b.terms

    def is_zero(self, a: Poly) -> bool:
        """Checks whether a polynomial is 0."""
        return a.value == 0 and not a.terms


def _stream(seed: str) -> Iterator[int]:
    """Yields pseudo-random numbers of 512 bits."""
    for k in count():
        yield int(hashlib.sha512(f"eqvproof {seed} {k}".encode()).hexdigest(), 16)


def _prime(draws: Iterator[int]) -> int:
    """Returns a random prime of 256 bits.

    The test is that of G. L. Miller and M. O. Rabin with random bases.
    """
    top = 1 << 255
    for draw in draws:
        p = draw % top | top | 1
        if gcd(p, FACTORS) == 1 and all(_passes(p, next(draws) % p) for _ in range(ROUNDS)):
            return p
    raise Rejected("no prime")


def _passes(p: int, base: int) -> bool:
    """Checks one base in the test of Miller and Rabin.

    It passes if base^d = 1, or base^(2^k d) = -1 for a k < s, where p - 1 = 2^s d with d odd.
    """
    twos = ((p - 1) & (1 - p)).bit_length() - 1
    x = pow(base, (p - 1) >> twos, p)
    if x == 1:
        return True
    for _ in range(twos):
        if x == p - 1:
            return True
        x = x * x % p
    return False
