"""Functions run on exact numbers by NumPy's object arrays: fractions as long as they last, then 80 digits.

A second opinion that shares nothing with the package. What it cannot tell it does not guess: `Unclear`.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from benchmarks.fuzz.oracle import Claim, Violation

#: Numbers have so many digits, and then as many as the greatest exponential: what differs is not told.
DIGITS = 80, 5000
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = DIGITS[0]
NEAR = CONTEXT.mpf(10) ** -50
#: Differences below this are not told from roundings that the source itself makes.
TOLD = 1e-11


class Unclear(BaseException):
    """Not told at this precision, or not by these means. No Exception, which the source might catch."""


def _real(x: Any) -> Any:
    return CONTEXT.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


class NotDefined(Unclear):
    """A number that is undefined decides something."""


class Number:
    """A Fraction, a number of 80 digits, or undefined (None)."""

    __slots__ = ("v",)

    def __init__(self, v: Any) -> None:
        self.v = v

    @staticmethod
    def of(x: Any) -> Number:
        """From a number of any kind."""
        if isinstance(x, Number):
            return x
        if isinstance(x, (bool, int, np.integer, np.bool_)):
            return Number(Fraction(int(x)))
        if isinstance(x, Fraction):
            return Number(x)
        if isinstance(x, (float, np.floating)):
            return Number(Fraction(float(x)) if math.isfinite(x) else None)
        raise Unclear(type(x).__name__)

    def _with(self, other: Any, f: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:
            return NotImplemented
        a, b = self.v, Number.of(other[()] if isinstance(other, np.ndarray) else other).v
        if a is None or b is None:
            return Number(None)
        if f not in (_power, _powered) and not (isinstance(a, Fraction) and isinstance(b, Fraction)):
            a, b = _real(a), _real(b)
        return Number(f(a, b))

    def __add__(self, o: Any) -> Any:
        return self._with(o, operator.add)

    def __sub__(self, o: Any) -> Any:
        return self._with(o, operator.sub)

    def __rsub__(self, o: Any) -> Any:
        return self._with(o, lambda a, b: b - a)

    def __mul__(self, o: Any) -> Any:
        return self._with(o, operator.mul)

    def __truediv__(self, o: Any) -> Any:
        return self._with(o, _divided)

    def __rtruediv__(self, o: Any) -> Any:
        return self._with(o, lambda a, b: _divided(b, a))

    def __floordiv__(self, o: Any) -> Any:
        return self._with(o, lambda a, b: None if (q := _divided(a, b)) is None else _floor(q))

    def __mod__(self, o: Any) -> Any:
        return self._with(
            o, lambda a, b: None if (q := _divided(a, b)) is None else a - b * _like(_floor(q), b)
        )

    def __pow__(self, o: Any) -> Any:
        return self._with(o, _power)

    def __rpow__(self, o: Any) -> Any:
        return self._with(o, _powered)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Number:
        return Number(None if self.v is None else -self.v)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        return Number(None if self.v is None else abs(self.v))

    def conjugate(self) -> Number:
        """A real number's own."""
        return self

    def _order(self, o: Any) -> int:
        difference = (self - Number.of(o)).v
        if difference is None:
            raise NotDefined("an undefined number is compared")
        if not isinstance(difference, Fraction) and abs(difference) < NEAR * (1 + abs(_real(self.v))):
            raise Unclear("a tie that is not rational")
        return (difference > 0) - (difference < 0)

    def __lt__(self, o: Any) -> bool:
        return self._order(o) < 0

    def __le__(self, o: Any) -> bool:
        return self._order(o) <= 0

    def __gt__(self, o: Any) -> bool:
        return self._order(o) > 0

    def __ge__(self, o: Any) -> bool:
        return self._order(o) >= 0

    def __eq__(self, o: object) -> bool:
        return (self is o and self.v is not None) or self._order(o) == 0

    def __ne__(self, o: object) -> bool:
        return not self == o

    def __hash__(self) -> int:
        return hash(self.v)

    def __bool__(self) -> bool:
        return self._order(0) != 0

    def __float__(self) -> float:
        raise Unclear("turned into a float")

    def __floor__(self) -> Number:
        return self.floor()

    def floor(self) -> Number:
        """The integer below."""
        return Number(None if self.v is None else Fraction(_floor(self.v)))

    def __ceil__(self) -> Number:
        return -((-self).floor())

    def __trunc__(self) -> int:
        if self.v is None:
            raise Unclear("an undefined number is cut")
        return _floor(self.v) if self >= 0 else -_floor(-self.v)

    def rint(self) -> Number:
        """The nearest integer, the even one of two."""
        if isinstance(self.v, Fraction):
            return Number(Fraction(round(self.v)))
        return (self + Fraction(1, 2)).floor()

    def sqrt(self) -> Number:
        """The root, a fraction where it is one."""
        if isinstance(self.v, Fraction) and self.v >= 0:
            top, bottom = math.isqrt(self.v.numerator), math.isqrt(self.v.denominator)
            if Fraction(top, bottom) ** 2 == self.v:
                return Number(Fraction(top, bottom))
        return self._f(CONTEXT.sqrt, defined=self.v is not None and self >= 0)

    def _f(self, f: Callable[[Any], Any], *, defined: bool = True) -> Number:
        return Number(None if self.v is None or not defined else f(_real(self.v)))

    def exp(self) -> Number:
        """e^x."""
        if self.v is not None and abs(self.v) > 10**4:
            raise Unclear("a huge exponent")
        return Number(Fraction(1)) if self.v == 0 else self._f(CONTEXT.exp)

    def expm1(self) -> Number:
        """e^x - 1."""
        return self.exp() - 1

    def log(self) -> Number:
        """Of numbers above 0."""
        return (
            Number(Fraction(0))
            if self.v == 1
            else self._f(CONTEXT.log, defined=self.v is not None and self > 0)
        )

    def log1p(self) -> Number:
        """log(1 + x)."""
        return (self + 1).log()

    def arccos(self) -> Number:
        """Of numbers from -1 to 1."""
        return self._f(CONTEXT.acos, defined=self.v is not None and -1 <= self <= 1)

    def arctan2(self, x: Any) -> Number:
        """The angle, away from the cut."""
        other = Number.of(x)
        if not other > 0:
            raise Unclear("arctan2")
        return Number(CONTEXT.atan2(_real(self.v), _real(other.v)))

    def hypot(self, y: Any) -> Number:
        """The length."""
        return (self * self + Number.of(y) * Number.of(y)).sqrt()


for _name, _function in (
    ("sin", CONTEXT.sin), ("cos", CONTEXT.cos), ("tan", CONTEXT.tan), ("tanh", CONTEXT.tanh),
    ("sinh", CONTEXT.sinh), ("cosh", CONTEXT.cosh), ("arctan", CONTEXT.atan),
):  # fmt: skip
    setattr(Number, _name, lambda self, f=_function: self if self.v == 0 and f(0) == 0 else self._f(f))


def _divided(a: Any, b: Any) -> Any:
    return None if Number(b)._order(0) == 0 else a / b


def _like(x: int, b: Any) -> Any:
    return Fraction(x) if isinstance(b, Fraction) else CONTEXT.mpf(x)


def _floor(x: Any) -> int:
    if not isinstance(x, Fraction) and abs(x - CONTEXT.nint(x)) < NEAR * (1 + abs(x)):
        raise Unclear("a whole number that is not rational")
    return math.floor(x) if isinstance(x, Fraction) else int(CONTEXT.floor(x))


def _power(a: Any, b: Any) -> Any:
    if isinstance(b, Fraction) and b.denominator == 1:
        if abs(b) > 4096:
            raise Unclear("a huge power")
        if b < 0 and Number(a)._order(0) == 0:
            return None
        return a ** int(b)
    sign = Number(a)._order(0)
    if b == Fraction(1, 2):
        return Number(a).sqrt().v
    return CONTEXT.power(_real(a), _real(b)) if sign > 0 else a if sign == 0 and b > 0 else None


def _powered(b: Any, a: Any) -> Any:
    return _power(a, b)


class Array(np.ndarray):  # type: ignore[type-arg]
    """An object array of Numbers; casts to floats leave it as it is."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """On Numbers alone, so that no plain 0 of a maximum is left among them."""
        if method == "at":
            raise Unclear("ufunc.at")
        given = (
            [_plain(a) for a in (exact(inputs[0]), *inputs[1:])]
            if method != "__call__"
            else list(map(_plain, map(exact, inputs)))
        )
        if out := kwargs.get("out"):
            kwargs["out"] = tuple(_plain(a) if a is not None else None for a in out)
        result = getattr(ufunc, method)(*given, **kwargs)
        if out and out[0] is not None:
            return out[0]
        wrapped = [
            exact(r) if np.asarray(r).dtype == object else r
            for r in (result if isinstance(result, tuple) else (result,))
        ]
        wrapped = [w[()] if isinstance(w, np.ndarray) and not w.ndim else w for w in wrapped]
        return tuple(wrapped) if isinstance(result, tuple) else wrapped[0]

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """Floats are the numbers themselves; integers are cut, then kept in their width."""
        kind = np.dtype(dtype)
        if kind.kind in "fO":
            return self.copy()
        if kind.kind in "iu":
            return (
                np.array([math.trunc(Number.of(x)) for x in self.flat], dtype=np.int64)
                .reshape(self.shape)
                .astype(kind)
            )
        return super().astype(dtype, *args, **kwargs)


def _plain(array: Any) -> Any:
    return np.asarray(array) if isinstance(array, np.ndarray) else array


def exact(array: Any) -> Any:
    """An array of Numbers from one of floats or Fractions; integers and booleans stay."""
    found = np.asarray(array)
    if found.dtype.kind in "iub":
        return found
    result = np.empty(found.shape, dtype=object)
    for i in np.ndindex(found.shape):
        result[i] = Number.of(found[i])
    return result.view(Array)


class _Linear:
    """What np.linalg offers."""

    def norm(self, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:  # noqa: FBT001, FBT002
        """Of vectors."""
        if axis is None and ord is not None and np.ndim(x) > 1:
            raise Unclear("a norm of matrices")
        size = np.abs(exact_numbers(x))  # NumPy computes norms of integers in floats
        if ord in (1, np.inf):
            return (np.sum if ord == 1 else np.max)(size, axis=axis, keepdims=keepdims)
        if ord not in (None, 2):
            raise Unclear("a norm")
        return np.sqrt(np.sum(size * size, axis=axis, keepdims=keepdims))

    def det(self, m: Any) -> Any:
        """By elimination."""
        rows, sign = [list(r) for r in exact(m)], Number(Fraction(1))
        for i in range(len(rows)):
            pivot = next((k for k in range(i, len(rows)) if rows[k][i]), None)
            if pivot is None:
                return Number(Fraction(0))
            if pivot != i:
                rows[i], rows[pivot], sign = rows[pivot], rows[i], -sign
            sign = sign * rows[i][i]
            for k in range(i + 1, len(rows)):
                by = rows[k][i] / rows[i][i]
                rows[k] = [x - by * y for x, y in zip(rows[k], rows[i], strict=True)]
        return sign

    def solve(self, m: Any, b: Any) -> Any:
        """By elimination; undefined where the matrix is singular."""
        left, right = exact(m), exact(b)
        flat = right.reshape(len(left), -1)
        rows = [[*a, *r] for a, r in zip(left, flat, strict=True)]
        for i in range(len(rows)):
            pivot = next((k for k in range(i, len(rows)) if rows[k][i]), None)
            if pivot is None:
                return (right * Number(None)).view(Array)
            rows[i], rows[pivot] = rows[pivot], rows[i]
            rows[i] = [x / rows[i][i] for x in rows[i]]
            for k in range(len(rows)):
                if k != i:
                    by = rows[k][i]
                    rows[k] = [x - by * y for x, y in zip(rows[k], rows[i], strict=True)]
        return np.array([r[len(left) :] for r in rows], dtype=object).reshape(right.shape).view(Array)

    def inv(self, m: Any) -> Any:
        """By elimination."""
        return self.solve(m, np.eye(len(m)))

    def matrix_power(self, m: Any, power: int) -> Any:
        """By products."""
        result = exact(np.eye(len(m)))
        for _ in range(power):
            result = result @ m
        return result

    def __getattr__(self, name: str) -> Any:
        raise Unclear(f"np.linalg.{name}")


class Numpy:
    """NumPy, with arrays of exact numbers where it would make floats."""

    linalg = _Linear()

    @property
    def pi(self) -> Number:
        """To the digits of the moment."""
        return Number(+CONTEXT.pi)

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if not callable(found) or isinstance(found, (type, np.ufunc)):
            return found

        def made(*args: Any, **kwargs: Any) -> Any:
            if kwargs.get("dtype") in (float, np.float64):
                del kwargs["dtype"]
            result = found(*args, **kwargs)
            if any(isinstance(a, Array) and np.may_share_memory(result, a) for a in args):
                return result  # a view, into which the source may write
            numbers = isinstance(result, np.ndarray) and result.dtype.kind in "fO"
            return exact(result) if numbers else result

        return made

    def sqrt(self, x: Any) -> Any:
        """Of plain numbers too."""
        return Number.of(x).sqrt() if isinstance(x, (int, float)) else np.sqrt(x)

    def heaviside(self, x: Any, at: Any) -> Any:
        """By cases."""
        return np.where(x > 0, 1, np.where(x == 0, at, 0))

    def logaddexp(self, x: Any, y: Any) -> Any:
        """log(e^x + e^y)."""
        return np.log(np.exp(x) + np.exp(y))

    def nan_to_num(self, x: Any) -> Any:
        """Where there is nothing to replace."""
        return x


def run(source: Any, arrays: Sequence[Any]) -> Any:
    """f(x) in exact numbers; a logarithm of 0 among NumPy's own integers is no number, and raises."""
    raised = np.errstate(divide="raise", invalid="raise", over="ignore", under="ignore")
    with warnings.catch_warnings(), raised:
        warnings.simplefilter("ignore")
        if source.backend == "torch":
            raise Unclear("torch")
        return exact(source.function(Numpy())(*(a.copy() for a in arrays)))


def judge(source: Any, claim: Claim, found: Violation) -> str:
    """Whether the sides are "different", "equal", "undefined" or "unclear: why" in exact numbers."""
    if claim.constants == "literal":
        source = source.literal
    try:
        first, again = (sides(source, claim, found, digits) for digits in DIGITS)
        if isinstance(first, str):
            return first
        if not all(compare(a, b) in ("equal", "undefined") for a, b in zip(first, again, strict=True)):
            return "unclear: digits that cancel"
        return compare(*again, DIGITS[1])
    except (Exception, Unclear) as error:
        return f"unclear: {type(error).__name__}: {error}"[:120]
    finally:
        CONTEXT.dps = DIGITS[0]


def seem_different(source: Any, claim: Claim, found: Violation) -> bool:
    """Whether the sides differ with the fewer digits: quick, and judged again by `judge`."""
    try:
        CONTEXT.dps = DIGITS[0]
        first = sides(source, claim, found, DIGITS[0])
        return not isinstance(first, str) and compare(*first) == "different"
    except (Exception, Unclear):
        return False


def residual(source: Any, claim: Claim, found: Violation) -> Any:
    """f(g x) - g f(x) with many digits, rounded to floats; where a side is undefined it raises."""
    left, right = sides(source, claim, found, DIGITS[0])
    return np.array([float(_real((a - b).v)) for a, b in zip(left.flat, right.flat, strict=True)])


def sides(source: Any, claim: Claim, found: Violation, digits: int) -> Any:
    """f(g x) and g f(x) with so many digits, or what is said where one of them is undefined as a whole."""
    CONTEXT.dps = digits
    at = [exact(a) for a in found.arrays]
    value = attempt(source.other if claim.is_identity else source, at)
    left = attempt(source, found.moved(claim.inputs, at))
    if value is None or left is None:
        return "undefined" if value is left else "unclear: one side compares an undefined number"
    return exact(exact_numbers(left)), exact(found.acted(exact_numbers(value), claim))


def attempt(source: Any, arrays: Sequence[Any]) -> Any:
    """f(x), or None where a number that is undefined is compared: nothing is claimed there."""
    try:
        return run(source, arrays)
    except NotDefined:
        return None


def exact_numbers(value: Any) -> Any:
    """Integers and booleans as Numbers too."""
    return exact(np.asarray(value).astype(float)) if np.asarray(value).dtype.kind in "iub" else value


def compare(left: Any, right: Any, digits: int = DIGITS[0]) -> str:
    """Entry by entry, of numbers of so many digits."""
    least, tiny = (CONTEXT.mpf(10) ** -k for k in (digits // 2, digits + 20))
    if left.shape != right.shape:
        return "different"
    near = known = False
    for a, b in zip(left.flat, right.flat, strict=True):
        if (a.v is None) != (b.v is None):
            return "different"
        if a.v is None:
            continue
        known = True
        gap = abs(_real(a.v) - _real(b.v))
        if gap > TOLD * (1 + abs(_real(a.v))):
            return "different"
        size = max(abs(_real(a.v)), abs(_real(b.v)))  # of a tiny one no difference of numbers near 1 is left
        near |= gap > least * (size if size < tiny else 1)
    if near:
        return "unclear: a difference as small as roundings"
    return "equal" if known or not left.size else "undefined"
