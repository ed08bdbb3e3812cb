"""Sums of values, entry by entry: x + y.

    v_1 : T, ..., v_m : T
    ---------------------
    v_1 + ... + v_m : T

Proof. The action of g on values of type T is linear. A uniform axis may be weakened as in `unify`.
QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.numbers.bound import Bound
from eqvproof.numbers.spans import Interval, capped
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes
from eqvproof.programs.operations.numpy_code import Text, drop_explicit_broadcasts
from eqvproof.programs.rules.acts import Stuck, Type, unify_types
from eqvproof.programs.rules.characters import Exponent
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import Known, Totals, ratio_sum
from eqvproof.programs.rules.translations import Move, reduced_shift
from eqvproof.programs.signs import Signs

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Add(Operation):
    """The sum of at least two values of the same shape."""

    op: ClassVar[str] = "add"
    rule: ClassVar[str] = "sum"

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = True
    sources = ()
    along = shared.same_axes
    typed = shared.acts_and_exponents
    evaluate_with_conditions = shared.evaluate_values
    count_conditions = shared.counts_nothing
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    differing_axes = shared.axes_of_arguments
    varying_axes = shared.varies_as_arguments
    label = None

    @property
    def terms(self) -> tuple[int, ...]:
        return self.args

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        return [unify_types(args, context.kind)]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        return context.characters.equal(exponents)

    def translated(self, args: list[Move], context: Context) -> Move:
        moving = [a for a in args if a is not None]
        axis, weights = moving[0].axis, moving[0].weights
        if any(a.axis != axis or a.weights != weights for a in moving):
            raise Stuck("translations along different axes, or with different weights, are added")
        return reduced_shift(axis, *ratio_sum(*((a.num, a.den) for a in moving)), weights)

    def sums(self, known: Known) -> Totals:
        args = [known.found[a] for a in self.args]
        return {k: ratio_sum(*(a[k] for a in args)) for k in args[0] if all(k in a for a in args)}

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return system.add(args)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        return reduce(Bound.plus, args)

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        return where.conjunction([a.conditions for a in args])

    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        return capped(sum(a[0] for a in args), sum(a[1] for a in args))

    def is_whole(self, known: Intervals) -> bool:
        return all(map(known.is_whole, self.args))

    def is_nonzero(self, span: Interval, known: Signs) -> bool:
        spans = [known.intervals.of(a) for a in self.args]
        one_sided = all(s[0] >= 0 for s in spans) or all(s[1] <= 0 for s in spans)
        return one_sided and any(map(known.is_nonzero, self.args))

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} = " + " + ".join(args)

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        parts = drop_explicit_broadcasts(args)
        code = parts[0].code
        for text in parts[1:]:
            if text.code.startswith("-"):
                code += f" - {text.code[1:]}"
            else:
                code += f" + {text.code}"
        return Text(code, is_atom=False)
