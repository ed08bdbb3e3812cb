"""Exact arithmetic beyond +, -, *: quotients, powers, roots, rounding, order.

Every function takes and returns a `Scalar`; a result is rational whenever that is decided easily,
else a ball. All raise `Undefined` outside their domain and `Undecided` where the enclosure is too
wide to tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, fmpq, fmpz

from eqvproof.numbers.scalar import MAX_BITS, ONE, ZERO, Scalar, sign, tidy, to_ball
from eqvproof.numbers.signals import Undecided, Undefined


def divide(x: Scalar, y: Scalar) -> Scalar:
    """Returns x / y; undefined for y = 0."""
    if sign(y) == 0:
        raise Undefined("division by zero", given=f"{x} / {y}")
    return tidy(x / y)


def reciprocal(x: Scalar) -> Scalar:
    """Returns 1 / x; undefined for x = 0."""
    return divide(ONE, x)


def absolute(x: Scalar) -> Scalar:
    """Returns |x|."""
    if isinstance(x, fmpq):
        return abs(x)
    return tidy(abs(x))


def maximum(x: Scalar, y: Scalar) -> Scalar:
    """Returns the larger of x and y; an enclosure of it where the balls overlap."""
    if x >= y:
        return x
    if x < y:
        return y
    return tidy(to_ball(x).max(to_ball(y)))


def minimum(x: Scalar, y: Scalar) -> Scalar:
    """Returns the smaller of x and y; an enclosure of it where the balls overlap."""
    if x <= y:
        return x
    if x > y:
        return y
    return tidy(to_ball(x).min(to_ball(y)))


def hull(x: Scalar, y: Scalar) -> Scalar:
    """Returns a ball around both x and y (x itself when they are equal rationals)."""
    if isinstance(x, fmpq) and isinstance(y, fmpq) and x == y:
        return x
    return tidy(to_ball(x).union(to_ball(y)))


def sorted_scalars(values: Sequence[Scalar]) -> list[Scalar]:
    """Returns the values in ascending order.

    For balls the k-th smallest value lies between the k-th smallest lower and upper ends, so that
    ties need no decision; a place that only one ball can take keeps it as it is.
    """
    if all(isinstance(v, fmpq) for v in values):
        return sorted(values)
    lower = sorted((to_ball(v).lower(), i) for i, v in enumerate(values))
    upper = sorted((to_ball(v).upper(), i) for i, v in enumerate(values))
    result = []
    highest = -1
    position = {i: k for k, (_, i) in enumerate(upper)}
    for k, ((lo, i), (hi, j)) in enumerate(zip(lower, upper, strict=True)):
        separated = i == j and highest < k == position[i] and not _touches(lower, upper, k)
        highest = max(highest, position[i])
        if separated:
            result.append(values[i])
        else:
            result.append(tidy(lo.union(hi)))
    return result


def _touches(lower: list[tuple[arb, int]], upper: list[tuple[arb, int]], k: int) -> bool:
    before = k > 0 and not upper[k - 1][0] < lower[k][0]
    after = k + 1 < len(lower) and not upper[k][0] < lower[k + 1][0]
    return before or after


def sign_of(x: Scalar) -> Scalar:
    """Returns -1, 0 or 1."""
    return fmpq(sign(x))


def _floor_of(x: arb) -> fmpz:
    value = x.floor().unique_fmpz()
    if value is None:
        raise Undecided("the integer part of an enclosure around a jump", given=str(x))
    return value


def floor(x: Scalar) -> Scalar:
    """Returns the largest integer <= x."""
    if isinstance(x, fmpq):
        return fmpq(x.floor())
    return fmpq(_floor_of(x))


def ceil(x: Scalar) -> Scalar:
    """Returns the smallest integer >= x."""
    return -floor(-x)


def trunc(x: Scalar) -> Scalar:
    """Returns x rounded towards zero."""
    if x >= 0:
        return floor(x)
    if x < 0:
        return ceil(x)
    if x > -1 and x < 1:
        return ZERO
    raise Undecided("the integer part of an enclosure around a jump", given=str(x))


def rint(x: Scalar) -> Scalar:
    """Returns the nearest integer, halves to the even one."""
    if isinstance(x, fmpq):
        down = x.floor()
        rest = x - down
        half = fmpq(1, 2)
        up = rest > half or (rest == half and int(down) % 2 == 1)
        return fmpq(down + 1 if up else down)
    return floor(x + fmpq(1, 2))  # on a half the enclosure is around a jump, and Undecided


def floor_divide(x: Scalar, y: Scalar) -> Scalar:
    """Returns floor(x / y); undefined for y = 0."""
    return floor(divide(x, y))


def modulo(x: Scalar, y: Scalar) -> Scalar:
    """Returns x - y floor(x / y); undefined for y = 0."""
    return tidy(x - y * floor_divide(x, y))


def fmod(x: Scalar, y: Scalar) -> Scalar:
    """Returns x - y trunc(x / y), as C's remainder; undefined for y = 0."""
    return tidy(x - y * trunc(divide(x, y)))


def root(x: fmpq, degree: int) -> fmpq | None:
    """Returns the rational r >= 0 with r^degree = x, for x >= 0; None where there is none."""
    numerator, denominator = x.p.root(degree), x.q.root(degree)
    if numerator**degree == x.p and denominator**degree == x.q:
        return fmpq(numerator, denominator)
    return None


def sqrt(x: Scalar) -> Scalar:
    """Returns the square root; undefined for x < 0."""
    s = sign(x)
    if s < 0:
        raise Undefined("square root of a negative number", given=str(x))
    if isinstance(x, fmpq):
        exact = root(x, 2)
        if exact is not None:
            return exact
    return tidy(to_ball(x).sqrt())


def cbrt(x: Scalar) -> Scalar:
    """Returns the real cube root."""
    if isinstance(x, fmpq):
        exact = root(abs(x), 3)
        if exact is not None:
            if x >= 0:
                return exact
            return -exact
    s = sign(x)
    if s > 0:
        return tidy(to_ball(x).root(3))
    return -tidy((-to_ball(x)).root(3))


def integer_power(x: Scalar, exponent: int) -> Scalar:
    """Returns x^k for an integer k; undefined for x = 0, k < 0."""
    if exponent < 0 and sign(x) == 0:
        raise Undefined("a negative power of zero", given=f"{x}^{exponent}")
    if isinstance(x, fmpq):
        if abs(x) == 1 or x == 0 or x.height_bits() * abs(exponent) <= MAX_BITS:
            if abs(x) != 1:
                return x**exponent
            if exponent % 2:
                return x
            return ONE
        return tidy(to_ball(x) ** exponent)
    if exponent % 2 == 0:
        x = abs(x)  # an even power of a ball around zero then stays close to non-negative
    return tidy(x**exponent)


def real_power(x: Scalar, y: Scalar) -> Scalar:
    """Returns x^y over the reals.

    Undefined for x < 0 with y not an integer, and for x = 0 with y < 0; 0^0 = 1. An exact root is
    used where x and y are rational and it exists: (4/9)^(-3/2) = 27/8.
    """
    if isinstance(y, fmpq) and y.q == 1:
        return integer_power(x, int(y.p))
    s = sign(x)
    if s == 0:
        if sign(y) < 0:
            raise Undefined("a negative power of zero", given=f"{x}^{y}")
        if sign(y) > 0:
            return ZERO
        return ONE
    if s < 0:
        if isinstance(y, fmpq) or not y.contains_integer():
            raise Undefined(
                "a power of a negative number that is not an integer power", given=f"{x}^{y}"
            )
        raise Undecided("whether an exponent of a negative number is an integer", given=f"{x}^{y}")
    if isinstance(x, fmpq):
        if x == 1:
            return ONE
        if isinstance(y, fmpq) and y.q <= 64:
            exact = root(x, int(y.q))
            if exact is not None:
                return integer_power(exact, int(y.p))
    return tidy(to_ball(x) ** to_ball(y))
