"""Rational functions of the entries of the inputs, and of the values of functions that are not rational.

A value of a program at fixed sizes is ``N / (s D)`` with a polynomial N and an integer s > 0, where D is a
monomial in *factors*: the polynomials that were divided by. Nothing is cancelled; two values are equal when
they are after multiplying out. An *atom* stands for fn(arguments), not rational: it is a variable of its
own, the same one for equal arguments, and nothing else is known of it. So what is equal here is equal as
real numbers, wherever both are defined. Each value carries the conditions under which it is defined:
functions that must be defined at arguments (1/x: that x is not 0), and choices of which the branch that is
taken must be.

Beside N stands a second polynomial where the point moves, N + e N' with e^2 = 0: N' is the derivative of N.
An atom does not move, since its arguments must not: there N' = 0.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import lcm
from typing import Any, NamedTuple

from .polynomials import Poly, Ring
from .report import Limited, Rejected, spend

MOST_SCALE = 1 << 16
NOWHERE: frozenset[Any] = frozenset()
Powers = tuple[tuple[int, int], ...]


class Ratio(NamedTuple):
    """(num + e slope) / (scale den), den as pairs (number of a factor, exponent) in ascending order."""

    num: Poly
    slope: Poly | None
    scale: int
    den: Powers
    domain: frozenset[Any]


Value = Fraction | Ratio


class Field:
    """The number system of ratios, and of rational numbers.

    Args:
        seed: as `Ring` takes it.
        exact: the same.
    """

    def __init__(self, seed: str, *, exact: bool) -> None:
        self.ring = Ring(seed, exact=exact)
        self._factors: list[Poly] = []
        self._named: dict[int, list[int]] = {}
        self._bottoms: dict[Powers, Poly] = {}
        self._numbered: dict[int, list[tuple[int, Ratio]]] = {}
        self._numbers = count()
        self._atoms: dict[Any, Ratio] = {}

    def variable(self) -> Ratio:
        """A new variable."""
        return Ratio(self.ring.variable(), None, 1, (), NOWHERE)

    def lifted(self, x: Value) -> Ratio:
        """A rational number as a ratio."""
        if isinstance(x, Ratio):
            return x
        return Ratio(self.ring.integer(x.numerator), None, _short(x.denominator), (), NOWHERE)

    def infinitesimal(self, x: Fraction) -> Ratio:
        """e x."""
        there = self.lifted(x)
        return there._replace(num=self.ring.integer(0), slope=there.num)

    # -- arithmetic ----------------------------------------------------------------------------------------

    def add(self, x: Value, y: Value) -> Value:
        """x + y."""
        if isinstance(x, Fraction) and isinstance(y, Fraction):
            return x + y
        a, b = self._aligned(self.lifted(x), self.lifted(y))
        slope = a.slope or b.slope
        if a.slope is not None and b.slope is not None:
            slope = self.ring.plus(a.slope, b.slope)
        return Ratio(self.ring.plus(a.num, b.num), slope, a.scale, a.den, union(a.domain, b.domain))

    def mul(self, x: Value, y: Value) -> Value:
        """x y."""
        if isinstance(x, Fraction):
            if isinstance(y, Fraction):
                return x * y
            x, y = y, x
        if isinstance(y, Fraction):
            if y == 1 or (y == 0 and not x.domain):
                return x if y else y
            y = self.lifted(y)
        slope = x.slope and self.ring.times(x.slope, y.num)
        if y.slope is not None:
            more = self.ring.times(x.num, y.slope)
            slope = more if slope is None else self.ring.plus(slope, more)
        powers = dict(x.den)
        for k, e in y.den:
            powers[k] = powers.get(k, 0) + e
        num, scale = self.ring.times(x.num, y.num), _short(x.scale * y.scale)
        return Ratio(num, slope, scale, tuple(sorted(powers.items())), union(x.domain, y.domain))

    def sub(self, x: Value, y: Value) -> Value:
        """x - y."""
        return self.add(x, self.mul(Fraction(-1), y))

    def recip(self, x: Value, *, known: bool = False) -> Value:
        """1/x, where x is not 0, which may be known.

        Where x moves as ``x' = k x``, k an integer, it stays 0 or not along the way; ``(1/x)' = -k (1/x)``.
        """
        if x == 0 or (isinstance(x, Ratio) and self.ring.is_zero(x.num)):
            raise Rejected("a division by zero at every point")
        if isinstance(x, Fraction):
            return 1 / x
        k, domain = self._pace(x), x.domain
        if not known and not (self.ring.exact and set(x.num.terms or ()) == {0}):  # a number that is not 0
            domain = union(domain, frozenset([("recip", self.numbered(x._replace(slope=None))[0])]))
        number, sign = self._factor(x.num)
        num = self.ring.multiple(self._product(x.den), sign * x.scale)
        return Ratio(num, self.ring.multiple(num, -k) if k else None, 1, ((number, 1),), domain)

    def _pace(self, x: Ratio) -> int:
        """The integer k with x' = k x."""
        if x.slope is None:
            return 0
        for k in sorted(range(-8, 9), key=abs):
            if self.ring.equal(x.slope, self.ring.multiple(x.num, k)):
                return k
        raise Rejected("1/x of a quantity that the group moves")

    # -- denominators --------------------------------------------------------------------------------------

    def _factor(self, p: Poly) -> tuple[int, int]:
        """The number of a factor that is p or -p, and the sign."""
        for sign in (1, -1):
            signed = self.ring.multiple(p, sign)
            for number in self._named.get(signed.value, ()):
                if self.ring.equal(self._factors[number], signed):
                    return number, sign
        self._factors.append(p)
        self._named.setdefault(p.value, []).append(len(self._factors) - 1)
        return len(self._factors) - 1, 1

    def _product(self, powers: Powers) -> Poly:
        """The monomial in the factors."""
        return self.ring.product([self._factors[k] for k, e in powers for _ in range(e)])

    def _over(self, a: Ratio, den: Powers, scale: int) -> Ratio:
        """The same over a multiple of its denominator."""
        own, num, slope = dict(a.den), a.num, a.slope
        missing = tuple((k, e - own.get(k, 0)) for k, e in den if e > own.get(k, 0))
        if missing:
            factor = self._product(missing)
            num, slope = self.ring.times(num, factor), slope and self.ring.times(slope, factor)
        n = scale // a.scale
        return Ratio(self.ring.multiple(num, n), slope and self.ring.multiple(slope, n), scale, den, a.domain)

    def _aligned(self, a: Ratio, b: Ratio) -> tuple[Ratio, Ratio]:
        """Both over one denominator."""
        if a.den == b.den and a.scale == b.scale:
            return a, b
        most = dict(a.den)
        for k, e in b.den:
            most[k] = max(e, most.get(k, 0))
        den, scale = tuple(sorted(most.items())), _short(lcm(a.scale, b.scale))
        return self._over(a, den, scale), self._over(b, den, scale)

    # -- comparisons ---------------------------------------------------------------------------------------

    def same(self, x: Value, y: Value) -> bool:
        """Whether both are equal, and move alike."""
        a, b = self._aligned(self.lifted(x), self.lifted(y))
        none = self.ring.integer(0)
        return self.ring.equal(a.num, b.num) and self.ring.equal(a.slope or none, b.slope or none)

    def _residue(self, x: Ratio) -> int:
        """The value at the point."""
        spend(12)
        bottom = self._bottoms.get(x.den)
        if bottom is None:
            plain = [self._factors[k]._replace(terms=None) for k, e in x.den for _ in range(e)]
            bottom = self._bottoms[x.den] = self.ring.product(plain)
        below = bottom.value * x.scale % self.ring.prime
        if below == 0:
            raise Rejected("a denominator that vanishes at the point of the test")
        return x.num.value * pow(below, -1, self.ring.prime) % self.ring.prime

    def numbered(self, x: Value, *, signed: bool = True) -> tuple[int, int]:
        """The number of a value that is x, or where signed -x; and the sign. Domains do not count.

        Raises:
            Rejected: it moves.
        """
        a = self.lifted(x)
        if a.slope is not None and not self.ring.is_zero(a.slope):
            raise Rejected("a function that is not rational, of a quantity that the group moves")
        a, residue = a._replace(domain=NOWHERE), self._residue(a)
        found = [
            (number, sign)
            for sign in ((1, -1) if signed else (1,))
            for number, known in self._numbered.get(sign * residue % self.ring.prime, ())
            if self.same(known, self.mul(Fraction(sign), a))
        ]
        if found:
            return min(found)
        number = next(self._numbers)
        self._numbered.setdefault(residue, []).append((number, a))
        return number, 1

    def atom(self, key: Any, domain: frozenset[Any]) -> Ratio:
        """The variable with that key, defined under these conditions."""
        spend(4)
        found = self._atoms.get(key)
        if found is None:
            found = self._atoms[key] = self.variable()
        return found._replace(domain=domain)


def union(*domains: frozenset[Any]) -> frozenset[Any]:
    """All of these conditions."""
    result = NOWHERE
    for domain in domains:
        if domain and domain is not result:
            spend((len(result) + len(domain)) // 8)
            result = result | domain if result else domain
    return result


def domain_of(*values: Value) -> frozenset[Any]:
    """All conditions of some values."""
    return union(*(x.domain for x in values if isinstance(x, Ratio)))


def _short(scale: int) -> int:
    if scale.bit_length() > MOST_SCALE:
        raise Limited("a number with too many digits")
    return scale
