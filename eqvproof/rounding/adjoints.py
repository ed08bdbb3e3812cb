"""Error bounds for stacks of layers: errors are traced back to the roundings that cause them.

A bound found step by step propagates magnitudes: if an error takes two paths that join again, or is
averaged by a matrix, it is counted as if its parts could not cancel, and this loss multiplies from
layer to layer. Here each operation v stores its derivatives J by its arguments a, at the values of
float64, and a bound of the remainder. With d = computed - real,

    d_v = sum_a J_va d_a + r_v,     |r_v| <= own roundings + terms of second order,

so that for every entry y of an array, with ``A_v = dy / dv`` the sum over all paths of products of
derivatives,

    |d_y| <= sum_v sum_i |A_vi| r_vi

This is the same sum in another order; no term is left out. A is computed backwards from y, in
float32 and for many entries at a time, and need not be exact. Let e_va be the error of the
contribution of v to the derivative by its argument a, including the float32 rounding of J_va; then
the sums change by ``sum_v sum_a e_va d_a``. With k roundings, ``|e_va| <= k 2^-24 |A_v| |J_va|``,
and the bound step by step gives D_a >= |d_a|. So the change is at most ``sum_v |A_v| k 2^-24 sum_a
|J_va| D_a``, which is added to r_v.

The arguments of curved functions, above all of softmax and norms, are bounded in this way before
the function is applied: then their terms of second order are those of the actual errors.

If roundings are independent and of mean 0, each within w_i, their parts add up in squares
(`probable`): ``sqrt(2 log(4 count / risk)) sqrt(sum_v sum_i A_vi^2 w_vi^2)`` for count entries;
terms of second order are added as above. The risk is shared among the bounded arrays, as in
`probable`.

Source: S. Linnainmaa, Taylor expansion of the accumulated rounding error, BIT 16, 1976.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from eqvproof.numbers.contraction import Labels
from eqvproof.programs import AS_REAL, Program
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.library_functions import MEAN, NORMALISED, SOFTMAX, SQUARES
from eqvproof.rounding.curves import CURVES, power_curve
from eqvproof.rounding.enclosed import (
    Array,
    Enclosed,
    add_bounds,
    array_sum,
    clear_bound,
    fill_bound,
)
from eqvproof.rounding.formats import UNIT, Format
from eqvproof.rounding.functions import STEPS, UPWARDS, exp_bound
from eqvproof.rounding.maps import is_rounded, underflow_loss
from eqvproof.rounding.products import propagate_errors, roundings
from eqvproof.rounding.rows import rows_of
from eqvproof.rounding.system import RoundingSystem

#: Programs with fewer sums than this are bounded step by step only.
DEEP = 6
#: Limits of backward passes: the numbers computed by all of them for a bound, and the numbers in
#: memory at a time.
WORK, AT_ONCE = 2**32, 2**18
#: The unit of float32, in which derivatives are stored, and the number of roundings that
#: derivatives of functions may have.
SHORT, SLOPES = 2.0**-24, 64
#: Curved functions, whose arguments are bounded by backward passes first.
CURVED = frozenset({"exp", "pow", *CURVES} - {"abs"})

Back = Callable[[Array], Sequence[Array | None]]
Ahead = Callable[[Sequence[Array]], Array]


class AdjointNumber:
    """A number with its derivatives by the numbers that it is computed from.

    Attributes:
        known: the number with a bound of its error.
        parents: the numbers that it is computed from, if derivatives are known.
        back: turns derivatives by it, of shape (count, *shape), into derivatives by its parents.
        own: a bound of the roundings of this operation, entry by entry; None stands for 0.
        deviation: the same for roundings that are independent and of mean 0; None stands for 0.
        rest: a bound of all other errors: terms of second order, and errors that are no roundings.
        backward_error: a bound of the float32 roundings of the backward pass to its parents.
        float64_rest: a bound of the float64 errors that the derivatives do not cover; None stands
            for 0.
        place: its position in the order of computation.
        is_inner: True for a step of a function of rows, which float64 evaluates without this step.
        is_bounded: True if the errors of all entries are bounded by a backward pass.
    """

    __slots__ = (
        "back",
        "backward_error",
        "deviation",
        "float64_rest",
        "is_bounded",
        "is_inner",
        "known",
        "own",
        "parents",
        "place",
        "rest",
    )

    def __init__(
        self,
        known: Enclosed,
        parents: tuple[AdjointNumber, ...],
        back: Back | None,
        own: Array | None,
        deviation: Array | None,
        rest: Array | None,
        backward_error: Array | None,
        float64_rest: Array | None,
        place: int,
        is_inner: bool,  # noqa: FBT001
    ) -> None:
        self.known, self.parents, self.back = known, parents, back
        self.own, self.deviation, self.rest = own, deviation, rest
        self.backward_error, self.float64_rest = backward_error, float64_rest
        self.place, self.is_inner = place, is_inner
        self.is_bounded = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return self.known.shape


class AdjointSystem:
    """The number system of `Traced` numbers; see `evaluate.system.NumberSystem`.

    Args:
        form: the format in which the function rounds.
        risk: the probability that bounds may not hold; 0 for certain bounds.
        work: the largest number of numbers that all backward passes together may compute.

    Attributes:
        is_done: False if that was too little, so that some bounds are step by step.
    """

    def __init__(self, form: Format, risk: float = 0.0, work: int = WORK) -> None:
        self.base = RoundingSystem(form)
        self.form = form
        self.risk = risk
        self.work = work
        self._count = 0
        self._statements = 0
        self._is_inner = False
        self.is_done = True
        self._short = FloatSystem(np, np.float32)

    @property
    def flips(self) -> list[tuple[str, int]]:
        """The decisions that rounding may change."""
        return self.base.flips

    def as_input(self, x: Enclosed) -> AdjointNumber:
        """Converts an input to a number; its known error is not counted as a rounding."""
        self._note_inner(())
        return self._build(x, (), None, None, None, x.error, None)

    # -- backward passes
    # ----------------------------------------------------------------------------------
    def bound(self, x: AdjointNumber) -> Array:
        """Returns a bound of the error of each entry of the result."""
        return self._bounds(x, last=True)[0]

    def _bounds(
        self, x: AdjointNumber, *, last: bool = False, where: Array | None = None
    ) -> tuple[Array, Array]:
        """Returns bounds of the error of each entry, and of its error in float64.

        They are the bounds step by step if no work is left. If `where` is given, only entries
        there are bounded by a backward pass.
        """
        stepwise = fill_bound(x.known.error, x.shape)
        stepwise_float64 = fill_bound(self.base.gap_to_real(x.known), x.shape)
        if x.known.error is None or x.is_bounded:
            return stepwise, stepwise_float64
        steps = _steps_to(x)
        entries = np.arange(prod(x.shape)) if where is None else np.flatnonzero(where)
        work = len(entries) * sum(prod(s.shape) for s in steps)
        if work > self.work:
            self.is_done = False
            return stepwise, stepwise_float64
        self.work -= work
        self._statements += 1
        risk = self.risk / 2
        if not last:
            risk = risk / (self._statements * (self._statements + 1))
        size = max(16, AT_ONCE // max(prod(s.shape) for s in steps))
        bounds = np.full((2, prod(x.shape)), np.inf)
        for k in range(0, len(entries), size):
            part = entries[k : k + size]
            bounds[:, part] = self._rows(x, steps, part, risk)
        largest = sum(
            float(np.max(fill_bound(s.known.error, s.shape), initial=0.0)) * prod(s.shape)
            for s in steps
        )
        bounds = bounds * (1 + 2.0**-8) + 2.0**-100 * largest  # underflow of float32
        error, in_float64 = np.where(np.isnan(bounds), np.inf, bounds).reshape(2, *x.shape)
        return np.fmin(stepwise, error), np.fmin(stepwise_float64, in_float64)

    def _rows(
        self, x: AdjointNumber, steps: Sequence[AdjointNumber], entries: Array, risk: float
    ) -> tuple[Array, Array]:
        """Returns the bounds of some entries, and of their errors in float64."""
        first = np.zeros((len(entries), prod(x.shape)), dtype=np.float32)
        first[np.arange(len(entries)), entries] = 1.0
        held = {x.place: first.reshape(len(entries), *x.shape)}
        (sums, squares, in_float64), scale = np.zeros((3, len(entries))), 1 / self.form.unit
        for step in steps:
            slope = held.pop(step.place, None)
            if slope is None:
                continue
            flat = slope.reshape(len(entries), -1)
            certain = [step.rest, step.backward_error]
            if not risk:
                certain.append(step.own)
            parts = [np.broadcast_to(p, step.shape).ravel() for p in certain if p is not None]
            size = np.abs(flat)
            if parts:
                sums += _float32_product(size, array_sum(parts))
            if step.float64_rest is not None:
                float64_rest = np.broadcast_to(step.float64_rest, step.shape).ravel()
                in_float64 += _float32_product(size, float64_rest)
            if risk and step.deviation is not None:
                wide = np.broadcast_to(step.deviation, step.shape).ravel() * scale
                squares += _float32_product(flat * flat, wide * wide)
            if step.back is None:
                continue
            for parent, part in zip(step.parents, step.back(slope), strict=True):
                if part is not None and parent.place in held:
                    held[parent.place] = held[parent.place] + part
                elif part is not None:
                    held[parent.place] = part
        if risk:
            deviations = math.sqrt(2 * math.log(4 * max(prod(x.shape), 1) / risk))
            sums += deviations / scale * np.sqrt(squares)
        return sums, in_float64

    def _tighten(self, x: AdjointNumber, where: Array | None = None) -> AdjointNumber:
        """Bounds the error of a number by a backward pass, and returns the number."""
        if x.known.error is not None and not x.is_bounded and (where is None or where.any()):
            error, in_float64 = self._bounds(x, where=where)
            x.known = replace(x.known, error=error, spread=in_float64)
            x.is_bounded = where is None
        return x

    def _tighten_at_kinks(self, arrays: Sequence[AdjointNumber]) -> None:
        """Tightens the errors of two arrays where either may be the larger one.

        Afterwards there are usually no such places.
        """
        for x in arrays:
            a, b = (y.known for y in arrays)
            self._tighten(x, np.abs(a.value - b.value) <= self.base.radius(a) + self.base.radius(b))

    def _build(
        self, known: Enclosed, parents: Sequence[AdjointNumber], back: Back | None, own: Array | None,
        deviation: Array | None, rest: Array | None, ahead: Ahead | None, terms: int = 1,
        unsure: Array | None = None,
    ) -> AdjointNumber:  # fmt: skip
        self._count += 1
        if known.error is None:
            parents, back, own, deviation, rest = (), None, None, None, None
        backward_error = None
        if ahead is not None and back is not None:
            errors = [fill_bound(p.known.error, p.shape) for p in parents]
            backward_error = (terms + SLOPES) * SHORT * (1 + 2.0**-10) * ahead(errors)
        held = tuple(parents) if back is not None else ()
        float64_rest = self._float64_rest(known, held, own, rest, backward_error, unsure)
        return AdjointNumber(
            known, held, back, own, deviation, rest, backward_error, float64_rest, self._count,
            self._is_inner,
        )  # fmt: skip

    def _note_inner(self, arrays: Sequence[AdjointNumber]) -> None:
        """Notes if the operation on these arrays is a step of a function of rows."""
        self._is_inner = any(a.is_inner for a in arrays)

    def _float64_rest(
        self, known: Enclosed, parents: Sequence[AdjointNumber], own: Array | None, rest: Array | None,
        backward_error: Array | None, unsure: Array | None,
    ) -> Array | None:  # fmt: skip
        """Bounds the errors of float64 that the derivatives do not cover.

        They are the same part of all errors as the errors of float64 are in the arguments.
        """
        stepwise = self.base.gap_to_real(known)
        if self._is_inner:
            return None
        if not parents or stepwise is None:
            return stepwise
        share = max(self._float64_share(p.known) for p in parents)
        parts = [share * p for p in (rest, backward_error) if p is not None]
        if own is not None:
            parts.append(self.form.ratio * own)
        if unsure is not None:
            parts.append(np.where(unsure, stepwise, 0.0))
        if not parts:
            return None
        return array_sum(np.broadcast_to(p, known.shape) for p in parts) * (1 + 2.0**-40)

    def _float64_share(self, x: Enclosed) -> float:
        """Returns the largest ratio of the error in float64 to the error, over all entries.

        It is inf if the ratio is 1 or more, as for an entry with an error in float64 only.
        """
        in_float64 = self.base.gap_to_real(x)
        if in_float64 is None:
            return 0.0
        if x.spread is None:
            return self.form.ratio
        with np.errstate(all="ignore"):
            parts = np.where(in_float64 == 0, 0.0, in_float64 / fill_bound(x.error, x.shape))
        most = float(np.max(parts, initial=0.0))
        return most if most < 1 else np.inf

    def _without_derivatives(self, known: Enclosed) -> AdjointNumber:
        """Returns a number without derivatives, whose error is all rest."""
        return self._build(known, (), None, None, None, known.error, None)

    # -- moving entries
    # --------------------------------------------------------------------------------
    def fractions(self, values: Any, shape: tuple[int, ...]) -> AdjointNumber:
        """Converts constants to numbers."""
        self._note_inner(())
        known = self.base.fractions(values, shape)
        return self._build(known, (), None, known.error, known.error, None, None)

    def _move_entries(
        self, x: AdjointNumber, known: Enclosed, back: Callable[[Array], Array], ahead: Ahead
    ) -> AdjointNumber:
        self._note_inner([x])
        return self._build(known, [x], lambda s: [back(s)], None, None, None, ahead)

    def reshape(self, array: AdjointNumber, shape: Sequence[int]) -> AdjointNumber:
        """Reshapes an array."""
        known, old = self.base.reshape(array.known, shape), array.shape
        return self._move_entries(
            array, known, lambda s: s.reshape(len(s), *old), lambda t: t[0].reshape(known.shape)
        )

    def broadcast(self, array: AdjointNumber, shape: Sequence[int]) -> AdjointNumber:
        """Broadcasts an array."""
        known, old = self.base.broadcast(array.known, shape), array.shape
        more = len(known.shape) - len(old)

        def back(s: Array) -> Array:
            if more:
                s = s.sum(axis=tuple(range(1, 1 + more)))
            wide = tuple(1 + i for i, n in enumerate(old) if n == 1 and s.shape[1 + i] > 1)
            if wide:
                s = s.sum(axis=wide, keepdims=True)
            return s

        return self._move_entries(array, known, back, lambda t: np.broadcast_to(t[0], known.shape))

    def take(self, array: AdjointNumber, axis: int, indices: range | list[int]) -> AdjointNumber:
        """Takes some entries along an axis."""
        known, old, at = self.base.take(array.known, axis, indices), array.shape, list(indices)
        axis, is_once = axis % len(old), len(set(at)) == len(at)

        def back(s: Array) -> Array:
            found = np.zeros((len(s), *old), dtype=np.float32)
            where: Any = (slice(None),) * (1 + axis) + (at,)
            if is_once:
                found[where] = s
            else:
                np.add.at(found, where, s)
            return found

        return self._move_entries(array, known, back, lambda t: np.take(t[0], at, axis=axis))

    def concat(self, arrays: Sequence[AdjointNumber], axis: int) -> AdjointNumber:
        """Concatenates arrays along an axis."""
        self._note_inner(arrays)
        known = self.base.concat([a.known for a in arrays], axis)
        ends = np.cumsum([a.shape[axis] for a in arrays])[:-1].tolist()
        axis = axis % len(known.shape)
        return self._build(
            known, arrays, lambda s: np.split(s, ends, axis=1 + axis), None, None, None,
            lambda t: np.concatenate(t, axis=axis),
        )  # fmt: skip

    # -- arithmetic
    # ------------------------------------------------------------------------------------
    def _as_real(self, x: AdjointNumber) -> Enclosed:
        """Takes the computed number as real; errors of operations on it are their own roundings."""
        return self.base.take_as_real(x.known)

    def contract(
        self,
        arrays: Sequence[AdjointNumber],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> AdjointNumber:
        """Returns sums of products."""
        self._note_inner(arrays)
        parts, base = [a.known for a in arrays], self.base
        known = base.contract(parts, labels, output, sizes)
        if known.error is None or any(len(set(row)) < len(row) for row in labels):
            return self._without_derivatives(known)
        flips = len(base.flips)
        values = [p.value for p in parts]

        def contract(factors: Sequence[Array]) -> Array:
            return np.asarray(base.plain.contract(factors, labels, output, sizes))

        how = roundings(parts, labels, output, sizes, self.form)
        is_move = len(arrays) == 1 and not set(labels[0]) - set(output)
        own = deviation = rest = None
        if not is_move:
            base.total = None
            own = base.contract([self._as_real(a) for a in arrays], labels, output, sizes).error
            if own is not None and self.risk:
                deviation, rest = self._deviation_and_rest(how, own, contract, parts, known)
        del base.flips[flips:]
        sizes_of = [np.abs(v) for v in values]
        for i, p in enumerate(parts):
            if p.error is not None and len(parts) > 1:
                gaps = [
                    base.gap_to_real(q) if j < i else base.gap_to_both(q)
                    for j, q in enumerate(parts)
                ]
                gaps[i] = None
                second = propagate_errors(
                    contract, [*sizes_of[:i], p.error, *sizes_of[i + 1 :]], gaps, 0.0
                )
                rest = add_bounds(rest, second)
        rough = [i for i, p in enumerate(parts) if p.error is not None]
        if not rough:
            return self._build(known, (), None, own, deviation, rest, None)
        extra = 1 + max((*sizes, *output, 0))
        single = [v.astype(np.float32) for v in values]

        def back(s: Array) -> list[Array | None]:
            found: list[Array | None] = []
            for i, row in enumerate(labels):
                if i not in rough:
                    found.append(None)
                    continue
                others = [
                    (v, r) for j, (v, r) in enumerate(zip(single, labels, strict=True)) if j != i
                ]
                factors = [s, *(v for v, _ in others)]
                rows = [(extra, *output), *(r for _, r in others)]
                lengths = {**sizes, extra: len(s)}
                part = self._short.contract(factors, rows, (extra, *row), lengths)
                found.append(np.asarray(part).reshape(len(s), *parts[i].shape))
            return found

        def ahead(t: Sequence[Array]) -> Array:
            return array_sum(contract([*sizes_of[:i], t[i], *sizes_of[i + 1 :]]) for i in rough)

        terms = max(prod(s for k, s in sizes.items() if k not in labels[i]) for i in rough)
        return self._build(known, arrays, back, own, deviation, rest, ahead, terms)

    def _deviation_and_rest(
        self,
        how: Any,
        own: Array,
        contract: Callable[[Sequence[Array]], Array],
        parts: Sequence[Enclosed],
        known: Enclosed,
    ) -> tuple[Array | None, Array]:
        """Returns the deviation of a sum of products by its roundings, and a bound of the rest.

        The rest contains all terms that are not of first order in the roundings.
        """
        sizes = [self.base.size(p) + fill_bound(p.error, p.shape) for p in parts]
        whole = contract(sizes)
        if not how.gamma:
            return None, own
        reach = (
            np.abs(known.value)
            + fill_bound(known.error, known.shape)
            + fill_bound(known.spread, known.shape)
        )
        reach = reach * (1 + 2 * self.form.ratio)
        deviation = how.deviation(whole, np.minimum(whole, reach)) * (1 + 2.0**-30)
        if how.stored:
            deviation = np.hypot(deviation, how.stored * reach) * (1 + 2.0**-30)
        share = how.gamma + how.stored
        rest = share * share * whole + self.base.underflow_loss(
            [self.base.size(p) for p in parts], how.count, parts
        )
        if np.all(np.isfinite(own)) and how.gamma < 0.01:
            return deviation, np.minimum(rest, own)
        return None, own

    def add(self, arrays: Sequence[AdjointNumber]) -> AdjointNumber:
        """Returns the sum of arrays."""
        self._note_inner(arrays)
        known = self.base.add([a.known for a in arrays])
        if known.error is None:
            return self._without_derivatives(known)
        own = self.base.add([self._as_real(a) for a in arrays]).error
        rest = None
        if own is not None and self.risk:
            rest = np.full(known.shape, self.form.least * len(arrays))
        return self._build(
            known, arrays, lambda s: [s] * len(arrays), own, own, rest, array_sum, len(arrays)
        )

    def apply(self, fn: str, arrays: Sequence[AdjointNumber]) -> AdjointNumber:
        """Applies an elementwise function: its derivative propagates errors, its curvature is rest."""
        self._note_inner(arrays)
        if fn in CURVED:
            arrays = [self._tighten(a) for a in arrays]
        if fn in ("maximum", "minimum"):
            self._tighten_at_kinks(arrays)
        near = [a.known for a in arrays]
        known = self.base.apply(fn, near)
        if known.error is None or not arrays or fn in STEPS:
            return self._without_derivatives(known)
        if all(p.is_exact or p.error is None for p in near):
            if fn == "arctan2" or not is_rounded(self.form, fn, near, known.value):
                return self._without_derivatives(known)
            rest = None
            if self.risk:
                rest = np.full(known.shape, underflow_loss(self.form, fn))
            return self._build(known, (), None, known.error, known.error, rest, None)
        with np.errstate(all="ignore"):
            if fn in ("maximum", "minimum"):
                return self._extreme(fn, arrays, known)
            found = self._slope_and_curvature(fn, arrays, known)
            if found is None:
                return self._without_derivatives(known)
            slope, curve = found
            radius, error = self.base.radius(near[0]), fill_bound(near[0].error, near[0].shape)
            own = None
            if is_rounded(self.form, fn, near, known.value):
                own = self.base.apply(fn, [self._as_real(a) for a in arrays]).error
            rest = curve * radius * error * (1 + 2.0**-40)
            if self.risk:
                rest = rest + underflow_loss(self.form, fn)
            rough = ~(np.isfinite(slope) & np.isfinite(rest))
            if rough.any():
                slope, rest = np.where(rough, 0.0, slope), np.where(rough, known.error, rest)
                own = clear_bound(own, rough)
        single, others = slope.astype(np.float32), [None] * (len(arrays) - 1)
        return self._build(
            known,
            arrays,
            lambda s: [s * single, *others],
            own,
            own,
            rest,
            lambda t: np.abs(slope) * t[0],
            unsure=rough,
        )

    def _slope_and_curvature(
        self, fn: str, arrays: Sequence[AdjointNumber], known: Enclosed
    ) -> tuple[Array, Array] | None:
        """Returns the derivative at the value, and a bound of the second one within the radius.

        Returns None if the derivative of the function is not known.
        """
        x = arrays[0].known
        radius = self.base.radius(x)
        low, high = x.value - radius, x.value + radius
        if x.positive:
            low = np.maximum(low, x.least)
        if fn == "pow" and arrays[1].known.is_exact:
            return power_curve(x.value, arrays[1].known.value, low, high)
        if fn == "exp":
            slope = np.exp(x.value)
            return slope, exp_bound(slope, radius)
        if fn in CURVES:
            return CURVES[fn][0](x.value), CURVES[fn][1](low, high)
        return None

    def _extreme(self, fn: str, arrays: Sequence[AdjointNumber], known: Enclosed) -> AdjointNumber:
        """Returns the larger or the smaller of two arrays; if it may be either, both count half."""
        a, b = (x.known for x in arrays)
        gap = UPWARDS[fn] * (a.value - b.value)
        radius = (self.base.radius(a) + self.base.radius(b)) * (1 + 2.0**-40)
        first = np.where(gap > radius, 1.0, np.where(gap < -radius, 0.0, 0.5)).astype(np.float32)
        both = fill_bound(a.error, a.shape) + fill_bound(b.error, b.shape)
        rest = np.where(first == 0.5, both / 2 * (1 + 2.0**-40), 0.0)
        return self._build(
            known, arrays, lambda s: [s * first, s * (1 - first)], None, None, rest,
            lambda t: first * t[0] + (1 - first) * t[1],
        )  # fmt: skip

    def select(self, c: AdjointNumber, a: AdjointNumber, b: AdjointNumber) -> AdjointNumber:
        """Returns one of two arrays by a condition; if rounding may change it, all error is rest."""
        self._note_inner([c, a, b])
        known = self.base.select(c.known, a.known, b.known)
        if known.error is None:
            return self._without_derivatives(known)
        sure = self.base.radius(c.known) == 0
        first = (sure & (c.known.value != 0)).astype(np.float32)
        second = (sure & (c.known.value == 0)).astype(np.float32)
        return self._build(
            known,
            [a, b],
            lambda s: [s * first, s * second],
            None,
            None,
            np.where(sure, 0.0, known.error),
            lambda t: first * t[0] + second * t[1],
            unsure=~sure,
        )

    def reduce(self, fn: str, array: AdjointNumber, axes: tuple[int, ...]) -> AdjointNumber:
        """Returns the largest or least entry; if several entries may be it, all error is rest."""
        self._note_inner([array])
        x, known = array.known, self.base.reduce(fn, array.known, axes)
        if known.error is None or fn == "prod":
            return self._without_derivatives(known)
        value, radius = UPWARDS[fn] * x.value, self.base.radius(x)
        near = value + radius >= np.max(value - radius, axis=axes, keepdims=True)
        is_one = np.count_nonzero(near, axis=axes, keepdims=True) == 1
        chosen, shape = (near & is_one).astype(np.float32), is_one.shape
        return self._build(
            known, [array], lambda s: [s.reshape(len(s), *shape) * chosen], None, None,
            np.where(is_one.reshape(known.shape), 0.0, known.error),
            lambda t: np.max(t[0] * chosen, axis=axes),
            unsure=~is_one.reshape(known.shape),
        )  # fmt: skip

    def sort(self, array: AdjointNumber, axis: int) -> AdjointNumber:
        """Sorts entries in ascending order."""
        self._note_inner([array])
        return self._without_derivatives(self.base.sort(array.known, axis))

    # -- matrices, and opaque operations
    # ---------------------------------------------------------------
    def inverse(self, array: AdjointNumber) -> AdjointNumber:
        """Returns inverse matrices."""
        self._note_inner([array])
        return self._without_derivatives(self.base.inverse(array.known))

    def determinant(self, array: AdjointNumber) -> AdjointNumber:
        """Returns determinants."""
        self._note_inner([array])
        return self._without_derivatives(self.base.determinant(array.known))

    def matrix(self, fn: str, arrays: Sequence[AdjointNumber]) -> AdjointNumber:
        """Returns another function of matrices."""
        self._note_inner(arrays)
        return self._without_derivatives(self.base.matrix(fn, [a.known for a in arrays]))

    def opaque(
        self,
        name: str,
        symmetry: str | None,
        arrays: Sequence[AdjointNumber],
        shape: tuple[int, ...],
    ) -> Any:
        """Evaluates a function of rows or an update, or takes a number as real."""
        self._note_inner(arrays)
        if name == AS_REAL:
            self._is_inner = True
            return self._without_derivatives(self.base.take_as_real(self._tighten(arrays[0]).known))
        known = self.base.opaque(name, symmetry, [a.known for a in arrays], shape)
        if known.error is None:
            return self._without_derivatives(known)
        if name in (MEAN, SQUARES):
            more = self.base.extra_roundings(name, arrays[1].known)
            rest, own = None, more.error
            if self.risk:
                rest, own = more.second, np.minimum(more.deviation, more.error)
            return self._build(known, arrays[:1], lambda s: [s], own, own, rest, lambda t: t[0])
        if name in (SOFTMAX, NORMALISED):
            return self._apply_to_rows(name, arrays, known)
        return self._without_derivatives(known)

    def _apply_to_rows(
        self, name: str, arrays: Sequence[AdjointNumber], known: Enclosed
    ) -> AdjointNumber:
        """Evaluates a function of rows by its symmetric derivative; adds its own roundings."""
        own, x = arrays[0], arrays[1].known
        self._note_inner(arrays[1:2])
        if x.is_exact or x.error is None:
            unsure = np.ones(known.shape, dtype=bool)
            return self._build(
                known, [own], lambda s: [s], None, None, None, lambda t: t[0], unsure=unsure
            )
        f = rows_of(name, x.value, *(float(a.known.value) for a in arrays[2:]))
        R = self.base.radius(x)
        rest = f.rest(x.error, R) * (1 + 2.0**-8) + self.form.least
        short = f.in_float32()
        if not np.all(np.isfinite(rest)):
            return self._without_derivatives(known)
        found = self._build(
            known, arrays[:2], lambda s: [s, short.times(s)], None, None, rest,
            lambda t: t[0] + f.bound(t[1]), 8 * x.shape[-1],
        )  # fmt: skip
        share = self._float64_share(x)
        found.float64_rest = self.form.ratio * fill_bound(known.error, known.shape) + share * (
            rest + fill_bound(found.backward_error, x.shape)
        )
        return found


def _float32_product(slopes: Array, sizes: Array) -> Array:
    """Multiplies derivatives in float32 by sizes of any nonnegative magnitude."""
    most = float(np.max(sizes, initial=0.0))
    if most == 0:
        return np.zeros(len(slopes))
    if not 0 < most < np.inf:
        return np.full(len(slopes), np.inf)
    return np.asarray(slopes @ (sizes / most).astype(np.float32), dtype=np.float64) * most


def _steps_to(x: AdjointNumber) -> list[AdjointNumber]:
    """Returns a number and all numbers from which it is computed, the last first."""
    seen, queue = {x.place: x}, [x]
    while queue:
        for parent in queue.pop().parents:
            if parent.place not in seen and parent.known.error is not None:
                seen[parent.place] = parent
                queue.append(parent)
    return [seen[place] for place in sorted(seen, reverse=True)]


def is_deep(program: Program, sizes: Mapping[str, int], form: Format) -> bool:
    """Checks whether a Program has enough sums for backward passes, at moderate work.

    Never in float64: derivatives at the values of float64 would be no better than these results.
    """
    if form.unit <= UNIT:
        return False
    sums = 0
    for node in program.nodes:
        product = node.as_product
        sums += (
            product is not None
            and len(product.args) > 1
            and any(k not in product.output for row in product.inputs for k in row)
        )
    if sums < DEEP:
        return False
    count = prod(program.nodes[program.output].lengths(sizes))
    return count * sum(prod(node.lengths(sizes)) for node in program.nodes) <= WORK // 8
