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
from math import ceil, prod
from typing import Any, NoReturn

from .loading import part
from .report import Rejected, Undecided, spend
from .series import arctan, bits_of, cosine, digamma, down, erf, exp, log, log_gamma, pi, root

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
        if fn == "pi":
            return self.monotone(lambda _, bits: pi(bits), F0)
        if len(real) == 2:
            return BINARY[fn](self, real[0], real[1])
        x = real[0]
        if fn in STEPS:
            return _same_step(STEPS[fn](lo(x)), STEPS[fn](hi(x)), fn)
        if fn in DOMAINS:
            low, high = DOMAINS[fn]
            inside = (low is None or lo(x) >= low) and (high is None or hi(x) <= high)
            if not inside:
                if (low is not None and hi(x) < low) or (high is not None and lo(x) > high):
                    return None
                raise Undecided(f"{fn} at the edge of its domain")
        if fn in EXACT and x == EXACT[fn][0]:
            return EXACT[fn][1]
        return UNARY[fn](self, x)

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

    def monotone(self, fn: Callable[[Fraction, int], tuple[Fraction, Fraction]], x: Real) -> Real:
        """Encloses an increasing function, given its enclosures at rationals."""
        spend(60 + self.bits)
        low = high = fn(lo(x), self.bits)
        if isinstance(x, Ball):
            high = fn(hi(x), self.bits)
        return self.enclose(low[0], high[1])

    def odd(self, fn: Callable[[Fraction, int], tuple[Fraction, Fraction]], x: Real) -> Real:
        """Encloses an increasing odd function, given its enclosures at rationals > 0."""

        def at(t: Fraction, bits: int) -> tuple[Fraction, Fraction]:
            if t == 0:
                return t, t
            low, high = fn(abs(t), bits)
            if t > 0:
                return (low, high)
            return (-high, -low)

        return self.monotone(at, x)

    def cos(self, x: Real, quarter: int = 0) -> Real:
        """Returns the cosine of x - quarter pi/2.

        It is enclosed by the cosine at the midpoint, give or take half the width (slopes are <= 1).
        """
        spend(80 + self.bits)
        middle, radius = (lo(x) + hi(x)) / 2, (hi(x) - lo(x)) / 2
        low, high = cosine(middle, quarter, self.bits)
        return self.enclose(max(low - radius, Fraction(-1)), min(high + radius, F1))

    def exp(self, x: Real) -> Real:
        """Returns e^x."""
        if x == 0:
            return F1
        return self.monotone(exp, x)

    def sqrt(self, x: Real) -> Real:
        """Returns the square root of x >= 0."""
        return self.monotone(lambda t, bits: root(t, 2, bits), x)

    def log(self, x: Real) -> Number:
        """Returns log x, undefined for x <= 0."""
        if hi(x) <= 0:
            return None
        if lo(x) <= 0:
            raise Undecided("log at the edge of its domain")
        if x == 1:
            return F0
        return self.monotone(log, x)

    def cosh(self, x: Real) -> Real:
        """Returns cosh x.

        It is (e^t + 1/e^t) / 2 at t = abs(x), where it is increasing.
        """
        t = self.abs(x)

        def at(u: Fraction) -> Real:
            return self._half_sum(self.exp(u), 1)

        return self.enclose(lo(at(lo(t))), hi(at(hi(t))))

    def sinh(self, x: Real) -> Real:
        """Returns sinh x = (e^x - 1/e^x) / 2, which is increasing."""
        return self.enclose(
            lo(self._half_sum(self.exp(lo(x)), -1)), hi(self._half_sum(self.exp(hi(x)), -1))
        )

    def _half_sum(self, e: Real, sign: int) -> Real:
        inverse = self.enclose(1 / hi(e), 1 / lo(e))
        return self.mul(Fraction(1, 2), self.add(e, self.mul(Fraction(sign), inverse)))

    def tanh(self, x: Real) -> Real:
        """Returns tanh x, which is odd and increasing.

        tanh t = 1 - 2 / (e^2t + 1), and 1 - tanh t < 2^-b for t > b.
        """

        def at(t: Fraction, bits: int) -> tuple[Fraction, Fraction]:
            if t > bits:
                return 1 - Fraction(1, 1 << bits), F1
            low, high = exp(2 * t, bits)
            return 1 - 2 / (low + 1), 1 - 2 / (high + 1)

        return self.odd(at, x)

    def arcsin(self, x: Real) -> Real:
        """Returns arcsin x = 2 arctan(x / (1 + sqrt(1 - x^2))), which is increasing."""

        def at(t: Fraction) -> Real:
            quotient = self.over(t, self.add(F1, self.sqrt(1 - t * t)))
            return self.mul(Fraction(2), self.odd(arctan, quotient))

        return self.enclose(lo(at(lo(x))), hi(at(hi(x))))

    def arcsinh(self, x: Real) -> Real:
        """Returns arcsinh x, which is odd and increasing.

        It is log(t + sqrt(1 + t^2)) at t = abs(x), with the sign of x.
        """

        def at(t: Fraction, bits: int) -> tuple[Fraction, Fraction]:
            s = self.add(t, self.sqrt(1 + t * t))
            return log(lo(s), bits)[0], log(hi(s), bits)[1]

        return self.odd(at, x)

    def lgamma(self, x: Real) -> Number:
        """Returns log |gamma(x)|, undefined at poles.

        It is convex for x > 0, least at 1.4616..., with -0.12148...
        """
        if x in (1, 2) or _is_pole(x):
            if _is_pole(x):
                return None
            return F0
        if isinstance(x, Ball) and lo(x) <= 0:
            raise Undecided("log gamma near its poles")
        ends = [log_gamma(end, self.bits) for end in (lo(x), hi(x))]
        least, most = min(low for low, _ in ends), max(high for _, high in ends)
        if isinstance(x, Ball) and lo(x) < Fraction(1462, 1000) and hi(x) > Fraction(1461, 1000):
            least = Fraction(-12149, 100000)
        return self.enclose(least, most)

    def digamma(self, x: Real) -> Number:
        """Returns the derivative of log gamma, undefined at its poles.

        It is increasing between them.
        """
        if _is_pole(x):
            return None
        if lo(x) <= 0 and ceil(lo(x)) <= hi(x):
            raise Undecided("digamma near its poles")
        return self.monotone(digamma, x)

    def abs(self, x: Real) -> Real:
        """Returns the absolute value."""
        if lo(x) >= 0:
            return x
        return self.enclose(max(F0, -hi(x)), max(-lo(x), hi(x)))

    def tan(self, x: Real) -> Number:
        """Returns tan x = sin x / cos x."""
        if x == 0:
            return F0
        return self.over(self.cos(x, 1), self.cos(x))

    def arctan2(self, y: Real, x: Real) -> Number:
        """Returns the angle of the point (x, y)."""
        half = self.mul(Fraction(1, 2), self.monotone(lambda _, bits: pi(bits), F0))
        if lo(x) > 0:
            return self.odd(arctan, self.over(y, x))
        if lo(y) > 0 or hi(y) < 0:
            quotient = self.odd(arctan, self.over(x, y))
            if hi(y) < 0:
                half = self.mul(Fraction(-1), half)
            return self.sub(half, quotient)
        if hi(x) < 0 and y == 0:
            return self.mul(Fraction(2), half)
        raise Undecided("arctan2 at the cut, or at the origin")

    def pow(self, x: Real, y: Real) -> Number:
        """Returns x^y, where 0^0 = 1.

        It is undefined for x < 0 with y not an integer, and for x = 0 with y < 0.
        """
        if isinstance(y, Fraction) and y.denominator == 1:
            return self.power(x, y.numerator)
        if hi(x) < 0 and isinstance(y, Fraction):
            return None
        if x == 0 and (lo(y) > 0 or hi(y) < 0):
            if lo(y) > 0:
                return F0
            return None
        if lo(x) >= 0 and isinstance(y, Fraction) and y.denominator in (2, 3):
            if y.denominator == 2:
                return self.power(self.sqrt(x), y.numerator)
            return self.power(self.odd(cube_root, x), y.numerator)
        if lo(x) <= 0:
            raise Undecided("a power at the edge of its domain")
        return self.exp(self.mul(y, self.monotone(log, x)))

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


def _is_pole(x: Real) -> bool:
    """Checks whether x is 0, -1, -2, ..."""
    return isinstance(x, Fraction) and x <= 0 and x.denominator == 1


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


def cube_root(t: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Encloses the real cube root of t > 0."""
    return root(t, 3, bits)


STEPS: dict[str, Callable[[Fraction], Fraction]] = {
    "floor": lambda t: Fraction(t.numerator // t.denominator),
    "ceil": lambda t: Fraction(-(-t.numerator // t.denominator)),
    "rint": lambda t: Fraction(round(t)),
    "sign": lambda t: Fraction((t > 0) - (t < 0)),
}
DOMAINS: dict[str, tuple[Fraction | None, Fraction | None]] = {
    "sqrt": (F0, None), "arcsin": (-F1, F1), "arccos": (-F1, F1),
}  # fmt: skip
#: Function -> an argument at which its value is rational, and that value.
EXACT = {
    "sin": (F0, F0), "cos": (F0, F1), "sinh": (F0, F0), "arcsin": (F0, F0), "arccos": (F1, F0),
}  # fmt: skip
UNARY: dict[str, Callable[[Arithmetic, Real], Number]] = {
    "recip": Arithmetic.recip,
    "exp": Arithmetic.exp,
    "log": Arithmetic.log,
    "sqrt": Arithmetic.sqrt,
    "cbrt": lambda a, x: a.odd(cube_root, x),
    "abs": Arithmetic.abs,
    "sin": lambda a, x: a.cos(x, 1),
    "cos": Arithmetic.cos,
    "tan": Arithmetic.tan,
    "sinh": Arithmetic.sinh,
    "cosh": Arithmetic.cosh,
    "tanh": Arithmetic.tanh,
    "arcsin": Arithmetic.arcsin,
    "arccos": lambda a, x: a.sub(a.arcsin(F1), a.arcsin(x)),
    "arctan": lambda a, x: a.odd(arctan, x),
    "arcsinh": Arithmetic.arcsinh,
    "erf": lambda a, x: a.odd(erf, x),
    "lgamma": Arithmetic.lgamma,
    "digamma": Arithmetic.digamma,
    "not": lambda _, x: Fraction(int(decide_zero(x))),
}
BINARY: dict[str, Callable[[Arithmetic, Real, Real], Number]] = {
    "maximum": lambda a, x, y: a.enclose(max(lo(x), lo(y)), max(hi(x), hi(y))),
    "minimum": lambda a, x, y: a.enclose(min(lo(x), lo(y)), min(hi(x), hi(y))),
    "arctan2": Arithmetic.arctan2, "pow": Arithmetic.pow, "mod": Arithmetic.mod,
    "lt": _as_number(_less), "gt": _as_number(lambda x, y: _less(y, x)),
    "le": _as_number(lambda x, y: not _less(y, x)), "ge": _as_number(lambda x, y: not _less(x, y)),
    "eq": _as_number(_equal), "ne": _as_number(lambda x, y: not _equal(x, y)),
    "and": _as_number(lambda x, y: not decide_zero(x) and not decide_zero(y)),
    "or": _as_number(lambda x, y: not decide_zero(x) or not decide_zero(y)),
}  # fmt: skip
