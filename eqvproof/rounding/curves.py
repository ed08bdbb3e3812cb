"""Derivatives of elementwise functions, with bounds of their second derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eqvproof.rounding.functions import largest, nearest_to_0

Array = np.ndarray[Any, Any]
Curve = tuple[Callable[[Array], Array], Callable[[Array, Array], Array]]


def _constant(value: float) -> Callable[[Array, Array], Array]:
    return lambda low, high: np.full(np.shape(low), value)


#: f' at a point, and a bound of |f''| on an interval, inf if f is not smooth there.
CURVES: Mapping[str, Curve] = {
    "recip": (lambda x: -1 / (x * x), lambda low, high: 2 / nearest_to_0(low, high) ** 3),
    "log": (
        lambda x: 1 / x,
        lambda low, high: np.where(low > 0, 1 / np.maximum(low, 0) ** 2, np.inf),
    ),
    "sqrt": (lambda x: 0.5 / np.sqrt(x), lambda low, high: 0.25 / np.maximum(low, 0.0) ** 1.5),
    "cbrt": (
        lambda x: np.cbrt(x) ** -2.0 / 3,
        lambda low, high: 0.23 * np.cbrt(nearest_to_0(low, high)) ** -5.0,
    ),
    "abs": (np.sign, lambda low, high: np.where(nearest_to_0(low, high) > 0, 0.0, np.inf)),
    "sin": (np.cos, _constant(1.0)),
    "cos": (lambda x: -np.sin(x), _constant(1.0)),
    "sinh": (np.cosh, lambda low, high: np.cosh(largest(low, high))),
    "cosh": (np.sinh, lambda low, high: np.cosh(largest(low, high))),
    "tanh": (lambda x: 1 / np.cosh(x) ** 2, _constant(0.77)),
    "arctan": (lambda x: 1 / (1 + x * x), _constant(0.65)),
    "arcsinh": (lambda x: 1 / np.sqrt(1 + x * x), _constant(0.4)),
    "erf": (lambda x: 1.1283791670955126 * np.exp(-x * x), _constant(0.97)),
}


def power_curve(x: Array, y: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Returns the derivative of x^y by x, and a bound of the second one.

    The bound is inf if x may be 0 or negative, except for x^1.
    """
    slope = np.where(y == 1, 1.0, y * np.abs(x) ** (y - 1))
    ends = np.maximum(np.maximum(low, 0) ** (y - 2), np.maximum(high, 0) ** (y - 2))
    curve = np.where(low > 0, np.abs(y * (y - 1)) * ends, np.inf)
    return slope, np.where(y == 1, 0.0, curve)
