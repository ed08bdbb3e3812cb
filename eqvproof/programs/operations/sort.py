"""Sorting along an axis.

    PERM   v : (..., A_i, ...)                 ORTH, SIGN   v : all axes fixed
           ------------------------------                   -----------------------------
           sort_i v : (..., fixed, ...)                     sort_i v : all axes fixed

Proof. The k-th smallest of a family does not depend on its order; the other axes move whole lines.
A line with an undefined entry is undefined as a whole. A uniform axis is already sorted and stays
uniform. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.numbers.bound import Bound
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes, axis_text
from eqvproof.programs.operations.numpy_code import Text
from eqvproof.programs.rules.acts import UNI, Stuck, Type, fix, is_fixed
from eqvproof.programs.rules.characters import Exponent
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.translations import Move, require_other_axis

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Sort(Operation):
    """The entries in ascending order along an axis."""

    op: ClassVar[str] = "sort"
    rule: ClassVar[str] = "sorting"

    axis: int

    # -- shared answers
    is_up_to_signs = False
    is_rational = False
    typed = shared.acts_and_exponents
    sums = shared.no_sums
    evaluate_with_conditions = shared.evaluate_values
    count_conditions = shared.counts_nothing
    interval = shared.hull_of_sources
    is_whole = shared.whole_as_sources
    is_nonzero = shared.nonzero_as_sources
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary
    label = None

    @property
    def sources(self) -> tuple[int, ...]:
        return self.args

    @property
    def is_ordered(self) -> bool:
        return True

    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        return [None if a == self.axis else a for a in range(len(shape))]

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        (arg,) = args
        if not context.kind.permutes and not all(is_fixed(a) for a in arg):
            raise Stuck("sorting of entries that the group mixes or changes the sign of")
        if arg[self.axis] is UNI:
            sorted_act = UNI
        else:
            sorted_act = fix(self.shape[self.axis])
        return [(*arg[: self.axis], sorted_act, *arg[self.axis + 1 :])]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        return context.characters.ordered(exponents[0])

    def translated(self, args: list[Move], context: Context) -> Move:
        return require_other_axis(args[0], [self.axis], "reordered")

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return system.sort(args[0], self.axis)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        count = shapes[0][self.axis]
        return counts.symmetric(args[0], count, prod(shape) * count, prod(shape))

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        return where.sum_along(args[0].conditions, (self.axis,), keep=True)

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} = {args[0]} sorted along {axis_text(shapes[0], self.axis)}"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        return Text(f"np.sort({args[0].code}, {self.axis})")
