"""Expands exp, log, tanh, ... into operations with the same result on every machine.

Exactness: float64; exp and log within about one unit in the last place, tanh, sinh and cosh within
a few. Limits and special values are those of the real functions: exp(-inf) = 0, log 0 = -inf; log
of a negative number is NaN.

Source: argument reduction after W. Cody and W. Waite, Software Manual for the Elementary Functions
(1980); the series are Taylor's, with remainders below 2^-58 of the value on the reduced ranges.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from eqvproof.deepsets.phi.formula import EXPANDED, Formula, Node, Tape

#: ln 2 = HIGH + LOW; HIGH has 32 trailing zero bits, so that k HIGH is exact for |k| < 2^21.
LN2_HIGH = float.fromhex("0x1.62e42feep-1")
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
INFINITY = math.inf


def expand(formula: Formula, keep: tuple[str, ...] = ()) -> Formula:
    """Expands all operations of a formula but primitive and foreign ones, and those in ``keep``."""
    if not any(node.op in EXPANDED and node.op not in keep for node in formula.nodes):
        return formula
    tape = Tape(formula.columns)

    def write(node: Node, args: tuple[int, ...]) -> int:
        if node.op in EXPANDED and node.op not in keep:
            return _EXPANSIONS[node.op](_Writer(tape), *args)
        return tape.put(node.op, *args, value=node.value)

    return tape.formula(tape.copy(formula, formula.outputs, write=write), scalar=formula.scalar)


class _Writer:
    """A function that writes operations on a tape; floats among its arguments are constants."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape

    def _value(self, x: int | float) -> int:
        if isinstance(x, float):
            return self.tape.const(x)
        return x

    def __call__(self, op: str, *args: int | float) -> int:
        return self.tape.put(op, *(self._value(a) for a in args))

    def horner(self, x: int, coefficients: list[float]) -> int:
        """Writes the value of a polynomial at x, by its coefficients from the highest power down."""
        result = self._value(coefficients[0])
        for c in coefficients[1:]:
            result = self("add", self("mul", result, x), c)
        return result


def _reduce_exp(w: _Writer, x: int) -> tuple[int, int]:
    """Writes k and p with exp(x) = 2^k (1 + p), for x in [-745.2, 709.8]."""
    k = w("rint", w("mul", x, 1.0 / math.log(2.0)))
    r_high = w("sub", x, w("mul", k, LN2_HIGH))
    r_low = w("mul", k, LN2_LOW)
    r = w("sub", r_high, r_low)
    # r + lost is the reduced argument in twice the precision
    lost = w("sub", w("sub", r_high, r), r_low)
    # |r| <= 0.35: terms up to r^13 / 13!
    series = w.horner(r, [1.0 / math.factorial(j) for j in range(13, 1, -1)])
    p = w("add", r, w("add", w("mul", w("mul", r, r), series), lost))
    return k, p


def _times_power_of_two(w: _Writer, value: int, k: int) -> int:
    """Writes `value 2^k` as two products; the second is rounded if the result is subnormal."""
    half = w("rint", w("mul", k, 0.5))
    return w("mul", w("mul", value, w("pow2", half)), w("pow2", w("sub", k, half)))


def _exp(w: _Writer, x: int) -> int:
    inside = w("max", w("min", x, 709.8), -745.2)
    inside = w("select", w("eq", x, x), inside, 0.0)
    k, p = _reduce_exp(w, inside)
    value = _times_power_of_two(w, w("add", p, 1.0), k)
    value = w("select", w("lt", 709.782712893384, x), INFINITY, value)
    value = w("select", w("lt", x, -745.1332191019412), 0.0, value)
    return w("select", w("eq", x, x), value, x)


def _log(w: _Writer, x: int) -> int:
    small = w("lt", x, 2.0**-1022)
    usable = w("select", w("lt", 0.0, x), x, 1.0)
    usable = w("select", w("lt", x, INFINITY), usable, 1.0)
    normal = w("select", small, w("mul", usable, 2.0**54), usable)
    shift = w("select", small, 54.0, 0.0)
    m, e = w("mantissa", normal), w("sub", w("exponent", normal), shift)
    high = w("lt", math.sqrt(2.0), m)
    m = w("select", high, w("mul", m, 0.5), m)
    e = w("select", high, w("add", e, 1.0), e)
    f = w("sub", m, 1.0)  # exact, |f| <= 0.4143
    s = w("div", f, w("add", 2.0, f))
    z = w("mul", s, s)
    # log(1 + f) = 2 s + s z R with 2 s = f - s f, which is f - (f^2/2 - s (f^2/2 + z R))
    tail = w("mul", z, w.horner(z, [2.0 / j for j in range(23, 1, -2)]))
    half_square = w("mul", w("mul", f, f), 0.5)
    correction = w("add", w("mul", s, w("add", half_square, tail)), w("mul", e, LN2_LOW))
    value = w("sub", w("mul", e, LN2_HIGH), w("sub", w("sub", half_square, correction), f))
    value = w("select", w("eq", x, 0.0), -INFINITY, value)
    value = w("select", w("lt", x, 0.0), math.nan, value)
    value = w("select", w("eq", x, INFINITY), INFINITY, value)
    return w("select", w("eq", x, x), value, x)


def _expm1(w: _Writer, x: int) -> int:
    """Writes exp(x) - 1, for x in [0, 708] or NaN."""
    inside = w("select", w("eq", x, x), x, 0.0)
    k, p = _reduce_exp(w, inside)
    power = w("pow2", k)
    # 2^k (1 + p) - 1 = 2^k p + (2^k - 1)
    value = w("add", w("mul", p, power), w("sub", power, 1.0))
    return w("select", w("eq", x, x), value, x)


def _tanh(w: _Writer, x: int) -> int:
    size = w("min", w("abs", x), 22.0)
    e = _expm1(w, w("mul", size, 2.0))
    value = w("div", e, w("add", e, 2.0))
    value = w("select", w("lt", x, 0.0), w("neg", value), value)
    return w("select", w("eq", x, 0.0), x, value)


def _sinh(w: _Writer, x: int) -> int:
    size = w("abs", x)
    small = w("lt", size, 40.0)
    e = _expm1(w, w("min", size, 40.0))
    near = w("mul", 0.5, w("add", e, w("div", e, w("add", e, 1.0))))
    root = _exp(w, w("mul", size, 0.5))
    value = w("select", small, near, w("mul", w("mul", 0.5, root), root))
    value = w("select", w("lt", x, 0.0), w("neg", value), value)
    value = w("select", w("eq", x, 0.0), x, value)
    return w("select", w("eq", x, x), value, x)


def _cosh(w: _Writer, x: int) -> int:
    root = _exp(w, w("mul", w("abs", x), 0.5))
    square = w("mul", w("mul", 0.5, root), root)
    return w("add", square, w("div", 0.25, square))


def _floor(w: _Writer, x: int) -> int:
    near = w("rint", x)
    return w("select", w("lt", x, near), w("sub", near, 1.0), near)


def _ceil(w: _Writer, x: int) -> int:
    near = w("rint", x)
    return w("select", w("lt", near, x), w("add", near, 1.0), near)


def _sign(w: _Writer, x: int) -> int:
    value = w("select", w("lt", x, 0.0), -1.0, x)
    return w("select", w("lt", 0.0, x), 1.0, value)


_EXPANSIONS: dict[str, Callable[..., int]] = {
    "exp": _exp,
    "log": _log,
    "tanh": _tanh,
    "sinh": _sinh,
    "cosh": _cosh,
    "floor": _floor,
    "ceil": _ceil,
    "sign": _sign,
}
