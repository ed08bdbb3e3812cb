"""Bounds rounding errors: a number system of floats with bounds, one rule for each operation.

Programs are evaluated in it as in any other number system. Each operation adds its own rounding to
the propagated errors of its arguments; every step is a proved inequality between floats, rounded
outwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from eqvproof.numbers.contraction import Labels
from eqvproof.programs import AS_REAL, OF_FINITE
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.library_functions import (
    MEAN,
    NORMALISED,
    SOFTMAX,
    SQUARES,
    is_order,
)
from eqvproof.programs.operations import FUNCTIONS
from eqvproof.programs.operations.stored import Stored
from eqvproof.rounding import matrices
from eqvproof.rounding.context import RoundingContext
from eqvproof.rounding.enclosed import (
    Array,
    Enclosed,
    add_bounds,
    array_sum,
    change_bound,
    clear_bound,
    fill_bound,
    input_with_error,
    is_share_of_sum,
    origin_of_products,
    parts_of_sums,
    places_of,
    where_one_number,
)
from eqvproof.rounding.formats import UNIT, Format, gamma_of
from eqvproof.rounding.functions import UPWARDS
from eqvproof.rounding.maps import OUTWARDS, FunctionBounds, bound_function, relative_of_product
from eqvproof.rounding.products import may_vanish, propagate_errors, roundings
from eqvproof.rounding.rows import rows_of
from eqvproof.rounding.updates import ExtraRoundings, update_roundings
from eqvproof.support.errors import EqvproofError


class RoundingSystem(RoundingContext):
    """The number system of `Enclosed` numbers; see `evaluate.system.NumberSystem`.

    Args:
        form: the format in which the function rounds.

    Attributes:
        flips: the operation and the number of entries of decisions that rounding may change, in the
            order of evaluation.
        plain: the arithmetic of float64.
        total: a bound of the sum of magnitudes in the last sum of products; None if unknown.
    """

    def __init__(self, form: Format) -> None:
        super().__init__(form)
        self.flips: list[tuple[str, int]] = []
        self.total: Array | None = None
        self.plain = FloatSystem(np, np.float64)

    def as_input(self, array: Array, spread: Array | None = None) -> Enclosed:
        """Converts an input, rounding entries that the format cannot represent.

        Integers are rounded too, since they may be cast.
        """
        value = np.asarray(array, dtype=np.float64)
        if spread is None:
            fits = self.form.holds(value)
        else:
            fits = np.zeros(value.shape, dtype=bool)
        if array.dtype.kind in "iu":
            fits &= np.abs(value) < 1 / UNIT
        if fits.all():
            return Enclosed(value, None, spread)
        size = np.abs(value) + fill_bound(spread, value.shape)
        found = self.enclose(
            value, np.where(fits, 0.0, self.form.rounding_error(size) + self.form.least), spread
        )
        return input_with_error(value, found.error, found.spread, casts=self.form.casts)

    def without_rounding(self, x: Enclosed) -> Enclosed:
        """Returns a number with the same values and no rounding error."""
        return Enclosed(x.value, None, x.spread, x.positive, least=x.least)

    # -- moving entries
    # --------------------------------------------------------------------------------
    def _move_entries(self, x: Enclosed, move: Callable[[Array], Array]) -> Enclosed:
        error, spread = (change_bound(a, move) for a in (x.error, x.spread))
        origin, parts = x.origin, x.parts
        if origin is not None:
            origin = (origin[0], move(origin[1]))
        if parts is not None:
            parts = replace(parts, places=move(parts.places))
        return Enclosed(
            move(x.value), error, spread, x.positive, x.terms, origin, x.least, x.relative, parts
        )

    def fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Enclosed:
        """Converts constants, rounding those that the format cannot represent."""
        value = np.asarray(self.plain.fractions(values, shape), dtype=np.float64)
        exact = isinstance(values, Stored) or all(
            Fraction(v) == w for v, w in zip(value.ravel().tolist(), values, strict=True)
        )
        low = float(np.min(value, initial=np.inf, where=~np.isnan(value)))
        if self.silent or (exact and self.form.holds(value).all()):
            return _with_lower_bound(Enclosed(value), low)
        found = self.enclose(value, self.form.rounding_error(np.abs(value)) + self.form.least)
        if low >= 0:
            low = max(low * (1 - 2 * self.form.unit) - self.form.least, 0.0)
        return _with_lower_bound(Enclosed(value, found.error), low)

    def reshape(self, array: Enclosed, shape: Sequence[int]) -> Enclosed:
        """Reshapes an array."""
        return self._move_entries(array, lambda a: np.reshape(a, tuple(shape)))

    def broadcast(self, array: Enclosed, shape: Sequence[int]) -> Enclosed:
        """Broadcasts an array."""
        return self._move_entries(array, lambda a: np.broadcast_to(a, tuple(shape)))

    def take(self, array: Enclosed, axis: int, indices: range | list[int]) -> Enclosed:
        """Takes some entries along an axis."""
        return self._move_entries(array, lambda a: np.asarray(self.plain.take(a, axis, indices)))

    def concat(self, arrays: Sequence[Enclosed], axis: int) -> Enclosed:
        """Concatenates arrays along an axis."""

        def joined(parts: Sequence[Array | None]) -> Array | None:
            if all(p is None for p in parts):
                return None
            whole = [fill_bound(p, a.shape) for p, a in zip(parts, arrays, strict=True)]
            return np.concatenate(whole, axis=axis)

        spread = None
        if any(a.spread is not None for a in arrays):
            spread = joined([self.gap_to_real(a) for a in arrays])
        value = np.concatenate([a.value for a in arrays], axis=axis)
        least = min(a.least if a.positive else -1.0 for a in arrays)
        return _with_lower_bound(Enclosed(value, joined([a.error for a in arrays]), spread), least)

    # -- arithmetic
    # ------------------------------------------------------------------------------------
    def contract(
        self,
        arrays: Sequence[Enclosed],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> Enclosed:
        """Returns sums of products; see `products`."""

        def contract(parts: Sequence[Array]) -> Array:
            return np.asarray(self.plain.contract(parts, labels, output, sizes))

        if len(arrays) == 1 and not set(labels[0]) - set(output):
            return self._move_entries(arrays[0], lambda a: contract([a]))
        value = contract([a.value for a in arrays])
        if self.is_whole(arrays, lambda: contract([np.abs(a.value) for a in arrays])):
            return Enclosed(value, positive=_is_positive(arrays, labels))
        how = roundings(arrays, labels, output, sizes, self.form)
        gamma, positive = how.gamma, _is_positive(arrays, labels)
        if self.silent:
            gamma = 0.0
        real, errors = [self.size(a) for a in arrays], [a.error for a in arrays]
        is_single = how.count == 1 and not how.cut and not how.stored
        is_halved = how.is_flat and how.terms > 1 and not positive
        is_apart = (is_single or is_halved) and 0 < gamma < np.inf
        error = propagate_errors(contract, real, errors, 0.0 if is_apart else gamma)
        spread = None
        if any(a.spread is not None for a in arrays):
            spread = propagate_errors(
                contract,
                [np.abs(a.value) for a in arrays],
                [self.gap_to_real(a) for a in arrays],
                0.0,
            )
        self.total = None
        if is_apart:
            moved = fill_bound(error, value.shape)
            self.total = size = contract(
                [p + fill_bound(e, p.shape) for p, e in zip(real, errors, strict=True)]
            )
            reach = np.abs(value) + moved * (1 + self.form.ratio) + fill_bound(spread, value.shape)
            reach = np.minimum(size, reach + 4 * how.count * UNIT * size)
            exact = None
            if is_single:
                own, exact = self.form.rounding_error(reach), self._whole_entries(arrays, contract)
            else:
                own = how.sum_error(size, reach)
            if exact is not None:
                own = np.where(exact, 0.0, own)
            error = moved + own
        if not gamma and len(arrays) > 1 and not self.silent:  # exact products with powers of 2
            if self._may_underflow(arrays):
                error = fill_bound(error, value.shape)
                error = error + self.form.least * how.terms * self._may_differ_from_0(
                    real, errors, contract
                )
            reaches = [
                np.maximum(p + fill_bound(e, p.shape), 1.0)
                for p, e in zip(real, errors, strict=True)
            ]
            if not prod(float(np.max(r, initial=1.0)) for r in reaches) <= self.form.greatest:
                # a product of some of the factors may overflow
                over = ~(contract(reaches) <= self.form.greatest)
                error = np.where(over, np.inf, fill_bound(error, value.shape))
        if error is not None:
            error = self._add_storing(
                arrays, value, error, fill_bound(spread, value.shape), how.stored
            )
            if gamma:
                error = self._add_underflow(error, real, how.count, arrays)
                limit = self.form.limit(how.unit)
                if how.cut:
                    limit = self.form.greatest
                most = gamma / (1 + gamma) ** 3 * limit  # of all partial sums
                if not np.max(error, initial=0.0) <= most:
                    error = np.where(error > most, np.inf, error)
        spread = self._with_own_error(spread, error)
        terms, least = how.terms, 0.0
        if terms <= 1:
            terms = max((a.terms for a in arrays), default=0)
        if len(arrays) == 1 and terms == how.terms:
            least = arrays[0].least  # no sum is below a term
        found = self.enclose(
            value, error, spread, work=how.count, positive=positive, terms=terms, least=least
        )
        if how.terms == 1 and not how.cut:
            origin = origin_of_products(arrays, contract)
            if origin is not None:
                found = replace(found, origin=origin)
        if not positive or spread is None:
            return found
        relative = how.gamma + how.stored * (1 + how.gamma)
        return self._sharpen_positive(found, arrays, labels, output, sizes, relative)

    def _with_own_error(self, spread: Array | None, error: Array | None) -> Array | None:
        """Adds the rounding of float64, in proportion to this format's error, to a spread."""
        return change_bound(spread, lambda s: s + fill_bound(error, s.shape) * self.form.ratio)

    def _sharpen_positive(
        self, found: Enclosed, arrays: Sequence[Enclosed], labels: Sequence[Labels], output: Labels,
        sizes: Mapping[int, int], own: float,
    ) -> Enclosed:  # fmt: skip
        """Sharpens a sum of products of positive numbers by their relative errors."""
        is_sum = bool({k for row in labels for k in row} - set(output))
        is_once = all(len(set(row)) == len(row) for row in labels)

        def move(array: Array, x: Enclosed) -> Array:
            row = next(r for a, r in zip(arrays, labels, strict=True) if a is x)
            return np.asarray(self.plain.contract([array], [row], output, sizes))

        known = [0.0 if a.error is None else a.relative for a in arrays]
        low = [a.least for a in arrays]
        relative = relative_of_product(known, own, self.form.least, low)
        if not is_sum:
            low.append(1 - own)
            found = replace(found, least=max(found.least, prod(low) / OUTWARDS - self.form.least))
        found = replace(found, relative=relative)
        if not is_once or (is_sum and len(arrays) > 1):
            return self._sharpen_by_relative(found)
        if is_sum:
            row = labels[0]
            back = lambda a: np.asarray(self.plain.contract([a], [output], row, sizes))  # noqa: E731
            return replace(found, parts=parts_of_sums(arrays[0], back, found.shape))
        if len(arrays) == 2 and any(is_share_of_sum(a, b, move) for a, b in (arrays, arrays[::-1])):
            found = self._clip_to_1(found)
        return self._sharpen_by_relative(found)

    def _clip_to_1(self, x: Enclosed) -> Enclosed:
        """Restricts a number whose real value is between 0 and 1 to this range."""
        apart = fill_bound(x.spread, x.shape)
        low, high = np.maximum(x.value - apart, 0.0), np.minimum(x.value + apart, 1.0)
        half = (high - low) / 2 + 4 * UNIT
        better = half < apart
        value, spread = np.where(better, (low + high) / 2, x.value), np.where(better, half, apart)
        return replace(x, value=value, spread=spread)

    def _sharpen_by_relative(self, x: Enclosed) -> Enclosed:
        """Sharpens the error of a number by its relative error."""
        if x.error is None or not x.relative < 1:
            return x
        size = np.minimum(np.abs(x.value) + fill_bound(x.spread, x.shape), self.form.greatest / 2)
        return replace(x, error=np.fmin(x.error, x.relative * (1 + 4 * UNIT) * size))

    def _whole_entries(
        self, arrays: Sequence[Enclosed], contract: Callable[[Sequence[Array]], Array]
    ) -> Array | None:
        """Returns where a product of integers, such as flags, is exact; None if nowhere."""
        if any(a.error is not None and a.error.all() for a in arrays):
            return None
        if not all(np.array_equal(a.value, np.rint(a.value)) for a in arrays):
            return None
        known = [(self.radius(a) == 0).astype(np.float64) for a in arrays]
        size = contract([np.abs(a.value) for a in arrays])
        return np.asarray(
            (contract(known) > 0) & (size <= 1 / max(self.form.unit, self.form.factors))
        )

    def _add_storing(
        self, arrays: Sequence[Enclosed], value: Array, error: Array, spread: Array, unit: float
    ) -> Array:
        if not unit or self.silent:
            return error
        return np.asarray(error + unit * (np.abs(value) + spread + 2 * error))

    def _may_underflow(self, arrays: Sequence[Enclosed]) -> bool:
        """Checks whether exact products with powers of 2 may fall below the least normal number."""
        sizes = [np.abs(a.value) for a in arrays]
        least = prod(float(np.min(w, where=w > 0, initial=1.0)) for w in sizes)
        return least < self.form.normal or any(a.error is not None for a in arrays)

    def _may_differ_from_0(
        self,
        real: Sequence[Array],
        errors: Sequence[Array | None],
        contract: Callable[[Sequence[Array]], Array],
    ) -> Array:
        """Returns where a sum of products has a term whose factors all may differ from 0.

        Elsewhere nothing can underflow.
        """
        reach = [p if e is None else p + e for p, e in zip(real, errors, strict=True)]
        if all(bool(np.all(r != 0)) for r in reach):
            return np.ones(())
        return np.asarray(contract([(r != 0).astype(np.float64) for r in reach]) > 0)

    def underflow_loss(
        self, real: Sequence[Array], count: int, arrays: Sequence[Enclosed]
    ) -> float:
        """Bounds the loss of sums of products near 0; inf if products of factors may overflow."""
        least = self.form.least * count
        if len(arrays) > 2:
            sizes = [r + fill_bound(a.error, a.shape) for r, a in zip(real, arrays, strict=True)]
            most = prod(float(np.max(w, where=np.isfinite(w), initial=1.0)) for w in sizes)
            if not most <= self.form.greatest:
                return np.inf
            least = least * most
        return least

    def _add_underflow(
        self, error: Array, real: list[Array], count: int, arrays: Sequence[Enclosed]
    ) -> Array:
        """Adds the loss near 0 to an error, unless all terms are 0."""
        least, zero = self.underflow_loss(real, count, arrays), error == 0
        if zero.any() and not may_vanish(real) and least < np.inf:
            return np.asarray(np.where(zero, 0.0, error + least))
        return error + least

    def add(self, arrays: Sequence[Enclosed]) -> Enclosed:
        """Returns the sum of arrays, in every order.

        If a term is itself a sum, the order may mix its terms with the others.
        """
        value = np.asarray(self.plain.add([a.value for a in arrays]))
        if self.is_whole(arrays, lambda: np.sum([np.abs(a.value) for a in arrays], axis=0)):
            return Enclosed(value, positive=all(a.positive for a in arrays))
        rough = [a for a in arrays if not (a.is_exact and not np.any(a.value))]
        error = add_bounds(*(a.error for a in rough))
        spread = None
        if any(a.spread is not None for a in arrays):
            spread = array_sum(fill_bound(self.gap_to_real(a), value.shape) for a in arrays)
        if len(rough) > 1 and not self.silent:
            own = self._rounding_of_sum(rough, value, error, spread)
            least = len(rough) * self.form.least
            if own.all():
                own = own + least
            else:
                own = np.where((own > 0) | (value != 0), own + least, 0.0)
            error = add_bounds(error, own)
        cancels = None
        if len(rough) == 2:
            cancels = where_one_number(rough[0], rough[1], -1.0)
        if cancels is not None:
            error, spread = clear_bound(error, cancels), clear_bound(spread, cancels)
        spread = self._with_own_error(spread, error)
        positive = all(a.positive for a in arrays)
        least = max((a.least for a in arrays), default=0.0)  # no sum is below a term
        return self.enclose(
            value, error, spread, work=8 + len(arrays), positive=positive, least=least
        )

    def _rounding_of_sum(
        self, rough: Sequence[Enclosed], value: Array, error: Array | None, spread: Array | None
    ) -> Array:
        form, carried_on = self.form, fill_bound(error, value.shape)
        most = max(a.terms for a in rough)
        if len(rough) > 2 or most:
            sizes = [self.size(a) + fill_bound(a.error, a.shape) for a in rough]
        if len(rough) == 2:
            apart = spread
            if apart is None:
                apart = carried_on * form.ratio
            own = form.rounding_error(np.abs(value) * (1 + 4 * UNIT) + apart + carried_on)
        else:
            own = gamma_of(form.step * (len(rough) - 1)) * array_sum(sizes)
        for i, a in enumerate(rough):
            if a.terms:
                others = array_sum(s for j, s in enumerate(sizes) if j != i)
                own = own + gamma_of(a.terms * form.sums * (1 + 2.0**-20)) * others
        return own

    def apply(self, fn: str, arrays: Sequence[Enclosed]) -> Enclosed:
        """Applies an elementwise function; see `maps`."""
        value = np.asarray(self.plain.apply(fn, [a.value for a in arrays]), dtype=np.float64)
        found: FunctionBounds = bound_function(self, fn, arrays, value)
        if found.flips:
            self.flips.append((FUNCTIONS[fn].infix or fn, found.flips))
        if found.value is not None:
            value = found.value
        made = self.enclose(
            value, found.error, found.spread, positive=found.positive, least=found.least
        )
        if found.spread is None or not found.positive or self.form.casts:
            return made
        parts = None
        if fn == "recip" and arrays[0].parts is not None and not arrays[0].parts.is_inverse:
            parts = replace(arrays[0].parts, is_inverse=True)
        made = replace(made, relative=found.relative, parts=parts, origin=places_of(value))
        return self._sharpen_by_relative(made)

    def select(self, c: Enclosed, a: Enclosed, b: Enclosed) -> Enclosed:
        """Returns a where c is not 0, else b; the bound covers both if rounding may change c."""
        value = np.asarray(self.plain.select(c.value, a.value, b.value))
        first = c.value != 0

        def chosen(left: Array | None, right: Array | None) -> Array | None:
            if left is None and right is None:
                return None
            return np.where(first, fill_bound(left, value.shape), fill_bound(right, value.shape))

        error = chosen(a.error, b.error)
        spread = None
        if any(x.spread is not None for x in (a, b, c)):
            spread = chosen(self.gap_to_real(a), self.gap_to_real(b))
        if c.error is not None or c.spread is not None:
            gap = np.abs(a.value - b.value) + self.radius(a) + self.radius(b)
            turned = self.radius(c) > 0
            gap = np.where(np.isfinite(self.radius(c)), gap, np.inf)
            error = np.where(turned, gap, fill_bound(error, value.shape))
            if c.spread is not None:
                spread = np.where(c.spread > 0, gap, fill_bound(spread, value.shape))
        error, spread = (None if e is None or not np.any(e) else e for e in (error, spread))
        return self.enclose(
            value, error, spread, positive=a.positive and b.positive, least=min(a.least, b.least)
        )

    def reduce(self, fn: str, array: Enclosed, axes: tuple[int, ...]) -> Enclosed:
        """Returns the largest or least entry, or the product of entries.

        The error of the largest (least) is that of the entries that may be chosen.
        """
        value = np.asarray(self.plain.reduce(fn, array.value, axes))
        if fn == "prod":
            count = prod(array.shape[a] for a in axes)
            unit = 0.0
            if not self.silent:
                unit = gamma_of(count * self.form.step)
            size, wide = self.size(array), self.size(array) + fill_bound(array.error, array.shape)
            real, most = np.prod(size, axis=axes), np.prod(wide, axis=axes)
            over = most * (1 + unit + 4 * count * UNIT) - real
            reach = np.prod(np.maximum(wide, 1.0), axis=axes)  # of every partial product
            error = np.maximum(over, 0.0) + self.form.least * count * reach
            error = np.where(reach <= self.form.greatest / (1 + unit), error, np.inf)
            spread = np.prod(
                np.abs(array.value) + fill_bound(array.spread, array.shape), axis=axes
            ) + np.abs(value)
            wide_spread = None
            if array.spread is not None:
                wide_spread = spread + error * self.form.ratio
            return self.enclose(value, error, wide_spread, work=count, positive=array.positive)
        if array.is_exact:
            return Enclosed(value, positive=array.positive, least=array.least)
        sign = UPWARDS[fn]
        radius = self.radius(array)
        bar = np.max(sign * array.value - radius, axis=axes, keepdims=True)
        near = sign * array.value + radius >= bar

        def largest(part: Array | None) -> Array | None:
            return change_bound(part, lambda p: np.max(np.where(near, p, 0.0), axis=axes))

        spread = None
        if array.spread is not None:
            spread = largest(self.gap_to_real(array))
        found = self.enclose(
            value, largest(array.error), spread, positive=array.positive, least=array.least
        )
        if not self.compares or array.origin is None:
            return found
        source, places = array.origin  # known if only one entry can be chosen
        chosen = np.max(np.where(near, places, -np.inf), axis=axes)
        is_one = np.count_nonzero(near, axis=axes) == 1
        return replace(found, origin=(source, np.where(is_one, chosen, np.nan)))

    def sort(self, array: Enclosed, axis: int) -> Enclosed:
        """Sorts entries in ascending order; each gets the largest error of its line."""
        value = np.asarray(self.plain.sort(array.value, axis))

        def largest(part: Array) -> Array:
            return np.broadcast_to(np.max(part, axis=axis, keepdims=True), value.shape)

        error, spread = (change_bound(a, largest) for a in (array.error, array.spread))
        return Enclosed(value, error, spread, array.positive, least=array.least)

    def take_as_real(self, x: Enclosed) -> Enclosed:
        """Takes the computed number as real: it has no error, only a distance from the value."""
        spread = None if x.is_exact else self.radius(x)
        return Enclosed(x.value, None, spread, x.positive, least=x.least)

    def _flag_overflow(self, flag: Enclosed, x: Enclosed) -> Enclosed:
        """Returns a flag, with an unknown value where a real number may overflow."""
        unknown = np.isfinite(x.value) & ~np.isfinite(self.radius(x))
        if not unknown.any():
            return flag
        self.flips.append(("isinf", int(np.count_nonzero(unknown))))
        error = np.where(unknown, np.inf, fill_bound(flag.error, flag.shape))
        return replace(flag, error=error, spread=self.gap_to_real(flag), origin=None)

    def _apply_to_rows(self, name: str, arrays: Sequence[Enclosed]) -> Enclosed:
        """Evaluates a function of rows; see `rows`.

        Adds the roundings of its steps to the effect of the errors of the rows.
        """
        own, x = arrays[0], arrays[1]
        error = fill_bound(own.error, own.shape)
        if x.is_exact:
            return self.enclose(own.value, error, own.spread)
        f, R = rows_of(name, x.value, *(float(a.value) for a in arrays[2:])), self.radius(x)
        if not self.silent:
            error = np.fmin(error, f.bound_of_steps(self.form, R))
        apart, least = fill_bound(self.gap_to_real(x), x.shape), self.form.least
        spread = error * self.form.ratio + f.bound_of_change(apart, R, least * self.form.ratio)
        error = error + f.bound_of_change(fill_bound(x.error, x.shape), R, least)
        if (
            name == SOFTMAX
            and gamma_of(16 * x.shape[-1] * self.form.sums + 16 * self.form.step) < 0.25
        ):
            error = np.where(
                np.all(np.isfinite(R), axis=-1, keepdims=True), np.fmin(error, 1.5), error
            )
        is_usual = x.spread is None and bool(np.all(spread <= error * self.form.ratio))
        return self.enclose(f.value, error, None if is_usual else spread, positive=own.positive)

    def extra_roundings(self, name: str, rows: Enclosed) -> ExtraRoundings:
        """Bounds the roundings of updates beyond those of two passes."""
        return update_roundings(self.form, name, rows, self.radius(rows))

    # -- matrices
    # --------------------------------------------------------------------------------------
    def inverse(self, array: Enclosed) -> Enclosed:
        """Returns inverse matrices."""
        return matrices.enclose_inverse(self, array, np.asarray(self.plain.inverse(array.value)))

    def determinant(self, array: Enclosed) -> Enclosed:
        """Returns determinants."""
        inverse = np.asarray(self.plain.inverse(array.value))
        return matrices.enclose_determinant(
            self, array, np.asarray(self.plain.determinant(array.value)), inverse
        )

    def matrix(self, fn: str, arrays: Sequence[Enclosed]) -> Enclosed:
        """Returns another function of matrices."""
        value = np.asarray(self.plain.matrix(fn, [a.value for a in arrays]))
        match fn:
            case "eigvals":
                return matrices.enclose_eigenvalues(self, arrays[0], value)
            case "pinv":
                return matrices.enclose_pseudo_inverse(self, arrays[0], value)
            case "spectral":
                found = np.asarray(self.plain.matrix("eigvals", [arrays[0].value]))
                return matrices.enclose_spectral(self, arrays[0], arrays[1], value, found)
            case "cholesky":
                inverse = np.asarray(self.plain.inverse(arrays[0].value))
                return matrices.enclose_cholesky(self, arrays[0], value, inverse)
            case _:
                return Enclosed(value, np.full(value.shape, np.inf))

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Any], shape: tuple[int, ...]
    ) -> Any:
        """Evaluates an opaque operation: a function of rows, or an update.

        Raises:
            EqvproofError: any other operation; no bound is known for untraced functions.
        """
        if name in (MEAN, SQUARES):
            x = arrays[0]
            error = fill_bound(x.error, x.shape)
            if not self.silent:
                error = error + self.extra_roundings(name, arrays[1]).error
            spread = self._with_own_error(x.spread, error)
            return self.enclose(x.value, error, spread, positive=x.positive)
        if name == AS_REAL:
            return self.take_as_real(arrays[0])
        if name == OF_FINITE:
            return self._flag_overflow(arrays[0], arrays[1])
        if name in (SOFTMAX, NORMALISED):
            return self._apply_to_rows(name, arrays)
        if is_order(name):
            return Enclosed(np.zeros(shape), np.full(shape, np.inf))
        raise EqvproofError(
            "no bound of rounding is known for an untraced function", given=name,
            expected="operations of the table of operations",
            hint="write the function out, or bound the rest without it", code="rounding.opaque",
        )  # fmt: skip


def _with_lower_bound(x: Enclosed, low: float) -> Enclosed:
    """Returns a number with a lower bound of its entries; a bound below 0 gives no information."""
    least = low if 0 < low < np.inf else 0.0
    return replace(x, positive=low >= 0, least=least)


def _is_positive(arrays: Sequence[Enclosed], labels: Sequence[Labels]) -> bool:
    """Checks whether every term is a product of squares and nonnegative numbers.

    Such terms are nonnegative in floats, too.
    """
    left: list[tuple[int, Labels]] = []
    for a, row in zip(arrays, labels, strict=True):
        if not a.positive:
            key = (id(a), tuple(row))
            if key in left:
                left.remove(key)
            else:
                left.append(key)
    return not left
