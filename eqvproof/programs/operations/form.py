"""Matrices B of bilinear forms that groups keep, ``g^T B g = B``, at any size.

    B does not depend on the inputs        B is the form of the group at this size
    -------------------------------        ---------------------------------------
    B : (fixed, fixed)                     B : (rho, rho) and (dual, dual)

Proof. B does not depend on the inputs. Where ``g^T B g = B`` for all g, also ``g^-T B g^-1 = B``,
which is (dual, dual); and as ``B^-1`` is B or -B, ``g B g^T = B``, its inverse. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.claims.groups.families import EVERY_FAMILY
from eqvproof.numbers.bound import Bound
from eqvproof.numbers.spans import Interval
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes, integer_array
from eqvproof.programs.operations.numpy_code import Text, fixed_shape, nested_lists
from eqvproof.programs.rules.acts import Type, dual, std
from eqvproof.programs.rules.context import Context

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Form(Operation):
    """The matrix ``[[0, I], [-I, 0]]`` of even size, or ``diag(1, -1, ..., -1)`` with `signs`."""

    op: ClassVar[str] = "form"
    rule: ClassVar[str] = "a form that the group keeps"

    signs: bool

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

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        found = [context.fixed(self.shape)]
        size, record = self.shape[0], EVERY_FAMILY[context.family]
        if (
            size == context.size
            and record.keeps_form
            and record.form(2) == self._rows(2)
            and not record.size
        ):
            moved = std(size)
            found += dict.fromkeys([(moved, moved), (dual(moved, context.kind),) * 2])
        return found

    def _rows(self, size: int) -> list[list[int]]:
        half = size // 2
        if self.signs:
            return [[int(i == j) * (-1 if i else 1) for j in range(size)] for i in range(size)]
        return [[int(j == i + half) - int(i == j + half) for j in range(size)] for i in range(size)]

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        shape = self.lengths(sizes)
        return integer_array(system, [v for row in self._rows(shape[0]) for v in row], shape)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        return Bound()

    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        return -1, 1

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        if self.signs:
            return f"{name} = diag(1, -1, ..., -1)"
        return f"{name} = [[0, I], [-I, 0]]"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        shape = fixed_shape(self.shape)
        return Text(
            f"np.array({nested_lists([f'{v}.0' for row in self._rows(shape[0]) for v in row], shape)})"
        )
