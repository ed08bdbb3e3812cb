"""Rational functions of the entries of the inputs and of the values of other functions.

A value of a program at fixed sizes is ``N / (s D)`` with a polynomial N and an integer s > 0, where
D is a monomial in *factors*: the polynomials that were divided by. Nothing is cancelled; two values
are equal when they are after multiplying out. An *atom* stands for fn(arguments), not rational: it
is a variable of its own, the same one for equal arguments, and nothing else is known of it. So what
is equal here is equal as real numbers, wherever both are defined. Each value carries the conditions
under which it is defined: functions that must be defined at arguments (1/x: that x is not 0), and
choices of which the branch that is taken must be.

Beside N stand other polynomials where the point moves, ``N + e_1 N_1 + e_2 N_2 + ...`` with ``e_j
e_k = 0``: N_k is the derivative of N in the k-th direction, left out where it is 0. An atom does
not move, since its arguments must not: all of its derivatives are 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import count
from math import lcm, prod
from typing import Any, NamedTuple

from .polynomials import MOST_BITS, Poly, Ring
from .report import Limited, Rejected, spend

NOWHERE: frozenset[Any] = frozenset()
Powers = tuple[tuple[int, int], ...]
#: Nonzero derivatives, by direction.
Slopes = Mapping[int, Poly]
STILL: Slopes = {}


class Ratio(NamedTuple):
    """A ratio (num + the e_k slopes[k]) / (scale den), with the conditions of its domain.

    den lists ascending pairs (number of a factor, exponent).
    """

    num: Poly
    slopes: Slopes
    scale: int
    den: Powers
    domain: frozenset[Any]


Value = Fraction | Ratio


class Field:
    """The number system of ratios and rational numbers.

    Args:
        seed: as `Ring` takes it.
        exact: the same.
    """

    def __init__(self, seed: str, *, exact: bool) -> None:
        self.ring = Ring(seed, exact=exact)
        self._factors: list[Poly] = []
        self._named: dict[int, list[int]] = {}
        self._bottoms: dict[Powers, int] = {}
        self._numbered: dict[int, list[tuple[int, Ratio]]] = {}
        self._numbers, self._directions = count(), count()
        self._atoms: dict[Any, Ratio] = {}
        self._listed: dict[tuple[int, ...], int] = {}

    def variable(self) -> Ratio:
        """Returns a new variable."""
        return Ratio(self.ring.variable(), STILL, 1, (), NOWHERE)

    def lifted(self, x: Value) -> Ratio:
        """Returns a rational number as a ratio."""
        if isinstance(x, Ratio):
            return x
        n, scale = x.as_integer_ratio()
        return Ratio(self.ring.integer(n), STILL, _require_short(scale), (), NOWHERE)

    def infinitesimal(self) -> Ratio:
        """Returns a new infinitesimal e_k."""
        slopes = {next(self._directions): self.ring.integer(1)}
        return Ratio(self.ring.integer(0), slopes, 1, (), NOWHERE)

    # -- arithmetic
    # ----------------------------------------------------------------------------------------

    def add(self, x: Value, y: Value) -> Value:
        """Returns x + y."""
        if not isinstance(x, Ratio) and not isinstance(y, Ratio):
            return _paid_rational(x + y)
        a, b = self._aligned(self.lifted(x), self.lifted(y))
        spend(6 + len(a.slopes) + len(b.slopes))
        slopes = {**a.slopes, **b.slopes}
        for k in a.slopes.keys() & b.slopes.keys():
            slopes[k] = self.ring.plus(a.slopes[k], b.slopes[k])
        num = self.ring.plus(a.num, b.num)
        return Ratio(num, self._moving(slopes), a.scale, a.den, union(a.domain, b.domain))

    def sum(self, values: Sequence[Value]) -> Value:
        """Returns the sum of one or more values."""
        number, alike = Fraction(0), dict[tuple[int, Powers], list[Ratio]]()
        for x in values:
            if isinstance(x, Ratio):
                alike.setdefault((x.scale, x.den), []).append(x)
            else:
                number = _paid_rational(number + x)
        result: Value = number
        for (scale, den), own in alike.items():
            parts: dict[int, list[Poly]] = {}
            for k, slope in (item for x in own for item in x.slopes.items()):
                parts.setdefault(k, []).append(slope)
            slopes = self._moving({k: self.ring.sum(polys) for k, polys in parts.items()})
            total = self.ring.sum([x.num for x in own])
            found: Value = Ratio(total, slopes, scale, den, union(*(x.domain for x in own)))
            if result:
                found = self.add(result, found)
            result = found
        return result

    def mul(self, x: Value, y: Value) -> Value:
        """Returns x y."""
        return self.dot([(x, y)])

    def dot(self, pairs: Iterable[tuple[Value, Value]]) -> Value:
        """Returns the sum of the products of pairs."""
        number, alike = Fraction(0), dict[tuple[int, Powers], list[tuple[Ratio, Ratio]]]()
        for x, y in pairs:
            if not isinstance(x, Ratio):
                if not isinstance(y, Ratio):
                    number = _paid_rational(number + x * y)
                    continue
                x, y = y, x
            if y or x.domain:
                y = self.lifted(y)
                if x.den and y.den:
                    den = _multiply_monomials(x.den, y.den)
                else:
                    den = x.den or y.den
                alike.setdefault((x.scale * y.scale, den), []).append((x, y))
        result: Value = number
        for (scale, den), own in alike.items():
            found: Value = self._products(own, _require_short(scale), den)
            if result:
                found = self.add(result, found)
            result = found
        return result

    def _products(self, pairs: Sequence[tuple[Ratio, Ratio]], scale: int, den: Powers) -> Ratio:
        """Returns the sum of products that have one denominator."""
        spend(6)
        parts: dict[int, list[tuple[Poly, Poly]]] = {}
        domains: list[frozenset[Any]] = []
        for x, y in pairs:
            domains += (x.domain, y.domain)
            for k, slope in x.slopes.items():
                parts.setdefault(k, []).append((slope, y.num))
            for k, slope in y.slopes.items():
                parts.setdefault(k, []).append((x.num, slope))
        spend(2 * len(parts))
        num, slopes = self.ring.dot([(x.num, y.num) for x, y in pairs]), STILL
        if parts:
            slopes = self._moving({k: self.ring.dot(own) for k, own in parts.items()})
        return Ratio(num, slopes, scale, den, union(*domains))

    def _moving(self, slopes: Slopes) -> Slopes:
        """Returns the nonzero derivatives."""
        return {k: slope for k, slope in slopes.items() if not self.ring.is_zero(slope)}

    def sub(self, x: Value, y: Value) -> Value:
        """Returns x - y."""
        return self.add(x, self.mul(Fraction(-1), y))

    def recip(self, x: Value, *, known: bool = False) -> Value:
        """Returns 1/x; where x is not `known` to be nonzero, that becomes a condition.

        Where x moves as ``x' = k x``, k an integer, it stays zero or nonzero along the way, and
        ``(1/x)' = -k (1/x)``.
        """
        if not x or (isinstance(x, Ratio) and self.ring.is_zero(x.num)):
            raise Rejected("a division by zero at every point")
        if not isinstance(x, Ratio):
            return 1 / x
        paces, domain = {k: self._pace(x.num, slope) for k, slope in x.slopes.items()}, x.domain
        # a number that is not 0
        if not known and not (self.ring.exact and set(x.num.terms) == {0}):
            domain = union(domain, frozenset([("recip", self.numbered(still(x))[0])]))
        number, sign = self._factor(x.num)
        num = self.ring.multiple(self._product(x.den), sign * x.scale)
        slopes = {k: self.ring.multiple(num, -pace) for k, pace in paces.items()}
        return Ratio(num, slopes, 1, ((number, 1),), domain)

    def _pace(self, num: Poly, slope: Poly) -> int:
        """Returns the integer k, not 0, with slope = k num."""
        for k in (1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8, -8):
            if self.ring.equal(slope, self.ring.multiple(num, k)):
                return k
        raise Rejected("1/x of a quantity that the group moves")

    # -- denominators
    # --------------------------------------------------------------------------------------

    def _factor(self, p: Poly) -> tuple[int, int]:
        """Returns the number of a factor that is p or -p, and the sign."""
        for sign in (1, -1):
            signed = self.ring.multiple(p, sign)
            for number in self._named.get(signed.value, ()):
                if self.ring.equal(self._factors[number], signed):
                    return number, sign
        self._factors.append(p)
        self._named.setdefault(p.value, []).append(len(self._factors) - 1)
        return len(self._factors) - 1, 1

    def _product(self, powers: Iterable[tuple[int, int]]) -> Poly:
        """Returns the monomial in the factors."""
        return self.ring.product([self._factors[k] for k, e in powers for _ in range(e)])

    def _over(self, a: Ratio, den: Powers, scale: int) -> Ratio:
        """Returns the same value over a multiple of its denominator."""
        own = dict(a.den)
        missing = self._product([(k, e - own.get(k, 0)) for k, e in den if e > own.get(k, 0)])
        factor = self.ring.multiple(missing, scale // a.scale)
        slopes = {k: self.ring.dot([(slope, factor)]) for k, slope in a.slopes.items()}
        return Ratio(self.ring.dot([(a.num, factor)]), slopes, scale, den, a.domain)

    def _aligned(self, a: Ratio, b: Ratio) -> tuple[Ratio, Ratio]:
        """Returns both values over one denominator."""
        if a.den == b.den and a.scale == b.scale:
            return a, b
        most = dict(a.den)
        for k, e in b.den:
            most[k] = max(e, most.get(k, 0))
        den, scale = tuple(sorted(most.items())), _require_short(lcm(a.scale, b.scale))
        return self._over(a, den, scale), self._over(b, den, scale)

    # -- comparisons
    # ---------------------------------------------------------------------------------------

    def same(self, x: Value, y: Value) -> bool:
        """Checks whether both values are equal and have equal derivatives."""
        a, b = self._aligned(self.lifted(x), self.lifted(y))
        if not self.ring.equal(a.num, b.num) or a.slopes.keys() != b.slopes.keys():
            return False
        return all(self.ring.equal(slope, b.slopes[k]) for k, slope in a.slopes.items())

    def _residue(self, x: Ratio) -> int:
        """Returns the value at the random point."""
        spend(12)
        bottom = self._bottoms.get(x.den)
        if bottom is None:
            bottom = prod(pow(self._factors[k].value, e, self.ring.prime) for k, e in x.den)
            self._bottoms[x.den] = bottom
        below = bottom * x.scale % self.ring.prime
        if below == 0:
            raise Rejected("a denominator that vanishes at the point of the test")
        return x.num.value * pow(below, -1, self.ring.prime) % self.ring.prime

    def numbered(self, x: Value, *, signed: bool = True) -> tuple[int, int]:
        """Returns the number of a stored value that is x, or if `signed` -x, and the sign.

        Domains are ignored.

        Raises:
            Rejected: x has a derivative that is not 0.
        """
        a = self.lifted(x)
        if a.slopes:
            raise Rejected("a function that is not rational, of a quantity that the group moves")
        a, residue = a._replace(domain=NOWHERE), self._residue(a)
        found = [
            (number, sign)
            for sign in (1, -1)[: 1 + signed]
            for number, known in self._numbered.get(sign * residue % self.ring.prime, ())
            if self.same(known, a if sign == 1 else self.mul(Fraction(sign), a))
        ]
        if found:
            return min(found)
        number = next(self._numbers)
        self._numbered.setdefault(residue, []).append((number, a))
        return number, 1

    def listed(self, values: Iterable[Value]) -> int:
        """Returns the number of a list of values."""
        return self.counted(self.numbered(x, signed=False)[0] for x in values)

    def counted(self, numbers: Iterable[int]) -> int:
        """Returns the number of a list of numbers."""
        key = tuple(numbers)
        spend(4 + len(key) // 8)
        return self._listed.setdefault(key, len(self._listed))

    def atom(self, key: Any, domain: frozenset[Any]) -> Ratio:
        """Returns the variable with that key, defined under the given conditions."""
        spend(8)
        found = self._atoms.get(key)
        if found is None:
            found = self._atoms[key] = self.variable()
        return found._replace(domain=domain)


def still(x: Value) -> Value:
    """Returns x without its derivatives."""
    if isinstance(x, Ratio):
        return x._replace(slopes=STILL)
    return x


def _multiply_monomials(a: Powers, b: Powers) -> Powers:
    """Returns the product of two monomials."""
    powers = dict(a)
    for k, e in b:
        powers[k] = powers.get(k, 0) + e
    return tuple(sorted(powers.items()))


def union(*domains: frozenset[Any]) -> frozenset[Any]:
    """Returns the union of sets of conditions; one of these sets, where it holds all."""
    result = NOWHERE
    for domain in domains:
        if not result:
            result = domain
        elif domain and domain is not result:
            spend(1 + min(len(result), len(domain)) // 8)
            if result <= domain:
                result = domain
            elif not domain <= result:
                spend((len(result) + len(domain)) // 2)
                result = result | domain
    return result


def domain_of(*values: Value) -> frozenset[Any]:
    """Returns the conditions of all given values."""
    return union(*(x.domain for x in values if isinstance(x, Ratio)))


def _require_short(scale: int) -> int:
    if scale.bit_length() > MOST_BITS:
        raise Limited("a number with too many digits")
    return scale


def _paid_rational(x: Fraction) -> Fraction:
    """Returns x, after accounting for the work of computing it."""
    size = max(_require_short(abs(n)).bit_length() for n in x.as_integer_ratio())
    spend(size * size >> 16)
    return x
