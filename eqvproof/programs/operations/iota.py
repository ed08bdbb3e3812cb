"""Vectors that count: 0, 1, ..., n - 1, as by ``np.arange(n)``.

    0, 1, ..., s - 1 does not depend on the inputs
    ------------------------------------------------
    0, 1, ..., s - 1 : (fixed, ..., fixed)

Proof. A counting vector is computed alike on moved and unmoved inputs, so the identity acts on it.
QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.numbers.bound import Bound, bits_of
from eqvproof.numbers.spans import Interval
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes, integer_array
from eqvproof.programs.operations.numpy_code import Text, fixed_shape
from eqvproof.programs.rules.acts import Type
from eqvproof.programs.rules.context import Context

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Iota(Operation):
    """0, 1, ..., s - 1, shape (s,)."""

    op: ClassVar[str] = "iota"
    rule: ClassVar[str] = "constant"

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = True
    sources = ()
    along = shared.no_common_axes
    typed = shared.acts_and_exponents
    character = shared.trivial_exponents
    translated = shared.no_translations
    sums = shared.no_sums
    evaluate_with_conditions = shared.evaluate_values
    conditions = shared.always_defined
    count_conditions = shared.counts_nothing
    is_whole = shared.is_always_whole
    is_nonzero = shared.may_be_zero
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary
    label = None

    @property
    def is_counting(self) -> bool:
        return True

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        return [context.fixed(self.shape)]

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        shape = self.lengths(sizes)
        return integer_array(system, range(shape[0]), shape)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        return Bound(top_bits=bits_of(shape[0]))

    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        return 0, max(known.length(self.shape[0])[1] - 1, 0)

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name}[i] = i"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        return Text(f"np.arange({fixed_shape(self.shape)[0]}.0)")
