"""The facts that operations state about their values, against exact values of random Programs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.claims.size import Size
from eqvproof.numbers.arrays import unwrap
from eqvproof.numbers.signals import Undecided
from eqvproof.numbers.undefined import UNDEFINED, Absent
from eqvproof.programs import Builder, Program
from eqvproof.programs import operations as ops
from eqvproof.programs.defined import Domains
from eqvproof.programs.evaluate.exact_system import ExactSystem
from eqvproof.programs.evaluate.walk import bind, evaluate_program
from eqvproof.programs.operations import Operation, shared
from eqvproof.programs.rules.sums import Known, Totals, totals
from eqvproof.programs.signs import Signs
from tests.programs.evaluate.programs import random_inputs, random_program
from tests.sampling import examples

SIZES = st.fixed_dictionaries({"n": st.integers(1, 3), "d": st.integers(1, 3)})


class Point:
    """A Program of rational operations, with the exact value of each node at a random input."""

    def __init__(self, program: Program, seed: int, sizes: dict[str, int]) -> None:
        self.program = program
        raw = {name: unwrap(value) for name, value in random_inputs(seed, sizes).items()}
        self.sizes, self.system, self.values = (
            bind(self.program, raw, sizes),
            ExactSystem(),
            dict[int, Any](),
        )
        evaluate_program(
            self.program, self.system, raw, self.sizes, self.values, lambda op, value: True
        )
        self.rng = random.Random(seed)

    def violations(self) -> Iterator[tuple[str, str]]:
        """The operations and questions with an answer that the values contradict."""
        signs, domains, sums = (
            Signs(self.program),
            Domains(self.program),
            totals(self.program.nodes, {}),
        )
        for k, op in enumerate(self.program.nodes[: self.program.output + 1]):
            value = self.values[k]
            known = [x for x in value.flat if type(x) is not Absent]
            defined = np.array([x is not UNDEFINED for x in value.flat], dtype=bool).reshape(
                value.shape
            )
            low, high = signs.intervals.of(k)
            if any(type(x) is not fmpq for x in known) or len(known) < np.sum(defined):
                continue  # a pseudo-inverse of rank unknown
            if not all(low <= Fraction(int(x.p), int(x.q)) <= high for x in known):
                yield op.op, "interval"
            if signs.intervals.is_whole(k) and any(x.q != 1 for x in known):
                yield op.op, "is_whole"
            if signs.is_nonzero(k) and any(x == 0 for x in known):
                yield op.op, "is_nonzero"
            if signs.is_total(k) and not np.all(defined):
                yield op.op, "stays_defined"
            for axis in range(value.ndim):
                if axis not in domains.differing_axes(k) and not _is_constant(value, axis):
                    yield op.op, "differing_axes"
                if axis not in domains.varying_axes(k) and not _is_constant(defined, axis):
                    yield op.op, "varying_axes"
            for total_axis, ratio in sums[k].items():
                if not self._sums_to(value, defined, total_axis, ratio):
                    yield op.op, "sums"
            if not self._depends_along(op, value):
                yield op.op, "along"

    def _sums_to(
        self, value: Any, defined: Any, axis: int | None, ratio: tuple[Size, Size]
    ) -> bool:
        """Whether sums along an axis, or the entries, are what is said, where all are defined."""
        number = fmpq(ratio[0].value(self.sizes), 1) / ratio[1].value(self.sizes)
        if axis is None:
            return all(x == number for x in value[defined])
        lines = np.moveaxis(value, axis, -1).reshape(-1, value.shape[axis])
        return all(
            sum(line, fmpq(0)) == number
            for line in lines
            if not any(type(x) is Absent for x in line)
        )

    def _depends_along(self, op: Operation, value: Any) -> bool:
        """Whether a changed entry changes the result at the index alone that `along` names."""
        args = [self.values[a] for a in op.args]
        for k, arg in enumerate(args):
            for axis, place in enumerate(op.along(k, self.program.nodes[op.args[k]].shape)):
                if place is None or not arg.size:
                    continue
                index = self.rng.randrange(arg.shape[axis])
                other = arg.copy()
                for at in np.ndindex(*arg.shape):
                    if at[axis] == index:
                        other[at] = fmpq(self.rng.randint(-9, 9), 2)
                changed = [*args[:k], other, *args[k + 1 :]]
                try:
                    moved = op.evaluate(self.system, changed, self.sizes)
                except Undecided:
                    continue
                rest = [j for j in range(value.shape[place]) if j != index]
                if not _equal(np.take(value, rest, place), np.take(moved, rest, place)):
                    return False
        return True


def _equal(x: Any, y: Any) -> bool:
    """Whether all known entries of x are those of y."""
    pairs = ((a, b) for a, b in zip(x.flat, y.flat, strict=True) if type(a) is fmpq or a is UNDEFINED)
    return all(a is b or a == b for a, b in pairs)


def _is_constant(array: Any, axis: int) -> bool:
    """Whether all entries along an axis are equal."""
    first = np.take(array, [0], axis) if array.shape[axis] else array
    pairs = zip(np.broadcast_to(first, array.shape).flat, array.flat, strict=True)
    return all(a is b or bool(a == b) for a, b in pairs)


def a_branch_without_values() -> Program:
    """1 / s where v > 0 else v, with s the sum of v: undefined in part at points with s = 0."""
    b = Builder()
    b.input("X", ["n", "d"])
    v = b.input("v", ["n"])
    return b.program(b.select(b.map("gt", [v, b.const(0)]), b.map("recip", [b.sum(v)]), v))


def violations(seed: int, sizes: dict[str, int]) -> set[tuple[str, str]]:
    programs = [random_program(seed, rational=True), a_branch_without_values()]
    return {found for program in programs for found in Point(program, seed, sizes).violations()}


@given(seed=st.integers(0, 2**32), sizes=SIZES)
@settings(max_examples=examples(400))
def test_no_fact_is_wrong(seed: int, sizes: dict[str, int]) -> None:
    assert violations(seed, sizes) == set()


def sums_by_number(op: Operation, known: Known) -> Totals:
    """The sums of the argument, whatever a reshape makes of its axes."""
    axes = (None, *range(len(op.shape)))
    return {k: r for k, r in known.found[op.args[0]].items() if k in axes}


#: Answers of other operations: the values contradict each.
WRONG: list[tuple[type[Operation], str, Callable[..., Any]]] = [
    (ops.Sort, "along", shared.same_axes),
    (ops.Read, "along", shared.same_axes),
    (ops.Concat, "along", shared.same_axes),
    (ops.Indicator, "interval", lambda op, args, known: (1, 1)),
    (ops.Einsum, "is_nonzero", lambda op, span, known: True),
    (ops.Add, "is_nonzero", shared.nonzero_as_sources),
    (ops.Map, "is_whole", shared.is_always_whole),
    (ops.Map, "stays_defined", shared.is_defined_as_arguments),
    (ops.Map, "varying_axes", shared.varies_as_arguments),
    (ops.Matrix, "stays_defined", shared.is_defined_as_arguments),
    (ops.Concat, "differing_axes", lambda op, axes: frozenset()),
    (ops.Iota, "differing_axes", shared.axes_of_arguments),
    (ops.Select, "varying_axes", shared.varies_as_arguments),
    (ops.Concat, "sums", lambda op, known: known.found[op.args[0]]),
    (ops.Reshape, "sums", sums_by_number),
]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "question", "answer"), WRONG, ids=lambda x: getattr(x, "__name__", x)
)
def test_a_wrong_answer_is_seen(
    record: type[Operation],
    question: str,
    answer: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(record, question, answer)
    sizes = ({"n": n, "d": d} for n in (2, 3) for d in (2, 3))
    assert any(violations(seed, s) for s in sizes for seed in range(400))
