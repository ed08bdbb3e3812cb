"""`Real`: an exact scalar that behaves as a number in user code and in NumPy object arrays."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from eqvproof.numbers import arithmetic
from eqvproof.numbers.infinite import MINUS, PLUS, Extended, Infinite
from eqvproof.numbers.protocol import FunctionOperand
from eqvproof.numbers.scalar import (  # fmt: skip
    Scalar,
    middle,
    rational_bounds,
    sign,
    tidy,
    to_float,
    to_fraction,
    to_scalar,
)
from eqvproof.numbers.signals import Inexact, Undecided, Undefined
from eqvproof.numbers.table import FUNCTIONS, RELATIONS, call

#: Digits of a ball that are printed, whatever the current precision is.
DIGITS = 15


def _operators(name: str, fast: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """Returns a binary operator and its reflection."""

    def forward(self: Real, other: Any) -> Any:
        v = self._v
        o = other._v if type(other) is Real else operand(other)
        if type(v) is fmpq and type(o) is fmpq:
            return wrap(fast(v, o))
        if o is NotImplemented:
            return o
        return wrap(call(name, v, o))

    def reflected(self: Real, other: Any) -> Any:
        o = operand(other)
        if o is NotImplemented:
            return o
        return wrap(call(name, o, self._v))

    return forward, reflected


def _relation(name: str) -> Any:
    def compare(self: Real, other: Any) -> Any:
        if other is self:
            return name in ("equal", "less_equal", "greater_equal")
        o = operand(other)
        if o is NotImplemented:
            return o
        return call(name, self._v, o) == 1

    return compare


class Real(FunctionOperand):
    """A real number: a rational as long as possible, else a ball that encloses it.

    Arithmetic with int, Fraction, float (the rational that it is), NumPy scalars and other Reals is
    exact or enclosing. Nothing turns a Real into a float by itself: ``float(x)``, ``math.exp(x)``
    and assignment into a float array raise `Inexact`; `to_float` converts on request. An infinity
    that code mixes in (``np.where(mask, x, -np.inf)``) is carried along as a Real that is not
    `is_finite`, where limits are beyond doubt (exp(-inf) = 0); it is never a result.

    Exactness: rational +, -, *, /, integer powers, exact roots, floor, mod, comparisons: exact.
    Other functions: a ball at the precision of ``exact.precision``.

    Raises:
        Undefined: 1/0, log 0, sqrt(-1), NaN, and the like. Undecided: a comparison of balls that
            overlap, int(), bool(), floor of a ball around a jump.

    Example:
        >>> Real(9) ** 0.5 + Real("1/3")
        Real('10/3')
        >>> bool(np.exp(Real(0)) == 1)
        True
    """

    __slots__ = ("_v",)
    _v: Extended

    def __init__(self, value: object = 0) -> None:
        if isinstance(value, Real):
            self._v = value._v
        else:
            self._v = to_scalar(value)

    @property
    def scalar(self) -> Scalar:
        """The flint number inside.

        Raises:
            Undefined: the number is an infinity.
        """
        if isinstance(self._v, Infinite):
            raise Undefined(
                "an infinity is no real number", given=str(self), code="exact.not-finite"
            )
        return self._v

    @property
    def is_rational(self) -> bool:
        """True if the number is known as a rational."""
        return isinstance(self._v, fmpq)

    @property
    def is_finite(self) -> bool:
        """True if this is a real number, and no infinity."""
        return not isinstance(self._v, Infinite)

    def to_fraction(self) -> Fraction:
        """Returns the rational that this is; raises `Inexact` when only a ball is known."""
        if isinstance(self._v, fmpq):
            return to_fraction(self._v)
        raise Inexact("only an enclosure of this number is known", given=str(self))

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Returns rationals lo and hi with lo <= x <= hi."""
        return rational_bounds(self.scalar)

    def middle(self) -> Fraction:
        """Returns the rational itself, or the middle of the ball."""
        return middle(self.scalar)

    def to_float(self) -> float:
        """Returns the nearest float (to the middle of a ball), for printing and plotting only."""
        if isinstance(self._v, Infinite):
            return self._v.sign * float("inf")
        return to_float(self._v)

    # ------------------------------------------------------------------------------------
    # conversions
    def __float__(self) -> float:
        raise Inexact(
            "an exact number was about to be rounded to a float",
            given=f"float({self!s:.40})",
            hint="x.to_float() where rounding is meant; fill object arrays, not float ones",
        )

    def __complex__(self) -> complex:
        return self.__float__()

    def __bool__(self) -> bool:
        return isinstance(self._v, Infinite) or sign(self._v) != 0

    def __int__(self) -> int:
        return _integer(arithmetic.trunc(self.scalar))

    def __trunc__(self) -> int:
        return _integer(arithmetic.trunc(self.scalar))

    def __floor__(self) -> int:
        return _integer(arithmetic.floor(self.scalar))

    def __ceil__(self) -> int:
        return _integer(arithmetic.ceil(self.scalar))

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return _integer(arithmetic.rint(self.scalar))
        scale = fmpq(10) ** digits
        return wrap(arithmetic.rint(self.scalar * scale) / scale)

    def __hash__(self) -> int:
        if isinstance(self._v, arb):
            raise TypeError("only a rational Real has a hash: equal balls may be found different")
        return hash(self._v)

    def __reduce__(self) -> tuple[Any, ...]:
        if isinstance(self._v, Infinite):
            return infinity, (self._v.sign,)
        if isinstance(self._v, fmpq):
            return _ratio, (int(self._v.p), int(self._v.q))
        parts = (self._v.mid().man_exp(), self._v.rad().man_exp())
        return _ball, tuple((int(digits), int(exponent)) for digits, exponent in parts)

    def __repr__(self) -> str:
        if self.is_rational:
            return f"Real('{self}')"
        return f"Real({self._v})"

    def __str__(self) -> str:
        if isinstance(self._v, arb):
            return str(self._v.str(DIGITS))
        return str(self._v)

    def __format__(self, spec: str) -> str:
        if not spec or spec[-1] in "s0123456789<>^":
            return format(str(self), spec)
        return format(self.to_float(), spec)

    # -------------------------------------------------------------------------- arithmetic and
    # comparison
    __add__, __radd__ = _operators("add", operator.add)
    __sub__, __rsub__ = _operators("subtract", operator.sub)
    __mul__, __rmul__ = _operators("multiply", operator.mul)
    __truediv__, __rtruediv__ = _operators("divide", arithmetic.divide)
    __pow__, __rpow__ = _operators("power", arithmetic.real_power)
    __mod__, __rmod__ = _operators("remainder", arithmetic.modulo)
    __floordiv__, __rfloordiv__ = _operators("floor_divide", arithmetic.floor_divide)
    __eq__ = _relation("equal")
    __ne__ = _relation("not_equal")
    __lt__ = _relation("less")
    __gt__ = _relation("greater")
    __le__ = _relation("less_equal")
    __ge__ = _relation("greater_equal")

    def __neg__(self) -> Real:
        return wrap(-self._v)

    def __pos__(self) -> Real:
        return self

    def __abs__(self) -> Real:
        return wrap(call("absolute", self._v))

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    # ------------------------------------------------------- what NumPy and the number tower look
    # for
    @property
    def real(self) -> Real:
        """The real part, which is the number itself."""
        return self

    @property
    def imag(self) -> Real:
        """The imaginary part, which is zero."""
        return wrap(fmpq(0))

    def item(self) -> Real:
        """Returns the number itself, as ``item`` of a NumPy scalar."""
        return self

    def is_integer(self) -> bool:
        """Checks whether this is an integer, as ``float.is_integer``."""
        value = self.scalar
        if isinstance(value, fmpq):
            return bool(value.q == 1)
        if value.contains_integer():
            raise Undecided("whether an enclosure is an integer", given=str(self))
        return False


def wrap(value: Extended) -> Real:
    """Returns the Real around a flint number (or an infinity)."""
    real = Real.__new__(Real)
    if isinstance(value, (arb, fmpq)):
        real._v = tidy(value)
    else:
        real._v = value
    return real


def infinity(sign: int) -> Real:
    """Returns plus or minus infinity, which passes through code but is no real number."""
    if sign > 0:
        return wrap(PLUS)
    return wrap(MINUS)


def _ratio(numerator: int, denominator: int) -> Real:
    """Rebuilds a rational from pickled data."""
    return wrap(fmpq(numerator, denominator))


def _ball(middle: tuple[int, int], radius: tuple[int, int]) -> Real:
    """Rebuilds a ball from pickled data, pairs (m, e) for m 2^e.

    The radius may grow in its last digit.
    """
    return wrap(arb(middle, radius))


def enclosure(low: Any, high: Any) -> Real:
    """Returns a Real of which only an interval [low, high] with rational ends is known."""
    lo, hi = Real(low).scalar, Real(high).scalar
    if lo > hi:
        raise Undefined("an empty interval", given=f"[{lo}, {hi}]")
    if lo == hi:
        return wrap(lo)
    return wrap(arb((lo + hi) / 2, (hi - lo) / 2))


def operand(value: Any) -> Any:
    """Returns an operand as a scalar or an infinity, or NotImplemented if it is no real number.

    Raises:
        Undefined: the operand is NaN.
    """
    if type(value) is Real:
        return value._v
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (float, np.floating)) and np.isinf(value):
        if value > 0:
            return PLUS
        return MINUS
    if isinstance(value, (str, np.ndarray)):
        return NotImplemented
    try:
        return to_scalar(value)
    except TypeError:
        return NotImplemented


def _integer(x: Scalar) -> int:
    return int(middle(x))


def _method(name: str) -> Any:
    """Returns the method that NumPy calls for object arrays.

    ``np.sqrt(array)`` calls ``x.sqrt()`` for each entry.
    """

    def method(self: Real, *args: Any) -> Any:
        result = wrap(call(name, self._v, *map(operand, args)))
        if name in RELATIONS:
            return bool(result)
        return result

    method.__name__ = name
    method.__doc__ = f"``np.{name}``, or the function of SciPy of this name."
    return method


for _name in sorted(FUNCTIONS):
    if not hasattr(Real, _name):
        setattr(Real, _name, _method(_name))
Real.conj = Real.conjugate  # type: ignore[attr-defined]

numbers.Real.register(Real)
