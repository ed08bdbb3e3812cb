"""Bounds that hold with a probability: roundings are independent and of mean 0.

The error of an entry is a linear form ``sum_j s_j d_j`` in the roundings d_j, plus a rest of second
order, which is bounded. Roundings with ``|d_j| <= w_j`` that are independent and of mean 0 satisfy

    P(|sum_j s_j d_j| > l sigma) <= 2 exp(-l^2 / 2),   sigma^2 = sum_j s_j^2 w_j^2      (Hoeffding)

If the magnitudes of n terms add up to S, each of the n roundings of their sum is at most w = u S,
in any order. sigma is not computed, but *measured*; see `draws`. For an argument of a nonlinear
function, the same bound limits its error, which makes the rest of second order small. All these
statements together fail with probability at most RISK: the last one has one half of it, and the
k-th before it the part 1 / (2 k (k + 1)).

No choice in the walk depends on draws, so that draws are normal: if an entry has no form of first
order, all of its error is rest, and if the rest is too large, it is replaced by the sum of the
error and the form.

A rest r_j that is small compared with the rounding d_j of the same entry only shifts it, and needs
no bound of its own, which later layers would propagate by magnitudes. Whatever the shifts are, by
Cauchy and Schwarz

    |sum_j s_j (d_j + r_j)| <= |sum_j s_j d_j| + B sigma,   B^2 = sum_j (r_j / w_j)^2

Arrays of more than LARGE entries are not drawn. They only have deviations f (`fresh`), with

    the deviation of  sum_i c_i x_i  is at most  sqrt(sum_i c_i^2 f_i^2),  for all numbers c_i

as for independent entries, although entries need not be independent. This property holds for the
roundings of an operation itself. It is preserved if entries are left out, multiplied or moved. It
holds for the sum of two such forms, dependent or not, with the f of `combine_deviations`, and for
sums ``y_k = sum_i a_ki x_i`` with ``sqrt(m sum_i a_ki^2 f_i^2)`` if every x_i is in at most m of
them (Cauchy and Schwarz again, in ``(sum_k c_k a_ki)^2``). The roundings of one source may pass more
than once from a large array into a small one, where they are drawn: the k-th time with a share t_k
of the whole, ``sum_k t_k <= 1``, and a deviation sqrt(1 / t_k) times as large, since the deviation
of a sum of dependent forms v_k is at most ``sqrt(sum_k dev(v_k)^2 / t_k)``. Errors without this
property are bounded at once, and are part of the rest.

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
from eqvproof.rounding.draws import (
    DRAWS,
    DrawnNumber,
    Draws,
    Normals,
    Term,
    bound_forms,
    combine_deviations,
    is_large,
    stored_draws,
    sum_deviations,
)
from eqvproof.rounding.enclosed import (
    Array,
    Enclosed,
    array_sum,
    change_bound,
    clear_bound,
    fill_bound,
)
from eqvproof.rounding.formats import Format
from eqvproof.rounding.functions import STEPS, UPWARDS, exp_bound
from eqvproof.rounding.maps import is_rounded, underflow_loss, unit_of
from eqvproof.rounding.products import propagate_errors, roundings
from eqvproof.rounding.rows import rows_of
from eqvproof.rounding.system import RoundingSystem

#: The probability that a bound does not hold.
RISK = 1e-9
#: The largest contribution of one array to B^2.
SHIFT = 0.5
#: The effect of float32 on draws: a factor of their size, and, where they cancel, a part of the
#: error.
_SLACK, _REST = 1 + 2.0**-8, 2.0**-20
#: The least and the largest error, in units of the format, whose products with any factor float32
#: represents.
_LEAST, _MOST = 2.0**-50, 2.0**40


class ProbableSystem:
    """The number system of `Drawn` numbers; see `evaluate.system.NumberSystem`.

    Args:
        form: the format in which the function rounds.
        draws: the number of draws of each linear form; more draws give sharper bounds.
    """

    def __init__(self, form: Format, draws: int = DRAWS) -> None:
        self.base = RoundingSystem(form)
        self.form = form
        self.draws = draws
        self._normals = Normals()
        self._statements = 0
        self._exits: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        self._count = 0
        self._shifts = 0.0

    @property
    def flips(self) -> list[tuple[str, int]]:
        """The decisions that rounding may change."""
        return self.base.flips

    # -- linear forms
    # ----------------------------------------------------------------------------------
    def as_input(self, x: Enclosed) -> DrawnNumber:
        """Converts an input to a number; its known error is certain, and not drawn."""
        return DrawnNumber(x, rest=x.error)

    def bound(self, x: DrawnNumber) -> Array:
        """Returns a bound of the error of each entry of a result."""
        found = self._bound_form(x, RISK / 2) + fill_bound(x.rest, x.shape)
        return np.asarray(np.minimum(fill_bound(x.known.error, x.shape), found))

    def _bound_form(self, x: DrawnNumber, risk: float = 0.0) -> Array:
        """Bounds the linear form of each entry, except with the given or next free risk."""
        if x.draws is None and x.fresh is None:
            return np.zeros(x.shape)
        if not risk:
            self._statements += 1
            risk = RISK / 2 / (self._statements * (self._statements + 1))
        found = bound_forms(x, risk, self.draws, self._shifts**0.5) * (self.form.unit * _SLACK)
        return np.where(np.isnan(found), np.inf, found)

    def _tighten(self, x: DrawnNumber) -> Enclosed:
        """Returns a number whose error is at most the probable bound, unless that is slow to find."""
        known, is_plain = x.known, x.draws is None and x.fresh is None
        if known.error is None or x.is_near or is_plain or (x.is_large and x.draws is not None):
            return known
        error = np.minimum(known.error, self._bound_form(x) + fill_bound(x.rest, x.shape))
        x.known = replace(known, error=error, spread=self.base.gap_to_real(known))
        x.is_near = True
        return x.known

    def _without_fresh(self, x: DrawnNumber) -> DrawnNumber:
        """Returns the same number without a fresh part: it is drawn, or bounded in large arrays."""
        if x.fresh is None:
            return x
        if x.is_large:
            rest = fill_bound(x.rest, x.shape) + self._bound_form(
                DrawnNumber(x.known, fresh=x.fresh)
            )
            return DrawnNumber(x.known, x.draws, rest=rest)
        found = self._normals.draw(self.draws, x.fresh)
        if x.draws is not None:
            found += x.draws.take(slice(None))
        x.draws, x.fresh = stored_draws(found), None
        return x

    def _draw_if_small(self, x: DrawnNumber) -> DrawnNumber:
        """Draws the fresh part of a small array; returns a large array unchanged."""
        if x.is_large:
            return x
        return self._without_fresh(x)

    def _draws_or_zeros(self, x: DrawnNumber, at: slice) -> Array:
        """Returns a slice of the draws, or zeros if the number has none."""
        if x.draws is not None:
            return x.draws.take(at)
        return np.zeros((len(range(self.draws)[at]), *x.shape), dtype=np.float32)

    def _exit_factor(self, x: DrawnNumber, shared: int = 1) -> float:
        """Returns the factor of the fresh part of a large array that enters a small one.

        The shares of a source are 1/8, 1/16, ... if every entry enters one number, and 3/8, 3/16,
        ... if it enters several.
        """
        exits = self._exits[shared > 1]
        before = max((exits[k] for k in x.sources), default=0)
        exits.update(x.sources)
        return math.sqrt(2**before * (8 / 3 if shared > 1 else 8))

    def _build(
        self, known: Enclosed, draws: Draws | None, fresh: Array | None, rest: Array | None,
        own: Array | None = None, sources: frozenset[int] = frozenset(),
    ) -> DrawnNumber:  # fmt: skip
        """Builds a number from draws, fresh deviations, a rest and its own roundings.

        The roundings of the fresh part occur in no other number.
        """
        if own is not None and np.any(own):
            self._count += 1
            sources |= {self._count}
            scaled = own / self.form.unit
            fresh = scaled if fresh is None else sum_deviations(fresh, scaled)
        if rest is None and draws is None and fresh is None:
            return DrawnNumber(known)
        error = fill_bound(known.error, known.shape)
        rest = weighted_sum((_REST, error), (1.0, fill_bound(rest, known.shape)))
        least, most = _LEAST * self.form.unit, _MOST * self.form.unit
        outside = None
        if not (np.min(error, initial=1.0) > least and np.max(error, initial=0.0) < most):
            outside = (error > 0) & ~((error > least) & (error < most))
            fresh = clear_bound(fresh, outside)
            rest = np.where(outside, error, rest)
            if draws is not None:
                draws = draws.times(~outside)
        if draws is not None:
            draws = draws.store_if_small(self.draws)
        found, small = DrawnNumber(known, draws, fresh, rest, sources), rest < error
        if outside is not None:
            small = small | outside
        if not small.all():
            whole = error + self._bound_form(found)
            found.rest = np.where(small, rest, np.where(np.isnan(whole), np.inf, whole))
        if own is not None and found.rest is not None:
            part, most = np.asarray(found.rest / own), math.sqrt(SHIFT / max(own.size, 1))
            if not np.max(part, initial=0.0) <= most:  # NaN too
                part[~(part <= most)] = 0.0
            if outside is not None:
                part[outside] = 0.0
            self._shifts += float(part.ravel() @ part.ravel()) * (1 + 2.0**-20)
            if part.all():
                found.rest = None
            else:
                found.rest = np.where(part > 0, 0.0, found.rest)
        return found

    # -- moving entries
    # --------------------------------------------------------------------------------
    def _move_entries(
        self,
        x: DrawnNumber,
        known: Enclosed,
        move: Callable[[Array, int], Array],
        *,
        is_once: bool = True,
    ) -> DrawnNumber:
        """Moves entries; `is_once` says that no entry occurs twice."""
        if not (is_once and x.is_large and is_large(known.shape)):
            x = self._without_fresh(x)
        fresh, rest = (change_bound(a, lambda a: move(a, 0)) for a in (x.fresh, x.rest))
        draws = x.draws
        if draws is not None:
            draws = draws.transform(lambda a: move(a, 1), known.shape).store_if_small(self.draws)
        return DrawnNumber(known, draws, fresh, rest, x.sources)

    def fractions(self, values: Any, shape: tuple[int, ...]) -> DrawnNumber:
        """Converts constants to numbers."""
        known = self.base.fractions(values, shape)
        return self._build(known, None, None, None, own=known.error)

    def reshape(self, array: DrawnNumber, shape: Sequence[int]) -> DrawnNumber:
        """Reshapes an array."""
        known = self.base.reshape(array.known, shape)
        return self._move_entries(array, known, lambda a, k: np.reshape(a, (*a.shape[:k], *shape)))

    def broadcast(self, array: DrawnNumber, shape: Sequence[int]) -> DrawnNumber:
        """Broadcasts an array."""
        known = self.base.broadcast(array.known, shape)

        def move(a: Array, k: int) -> Array:
            return np.broadcast_to(a, (*a.shape[:k], *shape))

        return self._move_entries(array, known, move, is_once=tuple(shape) == array.shape)

    def take(self, array: DrawnNumber, axis: int, indices: range | list[int]) -> DrawnNumber:
        """Takes some entries along an axis."""
        known = self.base.take(array.known, axis, indices)

        def move(a: Array, k: int) -> Array:
            return np.take(a, list(indices), axis=axis + k)

        return self._move_entries(array, known, move, is_once=len(set(indices)) == len(indices))

    def concat(self, arrays: Sequence[DrawnNumber], axis: int) -> DrawnNumber:
        """Concatenates arrays along an axis."""
        known = self.base.concat([a.known for a in arrays], axis)
        is_wide = is_large(known.shape)
        arrays = [a if is_wide and a.is_large else self._without_fresh(a) for a in arrays]
        draws = fresh = rest = None
        if any(a.draws is not None for a in arrays):

            def joined(at: slice) -> Array:
                return np.concatenate([self._draws_or_zeros(a, at) for a in arrays], axis=axis + 1)

            draws = Draws(
                (Term(joined, known.shape, None, known.value.size),), known.shape
            ).store_if_small(self.draws)
        if any(a.fresh is not None for a in arrays):  # the parts may depend on each other
            fresh = len(arrays) ** 0.5 * np.concatenate(
                [fill_bound(a.fresh, a.shape) for a in arrays], axis=axis
            )
        if any(a.rest is not None for a in arrays):
            rest = np.concatenate([fill_bound(a.rest, a.shape) for a in arrays], axis=axis)
        return DrawnNumber(known, draws, fresh, rest, _join_sources(arrays))

    # -- arithmetic
    # ------------------------------------------------------------------------------------
    def contract(
        self,
        arrays: Sequence[DrawnNumber],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> DrawnNumber:
        """Returns sums of products: their differential, with products of errors as the rest."""
        rough = sum(a.known.error is not None for a in arrays)
        parts, form = [self._tighten(a) if rough > 1 else a.known for a in arrays], self.form
        known = self.base.contract(parts, labels, output, sizes)
        if known.error is None:
            return DrawnNumber(known)
        summed = {k for r in labels for k in r if sizes[k] > 1} - set(output)
        arrays = [  # the fresh part of a large array is kept if each of its entries is used once
            self._without_fresh(a) if a.is_large and summed - set(row) else a
            for a, row in zip(arrays, labels, strict=True)
        ]

        def contract(values: Sequence[Array]) -> Array:
            return np.asarray(self.base.plain.contract(values, labels, output, sizes))

        how = roundings(parts, labels, output, sizes, form)
        sizes_of, values = [self.base.size(p) for p in parts], [np.abs(p.value) for p in parts]
        rest = propagate_errors(contract, sizes_of, [a.rest for a in arrays], 0.0)
        fresh, sources = self._fresh_of_products(arrays, labels, output, sizes)
        draws, own = self._draws_of_products(arrays, labels, output, sizes), None
        if len(arrays) == 1 and not summed:  # entries only move
            if draws is not None:
                draws = draws.store_if_small(self.draws)
            return DrawnNumber(known, draws, fresh, rest, sources)
        share, more = 0.0, list[tuple[float, Any]]()
        if rest is not None:
            more.append((1.0, rest))
        if how.gamma:
            whole = contract(values) if self.base.total is None else self.base.total
            own = how.deviation(whole, np.abs(known.value))
            if how.stored:
                own = sum_deviations(own, how.stored * np.abs(known.value))
            share = how.gamma + how.stored
            more += [
                (how.gamma**2, whole),
                (1.0, self.base.underflow_loss(sizes_of, how.count, parts)),
            ]
            if known.spread is not None:
                more.append((share, known.spread))
        # errors of first order are below known.error
        share = share * (form.ratio + bool(rough)) + 2.0**-40
        for i, p in enumerate(parts):  # products of errors, and of errors of float64
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
        rest = weighted_sum((share, known.error), *more)
        return self._build(known, draws, fresh, rest, own, sources)

    def _fresh_of_products(
        self,
        arrays: Sequence[DrawnNumber],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> tuple[Array | None, frozenset[int]]:
        """Returns the fresh part of the differential of a sum of products, and its sources."""
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
                part = part * self._exit_factor(a, shared)
            kept.append(part)
            sources |= a.sources
        return _sum_fresh(kept, shape), sources

    def _draws_of_products(
        self,
        arrays: Sequence[DrawnNumber],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> Draws | None:
        """Returns draws of the differential of a sum of products."""
        shape, terms = tuple(sizes[k] for k in output), list[Term]()
        single = [a.known.value.astype(np.float32) for a in arrays]
        for i, (a, row) in enumerate(zip(arrays, labels, strict=True)):
            draws = self._draw_if_small(a).draws
            others = [(v, r) for j, (v, r) in enumerate(zip(single, labels, strict=True)) if j != i]
            twins = [j for j, b in enumerate(arrays) if b is a and labels[j] == row]
            if twins[0] < i:  # of x x, the differential is that of one factor, twice
                continue
            if len(twins) > 1:
                others[0] = others[0][0] * np.float32(len(twins)), others[0][1]
            if draws is not None:
                terms += [
                    self._draws_of_product(t, row, others, output, sizes) for t in draws.terms
                ]
        return _sum_of_terms(terms, shape)

    def _draws_of_product(
        self, term: Term, row: Labels, others: Sequence[tuple[Array, Labels]], output: Labels,
        sizes: Mapping[int, int],
    ) -> Term:  # fmt: skip
        """Returns draws of a sum of products of a form and numbers.

        Drawn arrays are not summed along axes along which they are constant.
        """
        shape, whole = tuple(sizes[k] for k in output), tuple(sizes[k] for k in row)
        if len(set(row)) < len(row):
            term = Draws((term,), whole).transform(lambda a: a, whole).terms[0]
        wide = {k for k, s in zip(row, term.base, strict=True) if s > 1}
        if term.factor is not None or any(
            sizes[k] > 1 and k not in wide for k in row if k not in output
        ):
            numbers = np.ones((), dtype=np.float32) if term.factor is None else term.factor
            others = [*others, (np.broadcast_to(numbers, whole), row)]
        values, rows = [v for v, _ in others], [r for _, r in others]
        extra, drawn = 1 + max((*sizes, *output, 0)), tuple(k for k in row if k in wide)
        narrow = tuple(sizes[k] for k in drawn)
        if wide <= set(output) and len(set(row)) == len(row):
            base = tuple(s if k in wide else 1 for k, s in zip(output, shape, strict=True))
            order = (0, *(1 + drawn.index(k) for k in output if k in wide))

            def transposed(at: slice) -> Array:
                found = term.take(at)
                return (
                    found.reshape(len(found), *narrow).transpose(order).reshape(len(found), *base)
                )

            factor = None
            if values:
                factor = np.asarray(self.base.plain.contract(values, rows, output, sizes))
            return Term(transposed, base, factor, term.size)

        def take(at: slice) -> Array:
            found = term.take(at)
            parts = [found.reshape(len(found), *narrow), *values]
            lengths = {**sizes, extra: len(found)}
            product = self.base.plain.contract(
                parts, [(extra, *drawn), *rows], (extra, *output), lengths
            )
            return np.asarray(product)

        return Term(
            take, shape, None, max(term.size, prod(shape), prod(narrow), *(v.size for v in values))
        )

    def add(self, arrays: Sequence[DrawnNumber]) -> DrawnNumber:
        """Returns the sum of arrays."""
        parts = [a.known for a in arrays]
        known = self.base.add(parts)
        if known.error is None:
            return DrawnNumber(known)
        step = self.form.step
        rough = [p for p in parts if not (p.is_exact and not np.any(p.value))]
        sizes = [np.abs(p.value) for p in rough]
        own, unit = None, 0.0
        if len(rough) > 1:
            unit = step * len(rough)
            size = np.abs(known.value) if len(rough) == 2 else array_sum(sizes)
            own = (step * size) ** 2 * (len(rough) - 1)
            for i, p in enumerate(rough):
                if p.terms:
                    others = array_sum(s for j, s in enumerate(sizes) if j != i)
                    own = own + p.terms * (self.form.sums * 1.001 * others) ** 2
                    unit = unit + p.terms * step
            own = np.sqrt(own)
        more = list[tuple[float, Any]]((unit**2, s) for s in sizes)
        more += [
            (unit, self.base.gap_to_real(p))
            for p in rough
            if known.spread is not None and not p.is_exact
        ]
        more += [(1.0, a.rest) for a in arrays if a.rest is not None]
        least = self.form.least * len(arrays)
        # covers all errors together, here and in float64
        share = unit * (1 + self.form.ratio)
        rest = weighted_sum((share, known.error), (1.0, least), *more)
        kept, terms = list[Array](), list[Term]()
        for a in arrays:
            if a.fresh is not None and (a.is_large or a.is_used_once):
                kept.append(a.fresh)
                if not a.is_large:
                    a.fresh = None
            draws = self._draw_if_small(a).draws
            if draws is not None:
                terms += draws.terms
        draws = _sum_of_terms(terms, known.shape)
        return self._build(
            known, draws, _sum_fresh(kept, known.shape), rest, own, _join_sources(arrays)
        )

    def apply(self, fn: str, arrays: Sequence[DrawnNumber]) -> DrawnNumber:
        """Applies an elementwise function: its differential, with its curvature as the rest."""
        near = [self._tighten(a) for a in arrays]
        known = self.base.apply(fn, near)
        if known.error is None:
            return DrawnNumber(known)
        if fn in STEPS:
            return DrawnNumber(known, rest=known.error)
        form, own = self.form, None
        with np.errstate(all="ignore"):
            unit = 0.0
            if is_rounded(form, fn, near, known.value):
                unit = unit_of(form, fn)
                own = unit * np.abs(known.value)
            gone = unit * fill_bound(self.base.gap_to_real(known), known.shape) + underflow_loss(
                form, fn
            )
            if all(p.is_exact for p in near) and fn != "arctan2":
                return self._build(known, None, None, gone, own)
            if fn in ("maximum", "minimum"):
                gap = UPWARDS[fn] * (near[0].value - near[1].value)
                unsure = (
                    np.abs(gap) <= (self.base.radius(near[0]) + self.base.radius(near[1])) * 1.001
                )
                return self._select_one(gap > 0, unsure, arrays[0], arrays[1], known)
            draws, fresh, rest = self._differential(fn, arrays, known)
            rest = rest + unit * (1 + unit) * known.error + gone
            return self._build(known, draws, fresh, rest, own, _join_sources(arrays))

    def _differential(
        self, fn: str, arrays: Sequence[DrawnNumber], known: Enclosed
    ) -> tuple[Draws | None, Array | None, Array]:
        """Returns the differential of a smooth function as draws, fresh part and rest.

        The largest change of the slope bounds the rest.
        """
        x = arrays[0]
        radius, error = self.base.radius(x.known), fill_bound(x.known.error, x.shape)
        low, high = x.known.value - radius, x.known.value + radius
        if x.known.positive:
            low = np.maximum(low, x.known.least)
        if fn == "pow" and arrays[1].known.is_exact:
            slope, curve = power_curve(x.known.value, arrays[1].known.value, low, high)
        elif fn in CURVES and fn != "pow":
            slope, curve = CURVES[fn][0](x.known.value), CURVES[fn][1](low, high)
        elif fn == "exp":
            slope = np.exp(x.known.value)
            curve = exp_bound(slope, radius)
        else:
            return None, None, fill_bound(known.error, known.shape)
        smooth = np.isfinite(slope.astype(np.float32)) & (error > 0)
        change = curve * radius
        rest = (np.abs(slope) + change) * fill_bound(x.rest, x.shape) + change * error
        rest = np.where(
            smooth, rest, np.where(error > 0, fill_bound(known.error, known.shape), 0.0)
        )
        slope, fresh = np.where(smooth, slope, 0.0), None
        if x.fresh is not None and (x.is_large or x.is_used_once):
            fresh = np.abs(slope) * x.fresh
            if not x.is_large:
                x.fresh = None
        draws = self._draw_if_small(x).draws
        if draws is not None:
            draws = draws.times(slope)
        return draws, fresh, rest

    def _select_one(
        self, first: Array, unsure: Array, a: DrawnNumber, b: DrawnNumber, known: Enclosed
    ) -> DrawnNumber:
        """Returns one of two numbers, entry by entry; unsure entries have no bound of first order."""
        both = [self._draw_if_small(x) for x in (a, b)]
        chosen = [(x, here) for x, here in zip(both, (first, ~first), strict=True)]
        terms = [t for x, here in chosen if x.draws is not None for t in x.draws.times(here).terms]
        draws = _sum_of_terms(terms, known.shape)
        rest = np.where(first, fill_bound(a.rest, a.shape), fill_bound(b.rest, b.shape))
        kept = [np.where(here, x.fresh, 0.0) for x, here in chosen if x.fresh is not None]
        rest = np.where(unsure, np.inf, rest)
        return self._build(known, draws, combine_deviations(kept), rest, None, _join_sources(both))

    def select(self, c: DrawnNumber, a: DrawnNumber, b: DrawnNumber) -> DrawnNumber:
        """Returns one of two arrays by a condition; if rounding may change it, all error is rest."""
        choice = self._tighten(c)
        known = self.base.select(choice, self._tighten(a), self._tighten(b))
        if known.error is None:
            return DrawnNumber(known)
        return self._select_one(choice.value != 0, self.base.radius(choice) > 0, a, b, known)

    def reduce(self, fn: str, array: DrawnNumber, axes: tuple[int, ...]) -> DrawnNumber:
        """Returns the largest or least entry, or the product of entries.

        All error is rest for products, and if several entries may be the largest (least).
        """
        near = self._tighten(array)
        known = self.base.reduce(fn, near, axes)
        if known.error is None or fn == "prod":
            return self._all_rest(known)
        kept = [a for a in range(len(array.shape)) if a not in axes]

        def lines(part: Array) -> Array:
            first = part.ndim - len(array.shape)
            order = (*range(first), *(first + k for k in (*kept, *axes)))
            return np.transpose(part, order).reshape(*part.shape[:first], *known.shape, -1)

        values, radius = lines(UPWARDS[fn] * near.value), lines(self.base.radius(near))
        at = np.argmax(values, axis=-1)[..., None]

        def chosen_entry(part: Array) -> Array:
            found = lines(part)
            return np.take_along_axis(
                found, at.reshape((1,) * (found.ndim - at.ndim) + at.shape), -1
            )[..., 0]

        bar = np.max(values - radius, axis=-1, keepdims=True)
        unsure = np.count_nonzero(values + radius >= bar, axis=-1) != 1
        x = self._draw_if_small(array)
        draws = None if x.draws is None else x.draws.transform(chosen_entry, known.shape)
        fresh = change_bound(x.fresh, chosen_entry)
        if fresh is not None and not is_large(known.shape):
            fresh = fresh * self._exit_factor(x)
        rest = np.where(unsure, np.inf, chosen_entry(fill_bound(x.rest, x.shape)))
        return self._build(known, draws, fresh, rest, None, x.sources)

    def sort(self, array: DrawnNumber, axis: int) -> DrawnNumber:
        """Sorts entries in ascending order; all error is rest."""
        return self._all_rest(self.base.sort(self._tighten(array), axis))

    # -- matrices: all error is rest
    # -------------------------------------------------------------------------
    def _all_rest(self, known: Enclosed) -> DrawnNumber:
        return DrawnNumber(known, rest=known.error)

    def inverse(self, array: DrawnNumber) -> DrawnNumber:
        """Returns inverse matrices."""
        return self._all_rest(self.base.inverse(self._tighten(array)))

    def determinant(self, array: DrawnNumber) -> DrawnNumber:
        """Returns determinants."""
        return self._all_rest(self.base.determinant(self._tighten(array)))

    def matrix(self, fn: str, arrays: Sequence[DrawnNumber]) -> DrawnNumber:
        """Returns another function of matrices."""
        return self._all_rest(self.base.matrix(fn, [self._tighten(a) for a in arrays]))

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Any], shape: tuple[int, ...]
    ) -> Any:
        """Evaluates an opaque operation: a function of rows, or an update.

        Raises:
            EqvproofError: any other operation.
        """
        if name in (MEAN, SQUARES):
            x, rows = self._draw_if_small(arrays[0]), self._tighten(arrays[1])
            known = self.base.opaque(name, None, [x.known, rows], shape)
            more = self.base.extra_roundings(name, rows)
            rest = fill_bound(x.rest, x.shape) + more.second
            own = np.minimum(more.deviation, more.error)
            return self._build(known, x.draws, x.fresh, rest, own, x.sources)
        if name == AS_REAL:
            return DrawnNumber(self.base.take_as_real(self._tighten(arrays[0])))
        if name in (SOFTMAX, NORMALISED):
            return self._apply_to_rows(name, arrays)
        return self._all_rest(
            self.base.opaque(name, symmetry, [self._tighten(a) for a in arrays], shape)
        )

    def _apply_to_rows(self, name: str, arrays: Sequence[DrawnNumber]) -> DrawnNumber:
        """Evaluates a function of rows by its differential; adds the roundings of its steps."""
        own, near = arrays[0], self._tighten(arrays[1])
        known = self.base.opaque(
            name, None, [own.known, near, *(a.known for a in arrays[2:])], own.shape
        )
        if near.error is None:
            own.known = known
            return own
        own, x = (a if a.is_large else self._without_fresh(a) for a in (own, arrays[1]))
        f = rows_of(name, near.value, *(float(a.known.value) for a in arrays[2:]))
        R = self.base.radius(near)
        rest = fill_bound(own.rest, own.shape) + f.rest(near.error, R)
        rest = rest + f.bound(fill_bound(x.rest, x.shape)) + self.form.least
        terms, parts = list[Term](), list[Array]()
        if own.draws is not None:
            terms += own.draws.terms
        if x.draws is not None:
            terms += x.draws.transform(f.times, known.shape).terms
        if own.fresh is not None:
            parts.append(own.fresh)
        if x.fresh is not None:
            parts += f.deviation(x.fresh)
        draws = _sum_of_terms(terms, known.shape)
        return self._build(
            known, draws, combine_deviations(parts), rest, None, own.sources | x.sources
        )


def weighted_sum(*parts: tuple[float, Any]) -> Array:
    """Returns the sum of arrays times numbers; the first array has the shape of the sum."""
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


def _join_sources(arrays: Sequence[DrawnNumber]) -> frozenset[int]:
    return frozenset[int]().union(*(a.sources for a in arrays))


def _sum_fresh(kept: Sequence[Array], shape: tuple[int, ...]) -> Array | None:
    """Returns the fresh part of a sum; its parts are independent in small arrays only."""
    if is_large(shape) or len(kept) < 2:
        return combine_deviations(kept)
    return np.asarray(np.sqrt(array_sum(f * f for f in kept)))
