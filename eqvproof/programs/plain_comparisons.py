"""Rewrites comparisons of increasing functions as comparisons of their arguments.

For an increasing function m, ``m(u) < m(v)`` means ``u < v``, and ``m(u) == m(v)`` means ``u ==
v``. Norms are compared by their squares then: of the square roots of two equal numbers only
enclosures are known, whose comparison is undecided.

These are functions that are defined wherever their argument is: ``sqrt`` of what is not negative,
``exp``, ``tanh``, ``arctan``, ``sinh``, ``arcsinh``, ``erf`` and ``cbrt``, ``log`` of what is
positive, and ``1/x`` of that, which exchanges the sides. A factor that is one number other than 0
is dropped as well; a negative one exchanges the sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from eqvproof.programs.builder import Builder
from eqvproof.programs.operations import Operation, Shape
from eqvproof.programs.program import Program
from eqvproof.programs.signs import EXCHANGED

#: Increasing functions that are defined everywhere.
_TOTAL = frozenset("exp tanh arctan sinh arcsinh erf cbrt".split())


class _View(NamedTuple):
    """A move or repetition of entries: the labels of the axes, those kept, and the shape."""

    labels: tuple[int, ...]
    kept: tuple[int, ...]
    shape: Shape


class Side(NamedTuple):
    """A value as a multiple of the entries of another one, moved and repeated.

    Attributes:
        factor: the multiple.
        views: the moves and repetitions, the last first.
        source: the other value.
    """

    factor: Fraction
    views: tuple[_View, ...]
    source: int


def simplify_comparisons(program: Program) -> Program:
    """Replaces comparisons of increasing functions by comparisons of their arguments.

    Both Programs are the same function of real numbers, undefined at the same places.
    """
    if not any(node.function in EXCHANGED for node in program.nodes):
        return program
    b, made, is_changed = Builder(), list[int](), False
    for name, shape in program.inputs:
        b.input(name, shape)
    for op in program.nodes:
        args = [made[a] for a in op.args]
        if op.function in EXCHANGED:
            plain = _simpler_comparison(b, op.function, args)
        else:
            plain = None
        if plain is None:
            instead = _extreme_of_monotone(b, op, args)
        else:
            instead = b.map(*plain)
        is_changed |= plain is not None
        if instead is None:
            instead = b.node(replace(op, args=tuple(args)))
        made.append(instead)
    if is_changed:
        return b.program(made[program.output])
    return program


def _extreme_of_monotone(b: Builder, op: Operation, args: list[int]) -> int | None:
    """Rewrites max m(u) as m(max u) for an increasing function m, with min for a decreasing one."""
    if op.extreme is None or len(b.nodes[args[0]].args) != 1:
        return None
    (fn, axes), inner = op.extreme, b.nodes[args[0]]
    grows = _grows(b, inner.function, inner.args[0])
    if not grows:
        return None
    which = fn
    if grows <= 0:
        which = {"max": "min", "min": "max"}[fn]
    return b.map(inner.function, [b.reduce(which, inner.args[0], axes)])


def _simpler_comparison(b: Builder, fn: str, args: list[int]) -> tuple[str, list[int]] | None:
    """Returns an equivalent comparison of arguments, or None."""
    found = None
    while True:
        left, right = (side_of(b.nodes, x) for x in args)
        if left.factor != right.factor:
            return found
        pair = b.nodes[left.source], b.nodes[right.source]
        is_same = (
            pair[0].function == pair[1].function and len(pair[0].args) == len(pair[1].args) == 1
        )
        if is_same:
            grows = [_grows(b, node.function, node.args[0]) for node in pair]
        else:
            grows = [0]
        if 0 in grows and left.factor == 1:
            return found
        turns = left.factor < 0
        if 0 not in grows:
            turns ^= grows[0] < 0
            left, right = (
                side._replace(source=node.args[0])
                for side, node in zip((left, right), pair, strict=True)
            )
        args = [_apply_views(b, left), _apply_views(b, right)]
        if turns:
            fn = EXCHANGED[fn]
        found = fn, args


def _grows(b: Builder, fn: str, x: int) -> int:
    """Returns 1 for increasing functions, -1 for decreasing ones, 0 for others.

    Functions with 1 or -1 are defined wherever their argument x is.
    """
    low = b.intervals.of(x)[0]
    if fn in _TOTAL or (fn == "sqrt" and low >= 0) or (fn == "log" and low > 0):
        return 1
    if fn == "recip" and low > 0:
        return -1
    return 0


def side_of(nodes: Sequence[Operation], x: int) -> Side:
    """Returns a value as a multiple of the entries of another one."""
    factor, views = Fraction(1), list[_View]()
    while (product := nodes[x].as_product) is not None:
        numbers = {k: nodes[a].constant for k, a in enumerate(product.args) if not nodes[a].shape}
        rest = [k for k in range(len(product.args)) if numbers.get(k) is None]
        if len(rest) != 1 or not set(product.inputs[rest[0]]) <= set(product.output):
            break
        times = [Fraction(v.item()) for v in numbers.values() if v is not None]
        if 0 in times:
            break
        for number in times:
            factor *= number
        views.append(_View(product.inputs[rest[0]], product.output, product.shape))
        x = product.args[rest[0]]
    return Side(factor, tuple(views), x)


def _apply_views(b: Builder, side: Side) -> int:
    """Returns the entries of a source, moved and repeated, without the multiple."""
    x = side.source
    for view in reversed(side.views):
        new = {
            k: size for k, size in zip(view.kept, view.shape, strict=True) if k not in view.labels
        }
        x = b.einsum([x], [view.labels], view.kept, new)
    return x
