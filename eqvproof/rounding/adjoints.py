"""Errors traced back to the roundings that they come from: bounds for stacks of layers.

Step by step, each operation carries on magnitudes: an error that goes two ways and comes back, or
is averaged by a matrix, is counted as if its parts could not cancel, and what is lost so multiplies
from layer to layer. Here each operation v keeps its derivatives J by its arguments a, at the values
of float64, and a bound of what is beyond them. With d = computed - real,

    d_v = sum_a J_va d_a + r_v,     |r_v| <= own roundings + what is of second order,

so that for every entry y of an array, with ``A_v = dy / dv`` the product of derivatives along all
ways,

    |d_y| <= sum_v sum_i |A_vi| r_vi

where no term is left out: it is the same sum, in another order. A is found from y backwards, in
float32 and for many entries at a time, and need not be exact: if the part of an operation v in the
derivative by its argument a is off by e_va, with what float32 rounds in J_va itself, then the sums
are off by ``sum_v sum_a e_va d_a``. As ``|e_va| <= k 2^-24 |A_v| |J_va|`` for k roundings, and step
by step a bound D_a of |d_a| is known, that is no more than ``sum_v |A_v| k 2^-24 sum_a |J_va|
D_a``, which is added to r_v.

Where functions are curved, the arguments of softmax and of norms first, errors are bounded in this
way before they go on: their second order then is that of the errors themselves.

Of roundings that are independent and of mean 0, each within w_i, the parts add up in squares
(`probable`): ``sqrt(2 log(4 count / risk)) sqrt(sum_v sum_i A_vi^2 w_vi^2)`` for count entries, and
what is of second order is added as above. The risk is shared among the arrays that are bounded, as
in `probable`.

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
    filled,
)
from eqvproof.rounding.formats import UNIT, Format
from eqvproof.rounding.functions import STEPS, UPWARDS, grown
from eqvproof.rounding.maps import lost, rounds
from eqvproof.rounding.products import propagate_errors, roundings
from eqvproof.rounding.rows import rows_of
from eqvproof.rounding.system import RoundingSystem

#: Programs with fewer sums than this are bounded step by step only.
DEEP = 6
#: Limits of tracing back: the numbers computed by all backward passes of a bound, and the numbers
#: held at a time.
WORK, AT_ONCE = 2**32, 2**18
#: The unit of float32, in which derivatives are stored, and the number of roundings allowed for
#: derivatives of functions.
SHORT, SLOPES = 2.0**-24, 64
#: Curved functions, before which errors are bounded.
CURVED = frozenset({"exp", "pow", *CURVES} - {"abs"})

Back = Callable[[Array], Sequence[Array | None]]
Ahead = Callable[[Sequence[Array]], Array]


class Traced:
    """A number with the backward pass to the roundings of its error.

    Attributes:
        known: the number with a bound of its error.
        parents: the numbers that it is computed from, where derivatives are known.
        back: maps derivatives by it, of shape (some, *shape), to derivatives by its parents.
        own: a bound of the roundings of this operation, entry by entry; None: there are none.
        deviation: the same for roundings that are independent and of mean 0; None: there are none.
        rest: a bound of all other errors: terms of second order, and errors that are no roundings.
        slip: a bound of the float32 roundings of the backward pass from it to its parents.
        ours: a bound of the float64 errors that the derivatives do not cover; None: there are none.
        place: its position in the order of computation.
        is_inner: whether it is a step of a function of rows, which float64 does not take.
        is_bounded: whether the error of all entries is traced back.
    """

    __slots__ = (
        "back",
        "deviation",
        "is_bounded",
        "is_inner",
        "known",
        "ours",
        "own",
        "parents",
        "place",
        "rest",
        "slip",
    )

    def __init__(
        self,
        known: Enclosed,
        parents: tuple[Traced, ...],
        back: Back | None,
        own: Array | None,
        deviation: Array | None,
        rest: Array | None,
        slip: Array | None,
        ours: Array | None,
        place: int,
        is_inner: bool,  # noqa: FBT001
    ) -> None:
        self.known, self.parents, self.back, self.own, self.deviation = (
            known,
            parents,
            back,
            own,
            deviation,
        )
        self.rest, self.slip, self.ours, self.place, self.is_inner = (
            rest,
            slip,
            ours,
            place,
            is_inner,
        )
        self.is_bounded = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return self.known.shape


class TracingSystem:
    """The number system of `Traced` numbers; see `evaluate.system.NumberSystem`.

    Args:
        form: the format in which the function rounds.
        risk: the probability that bounds may not hold; 0: they are certain.
        work: the numbers that all backward passes together may compute.

    Attributes:
        is_done: whether that was enough: else some bounds are step by step.
    """

    def __init__(self, form: Format, risk: float = 0.0, work: int = WORK) -> None:
        self.base = RoundingSystem(form)
        self.form = form
        self.risk = risk
        self.work = work
        self._made_so_far = 0
        self._asked = 0
        self._is_inner = False
        self.is_done = True
        self._short = FloatSystem(np, np.float32)

    @property
    def flips(self) -> list[tuple[str, int]]:
        """The decisions that rounding may turn."""
        return self.base.flips

    def given(self, x: Enclosed) -> Traced:
        """Returns an input; its known error counts as no rounding."""
        self._inside(())
        return self._traced(x, (), None, None, None, x.error, None)

    # -- the way back
    # ----------------------------------------------------------------------------------
    def bound(self, x: Traced) -> Array:
        """Returns a bound of the error of each entry of the result."""
        return self._bounds(x, last=True)[0]

    def _bounds(
        self, x: Traced, *, last: bool = False, where: Array | None = None
    ) -> tuple[Array, Array]:
        """Returns bounds of the error of each entry, and of the error of float64.

        They are those of steps where the work is used up.

        If `where` is given, only entries there are bounded by tracing back.
        """
        found, apart = (
            filled(x.known.error, x.shape),
            filled(self.base.gap_to_real(x.known), x.shape),
        )
        if x.known.error is None or x.is_bounded:
            return found, apart
        steps = _steps(x)
        if where is None:
            entries = np.arange(prod(x.shape))
        else:
            entries = np.flatnonzero(where)
        work = len(entries) * sum(prod(s.shape) for s in steps)
        if work > self.work:
            self.is_done = False
            return found, apart
        self.work -= work
        self._asked += 1
        risk = self.risk / 2
        if not last:
            risk = risk / (self._asked * (self._asked + 1))
        size = max(16, AT_ONCE // max(prod(s.shape) for s in steps))
        whole = np.full((2, prod(x.shape)), np.inf)
        for k in range(0, len(entries), size):
            some = entries[k : k + size]
            whole[:, some] = self._rows(x, steps, some, risk)
        gone = sum(
            float(np.max(filled(s.known.error, s.shape), initial=0.0)) * prod(s.shape)
            for s in steps
        )
        whole = whole * (1 + 2.0**-8) + 2.0**-100 * gone  # what float32 loses near 0
        error, ours = np.where(np.isnan(whole), np.inf, whole).reshape(2, *x.shape)
        return np.fmin(found, error), np.fmin(apart, ours)

    def _rows(
        self, x: Traced, steps: Sequence[Traced], entries: Array, risk: float
    ) -> tuple[Array, Array]:
        """Returns the bounds of some entries, and those of float64."""
        first = np.zeros((len(entries), prod(x.shape)), dtype=np.float32)
        first[np.arange(len(entries)), entries] = 1.0
        held = {x.place: first.reshape(len(entries), *x.shape)}
        (sums, squares, ours), scale = np.zeros((3, len(entries))), 1 / self.form.unit
        for step in steps:
            slope = held.pop(step.place, None)
            if slope is None:
                continue
            flat = slope.reshape(len(entries), -1)
            certain = [step.rest, step.own, step.slip]
            if risk:
                certain = [step.rest, step.slip]
            parts = [np.broadcast_to(p, step.shape).ravel() for p in certain if p is not None]
            size = np.abs(flat)
            if parts:
                sums += _single(size, array_sum(parts))
            if step.ours is not None:
                ours += _single(size, np.broadcast_to(step.ours, step.shape).ravel())
            if risk and step.deviation is not None:
                wide = np.broadcast_to(step.deviation, step.shape).ravel() * scale
                squares += _single(flat * flat, wide * wide)
            if step.back is None:
                continue
            for parent, part in zip(step.parents, step.back(slope), strict=True):
                if part is not None and parent.place in held:
                    held[parent.place] = held[parent.place] + part
                elif part is not None:
                    held[parent.place] = part
        if risk:
            sums += (
                math.sqrt(2 * math.log(4 * max(prod(x.shape), 1) / risk)) / scale * np.sqrt(squares)
            )
        return sums, ours

    def _near(self, x: Traced, where: Array | None = None) -> Traced:
        """Bounds the error of a number by tracing back, before it enters a curved function.

        The same number is returned.
        """
        if x.known.error is not None and not x.is_bounded and (where is None or where.any()):
            error, apart = self._bounds(x, where=where)
            x.known = replace(x.known, error=error, spread=apart)
            x.is_bounded = where is None
        return x

    def _at_kinks(self, arrays: Sequence[Traced]) -> None:
        """Traces errors back where either argument may be the larger.

        After that there are most often no such places.
        """
        for x in arrays:
            a, b = (y.known for y in arrays)
            self._near(x, np.abs(a.value - b.value) <= self.base.radius(a) + self.base.radius(b))

    def _traced(
        self, known: Enclosed, parents: Sequence[Traced], back: Back | None, own: Array | None,
        deviation: Array | None, rest: Array | None, ahead: Ahead | None, terms: int = 1,
        unsure: Array | None = None,
    ) -> Traced:  # fmt: skip
        self._made_so_far += 1
        if known.error is None:
            parents, back, own, deviation, rest = (), None, None, None, None
        slip = None
        if ahead is not None and back is not None:
            errors = [filled(p.known.error, p.shape) for p in parents]
            slip = (terms + SLOPES) * SHORT * (1 + 2.0**-10) * ahead(errors)
        held: tuple[Traced, ...] = ()
        if back is not None:
            held = tuple(parents)
        ours = self._ours(known, held, own, rest, slip, unsure)
        return Traced(
            known, held, back, own, deviation, rest, slip, ours, self._made_so_far, self._is_inner
        )  # fmt: skip

    def _inside(self, arrays: Sequence[Traced]) -> None:
        """Notes whether the operation on these arrays is a step of a function of rows."""
        self._is_inner = any(a.is_inner for a in arrays)

    def _ours(
        self, known: Enclosed, parents: Sequence[Traced], own: Array | None, rest: Array | None,
        slip: Array | None, unsure: Array | None,
    ) -> Array | None:  # fmt: skip
        """Bounds the errors of float64 that the derivatives do not cover.

        Errors of arguments count in proportion to how far these are off.
        """
        apart = self.base.gap_to_real(known)
        if self._is_inner:
            return None
        if not parents or apart is None:
            return apart
        share = max(self._share(p.known) for p in parents)
        parts = [share * p for p in (rest, slip) if p is not None]
        if own is not None:
            parts.append(self.form.ratio * own)
        if unsure is not None:
            parts.append(np.where(unsure, apart, 0.0))
        if not parts:
            return None
        return array_sum(np.broadcast_to(p, known.shape) for p in parts) * (1 + 2.0**-40)

    def _share(self, x: Enclosed) -> float:
        """Returns the largest ratio of the error in float64 to the error, over all entries.

        It is inf if the ratio is 1 or more, as for an entry that is off in float64 without having
        an error.
        """
        apart = self.base.gap_to_real(x)
        if apart is None:
            return 0.0
        if x.spread is None:
            return self.form.ratio
        with np.errstate(all="ignore"):
            parts = np.where(apart == 0, 0.0, apart / filled(x.error, x.shape))
        most = float(np.max(parts, initial=0.0))
        return most if most < 1 else np.inf

    def _whole(self, known: Enclosed) -> Traced:
        """Returns a number without known derivatives, all of whose error is rest."""
        return self._traced(known, (), None, None, None, known.error, None)

    # -- moving entries
    # --------------------------------------------------------------------------------
    def fractions(self, values: Any, shape: tuple[int, ...]) -> Traced:
        """Returns constants as numbers."""
        self._inside(())
        known = self.base.fractions(values, shape)
        return self._traced(known, (), None, known.error, known.error, None, None)

    def _moved(
        self, x: Traced, known: Enclosed, back: Callable[[Array], Array], ahead: Ahead
    ) -> Traced:
        self._inside([x])
        return self._traced(known, [x], lambda s: [back(s)], None, None, None, ahead)

    def reshape(self, array: Traced, shape: Sequence[int]) -> Traced:
        """Reshapes an array."""
        known, old = self.base.reshape(array.known, shape), array.shape
        return self._moved(
            array, known, lambda s: s.reshape(len(s), *old), lambda t: t[0].reshape(known.shape)
        )

    def broadcast(self, array: Traced, shape: Sequence[int]) -> Traced:
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

        return self._moved(array, known, back, lambda t: np.broadcast_to(t[0], known.shape))

    def take(self, array: Traced, axis: int, indices: range | list[int]) -> Traced:
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

        return self._moved(array, known, back, lambda t: np.take(t[0], at, axis=axis))

    def concat(self, arrays: Sequence[Traced], axis: int) -> Traced:
        """Concatenates arrays along an axis."""
        self._inside(arrays)
        known = self.base.concat([a.known for a in arrays], axis)
        ends = np.cumsum([a.shape[axis] for a in arrays])[:-1].tolist()
        axis = axis % len(known.shape)
        return self._traced(
            known, arrays, lambda s: np.split(s, ends, axis=1 + axis), None, None, None,
            lambda t: np.concatenate(t, axis=axis),
        )  # fmt: skip

    # -- arithmetic
    # ------------------------------------------------------------------------------------
    def _as_real(self, x: Traced) -> Enclosed:
        """Returns the computed number, taken as real.

        The errors of operations on it are then their own roundings.
        """
        return self.base.taken_as_real(x.known)

    def contract(
        self,
        arrays: Sequence[Traced],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> Traced:
        """Returns sums of products."""
        self._inside(arrays)
        parts, base = [a.known for a in arrays], self.base
        known = base.contract(parts, labels, output, sizes)
        if known.error is None or any(len(set(row)) < len(row) for row in labels):
            return self._whole(known)
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
                deviation, rest = self._chance(how, own, contract, parts, known)
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
            return self._traced(known, (), None, own, deviation, rest, None)
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
                factors, rows = (
                    [s, *(v for v, _ in others)],
                    [(extra, *output), *(r for _, r in others)],
                )
                lengths = {**sizes, extra: len(s)}
                part = self._short.contract(factors, rows, (extra, *row), lengths)
                found.append(np.asarray(part).reshape(len(s), *parts[i].shape))
            return found

        def ahead(t: Sequence[Array]) -> Array:
            return array_sum(contract([*sizes_of[:i], t[i], *sizes_of[i + 1 :]]) for i in rough)

        terms = max(prod(s for k, s in sizes.items() if k not in labels[i]) for i in rough)
        return self._traced(known, arrays, back, own, deviation, rest, ahead, terms)

    def _chance(
        self,
        how: Any,
        own: Array,
        contract: Callable[[Sequence[Array]], Array],
        parts: Sequence[Enclosed],
        known: Enclosed,
    ) -> tuple[Array | None, Array]:
        """Returns the deviation of a sum of products by its roundings, and a bound of the rest.

        The rest is not of first order in the roundings.
        """
        sizes = [self.base.size(p) + filled(p.error, p.shape) for p in parts]
        whole = contract(sizes)
        if not how.gamma:
            return None, own
        reach = (
            np.abs(known.value)
            + filled(known.error, known.shape)
            + filled(known.spread, known.shape)
        )
        reach = reach * (1 + 2 * self.form.ratio)
        deviation = how.deviation(whole, np.minimum(whole, reach)) * (1 + 2.0**-30)
        if how.stored:
            deviation = np.hypot(deviation, how.stored * reach) * (1 + 2.0**-30)
        share = how.gamma + how.stored
        rest = share * share * whole + self.base.lost(
            [self.base.size(p) for p in parts], how.count, parts
        )
        if np.all(np.isfinite(own)) and how.gamma < 0.01:
            return deviation, np.minimum(rest, own)
        return None, own

    def add(self, arrays: Sequence[Traced]) -> Traced:
        """Returns the sum of arrays."""
        self._inside(arrays)
        known = self.base.add([a.known for a in arrays])
        if known.error is None:
            return self._whole(known)
        own = self.base.add([self._as_real(a) for a in arrays]).error
        rest = None
        if own is not None and self.risk:
            rest = np.full(known.shape, self.form.least * len(arrays))
        return self._traced(
            known, arrays, lambda s: [s] * len(arrays), own, own, rest, array_sum, len(arrays)
        )

    def apply(self, fn: str, arrays: Sequence[Traced]) -> Traced:
        """Applies an elementwise function.

        Errors are carried on by its derivative, and its curvature bounds the rest.
        """
        self._inside(arrays)
        if fn in CURVED:
            arrays = [self._near(a) for a in arrays]
        if fn in ("maximum", "minimum"):
            self._at_kinks(arrays)
        near = [a.known for a in arrays]
        known = self.base.apply(fn, near)
        if known.error is None or not arrays or fn in STEPS:
            return self._whole(known)
        if all(p.is_exact or p.error is None for p in near):
            if fn == "arctan2" or not rounds(self.form, fn, near, known.value):
                return self._whole(known)
            rest = None
            if self.risk:
                rest = np.full(known.shape, lost(self.form, fn))
            return self._traced(known, (), None, known.error, known.error, rest, None)
        with np.errstate(all="ignore"):
            if fn in ("maximum", "minimum"):
                return self._extreme(fn, arrays, known)
            found = self._slope(fn, arrays, known)
            if found is None:
                return self._whole(known)
            slope, curve = found
            radius, error = self.base.radius(near[0]), filled(near[0].error, near[0].shape)
            own = None
            if rounds(self.form, fn, near, known.value):
                own = self.base.apply(fn, [self._as_real(a) for a in arrays]).error
            rest = curve * radius * error * (1 + 2.0**-40)
            if self.risk:
                rest = rest + lost(self.form, fn)
            rough = ~(np.isfinite(slope) & np.isfinite(rest))
            if rough.any():
                slope, rest = np.where(rough, 0.0, slope), np.where(rough, known.error, rest)
                own = clear_bound(own, rough)
        single, others = slope.astype(np.float32), [None] * (len(arrays) - 1)
        return self._traced(
            known,
            arrays,
            lambda s: [s * single, *others],
            own,
            own,
            rest,
            lambda t: np.abs(slope) * t[0],
            unsure=rough,
        )

    def _slope(
        self, fn: str, arrays: Sequence[Traced], known: Enclosed
    ) -> tuple[Array, Array] | None:
        """Returns the derivative at the value, and a bound of the second one within the radius.

        Returns None where no derivative is known.
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
            return slope, grown(slope, radius)
        if fn in CURVES:
            return CURVES[fn][0](x.value), CURVES[fn][1](low, high)
        return None

    def _extreme(self, fn: str, arrays: Sequence[Traced], known: Enclosed) -> Traced:
        """Returns the larger or the smaller of two arrays.

        Where it may be either, half of each derivative is taken.
        """
        a, b = (x.known for x in arrays)
        gap = UPWARDS[fn] * (a.value - b.value)
        radius = (self.base.radius(a) + self.base.radius(b)) * (1 + 2.0**-40)
        first = np.where(gap > radius, 1.0, np.where(gap < -radius, 0.0, 0.5)).astype(np.float32)
        both = filled(a.error, a.shape) + filled(b.error, b.shape)
        rest = np.where(first == 0.5, both / 2 * (1 + 2.0**-40), 0.0)
        return self._traced(
            known, arrays, lambda s: [s * first, s * (1 - first)], None, None, rest,
            lambda t: first * t[0] + (1 - first) * t[1],
        )  # fmt: skip

    def select(self, c: Traced, a: Traced, b: Traced) -> Traced:
        """Returns one of two arrays by a condition.

        Where rounding may turn the choice, all of the error is rest.
        """
        self._inside([c, a, b])
        known = self.base.select(c.known, a.known, b.known)
        if known.error is None:
            return self._whole(known)
        sure = self.base.radius(c.known) == 0
        first = (sure & (c.known.value != 0)).astype(np.float32)
        second = (sure & (c.known.value == 0)).astype(np.float32)
        return self._traced(
            known,
            [a, b],
            lambda s: [s * first, s * second],
            None,
            None,
            np.where(sure, 0.0, known.error),
            lambda t: first * t[0] + second * t[1],
            unsure=~sure,
        )

    def reduce(self, fn: str, array: Traced, axes: tuple[int, ...]) -> Traced:
        """Returns the largest or least of entries.

        The derivative is that of the entry that may be it, where there is only one.
        """
        self._inside([array])
        x, known = array.known, self.base.reduce(fn, array.known, axes)
        if known.error is None or fn == "prod":
            return self._whole(known)
        value, radius = UPWARDS[fn] * x.value, self.base.radius(x)
        near = value + radius >= np.max(value - radius, axis=axes, keepdims=True)
        is_one = np.count_nonzero(near, axis=axes, keepdims=True) == 1
        chosen, shape = (near & is_one).astype(np.float32), is_one.shape
        return self._traced(
            known, [array], lambda s: [s.reshape(len(s), *shape) * chosen], None, None,
            np.where(is_one.reshape(known.shape), 0.0, known.error),
            lambda t: np.max(t[0] * chosen, axis=axes),
            unsure=~is_one.reshape(known.shape),
        )  # fmt: skip

    def sort(self, array: Traced, axis: int) -> Traced:
        """Sorts entries in ascending order."""
        self._inside([array])
        return self._whole(self.base.sort(array.known, axis))

    # -- matrices, and what libraries do
    # ---------------------------------------------------------------
    def inverse(self, array: Traced) -> Traced:
        """Returns inverse matrices."""
        self._inside([array])
        return self._whole(self.base.inverse(array.known))

    def determinant(self, array: Traced) -> Traced:
        """Returns determinants."""
        self._inside([array])
        return self._whole(self.base.determinant(array.known))

    def matrix(self, fn: str, arrays: Sequence[Traced]) -> Traced:
        """Returns another function of matrices."""
        self._inside(arrays)
        return self._whole(self.base.matrix(fn, [a.known for a in arrays]))

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Traced], shape: tuple[int, ...]
    ) -> Any:
        """Evaluates a function of rows, an update, or a number that is to be taken as real."""
        self._inside(arrays)
        if name == AS_REAL:
            self._is_inner = True
            return self._whole(self.base.taken_as_real(self._near(arrays[0]).known))
        known = self.base.opaque(name, symmetry, [a.known for a in arrays], shape)
        if known.error is None:
            return self._whole(known)
        if name in (MEAN, SQUARES):
            more = self.base.updated(name, arrays[1].known)
            rest, own = None, more.error
            if self.risk:
                rest, own = more.second, np.minimum(more.deviation, more.error)
            return self._traced(known, arrays[:1], lambda s: [s], own, own, rest, lambda t: t[0])
        if name in (SOFTMAX, NORMALISED):
            return self._of_rows(name, arrays, known)
        return self._whole(known)

    def _of_rows(self, name: str, arrays: Sequence[Traced], known: Enclosed) -> Traced:
        """Evaluates a function of rows, whose derivative is a symmetric matrix.

        The roundings of its steps are added.
        """
        own, x = arrays[0], arrays[1].known
        self._inside(arrays[1:2])
        if x.is_exact or x.error is None:
            unsure = np.ones(known.shape, dtype=bool)
            return self._traced(
                known, [own], lambda s: [s], None, None, None, lambda t: t[0], unsure=unsure
            )
        f, R = (
            rows_of(name, x.value, *(float(a.known.value) for a in arrays[2:])),
            self.base.radius(x),
        )
        rest = f.rest(x.error, R) * (1 + 2.0**-8) + self.form.least
        short = f.short()
        if not np.all(np.isfinite(rest)):
            return self._whole(known)
        found = self._traced(
            known, arrays[:2], lambda s: [s, short.times(s)], None, None, rest,
            lambda t: t[0] + f.bound(t[1]), 8 * x.shape[-1],
        )  # fmt: skip
        share = self._share(x)
        found.ours = self.form.ratio * filled(known.error, known.shape) + share * (
            rest + filled(found.slip, x.shape)
        )
        return found


def _single(slopes: Array, sizes: Array) -> Array:
    """Multiplies derivatives in float32 by sizes from 0 on, which may be small."""
    most = float(np.max(sizes, initial=0.0))
    if most == 0:
        return np.zeros(len(slopes))
    if not 0 < most < np.inf:
        return np.full(len(slopes), np.inf)
    return np.asarray(slopes @ (sizes / most).astype(np.float32), dtype=np.float64) * most


def _steps(x: Traced) -> list[Traced]:
    """Returns all numbers from which a number is computed, the last first."""
    seen, queue = {x.place: x}, [x]
    while queue:
        for parent in queue.pop().parents:
            if parent.place not in seen and parent.known.error is not None:
                seen[parent.place] = parent
                queue.append(parent)
    return [seen[place] for place in sorted(seen, reverse=True)]


def is_deep(program: Program, sizes: Mapping[str, int], form: Format) -> bool:
    """Checks whether errors of a Program are traced back: it has many sums, at moderate work.

    In float64 they are not: derivatives at the values of float64 are no better than those results.
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
