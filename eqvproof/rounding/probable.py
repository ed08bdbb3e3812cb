"""Bounds that hold with a probability: roundings that are independent and of mean 0.

The error of an entry is a linear form ``sum_j s_j d_j`` in the roundings d_j, and a rest of second order,
which is bounded for certain. Roundings with ``|d_j| <= w_j`` that are independent and of mean 0 give

    P(|sum_j s_j d_j| > l sigma) <= 2 exp(-l^2 / 2),   sigma^2 = sum_j s_j^2 w_j^2      (Hoeffding)

A sum of n terms of magnitudes that add up to S rounds by no more than w = u S each of n times, in any order.
sigma is not computed, it is *measured*: normal numbers of deviation w_j in place of d_j make of the linear
form a normal number of deviation sigma, and M draws of it tell, by the lower tail of chi-squared, how large
sigma can be: ``P(mean of squares < t sigma^2) <= (t exp(1 - t))^(M / 2)``. Both probabilities, for all
entries together, are the risk.

Sources: N. Higham, T. Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41,
2019, A2815; W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58, 1963.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.exact.contraction import Labels
from eqvproof.rounding.curves import CURVES, power_curve
from eqvproof.rounding.enclosed import Array, Enclosed, filled
from eqvproof.rounding.formats import Format
from eqvproof.rounding.functions import CORRECT, EXACT, STEPS, ULPS
from eqvproof.rounding.products import carried, roundings
from eqvproof.rounding.system import RoundingSystem

#: Draws of the linear form, and the probability that a bound does not hold.
DRAWS, RISK = 48, 1e-9
#: What float32 and float64 may add to draws and to rests that are differences.
_SLACK, _REST = 1 + 2.0**-8, 2.0**-38


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A number with draws of its error of first order, and a bound of the rest.

    Attributes:
        known: the number with its certain bound.
        draws: of shape (DRAWS, ...), in units of the format; None: no error.
        rest: at least |error - linear form|; None: 0.
    """

    known: Enclosed
    draws: Array | None = None
    rest: Array | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return self.known.shape


class ProbableSystem:
    """Numbers with draws of their errors; see `evaluate.system.NumberSystem`."""

    def __init__(self, form: Format) -> None:
        self.base = RoundingSystem(form)
        self.form = form
        self._rng = np.random.default_rng(0)

    @property
    def flips(self) -> list[tuple[str, int]]:
        """Decisions that rounding may turn."""
        return self.base.flips

    # -- making numbers --------------------------------------------------------------------------------
    def given(self, x: Enclosed) -> Drawn:
        """An input: what is known of its error is certain, and no rounding to be drawn."""
        return Drawn(x, None, x.error)

    def bound(self, x: Drawn) -> Array:
        """The bound for a result, never above the certain one."""
        certain = filled(x.known.error, x.shape)
        if x.draws is None:
            return np.minimum(certain, filled(x.rest, x.shape))
        count = max(math.prod(x.shape), 1)
        sigma = np.sqrt(np.mean(np.square(x.draws, dtype=np.float64), axis=0)) * self.form.unit
        wide = math.sqrt(2 * math.log(4 * count / RISK)) / math.sqrt(_lower_tail(RISK / (2 * count)))
        found = wide * sigma * _SLACK + filled(x.rest, x.shape)
        return np.minimum(certain, np.where(np.isnan(found), np.inf, found))

    def _made(self, known: Enclosed, draws: Array | None, own: Array | None, rest: Array | None) -> Drawn:
        """A number with its own roundings drawn; where those are of no known size, all is rest."""
        if own is not None and np.any(own):
            shape = (DRAWS, *known.shape)
            fresh = self._rng.standard_normal(shape, dtype=np.float32)
            fresh *= np.asarray(own / self.form.unit, dtype=np.float32)
            draws = fresh if draws is None else draws + fresh
        if rest is not None or draws is not None:
            rest = filled(rest, known.shape) + _REST * filled(known.error, known.shape)
            certain = filled(known.error, known.shape)
            beyond = ~(rest < certain)  # then the certain bound says more
            if draws is not None and not np.isfinite(draws).all():
                beyond |= ~np.isfinite(draws).all(axis=0)
            if beyond.any():
                rest = np.where(beyond, certain, rest)
                draws = None if draws is None else np.where(beyond, np.float32(0), draws)
        return Drawn(known, draws, rest)

    def _moved(self, x: Drawn, known: Enclosed, move: Callable[[Array, int], Array]) -> Drawn:
        draws = None if x.draws is None else move(x.draws, 1)
        return Drawn(known, draws, None if x.rest is None else move(x.rest, 0))

    def fractions(self, values: Any, shape: tuple[int, ...]) -> Drawn:
        """Constants."""
        known = self.base.fractions(values, shape)
        return self._made(known, None, known.error, None)

    def reshape(self, array: Drawn, shape: Sequence[int]) -> Drawn:
        """The same entries."""
        known = self.base.reshape(array.known, shape)
        return self._moved(array, known, lambda a, k: np.reshape(a, (*a.shape[:k], *shape)))

    def broadcast(self, array: Drawn, shape: Sequence[int]) -> Drawn:
        """Repeated."""
        known = self.base.broadcast(array.known, shape)
        return self._moved(array, known, lambda a, k: np.broadcast_to(a, (*a.shape[:k], *shape)))

    def take(self, array: Drawn, axis: int, indices: range | list[int]) -> Drawn:
        """Some entries."""
        known = self.base.take(array.known, axis, indices)
        return self._moved(array, known, lambda a, k: np.take(a, list(indices), axis=axis + k))

    def concat(self, arrays: Sequence[Drawn], axis: int) -> Drawn:
        """One after another."""
        known = self.base.concat([a.known for a in arrays], axis)
        draws = rest = None
        if any(a.draws is not None for a in arrays):
            draws = np.concatenate([_filled(a) for a in arrays], axis=axis + 1)
        if any(a.rest is not None for a in arrays):
            rest = np.concatenate([filled(a.rest, a.shape) for a in arrays], axis=axis)
        return Drawn(known, draws, rest)

    # -- arithmetic ------------------------------------------------------------------------------------
    def contract(
        self, arrays: Sequence[Drawn], labels: Sequence[Labels], output: Labels, sizes: Mapping[int, int]
    ) -> Drawn:
        """Sums of products: their differential, and products of errors as the rest."""
        parts, form = [a.known for a in arrays], self.form
        known = self.base.contract(parts, labels, output, sizes)
        if known.error is None:
            return Drawn(known)

        def contract(values: Sequence[Array]) -> Array:
            return np.asarray(self.base.plain.contract(values, labels, output, sizes))

        how = roundings(parts, labels, output, sizes, form)
        real = [self.base.size(p) for p in parts]
        errors = [p.error for p in parts]
        own = None
        second: Array | float = 0.0
        if how.gamma:
            whole = contract(real)
            own = how.drawn * whole
            second = how.gamma**2 * whole
            if how.stored:
                own = np.sqrt(own * own + (how.stored * (np.abs(known.value) + known.error)) ** 2)
        draws = None
        values = [p.value.astype(np.float32) for p in parts]
        extra = 1 + max((*sizes, *output, 0))
        for i, a in enumerate(arrays):
            if a.draws is not None:
                rows = [(extra, *row) if j == i else row for j, row in enumerate(labels)]
                factors = [a.draws if j == i else v for j, v in enumerate(values)]
                wide = {**sizes, extra: DRAWS}
                part = np.asarray(self.base.plain.contract(factors, rows, (extra, *output), wide))
                draws = part if draws is None else draws + part
        rest = carried(contract, real, [a.rest for a in arrays], 0.0)
        first = self._first(contract, [np.abs(p.value) for p in parts], errors)
        if first is not None:
            whole = filled(carried(contract, real, errors, 0.0), known.shape)
            crossed = np.maximum(whole - first, 0.0) + 2.0**-40 * whole
            rest = filled(rest, known.shape) + crossed + (how.gamma + how.stored) * whole
        lost = form.least * max(how.count, 1)
        return self._made(known, draws, own, filled(rest, known.shape) + second + lost)

    def _first(
        self,
        contract: Callable[[Sequence[Array]], Array],
        real: Sequence[Array],
        errors: Sequence[Array | None],
    ) -> Array | None:
        if sum(e is not None for e in errors) < 1:
            return None
        parts = [contract([*real[:i], e, *real[i + 1 :]]) for i, e in enumerate(errors) if e is not None]
        return np.asarray(sum(parts[1:], parts[0]))

    def add(self, arrays: Sequence[Drawn]) -> Drawn:
        """Sums."""
        parts = [a.known for a in arrays]
        known = self.base.add(parts)
        if known.error is None:
            return Drawn(known)
        draws = rest = moved = None
        for a in arrays:
            draws = a.draws if draws is None else draws if a.draws is None else draws + a.draws
            rest = a.rest if rest is None else rest if a.rest is None else rest + a.rest
            moved = (
                a.known.error if moved is None else moved if a.known.error is None else moved + a.known.error
            )
        rough = [p for p in parts if not (p.is_exact and not np.any(p.value))]
        own = None
        if len(rough) > 1:
            sizes = [self.base.size(p) for p in rough]
            total = np.abs(known.value) if len(rough) == 2 else np.sum(sizes, axis=0)
            own = (self.form.step * total) ** 2 * (len(rough) - 1)
            for i, p in enumerate(rough):
                if p.terms:
                    others = np.sum([s for j, s in enumerate(sizes) if j != i], axis=0)
                    own = own + p.terms * (self.form.sums * 1.001 * others) ** 2
            own = np.sqrt(own)
        share = filled(moved, known.shape) * (self.form.step * (len(arrays) + sum(p.terms for p in rough)))
        return self._made(
            known, draws, own, filled(rest, known.shape) + share + self.form.least * len(arrays)
        )

    def apply(self, fn: str, arrays: Sequence[Drawn]) -> Drawn:
        """Elementwise functions: their differential, and curvature as the rest."""
        known = self.base.apply(fn, [a.known for a in arrays])
        if known.error is None:
            return Drawn(known)
        form = self.form
        if fn in STEPS:
            return Drawn(known, None, known.error)
        moved = all(a.known.is_exact for a in arrays)
        own: Array | None = None
        if fn not in EXACT:
            unit = form.step if fn in CORRECT else form.step + 2 * ULPS * min(form.sums, form.unit) * 1.001
            own = unit * np.abs(known.value)
        with np.errstate(all="ignore"):
            if moved:
                return self._made(known, None, own, np.full(known.shape, form.least))
            draws, rest = self._differential(fn, arrays, known)
            rest = rest + form.step * (2 + 2 * ULPS) * known.error + form.least
            return self._made(known, draws, own, rest)

    def _differential(self, fn: str, arrays: Sequence[Drawn], known: Enclosed) -> tuple[Array | None, Array]:
        x = arrays[0]
        radius, error = self.base.radius(x.known), filled(x.known.error, x.shape)
        if fn in ("maximum", "minimum"):
            return self._extreme(fn, arrays)
        low, high = x.known.value - radius, x.known.value + radius
        if x.known.positive:
            low = np.maximum(low, 0.0)
        if fn == "pow" and arrays[1].known.is_exact:
            slope, curve = power_curve(x.known.value, arrays[1].known.value, low, high)
        elif fn in CURVES and fn != "pow":
            slope, curve = (CURVES[fn][0](x.known.value), CURVES[fn][1](low, high))
        else:
            return None, known.error if known.error is not None else error
        change = np.where(error > 0, curve * radius, 0.0)
        rest = np.where(error > 0, (np.abs(slope) + change) * filled(x.rest, x.shape) + change * error, 0.0)
        draws = None if x.draws is None else x.draws * np.where(error > 0, slope, 0.0).astype(np.float32)
        return draws, rest

    def _extreme(self, fn: str, arrays: Sequence[Drawn]) -> tuple[Array | None, Array]:
        a, b = arrays
        sign = 1.0 if fn == "maximum" else -1.0
        gap = sign * (a.known.value - b.known.value)
        unsure = np.abs(gap) <= (self.base.radius(a.known) + self.base.radius(b.known)) * 1.001
        draws = None
        if a.draws is not None or b.draws is not None:
            draws = np.where(unsure, np.float32(0), np.where(gap > 0, _filled(a), _filled(b)))
        rest = np.where(gap > 0, filled(a.rest, a.shape), filled(b.rest, b.shape))
        either = np.maximum(filled(a.known.error, a.shape), filled(b.known.error, b.shape))
        return draws, np.where(unsure, either, rest)

    def select(self, c: Drawn, a: Drawn, b: Drawn) -> Drawn:
        """One of two; where rounding may turn the choice, all is rest."""
        known = self.base.select(c.known, a.known, b.known)
        if known.error is None:
            return Drawn(known)
        first, draws = c.known.value != 0, None
        if a.draws is not None or b.draws is not None:
            draws = np.where(first, _filled(a), _filled(b))
        rest = np.where(first, filled(a.rest, a.shape), filled(b.rest, b.shape))
        if not c.known.is_exact:
            turned = self.base.radius(c.known) > 0
            rest = np.where(turned, known.error, rest)
            draws = None if draws is None else np.where(turned, np.float32(0), draws)
        return Drawn(known, draws, rest)

    def reduce(self, fn: str, array: Drawn, axes: tuple[int, ...]) -> Drawn:
        """The entry that is largest or least; where several may be, all is rest, as for products."""
        known = self.base.reduce(fn, array.known, axes)
        if known.error is None or fn == "prod" or array.draws is None:
            return Drawn(known, None, known.error)
        sign, radius = (1.0 if fn == "max" else -1.0), self.base.radius(array.known)
        high = sign * array.known.value + radius
        bar = np.max(sign * array.known.value - radius, axis=axes, keepdims=True)
        near = high >= bar
        unsure = np.count_nonzero(near, axis=axes) != 1
        wide = tuple(a + 1 for a in axes)
        draws = np.sum(np.where(near, array.draws, np.float32(0)), axis=wide)
        rest = np.sum(np.where(near, filled(array.rest, array.shape), 0.0), axis=axes)
        return Drawn(known, np.where(unsure, np.float32(0), draws), np.where(unsure, known.error, rest))

    def sort(self, array: Drawn, axis: int) -> Drawn:
        """Ascending order: its bound is the certain one."""
        return self._certain(self.base.sort(array.known, axis))

    # -- matrices: the certain bounds ------------------------------------------------------------------
    def _certain(self, known: Enclosed) -> Drawn:
        return Drawn(known, None, known.error)

    def inverse(self, array: Drawn) -> Drawn:
        """Inverse matrices."""
        return self._certain(self.base.inverse(array.known))

    def determinant(self, array: Drawn) -> Drawn:
        """Determinants."""
        return self._certain(self.base.determinant(array.known))

    def eigenvalues(self, array: Drawn) -> Drawn:
        """Eigenvalues."""
        return self._certain(self.base.eigenvalues(array.known))

    def pseudo_inverse(self, array: Drawn) -> Drawn:
        """Pseudo-inverses."""
        return self._certain(self.base.pseudo_inverse(array.known))

    def spectral(self, array: Drawn, weights: Drawn) -> Drawn:
        """Functions of symmetric matrices."""
        return self._certain(self.base.spectral(array.known, weights.known))

    def opaque(self, name: str, symmetry: str | None, arrays: Sequence[Any], shape: tuple[int, ...]) -> Any:
        """Refused."""
        return self.base.opaque(name, symmetry, arrays, shape)


def _filled(x: Drawn) -> Array:
    return np.zeros((DRAWS, *x.shape), dtype=np.float32) if x.draws is None else x.draws


def _lower_tail(probability: float) -> float:
    """t with (t exp(1 - t))^(DRAWS / 2) = probability."""
    low, high, target = 0.0, 1.0, 2 * math.log(probability) / DRAWS
    for _ in range(200):
        middle = (low + high) / 2
        if middle > 0 and math.log(middle) + 1 - middle > target:
            high = middle
        else:
            low = middle
    return low
