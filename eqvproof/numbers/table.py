"""The table of elementwise functions of exact scalars, by names of NumPy's or SciPy's ufuncs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from flint import fmpq

from eqvproof.numbers import analytic, arithmetic
from eqvproof.numbers.infinite import Extended, Infinite, extended
from eqvproof.numbers.scalar import ONE, ZERO, Scalar, is_at_most, is_equal, is_less, sign, tidy


def _as_indicator(relation: Callable[[Scalar, Scalar], bool]) -> Callable[[Scalar, Scalar], Scalar]:
    return lambda x, y: ONE if relation(x, y) else ZERO


def logical_and(x: Scalar, y: Scalar) -> Scalar:
    """Returns 1 if both are nonzero, else 0; one argument that is zero decides."""
    if _is_exact_zero(x) or _is_exact_zero(y):
        return ZERO
    if sign(x) and sign(y):
        return ONE
    return ZERO


def logical_or(x: Scalar, y: Scalar) -> Scalar:
    """Returns 1 if one is nonzero, else 0; one argument that is nonzero decides."""
    if x > 0 or x < 0 or y > 0 or y < 0:
        return ONE
    if sign(x) or sign(y):
        return ONE
    return ZERO


def logical_not(x: Scalar) -> Scalar:
    """Returns 1 if x is zero, else 0."""
    if sign(x):
        return ZERO
    return ONE


def _is_exact_zero(x: Scalar) -> bool:
    return isinstance(x, fmpq) and x == 0


#: Name -> function of one or two scalars.
FUNCTIONS: Mapping[str, Callable[..., Scalar]] = {
    # arithmetic
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": arithmetic.divide,
    "true_divide": arithmetic.divide,
    "floor_divide": arithmetic.floor_divide,
    "remainder": arithmetic.modulo,
    "mod": arithmetic.modulo,
    "fmod": arithmetic.fmod,
    "power": arithmetic.real_power,
    "float_power": arithmetic.real_power,
    "pow": arithmetic.real_power,
    "negative": operator.neg,
    "positive": lambda x: x,
    "conjugate": lambda x: x,
    "reciprocal": arithmetic.reciprocal,
    "square": lambda x: x * x,
    "sqrt": arithmetic.sqrt,
    "cbrt": arithmetic.cbrt,
    "absolute": arithmetic.absolute,
    "abs": arithmetic.absolute,
    "fabs": arithmetic.absolute,
    "sign": arithmetic.sign_of,
    "maximum": arithmetic.maximum,
    "minimum": arithmetic.minimum,
    "fmax": arithmetic.maximum,
    "fmin": arithmetic.minimum,
    "clip": analytic.clip,
    "floor": arithmetic.floor,
    "ceil": arithmetic.ceil,
    "trunc": arithmetic.trunc,
    "rint": arithmetic.rint,
    "heaviside": analytic.heaviside,
    # order and logic (values 0 and 1)
    "less": _as_indicator(is_less),
    "greater": _as_indicator(lambda x, y: is_less(y, x)),
    "less_equal": _as_indicator(is_at_most),
    "greater_equal": _as_indicator(lambda x, y: is_at_most(y, x)),
    "equal": _as_indicator(is_equal),
    "not_equal": _as_indicator(lambda x, y: not is_equal(x, y)),
    "logical_and": logical_and,
    "logical_or": logical_or,
    "logical_not": logical_not,
    "logical_xor": lambda x, y: ONE if bool(sign(x)) != bool(sign(y)) else ZERO,
    "isfinite": lambda x: ONE,
    "isnan": lambda x: ZERO,
    "isinf": lambda x: ZERO,
    "signbit": lambda x: ONE if sign(x) < 0 else ZERO,
    # analysis
    "exp": analytic.exp,
    "exp2": analytic.exp2,
    "expm1": analytic.expm1,
    "log": analytic.log,
    "log2": analytic.log2,
    "log10": analytic.log10,
    "log1p": analytic.log1p,
    "logaddexp": analytic.logaddexp,
    "logaddexp2": analytic.logaddexp2,
    "sin": analytic.sin,
    "cos": analytic.cos,
    "tan": analytic.tan,
    "arcsin": analytic.arcsin,
    "arccos": analytic.arccos,
    "arctan": analytic.arctan,
    "arctan2": analytic.arctan2,
    "hypot": analytic.hypot,
    "sinh": analytic.sinh,
    "cosh": analytic.cosh,
    "tanh": analytic.tanh,
    "arcsinh": analytic.arcsinh,
    "arccosh": analytic.arccosh,
    "arctanh": analytic.arctanh,
    "degrees": analytic.degrees,
    "rad2deg": analytic.degrees,
    "radians": analytic.radians,
    "deg2rad": analytic.radians,
    # scipy.special
    "expit": analytic.expit,
    "logit": analytic.logit,
    "log_expit": analytic.log_expit,
    "erf": analytic.erf,
    "erfc": analytic.erfc,
    "xlogy": analytic.xlogy,
    "xlog1py": analytic.xlog1py,
    "entr": analytic.entr,
    "ndtr": analytic.ndtr,
    "gamma": analytic.gamma,
    "gammaln": analytic.gammaln,
    "exp10": analytic.exp10,
    "digamma": analytic.digamma,
    "sinc": analytic.sinc,
}

#: Names of functions whose values are truth values.
RELATIONS = frozenset(
    (
        "less",
        "greater",
        "less_equal",
        "greater_equal",
        "equal",
        "not_equal",
        "logical_and",
        "logical_or",
        "logical_not",
        "logical_xor",
        "isfinite",
        "isnan",
        "isinf",
        "signbit",
    )
)


def call(name: str, *args: Extended) -> Extended:
    """Returns the value of the named function at scalars or infinities.

    Raises:
        KeyError: there is no such function. Undefined, Undecided: raised by the function.
    """
    function = FUNCTIONS[name]
    for x in args:
        if isinstance(x, Infinite):
            return extended(name, *args)
    result = function(*args)
    if isinstance(result, fmpq):
        return result
    return tidy(result)
