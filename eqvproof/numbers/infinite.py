"""Plus and minus infinity inside code, as in ``np.where(mask, scores, -np.inf)``.

An infinity is no real number, and no result; but exp(-inf) = 0, max(x, -inf) = x and x < inf are
what such code means. Only what has one limit is defined: inf - inf, 0 * inf, sin(inf) raise
`Undefined`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flint import arb, fmpq

from eqvproof.numbers.scalar import ONE, ZERO, Scalar, sign
from eqvproof.numbers.signals import Undefined


class Infinite:
    """Plus or minus infinity; immutable, one object for each sign."""

    __slots__ = ("sign",)
    sign: int

    def __repr__(self) -> str:
        if self.sign > 0:
            return "inf"
        return "-inf"

    def __neg__(self) -> Infinite:
        if self.sign > 0:
            return MINUS
        return PLUS

    def __hash__(self) -> int:
        return hash(float(repr(self)))

    def __reduce__(self) -> str:
        if self.sign > 0:
            return "PLUS"
        return "MINUS"


def _infinite(sign: int) -> Infinite:
    value = Infinite()
    value.sign = sign
    return value


PLUS, MINUS = _infinite(1), _infinite(-1)
Extended = Scalar | Infinite


def toward(sign: int) -> Infinite:
    """Returns the infinity of this sign."""
    if sign > 0:
        return PLUS
    return MINUS


def _sign(x: Extended) -> int:
    if isinstance(x, Infinite):
        return x.sign
    return sign(x)


def _none(name: str, *args: Extended) -> Extended:
    raise Undefined(
        f"{name} of an infinity", given=", ".join(map(str, args)), code="exact.not-finite"
    )


def _add_extended(x: Extended, y: Extended) -> Extended:
    if isinstance(x, Infinite) and isinstance(y, Infinite) and x.sign != y.sign:
        return _none("the sum", x, y)
    if isinstance(x, Infinite):
        return x
    return y


def _multiply(x: Extended, y: Extended) -> Extended:
    s = _sign(x) * _sign(y)
    if s:
        return toward(s)
    return _none("the product", x, y)


def _divide(x: Extended, y: Extended) -> Extended:
    if isinstance(y, Infinite):
        if not isinstance(x, Infinite):
            return ZERO
        return _none("the quotient", x, y)
    return _multiply(x, fmpq(_sign(y)))


def _extended_power(x: Extended, y: Extended) -> Extended:
    if isinstance(x, Infinite) and isinstance(y, fmpq) and y.q == 1:
        k = int(y.p)
        if k == 0:
            return ONE
        if k < 0:
            return ZERO
        return toward(x.sign**k)
    if isinstance(x, Infinite) and x.sign > 0 and not isinstance(y, Infinite):
        if sign(y) > 0:
            return PLUS
        return ZERO
    return _none("a power", x, y)


def _larger(x: Extended, y: Extended) -> Extended:
    if PLUS in (x, y):
        return PLUS
    if x is MINUS:
        return y
    return x


def is_below(x: Extended, y: Extended) -> bool:
    """Checks whether x < y, where at least one is infinite."""
    if isinstance(x, Infinite):
        return x.sign < 0 and y is not MINUS
    return isinstance(y, Infinite) and y.sign > 0


def _truth_number(value: bool) -> Scalar:  # noqa: FBT001
    if value:
        return ONE
    return ZERO


def _at_ends(at_minus: Extended | None, at_plus: Extended | None) -> Callable[[Extended], Extended]:
    def limit(x: Extended) -> Extended:
        value = at_plus if x is PLUS else at_minus
        if value is None:
            return _none("the function", x)
        return value

    return limit


#: The value of each function when at least one argument is infinite; a function that is not listed
#: has no value.
LIMITS: Mapping[str, Callable[..., Extended]] = {
    "isfinite": lambda x: ZERO,
    "isnan": lambda x: ZERO,
    "isinf": lambda x: ONE,
    "add": _add_extended,
    "subtract": lambda x, y: _add_extended(x, -y),
    "multiply": _multiply,
    "divide": _divide,
    "power": _extended_power,
    "maximum": _larger,
    "minimum": lambda x, y: -_larger(-x, -y),
    "negative": lambda x: -x,
    "positive": lambda x: x,
    "absolute": lambda x: PLUS,
    "sign": lambda x: fmpq(x.sign),
    "square": lambda x: PLUS,
    "reciprocal": lambda x: ZERO,
    "conjugate": lambda x: x,
    "less": lambda x, y: _truth_number(is_below(x, y)),
    "greater": lambda x, y: _truth_number(is_below(y, x)),
    "less_equal": lambda x, y: _truth_number(not is_below(y, x)),
    "greater_equal": lambda x, y: _truth_number(not is_below(x, y)),
    "equal": lambda x, y: _truth_number(x is y),
    "not_equal": lambda x, y: _truth_number(x is not y),
    "exp": _at_ends(ZERO, PLUS),
    "exp2": _at_ends(ZERO, PLUS),
    "expm1": _at_ends(-ONE, PLUS),
    "log": _at_ends(None, PLUS),
    "log2": _at_ends(None, PLUS),
    "log10": _at_ends(None, PLUS),
    "log1p": _at_ends(None, PLUS),
    "sqrt": _at_ends(None, PLUS),
    "cbrt": _at_ends(MINUS, PLUS),
    "tanh": _at_ends(-ONE, ONE),
    "erf": _at_ends(-ONE, ONE),
    "erfc": _at_ends(fmpq(2), ZERO),
    "expit": _at_ends(ZERO, ONE),
    "ndtr": _at_ends(ZERO, ONE),
    "arctan": lambda x: arb.pi() * x.sign / 2,
    "logical_not": lambda x: ZERO,
    "logical_and": lambda x, y: _truth_number(_sign(x) != 0 and _sign(y) != 0),
    "logical_or": lambda x, y: _truth_number(_sign(x) != 0 or _sign(y) != 0),
}


def extended(name: str, *args: Extended) -> Extended:
    """Returns the value of a function where an argument is infinite.

    Raises:
        Undefined: there is no such limit.
    """
    function = LIMITS.get(name)
    if function is not None:
        return function(*args)
    return _none(name, *args)
