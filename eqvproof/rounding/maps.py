"""Bounds the rounding error of elementwise functions by slopes and the ulps of libraries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from eqvproof.programs.operations import FUNCTIONS
from eqvproof.rounding.context import RoundingContext
from eqvproof.rounding.enclosed import Array, Enclosed, fill_bound, where_one_number
from eqvproof.rounding.formats import UNIT, Format
from eqvproof.rounding.functions import (
    COMPARISONS,
    CORRECT,
    EXACT,
    SLOPES,
    STEPS,
    UNKNOWN,
    UPWARDS,
    WIDTHS,
    exp_bound,
    largest,
    may_jump,
    nearest_to_0,
    power_slopes,
)

#: The factor that covers the roundings of a slope that float64 computes.
OUTWARDS = 1 + 64 * UNIT
#: Monotone functions, evaluated in float64; recip is monotone above 0.
MONOTONE: Mapping[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "cbrt": np.cbrt,
    "tanh": np.tanh,
    "sinh": np.sinh,
    "arctan": np.arctan,
    "arcsinh": np.arcsinh,
    "recip": np.reciprocal,
}
#: Functions whose values are 0 or above at all arguments.
POSITIVE = frozenset("exp abs sqrt cosh pi not lt le gt ge eq ne and or".split())


@dataclass(frozen=True, slots=True)
class FunctionBounds:
    """Bounds for the values of a function, and the number of values that rounding may flip.

    Attributes:
        error, spread, positive, least, relative: as in `Enclosed`.
        flips: the number of values that rounding may flip.
        value: the middle of the range of values, if it is sharper than float64's, else None.
    """

    error: Array | None
    spread: Array | None
    positive: bool
    flips: int = 0
    value: Array | None = None
    least: float = 0.0
    relative: float = np.inf


def bound_function(
    system: RoundingContext, fn: str, arrays: Sequence[Enclosed], value: Array
) -> FunctionBounds:
    """Returns the bounds for fn(arrays), whose values in float64 are given."""
    positive = _is_positive(fn, arrays)
    with np.errstate(all="ignore"):
        if fn in UNKNOWN:
            return FunctionBounds(np.full(value.shape, np.inf), None, positive)
        if fn in STEPS:
            return _bound_steps(system, fn, arrays, value)
        if all(a.is_exact for a in arrays) and fn != "arctan2":
            error: Array | None = None
            spread: Array | None = None
        else:
            error = _propagated_error(system, fn, arrays, [a.error for a in arrays], value)
            wide = fn == "arctan2" or any(a.spread is not None for a in arrays)
            spread = None
            if wide:
                spread = _propagated_error(
                    system, fn, arrays, [system.gap_to_real(a) for a in arrays], value
                )
            if spread is not None and fn in MONOTONE:
                apart = fill_bound(system.gap_to_real(arrays[0]), value.shape)
                value, spread = _range_of_monotone(fn, arrays[0], apart, value, spread)
        if not system.silent and is_rounded(system.form, fn, arrays, value):
            error = _with_own_rounding(
                system, fn, arrays[0] if arrays else None, value, error, spread
            )
        if error is not None:
            error = np.where(np.isnan(error), np.inf, error)
        if spread is not None and error is not None:
            spread = spread + error * system.form.ratio
        least, relative = 0.0, np.inf
        if positive:
            least = _lower_bound(system, fn, arrays)
        if positive and spread is not None:
            relative = _relative_error(system, fn, arrays, np.abs(value) + spread)
    return FunctionBounds(error, spread, positive, value=value, least=least, relative=relative)


def _relative_error(
    system: RoundingContext, fn: str, arrays: Sequence[Enclosed], size: Array
) -> float:
    """Bounds ``|computed / real - 1|`` for positive values; inf if unknown."""
    x = arrays[0]
    if fn == "exp":
        moved = float(np.expm1(np.max(fill_bound(x.error, x.shape), initial=0.0)))
        low = float(np.exp(np.min(x.value - system.radius(x) * OUTWARDS, initial=0.0)))
    elif fn == "recip" and x.relative < 0.5:
        moved, low = x.relative / (1 - x.relative), 1 / float(np.max(system.size(x), initial=0.0))
    elif fn == "pow" and arrays[1].is_exact and bool(np.all(arrays[1].value == 1)):
        moved, low = x.relative, x.least
    else:
        return np.inf
    if not (moved < 0.5 and low > 0) or not np.max(size, initial=0.0) <= system.form.greatest / 2:
        return np.inf
    own = gone = 0.0
    if not system.silent:
        own, gone = unit_of(system.form, fn), underflow_loss(system.form, fn) / low
    return (moved + own * (1 + moved) + gone) * (1 + 64 * UNIT)


def relative_of_product(
    parts: Sequence[float], own: float, least: float, low: Sequence[float]
) -> float:
    """Bounds the relative error of sums of products of positive numbers; inf if one may vanish.

    Args:
        parts: the relative errors of the factors.
        own: the relative error of the operation itself.
        least: the largest loss near 0.
        low: lower bounds of the factors.
    """
    smallest = prod(low)
    if not (smallest > 0 and all(p < 0.5 for p in parts) and own < 0.5):
        return np.inf
    return (prod(1 + p for p in parts) * (1 + own) - 1 + 2 * least / smallest) * (1 + 64 * UNIT)


def _range_of_monotone(
    fn: str, x: Enclosed, apart: Array, value: Array, spread: Array
) -> tuple[Array, Array]:
    """Returns the middle and the half width of the values on the range of an argument.

    float64 computes these functions within some ulps, and the ends of the range within one.
    """
    function, far = MONOTONE[fn], apart * OUTWARDS + 2 * UNIT * np.abs(x.value)
    low, high = x.value - far, x.value + far
    if x.positive:
        low = np.maximum(low, x.least)
    ends = function(low), function(high)
    half = (
        np.abs(ends[1] - ends[0]) / 2 + 32 * UNIT * (np.abs(ends[0]) + np.abs(ends[1])) + 2.0**-1022
    )
    better = half < spread
    if fn == "recip":
        better &= low > 0
    return np.where(better, (ends[0] + ends[1]) / 2, value), np.where(better, half, spread)


def _lower_bound(system: RoundingContext, fn: str, arrays: Sequence[Enclosed]) -> float:
    """Returns a lower bound of positive values, real and computed."""
    if fn not in ("exp", "sqrt", "maximum", "minimum", "recip"):
        return 0.0
    low = [a.least if a.positive else 0.0 for a in arrays]
    if fn == "maximum":
        return max(low)
    if fn == "minimum":
        return min(low)
    radius = system.radius(arrays[0]) * OUTWARDS
    first = float(np.min(arrays[0].value - radius, initial=np.inf))
    if fn == "recip":
        least = 1 / max(float(np.max(np.abs(arrays[0].value) + radius, initial=0.0)), 2.0**-1022)
    elif fn == "exp":
        least = float(np.exp(first))
    else:
        least = float(np.sqrt(max(first, low[0])))
    unit = unit_of(system.form, fn)
    least = least * (1 - 2 * unit - 64 * UNIT) - 2 * underflow_loss(system.form, fn)
    if 0 < least < np.inf:
        return least
    return 0.0


def _is_positive(fn: str, arrays: Sequence[Enclosed]) -> bool:
    known = [a.positive for a in arrays]
    if fn == "maximum":
        return any(known)
    return fn in POSITIVE or (
        fn in ("recip", "minimum", "pow", "sinh", "tanh", "erf", "cbrt") and all(known[:2])
    )


def is_rounded(form: Format, fn: str, arrays: Sequence[Enclosed], value: Array) -> bool:
    """Checks whether a function rounds its values: not if it only selects, or inverts powers of 2."""
    if fn != "recip" or not arrays[0].scales_exactly():
        return fn not in EXACT
    size = np.abs(value)
    return not bool(np.all((size >= form.least) & (size <= form.greatest)))


def unit_of(form: Format, fn: str) -> float:
    """Returns the relative error of a function of the library."""
    if half_places(form, fn):
        return form.step * half_places(form, fn)
    return form.library_error()


def underflow_loss(form: Format, fn: str) -> float:
    """Bounds the loss of one operation near 0.

    Functions of a library may lose several ulps on the way: XLA's arcsin is twice an angle that it
    computes first. torch's erf of half formats has an absolute error of ulps of 1 in float32.
    """
    least = form.least
    if not half_places(form, fn):
        least *= max(form.ulps, 2)
    if fn == "erf" and form.sums < form.unit:
        least += 2 * form.ulps * form.sums
    return least


def half_places(form: Format, fn: str) -> float:
    """Returns the error of one operation in halves of a last place; 0 for library functions."""
    if fn == "sqrt":
        return 2 * min(form.roots, form.ulps)
    return float(fn in CORRECT)


def _with_own_rounding(
    system: RoundingContext, fn: str, first: Enclosed | None, value: Array, error: Array | None,
    spread: Array | None,
) -> Array:  # fmt: skip
    """Adds the rounding of the function itself to an error.

    It is relative to the computed value, plus the loss near 0. A value of 0 in float64 may have
    underflowed, unless the first argument is known to be 0.
    """
    form, unit, halves = system.form, unit_of(system.form, fn), half_places(system.form, fn)
    moved = fill_bound(error, value.shape)
    apart = spread
    if apart is None:
        apart = moved * form.ratio
    size = np.abs(value) * (1 + 16 * UNIT) + moved + apart
    if halves:
        own = halves * form.rounding_error(size)
    else:
        own = unit * (1 + 2 * unit) * size
    own = own + underflow_loss(form, fn)
    if FUNCTIONS[fn].zeros and fn != "erf" and first is not None:
        is_zero = (first.value == 0) & (system.radius(first) == 0)
        own = np.where(is_zero & (value == 0) & (moved + apart == 0), 0.0, own)
    return moved + own


def _propagated_error(
    system: RoundingContext,
    fn: str,
    arrays: Sequence[Enclosed],
    errors: Sequence[Array | None],
    value: Array,
) -> Array | None:
    """Bounds |fn(x') - fn(x)| for |x' - x| at most the errors, both within the radii."""
    if all(e is None for e in errors) and fn != "arctan2":
        return None
    parts = [fill_bound(e, a.shape) for e, a in zip(errors, arrays, strict=True)]
    if fn in ("maximum", "minimum"):
        return _extreme_error(system, fn, arrays, parts)
    if fn == "exp":
        return _slope_product(exp_bound(value, system.radius(arrays[0])) * OUTWARDS, parts[0])
    spans = []
    for a in arrays:
        radius = system.radius(a) * OUTWARDS
        spans.append((a.value - radius, a.value + radius))
    if fn == "pow":
        slopes = power_slopes(spans[0], spans[1])
        return sum(
            (_slope_product(s, e) for s, e in zip(slopes, parts, strict=True)),
            np.zeros(parts[0].shape),
        )
    if fn == "arctan2":
        (y_low, y_high), (x_low, x_high) = spans
        near = np.hypot(nearest_to_0(y_low, y_high), nearest_to_0(x_low, x_high))
        moved = _slope_product(OUTWARDS / near, parts[0] + parts[1])
        cut = (x_low <= 0) & (y_low <= 0) & (y_high >= 0)  # the sign of 0 matters here
        found = _limit_by_width(6.2831854, np.where(cut, np.inf, moved), parts[0] + parts[1])
        # if both underflow, XLA computes 0 / 0
        reach = np.maximum(largest(y_low, y_high), largest(x_low, x_high))
        return np.where((reach > 0) & (reach < 4 * system.form.least), np.inf, found)
    (low, high), (error,) = spans[0], parts
    if arrays[0].positive:
        low = np.maximum(low, arrays[0].least)
    moved = _slope_product(SLOPES[fn](low, high) * OUTWARDS, error)
    if fn == "sqrt" and arrays[0].positive:
        moved = np.minimum(moved, np.sqrt(error) * OUTWARDS)
    if fn == "sqrt" and not arrays[0].positive:
        moved = np.where((low < 0) & (error > 0), np.inf, moved)
    if fn == "cbrt":
        moved = np.minimum(moved, 2 * np.cbrt(error))
    return _limit_by_width(WIDTHS.get(fn, np.inf), moved, error)


def _limit_by_width(width: float, moved: Array, error: Array) -> Array:
    """Limits errors by the width of all values, unless the argument may be infinite.

    There a function such as sin has no value.
    """
    return np.where(np.isfinite(error), np.minimum(moved, width), np.inf)


def _slope_product(slope: Array, error: Array) -> Array:
    """Returns the product of slopes, which may have underflowed, and errors."""
    return np.where(error == 0, 0.0, np.maximum(slope, 2.0**-1022) * error)


def _extreme_error(
    system: RoundingContext, fn: str, arrays: Sequence[Enclosed], parts: Sequence[Array]
) -> Array:
    """Returns the error of the argument that is certainly chosen, else the larger error."""
    sign = UPWARDS[fn]
    gap = sign * (arrays[0].value - arrays[1].value)
    radius = (system.radius(arrays[0]) + system.radius(arrays[1])) * OUTWARDS
    either = np.maximum(parts[0], parts[1])
    return np.where(gap > radius, parts[0], np.where(gap < -radius, parts[1], either))


def _bound_steps(
    system: RoundingContext, fn: str, arrays: Sequence[Enclosed], value: Array
) -> FunctionBounds:
    """Bounds functions with jumps: exact if no step is near, else with the jump as the error."""
    if fn == "mod":
        return _bound_remainder(system, arrays, value)
    positive = fn in POSITIVE
    if all(a.is_exact for a in arrays):
        return FunctionBounds(None, None, positive)
    values = [a.value for a in arrays]
    radii = [system.radius(a) * OUTWARDS for a in arrays]
    # the computed argument, or that of float64, may be NaN
    unknown = ~np.isfinite(sum(radii))
    turned = may_jump(fn, values, radii).astype(bool) | unknown
    if fn in COMPARISONS and arrays[0] is arrays[1] and not system.form.casts:
        turned = unknown
    if fn in COMPARISONS:
        one = where_one_number(arrays[0], arrays[1])
        if one is not None:
            turned &= ~one
    flips = int(np.count_nonzero(turned))
    if not flips:
        return FunctionBounds(None, None, positive)
    jump = 2.0 if fn == "sign" else 1.0
    if fn in ("floor", "ceil", "rint"):
        error = np.where(turned, np.ceil(2 * system.radius(arrays[0])) + 1.0, 0.0)
        return FunctionBounds(error, error, positive=False, flips=flips)
    error = np.where(turned, np.where(unknown, np.inf, jump), 0.0)
    unsure = turned & may_jump(
        fn, values, [fill_bound(system.gap_to_real(a), a.shape) * OUTWARDS for a in arrays]
    )
    return FunctionBounds(error, np.where(unsure, jump, 0.0), positive, flips)


def _bound_remainder(
    system: RoundingContext, arrays: Sequence[Enclosed], value: Array
) -> FunctionBounds:
    x, y = arrays
    if system.is_whole(arrays, lambda: np.maximum(np.abs(x.value), np.abs(y.value))):
        return FunctionBounds(None, None, positive=False)
    quotient = x.value / y.value
    near, reach = system.radius(y), np.abs(y.value) - system.radius(y)
    radius = (system.radius(x) + np.abs(quotient) * near) / np.maximum(
        reach, 0.0
    ) * OUTWARDS + 8 * UNIT * np.abs(quotient)
    turned = np.floor(quotient - radius) != np.floor(quotient + radius)
    moved = fill_bound(x.error, value.shape) + (np.abs(quotient) + 1) * fill_bound(
        y.error, value.shape
    )
    own = system.form.step * (np.abs(y.value) + near) + system.form.least
    error = np.where(turned, np.abs(y.value) + near + moved, moved) + own
    unknown = np.isnan(error) | (reach <= 0)
    unknown |= ~(np.abs(quotient) + radius <= system.form.greatest)
    error = np.where(unknown, np.inf, error)
    spread = fill_bound(system.gap_to_real(x), value.shape) + (np.abs(quotient) + 1) * fill_bound(
        system.gap_to_real(y), value.shape
    )
    spread = np.where(turned, np.abs(y.value) + near + spread, spread + error * system.form.ratio)
    return FunctionBounds(error, spread, positive=False, flips=int(np.count_nonzero(turned)))
