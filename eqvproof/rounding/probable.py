"""Bounds that hold with a probability: roundings that are independent and of mean 0.

The error of an entry is a linear form ``sum_j s_j d_j`` in the roundings d_j, and a rest of second order,
which is bounded. Roundings with ``|d_j| <= w_j`` that are independent and of mean 0 give

    P(|sum_j s_j d_j| > l sigma) <= 2 exp(-l^2 / 2),   sigma^2 = sum_j s_j^2 w_j^2      (Hoeffding)

A sum of n terms of magnitudes that add up to S rounds by no more than w = u S each of n times, in any order.
sigma is not computed, it is *measured*; see `drawn`. Of an argument of a function that is not linear, the
same bound says how far it is off, which makes the rest of second order small: all these statements together
fail with no more than RISK, of which the last has one half, and the k-th before it 1 / (2 k (k + 1)).

No choice in the walk looks at draws, so that what is drawn is normal: where an entry has no form of first
order, all of it is rest, and where the rest is too large, it is what the error and the form are together.

Arrays of more than LARGE entries are not drawn. They keep deviations f alone (`fresh`), of which is known

    the deviation of  sum_i c_i x_i  is at most  sqrt(sum_i c_i^2 f_i^2),  for all numbers c_i

as for entries that are independent, though they need not be. Own roundings are; entries that are left out,
multiplied or moved keep it; of the sum of two such forms, dependent or not, it is true with the f of
`together`; and sums along lines that share no entry have it again. What cannot keep it, and what goes from a
small array into a large one or back, is bounded at once, and is rest from there on.

Sources: N. Higham, T. Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41,
2019, A2815; W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58, 1963.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from eqvproof.exact.contraction import Labels
from eqvproof.rounding.curves import CURVES, power_curve
from eqvproof.rounding.drawn import DRAWS, Drawn, is_large, normals, together, widths
from eqvproof.rounding.enclosed import Array, Enclosed, filled
from eqvproof.rounding.formats import Format
from eqvproof.rounding.functions import STEPS
from eqvproof.rounding.maps import rounds, unit_of
from eqvproof.rounding.products import carried, roundings
from eqvproof.rounding.system import RoundingSystem

#: The probability that a bound does not hold.
RISK = 1e-9
#: What float32 may take from draws: of their size, and where they cancel of the error.
_SLACK, _REST = 1 + 2.0**-8, 2.0**-16
#: Errors, in units of the format, that float32 can hold beside factors of any size.
_LEAST, _MOST = 2.0**-50, 2.0**40


class ProbableSystem:
    """Numbers with draws of their errors; see `evaluate.system.NumberSystem`.

    Args:
        form: how the target rounds.
        draws: of each linear form: the more, the sharper.
    """

    def __init__(self, form: Format, draws: int = DRAWS) -> None:
        self.base = RoundingSystem(form)
        self.form = form
        self.draws = draws
        self._rng = np.random.default_rng(0)
        self._asked = 0

    @property
    def flips(self) -> list[tuple[str, int]]:
        """Decisions that rounding may turn."""
        return self.base.flips

    # -- linear forms ----------------------------------------------------------------------------------
    def given(self, x: Enclosed) -> Drawn:
        """An input: what is known of its error is certain, and no rounding to be drawn."""
        return Drawn(x, rest=x.error)

    def bound(self, x: Drawn) -> Array:
        """The bound for a result."""
        found = self._form(x, RISK / 2) + filled(x.rest, x.shape)
        return np.asarray(np.minimum(filled(x.known.error, x.shape), found))

    def _form(self, x: Drawn, risk: float = 0.0) -> Array:
        """At least the linear form of each entry, with a probability."""
        if x.draws is None and x.fresh is None:
            return np.zeros(x.shape)
        if not risk:
            self._asked += 1
            risk = RISK / 2 / (self._asked * (self._asked + 1))
        found = widths(x, risk, self.draws) * (self.form.unit * _SLACK)
        return np.where(np.isnan(found), np.inf, found)

    def _near(self, x: Drawn) -> Enclosed:
        """What is known of a number, with the bound that is probable as its error."""
        known = x.known
        if known.error is None or x.is_near or (x.draws is None and x.fresh is None):
            return known
        error = np.minimum(known.error, self._form(x) + filled(x.rest, x.shape))
        x.known = replace(known, error=error, spread=self.base.apart(known))
        x.is_near = True
        return x.known

    def _settled(self, x: Drawn) -> Drawn:
        """The same number, its linear form bounded."""
        if x.draws is None and x.fresh is None:
            return x
        near = self._near(x)
        return Drawn(near, rest=near.error)

    def _fit(self, x: Drawn, shape: tuple[int, ...]) -> Drawn:
        """A number as it goes into a result of this shape: large ones and small ones share no form."""
        return x if is_large(x.shape) == is_large(shape) else self._settled(x)

    def _drawn(self, x: Drawn) -> Array | None:
        """The draws of a linear form, those of its last roundings among them; large ones have none."""
        if x.fresh is not None and not is_large(x.shape):
            found = normals(self._rng, self.draws, x.fresh)
            if x.draws is not None:
                found += x.draws
            x.draws, x.fresh = found, None
        return x.draws

    def _all(self, x: Drawn) -> Array:
        found = self._drawn(x)
        return np.zeros((self.draws, *x.shape), dtype=np.float32) if found is None else found

    def _made(
        self, known: Enclosed, draws: Array | None, fresh: Array | None, rest: Array | None,
        own: Array | None = None,
    ) -> Drawn:  # fmt: skip
        """A number: draws, the deviations of roundings that no other number has, and its own roundings."""
        if own is not None and np.any(own):
            scaled = own / self.form.unit
            fresh = scaled if fresh is None else np.sqrt(fresh * fresh + scaled * scaled)
        if rest is None and draws is None and fresh is None:
            return Drawn(known)
        error = filled(known.error, known.shape)
        rest = filled(rest, known.shape) + _REST * error
        lost = (error > 0) & ~((error > _LEAST * self.form.unit) & (error < _MOST * self.form.unit))
        if lost.any():
            draws = None if draws is None else np.where(lost, np.float32(0), draws)
            fresh = None if fresh is None else np.where(lost, 0.0, fresh)
            rest = np.where(lost, error, rest)
        found, large = Drawn(known, draws, fresh, rest), ~(lost | (rest < error))
        if large.any():
            whole = error + self._form(found)
            found.rest = np.where(large, np.where(np.isnan(whole), np.inf, whole), rest)
        return found

    # -- moving entries --------------------------------------------------------------------------------
    def _moved(self, x: Drawn, known: Enclosed, move: Callable[[Array, int], Array]) -> Drawn:
        """Entries at other places, none of them twice in a large array."""
        x = self._fit(x, known.shape)
        draws = self._drawn(x)
        fresh, rest = (None if a is None else move(a, 0) for a in (x.fresh, x.rest))
        return Drawn(known, None if draws is None else move(draws, 1), fresh, rest)

    def fractions(self, values: Any, shape: tuple[int, ...]) -> Drawn:
        """Constants."""
        known = self.base.fractions(values, shape)
        return self._made(known, None, None, None, own=known.error)

    def reshape(self, array: Drawn, shape: Sequence[int]) -> Drawn:
        """The same entries."""
        known = self.base.reshape(array.known, shape)
        return self._moved(array, known, lambda a, k: np.reshape(a, (*a.shape[:k], *shape)))

    def broadcast(self, array: Drawn, shape: Sequence[int]) -> Drawn:
        """Repeated."""
        known = self.base.broadcast(array.known, shape)
        array = self._settled(array) if is_large(known.shape) else array
        return self._moved(array, known, lambda a, k: np.broadcast_to(a, (*a.shape[:k], *shape)))

    def take(self, array: Drawn, axis: int, indices: range | list[int]) -> Drawn:
        """Some entries."""
        known = self.base.take(array.known, axis, indices)
        array = self._settled(array) if is_large(known.shape) and len(set(indices)) < len(indices) else array
        return self._moved(array, known, lambda a, k: np.take(a, list(indices), axis=axis + k))

    def concat(self, arrays: Sequence[Drawn], axis: int) -> Drawn:
        """One after another."""
        known = self.base.concat([a.known for a in arrays], axis)
        arrays = [self._fit(a, known.shape) for a in arrays]
        draws = fresh = rest = None
        if any(self._drawn(a) is not None for a in arrays):
            draws = np.concatenate([self._all(a) for a in arrays], axis=axis + 1)
        if any(a.fresh is not None for a in arrays):  # the parts may depend on each other
            fresh = len(arrays) ** 0.5 * np.concatenate([filled(a.fresh, a.shape) for a in arrays], axis=axis)
        if any(a.rest is not None for a in arrays):
            rest = np.concatenate([filled(a.rest, a.shape) for a in arrays], axis=axis)
        return Drawn(known, draws, fresh, rest)

    # -- arithmetic ------------------------------------------------------------------------------------
    def contract(
        self, arrays: Sequence[Drawn], labels: Sequence[Labels], output: Labels, sizes: Mapping[int, int]
    ) -> Drawn:
        """Sums of products: their differential, and products of errors as the rest."""
        rough = sum(a.known.error is not None for a in arrays)
        parts, form = [self._near(a) if rough > 1 else a.known for a in arrays], self.form
        known = self.base.contract(parts, labels, output, sizes)
        if known.error is None:
            return Drawn(known)
        arrays = [
            self._summed(a, row, labels, output, known.shape) for a, row in zip(arrays, labels, strict=True)
        ]

        def contract(values: Sequence[Array], rows: Sequence[Labels] = labels, *wide: int) -> Array:
            more = dict.fromkeys(wide, self.draws)
            return np.asarray(self.base.plain.contract(values, rows, (*wide, *output), {**sizes, **more}))

        how = roundings(parts, labels, output, sizes, form)
        sizes_of, values = [self.base.size(p) for p in parts], [np.abs(p.value) for p in parts]
        rest = carried(contract, sizes_of, [a.rest for a in arrays], 0.0)
        own = None
        if how.gamma:
            whole, apart = contract(values), filled(self.base.apart(known), known.shape)
            own = np.hypot(how.drawn * whole, how.stored * np.abs(known.value))
            lost = self.base.lost(sizes_of, how.count, parts)
            rest = filled(rest, known.shape) + how.gamma**2 * whole + (how.gamma + how.stored) * apart + lost
        if rough:
            errors = [p.error for p in parts]
            moved = filled(carried(contract, sizes_of, errors, 0.0), known.shape)
            rest = filled(rest, known.shape) + (how.gamma + 2.0**-40) * moved + how.stored * known.error
            if rough > 1 or any(p.spread is not None for p in parts):
                first = [[*values[:i], e, *values[i + 1 :]] for i, e in enumerate(errors) if e is not None]
                rest = rest + np.maximum(moved - sum(map(contract, first)), 0.0)
        draws, fresh, bounded = self._products(arrays, labels, output, sizes)
        if bounded:
            rest = filled(rest, known.shape) + self._form(Drawn(known, fresh=sum(bounded)))
        return self._made(known, draws, fresh, rest, own)

    def _summed(
        self, x: Drawn, row: Labels, labels: Sequence[Labels], output: Labels, shape: tuple[int, ...]
    ) -> Drawn:
        """A factor as its sum of products can take it: a large one where each of its entries is met once."""
        if is_large(x.shape) and all(set(other) <= {*row, *output} for other in labels):
            return x
        return self._fit(self._settled(x) if is_large(x.shape) else x, shape)

    def _products(
        self, arrays: Sequence[Drawn], labels: Sequence[Labels], output: Labels, sizes: Mapping[int, int]
    ) -> tuple[Array | None, Array | None, list[Array]]:
        """The differential of a sum of products: draws, what stays independent, and what is to be bounded."""
        draws = squares = None
        kept, bounded = list[Array](), list[Array]()
        is_wide = is_large(tuple(sizes[k] for k in output))
        extra = 1 + max((*sizes, *output, 0))
        wide = {k for k in output if sizes[k] > 1}
        single = [a.known.value.astype(np.float32) for a in arrays]
        for i, (a, row) in enumerate(zip(arrays, labels, strict=True)):
            if a.fresh is not None and is_large(a.shape):
                factors = [(a.fresh if j == i else b.known.value) ** 2 for j, b in enumerate(arrays)]
                part = np.sqrt(self.base.plain.contract(factors, labels, output, sizes))
                (kept if is_wide and wide <= set(row) else bounded).append(part)
                continue
            if a.fresh is not None and a.is_used_once:
                if len(set(row)) == len(row) and {k for k in row if sizes[k] > 1} == wide:
                    factors = [a.fresh if j == i else b.known.value for j, b in enumerate(arrays)]
                    part = np.asarray(self.base.plain.contract(factors, labels, output, sizes)) ** 2
                    squares = part if squares is None else squares + part
                    a.fresh = None
            mine = self._drawn(a)
            if mine is not None:
                rows = [(extra, *r) if j == i else r for j, r in enumerate(labels)]
                factors = [mine if j == i else v for j, v in enumerate(single)]
                lengths = {**sizes, extra: self.draws}
                part = np.asarray(self.base.plain.contract(factors, rows, (extra, *output), lengths))
                draws = part if draws is None else draws + part
        return draws, together(kept) if squares is None else np.sqrt(squares), bounded

    def add(self, arrays: Sequence[Drawn]) -> Drawn:
        """Sums."""
        parts = [a.known for a in arrays]
        known = self.base.add(parts)
        if known.error is None:
            return Drawn(known)
        step = self.form.step
        rough = [p for p in parts if not (p.is_exact and not np.any(p.value))]
        sizes = [np.abs(p.value) for p in rough]
        own, unit = None, 0.0
        if len(rough) > 1:
            unit = step * len(rough)
            total = np.abs(known.value) if len(rough) == 2 else np.sum(sizes, axis=0)
            own = (step * total) ** 2 * (len(rough) - 1)
            for i, p in enumerate(rough):
                if p.terms:
                    others = np.sum([s for j, s in enumerate(sizes) if j != i], axis=0)
                    own, unit = own + p.terms * (self.form.sums * 1.001 * others) ** 2, unit + p.terms * step
            own = np.sqrt(own)
        share = np.zeros(known.shape)  # what roundings of first order make of errors, and of each other
        for p in rough:
            share = share + filled(p.error, p.shape) + filled(self.base.apart(p), p.shape)
        rest = unit * (share + unit * np.sum(sizes, axis=0)) + self.form.least * len(arrays)
        draws, squares, kept = None, None, list[Array]()
        for a in arrays:
            if a.rest is not None:
                rest = rest + a.rest
            if a.fresh is not None and is_large(a.shape):
                kept.append(a.fresh)
            elif a.fresh is not None and a.is_used_once:
                squares = a.fresh**2 if squares is None else squares + a.fresh**2
                a.fresh = None
            mine = self._drawn(a)
            if mine is not None:
                draws = mine if draws is None else draws + mine
        return self._made(known, draws, together(kept) if squares is None else np.sqrt(squares), rest, own)

    def apply(self, fn: str, arrays: Sequence[Drawn]) -> Drawn:
        """Elementwise functions: their differential, and curvature as the rest."""
        near = [self._near(a) for a in arrays]
        known = self.base.apply(fn, near)
        if known.error is None:
            return Drawn(known)
        if fn in STEPS:
            return Drawn(known, rest=known.error)
        form, own = self.form, None
        with np.errstate(all="ignore"):
            unit = 0.0
            if rounds(form, fn, near, known.value):
                unit = unit_of(form, fn)
                own = unit * np.abs(known.value)
            lost = unit * filled(self.base.apart(known), known.shape) + form.least
            if all(p.is_exact for p in near):
                return self._made(known, None, None, lost, own)
            if fn in ("maximum", "minimum"):
                gap = (1.0 if fn == "maximum" else -1.0) * (near[0].value - near[1].value)
                unsure = np.abs(gap) <= (self.base.radius(near[0]) + self.base.radius(near[1])) * 1.001
                return self._one_of(gap > 0, unsure, arrays[0], arrays[1], known)
            draws, fresh, rest = self._differential(fn, arrays, known)
            return self._made(known, draws, fresh, rest + unit * (1 + unit) * known.error + lost, own)

    def _differential(
        self, fn: str, arrays: Sequence[Drawn], known: Enclosed
    ) -> tuple[Array | None, Array | None, Array]:
        """The differential of a smooth function of one number; the rest by how the slope may change."""
        x = arrays[0]
        radius, error = self.base.radius(x.known), filled(x.known.error, x.shape)
        low, high = x.known.value - radius, x.known.value + radius
        if x.known.positive:
            low = np.maximum(low, 0.0)
        if fn == "pow" and arrays[1].known.is_exact:
            slope, curve = power_curve(x.known.value, arrays[1].known.value, low, high)
        elif fn in CURVES and fn != "pow":
            slope, curve = (CURVES[fn][0](x.known.value), CURVES[fn][1](low, high))
        else:
            return None, None, filled(known.error, known.shape)
        smooth = np.isfinite(slope.astype(np.float32)) & (error > 0)
        change = curve * radius
        rest = (np.abs(slope) + change) * filled(x.rest, x.shape) + change * error
        rest = np.where(smooth, rest, np.where(error > 0, filled(known.error, known.shape), 0.0))
        slope, fresh = np.where(smooth, slope, 0.0), None
        if x.fresh is not None and is_large(x.shape):
            fresh = np.abs(slope) * x.fresh
        elif x.fresh is not None and x.is_used_once:
            fresh, x.fresh = np.abs(slope) * x.fresh, None
        draws = self._drawn(x)
        return None if draws is None else draws * slope.astype(np.float32), fresh, rest

    def _one_of(self, first: Array, unsure: Array, a: Drawn, b: Drawn, known: Enclosed) -> Drawn:
        """One of two: its form, and where it may be the other the error as well as the form."""
        draws = None
        if any(x is not None for x in (self._drawn(a), self._drawn(b))):
            draws = np.where(first, self._all(a), self._all(b))
        rest = np.where(first, filled(a.rest, a.shape), filled(b.rest, b.shape))
        kept = [np.where(at, x.fresh, 0.0) for at, x in ((first, a), (~first, b)) if x.fresh is not None]
        return self._made(known, draws, together(kept), np.where(unsure, np.inf, rest))

    def select(self, c: Drawn, a: Drawn, b: Drawn) -> Drawn:
        """One of two; where rounding may turn the choice, all is rest."""
        choice = self._near(c)
        known = self.base.select(choice, self._near(a), self._near(b))
        if known.error is None:
            return Drawn(known)
        return self._one_of(choice.value != 0, self.base.radius(choice) > 0, a, b, known)

    def reduce(self, fn: str, array: Drawn, axes: tuple[int, ...]) -> Drawn:
        """The entry that is largest or least; where several may be, all is rest, as for products."""
        near = self._near(array)
        known = self.base.reduce(fn, near, axes)
        draws = self._drawn(array)
        if known.error is None or fn == "prod" or draws is None:
            return self._whole(known)
        kept = [a for a in range(len(array.shape)) if a not in axes]
        values, radius, rest = (
            np.transpose(a, (*kept, *axes)).reshape(*known.shape, -1)
            for a in ((near.value if fn == "max" else -near.value), self.base.radius(near),
                      filled(array.rest, array.shape))
        )  # fmt: skip
        at = np.argmax(values, axis=-1)[..., None]
        bar = np.max(values - radius, axis=-1, keepdims=True)
        unsure = np.count_nonzero(values + radius >= bar, axis=-1) != 1
        order = (0, *(k + 1 for k in (*kept, *axes)))
        lines = np.transpose(draws, order).reshape(self.draws, *known.shape, -1)
        taken = np.take_along_axis(lines, at[None], axis=-1)[..., 0]
        found = np.where(unsure, np.inf, np.take_along_axis(rest, at, axis=-1)[..., 0])
        return self._made(known, taken, None, found)

    def sort(self, array: Drawn, axis: int) -> Drawn:
        """Ascending order: all is rest."""
        return self._whole(self.base.sort(self._near(array), axis))

    # -- matrices: all is rest -------------------------------------------------------------------------
    def _whole(self, known: Enclosed) -> Drawn:
        return Drawn(known, rest=known.error)

    def inverse(self, array: Drawn) -> Drawn:
        """Inverse matrices."""
        return self._whole(self.base.inverse(self._near(array)))

    def determinant(self, array: Drawn) -> Drawn:
        """Determinants."""
        return self._whole(self.base.determinant(self._near(array)))

    def matrix(self, fn: str, arrays: Sequence[Drawn]) -> Drawn:
        """Another function of matrices."""
        return self._whole(self.base.matrix(fn, [self._near(a) for a in arrays]))

    def opaque(self, name: str, symmetry: str | None, arrays: Sequence[Any], shape: tuple[int, ...]) -> Any:
        """Refused."""
        return self.base.opaque(name, symmetry, arrays, shape)
