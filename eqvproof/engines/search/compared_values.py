"""Finds the values of a Program that it compares with one another, and computes them.

``argsort(s)`` compares s along an axis with itself, ``argmax(s)`` with its greatest entry, ``s >
t`` entry by entry. Increasing functions on both sides are left out (`simplify_comparisons`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flint import fmpq

from eqvproof.engines.search.result import Array, Inputs
from eqvproof.numbers import ExactSignal, precision
from eqvproof.numbers.arrays import unwrap
from eqvproof.programs import Program
from eqvproof.programs.evaluate.exact_system import ExactSystem
from eqvproof.programs.evaluate.floats import FloatSystem, nearest_float
from eqvproof.programs.evaluate.opaque import Functions
from eqvproof.programs.evaluate.walk import bind, evaluate_program
from eqvproof.programs.operations import Operation
from eqvproof.programs.plain_comparisons import Side, side_of, simplify_comparisons
from eqvproof.programs.signs import EXCHANGED

#: Bits of precision of enclosures.
_BITS = 128
#: Largest number of entries of a value that are compared pair by pair.
_MOST_ENTRIES = 4096


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """A value whose entries are compared along an axis, or two values compared entry by entry.

    Attributes:
        node: the value.
        axis: the axis; -1 for two values.
        other: the other value; -1 for one.
    """

    node: int
    axis: int = -1
    other: int = -1


def compared_values(program: Program) -> list[ComparedValue]:
    """Returns the comparisons of a Program, each once, without those with constants."""
    found: dict[ComparedValue, None] = {}
    moves = list[bool]()  # whether a value depends on inputs
    for node in program.nodes:
        moves.append(node.input_name is not None or any(moves[a] for a in node.args))
    for node in program.nodes[: program.output + 1]:
        if node.function not in EXCHANGED or len(node.args) != 2:
            continue
        left, right = (side_of(program.nodes, a) for a in node.args)
        for one, other in ((left, right), (right, left)):
            best = program.nodes[other.source]
            if (
                best.extreme is not None
                and side_of(program.nodes, best.args[0]).source == one.source
            ):
                found.update((ComparedValue(one.source, axis), None) for axis in best.extreme[1])
                break
        else:
            if moves[left.source] and moves[right.source]:
                found.update((c, None) for c in _of_sides(program.nodes, left, right, node.args))
    return list(found)


def _of_sides(
    nodes: Sequence[Operation], left: Side, right: Side, args: Sequence[int]
) -> Iterator[ComparedValue]:
    if left.source == right.source and left.factor == right.factor:
        rank = len(nodes[left.source].shape)
        yield from (
            ComparedValue(left.source, axis)
            for axis in range(rank)
            if _axis_of_side(left, axis) != _axis_of_side(right, axis)
        )
    else:
        yield ComparedValue(args[0], other=args[1])


def _axis_of_side(side: Side, axis: int) -> int:
    """Returns the axis of a side along which the entries of an axis of its source lie."""
    for view in reversed(side.views):
        axis = view.kept.index(view.labels[axis])
    return axis


class Values:
    """An evaluator of the compared values of a Program at points of some sizes.

    Args:
        program: the Program.
        sizes: the sizes of the names of its inputs.
        opaque: implementations of uninterpreted functions.
        wanted: returns the values of a Program to compute; by default those that it compares.
    """

    def __init__(
        self, program: Program, sizes: Mapping[str, int], opaque: Functions | None = None,
        wanted: Callable[[Program], list[ComparedValue]] = compared_values,
    ) -> None:  # fmt: skip
        program = simplify_comparisons(program)
        self.sizes = dict(sizes)
        self.targets = wanted(program)
        self._opaque = opaque
        needed = {n for t in self.targets for n in (t.node, t.other) if n >= 0}
        if needed:
            self._part = replace(program, output=max(needed))
        else:
            self._part = program
        self._number = {id(program.nodes[n]): n for n in needed}

    @property
    def work(self) -> int:
        """Counts the entries that are computed at a point."""
        known = {**self.sizes}
        return sum(
            int(np.prod(node.lengths(known))) for node in self._part.nodes[: self._part.output + 1]
        )

    def _run(self, system: Any, inputs: Mapping[str, Any]) -> dict[int, Any]:
        found: dict[int, Any] = {}

        def keep(node: Operation, value: Any) -> bool:
            number = self._number.get(id(node))
            if number is not None:
                found[number] = value
            return False

        evaluate_program(self._part, system, inputs, bind(self._part, inputs, self.sizes), {}, keep)
        return found

    def floats(self, inputs: Inputs) -> dict[int, Array]:
        """Returns the values in floats, NaN where undefined."""
        arrays = {
            n: np.array([nearest_float(v) for v in a.flat], np.float64).reshape(a.shape)
            for n, a in inputs.items()
        }
        with np.errstate(all="ignore"):
            return self._run(FloatSystem(np, np.float64, self._opaque, 0), arrays)

    def exact(self, inputs: Inputs) -> dict[int, Array]:
        """Returns the values as flint numbers: rationals, enclosures, or marks if undefined."""
        raw = {name: unwrap(value) for name, value in inputs.items()}
        with precision(_BITS):
            return self._run(ExactSystem(self._opaque, 0, named=False), raw)

    def differences(self, found: Mapping[int, Array], target: ComparedValue) -> Array:
        """Returns ``s_i - s_j`` for i < j along the axis of a comparison; or ``s - t``."""
        value = np.asarray(found[target.node])
        if target.axis < 0:
            return np.asarray(value - np.asarray(found[target.other]))
        rows = np.moveaxis(value, target.axis, 0)
        i, j = np.triu_indices(len(rows), 1)
        return np.asarray(rows[i] - rows[j])

    def pairs(self, target: ComparedValue) -> list[tuple[int, int]]:
        """Returns the pairs i < j of these differences, the first axis; none for two values."""
        if target.axis < 0:
            return []
        length = self._part.nodes[target.node].lengths(self.sizes)[target.axis]
        i, j = np.triu_indices(length, 1)
        return list(zip(i.tolist(), j.tolist(), strict=True))

    def is_small(self, target: ComparedValue) -> bool:
        """Checks whether the entries of a comparison are few enough to compute all differences."""
        return int(np.prod(self._part.nodes[target.node].lengths(self.sizes))) <= _MOST_ENTRIES

    def moved_axes(self, target: ComparedValue) -> dict[str, list[int]]:
        """Returns the axes of each input that have the size of the axis of a comparison."""
        if target.axis < 0:
            return {}
        size = self._part.nodes[target.node].shape[target.axis]
        return {n: [k for k, s in enumerate(shape) if s == size] for n, shape in self._part.inputs}


def is_certainly_zero(value: Any) -> bool:
    """Checks whether a difference of exact numbers is certainly 0."""
    return isinstance(value, fmpq) and value == 0


def exact_or_none(values: Values, inputs: Inputs) -> dict[int, Array] | None:
    """Returns exact values, or None if a point has none."""
    try:
        return values.exact(inputs)
    except ExactSignal:
        return None
