"""Elementwise functions and their properties, in one table with a row for each.

Exact forms are named in ``exact.table``. Float forms are written for any Array API namespace
``xp``; NaN stands for undefined, and `evaluate_float` makes each of them strict, so that only the
places where a function itself is undefined are marked here.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eqvproof.numbers.spans import EVERYTHING, INF, UNIT, Interval
from eqvproof.support.optional import installed

FloatFunction = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Function:
    """The properties of one elementwise function.

    Attributes:
        name: its name in Programs.
        arity: the number of its arguments.
        floats: ``floats(xp, *arrays)``, over any Array API namespace.
        parity: "odd", "even" or "", in all arguments at once.
        exact: its name in `exact.table.FUNCTIONS`, if it differs.
        span: an interval that holds all values.
        whole: whether values are whole: "" not, "kept" where the arguments are, "always".
        zeros: whether it is 0 only where its first argument is 0.
        partial: whether there are real numbers at which it is not defined.
        degree: p with ``f(c x) = c^p f(x)`` for all c > 0, for one argument; "alike" if it is 1 for
            arguments of one degree; "order" if these give degree 0; "truth" if any arguments do.
        infix: the sign that formulas write between its arguments.
    """

    name: str
    arity: int
    floats: FloatFunction
    parity: str = ""
    exact: str = ""
    span: Interval = EVERYTHING
    whole: str = ""
    zeros: bool = False
    partial: bool = False
    degree: Fraction | str = ""
    infix: str = ""


def _library_function(name: str) -> FloatFunction:
    return lambda xp, *arrays: getattr(xp, name)(*arrays)


def _nan_where(xp: Any, undefined: Any, values: Any) -> Any:
    return xp.where(undefined, xp.full_like(values, math.nan), values)


def _recip(xp: Any, x: Any) -> Any:
    zero = x == 0
    return _nan_where(xp, zero, 1 / xp.where(zero, xp.ones_like(x), x))


def _log(xp: Any, x: Any) -> Any:
    positive = x > 0
    return _nan_where(xp, ~positive, xp.log(xp.where(positive, x, xp.ones_like(x))))


def _cbrt(xp: Any, x: Any) -> Any:
    if hasattr(xp, "cbrt"):
        return xp.cbrt(x)
    root = xp.sign(x) * xp.abs(x) ** (1 / 3)
    safe = xp.where(root == 0, xp.ones_like(root), root)
    return xp.where(root == 0, root, root - (root - x / (safe * safe)) / 3)  # one Newton step


def _erf(xp: Any, x: Any) -> Any:
    if xp.__name__.startswith("cupy"):
        return importlib.import_module("cupyx.scipy.special").erf(x)
    import numpy as np

    values = np.asarray(x)
    if values.dtype.char not in "efd":  # longdouble has no erf
        values = values.astype(np.float64)
    special = installed("scipy.special")
    if special is not None:
        return xp.asarray(special.erf(values), dtype=x.dtype)
    return xp.asarray(
        np.asarray(np.frompyfunc(math.erf, 1, 1)(values), dtype=np.float64), dtype=x.dtype
    )


def _of_gamma(name: str) -> FloatFunction:
    """Returns a function with poles at 0, -1, -2, ...; without SciPy, by exact arithmetic."""

    def values(xp: Any, x: Any) -> Any:
        import numpy as np

        special = installed("scipy.special")
        given = np.asarray(x, dtype=np.float64)
        outside = (given <= 0) & (given == np.floor(given))
        if special is None:
            outside |= ~np.isfinite(given)
            found = _from_exact(name)(np.where(outside, 1.0, given))
        else:
            found = getattr(special, name)(np.where(outside, 1.0, given))
        return xp.asarray(np.where(outside, np.nan, found), dtype=x.dtype)

    return values


def _from_exact(name: str) -> FloatFunction:
    """Returns the function of float arrays that rounds the exact function of this name."""
    import numpy as np

    from eqvproof.numbers.scalar import to_float, to_scalar
    from eqvproof.numbers.table import FUNCTIONS as EXACT

    return np.vectorize(lambda v: to_float(EXACT[name](to_scalar(v))), otypes=[float])


def _arctan2(xp: Any, y: Any, x: Any) -> Any:
    function = getattr(xp, "arctan2", None) or xp.atan2
    return function(y + 0.0, x + 0.0)  # -0.0 + 0.0 = 0.0: the reals have one zero


def _pow(xp: Any, x: Any, y: Any) -> Any:
    undefined = ((x == 0) & (y < 0)) | ((x < 0) & (xp.floor(y) != y))
    safe = xp.where(undefined, xp.ones_like(x), x)
    return _nan_where(xp, undefined, safe**y)


def _mod(xp: Any, x: Any, y: Any) -> Any:
    zero = y == 0
    return _nan_where(xp, zero, xp.remainder(x, xp.where(zero, xp.ones_like(y), y)))


def _renamed_function(old: str, new: str) -> FloatFunction:
    """Returns a function that NumPy and the Array API name differently, as arcsin and asin."""
    return lambda xp, x: getattr(xp, old if hasattr(xp, old) else new)(x)


def _truth_function(relation: Callable[..., Any]) -> FloatFunction:
    return lambda xp, *arrays: xp.where(
        relation(*arrays), xp.ones_like(arrays[0]), xp.zeros_like(arrays[0])
    )


def _pi(xp: Any) -> Any:
    return xp.asarray(math.pi)


def _truth_of(
    name: str, arity: int, relation: Callable[..., Any], exact: str, degree: str, infix: str = "",
    parity: str = "",
) -> Function:  # fmt: skip
    """Returns the row of a function with the values 1 and 0."""
    return Function(
        name,
        arity,
        _truth_function(relation),
        parity,
        exact,
        UNIT,
        "always",
        degree=degree,
        infix=infix,
    )


_ROWS = (
    Function("pi", 0, _pi, span=(3, 4)),
    Function("recip", 1, _recip, "odd", "reciprocal", partial=True, degree=Fraction(-1)),
    Function("exp", 1, _library_function("exp"), span=(0, INF)),
    Function("log", 1, _log, partial=True),
    Function(
        "sqrt",
        1,
        _library_function("sqrt"),
        span=(0, INF),
        zeros=True,
        partial=True,
        degree=Fraction(1, 2),
    ),
    Function("cbrt", 1, _cbrt, "odd", zeros=True, degree=Fraction(1, 3)),
    Function(
        "abs",
        1,
        _library_function("abs"),
        "even",
        "absolute",
        whole="kept",
        zeros=True,
        degree=Fraction(1),
    ),
    Function(
        "sign", 1, _library_function("sign"), "odd", whole="always", zeros=True, degree="truth"
    ),
    Function("sin", 1, _library_function("sin"), "odd", span=(-1, 1)),
    Function("cos", 1, _library_function("cos"), "even", span=(-1, 1)),
    Function("tan", 1, _library_function("tan"), "odd", partial=True),
    Function("sinh", 1, _library_function("sinh"), "odd", zeros=True),
    Function("cosh", 1, _library_function("cosh"), "even", span=(1, INF)),
    Function("tanh", 1, _library_function("tanh"), "odd", span=(-1, 1), zeros=True),
    Function(
        "arcsin",
        1,
        _renamed_function("arcsin", "asin"),
        "odd",
        span=(-2, 2),
        zeros=True,
        partial=True,
    ),
    Function("arccos", 1, _renamed_function("arccos", "acos"), span=(0, 4), partial=True),
    Function("arctan", 1, _renamed_function("arctan", "atan"), "odd", span=(-2, 2), zeros=True),
    Function("arcsinh", 1, _renamed_function("arcsinh", "asinh"), "odd", zeros=True),
    Function("erf", 1, _erf, "odd", span=(-1, 1), zeros=True),
    Function("lgamma", 1, _of_gamma("gammaln"), exact="gammaln", partial=True),
    Function("digamma", 1, _of_gamma("digamma"), exact="digamma", partial=True),
    Function("floor", 1, _library_function("floor"), whole="always"),
    Function("ceil", 1, _library_function("ceil"), whole="always"),
    Function("rint", 1, _library_function("round"), "odd", whole="always"),
    _truth_of("not", 1, lambda x: x == 0, "logical_not", "truth", parity="even"),
    Function("maximum", 2, _library_function("maximum"), whole="kept", degree="alike"),
    Function("minimum", 2, _library_function("minimum"), whole="kept", degree="alike"),
    Function("arctan2", 2, _arctan2, span=(-4, 4), degree="order"),
    Function("pow", 2, _pow, exact="power", zeros=True, partial=True, infix="**"),
    Function(
        "mod", 2, _mod, exact="remainder", whole="kept", partial=True, degree="alike", infix="mod"
    ),
    _truth_of("lt", 2, lambda x, y: x < y, "less", "order", "<"),
    _truth_of("le", 2, lambda x, y: x <= y, "less_equal", "order", "<="),
    _truth_of("gt", 2, lambda x, y: x > y, "greater", "order", ">"),
    _truth_of("ge", 2, lambda x, y: x >= y, "greater_equal", "order", ">="),
    _truth_of("eq", 2, lambda x, y: x == y, "equal", "order", "=="),
    _truth_of("ne", 2, lambda x, y: x != y, "not_equal", "order", "!="),
    _truth_of("and", 2, lambda x, y: (x != 0) & (y != 0), "logical_and", "truth", "and"),
    _truth_of("or", 2, lambda x, y: (x != 0) | (y != 0), "logical_or", "truth", "or"),
)

#: Elementwise functions by their names.
FUNCTIONS: Mapping[str, Function] = {row.name: row for row in _ROWS}
