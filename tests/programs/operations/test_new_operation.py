"""A new operation is one class: every walk over Programs asks it, and it answers all questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.linear_types import Gap, Proof, infer_equivariance
from eqvproof.engines.search.render import function_code
from eqvproof.numbers import to_floats
from eqvproof.programs import Builder, Program
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Operation, Shape, Sizes
from eqvproof.programs.operations.numpy_code import NotRenderable
from eqvproof.programs.rules.acts import Stuck, Type, is_fixed
from eqvproof.programs.rules.characters import Exponent
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.translations import Move, require_other_axis
from eqvproof.programs.signs import Signs
from eqvproof.support.errors import EqvproofError
from tests.with_program import sealed_proof


@dataclass(frozen=True, slots=True)
class RunningMax(Operation):
    """The greatest of the entries up to each place of an axis."""

    op: ClassVar[str] = "running max"
    rule: ClassVar[str] = "running maximum"

    axis: int

    # -- shared answers
    is_up_to_signs = False
    is_ordered = True
    is_rational = False
    along = shared.no_common_axes
    typed = shared.acts_and_exponents
    sums = shared.no_sums
    bound = shared.never_asked
    evaluate_with_conditions = shared.never_asked
    conditions = shared.never_asked
    count_conditions = shared.never_asked
    interval = shared.hull_of_sources
    is_whole = shared.whole_as_sources
    is_nonzero = shared.nonzero_as_sources
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary
    label = None
    code = shared.no_code

    @property
    def sources(self) -> tuple[int, ...]:
        return self.args

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        (arg,) = args
        moved = arg if not context.kind.permutes else (arg[self.axis],)
        if not all(map(is_fixed, moved)):
            raise Stuck("a running maximum of entries that the group moves")
        return [arg]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        return context.characters.ordered(exponents[0])

    def translated(self, args: list[Move], context: Context) -> Move:
        return require_other_axis(args[0], [self.axis], "compared")

    def evaluate(self, system: Any, args: Sequence[Any], sizes: Sizes) -> Any:
        lines = [system.take(args[0], self.axis, range(k, k + 1)) for k in range(args[0].shape[self.axis])]
        for k in range(1, len(lines)):
            lines[k] = system.apply("maximum", lines[k - 1 : k + 1])
        return system.concat(lines, self.axis)

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} = running maximum of {args[0]} along axis {self.axis + 1}"


def program(axis: int) -> Program:
    """x -> the running maxima of x x, plus 1."""
    b = Builder()
    x = b.input("X", ["n", "d"])
    found = b.node(RunningMax((b.mul(x, x),), b.shape(x), axis))
    return b.program(b.add([found, b.const(1)]))


@pytest.mark.parametrize(
    ("axis", "under", "proved"),
    [(1, "S(n)", True), (1, "C(n)", True), (0, "Signs(d)", True), (1, "Signs(n)", True), (0, "S(d)", True),
     (0, "S(n)", False), (1, "S(d)", False), (1, "O(d)", False), (0, "O(n)", False)],
)  # fmt: skip
def test_its_rule_is_asked(axis: int, under: str, proved: bool) -> None:
    output = "n! d!" if under.startswith("Signs") else "n d"
    signature = parse_signature(f"X: n d -> {output}")
    found = infer_equivariance(program(axis), signature, parse_group(under, signature), {})
    assert isinstance(found, Proof if proved else Gap)
    if isinstance(found, Proof):
        assert "running maximum" in {line.rule for line in found.factors[0].lines}
    else:
        assert "that the group" in found.reason


def test_a_claim_that_is_proved_holds_and_one_that_is_not_fails() -> None:
    rng = np.random.default_rng(0)
    x, order = rng.integers(-9, 9, (4, 3)), [2, 0, 3, 1]
    for axis, same in ((1, True), (0, False)):
        first, second = (
            evaluate_exact(program(axis), {"X": np.vectorize(Fraction, otypes=[object])(v)})
            for v in (x, x[order])
        )
        assert np.array_equal(first[order], second) is same


def test_every_number_system_computes_it() -> None:
    x = np.random.default_rng(1).integers(-9, 9, (4, 3))
    expected = np.maximum.accumulate(x * x, axis=0) + 1
    exact = evaluate_exact(program(0), {"X": np.vectorize(Fraction, otypes=[object])(x)})
    assert np.array_equal(to_floats(exact), expected)
    assert np.array_equal(evaluate_float(program(0), {"X": x.astype(float)}), expected)


def test_facts_come_from_its_sources() -> None:
    made = program(0)
    assert Intervals(made).of(made.output)[0] == 1
    assert Signs(made).is_total(made.output) and Signs(made).is_nonzero(made.output)
    assert "running maximum of v1 along axis 1" in str(made)


def test_an_operation_without_code_is_refused_aloud() -> None:
    with pytest.raises(NotRenderable):
        function_code(program(0), {"n": 2, "d": 2})


def test_the_kernel_accepts_no_operation_that_it_has_no_rule_for() -> None:
    signature, made = parse_signature("X: n d -> n d"), program(1)
    group = parse_group("S(n)", signature)
    found = infer_equivariance(made, signature, group, {})
    assert isinstance(found, Proof)
    claim = {
        "kind": "equivariance", **signature.to_json(), "group": group.to_json(),
        "scope": dict.fromkeys(signature.names, "all"),
    }  # fmt: skip
    with pytest.raises(EqvproofError, match="running max"):
        sealed_proof(claim, made.to_json(), found.to_json())
