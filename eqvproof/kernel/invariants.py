"""Constants that a group keeps: C = chi(g)^power g C, where g acts along some axes of C.

The entries are rational numbers and the size of the group is a number, so this is computed. The
elements with that property are a group, and it is an identity of rational functions of g: so it is
enough that it holds of elements that generate the group with its connected part, and that C is
killed by ``A + power tr(A)`` for matrices A whose brackets span the Lie algebra (`generators`);
along dual axes A acts by -A^T. Where all determinants are 1, ``A - tr(A) / n`` takes the place of
A: these span what has trace 0, and 1 multiplies C by the number of axes, less those that are dual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from . import generators
from .acts import DUAL, Act, normal
from .claims import Factor
from .exact import paid, sum_of_products
from .membership import rational_determinant
from .report import spend
from .rules.base import Step
from .sizes import as_integers

Number = Fraction | int


@dataclass(frozen=True, slots=True)
class Constant:
    """Numbers in row-major order, with the axes on which g acts.

    Attributes:
        values: the numbers.
        size: that of the axes on which g acts.
        strides: how far apart the entries of such an axis are, for each of them.
        ways: 1 for each such axis on which g acts by its standard matrix, -1 for the inverse
            transpose.
    """

    values: Sequence[Fraction]
    size: int
    strides: tuple[int, ...]
    ways: tuple[int, ...]


def is_kept(step: Step, moved: Sequence[int]) -> bool:
    """Checks whether the group keeps a constant with the stated acts and power.

    `moved` are the axes on which it acts.
    """
    s, power, lengths = step.setting, step.power, as_integers(step.node.shape)
    ways: dict[Act, int] = {normal([[(s.standard, True)]]): 1}
    if step.kind == "lin":
        ways[normal([[(s.standard, DUAL)]])] = -1
    size = s.standard.constant
    if size is None or any(step.stated[i] not in ways for i in moved):
        return False
    strides = tuple(prod(lengths[i + 1 :]) for i in moved)
    c = Constant(step.node.at["values"], size, strides, tuple(ways[step.stated[i]] for i in moved))
    times = None if isinstance(power, str) else power[0].number
    return times is not None and keeps(s.factor, c, times, special=s.is_special())


def keeps(factor: Factor, c: Constant, power: int, *, special: bool) -> bool:
    """Checks whether C = chi(g)^power g C for all g of the group; if `special`, chi is 1.

    For listed matrices that need not be orthogonal, all invertible matrices must keep C.
    """
    about, listed = factor.about, factor.generators
    spend(len(c.values) * len(c.strides) * (1 + c.size))
    if about.form and generators.bilinear_form(about, c.size) is None:
        return False
    if listed and factor.kind == "orth":
        spend(len(listed) * len(c.values) * len(c.strides) * c.size)
        chis = [rational_determinant(g) if power % 2 else 1 for g in listed]
        rows = ([[*enumerate(row)] for row in g] for g in listed)
        return all(_is_kept_by(g, c, chi) for g, chi in zip(rows, chis, strict=True))
    if factor.kind == "perm":
        moves = [(list(g), [1] * len(g)) for g in listed]
    else:
        moves = []
    for order, signs in moves + generators.others(about, c.size):
        minus = signs.count(-1) + (not generators.is_even(order))  # chi = (-1)^minus
        rows_ = [[pair] for pair in zip(order, signs, strict=True)]
        if not _is_kept_by(rows_, c, (-1) ** (power % 2 * minus)):
            return False
    algebra = generators.algebra(about, c.size)
    if algebra is None:
        return factor.kind in ("perm", "sign")
    if special:
        times = Fraction(-sum(c.ways), c.size)
    else:
        times = Fraction(power)
    return all(_is_killed(c, a, times) for a in algebra)


def _is_kept_by(g: Sequence[Sequence[tuple[int, Number]]], c: Constant, times: Number) -> bool:
    """Checks whether C = times g C, with (g x)[i] the sum of y x[k] over the (k, y) in row i."""
    moved = list(c.values)
    for stride in c.strides:
        places = [(j, j // stride % c.size) for j in range(len(moved))]
        moved = [
            sum_of_products((y, moved[j + (k - at) * stride]) for k, y in g[at]) for j, at in places
        ]
    return list(c.values) == [times * v for v in moved]


def _is_killed(c: Constant, a: generators.Matrix, power: Fraction) -> bool:
    """Checks whether an element A of the Lie algebra kills C with this power.

    ``power tr(A) C``, with A (way 1) or -A^T (way -1) applied along each axis, must add up to 0.
    """
    there = [(j, value) for j, value in enumerate(c.values) if value]
    spend(len(c.values) // 8 + len(there) * len(c.strides) * len(a) // 2)
    trace = power * sum(entry for row, column, entry in a if row == column)
    total: dict[int, Fraction] = {}
    if trace:
        total = {j: trace * value for j, value in there}
    for stride, way in zip(c.strides, c.ways, strict=True):
        for row, column, entry in a:
            to, source = (row, column) if way == 1 else (column, row)
            for j, value in there:
                if j // stride % c.size == source:
                    at = j + (to - source) * stride
                    total[at] = paid(total.get(at, Fraction(0)) + way * entry * value)
    return not any(total.values())
