"""Characters: powers chi(g)^k that multiply a value besides its action; k is its exponent.

`SIGNS`: chi(g) is the determinant of rho(g), which is the sign of a permutation and the product of
the signs for Signs; k is 0 or 1, and pseudo-vectors and signed volumes have 1. ``g^T B g = B``
makes it 1 or -1 as well. Under SO, A, SL and Sp chi is 1. `WEIGHTS`: under GL chi is the
determinant too, any number but 0, and k a whole number. `DEGREES`: under Scale chi(c) is the factor
c > 0 itself, and k, the degree, is a ratio of sizes; the zero tensor has every degree.

    v : k, w : m          v : k, w : k                      v : k           a : k, b : k
    --------------        ------------------------------    ----------      ----------------------
    v w : k + m           v + w, joins of v and w : k       1/v : -k        where c, a, else b : k
                          parts, orders of axes : k         M^-1 : -k

    v : k                   SIGNS    fn odd     v : 1       fn even    v : 1
    -------------------              ----------------       ----------------
    prod of s of v : sk              fn(v) : 1              fn(v) : 0

    DEGREES   v : k                               v : k, w : k                          v : k
              -------------------------------     ----------------------------------    -------------------
              max, min, sort, eigenvalues : k     max(v, w), min(v, w), v mod w : k     v^e : k e, |v| : k

    DEGREES   v : k, w : k                        all arguments of exponent 0
              ---------------------------         ---------------------------
              sign v, v <= w, v == w : 0          any function : 0

Truth values have exponent 0: whether a value is 0, and whether two of one exponent are equal.
Determinants: see `eqvproof.programs.operations.matrix`.

Proof. chi(g) is the same number at every entry, so it comes out of products and of linear
operations; being 0, and being equal, does not change when both sides are multiplied by a number
that is not 0. A sign comes out of an odd function and is lost in an even one. A number c > 0 comes
out of a function that is positively homogeneous: ``1/(c v) = (1/c)(1/v)``, ``sqrt(c v) = sqrt(c)
sqrt(v)``, ``|c v| = c |v|``; order does not change when both sides are multiplied by one positive
number. All are defined at ``c v`` where they are at v. A function of values of exponent 0 has equal
arguments. Where an operation is not named here all its arguments must have exponent 0. QED
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eqvproof.claims.size import Size
from eqvproof.programs.rules.acts import Stuck, Type
from eqvproof.programs.rules.sums import ONE, Ratio, are_equal_ratios, ratio_product, ratio_sum

#: An int for signs and weights, a ratio of sizes for degrees; None: every degree, that of the zero
#: tensor.
Exponent = Any
Degree = Ratio | None
ZERO: Ratio = (Size.of(0), ONE)


@dataclass(frozen=True, slots=True)
class Typed:
    """A type and an exponent.

    Attributes:
        acts: the act on each axis.
        odd: the exponent of the determinant that multiplies the value too.
    """

    acts: Type
    odd: int = 0


class Characters(ABC):
    """Arithmetic of the exponents of one kind of characters: the effect of operations on them."""

    @abstractmethod
    def product(self, exponents: Sequence[Exponent]) -> Exponent:
        """Returns the exponent of a product."""

    @abstractmethod
    def equal(self, exponents: Sequence[Exponent]) -> Exponent:
        """Returns the exponent that all have. Raises: Stuck."""

    @abstractmethod
    def power(self, exponent: Exponent, count: Size) -> Exponent:
        """Returns the exponent of a product of `count` values. Raises: Stuck."""

    @abstractmethod
    def inverse(self, exponent: Exponent) -> Exponent:
        """Returns the exponent of 1/v."""

    @abstractmethod
    def ordered(self, exponent: Exponent) -> Exponent:
        """Returns the exponent of values put in order. Raises: Stuck."""

    @abstractmethod
    def plain(self, exponents: Sequence[Exponent], what: str) -> Exponent:
        """Returns the exponent of any other function. Raises: Stuck.

        All exponents of its arguments must be trivial.
        """


class Signs(Characters):
    """Exponents 0 and 1 of a character with the values 1 and -1."""

    def product(self, exponents: Sequence[int]) -> int:
        return sum(exponents) % 2

    def equal(self, exponents: Sequence[int]) -> int:
        if len(set(exponents)) > 1:
            raise Stuck(
                "a value that is multiplied by the determinant is combined with one that is not,"
                " or less"
            )
        return exponents[0]

    def power(self, exponent: int, count: Size) -> int:
        odd: bool | None = False
        if exponent:
            odd = size_parity(count)
        if odd is None:
            raise Stuck("a product of negatives whose number depends on the size")
        return int(odd)

    def inverse(self, exponent: int) -> int:
        return exponent

    def ordered(self, exponent: int) -> int:
        return self.plain([exponent], "order")

    def plain(self, exponents: Sequence[int], what: str) -> int:
        if any(exponents):
            raise Stuck(
                "values that a reflection turns into their negatives are put in order or compared"
            )
        return 0


class Weights(Signs):
    """Whole exponents of the determinant."""

    def product(self, exponents: Sequence[int]) -> int:
        return sum(exponents)

    def power(self, exponent: int, count: Size) -> int:
        return self.plain([exponent], "a product")

    def inverse(self, exponent: int) -> int:
        return -exponent

    def plain(self, exponents: Sequence[int], what: str) -> int:
        if any(exponents):
            raise Stuck("a function of values that are multiplied by a power of the determinant")
        return 0


class Degrees(Characters):
    """Ratios of sizes, exponents of a positive factor."""

    def product(self, exponents: Sequence[Degree]) -> Degree:
        known = [k for k in exponents if k is not None]
        if len(known) == len(exponents):
            return ratio_sum(*known)
        return None

    def equal(self, exponents: Sequence[Degree]) -> Degree:
        known = [k for k in exponents if k is not None]
        if not all(are_equal_ratios(k, known[0]) for k in known):
            raise Stuck(
                "values of different degrees are combined: one is multiplied by another power than"
                " the other"
            )
        if known:
            return known[0]
        return None

    def power(self, exponent: Degree, count: Size) -> Degree:
        if exponent is None:
            return ZERO  # a product of none is 1
        return ratio_product(exponent, (count, ONE))

    def inverse(self, exponent: Degree) -> Degree:
        return self.scale(exponent, (Size.of(-1), ONE))

    def scale(self, exponent: Degree, by: Ratio) -> Degree:
        """Returns the exponent of v^by."""
        if exponent is None:
            return None
        return ratio_product(exponent, by)

    def ordered(self, exponent: Degree) -> Degree:
        return exponent

    def plain(self, exponents: Sequence[Degree], what: str) -> Degree:
        if any(k is not None and k[0].terms for k in exponents):
            raise Stuck(f"{what} of values that are multiplied by a power of the factor")
        return ZERO


SIGNS, WEIGHTS, DEGREES = Signs(), Weights(), Degrees()


def size_parity(size: Size) -> bool | None:
    """Checks whether a size is odd; None if that depends on the names."""
    left: dict[frozenset[str], int] = {}
    for names, coefficient in size.terms:
        # x^k and x are both odd or even
        left[frozenset(names)] = left.get(frozenset(names), 0) + coefficient
    found = {names for names, c in left.items() if c % 2}
    if any(found - {frozenset()}):
        return None
    return bool(found)
