"""Exact scalars: rationals (``flint.fmpq``), or balls that enclose a real (``flint.arb``).

A ball is an interval [m - r, m + r].

A ball is finite and has a positive radius: an enclosure that is a single number is kept as that
rational. Every operation on balls rounds outwards at the precision of `precision`.
"""

from __future__ import annotations

import numbers
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction

import flint
import numpy as np
from flint import arb, fmpq, fmpz

from eqvproof.numbers.signals import Undecided, Undefined

Scalar = fmpq | arb

ZERO, ONE = fmpq(0), fmpq(1)
#: Number of bits above which a power or an exact enclosure is not written out as a rational.
MAX_BITS = 1 << 20
#: Longest numerator or denominator of a rational in bits; longer ones become balls, as iterations
#: double the length each time.
LONGEST = 1 << 16
_LOCK = threading.RLock()


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Sets the precision of balls, in bits, inside the block.

    Flint has one precision for all threads, so only one thread at a time is inside such a block.
    """
    with _LOCK:
        before = flint.ctx.prec
        flint.ctx.prec = bits
        try:
            yield
        finally:
            flint.ctx.prec = before


def current_precision() -> int:
    """Returns the number of bits with which balls are computed now."""
    return flint.ctx.prec


def tidy(x: Scalar) -> Scalar:
    """Normalises a scalar.

    An enclosure that is a single number becomes a rational, and a rational that is too long a ball.

    Raises:
        Undecided: the enclosure is unbounded (nothing is known at this precision).
    """
    if isinstance(x, fmpq):
        if x.height_bits() <= LONGEST:
            return x
        return arb(x)
    if x.is_exact():
        if not x.is_finite():
            raise Undecided("an enclosure is unbounded at this precision")
        mantissa, exponent = x.man_exp()
        if -MAX_BITS < exponent < MAX_BITS:
            power = fmpz(1) << abs(int(exponent))
            if exponent >= 0:
                return fmpq(mantissa * power)
            return fmpq(mantissa, power)
        return x
    if not x.is_finite():
        raise Undecided("an enclosure is unbounded at this precision")
    return x


def to_ball(x: Scalar) -> arb:
    """Returns a ball around x at the current precision."""
    if isinstance(x, arb):
        return x
    return arb(x)


def from_fraction(value: numbers.Rational) -> fmpq:
    """Converts a Fraction, or another rational of Python's number tower, to an fmpq."""
    return fmpq(int(value.numerator), int(value.denominator))


def to_scalar(value: object) -> Scalar:
    """Converts a Python or NumPy number to an exact number; floats are exact rationals.

    Exactness: exact. Text is read as ``Fraction`` reads it ("1/3", "0.1", "2e-3").

    Raises:
        Undefined: the value is NaN or an infinity. TypeError: it is no real number.
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, arb):
        return tidy(value)
    if isinstance(value, (int, fmpz)):
        return fmpq(value)
    if isinstance(value, (np.integer, np.bool_)):
        return fmpq(int(value))
    if isinstance(value, (float, np.floating, Decimal)):
        try:
            numerator, denominator = value.as_integer_ratio()
        except (ValueError, OverflowError):
            raise Undefined(
                "a number that is not finite has no exact value",
                given=repr(value),
                code="exact.not-finite",
            ) from None
        return fmpq(int(numerator), int(denominator))
    if isinstance(value, numbers.Rational):
        return from_fraction(value)
    if isinstance(value, str):
        return from_fraction(Fraction(value))
    raise TypeError(f"not a real number: {type(value).__name__} {value!r}")


def sign(x: Scalar) -> int:
    """Returns the sign of a number: -1, 0 or 1.

    Raises:
        Undecided: the number is a ball that contains zero.
    """
    if x > 0:
        return 1
    if x < 0:
        return -1
    if isinstance(x, fmpq) or x.is_zero():
        return 0
    raise Undecided("the sign of an enclosure that contains zero", given=str(x))


def is_less(x: Scalar, y: Scalar) -> bool:
    """Checks whether x < y.

    Raises:
        Undecided: the enclosures overlap.
    """
    if x < y:
        return True
    if x is y or x >= y:
        return False
    raise Undecided("comparison of enclosures that overlap", given=f"{x} and {y}")


def is_at_most(x: Scalar, y: Scalar) -> bool:
    """Checks whether x <= y; an object equals itself.

    Raises:
        Undecided: the enclosures overlap.
    """
    if x is y or x <= y:
        return True
    if x > y:
        return False
    raise Undecided("comparison of enclosures that overlap", given=f"{x} and {y}")


def is_equal(x: Scalar, y: Scalar) -> bool:
    """Checks whether x = y; an object equals itself.

    Raises:
        Undecided: the enclosures overlap (two balls are never found equal, save a ball and itself).
    """
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return x == y
    if x is y:
        return True
    if x < y or x > y:
        return False
    if x == y:  # both are single numbers too long to be written as rationals
        return True
    raise Undecided("equality of enclosures that overlap", given=f"{x} and {y}")


def _dyadic(x: arb) -> Fraction:
    mantissa, exponent = x.man_exp()
    e = int(exponent)
    if abs(e) > MAX_BITS:
        raise Undecided(
            "an enclosure too large or too small to be written as rationals", given=str(x)
        )
    return Fraction(int(mantissa)) * Fraction(2) ** e


def to_fraction(x: fmpq) -> Fraction:
    """Converts an fmpq to a Fraction."""
    return Fraction(int(x.p), int(x.q))


def rational_bounds(x: Scalar) -> tuple[Fraction, Fraction]:
    """Returns rationals lo and hi with lo <= x <= hi, equal when x is rational."""
    if isinstance(x, fmpq):
        value = to_fraction(x)
        return value, value
    middle, radius = _dyadic(x.mid()), _dyadic(x.rad())
    return middle - radius, middle + radius


def middle(x: Scalar) -> Fraction:
    """Returns the rational itself, or the middle of the ball."""
    if isinstance(x, fmpq):
        return to_fraction(x)
    return _dyadic(x.mid())


def to_float(x: Scalar) -> float:
    """Returns the float nearest to the number (to the middle of a ball).

    It is an infinity where it overflows.
    """
    if not isinstance(x, fmpq):
        x = x.mid()
        return float(x)
    try:
        return int(x.p) / int(x.q)
    except OverflowError:
        if x > 0:
            return float("inf")
        return float("-inf")
