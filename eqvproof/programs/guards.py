"""Rewrites ``where(count > 0, sum / max(count, 1), other)`` without the maximum.

In ``where(count > 0, sum / max(count, 1), other)`` the maximum is the count itself wherever the
first value is chosen: a whole number greater than 0 is at least 1. `remove_guards` writes the
count in its place, so that weights ``w_i / max(sum_i w_i, 1)`` are seen to sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from eqvproof.programs.builder import Builder
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import Operation
from eqvproof.programs.program import Program

#: Axis of a node -> axis of the choice that has the same index; None if it has an index of its own.
Axes = Sequence[int | None]
#: Comparison f -> the value of ``count f 0`` that says that the count is greater than 0.
_POSITIVE = {"gt": True, "ne": True, "eq": False, "le": False}


@dataclass(frozen=True, slots=True)
class _Guard:
    """A count that is above 0 where a value is chosen.

    Attributes:
        count: its node.
        axes: its axes as those of the choice.
    """

    count: int
    axes: Axes


def remove_guards(program: Program) -> Program:
    """Replaces ``max(count, 1)`` by ``count`` in choices made by ``count > 0``.

    Returns a Program with equal values, the same one if there is no such choice. Entries that are
    not chosen may be undefined.

    Soundness: a value is replaced by another one that is equal wherever the choice takes it. Entry
    I of the value depends on entry I' of the maximum, and the condition of entry I on the same
    entry of the count: elementwise functions keep indices, and products take one factor's entry at
    indices of the result.
    """
    work = _Guards(program)
    for op in program.nodes:
        work.visit(op)
    if work.changed:
        return work.b.program(work.made[program.output])
    return program


class _Guards:
    """The rewriting of one Program."""

    def __init__(self, program: Program) -> None:
        self.program, self.b, self.made = program, Builder(), list[int]()
        self.intervals, self.changed = Intervals(program), False
        for name, shape in program.inputs:
            self.b.input(name, shape)

    def visit(self, op: Operation) -> None:
        """Rewrites the next node."""
        args = [self.made[a] for a in op.args]
        if len(op.choice) == 3:
            for branch, chosen in ((1, True), (2, False)):
                guard = self._guard(op.args[0], chosen)
                if guard is None:
                    other = None
                else:
                    other = self._without_maximum(op.args[branch], range(len(op.shape)), guard)
                if other is not None:
                    args[branch], self.changed = other, True
        self.made.append(self.b.node(replace(op, args=tuple(args))))

    def _guard(self, condition: int, chosen: bool) -> _Guard | None:  # noqa: FBT001
        """Returns the count that is above 0 where a condition holds (or does not), or None."""
        nodes = self.program.nodes
        source, view = axes_of(self.program, condition)
        op = nodes[source]
        if op.function == "lt" and self._is_number(op.args[0], 0):
            count = op.args[1]
            positive = True
        elif op.function in _POSITIVE and self._is_number(op.args[1], 0):
            count, positive = op.args[0], _POSITIVE[op.function]
        else:
            return None
        whole, inner = axes_of(self.program, count)
        if (
            positive is not chosen
            or not self.intervals.is_whole(whole)
            or self.intervals.of(whole)[0] < 0
        ):
            return None
        here = _axes_behind_view(view, range(len(view)), len(op.shape))
        return _Guard(whole, _axes_behind_view(inner, here, len(nodes[whole].shape)))

    def _without_maximum(self, x: int, axes: Axes, guard: _Guard) -> int | None:
        """Returns a value with counts in place of maxima; None if it has no such maximum.

        Args:
            x: the value, a node of the given Program.
            axes: its axes.
            guard: the count that is above 0 where the value matters.
        """
        op = self.program.nodes[x]
        kept = self._guarded_count(op, axes, guard)
        if kept is not None:
            return self.made[kept]
        product = op.as_product
        if product is not None:
            place = dict(zip(product.output, axes, strict=True))
            inner = [[place.get(label) for label in row] for _, row in product.factors]
            arguments = [a for a, _ in product.factors]
        elif op.function:
            arguments, inner = list(op.args), [list(axes) for _ in op.args]
        else:
            return None
        found = [
            self._without_maximum(a, own, guard) for a, own in zip(arguments, inner, strict=True)
        ]
        if all(f is None for f in found):
            return None
        args = [self.made[a] if f is None else f for a, f in zip(arguments, found, strict=True)]
        if product is None:
            return self.b.map(op.function, args)
        sizes = dict(zip(product.output, op.shape, strict=True))
        return self.b.einsum(args, [row for _, row in product.factors], product.output, sizes)

    def _guarded_count(self, op: Operation, axes: Axes, guard: _Guard) -> int | None:
        """Returns the count in ``max(count, 1)`` where it is guarded, or None."""
        if op.function != "maximum":
            return None
        for one, other in (op.args, op.args[::-1]):
            source, view = axes_of(self.program, one)
            shape = self.program.nodes[guard.count].shape
            if source != guard.count or not self._is_number(other, 1):
                continue
            here = _axes_behind_view(view, axes, len(shape))
            if all(size.constant == 1 or (a is not None and a == g)
                   for size, a, g in zip(shape, here, guard.axes, strict=True)):  # fmt: skip
                return one
        return None

    def _is_number(self, x: int, number: int) -> bool:
        constant = self.program.nodes[axes_of(self.program, x)[0]].constant
        return constant is not None and constant.shape == () and constant[()] == number


def axes_of(program: Program, node: int) -> tuple[int, tuple[int | None, ...]]:
    """Returns the value whose entries a node repeats or reorders, and its axis at each node axis.

    None stands for a new axis. Axes of the value that appear at none are of size 1.
    """
    summed = program.nodes[node].single_factor
    if summed is None:
        return node, tuple(range(len(program.nodes[node].shape)))
    source, row, kept = summed
    sizes = dict(zip(row, program.nodes[source].shape, strict=True))
    gone = [k for k, size in sizes.items() if k not in kept and size.constant != 1]
    if gone or len(set(row)) < len(row):
        return node, tuple(range(len(program.nodes[node].shape)))
    return source, tuple(row.index(k) if k in row else None for k in kept)


def _axes_behind_view(view: Axes, axes: Axes, rank: int) -> list[int | None]:
    """Returns the axes of a value, from those of a view of it."""
    found: list[int | None] = [None] * rank
    for here, source in zip(axes, view, strict=True):
        if source is not None:
            found[source] = here
    return found
