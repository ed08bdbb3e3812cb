"""Bounds the rounding of sums of products, in every order, with and without fused products.

The computed result is ``sum_k prod_i x_i (1 + t_k)`` with computed factors x_i and ``|t_k| <=
gamma_n = n u / (1 - n u)``, for n = (terms - 1) + (products) roundings on the longest path in any
order; fused products only omit some roundings. With ``|real factor| <= P_i`` and ``|computed
factor| <= Q_i = P_i + e_i``,

    |computed - real| <= gamma_n sum_k prod_i Q_i + sum_i sum_k (prod_{j<i} P_j) e_i (prod_{j>i} Q_j)

This is no expansion: terms of higher order are included. Terms that are exactly 0 cause no
rounding.

The bound is sharper for a flat sum of n terms t_k, which cannot be split into products of smaller
sums (each factor with a summed label has all of them): each of its n - 1 additions
rounds a partial sum. With ``S = sum_k |t_k|`` and ``s = sum_k t_k``, a partial sum is, up to earlier
roundings, at most ``(S + |s|) / 2``: the sum of the terms of one sign. So

    |computed - s| <= (n - 1) u (S + |s|) / 2 + (gamma_p + gamma_n^2) S      for p products in each term

Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, sections 3.1 and
4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

import numpy as np

from eqvproof.numbers.contraction import Labels
from eqvproof.rounding.enclosed import Array, Enclosed, add_bounds, change_bound
from eqvproof.rounding.formats import Format, gamma_of

Contract = Callable[[Sequence[Array]], Array]
#: Products of magnitudes above this do not underflow in float64.
VISIBLE = 1e-200


@dataclass(frozen=True, slots=True)
class Roundings:
    """The roundings of a sum of products.

    Attributes:
        terms: the number of terms that may differ from 0.
        products: the number of roundings of the products in each term.
        unit: the relative error of one operation.
        cut: the relative error of every term by truncated factors and stored intermediate results.
        stored: the relative error of the result, if it is stored in a shorter format.
        is_flat: True if no order of summation splits the sum (see the module docstring).
    """

    terms: int
    products: int
    unit: float
    cut: float
    stored: float
    is_flat: bool

    @property
    def count(self) -> int:
        """The number of roundings on the longest path."""
        return max(self.terms - 1, 0) + self.products

    @property
    def gamma(self) -> float:
        """The relative error of each term."""
        return gamma_of(self.count * self.unit) + self.cut

    def sum_error(self, size: Array, reach: Array) -> Array:
        """Bounds the error of a flat sum by its size S and its reach, at least |s|."""
        total = self.count * self.unit
        if not total < 1:
            return np.full(np.shape(size), np.inf)
        each = self.products * self.unit / (1 - total) + self.cut + (total / (1 - total)) ** 2
        return np.asarray(each * size + (self.terms - 1) * self.unit / 2 * (size + reach))

    def deviation(self, size: Array, reach: Array) -> Array:
        """Returns the deviation of a sum with independent roundings."""
        if not self.is_flat or self.terms < 2:
            return np.asarray((self.count**0.5 * self.unit + self.cut) * size)
        part = (self.terms - 1) ** 0.5 * self.unit / 2 * (size + np.minimum(size, reach))
        each = self.products**0.5 * self.unit * size
        return np.asarray(np.sqrt(part * part + each * each) + self.cut * size)


def roundings(
    factors: Sequence[Enclosed], labels: Sequence[Labels], output: Labels, sizes: Mapping[int, int],
    form: Format,
) -> Roundings:  # fmt: skip
    """Counts the roundings of the sum of products of these factors, with their relative errors."""
    scales = [f.scales_exactly() for f in factors]
    summed = {k: s for k, s in sizes.items() if k not in output and any(k in row for row in labels)}
    terms = prod(summed.values())
    for factor, row, plain in zip(factors, labels, scales, strict=True):
        if plain and terms > 1:
            terms = min(terms, _most_terms(factor, row, summed))
    rough = [row for row, plain in zip(labels, scales, strict=True) if not plain]
    products = max(len(rough) - 1, 0)
    is_sum = terms > 1
    scattered = is_sum and any(
        p and summed.keys() & set(row) for p, row in zip(scales, labels, strict=True)
    )
    if not is_sum or scattered:
        unit = form.step
    else:
        unit = form.sums * (1 + 2.0**-20)
    cut = 0.0
    if is_sum and form.sums < form.unit and products:  # stored intermediate results
        alone = sum(
            any(k in summed and sum(k in r for r in labels) == 1 for k in row) for row in labels
        )
        if len(rough) > 2:
            alone += products
        cut = form.step * alone
    tables = [row for row in labels if row]
    if form.factors and len(tables) > 1 and (is_sum or _is_matmul(tables, output, sizes)):
        cut += len(rough) * form.factors * (1 + 2.0**-8)
    stored = 0.0
    if is_sum and form.sums < form.unit:
        stored = form.step
    wide = {k for k, s in summed.items() if s > 1}
    is_flat = all(not wide & set(row) or wide <= set(row) for row in labels)
    return Roundings(terms, products, unit, cut, stored, is_flat)


def _is_matmul(rows: Sequence[Labels], output: Labels, sizes: Mapping[int, int]) -> bool:
    """Checks whether a product without a sum may be computed as a matrix product.

    A product of entries is not.
    """
    met = [k for row in rows for k in set(row) if k not in output]
    wide = sorted(({k for k in row if sizes[k] > 1} for row in rows), key=len)
    return len(met) > len(set(met)) or any(not a <= b for a, b in pairwise(wide))


def _most_terms(factor: Enclosed, row: Labels, summed: Mapping[int, int]) -> int:
    """Bounds the number of terms of an entry of the result, by the zeros of a factor."""
    if len(set(row)) < len(row):
        return prod(summed.values())
    axes = tuple(i for i, k in enumerate(row) if k in summed)
    if axes:
        most = int(np.max(np.count_nonzero(factor.value, axis=axes), initial=0))
    else:
        most = 1
    return most * prod(s for k, s in summed.items() if k not in row)


def propagate_errors(
    contract: Contract, sizes: Sequence[Array], errors: Sequence[Array | None], gamma: float
) -> Array | None:
    """Returns the first bound of the module docstring, from P_i and e_i; None stands for 0."""
    wide = [p if e is None else p + e for p, e in zip(sizes, errors, strict=True)]
    rounded = None
    if gamma:  # 0 times inf would be NaN
        rounded = gamma * wide[0]
    first = add_bounds(rounded, errors[0])
    found = change_bound(first, lambda e: contract([e, *wide[1:]]))
    for i, error in enumerate(errors[1:], start=1):
        if error is not None:
            found = add_bounds(found, contract([*sizes[:i], error, *wide[i + 1 :]]))
    return found


def may_vanish(factors: Sequence[Array]) -> bool:
    """Checks whether nonzero products of these magnitudes could underflow in float64."""
    least = (float(np.min(f, where=f > 0, initial=1.0)) for f in factors)
    return prod(least) < VISIBLE
