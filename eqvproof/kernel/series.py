"""Elementary functions at rationals, each enclosed between two rationals.

Integers stand for multiples of 2^-w; every step rounds down in the lower number and up in the upper
one. So the result is an enclosure for each w; w is `GUARD` bits more than requested.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, factorial, isqrt

from .exact import down
from .report import Rejected, spend

Pair = tuple[int, int]
Ends = tuple[Fraction, Fraction]
#: Bits that are computed beyond those asked for.
GUARD = 64
#: Larger exponents, larger angles, and gamma functions farther on the left have no value here.
MOST_EXPONENT, MOST_ANGLE, MOST_LEFT = 8_000, 1 << 1000, 5_000


def _fixed(x: Fraction, w: int) -> Pair:
    scaled = x.numerator << w
    return scaled // x.denominator, -(-scaled // x.denominator)


def _ends(pair: Pair, w: int) -> Ends:
    return Fraction(pair[0], 1 << w), Fraction(pair[1], 1 << w)


def _sum_series(
    w: int, first: Pair, ratio: Pair, step: Callable[[int], tuple[int, int]], sign: int
) -> Pair:
    """Sums sign^n t_n over n >= 0, with t_0 = first >= 0 and t_n = t_(n-1) ratio p_n/q_n.

    (p_n, q_n) = step(n), and p_n/q_n <= 1 decreases, or ratio <= 1/4: so once ratio p_n/q_n <= 1/2,
    it stays so, and the terms after t_n add up to at most t_n.
    """
    low, high = first
    total_low, total_high, n = low, high, 0
    while True:
        n += 1
        p, q = step(n)
        small = 2 * ratio[1] * p <= q << w
        low, high = (low * ratio[0] * p // q) >> w, -((-high * ratio[1] * p // q) >> w)
        if sign > 0 or n % 2 == 0:
            total_low, total_high = total_low + low, total_high + high
        else:
            total_low, total_high = total_low - high, total_high - low
        if small and high <= 4:
            return total_low - high, total_high + high
        spend(2 + w // 256)


def _odd_step(n: int) -> tuple[int, int]:
    return 2 * n - 1, 2 * n + 1


def _odd(z: Fraction, w: int, sign: int) -> Pair:
    """Returns artanh (sign 1) or arctan (sign -1) of z, for 0 <= z <= 1/2.

    It is the sum of sign^n z^(2n+1) / (2n+1).
    """
    return _sum_series(w, _fixed(z, w), _fixed(z * z, w), _odd_step, sign)


@lru_cache(maxsize=8)
def _log2(w: int) -> Pair:
    low, high = _odd(Fraction(1, 3), w, 1)
    return 2 * low, 2 * high


@lru_cache(maxsize=8)
def _pi(w: int) -> Pair:
    """Returns pi = 16 arctan(1/5) - 4 arctan(1/239) (Machin 1706)."""
    a, b = _odd(Fraction(1, 5), w, -1), _odd(Fraction(1, 239), w, -1)
    return 16 * a[0] - 4 * b[1], 16 * a[1] - 4 * b[0]


def pi(bits: int) -> Ends:
    """Encloses pi."""
    w = bits + GUARD
    return _ends(_pi(w), w)


def exp(x: Fraction, bits: int) -> Ends:
    """Encloses e^x.

    For x > 0 it is the Taylor series at x / 2^k, squared k times; else it is 1 / e^-x.
    """
    if x < 0:
        if -x > MOST_EXPONENT:
            return Fraction(0), Fraction(1, 1 << min(MOST_EXPONENT, 16 * bits))
        least, most = exp(-x, bits)
        return 1 / most, 1 / least
    if x > MOST_EXPONENT:
        raise Rejected("an exponential that is too large")
    k = int(x).bit_length() + 6
    w = bits + 2 * k + GUARD
    low, high = _sum_series(w, (1 << w, 1 << w), _fixed(x / (1 << k), w), lambda n: (1, n), 1)
    for _ in range(k):
        spend(1 + (high.bit_length() >> 9) ** 2)
        low, high = (low * low) >> w, -((-high * high) >> w)
    return _ends((low, high), w)


def log(x: Fraction, bits: int) -> Ends:
    """Encloses log x for x > 0.

    With x = 2^e m, 1/2 <= m <= 2, it is e log 2 + 2 artanh((m - 1) / (m + 1)).
    """
    if x == 1:
        return Fraction(0), Fraction(0)
    e = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / Fraction(2) ** e
    w = bits + GUARD
    z = (m - 1) / (m + 1)
    low, high = _odd(abs(z), w, 1)
    if z < 0:
        low, high = -high, -low
    ends = [e * end for end in _log2(w)]
    return _ends((2 * low + min(ends), 2 * high + max(ends)), w)


def arctan(x: Fraction, bits: int) -> Ends:
    """Encloses the arctangent of x > 0.

    For x > 1 it is pi/2 - arctan(1/x); for x > 1/4 it is arctan(1/2) + arctan((x - 1/2) / (1 +
    x/2)).
    """
    w = bits + GUARD
    if x > 1:
        low, high = arctan(1 / x, bits)
        quarter = _ends(_pi(w), w)
        return quarter[0] / 2 - high, quarter[1] / 2 - low
    if x <= Fraction(1, 4):
        return _ends(_odd(x, w, -1), w)
    z = (x - Fraction(1, 2)) / (1 + x / 2)
    low_, high_ = _odd(abs(z), w, -1)
    half = _odd(Fraction(1, 2), w, -1)
    if z < 0:
        low_, high_ = -high_, -low_
    return _ends((half[0] + low_, half[1] + high_), w)


def cosine(x: Fraction, quarter: int, bits: int) -> Ends:
    """Encloses the cosine of x - quarter pi/2.

    q quarter turns are taken off, then a Taylor series is summed at abs(r) <= pi/4.
    """
    w = bits + 2 * abs(x.numerator // x.denominator).bit_length() + GUARD
    if abs(x) > MOST_ANGLE:
        raise Rejected("an angle that is too large")
    low, high = _ends(_pi(w), w)
    q = round(2 * x / low)
    ends = (x - q * low / 2, x - q * high / 2)
    middle = (ends[0] + ends[1]) / 2
    slack = abs(ends[0] - ends[1])
    turn = (q - quarter) % 4
    square = _fixed(middle * middle, w)
    if turn % 2 == 0:
        a, b = _sum_series(w, (1 << w, 1 << w), square, lambda n: (1, 2 * n * (2 * n - 1)), -1)
    else:
        a, b = _sum_series(
            w, _fixed(abs(middle), w), square, lambda n: (1, 2 * n * (2 * n + 1)), -1
        )
        if middle > 0:
            a, b = -b, -a
    if turn >= 2:
        a, b = -b, -a
    value = _ends((a, b), w)
    return value[0] - slack, value[1] + slack


def erf(x: Fraction, bits: int) -> Ends:
    """Encloses erf x for x > 0.

    It is 2/sqrt(pi) e^(-x^2) sum of 2^n x^(2n+1) / (1 3 5 ... (2n+1)), and 1 - erf x <= e^(-x^2).
    """
    if x * x > bits:
        return 1 - Fraction(1, 1 << bits), Fraction(1)
    spend(16 + (bits * bits >> 11))  # the fractions below
    w = bits + GUARD
    total = _ends(
        _sum_series(w, _fixed(x, w), _fixed(2 * x * x, w), lambda n: (1, 2 * n + 1), 1), w
    )
    e, p = exp(-x * x, bits), pi(bits)
    low, high = root(p[0], 2, bits)[0], root(p[1], 2, bits)[1]
    return 2 * e[0] * total[0] / high, min(Fraction(1), 2 * e[1] * total[1] / low)


@lru_cache(maxsize=16)
def _tangents(count: int) -> list[int]:
    """Returns the derivatives of tan at 0 of odd order, 2k - 1 at place k >= 1.

    See Brent and Harvey (2011).
    """
    found = [0, *(factorial(k) for k in range(count))]
    for k in range(2, count + 1):
        for j in range(k, count + 1):
            found[j] = (j - k) * found[j - 1] + (j - k + 2) * found[j]
    return found


def _bernoulli(k: int) -> Fraction:
    """Returns the Bernoulli number B_2k."""
    tangent = _tangents(1 << k.bit_length())[k]
    return Fraction((-1) ** (k - 1) * 2 * k * tangent, 4**k * (4**k - 1))


def _stirling(
    x: Fraction, bits: int, weight: Callable[[int], Fraction], odd: int
) -> tuple[int, Ends]:
    """Returns a number n, and the sum over k >= 1 of weight(k) B_2k / z^(2k - odd) for z = x + n.

    For log gamma and its derivative the error of a part of the sum is at most the first term left
    out, as z is positive (DLMF 5.11(ii)). The least term is about e^(-2 pi z): at z >= e, some
    terms are below 2^-e.
    """
    if x < -MOST_LEFT:
        raise Rejected("a gamma function too far on the left")
    enough = bits + GUARD
    n = max(0, ceil(enough - x))
    z, low, high, k = x + n, 0, 0, 1
    w = enough * int(z).bit_length()  # for powers of 1/z that Bernoulli numbers make large again
    power, square = _fixed(1 / z ** (2 - odd), w), _fixed(1 / (z * z), w)
    while True:
        spend(2 + w // 256)
        factor = weight(k) * _bernoulli(k)
        ends = [factor.numerator * p // factor.denominator for p in power]
        most = max(map(abs, ends)) + 1
        if most >> (w - enough) == 0:
            return n, _ends((low - most, high + most), w)
        low, high, k = low + min(ends), high + max(ends) + 1, k + 1
        power = power[0] * square[0] >> w, -((-power[1] * square[1]) >> w)


def log_gamma(x: Fraction, bits: int) -> Ends:
    """Encloses log |gamma(x)| for x that is no pole.

    It is log |gamma(z) / (x (x+1) ... (z-1))|, with Stirling's series for log gamma(z).

    The series is log z (z - 1/2) - z + log(2 pi)/2 + sum B_2k / (2k (2k-1) z^(2k-1)).
    """
    n, (low, high) = _stirling(x, bits, lambda k: Fraction(1, 2 * k * (2 * k - 1)), 1)
    z, size, turn = x + n, log(x + n, bits), pi(bits)
    ends = [low + (z - Fraction(1, 2)) * size[0] - z, high + (z - Fraction(1, 2)) * size[1] - z]
    least, most, w = Fraction(1), Fraction(1), bits + GUARD
    for step in range(n):
        spend(4 + bits // 64)
        least, most = down(least * abs(x + step), w), -down(-most * abs(x + step), w)
    return (
        ends[0] + log(2 * turn[0], bits)[0] / 2 - log(most, bits)[1],
        ends[1] + log(2 * turn[1], bits)[1] / 2 - log(least, bits)[0],
    )


def digamma(x: Fraction, bits: int) -> Ends:
    """Encloses the derivative of log gamma(x) for x that is no pole.

    Stirling's series is log z - 1/(2z) - sum B_2k / (2k z^(2k)).
    """
    n, (low, high) = _stirling(x, bits, lambda k: Fraction(-1, 2 * k), 0)
    size, half, w = log(x + n, bits), 1 / (2 * (x + n)), bits + GUARD
    spend(n * (1 + bits // 256))
    inverses = [_fixed(1 / (x + step), w) for step in range(n)]
    least, most = (Fraction(sum(inverse[end] for inverse in inverses), 1 << w) for end in (0, 1))
    return low + size[0] - half - most, high + size[1] - half - least


def root(x: Fraction, n: int, bits: int) -> Ends:
    """Encloses the n-th root (n = 2, 3) of x >= 0, exact for exact powers.

    Else it is found by the integer root of 2^(n k) x.
    """
    a, b = _integer_root(x.numerator, n), _integer_root(x.denominator, n)
    if a**n == x.numerator and b**n == x.denominator:
        return Fraction(a, b), Fraction(a, b)
    k = bits + GUARD + max(0, x.denominator.bit_length() - x.numerator.bit_length()) // n
    spend(k // 64)
    low = _integer_root((x.numerator << n * k) // x.denominator, n)
    return Fraction(low, 1 << k), Fraction(low + 1, 1 << k)


def _integer_root(x: int, n: int) -> int:
    """Returns the greatest r with r^n <= x, by Newton's method from above for n = 3."""
    if n == 2 or x < 2:
        if n == 2:
            return isqrt(x)
        return x
    r = 1 << (x.bit_length() // 3 + 1)
    while True:
        s = (2 * r + x // (r * r)) // 3
        if s >= r:
            return r
        r = s
