"""Bounds slopes of elementwise functions on intervals, and the errors of libraries in ulps.

``slope(low, high)`` bounds ``|f'|`` on an interval; by the mean value theorem it bounds the effect
of an error of the argument. Each result lists the ulps among its assumptions; the default 4 is the
largest error documented for CPUs and GPUs.

Sources: NVIDIA, CUDA C++ Programming Guide, section on mathematical functions (at most 2 ulps in
float32 for exp, 4 for tan, pow, ...); N. Shibata, F. Petrogalli, SLEEF: A Portable Vectorized
Library of C Standard Mathematical Functions, IEEE TPDS 31, 2020 (1.0 ulp, used by torch); NumPy's
SIMD loops (at most 4 ulps); GNU C Library manual, Errors in Math Functions. Quotients are rounded
correctly (IEEE 754), and so are square roots of NumPy; MKL's vector functions, with which torch
computes them, are within an ulp.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
#: Functions that are rounded correctly, and functions that are exact.
CORRECT = frozenset({"recip", "pi"})
EXACT = frozenset({"abs", "maximum", "minimum"})
#: Functions without a known bound.
UNKNOWN = frozenset({"lgamma", "digamma"})
#: Functions with jumps: if an error moves the argument over a step, the value flips.
COMPARISONS = frozenset("lt le gt ge eq ne".split())
STEPS = COMPARISONS | frozenset("sign floor ceil rint not and or mod".split())

#: The sign with which a maximum or minimum is a maximum.
UPWARDS = {"maximum": 1.0, "max": 1.0, "minimum": -1.0, "min": -1.0}


def nearest_to_0(low: Array, high: Array) -> Array:
    """Returns the least magnitude in an interval."""
    return np.maximum(np.maximum(low, -high), 0.0)


def largest(low: Array, high: Array) -> Array:
    """Returns the largest magnitude in an interval."""
    return np.maximum(np.abs(low), np.abs(high))


def _tan(low: Array, high: Array) -> Array:
    same = np.floor(low / np.pi + 0.5) == np.floor(high / np.pi + 0.5)
    slope = 1 + np.maximum(np.tan(low) ** 2, np.tan(high) ** 2)
    return np.where(same & (high - low < 1), slope, np.inf)


def _arcsin(low: Array, high: Array) -> Array:
    size = largest(low, high)
    return np.where(size < 1, 1 / np.sqrt(np.maximum((1 - size) * (1 + size), 0.0)), np.inf)


SLOPES: Mapping[str, Callable[[Array, Array], Array]] = {
    "recip": lambda low, high: 1 / nearest_to_0(low, high) ** 2,
    "log": lambda low, high: np.where(low > 0, 1 / np.maximum(low, 0.0), np.inf),
    "sqrt": lambda low, high: 0.5 / np.sqrt(np.maximum(low, 0.0)),
    "cbrt": lambda low, high: np.cbrt(nearest_to_0(low, high)) ** -2.0 / 3,
    "abs": lambda low, high: np.ones_like(low),
    "sin": lambda low, high: np.ones_like(low),
    "cos": lambda low, high: np.ones_like(low),
    "tan": _tan,
    "sinh": lambda low, high: np.cosh(largest(low, high)),
    "cosh": lambda low, high: np.sinh(largest(low, high)),
    "tanh": lambda low, high: 1 / np.cosh(nearest_to_0(low, high)) ** 2,
    "arcsin": _arcsin,
    "arccos": _arcsin,
    "arctan": lambda low, high: 1 / (1 + nearest_to_0(low, high) ** 2),
    "arcsinh": lambda low, high: 1 / np.hypot(1, nearest_to_0(low, high)),
    "erf": lambda low, high: 1.1283792 * np.exp(-(nearest_to_0(low, high) ** 2)),
}


def exp_bound(value: Array, radius: Array) -> Array:
    """Bounds exp(x + r), given exp(x), which may have underflowed.

    ``exp(r) <= 1 / (1 - r)`` for r < 1.
    """
    least = value + 2.0**-1022
    if np.max(radius, initial=0.0) < 0.25:
        return np.asarray(least / (1 - radius))
    return np.asarray(least * np.exp(radius))


#: Functions with bounded values, and the largest difference of two values.
WIDTHS: Mapping[str, float] = {"sin": 2.0, "cos": 2.0, "tanh": 2.0, "erf": 2.0, "arctan": 3.1415927}


def power_slopes(x: tuple[Array, Array], y: tuple[Array, Array]) -> tuple[Array, Array]:
    """Bounds the derivatives of x^y by x and by y, from intervals of both."""
    (low, high), (least, most) = x, y
    whole = (least == most) & (least == np.rint(least))
    positive = low > 0
    size = largest(low, high)
    base_low, base_high = np.where(positive, low, 0.0), np.where(positive, high, size)
    ends = [a**b for a in (base_low, base_high) for b in (least - 1, most - 1)]
    by_x = np.maximum(np.abs(least), np.abs(most)) * np.maximum.reduce(ends)
    by_x = np.where(positive | whole, by_x, np.inf)
    by_x = np.where(whole & (least == 1), 1.0, by_x)
    values = np.maximum.reduce([a**b for a in (base_low, base_high) for b in (least, most)])
    by_y = np.where(positive, values * largest(np.log(base_low), np.log(base_high)), np.inf)
    return by_x, by_y


def may_jump(fn: str, arrays: list[Array], radii: list[Array]) -> Array:
    """Returns where a function with jumps may have another value within these radii."""
    x, r = arrays[0], radii[0]
    low, high = x - r, x + r
    if fn in COMPARISONS:
        return np.asarray((np.abs(x - arrays[1]) <= r + radii[1]) & (r + radii[1] > 0))
    if fn in ("sign", "not"):
        return np.asarray((low <= 0) & (high >= 0) & (r > 0))
    if fn in ("and", "or"):
        return np.asarray(may_jump("not", [x], [r]) | may_jump("not", [arrays[1]], [radii[1]]))
    if fn == "rint":
        return np.asarray(
            (np.rint(low) != np.rint(high)) | ((r > 0) & (np.abs(x - np.floor(x) - 0.5) <= r))
        )
    if fn == "floor":
        return np.asarray(np.floor(low) != np.floor(high))
    return np.asarray(np.ceil(low) != np.ceil(high))
