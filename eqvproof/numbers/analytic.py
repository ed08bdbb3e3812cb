"""Elementary and special functions of exact scalars, rational where possible.

By Lindemann and Weierstrass, exp, log, the circular and the hyperbolic functions and their inverses
take a rational value at a rational argument only at the places listed here (exp 0 = 1, log 1 = 0,
sin 0 = 0, ...), so that a ball never hides a rational there. Outside the domain: `Undefined`.
Source: F. Lindemann 1882; I. Niven, Irrational Numbers, 1956, Theorem 9.11 and its corollaries.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from flint import arb, fmpq, fmpz

from eqvproof.numbers.arithmetic import absolute, divide, maximum, minimum, real_power, sqrt
from eqvproof.numbers.scalar import ONE, ZERO, Scalar, is_less, sign, tidy, to_ball
from eqvproof.numbers.signals import Undecided, Undefined

Unary = Callable[[Scalar], Scalar]


def _entire(name: str, at_zero: Scalar, function: Callable[[arb], arb]) -> Unary:
    def value(x: Scalar) -> Scalar:
        if isinstance(x, fmpq) and x == 0:
            return at_zero
        return tidy(function(to_ball(x)))

    value.__name__ = name
    value.__doc__ = f"{name}(x); {name}(0) = {at_zero}."
    return value


exp = _entire("exp", ONE, arb.exp)
expm1 = _entire("expm1", ZERO, arb.expm1)
sin = _entire("sin", ZERO, arb.sin)
cos = _entire("cos", ONE, arb.cos)
tan = _entire("tan", ZERO, arb.tan)
sinh = _entire("sinh", ZERO, arb.sinh)
cosh = _entire("cosh", ONE, arb.cosh)
tanh = _entire("tanh", ZERO, arb.tanh)
arctan = _entire("arctan", ZERO, arb.atan)
arcsinh = _entire("arcsinh", ZERO, arb.asinh)
erf = _entire("erf", ZERO, arb.erf)
erfc = _entire("erfc", ONE, arb.erfc)


def sinc(x: Scalar) -> Scalar:
    """Returns sin(pi x) / (pi x), and 1 at 0, as NumPy's sinc."""
    if isinstance(x, fmpq) and x.q == 1:
        if x == 0:
            return ONE
        return ZERO
    return tidy(to_ball(x).sinc_pi())


def _positive(x: Scalar, what: str) -> None:
    if sign(x) <= 0:
        raise Undefined(f"{what} of a number that is not positive", given=str(x))


def log(x: Scalar) -> Scalar:
    """Returns the natural logarithm; undefined for x <= 0."""
    _positive(x, "logarithm")
    if isinstance(x, fmpq) and x == 1:
        return ZERO
    return tidy(to_ball(x).log())


def _exact_logarithm(x: fmpq, base: int) -> int | None:
    """Returns the integer k with x = base^k, or None."""
    inverse = x < 1
    if inverse:
        x = 1 / x
    if x.q != 1:
        return None
    value: fmpz = x.p
    k = round((value.bit_length() - 1) / {2: 1.0, 10: 3.321928094887362}[base])
    for candidate in (k - 1, k, k + 1):
        if candidate >= 0 and fmpz(base) ** candidate == value:
            if inverse:
                return -candidate
            return candidate
    return None


def _log_base(x: Scalar, base: int) -> Scalar:
    _positive(x, "logarithm")
    if isinstance(x, fmpq):
        k = _exact_logarithm(x, base)
        if k is not None:
            return fmpq(k)
    return tidy(to_ball(x).log() / arb(base).log())


def log2(x: Scalar) -> Scalar:
    """Returns the logarithm to base 2; rational exactly at the powers of 2."""
    return _log_base(x, 2)


def log10(x: Scalar) -> Scalar:
    """Returns the logarithm to base 10; rational exactly at the powers of 10."""
    return _log_base(x, 10)


def log1p(x: Scalar) -> Scalar:
    """Returns log(1 + x); undefined for x <= -1."""
    return log(tidy(x + 1))


def exp2(x: Scalar) -> Scalar:
    """Returns 2^x."""
    return real_power(fmpq(2), x)


def exp10(x: Scalar) -> Scalar:
    """Returns 10^x."""
    return real_power(fmpq(10), x)


def _within_one(x: Scalar, name: str, *, strict: bool) -> None:
    size = absolute(x)
    if is_less(ONE, size) or (strict and not is_less(size, ONE)):
        raise Undefined(f"{name} outside its domain", given=str(x))


def arcsin(x: Scalar) -> Scalar:
    """Returns the inverse sine; undefined outside [-1, 1]."""
    _within_one(x, "arcsin", strict=False)
    if isinstance(x, fmpq) and x == 0:
        return ZERO
    return tidy(to_ball(x).asin())


def arccos(x: Scalar) -> Scalar:
    """Returns the inverse cosine; undefined outside [-1, 1]."""
    _within_one(x, "arccos", strict=False)
    if isinstance(x, fmpq) and x == 1:
        return ZERO
    return tidy(to_ball(x).acos())


def arccosh(x: Scalar) -> Scalar:
    """Returns the inverse hyperbolic cosine; undefined for x < 1."""
    if is_less(x, ONE):
        raise Undefined("arccosh of a number below 1", given=str(x))
    if isinstance(x, fmpq) and x == 1:
        return ZERO
    return tidy(to_ball(x).acosh())


def arctanh(x: Scalar) -> Scalar:
    """Returns the inverse hyperbolic tangent; undefined outside (-1, 1)."""
    _within_one(x, "arctanh", strict=True)
    if isinstance(x, fmpq) and x == 0:
        return ZERO
    return tidy(to_ball(x).atanh())


def arctan2(y: Scalar, x: Scalar) -> Scalar:
    """Returns the angle of the point (x, y) in (-pi, pi]; 0 at the origin."""
    if isinstance(y, fmpq) and y == 0:
        if sign(x) < 0:
            return arb.pi()
        return ZERO
    if not (x > 0 or y > 0 or y < 0):
        raise Undecided("the angle of a point near the branch cut", given=f"({x}, {y})")
    return tidy(arb.atan2(to_ball(y), to_ball(x)))


def hypot(x: Scalar, y: Scalar) -> Scalar:
    """Returns sqrt(x^2 + y^2)."""
    return sqrt(tidy(x * x + y * y))


def logaddexp(x: Scalar, y: Scalar) -> Scalar:
    """Returns log(e^x + e^y)."""
    return log(tidy(exp(x) + exp(y)))


def logaddexp2(x: Scalar, y: Scalar) -> Scalar:
    """Returns log2(2^x + 2^y)."""
    return log2(tidy(exp2(x) + exp2(y)))


def expit(x: Scalar) -> Scalar:
    """Returns the logistic function 1 / (1 + e^-x)."""
    return divide(ONE, tidy(ONE + exp(-x)))


def logit(x: Scalar) -> Scalar:
    """Returns log(x / (1 - x)); undefined outside (0, 1)."""
    if sign(x) <= 0 or not is_less(x, ONE):
        raise Undefined("logit outside (0, 1)", given=str(x))
    return log(divide(x, tidy(1 - x)))


def log_expit(x: Scalar) -> Scalar:
    """Returns -log(1 + e^-x)."""
    return -log(tidy(ONE + exp(-x)))


def xlogy(x: Scalar, y: Scalar) -> Scalar:
    """Returns x log y, and 0 for x = 0."""
    if sign(x) == 0:
        return ZERO
    return tidy(x * log(y))


def xlog1py(x: Scalar, y: Scalar) -> Scalar:
    """Returns x log(1 + y), and 0 for x = 0."""
    if sign(x) == 0:
        return ZERO
    return tidy(x * log1p(y))


def entr(x: Scalar) -> Scalar:
    """Returns -x log x, and 0 for x = 0; undefined for x < 0 (where SciPy returns -inf)."""
    if sign(x) == 0:
        return ZERO
    return tidy(-x * log(x))


def ndtr(x: Scalar) -> Scalar:
    """Returns the distribution function of the standard normal law."""
    if isinstance(x, fmpq) and x == 0:
        return fmpq(1, 2)
    return tidy((-to_ball(x) / arb(2).sqrt()).erfc() / 2)


def gamma(x: Scalar) -> Scalar:
    """Returns the gamma function; undefined at 0, -1, -2, ..."""
    if isinstance(x, fmpq) and x.q == 1:
        if x <= 0:
            raise Undefined("gamma at a pole", given=str(x))
        if x < 1000:
            return fmpq(math.factorial(int(x.p) - 1))
    return tidy(to_ball(x).gamma())


def gammaln(x: Scalar) -> Scalar:
    """Returns log |gamma(x)|; undefined at 0, -1, -2, ..."""
    return log(absolute(gamma(x)))


def digamma(x: Scalar) -> Scalar:
    """Returns the derivative of log gamma(x); undefined at 0, -1, -2, ..."""
    gamma(x)
    return tidy(to_ball(x).digamma())


def degrees(x: Scalar) -> Scalar:
    """Returns x * 180 / pi."""
    return tidy(x * 180 / arb.pi())


def radians(x: Scalar) -> Scalar:
    """Returns x * pi / 180."""
    return tidy(x * arb.pi() / 180)


def heaviside(x: Scalar, at_zero: Scalar) -> Scalar:
    """Returns 0 for x < 0, 1 for x > 0, and the second argument for x = 0."""
    s = sign(x)
    if s == 0:
        return at_zero
    if s > 0:
        return ONE
    return ZERO


def clip(x: Scalar, low: Scalar, high: Scalar) -> Scalar:
    """Returns min(max(x, low), high)."""
    return minimum(maximum(x, low), high)
