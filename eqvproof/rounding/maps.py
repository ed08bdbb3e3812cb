"""Bounds the rounding error of elementwise functions, by slopes and the ulps of libraries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from eqvproof.programs.operations import FUNCTIONS
from eqvproof.rounding.context import RoundingContext
from eqvproof.rounding.enclosed import Array, Enclosed, are_one_number, filled
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
    grown,
    largest,
    nearest_to_0,
    power_slopes,
    undecided,
)

#: The factor that covers the roundings of a slope that float64 computes.
OUTWARDS = 1 + 64 * UNIT
#: Functions that increase where they are defined, or decrease (recip, from 0 on), in float64.
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
class Mapped:
    """Bounds for the values of a function, and how many of them rounding may flip.

    Attributes:
        error, spread, positive, least, relative: as of `Enclosed`.
        flips: how many values rounding may flip.
        value: the middle of the range of values, where it is sharper than float64's, else None.
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
) -> Mapped:
    """Returns the bounds for fn(arrays), whose values in float64 are given."""
    positive = _is_positive(fn, arrays)
    with np.errstate(all="ignore"):
        if fn in UNKNOWN:
            return Mapped(np.full(value.shape, np.inf), None, positive)
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
                apart = filled(system.gap_to_real(arrays[0]), value.shape)
                value, spread = _range_of_monotone(fn, arrays[0], apart, value, spread)
        if not system.silent and rounds(system.form, fn, arrays, value):
            error = _with_own_rounding(
                system, fn, arrays[0] if arrays else None, value, error, spread
            )
        if error is not None:
            error = np.where(np.isnan(error), np.inf, error)
        if spread is not None and error is not None:
            spread = spread + error * system.form.ratio
        least, relative = 0.0, np.inf
        if positive:
            least = _least(system, fn, arrays)
        if positive and spread is not None:
            relative = _relative(system, fn, arrays, np.abs(value) + spread)
    return Mapped(error, spread, positive, value=value, least=least, relative=relative)


def _relative(system: RoundingContext, fn: str, arrays: Sequence[Enclosed], size: Array) -> float:
    """Bounds ``|computed / real - 1|`` for positive values; inf where it is not known."""
    x = arrays[0]
    if fn == "exp":
        moved = float(np.expm1(np.max(filled(x.error, x.shape), initial=0.0)))
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
        own, gone = unit_of(system.form, fn), lost(system.form, fn) / low
    return (moved + own * (1 + moved) + gone) * (1 + 64 * UNIT)


def relative_of_product(
    parts: Sequence[float], own: float, least: float, low: Sequence[float]
) -> float:
    """Bounds the relative error of sums of products of positive numbers.

    The relative errors of the factors are given. It is inf where a product may vanish.
    """
    smallest = prod(low)
    if not (smallest > 0 and all(p < 0.5 for p in parts) and own < 0.5):
        return np.inf
    return (prod(1 + p for p in parts) * (1 + own) - 1 + 2 * least / smallest) * (1 + 64 * UNIT)


def _range_of_monotone(
    fn: str, x: Enclosed, apart: Array, value: Array, spread: Array
) -> tuple[Array, Array]:
    """Returns the middle and half the range of the values on the range of an argument.

    float64 computes these functions within some ulps, and the sum of the argument and its range
    within one.
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


def _least(system: RoundingContext, fn: str, arrays: Sequence[Enclosed]) -> float:
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
    least = least * (1 - 2 * unit - 64 * UNIT) - 2 * lost(system.form, fn)
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


def rounds(form: Format, fn: str, arrays: Sequence[Enclosed], value: Array) -> bool:
    """Checks whether the values of a function are rounded.

    Values that only move, and inverses of powers of 2, are not.
    """
    if fn != "recip" or not arrays[0].scales_exactly():
        return fn not in EXACT
    size = np.abs(value)
    return not bool(np.all((size >= form.least) & (size <= form.greatest)))


def unit_of(form: Format, fn: str) -> float:
    """Returns the error of a library for a function, relative to its value."""
    if half_places(form, fn):
        return form.step * half_places(form, fn)
    return form.library()


def lost(form: Format, fn: str) -> float:
    """Bounds what one operation may lose near 0.

    torch's erf of half formats is only off by float32's ulps of 1.

    XLA's arcsin is twice an angle, of half of it: what functions of a library lose on the way
    counts in ulps.
    """
    least = form.least
    if not half_places(form, fn):
        least *= max(form.ulps, 2)
    if fn == "erf" and form.sums < form.unit:
        least += 2 * form.ulps * form.sums
    return least


def half_places(form: Format, fn: str) -> float:
    """Returns the error of one operation in halves of a last place; 0 for one of a library."""
    if fn == "sqrt":
        return 2 * min(form.roots, form.ulps)
    return float(fn in CORRECT)


def _with_own_rounding(
    system: RoundingContext, fn: str, first: Enclosed | None, value: Array, error: Array | None,
    spread: Array | None,
) -> Array:  # fmt: skip
    """Adds the rounding of the function itself to an error.

    It is relative to the computed value, with what is lost near 0.

    A value that float64 gives as 0 may have vanished: it is 0 where the first argument is known to
    be.
    """
    form, unit, halves = system.form, unit_of(system.form, fn), half_places(system.form, fn)
    moved = filled(error, value.shape)
    apart = spread
    if apart is None:
        apart = moved * form.ratio
    size = np.abs(value) * (1 + 16 * UNIT) + moved + apart
    if halves:
        own = halves * form.rounded(size)
    else:
        own = unit * (1 + 2 * unit) * size
    own = own + lost(form, fn)
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
    """Bounds |fn(x') - fn(x)| for x' as far from x as the errors, both within the radii."""
    if all(e is None for e in errors) and fn != "arctan2":
        return None
    parts = [filled(e, a.shape) for e, a in zip(errors, arrays, strict=True)]
    if fn in ("maximum", "minimum"):
        return _extreme_error(system, fn, arrays, parts)
    if fn == "exp":
        return _slope_product(grown(value, system.radius(arrays[0])) * OUTWARDS, parts[0])
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
        cut = (x_low <= 0) & (y_low <= 0) & (y_high >= 0)  # where 0 has a sign, too
        found = _within(6.2831854, np.where(cut, np.inf, moved), parts[0] + parts[1])
        # both lost: XLA has 0 / 0
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
    return _within(WIDTHS.get(fn, np.inf), moved, error)


def _within(width: float, moved: Array, error: Array) -> Array:
    """Limits errors by the width of all values.

    Where the argument may be infinite there is no limit, as the function may have no value (sin).
    """
    return np.where(np.isfinite(error), np.minimum(moved, width), np.inf)


def _slope_product(slope: Array, error: Array) -> Array:
    """Returns the product of slopes and errors, for slopes that float64 may have lost near 0."""
    return np.where(error == 0, 0.0, np.maximum(slope, 2.0**-1022) * error)


def _extreme_error(
    system: RoundingContext, fn: str, arrays: Sequence[Enclosed], parts: Sequence[Array]
) -> Array:
    """Returns the error of the argument that is surely larger (smaller), else the larger error."""
    sign = UPWARDS[fn]
    gap = sign * (arrays[0].value - arrays[1].value)
    radius = (system.radius(arrays[0]) + system.radius(arrays[1])) * OUTWARDS
    either = np.maximum(parts[0], parts[1])
    return np.where(gap > radius, parts[0], np.where(gap < -radius, parts[1], either))


def _bound_steps(
    system: RoundingContext, fn: str, arrays: Sequence[Enclosed], value: Array
) -> Mapped:
    """Bounds functions with jumps: exact where no step is near, else as far off as the jump."""
    if fn == "mod":
        return _remainder(system, arrays, value)
    positive = fn in POSITIVE
    if all(a.is_exact for a in arrays):
        return Mapped(None, None, positive)
    values = [a.value for a in arrays]
    radii = [system.radius(a) * OUTWARDS for a in arrays]
    # the computed argument may be no number, as that of float64 may
    lost = ~np.isfinite(sum(radii))
    turned = undecided(fn, values, radii).astype(bool) | lost
    if fn in COMPARISONS and arrays[0] is arrays[1] and not system.form.casts:
        turned = lost
    if fn in COMPARISONS:
        one = are_one_number(arrays[0], arrays[1])
        if one is not None:
            turned &= ~one
    flips = int(np.count_nonzero(turned))
    if not flips:
        return Mapped(None, None, positive)
    jump = 2.0 if fn == "sign" else 1.0
    if fn in ("floor", "ceil", "rint"):
        error = np.where(turned, np.ceil(2 * system.radius(arrays[0])) + 1.0, 0.0)
        return Mapped(error, error, positive=False, flips=flips)
    error = np.where(turned, np.where(lost, np.inf, jump), 0.0)
    unsure = turned & undecided(
        fn, values, [filled(system.gap_to_real(a), a.shape) * OUTWARDS for a in arrays]
    )
    return Mapped(error, np.where(unsure, jump, 0.0), positive, flips)


def _remainder(system: RoundingContext, arrays: Sequence[Enclosed], value: Array) -> Mapped:
    x, y = arrays
    if system.is_whole(arrays, lambda: np.maximum(np.abs(x.value), np.abs(y.value))):
        return Mapped(None, None, positive=False)
    quotient = x.value / y.value
    near, reach = system.radius(y), np.abs(y.value) - system.radius(y)
    radius = (system.radius(x) + np.abs(quotient) * near) / np.maximum(
        reach, 0.0
    ) * OUTWARDS + 8 * UNIT * np.abs(quotient)
    turned = np.floor(quotient - radius) != np.floor(quotient + radius)
    moved = filled(x.error, value.shape) + (np.abs(quotient) + 1) * filled(y.error, value.shape)
    own = system.form.step * (np.abs(y.value) + near) + system.form.least
    error = np.where(turned, np.abs(y.value) + near + moved, moved) + own
    lost = np.isnan(error) | (reach <= 0) | ~(np.abs(quotient) + radius <= system.form.greatest)
    error = np.where(lost, np.inf, error)
    spread = filled(system.gap_to_real(x), value.shape) + (np.abs(quotient) + 1) * filled(
        system.gap_to_real(y), value.shape
    )
    spread = np.where(turned, np.abs(y.value) + near + spread, spread + error * system.form.ratio)
    return Mapped(error, spread, positive=False, flips=int(np.count_nonzero(turned)))
