"""Bounds that hold with a probability: roundings are independent and of mean 0.

The error of an entry is a linear form ``sum_j s_j d_j`` in the roundings d_j, and a rest of second
order, which is bounded. Roundings with ``|d_j| <= w_j`` that are independent and of mean 0 give

    P(|sum_j s_j d_j| > l sigma) <= 2 exp(-l^2 / 2),   sigma^2 = sum_j s_j^2 w_j^2      (Hoeffding)

A sum of n terms of magnitudes that add up to S rounds by no more than w = u S each of n times, in
any order. sigma is not computed, it is *measured*; see `drawn`. For an argument of a function that
is not linear, the same bound limits its error, which makes the rest of second order small: all
these statements together fail with no more than RISK, of which the last has one half, and the k-th
before it 1 / (2 k (k + 1)).

No choice in the walk depends on draws, so that draws are normal: where an entry has no form of
first order, all of its error is rest, and where the rest is too large, it becomes the sum of the
error and the form.

A rest r_j that is small beside the rounding d_j of the same entry only shifts it, and needs no
bound of its own, which later layers would carry on by magnitudes. Whatever the shifts are, by
Cauchy and Schwarz

    |sum_j s_j (d_j + r_j)| <= |sum_j s_j d_j| + B sigma,   B^2 = sum_j (r_j / w_j)^2

Arrays of more than LARGE entries are not drawn. They keep deviations f alone (`fresh`), of which is
known

    the deviation of  sum_i c_i x_i  is at most  sqrt(sum_i c_i^2 f_i^2),  for all numbers c_i

as for entries that are independent, though they need not be. Own roundings are; entries that are
left out, multiplied or moved keep it; of the sum of two such forms, dependent or not, it is true
with the f of `combine_deviations`; of sums ``y_k = sum_i a_ki x_i`` with ``sqrt(m sum_i a_ki^2 f_i^2)``,
where no x_i is in more than m of them (Cauchy and Schwarz again, in ``(sum_k c_k a_ki)^2``). From a
large array into a small one, where they are drawn, the roundings of one source may go more than
once: the k-th time with a share t_k of the whole, ``sum_k t_k <= 1``, that is sqrt(1 / t_k) times
as far, as the deviation of a sum of dependent forms v_k is at most ``sqrt(sum_k dev(v_k)^2 /
t_k)``. What cannot keep it is bounded at once, and is rest then.

Sources: N. Higham, T. Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci.
Comput. 41, 2019, A2815; W. Hoeffding, Probability inequalities for sums of bounded random
variables, JASA 58, 1963.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from eqvproof.numbers.contraction import Labels
from eqvproof.programs import AS_REAL
from eqvproof.programs.evaluate.library_functions import MEAN, NORMALISED, SOFTMAX, SQUARES
from eqvproof.rounding.curves import CURVES, power_curve
from eqvproof.rounding.drawn import (
    DRAWS,
    Drawn,
    Draws,
    Normals,
    Term,
    combine_deviations,
    is_large,
    stored_draws,
    sum_deviations,
    widths,
)
from eqvproof.rounding.enclosed import Array, Enclosed, array_sum, change_bound, clear_bound, filled
from eqvproof.rounding.formats import Format
from eqvproof.rounding.functions import STEPS, UPWARDS, grown
from eqvproof.rounding.maps import lost, rounds, unit_of
from eqvproof.rounding.products import propagate_errors, roundings
from eqvproof.rounding.rows import rows_of
from eqvproof.rounding.system import RoundingSystem

#: The probability that a bound does not hold.
RISK = 1e-9
#: The share of B^2 that one array may take.
SHIFT = 0.5
#: What float32 may change in draws: a factor of their size, and, where they cancel, a part of the
#: error.
_SLACK, _REST = 1 + 2.0**-8, 2.0**-20
#: The least and the largest error, in units of the format, that float32 holds beside factors of any
#: size.
_LEAST, _MOST = 2.0**-50, 2.0**40


class ProbableSystem:
    """The number system of `Drawn` numbers; see `evaluate.system.NumberSystem`.

    Args:
        form: the format in which the function rounds.
        draws: the number of draws of each linear form: the more, the sharper the bounds.
    """

    def __init__(self, form: Format, draws: int = DRAWS) -> None:
        self.base = RoundingSystem(form)
        self.form = form
        self.draws = draws
        self._normals = Normals()
        self._asked = 0
        self._exits: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        self._made_so_far = 0
        self._shifts = 0.0

    @property
    def flips(self) -> list[tuple[str, int]]:
        """The decisions that rounding may turn."""
        return self.base.flips

    # -- linear forms
    # ----------------------------------------------------------------------------------
    def given(self, x: Enclosed) -> Drawn:
        """Returns an input, whose known error is certain and not drawn."""
        return Drawn(x, rest=x.error)

    def bound(self, x: Drawn) -> Array:
        """Returns the bound for a result."""
        found = self._form(x, RISK / 2) + filled(x.rest, x.shape)
        return np.asarray(np.minimum(filled(x.known.error, x.shape), found))

    def _form(self, x: Drawn, risk: float = 0.0) -> Array:
        """Bounds the linear form of each entry, with a probability."""
        if x.draws is None and x.fresh is None:
            return np.zeros(x.shape)
        if not risk:
            self._asked += 1
            risk = RISK / 2 / (self._asked * (self._asked + 1))
        found = widths(x, risk, self.draws, self._shifts**0.5) * (self.form.unit * _SLACK)
        return np.where(np.isnan(found), np.inf, found)

    def _near(self, x: Drawn) -> Enclosed:
        """Returns a number with the probable bound as its error, unless that takes long."""
        known, is_plain = x.known, x.draws is None and x.fresh is None
        if known.error is None or x.is_near or is_plain or (x.is_large and x.draws is not None):
            return known
        error = np.minimum(known.error, self._form(x) + filled(x.rest, x.shape))
        x.known = replace(known, error=error, spread=self.base.gap_to_real(known))
        x.is_near = True
        return x.known

    def _without_fresh(self, x: Drawn) -> Drawn:
        """Returns the same number without a fresh part.

        In a small array it is drawn, in a large one bounded.
        """
        if x.fresh is None:
            return x
        if x.is_large:
            rest = filled(x.rest, x.shape) + self._form(Drawn(x.known, fresh=x.fresh))
            return Drawn(x.known, x.draws, rest=rest)
        found = self._normals.draw(self.draws, x.fresh)
        if x.draws is not None:
            found += x.draws.take(slice(None))
        x.draws, x.fresh = stored_draws(found), None
        return x

    def _ready(self, x: Drawn) -> Drawn:
        """Returns a small array with its fresh part drawn, a large one as it is."""
        if x.is_large:
            return x
        return self._without_fresh(x)

    def _zero(self, x: Drawn, at: slice) -> Array:
        """Returns some draws, 0 where there are none."""
        if x.draws is not None:
            return x.draws.take(at)
        return np.zeros((len(range(self.draws)[at]), *x.shape), dtype=np.float32)

    def _leaving(self, x: Drawn, shared: int = 1) -> float:
        """Returns the factor of the fresh part of a large array where it enters a small one.

        Of each source, the shares are 1/8, 1/16, ... where an entry goes into one number, and where
        it goes into several 3/8, 3/16, ...
        """
        exits = self._exits[shared > 1]
        before = max((exits[k] for k in x.sources), default=0)
        exits.update(x.sources)
        return math.sqrt(2**before * (8 / 3 if shared > 1 else 8))

    def _made(
        self, known: Enclosed, draws: Draws | None, fresh: Array | None, rest: Array | None,
        own: Array | None = None, sources: frozenset[int] = frozenset(),
    ) -> Drawn:  # fmt: skip
        """Builds a number from draws, fresh deviations, a rest and its own roundings.

        No other number has the roundings of the fresh part.
        """
        if own is not None and np.any(own):
            self._made_so_far += 1
            sources |= {self._made_so_far}
            scaled = own / self.form.unit
            if fresh is None:
                fresh = scaled
            else:
                fresh = sum_deviations(fresh, scaled)
        if rest is None and draws is None and fresh is None:
            return Drawn(known)
        error = filled(known.error, known.shape)
        rest = combined((_REST, error), (1.0, filled(rest, known.shape)))
        least, most = _LEAST * self.form.unit, _MOST * self.form.unit
        lost = None
        if not (np.min(error, initial=1.0) > least and np.max(error, initial=0.0) < most):
            lost = (error > 0) & ~((error > least) & (error < most))
            fresh = clear_bound(fresh, lost)
            rest = np.where(lost, error, rest)
            if draws is not None:
                draws = draws.times(~lost)
        if draws is not None:
            draws = draws.computed_if_small(self.draws)
        found, small = Drawn(known, draws, fresh, rest, sources), rest < error
        if lost is not None:
            small = small | lost
        if not small.all():
            whole = error + self._form(found)
            found.rest = np.where(small, rest, np.where(np.isnan(whole), np.inf, whole))
        if own is not None and found.rest is not None:
            part, most = np.asarray(found.rest / own), math.sqrt(SHIFT / max(own.size, 1))
            if not np.max(part, initial=0.0) <= most:  # NaN too
                part[~(part <= most)] = 0.0
            if lost is not None:
                part[lost] = 0.0
            self._shifts += float(part.ravel() @ part.ravel()) * (1 + 2.0**-20)
            if part.all():
                found.rest = None
            else:
                found.rest = np.where(part > 0, 0.0, found.rest)
        return found

    # -- moving entries
    # --------------------------------------------------------------------------------
    def _moved(
        self,
        x: Drawn,
        known: Enclosed,
        move: Callable[[Array, int], Array],
        *,
        is_once: bool = True,
    ) -> Drawn:
        """Moves entries; `is_once` says that no entry occurs twice."""
        if not (is_once and x.is_large and is_large(known.shape)):
            x = self._without_fresh(x)
        fresh, rest = (change_bound(a, lambda a: move(a, 0)) for a in (x.fresh, x.rest))
        if x.draws is None:
            draws = None
        else:
            draws = x.draws.moved(lambda a: move(a, 1), known.shape).computed_if_small(self.draws)
        return Drawn(known, draws, fresh, rest, x.sources)

    def fractions(self, values: Any, shape: tuple[int, ...]) -> Drawn:
        """Returns constants as numbers."""
        known = self.base.fractions(values, shape)
        return self._made(known, None, None, None, own=known.error)

    def reshape(self, array: Drawn, shape: Sequence[int]) -> Drawn:
        """Reshapes an array."""
        known = self.base.reshape(array.known, shape)
        return self._moved(array, known, lambda a, k: np.reshape(a, (*a.shape[:k], *shape)))

    def broadcast(self, array: Drawn, shape: Sequence[int]) -> Drawn:
        """Broadcasts an array."""
        known = self.base.broadcast(array.known, shape)

        def move(a: Array, k: int) -> Array:
            return np.broadcast_to(a, (*a.shape[:k], *shape))

        return self._moved(array, known, move, is_once=tuple(shape) == array.shape)

    def take(self, array: Drawn, axis: int, indices: range | list[int]) -> Drawn:
        """Takes some entries along an axis."""
        known = self.base.take(array.known, axis, indices)

        def move(a: Array, k: int) -> Array:
            return np.take(a, list(indices), axis=axis + k)

        return self._moved(array, known, move, is_once=len(set(indices)) == len(indices))

    def concat(self, arrays: Sequence[Drawn], axis: int) -> Drawn:
        """Concatenates arrays along an axis."""
        known = self.base.concat([a.known for a in arrays], axis)
        is_wide = is_large(known.shape)
        arrays = [a if is_wide and a.is_large else self._without_fresh(a) for a in arrays]
        draws = fresh = rest = None
        if any(a.draws is not None for a in arrays):

            def joined(at: slice) -> Array:
                return np.concatenate([self._zero(a, at) for a in arrays], axis=axis + 1)

            draws = Draws(
                (Term(joined, known.shape, None, known.value.size),), known.shape
            ).computed_if_small(self.draws)
        if any(a.fresh is not None for a in arrays):  # the parts may depend on each other
            fresh = len(arrays) ** 0.5 * np.concatenate(
                [filled(a.fresh, a.shape) for a in arrays], axis=axis
            )
        if any(a.rest is not None for a in arrays):
            rest = np.concatenate([filled(a.rest, a.shape) for a in arrays], axis=axis)
        return Drawn(known, draws, fresh, rest, _sources(arrays))

    # -- arithmetic
    # ------------------------------------------------------------------------------------
    def contract(
        self,
        arrays: Sequence[Drawn],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> Drawn:
        """Returns sums of products: their differential, with products of errors as the rest."""
        rough = sum(a.known.error is not None for a in arrays)
        parts, form = [self._near(a) if rough > 1 else a.known for a in arrays], self.form
        known = self.base.contract(parts, labels, output, sizes)
        if known.error is None:
            return Drawn(known)
        summed = {k for r in labels for k in r if sizes[k] > 1} - set(output)
        arrays = [  # the fresh part of a large one goes on where each entry of it is met once
            self._without_fresh(a) if a.is_large and summed - set(row) else a
            for a, row in zip(arrays, labels, strict=True)
        ]

        def contract(values: Sequence[Array]) -> Array:
            return np.asarray(self.base.plain.contract(values, labels, output, sizes))

        how = roundings(parts, labels, output, sizes, form)
        sizes_of, values = [self.base.size(p) for p in parts], [np.abs(p.value) for p in parts]
        rest = propagate_errors(contract, sizes_of, [a.rest for a in arrays], 0.0)
        fresh, sources = self._squares(arrays, labels, output, sizes)
        draws, own = self._products(arrays, labels, output, sizes), None
        if len(arrays) == 1 and not summed:  # they only move
            if draws is not None:
                draws = draws.computed_if_small(self.draws)
            return Drawn(known, draws, fresh, rest, sources)
        share, more = 0.0, list[tuple[float, Any]]()
        if rest is not None:
            more.append((1.0, rest))
        if how.gamma:
            if self.base.total is None:
                whole = contract(values)
            else:
                whole = self.base.total
            own = how.deviation(whole, np.abs(known.value))
            if how.stored:
                own = sum_deviations(own, how.stored * np.abs(known.value))
            share = how.gamma + how.stored
            more += [(how.gamma**2, whole), (1.0, self.base.lost(sizes_of, how.count, parts))]
            if known.spread is not None:
                more.append((share, known.spread))
        # errors of first order are below known.error
        share = share * (form.ratio + bool(rough)) + 2.0**-40
        for i, p in enumerate(parts):  # products of errors, and of what float64 is off
            if p.error is not None:
                gaps = [
                    self.base.gap_to_real(q) if j < i else self.base.gap_to_both(q)
                    for j, q in enumerate(parts)
                ]
                gaps[i] = None
                second = propagate_errors(
                    contract, [*values[:i], p.error, *values[i + 1 :]], gaps, 0.0
                )
                if second is not None:
                    more.append((1.0, second))
        rest = combined((share, known.error), *more)
        return self._made(known, draws, fresh, rest, own, sources)

    def _squares(
        self,
        arrays: Sequence[Drawn],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> tuple[Array | None, frozenset[int]]:
        """Returns the part of the differential of a sum of products that stays fresh.

        Its sources are returned with it.
        """
        kept, sources = list[Array](), frozenset[int]()
        shape = tuple(sizes[k] for k in output)
        wide = {k for k in output if sizes[k] > 1}
        summed = {k for r in labels for k in r if sizes[k] > 1} - wide
        for i, (a, row) in enumerate(zip(arrays, labels, strict=True)):
            is_alone = a.is_used_once and wide <= set(row) and not summed - set(row)
            if a.fresh is None or not (a.is_large or is_alone):
                continue
            factors = [a.fresh if j == i else b.known.value for j, b in enumerate(arrays)]
            if summed:
                squares = self.base.plain.contract([f * f for f in factors], labels, output, sizes)
                part = np.sqrt(squares)
            else:
                part = np.abs(self.base.plain.contract(factors, labels, output, sizes))
            shared = prod(sizes[k] for k in wide - set(row))
            part = part * shared**0.5
            if not a.is_large:
                a.fresh = None
            elif not is_large(shape):
                part = part * self._leaving(a, shared)
            kept.append(part)
            sources |= a.sources
        return _joint(kept, shape), sources

    def _products(
        self,
        arrays: Sequence[Drawn],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> Draws | None:
        """Returns draws of the differential of a sum of products."""
        shape, terms = tuple(sizes[k] for k in output), list[Term]()
        single = [a.known.value.astype(np.float32) for a in arrays]
        for i, (a, row) in enumerate(zip(arrays, labels, strict=True)):
            draws = self._ready(a).draws
            others = [(v, r) for j, (v, r) in enumerate(zip(single, labels, strict=True)) if j != i]
            twins = [j for j, b in enumerate(arrays) if b is a and labels[j] == row]
            if twins[0] < i:  # of x x, the differential is that of one factor, twice
                continue
            if len(twins) > 1:
                others[0] = others[0][0] * np.float32(len(twins)), others[0][1]
            if draws is not None:
                terms += [self._product(t, row, others, output, sizes) for t in draws.terms]
        return _sum_of_terms(terms, shape)

    def _product(
        self, term: Term, row: Labels, others: Sequence[tuple[Array, Labels]], output: Labels,
        sizes: Mapping[int, int],
    ) -> Term:  # fmt: skip
        """Returns draws of a sum of products of a form and numbers.

        Drawn arrays are not summed along axes where they are constant.
        """
        shape, whole = tuple(sizes[k] for k in output), tuple(sizes[k] for k in row)
        if len(set(row)) < len(row):
            term = Draws((term,), whole).moved(lambda a: a, whole).terms[0]
        wide = {k for k, s in zip(row, term.base, strict=True) if s > 1}
        if term.factor is not None or any(
            sizes[k] > 1 and k not in wide for k in row if k not in output
        ):
            if term.factor is None:
                ones = np.ones((), dtype=np.float32)
            else:
                ones = term.factor
            others = [*others, (np.broadcast_to(ones, whole), row)]
        values, rows = [v for v, _ in others], [r for _, r in others]
        extra, drawn = 1 + max((*sizes, *output, 0)), tuple(k for k in row if k in wide)
        narrow = tuple(sizes[k] for k in drawn)
        if wide <= set(output) and len(set(row)) == len(row):
            base = tuple(s if k in wide else 1 for k, s in zip(output, shape, strict=True))
            order = (0, *(1 + drawn.index(k) for k in output if k in wide))

            def moved(at: slice) -> Array:
                found = term.take(at)
                return (
                    found.reshape(len(found), *narrow).transpose(order).reshape(len(found), *base)
                )

            if values:
                factor = np.asarray(self.base.plain.contract(values, rows, output, sizes))
            else:
                factor = None
            return Term(moved, base, factor, term.size)

        def take(at: slice) -> Array:
            found = term.take(at)
            parts, lengths = (
                [found.reshape(len(found), *narrow), *values],
                {**sizes, extra: len(found)},
            )
            product = self.base.plain.contract(
                parts, [(extra, *drawn), *rows], (extra, *output), lengths
            )
            return np.asarray(product)

        return Term(
            take, shape, None, max(term.size, prod(shape), prod(narrow), *(v.size for v in values))
        )

    def add(self, arrays: Sequence[Drawn]) -> Drawn:
        """Returns the sum of arrays."""
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
            if len(rough) == 2:
                size = np.abs(known.value)
            else:
                size = array_sum(sizes)
            own = (step * size) ** 2 * (len(rough) - 1)
            for i, p in enumerate(rough):
                if p.terms:
                    others = array_sum(s for j, s in enumerate(sizes) if j != i)
                    own, unit = (
                        own + p.terms * (self.form.sums * 1.001 * others) ** 2,
                        unit + p.terms * step,
                    )
            own = np.sqrt(own)
        more = list[tuple[float, Any]]((unit**2, s) for s in sizes)
        more += [
            (unit, self.base.gap_to_real(p))
            for p in rough
            if known.spread is not None and not p.is_exact
        ]
        more += [(1.0, a.rest) for a in arrays if a.rest is not None]
        least = self.form.least * len(arrays)
        # of more than all errors together, here and in float64
        share = unit * (1 + self.form.ratio)
        rest = combined((share, known.error), (1.0, least), *more)
        kept, terms = list[Array](), list[Term]()
        for a in arrays:
            if a.fresh is not None and (a.is_large or a.is_used_once):
                kept.append(a.fresh)
                if not a.is_large:
                    a.fresh = None
            mine = self._ready(a).draws
            if mine is not None:
                terms += mine.terms
        draws = _sum_of_terms(terms, known.shape)
        return self._made(known, draws, _joint(kept, known.shape), rest, own, _sources(arrays))

    def apply(self, fn: str, arrays: Sequence[Drawn]) -> Drawn:
        """Applies an elementwise function: its differential, with its curvature as the rest."""
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
            gone = unit * filled(self.base.gap_to_real(known), known.shape) + lost(form, fn)
            if all(p.is_exact for p in near) and fn != "arctan2":
                return self._made(known, None, None, gone, own)
            if fn in ("maximum", "minimum"):
                gap = UPWARDS[fn] * (near[0].value - near[1].value)
                unsure = (
                    np.abs(gap) <= (self.base.radius(near[0]) + self.base.radius(near[1])) * 1.001
                )
                return self._one_of(gap > 0, unsure, arrays[0], arrays[1], known)
            draws, fresh, rest = self._differential(fn, arrays, known)
            rest = rest + unit * (1 + unit) * known.error + gone
            return self._made(known, draws, fresh, rest, own, _sources(arrays))

    def _differential(
        self, fn: str, arrays: Sequence[Drawn], known: Enclosed
    ) -> tuple[Draws | None, Array | None, Array]:
        """Returns the differential of a smooth function as draws, fresh part and rest.

        The rest is bounded by how much the slope may change.
        """
        x = arrays[0]
        radius, error = self.base.radius(x.known), filled(x.known.error, x.shape)
        low, high = x.known.value - radius, x.known.value + radius
        if x.known.positive:
            low = np.maximum(low, x.known.least)
        if fn == "pow" and arrays[1].known.is_exact:
            slope, curve = power_curve(x.known.value, arrays[1].known.value, low, high)
        elif fn in CURVES and fn != "pow":
            slope, curve = CURVES[fn][0](x.known.value), CURVES[fn][1](low, high)
        elif fn == "exp":
            slope = np.exp(x.known.value)
            curve = grown(slope, radius)
        else:
            return None, None, filled(known.error, known.shape)
        smooth = np.isfinite(slope.astype(np.float32)) & (error > 0)
        change = curve * radius
        rest = (np.abs(slope) + change) * filled(x.rest, x.shape) + change * error
        rest = np.where(smooth, rest, np.where(error > 0, filled(known.error, known.shape), 0.0))
        slope, fresh = np.where(smooth, slope, 0.0), None
        if x.fresh is not None and (x.is_large or x.is_used_once):
            fresh = np.abs(slope) * x.fresh
            if not x.is_large:
                x.fresh = None
        draws = self._ready(x).draws
        if draws is not None:
            draws = draws.times(slope)
        return draws, fresh, rest

    def _one_of(self, first: Array, unsure: Array, a: Drawn, b: Drawn, known: Enclosed) -> Drawn:
        """Returns one of two numbers.

        Where it may be the other, the error and the form are both rest.
        """
        both = [self._ready(x) for x in (a, b)]
        chosen = [(x, here) for x, here in zip(both, (first, ~first), strict=True)]
        terms = [t for x, here in chosen if x.draws is not None for t in x.draws.times(here).terms]
        draws = _sum_of_terms(terms, known.shape)
        rest = np.where(first, filled(a.rest, a.shape), filled(b.rest, b.shape))
        kept = [np.where(here, x.fresh, 0.0) for x, here in chosen if x.fresh is not None]
        rest = np.where(unsure, np.inf, rest)
        return self._made(known, draws, combine_deviations(kept), rest, None, _sources(both))

    def select(self, c: Drawn, a: Drawn, b: Drawn) -> Drawn:
        """Returns one of two arrays by a condition; where rounding may turn it, all is rest."""
        choice = self._near(c)
        known = self.base.select(choice, self._near(a), self._near(b))
        if known.error is None:
            return Drawn(known)
        return self._one_of(choice.value != 0, self.base.radius(choice) > 0, a, b, known)

    def reduce(self, fn: str, array: Drawn, axes: tuple[int, ...]) -> Drawn:
        """Returns the largest or least entry; where several may be it, all is rest.

        Products of entries are rest, too.
        """
        near = self._near(array)
        known = self.base.reduce(fn, near, axes)
        if known.error is None or fn == "prod":
            return self._whole(known)
        kept = [a for a in range(len(array.shape)) if a not in axes]

        def lines(part: Array) -> Array:
            first = part.ndim - len(array.shape)
            order = (*range(first), *(first + k for k in (*kept, *axes)))
            return np.transpose(part, order).reshape(*part.shape[:first], *known.shape, -1)

        values, radius = (
            lines(UPWARDS[fn] * near.value),
            lines(self.base.radius(near)),
        )
        at = np.argmax(values, axis=-1)[..., None]

        def taken(part: Array) -> Array:
            found = lines(part)
            return np.take_along_axis(
                found, at.reshape((1,) * (found.ndim - at.ndim) + at.shape), -1
            )[..., 0]

        bar = np.max(values - radius, axis=-1, keepdims=True)
        unsure = np.count_nonzero(values + radius >= bar, axis=-1) != 1
        x = self._ready(array)
        if x.draws is None:
            draws = None
        else:
            draws = x.draws.moved(taken, known.shape)
        fresh = change_bound(x.fresh, taken)
        if fresh is not None and not is_large(known.shape):
            fresh = fresh * self._leaving(x)
        rest = np.where(unsure, np.inf, taken(filled(x.rest, x.shape)))
        return self._made(known, draws, fresh, rest, None, x.sources)

    def sort(self, array: Drawn, axis: int) -> Drawn:
        """Sorts entries in ascending order; all is rest."""
        return self._whole(self.base.sort(self._near(array), axis))

    # -- matrices: all is rest
    # -------------------------------------------------------------------------
    def _whole(self, known: Enclosed) -> Drawn:
        return Drawn(known, rest=known.error)

    def inverse(self, array: Drawn) -> Drawn:
        """Returns inverse matrices."""
        return self._whole(self.base.inverse(self._near(array)))

    def determinant(self, array: Drawn) -> Drawn:
        """Returns determinants."""
        return self._whole(self.base.determinant(self._near(array)))

    def matrix(self, fn: str, arrays: Sequence[Drawn]) -> Drawn:
        """Returns another function of matrices."""
        return self._whole(self.base.matrix(fn, [self._near(a) for a in arrays]))

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Any], shape: tuple[int, ...]
    ) -> Any:
        """Evaluates an opaque operation: a Cholesky factor, a function of rows, or an update.

        Others are refused.
        """
        if name in (MEAN, SQUARES):
            x, rows = (
                self._ready(arrays[0]),
                self._near(arrays[1]),
            )
            known, more = (
                self.base.opaque(name, None, [x.known, rows], shape),
                self.base.updated(name, rows),
            )
            rest, own = (
                filled(x.rest, x.shape) + more.second,
                np.minimum(more.deviation, more.error),
            )
            return self._made(known, x.draws, x.fresh, rest, own, x.sources)
        if name == AS_REAL:
            return Drawn(self.base.taken_as_real(self._near(arrays[0])))
        if name in (SOFTMAX, NORMALISED):
            return self._of_rows(name, arrays)
        return self._whole(self.base.opaque(name, symmetry, [self._near(a) for a in arrays], shape))

    def _of_rows(self, name: str, arrays: Sequence[Drawn]) -> Drawn:
        """Evaluates a function of rows by its differential; see `rows`.

        The roundings of its steps are added.
        """
        own, near = arrays[0], self._near(arrays[1])
        known = self.base.opaque(
            name, None, [own.known, near, *(a.known for a in arrays[2:])], own.shape
        )
        if near.error is None:
            own.known = known
            return own
        own, x = (a if a.is_large else self._without_fresh(a) for a in (own, arrays[1]))
        f, R = (
            rows_of(name, near.value, *(float(a.known.value) for a in arrays[2:])),
            self.base.radius(near),
        )
        rest = (
            filled(own.rest, own.shape) + f.rest(near.error, R) + f.bound(filled(x.rest, x.shape))
        )
        rest = rest + self.form.least
        terms, parts = list[Term](), list[Array]()
        if own.draws is not None:
            terms += own.draws.terms
        if x.draws is not None:
            terms += x.draws.moved(f.times, known.shape).terms
        if own.fresh is not None:
            parts.append(own.fresh)
        if x.fresh is not None:
            parts += f.deviation(x.fresh)
        draws = _sum_of_terms(terms, known.shape)
        return self._made(
            known, draws, combine_deviations(parts), rest, None, own.sources | x.sources
        )


def combined(*parts: tuple[float, Any]) -> Array:
    """Returns the sum of numbers times arrays.

    The first array has the shape of the sum.
    """
    factor, array = parts[0]
    found = np.asarray(factor * array)
    space = np.empty_like(found)
    for factor, array in parts[1:]:
        found += np.multiply(array, factor, out=space)
    return found


def _sum_of_terms(terms: Sequence[Term], shape: tuple[int, ...]) -> Draws | None:
    """Returns the draws of a sum of terms; None if there are none."""
    if terms:
        return Draws(tuple(terms), shape)
    return None


def _sources(arrays: Sequence[Drawn]) -> frozenset[int]:
    return frozenset[int]().union(*(a.sources for a in arrays))


def _joint(kept: Sequence[Array], shape: tuple[int, ...]) -> Array | None:
    """Returns the fresh part of a sum.

    In a small array the parts are independent, in a large one they may not be.
    """
    if is_large(shape) or len(kept) < 2:
        return combine_deviations(kept)
    return np.asarray(np.sqrt(array_sum(f * f for f in kept)))
