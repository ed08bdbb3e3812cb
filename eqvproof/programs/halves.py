"""Rewrites code on real and imaginary parts, x[:d] and x[d:], as products with whole arrays.

Along an axis of 2d entries stand d real parts, then d imaginary parts: x[j, k] at d j + k, j = 0,
1. A sum of products of such parts is a constant array in the short labels j times a product, as in
`eqvproof.programs.components`. Where two labels j and j' meet one k, and the array is ``a I + b J``
in them, J = [[0, 1], [-1, 0]], the sum over k is a sum over the whole axis: of ``x[l] y[l]`` for I,
and of ``x[l] B[l, m] y[m]`` with ``B = [[0, I], [-I, 0]]`` for J. The same where a label of the
result stands in place of one of y. So complex inner products, and multiples of vectors by complex
numbers, are written with whole vectors and with B, for all d at once. Every step is an identity of
real numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.programs.components import _Rewriting
from eqvproof.programs.node import Reading
from eqvproof.programs.operations import WHOLE, Operation, Shape
from eqvproof.programs.program import Program
from eqvproof.programs.terms import Leave, Term

_TWO = Size.of(2)


def rewrite_halves(program: Program, wholes: Collection[Size]) -> Program:
    """Rewrites code that works on halves of axes of these sizes as products with whole arrays.

    Returns an equal Program, the same one if there is no such code.
    """
    work = _Halves(program, frozenset(wholes))
    for number in range(len(program.nodes)):
        work.visit(number)
    output = work.node(program.output)
    if work.changed:
        return work.b.program(output)
    return program


class _Halves(_Rewriting):
    """A rewriting whose factors have an axis of 2d entries as two axes, of 2 and of d."""

    def __init__(self, program: Program, wholes: frozenset[Size]) -> None:
        super().__init__(program, frozenset({2}), {}, joined=False)
        self.wholes = wholes
        self.split: dict[
            int, tuple[int, int]
        ] = {}  # node with the axis as two -> the node with it as one, and its place

    def visit(self, number: int) -> None:
        """Makes joined halves one whole; takes other nodes apart as usual."""
        op = self.program.nodes[number]
        if op.joined_axis is not None and op.shape[op.joined_axis] in self.wholes:
            try:
                self.plain[number] = self._join_halves(op, op.joined_axis)
                self.changed = True
                return
            except Leave:
                pass
        super().visit(number)

    def _take_apart_read(self, op: Reading) -> list[Term] | None:
        """Takes apart a read of one half of an axis; other reads as usual."""
        shape = self.program.nodes[op.args[0]].shape
        axis = next((k for k in op.changed_axes(shape) if shape[k] in self.wholes), None)
        if axis is None or len(op.shape) != len(shape):
            return super()._take_apart_read(op)
        half, place = op.shape[axis], op.places[axis]
        is_part = place.steps == (1,) and not place.cyclic and place.start in (Size.of(0), half)
        if not is_part or half + half != shape[axis]:
            return super()._take_apart_read(op)
        places = (*op.places[:axis], WHOLE, *op.places[axis + 1 :])
        shape = (*op.shape[:axis], shape[axis], *op.shape[axis + 1 :])
        x = self.b.read(self.node(op.args[0]), places, shape)
        apart = self.b.reshape(x, (*shape[:axis], _TWO, half, *shape[axis + 1 :]))
        self.split[apart] = x, axis
        t = self._factor(apart)
        return [
            replace(
                _pick_half(t, t.output[axis], int(place.start == half)),
                output=_drop_axis(t.output, axis),
            )
        ]

    def _join_halves(self, op: Operation, axis: int) -> int:
        """Joins two halves into a whole."""
        terms = []
        sizes = [self.program.nodes[a].shape[axis] for a in op.args]
        if len(sizes) != 2 or sizes[0] != sizes[1]:
            raise Leave
        for j, a in enumerate(op.args):
            for t in self._terms(a):
                new = self._label()
                output = (*t.output[:axis], new, *t.output[axis:])
                terms.append(
                    _pick_half(replace(t, output=output, sizes={**t.sizes, new: _TWO}), new, j)
                )
        made = [self._merge_halves(t, axis) for t in self._collect(terms)]
        if any(found is None for found in made):
            raise Leave
        return super()._build([t for found in made for t in found or ()], op.shape)

    def _build(self, terms: Sequence[Term], shape: Shape) -> int:
        made = [self._merge_halves(t) or [t] for t in terms]
        return super()._build([t for found in made for t in found], shape)

    def _merge_halves(self, t: Term, axis: int | None = None) -> list[Term] | None:
        """Returns the term as a sum of terms with whole axes, or None.

        Args:
            t: the term.
            axis: of the result, the first of two axes that are one.
        """
        ends: dict[
            int, list[int]
        ] = {}  # the label along the halves -> the labels that say which half
        if axis is not None:
            ends[t.output[axis + 1]] = [t.output[axis]]
        for x, row in t.factors:
            if x in self.split:
                at = self.split[x][1]
                ends.setdefault(row[at + 1], []).append(row[at])
        seen = [*t.output, *(k for _, row in t.factors for k in row)]
        for k, pair in ends.items():
            alone = all(seen.count(j) == 1 and j in t.labels for j in pair)
            if len(pair) != 2 or seen.count(k) != 2 or not alone:
                return None
        order = [j for pair in ends.values() for j in pair]
        rest = [k for k in t.labels if k not in order]
        array = np.transpose(t.array, [t.labels.index(k) for k in [*order, *rest]])
        found = []
        try:
            parts = [*_identity_ones_terms(array, len(ends))]
        except Leave:
            return None
        for turned, values in parts:
            whole: dict[int, int] = {}
            factors, sizes = list[Any](), dict(t.sizes)
            for k, pair, turn in zip(ends, ends.values(), turned, strict=True):
                one = self._label()
                two = self._label() if turn else one
                whole |= dict(zip(pair, (one, two), strict=True))
                size = t.sizes[k] + t.sizes[k]
                sizes |= {one: size, two: size}
                if turn:
                    factors.append((self.b.form(size, signs=False), (one, two)))
            for x, row in t.factors:
                if x in self.split:
                    x, at = self.split[x]
                    row = (*row[:at], whole[row[at]], *row[at + 2 :])
                factors.append((x, row))
            output = t.output
            if axis is not None:
                output = (*output[:axis], whole[output[axis]], *output[axis + 2 :])
            used = {*rest, *output, *(k for _, row in factors for k in row)}
            kept = {k: s for k, s in sizes.items() if k in used}
            found.append(Term(tuple(rest), values, tuple(factors), output, kept))
        return found or None


def _identity_ones_terms(array: Any, count: int) -> Iterator[tuple[tuple[bool, ...], Any]]:
    """Yields the terms of an array written as a sum of products of I and J times arrays.

    The factors I (False) and J (True) stand in the first `count` pairs of axes.

    Raises:
        Leave: the array is no such sum.
    """
    if not count:
        yield (), array
        return
    if np.any(array[0, 0] != array[1, 1]) or np.any(array[0, 1] != -array[1, 0]):
        raise Leave
    for turn, part in ((False, array[0, 0]), (True, array[0, 1])):  # a and b of a I + b J
        if np.any(part != 0):
            for more, values in _identity_ones_terms(np.asarray(part, dtype=object), count - 1):
                yield (turn, *more), values


def _pick_half(t: Term, label: int, place: int) -> Term:
    """Returns the term times ``[label = place]``, for a new label."""
    values = np.array([Fraction(int(j == place)) for j in range(2)], dtype=object)
    return replace(t, labels=(*t.labels, label), array=np.multiply.outer(t.array, values))


def _drop_axis(row: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*row[:axis], *row[axis + 1 :])
