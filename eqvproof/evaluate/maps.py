"""Elementwise functions: for each, its exact form and its float form, in one line of one table.

Exact forms are named in ``exact.table``. Float forms are written for any Array API namespace ``xp``; NaN
stands for undefined, and `evaluate_float` makes each of them strict, so that only the places where a function
itself is undefined are marked here.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eqvproof.optional import installed

FloatFunction = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class MapEvaluation:
    """How one elementwise function is evaluated.

    Attributes:
        name: as in ``program.ops.MAP_FUNCTIONS``.
        exact: its name in ``exact.table.FUNCTIONS`` ("" for pi).
        floats: ``floats(xp, *arrays)``.
    """

    name: str
    exact: str
    floats: FloatFunction


def _plain(name: str) -> FloatFunction:
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
    return xp.asarray(np.asarray(np.frompyfunc(math.erf, 1, 1)(values), dtype=np.float64), dtype=x.dtype)


def _arctan2(xp: Any, y: Any, x: Any) -> Any:
    function = xp.arctan2 if hasattr(xp, "arctan2") else xp.atan2
    return function(y + 0.0, x + 0.0)  # -0.0 + 0.0 = 0.0: the reals have one zero


def _pow(xp: Any, x: Any, y: Any) -> Any:
    undefined = ((x == 0) & (y < 0)) | ((x < 0) & (xp.floor(y) != y))
    safe = xp.where(undefined, xp.ones_like(x), x)
    return _nan_where(xp, undefined, safe**y)


def _mod(xp: Any, x: Any, y: Any) -> Any:
    zero = y == 0
    return _nan_where(xp, zero, xp.remainder(x, xp.where(zero, xp.ones_like(y), y)))


def _inverse(old: str, new: str) -> FloatFunction:
    """NumPy's arcsin is the Array API's asin."""
    return lambda xp, x: getattr(xp, old if hasattr(xp, old) else new)(x)


def _truth(relation: Callable[..., Any]) -> FloatFunction:
    return lambda xp, *arrays: xp.where(relation(*arrays), xp.ones_like(arrays[0]), xp.zeros_like(arrays[0]))


def _pi(xp: Any) -> Any:
    return xp.asarray(math.pi)


MAPS: tuple[MapEvaluation, ...] = (
    MapEvaluation("pi", "", _pi),
    MapEvaluation("recip", "reciprocal", _recip),
    MapEvaluation("exp", "exp", _plain("exp")),
    MapEvaluation("log", "log", _log),
    MapEvaluation("sqrt", "sqrt", _plain("sqrt")),
    MapEvaluation("cbrt", "cbrt", _cbrt),
    MapEvaluation("abs", "absolute", _plain("abs")),
    MapEvaluation("sign", "sign", _plain("sign")),
    MapEvaluation("sin", "sin", _plain("sin")),
    MapEvaluation("cos", "cos", _plain("cos")),
    MapEvaluation("tan", "tan", _plain("tan")),
    MapEvaluation("sinh", "sinh", _plain("sinh")),
    MapEvaluation("cosh", "cosh", _plain("cosh")),
    MapEvaluation("tanh", "tanh", _plain("tanh")),
    MapEvaluation("arcsin", "arcsin", _inverse("arcsin", "asin")),
    MapEvaluation("arccos", "arccos", _inverse("arccos", "acos")),
    MapEvaluation("arctan", "arctan", _inverse("arctan", "atan")),
    MapEvaluation("arcsinh", "arcsinh", _inverse("arcsinh", "asinh")),
    MapEvaluation("erf", "erf", _erf),
    MapEvaluation("floor", "floor", _plain("floor")),
    MapEvaluation("ceil", "ceil", _plain("ceil")),
    MapEvaluation("rint", "rint", _plain("round")),
    MapEvaluation("not", "logical_not", _truth(lambda x: x == 0)),
    MapEvaluation("maximum", "maximum", _plain("maximum")),
    MapEvaluation("minimum", "minimum", _plain("minimum")),
    MapEvaluation("arctan2", "arctan2", _arctan2),
    MapEvaluation("pow", "power", _pow),
    MapEvaluation("mod", "remainder", _mod),
    MapEvaluation("lt", "less", _truth(lambda x, y: x < y)),
    MapEvaluation("le", "less_equal", _truth(lambda x, y: x <= y)),
    MapEvaluation("gt", "greater", _truth(lambda x, y: x > y)),
    MapEvaluation("ge", "greater_equal", _truth(lambda x, y: x >= y)),
    MapEvaluation("eq", "equal", _truth(lambda x, y: x == y)),
    MapEvaluation("ne", "not_equal", _truth(lambda x, y: x != y)),
    MapEvaluation("and", "logical_and", _truth(lambda x, y: (x != 0) & (y != 0))),
    MapEvaluation("or", "logical_or", _truth(lambda x, y: (x != 0) | (y != 0))),
)
