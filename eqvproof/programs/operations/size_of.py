"""Sizes of axes as numbers, as ``x.shape[0]`` in a formula.

    s does not depend on the inputs
    ---------------------------------
    s : (fixed, ..., fixed)

Proof. The size of an axis does not change when the group acts, so the identity acts on it. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.claims.size import Size
from eqvproof.numbers.bound import Bound, bits_of
from eqvproof.numbers.spans import Interval
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes, integer_array
from eqvproof.programs.operations.numpy_code import Text
from eqvproof.programs.rules.acts import Type
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import ONE, Known, Totals

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class SizeOf(Operation):
    """The value of a size, as a scalar."""

    op: ClassVar[str] = "size"
    rule: ClassVar[str] = "size"

    size: Size

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = True
    sources = ()
    along = shared.no_common_axes
    typed = shared.acts_and_exponents
    character = shared.trivial_exponents
    translated = shared.no_translations
    evaluate_with_conditions = shared.evaluate_values
    conditions = shared.always_defined
    count_conditions = shared.counts_nothing
    is_whole = shared.is_always_whole
    is_nonzero = shared.may_be_zero
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary

    @property
    def as_size(self) -> Size:
        return self.size

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        return [context.fixed(self.shape)]

    def sums(self, known: Known) -> Totals:
        return {None: (self.size, ONE)}

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return integer_array(system, [self.size.value(sizes)], ())

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        return Bound(top_bits=bits_of(abs(self.size.value(counts.sizes))))

    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        return known.size(self.size)

    @property
    def label(self) -> str:
        if " " in str(self.size):
            return f"({self.size})"
        return str(self.size)

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} is a size"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        return Text(f"{self.size.constant}.0")
