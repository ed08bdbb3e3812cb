"""Sizes of axes: polynomials in axis names with integer coefficients, and inequalities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .report import Rejected, spend

Monomial = tuple[str, ...]
#: Largest number of monomials of a size.
MOST_TERMS = 256
#: The terms of the size 1.
UNIT: tuple[tuple[Monomial, int], ...] = (((), 1),)


@dataclass(frozen=True, slots=True)
class Size:
    """A polynomial: pairs (sorted names, coefficient) in order of names, no coefficient 0.

    Two polynomials with equal values at all integers >= 1 have equal coefficients, so `==` is
    equality for all sizes.
    """

    terms: tuple[tuple[Monomial, int], ...]

    @staticmethod
    def of(value: int | str) -> Size:
        """Returns a constant, or the size with that name."""
        if isinstance(value, str):
            return Size((((value,), 1),))
        if value:
            return Size((((), value),))
        return Size(())

    @staticmethod
    def collect(pairs: Iterable[tuple[Monomial, int]]) -> Size:
        """Returns the polynomial that is the sum of the pairs."""
        total: dict[Monomial, int] = {}
        for names, coefficient in pairs:
            total[names] = total.get(names, 0) + coefficient
        if len(total) > MOST_TERMS:
            raise Rejected(f"a size of more than {MOST_TERMS} terms")
        return Size(tuple(sorted((names, c) for names, c in total.items() if c)))

    def __add__(self, other: Size) -> Size:
        spend(len(self.terms) + len(other.terms))
        if not self.terms or not other.terms:
            if self.terms:
                return self
            return other
        return Size.collect((*self.terms, *other.terms))

    def __sub__(self, other: Size) -> Size:
        return self + other * Size.of(-1)

    def __mul__(self, other: Size) -> Size:
        spend(1 + 2 * len(self.terms) * len(other.terms))
        if self.terms == UNIT or other.terms == UNIT:
            if self.terms == UNIT:
                return other
            return self
        return Size.collect(
            (tuple(sorted(a + b)), c * e) for a, c in self.terms for b, e in other.terms
        )

    def divide(self, other: Size) -> Size | None:
        """Returns the quotient q with ``q * other == self``, or None.

        It is None when there is none or `other` has several terms.
        """
        if self == other and self.terms:
            return Size.of(1)
        if len(other.terms) != 1:
            return None
        names, divisor = other.terms[0]
        quotient = []
        for monomial, coefficient in self.terms:
            rest = list(monomial)
            for name in names:
                if name not in rest:
                    return None
                rest.remove(name)
            if coefficient % divisor:
                return None
            quotient.append((tuple(rest), coefficient // divisor))
        return Size.collect(quotient)

    @property
    def constant(self) -> int | None:
        """The integer that this is, or None."""
        if not self.terms:
            return 0
        if self.terms[-1][0] == ():
            return self.terms[0][1]
        return None

    @property
    def number(self) -> int:
        """The integer that this is.

        Raises:
            Rejected: the size is not constant.
        """
        if self.constant is None:
            raise Rejected("a size that is no number")
        return self.constant

    @property
    def names(self) -> frozenset[str]:
        """The names that occur."""
        return frozenset(name for monomial, _ in self.terms for name in monomial)

    def substitute(self, values: Mapping[str, Size]) -> Size:
        """Substitutes polynomials for names."""
        total = Size(())
        for monomial, coefficient in self.terms:
            product = Size.of(coefficient)
            for name in monomial:
                product = product * values.get(name, Size.of(name))
            total = total + product
        return total

    def __str__(self) -> str:
        parts = []
        for names, c in sorted(self.terms, key=lambda term: (not term[0], term[0])):
            factor = [] if names and abs(c) == 1 else [str(abs(c))]
            parts.append(("- " if c < 0 else "+ ") + " ".join([*factor, *names]))
        if parts:
            return " ".join(parts).removeprefix("+ ")
        return "0"


ZERO, ONE = Size.of(0), Size.of(1)


def as_integers(sizes: Iterable[Size]) -> tuple[int, ...]:
    """Returns sizes that are constant as integers."""
    return tuple(size.number for size in sizes)


def is_nonnegative(size: Size, lows: Mapping[str, int]) -> bool:
    """Checks whether a size is >= 0 for all names >= their lows; False may mean unknown.

    The lows are >= 1.

    Proof: put name = low + t with t >= 0. A polynomial in the t without a negative coefficient is
    >= 0.
    """
    if not size.names <= lows.keys():
        return False
    if all(c >= 0 for _, c in size.terms):
        return True
    shifted = size.substitute({name: Size.of(name) + Size.of(lows[name]) for name in size.names})
    return all(c >= 0 for _, c in shifted.terms)
