"""Terms that are added in a sum: an array of rationals times values, summed over labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from math import isqrt, lcm, prod
from typing import Any

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.programs.defined import Domains

#: Most entries of an array that is taken apart, and orders of equal factors that are tried.
MOST_ENTRIES, MOST_ORDERS = 16_384, 24
_ROOT_BITS = 256
Factor = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Term:
    """The product of ``array[labels]`` and the factors, summed over labels not in the output.

    Attributes:
        labels: of the array's axes, each once; these axes are short.
        array: integers or Fractions.
        factors: nodes of the new program, each with a label an axis.
        output: the labels of the result.
        sizes: of all labels.
    """

    labels: tuple[int, ...]
    array: Any
    factors: tuple[Factor, ...]
    output: tuple[int, ...]
    sizes: Mapping[int, Size]


class Leave(Exception):
    """The node is better left as it is."""


def exact_numbers(array: Any) -> Any:
    """Converts numbers to exact ones: integers of Python if whole, for speed, else Fractions."""
    found = np.empty(np.size(array), dtype=object)
    found[:] = [
        v.numerator if v.denominator == 1 else v for v in map(Fraction, np.ravel(array).tolist())
    ]
    return found.reshape(np.shape(array))


def labelled_product(
    a: tuple[tuple[int, ...], Any], b: tuple[tuple[int, ...], Any]
) -> tuple[tuple[int, ...], Any]:
    """Multiplies two labelled arrays entrywise, over all labels of both."""
    labels = (*a[0], *(k for k in b[0] if k not in a[0]))
    views = []
    for own, array in (a, b):
        order = sorted(range(len(own)), key=lambda i: labels.index(own[i]))
        moved = np.transpose(array, order)
        shape = iter(moved.shape)
        views.append(moved.reshape([next(shape) if k in own else 1 for k in labels]))
    size = prod(max(p, q) for p, q in zip(views[0].shape, views[1].shape, strict=True))
    if size > MOST_ENTRIES * 16:
        raise Leave
    return labels, np.asarray(views[0] * views[1], dtype=object)


def partial_factors(t: Term, domains: Domains) -> frozenset[Any]:
    """Returns the factors that may be undefined, each with the axes of the result along which.

    Raises:
        Leave: along an axis that the array picks from, or that is summed and may be empty.
    """
    found = set()
    for x, row in t.factors:
        if domains.signs.is_total(x):
            continue
        places: list[Any] = []
        for axis, k in enumerate(row):
            if axis not in domains.varying_axes(x):
                continue
            if k in t.labels or (k not in t.output and not t.sizes[k].is_at_least(1)):
                raise Leave
            places.append(t.output.index(k) if k in t.output else "all")
        found.add((x, tuple(places)))
    summed = [s for k, s in t.sizes.items() if k not in t.output]
    if found and not all(s.is_at_least(1) for s in summed):
        raise Leave
    return frozenset(found)


def without_identities(t: Term) -> Term:
    """Merges labels tied by an identity matrix and drops axes along which the array is constant."""
    labels, array, factors, sizes = list(t.labels), t.array, t.factors, dict(t.sizes)
    for label in t.labels:
        axis = labels.index(label)
        first = np.take(array, [0], axis=axis)
        if np.all(array == first):
            labels, array = labels[:axis] + labels[axis + 1 :], np.take(array, 0, axis=axis)
            continue
        for other in labels[:axis]:
            if t.sizes[other] != t.sizes[label] or {label, other} <= set(t.output):
                continue
            place = labels.index(other)
            diagonal = np.moveaxis(np.diagonal(array, axis1=place, axis2=axis), -1, 0)
            if np.count_nonzero(array) != np.count_nonzero(diagonal) or np.any(
                diagonal != diagonal[:1]
            ):
                continue
            if label in t.output:
                keep, drop = (label, other)
            else:
                keep, drop = (other, label)
            factors = tuple((x, tuple(keep if k == drop else k for k in row)) for x, row in factors)
            labels = [k for i, k in enumerate(labels) if i not in (place, axis)]
            array = diagonal[0]
            del sizes[drop]
            break
    return replace(
        t, labels=tuple(labels), array=np.asarray(array, dtype=object), factors=factors, sizes=sizes
    )


def substitute_output(t: Term, u: Term, row: tuple[int, ...]) -> Term:
    """Multiplies a term by another, whose output labels become a row of labels of the first."""
    new = dict(zip(u.output, row, strict=True))

    def rename(k: int) -> int:
        return new.get(k, k)

    labels, array = tuple(map(rename, u.labels)), u.array
    while len(set(labels)) < len(labels):  # a diagonal
        k = next(k for k in labels if labels.count(k) > 1)
        first, second = [i for i, m in enumerate(labels) if m == k][:2]
        array = np.diagonal(array, axis1=first, axis2=second)
        labels = (*(m for i, m in enumerate(labels) if i not in (first, second)), k)
    labels, array = labelled_product((t.labels, t.array), (labels, array))
    factors = tuple((x, tuple(map(rename, r))) for x, r in u.factors)
    sizes = {**t.sizes, **{k: s for k, s in u.sizes.items() if k not in new}}
    return Term(labels, array, (*t.factors, *factors), t.output, sizes)


def factor_orders(factors: Sequence[Factor]) -> list[tuple[Factor, ...]]:
    """Returns the orders of the factors in which only equal nodes change places."""
    found: list[tuple[Factor, ...]] = [()]
    at = 0
    while at < len(factors):
        end = at
        while end < len(factors) and factors[end][0] == factors[at][0]:
            end += 1
        run = factors[at:end]
        if len(found) * len(run) > MOST_ORDERS:
            found = [(*f, *run) for f in found]
        else:
            found = [(*f, *order) for f in found for order in permutations(run)]
        at = end
    return found


def canonical(t: Term) -> Term:
    """Numbers labels by place: the output's, then the factors'."""
    factors = sorted(t.factors, key=lambda f: f[0])
    best: tuple[Any, Term] | None = None
    found = factor_orders(factors)
    variants = []
    for order in found:
        number: dict[int, int] = {}
        for k in [*t.output, *(k for _, row in order for k in row)]:
            number.setdefault(k, len(number))
        rows = tuple((x, tuple(number[k] for k in row)) for x, row in order)
        axes = sorted(range(len(t.labels)), key=lambda i: number[t.labels[i]])
        made = Term(
            tuple(number[t.labels[i]] for i in axes), np.transpose(t.array, axes), rows,
            tuple(number[k] for k in t.output), {number[k]: s for k, s in t.sizes.items()},
        )  # fmt: skip
        variants.append((rows, made, axes))
        if best is None or rows < best[0]:
            best = (rows, made)
    if best is None:
        raise Leave
    alike = [axes for rows, m, axes in variants if rows == best[0] and m.labels == best[1].labels]
    if len(alike) == 1:
        return best[1]
    return replace(best[1], array=_average(t.array, alike))


def _average(array: Any, orders: Sequence[Sequence[int]]) -> Any:
    """Averages an array over orders of its axes, which belong to equal factors."""
    common = lcm(*(v.denominator for v in np.asarray(array, dtype=object).flat))
    whole = np.frompyfunc(lambda v: v.numerator * (common // v.denominator), 1, 1)(array)
    total = sum(np.transpose(whole, axes) for axes in orders)
    return exact_numbers(np.frompyfunc(lambda v: Fraction(v, common * len(orders)), 1, 1)(total))


def sum_of_roots(parts: Sequence[tuple[Fraction, Any]]) -> Any:
    """Adds ``sqrt(q)`` times arrays of rationals, rounding irrational entries to floats.

    None if too many digits cancel to tell an entry from 0.

    Exactness: with integer roots, ``sqrt(q) = (isqrt(q 4^b) + t) / 2^b`` with ``0 <= t < 1``; an
    entry is taken where what all t add is less than 2^-64 of it, so that it is off by a part 2^-53
    of itself at most.
    """
    roots = [_root(q) for q, _ in parts]
    total = np.empty(parts[0][1].shape, dtype=object)
    for at in np.ndindex(total.shape):
        here = [
            (r, is_whole, Fraction(a[at]))
            for (r, is_whole), (_, a) in zip(roots, parts, strict=True)
        ]
        value = sum((r * v for r, _, v in here), Fraction(0))
        off = sum((abs(v) for _, is_whole, v in here if not is_whole), Fraction(0)) / 2**_ROOT_BITS
        if off and abs(value) <= off * 2**64:
            return None
        total[at] = Fraction(float(value)) if off else value
    return total


def _root(q: Fraction) -> tuple[Fraction, bool]:
    """Returns the square root, rounded down to _ROOT_BITS bits, and whether it is rational."""
    top, bottom = isqrt(q.numerator), isqrt(q.denominator)
    if (top * top, bottom * bottom) == (q.numerator, q.denominator):
        return Fraction(top, bottom), True
    return Fraction(isqrt((q.numerator << 2 * _ROOT_BITS) // q.denominator), 1 << _ROOT_BITS), False
