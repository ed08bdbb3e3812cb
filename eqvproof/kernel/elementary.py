"""Enclosures of functions of entries that are not rational, such as roots and logarithms.

Each is applied to numbers of `interval`; its value is enclosed by that of `series` at their ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil

from . import series
from .interval import F0, F1, Arithmetic, Ball, Number, Real, hi, lo
from .report import Undecided, spend


def elementary_value(fn: str, args: Sequence[Real], a: Arithmetic) -> Number:
    """Returns the value of a function of entries, undefined outside of its domain."""
    if fn == "pi":
        return monotone(a, lambda _, bits: series.pi(bits), F0)
    if len(args) == 2:
        return BINARY[fn](a, *args)
    (x,) = args
    if fn in DOMAINS:
        low, high = DOMAINS[fn]
        inside = (low is None or lo(x) >= low) and (high is None or hi(x) <= high)
        if not inside:
            if (low is not None and hi(x) < low) or (high is not None and lo(x) > high):
                return None
            raise Undecided(f"{fn} at the edge of its domain")
    if fn in EXACT and x == EXACT[fn][0]:
        return EXACT[fn][1]
    return UNARY[fn](a, x)


def monotone(
    a: Arithmetic, fn: Callable[[Fraction, int], tuple[Fraction, Fraction]], x: Real
) -> Real:
    """Encloses an increasing function, given its enclosures at rationals."""
    spend(60 + a.bits)
    low = high = fn(lo(x), a.bits)
    if isinstance(x, Ball):
        high = fn(hi(x), a.bits)
    return a.enclose(low[0], high[1])


def odd(a: Arithmetic, fn: Callable[[Fraction, int], tuple[Fraction, Fraction]], x: Real) -> Real:
    """Encloses an increasing odd function, given its enclosures at rationals > 0."""

    def at(t: Fraction, bits: int) -> tuple[Fraction, Fraction]:
        if t == 0:
            return t, t
        low, high = fn(abs(t), bits)
        if t > 0:
            return (low, high)
        return (-high, -low)

    return monotone(a, at, x)


def cos(a: Arithmetic, x: Real, quarter: int = 0) -> Real:
    """Returns the cosine of x - quarter pi/2.

    It is enclosed by the cosine at the midpoint, give or take half the width (slopes are <= 1).
    """
    spend(80 + a.bits)
    middle, radius = (lo(x) + hi(x)) / 2, (hi(x) - lo(x)) / 2
    low, high = series.cosine(middle, quarter, a.bits)
    return a.enclose(max(low - radius, Fraction(-1)), min(high + radius, F1))


def exp(a: Arithmetic, x: Real) -> Real:
    """Returns e^x."""
    if x == 0:
        return F1
    return monotone(a, series.exp, x)


def sqrt(a: Arithmetic, x: Real) -> Real:
    """Returns the square root of x >= 0."""
    return monotone(a, lambda t, bits: series.root(t, 2, bits), x)


def logarithm(a: Arithmetic, x: Real) -> Number:
    """Returns log x, undefined for x <= 0."""
    if hi(x) <= 0:
        return None
    if lo(x) <= 0:
        raise Undecided("log at the edge of its domain")
    if x == 1:
        return F0
    return monotone(a, series.log, x)


def cosh(a: Arithmetic, x: Real) -> Real:
    """Returns cosh x.

    It is (e^t + 1/e^t) / 2 at t = abs(x), where it is increasing.
    """
    t = a.abs(x)

    def at(u: Fraction) -> Real:
        return _half_sum(a, exp(a, u), 1)

    return a.enclose(lo(at(lo(t))), hi(at(hi(t))))


def sinh(a: Arithmetic, x: Real) -> Real:
    """Returns sinh x = (e^x - 1/e^x) / 2, which is increasing."""
    return a.enclose(lo(_half_sum(a, exp(a, lo(x)), -1)), hi(_half_sum(a, exp(a, hi(x)), -1)))


def _half_sum(a: Arithmetic, e: Real, sign: int) -> Real:
    inverse = a.enclose(1 / hi(e), 1 / lo(e))
    return a.mul(Fraction(1, 2), a.add(e, a.mul(Fraction(sign), inverse)))


def tanh(a: Arithmetic, x: Real) -> Real:
    """Returns tanh x, which is odd and increasing.

    tanh t = 1 - 2 / (e^2t + 1), and 1 - tanh t < 2^-b for t > b.
    """

    def at(t: Fraction, bits: int) -> tuple[Fraction, Fraction]:
        if t > bits:
            return 1 - Fraction(1, 1 << bits), F1
        low, high = series.exp(2 * t, bits)
        return 1 - 2 / (low + 1), 1 - 2 / (high + 1)

    return odd(a, at, x)


def arcsin(a: Arithmetic, x: Real) -> Real:
    """Returns arcsin x = 2 arctan(x / (1 + sqrt(1 - x^2))), which is increasing."""

    def at(t: Fraction) -> Real:
        quotient = a.over(t, a.add(F1, sqrt(a, 1 - t * t)))
        return a.mul(Fraction(2), odd(a, series.arctan, quotient))

    return a.enclose(lo(at(lo(x))), hi(at(hi(x))))


def arcsinh(a: Arithmetic, x: Real) -> Real:
    """Returns arcsinh x, which is odd and increasing.

    It is log(t + sqrt(1 + t^2)) at t = abs(x), with the sign of x.
    """

    def at(t: Fraction, bits: int) -> tuple[Fraction, Fraction]:
        s = a.add(t, sqrt(a, 1 + t * t))
        return series.log(lo(s), bits)[0], series.log(hi(s), bits)[1]

    return odd(a, at, x)


def lgamma(a: Arithmetic, x: Real) -> Number:
    """Returns log |gamma(x)|, undefined at poles.

    It is convex for x > 0, least at 1.4616..., with -0.12148...
    """
    if x in (1, 2) or _is_pole(x):
        if _is_pole(x):
            return None
        return F0
    if isinstance(x, Ball) and lo(x) <= 0:
        raise Undecided("log gamma near its poles")
    ends = [series.log_gamma(end, a.bits) for end in (lo(x), hi(x))]
    least, most = min(low for low, _ in ends), max(high for _, high in ends)
    if isinstance(x, Ball) and lo(x) < Fraction(1462, 1000) and hi(x) > Fraction(1461, 1000):
        least = Fraction(-12149, 100000)
    return a.enclose(least, most)


def digamma(a: Arithmetic, x: Real) -> Number:
    """Returns the derivative of log gamma, undefined at its poles.

    It is increasing between them.
    """
    if _is_pole(x):
        return None
    if lo(x) <= 0 and ceil(lo(x)) <= hi(x):
        raise Undecided("digamma near its poles")
    return monotone(a, series.digamma, x)


def tan(a: Arithmetic, x: Real) -> Number:
    """Returns tan x = sin x / cos x."""
    if x == 0:
        return F0
    return a.over(cos(a, x, 1), cos(a, x))


def arctan2(a: Arithmetic, y: Real, x: Real) -> Number:
    """Returns the angle of the point (x, y)."""
    half = a.mul(Fraction(1, 2), monotone(a, lambda _, bits: series.pi(bits), F0))
    if lo(x) > 0:
        return odd(a, series.arctan, a.over(y, x))
    if lo(y) > 0 or hi(y) < 0:
        quotient = odd(a, series.arctan, a.over(x, y))
        if hi(y) < 0:
            half = a.mul(Fraction(-1), half)
        return a.sub(half, quotient)
    if hi(x) < 0 and y == 0:
        return a.mul(Fraction(2), half)
    raise Undecided("arctan2 at the cut, or at the origin")


def to_power(a: Arithmetic, x: Real, y: Real) -> Number:
    """Returns x^y, where 0^0 = 1.

    It is undefined for x < 0 with y not an integer, and for x = 0 with y < 0.
    """
    if isinstance(y, Fraction) and y.denominator == 1:
        return a.power(x, y.numerator)
    if hi(x) < 0 and isinstance(y, Fraction):
        return None
    if x == 0 and (lo(y) > 0 or hi(y) < 0):
        if lo(y) > 0:
            return F0
        return None
    if lo(x) >= 0 and isinstance(y, Fraction) and y.denominator in (2, 3):
        if y.denominator == 2:
            return a.power(sqrt(a, x), y.numerator)
        return a.power(odd(a, cube_root, x), y.numerator)
    if lo(x) <= 0:
        raise Undecided("a power at the edge of its domain")
    return exp(a, a.mul(y, monotone(a, series.log, x)))


def _is_pole(x: Real) -> bool:
    """Checks whether x is 0, -1, -2, ..."""
    return isinstance(x, Fraction) and x <= 0 and x.denominator == 1


def cube_root(t: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Encloses the real cube root of t > 0."""
    return series.root(t, 3, bits)


DOMAINS: dict[str, tuple[Fraction | None, Fraction | None]] = {
    "sqrt": (F0, None), "arcsin": (-F1, F1), "arccos": (-F1, F1),
}  # fmt: skip
#: Function -> an argument at which its value is rational, and that value.
EXACT = {
    "sin": (F0, F0), "cos": (F0, F1), "sinh": (F0, F0), "arcsin": (F0, F0), "arccos": (F1, F0),
}  # fmt: skip
UNARY: dict[str, Callable[[Arithmetic, Real], Number]] = {
    "exp": exp, "log": logarithm, "sqrt": sqrt, "cbrt": lambda a, x: odd(a, cube_root, x),
    "sin": lambda a, x: cos(a, x, 1), "cos": cos, "tan": tan, "sinh": sinh, "cosh": cosh, "tanh": tanh,
    "arcsin": arcsin, "arccos": lambda a, x: a.sub(arcsin(a, F1), arcsin(a, x)),
    "arctan": lambda a, x: odd(a, series.arctan, x), "arcsinh": arcsinh,
    "erf": lambda a, x: odd(a, series.erf, x), "lgamma": lgamma, "digamma": digamma,
}  # fmt: skip
BINARY: dict[str, Callable[[Arithmetic, Real, Real], Number]] = {
    "arctan2": arctan2,
    "pow": to_power,
}
