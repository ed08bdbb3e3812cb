"""Encodes multisets of a countable set as the sum of b^-c(x), where c enumerates the set.

    sum_{x in X} b^-c(x)  =  sum_i m_i b^-i,     m_i the multiplicity of the i-th element

Digits m_i <= b - 1 are determined by the sum: a finite expansion in base b is unique.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from flint import fmpz

from eqvproof.deepsets.arguments import read_rational, require_integer
from eqvproof.deepsets.collisions import Collision
from eqvproof.deepsets.universes import Universe, as_element, read_universe
from eqvproof.support.errors import DomainError
from eqvproof.support.short_tracebacks import shortens_tracebacks_of_methods

#: Largest bit length of a code.
LONGEST = 1 << 28


@shortens_tracebacks_of_methods
class CountableCode:
    """The code phi(x) = b^-c(x), injective on multisets of multiplicity at most m for b >= m + 1.

    Args:
        universe: the set that c enumerates, from 0: a collection, a range, an infinite iterable, or
            a `Universe` (`universes.INTEGERS`, `universes.RATIONALS`, `universes.words("ab")`,
            ...).
        multiplicity: m, how often an element may occur in a multiset; 1 for sets.
        base: b; m + 1 unless given. The original proof uses 4; for sets, 2 is enough.

    Exactness: rational throughout.

    Raises:
        DomainError: the multiplicity is below 1, the base is below m + 1, or an element occurs
            twice in the universe.

    Source: Zaheer et al. 2017, Theorem 2 (sets, b = 4).

    >>> code = CountableCode("abc", multiplicity=2)
    >>> code.encode("cac")
    Fraction(11, 9)
    >>> code.decode(Fraction(11, 9))
    ['a', 'c', 'c']
    """

    __slots__ = ("base", "multiplicity", "universe")
    latent_dimension = 1

    def __init__(self, universe: Any, multiplicity: int = 1, *, base: int | None = None) -> None:
        multiplicity = require_integer("multiplicity", multiplicity, 1)
        if base is None:
            base = multiplicity + 1
        base = require_integer("base", base, 2)
        if base < multiplicity + 1:
            raise DomainError(
                "in this base, two multisets have the same code",
                given=f"base {base} for multiplicities up to {multiplicity}",
                expected=f"a base of at least {multiplicity + 1}",
                hint="omit base=",
            )
        self.universe: Universe = read_universe(universe)
        self.multiplicity: int = multiplicity
        self.base: int = base

    def __repr__(self) -> str:
        return f"CountableCode({self.universe.name}, multiplicity={self.multiplicity}, base={self.base})"

    def phi(self, x: Any) -> Fraction:
        """Returns b^-c(x).

        Raises:
            DomainError: x is not in the universe.
        """
        return self.sum([x])

    def sum(self, multiset: Iterable[Any] | Mapping[Any, int]) -> Fraction:
        """Sums phi over a multiset, whatever the multiplicities of its elements.

        Raises:
            DomainError: an element is not in the universe.
        """
        return self._sum_counts(self._count_by_index(multiset))

    def _sum_counts(self, counts: Mapping[int, int]) -> Fraction:
        if not counts:
            return Fraction(0)
        last = max(counts)
        if last * self.base.bit_length() > LONGEST:
            raise DomainError(
                "the code would be too long to write out",
                given=f"c(x) = {last} in base {self.base}",
                expected=f"at most {LONGEST} bits",
                hint="Sketch holds numbers of 64 bits in space that depends on their count only",
                code="domain.length",
            )
        places = sorted(counts)
        numerator = _horner(fmpz(self.base), places, [counts[i] for i in places], last)
        return Fraction(int(numerator), self.base**last)

    def encode(self, multiset: Iterable[Any] | Mapping[Any, int]) -> Fraction:
        """Encodes a multiset as a rational number; the empty multiset has the code 0.

        A `Counter` gives multiplicities.

        Raises:
            DomainError: an element is not in the universe, or occurs more than m times.
        """
        counts = self._count_by_index(multiset)
        for i, count in counts.items():
            if count > self.multiplicity:
                raise DomainError(
                    "an element occurs more often than the code can represent",
                    given=f"{self.universe.element(i)!r}, {count} times",
                    expected=f"at most {self.multiplicity} times",
                    hint=f"CountableCode(universe, multiplicity={count}); .collision() returns two"
                    " multisets with one code",
                    code="domain.multiplicity",
                )
        return self._sum_counts(counts)

    def decode(self, code: Any) -> list[Any]:
        """Decodes a code to its multiset, as a list in the order of the universe.

        Raises:
            DomainError: the number is not a code.
        """
        value = _parse_code(code)
        numerator, denominator = value.numerator, value.denominator
        places = _least_exponent(denominator, self.base)
        if value < 0 or places is None:
            raise self._not_a_code(value, f"not a sum of powers of 1/{self.base}")
        power = self.base**places
        digits = _digits(fmpz(numerator * (power // denominator)), fmpz(self.base), places + 1)
        found: list[Any] = []
        for i, digit in enumerate(digits):
            if digit > self.multiplicity:
                raise self._not_a_code(value, f"the digit of place {i} is {digit}")
            if digit:
                try:
                    found.extend([self.universe.element(i)] * digit)
                except IndexError:
                    raise self._not_a_code(
                        value, f"the universe has no element of index {i}"
                    ) from None
        return found

    def collision(self, *, same_size: bool = False) -> Collision | None:
        """Returns two different multisets with one sum; None if the universe is too small.

        b copies of the second element have the sum of one copy of the first. With ``same_size``,
        both multisets have b + 1 elements: copies of the second element; the first element and b
        copies of the third.
        """
        elements, b = self._first_elements(3), self.base
        if same_size:
            if len(elements) < 3:
                return None  # the sum and the size determine the multiset
            left: tuple[Any, ...] = (elements[1],) * (b + 1)
            right: tuple[Any, ...] = (elements[0], *(elements[2:3] * b))
        else:
            if len(elements) < 2:
                return None  # the sum determines the multiset
            left, right = (elements[1],) * b, (elements[0],)
        return Collision(left, right, self.sum(left))

    def _first_elements(self, count: int) -> tuple[Any, ...]:
        found: list[Any] = []
        for i in range(count):
            try:
                found.append(self.universe.element(i))
            except IndexError:
                break
        return tuple(found)

    def _count_by_index(self, multiset: Iterable[Any] | Mapping[Any, int]) -> dict[int, int]:
        """Counts multiplicities by the index of the element."""
        counts: Counter[int] = Counter()
        if isinstance(multiset, Mapping):
            for x, count in multiset.items():
                if require_integer(f"the multiplicity of {x!r}", count, 0):
                    counts[self.universe.position(x)] += count
            return counts
        if hasattr(multiset, "tolist"):
            items = multiset.tolist()
        else:
            items = multiset
        if not isinstance(items, Iterable):
            raise DomainError(
                "not a multiset",
                given=repr(multiset),
                expected="an iterable of elements",
                hint="pass a list, or a Counter",
            )
        for x in items:
            counts[self.universe.position(as_element(x))] += 1
        return counts

    def _not_a_code(self, value: Fraction, reason: str) -> DomainError:
        if value.denominator < 10**40:
            shown = str(value)
        else:
            shown = f"{float(value)!r}..."
        return DomainError(
            f"the number is not the code of a multiset: {reason}",
            given=shown,
            expected=f"a number returned by encode of {self!r}",
            hint="decode with the code that encoded it",
            code="domain.code",
        )


def _parse_code(code: Any) -> Fraction:
    try:
        return read_rational(code)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise DomainError(
            "a code must be a rational number",
            given=repr(code),
            expected="a Fraction",
            hint="pass what encode returns",
        ) from error


def _least_exponent(denominator: int, base: int) -> int | None:
    """Returns the least e for which the denominator divides base^e; None if there is none."""
    rest, power, found = denominator, base, 0
    # The exponent is doubled first, so that a long denominator costs few divisions.
    while power % rest:
        if found > denominator.bit_length():
            return None
        power, found = power * power, 2 * found + 1
    return bisect_left(
        range(found + 1), 1, key=lambda e: pow(base, e, denominator) % denominator == 0
    )


def _horner(base: fmpz, places: list[int], counts: list[int], last: int) -> fmpz:
    """Sums counts[k] base^(last - places[k]) by divide and conquer."""
    if len(places) == 1:
        return counts[0] * base ** (last - places[0])
    half = len(places) // 2
    end = places[half - 1]
    left = _horner(base, places[:half], counts[:half], end)
    return left * base ** (last - end) + _horner(base, places[half:], counts[half:], last)


def _digits(number: fmpz, base: fmpz, count: int) -> list[int]:
    """Returns `count` digits of a number, the most significant first.

    The first holds all that the others do not, so it may be larger than the base.
    """
    if count == 1:
        return [int(number)]
    low = count // 2
    high, rest = divmod(number, base**low)
    return _digits(high, base, count - low) + _digits(rest, base, low)
