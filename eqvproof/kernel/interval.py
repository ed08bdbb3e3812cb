"""Real numbers: exact rationals as long as possible, else enclosures rounded outwards.

A number is a Fraction, a Ball (two Fractions lo < hi with the number between them), or None:
undefined. Every operation returns a number that contains the result for all numbers in its
arguments. Where an answer depends on which number it is (a comparison, a floor, a zero denominator)
it raises Undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import prod
from typing import Any, NoReturn

from .exact import bits_of, down
from .loading import part
from .report import Rejected, Undecided, spend

#: Bits above which rationals are enclosed by shorter ones, and above which they have no value here.
MOST_EXACT, MOST_BITS = 8_000, 40_000


@dataclass(frozen=True, slots=True)
class Ball:
    """A real number between lo and hi."""

    lo: Fraction
    hi: Fraction


class Unknown:
    """An unknown number: some value of a function of which nothing is known.

    `select` may pass over it, and 0 times it is 0; every other operation on it raises Undecided.
    """

    def _asked(self, *_: object) -> NoReturn:
        raise Undecided("a value that rests on an unknown function")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __abs__ = __bool__ = __getattr__ = _asked
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        _asked
    )
    __hash__ = object.__hash__


#: The only instance.
UNKNOWN = Unknown()
Real = Fraction | Ball
Number = Real | None
F0, F1 = Fraction(0), Fraction(1)


def lo(x: Real) -> Fraction:
    """Returns the lower end of a number."""
    if isinstance(x, Ball):
        return x.lo
    return x


def hi(x: Real) -> Fraction:
    """Returns the upper end of a number."""
    if isinstance(x, Ball):
        return x.hi
    return x


class Arithmetic:
    """The operations on numbers, with enclosures of about `bits` significant bits."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def enclose(self, low: Fraction, high: Fraction) -> Real:
        """Returns the number between two rationals, exact if they agree and are not too long."""
        size = max(bits_of(low), bits_of(high))
        if size > MOST_BITS:
            raise Rejected("a number with too many digits")
        if low == high and size <= MOST_EXACT:
            spend(1 + (size * size >> 17))
            return low
        spend(8 + (size * size >> 15))
        return Ball(down(low, self.bits), -down(-high, self.bits))

    def add(self, x: Real, y: Real) -> Real:
        """Returns x + y."""
        if x == 0 or y == 0:
            spend(1)
            if x == 0:
                return y
            return x
        if isinstance(x, Fraction) and isinstance(y, Fraction):
            total = x + y
            return self.enclose(total, total)
        return self.enclose(lo(x) + lo(y), hi(x) + hi(y))

    def sum(self, values: Sequence[Real]) -> Real:
        """Returns the sum of numbers, added from left to right."""
        return reduce(self.add, values)

    def mul(self, x: Real, y: Real) -> Real:
        """Returns x y."""
        if x == 0 or y == 0:
            spend(1)
            return F0
        if isinstance(x, Fraction) and isinstance(y, Fraction):
            product = x * y
            return self.enclose(product, product)
        products = [a * b for a in (lo(x), hi(x)) for b in (lo(y), hi(y))]
        return self.enclose(min(products), max(products))

    def dot(self, pairs: Iterable[tuple[Number, Number]]) -> Number:
        """Returns the sum of the products of pairs, undefined if a factor is."""
        result: Number = None
        for x, y in pairs:
            if x is None or y is None:
                return None
            product = self.mul(x, y)
            if result is None:
                result = product
            else:
                result = self.add(result, product)
        if result is None:
            return F0
        return result

    def recip(self, x: Real) -> Number:
        """Returns 1 / x, undefined at 0."""
        if x == 0:
            return None
        return self.over(F1, x)

    def over(self, y: Real, x: Real) -> Real:
        """Returns y / x, for x that is not 0.

        Raises:
            Undecided: x may be 0.
        """
        if lo(x) <= 0 <= hi(x):
            raise Undecided("a denominator that may be 0")
        return self.mul(y, self.enclose(1 / hi(x), 1 / lo(x)))

    def sub(self, x: Real, y: Real) -> Real:
        """Returns x - y."""
        return self.add(x, self.mul(Fraction(-1), y))

    def apply(self, fn: str, args: list[Number]) -> Number:
        """Returns the value of an elementwise function, undefined where an argument is."""
        real = [x for x in args if x is not None]
        spend(8 + sum(bits_of(hi(x)) for x in real) // 128)
        if len(real) < len(args):
            return None
        if fn in STEPS:
            (x,) = real
            return _same_step(STEPS[fn](lo(x)), STEPS[fn](hi(x)), fn)
        if fn in RATIONAL:
            return RATIONAL[fn](self, *real)
        found: Number = part("elementary").elementary_value(fn, real, self)
        return found

    def choose(self, condition: Number, chosen: Any, other: Any) -> Any:
        """Returns one number where the condition is not 0, else the other."""
        if condition is None:
            return None
        if decide_zero(condition):
            return other
        return chosen

    def fold(self, fn: str, values: Sequence[Number]) -> Number:
        """Returns the maximum, minimum or product of numbers, undefined where one is."""
        real = [x for x in values if x is not None]
        if len(real) < len(values):
            return None
        if fn == "prod":
            return reduce(self.mul, real, self.enclose(F1, F1))
        if not real:
            return None
        furthest = max if fn == "max" else min
        return self.enclose(furthest(map(lo, real)), furthest(map(hi, real)))

    def ascending(self, values: list[Number]) -> list[Number]:
        """Returns numbers in ascending order, all undefined where one is.

        The k-th smallest number lies between the k-th smallest lower and upper ends.
        """
        real = [x for x in values if x is not None]
        if len(real) < len(values):
            return [None] * len(values)
        ends = zip(sorted(map(lo, real)), sorted(map(hi, real)), strict=True)
        return [self.enclose(*pair) for pair in ends]

    def whole(self, function: Any, args: Sequence[Any], shape: tuple[int, ...]) -> list[Any]:
        """Returns the entries of a function of arrays; of an opaque one they are unknown."""
        if isinstance(function, str):
            found: list[Any] = part("matrix_values").matrix_value(function, args, self)
            return found
        return [UNKNOWN] * prod(shape)

    def abs(self, x: Real) -> Real:
        """Returns the absolute value."""
        if lo(x) >= 0:
            return x
        return self.enclose(max(F0, -hi(x)), max(-lo(x), hi(x)))

    def power(self, x: Real, n: int) -> Number:
        """Returns x^n by repeated squaring.

        For even n the absolute value is taken first, so that squares are >= 0.
        """
        base = self.abs(x) if n % 2 == 0 else x
        result: Real = F1
        for bit in bin(abs(n))[2:]:
            result = self.square(result)
            if bit == "1":
                result = self.mul(result, base)
        if n < 0:
            return self.recip(result)
        return result

    def square(self, x: Real) -> Real:
        """Returns x^2."""
        t = self.abs(x)
        return self.enclose(lo(t) ** 2, hi(t) ** 2)

    def mod(self, x: Real, y: Real) -> Number:
        """Returns x - y floor(x / y), undefined for y = 0."""
        if y == 0:
            return None
        quotient, floor = self.over(x, y), STEPS["floor"]
        return self.sub(x, self.mul(y, _same_step(floor(lo(quotient)), floor(hi(quotient)), "mod")))


def _same_step(low: Fraction, high: Fraction, fn: str) -> Fraction:
    """Returns the value of an increasing step function, which must be the same at both ends."""
    if low != high:
        raise Undecided(f"{fn} of a number that is not known well enough")
    return low


def decide_zero(x: Real) -> bool:
    """Checks whether x = 0; raises Undecided if that is not certain."""
    if lo(x) <= 0 <= hi(x) and isinstance(x, Ball):
        raise Undecided("a number that may be 0")
    return x == 0


def _less(x: Real, y: Real) -> bool:
    if hi(x) < lo(y):
        return True
    if lo(x) >= hi(y):
        return False
    raise Undecided("a comparison of numbers that are not known well enough")


def _equal(x: Real, y: Real) -> bool:
    if hi(x) < lo(y) or hi(y) < lo(x):
        return False
    if isinstance(x, Ball) or isinstance(y, Ball):
        raise Undecided("a comparison of numbers that are not known well enough")
    return True


def _as_number(fn: Callable[[Real, Real], bool]) -> Callable[[Arithmetic, Real, Real], Number]:
    return lambda _, x, y: Fraction(int(fn(x, y)))


STEPS: dict[str, Callable[[Fraction], Fraction]] = {
    "floor": lambda t: Fraction(t.numerator // t.denominator),
    "ceil": lambda t: Fraction(-(-t.numerator // t.denominator)),
    "rint": lambda t: Fraction(round(t)),
    "sign": lambda t: Fraction((t > 0) - (t < 0)),
}
#: The functions of which the values at rationals are rational, but for `STEPS`.
RATIONAL: dict[str, Callable[..., Number]] = {
    "recip": Arithmetic.recip,
    "abs": Arithmetic.abs,
    "not": lambda _, x: Fraction(int(decide_zero(x))),
    "maximum": lambda a, x, y: a.enclose(max(lo(x), lo(y)), max(hi(x), hi(y))),
    "minimum": lambda a, x, y: a.enclose(min(lo(x), lo(y)), min(hi(x), hi(y))),
    "mod": Arithmetic.mod,
    "lt": _as_number(_less), "gt": _as_number(lambda x, y: _less(y, x)),
    "le": _as_number(lambda x, y: not _less(y, x)), "ge": _as_number(lambda x, y: not _less(x, y)),
    "eq": _as_number(_equal), "ne": _as_number(lambda x, y: not _equal(x, y)),
    "and": _as_number(lambda x, y: not decide_zero(x) and not decide_zero(y)),
    "or": _as_number(lambda x, y: not decide_zero(x) or not decide_zero(y)),
}  # fmt: skip
