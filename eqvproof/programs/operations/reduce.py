"""Reductions: maximum, minimum and product over axes.

    PERM   v : (A_1, ..., A_r)                     ORTH, SIGN   v : all axes fixed
           ---------------------------------                    ------------------------------
           max_i v : the acts of the other axes                 max_i v : all axes fixed

Proof. The functions do not depend on the order of their arguments; a permutation of a reduced axis
orders them anew, one of another axis moves the results. On fixed axes nothing moves. One undefined
entry makes the result undefined, whatever its place. QED
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.numbers.bound import Bound
from eqvproof.numbers.spans import Interval, raised
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes, axis_text
from eqvproof.programs.operations.numpy_code import Text
from eqvproof.programs.rules.acts import Stuck, Type, is_fixed
from eqvproof.programs.rules.characters import Exponent
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import ONE
from eqvproof.programs.rules.translations import Move, Multiplied, renumber_axis, require_other_axis
from eqvproof.programs.signs import Signs

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem

REDUCE_FUNCTIONS: tuple[str, ...] = ("max", "min", "prod")


@dataclass(frozen=True, slots=True)
class Reduce(Operation):
    """max, min or prod over some axes."""

    op: ClassVar[str] = "reduce"
    rule: ClassVar[str] = "reduction"

    fn: str
    axes: tuple[int, ...]

    # -- shared answers
    is_up_to_signs = False
    is_rational = False
    typed = shared.acts_and_exponents
    sums = shared.no_sums
    evaluate_with_conditions = shared.evaluate_values
    count_conditions = shared.counts_nothing
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary
    label = None

    @property
    def sources(self) -> tuple[int, ...]:
        if self.fn == "prod":
            return ()
        return self.args

    @property
    def extreme(self) -> tuple[str, tuple[int, ...]] | None:
        if self.fn == "prod":
            return None
        return (self.fn, self.axes)

    @property
    def is_ordered(self) -> bool:
        return True

    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        kept = [a for a in range(len(shape)) if a not in self.axes]
        return [kept.index(a) if a in kept else None for a in range(len(shape))]

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        (arg,) = args
        if not context.kind.permutes and not all(is_fixed(a) for a in arg):
            raise Stuck(f"{self.fn} over entries that the group mixes or changes the sign of")
        return [tuple(a for i, a in enumerate(arg) if i not in self.axes)]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        if self.fn != "prod":
            return context.characters.ordered(exponents[0])
        shape = context.shape(self.args[0])
        return context.characters.power(
            exponents[0], math.prod((shape[a] for a in self.axes), start=ONE)
        )

    def translated(self, args: list[Move], context: Context) -> Move:
        if self.fn == "prod":
            raise Multiplied("a product of coordinates that are translated")
        found = require_other_axis(args[0], self.axes, "reduced")
        return renumber_axis(found, sum(a < found.axis for a in self.axes))

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return system.reduce(self.fn, args[0], self.axes)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        count = math.prod(shapes[0][a] for a in self.axes)
        if self.fn == "prod":
            return args[0].power(count)
        return counts.symmetric(args[0], count, math.prod(shapes[0]), math.prod(shape))

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        return where.sum_along(args[0].conditions, self.axes)

    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        low, high = args[0]
        if self.fn != "prod":
            return low, high
        count = math.prod(known.length(known.shape(self.args[0])[i])[1] for i in self.axes)
        most = max(abs(low), abs(high), 1)
        if most != 1:
            most = raised(most, count)
        if low >= 0:
            return (0, most)
        return (-most, most)

    def is_whole(self, known: Intervals) -> bool:
        return known.is_whole(self.args[0])

    def is_nonzero(self, span: Interval, known: Signs) -> bool:
        return known.is_nonzero(self.args[0])

    def stays_defined(self, known: Signs) -> bool:
        shape = known.shape(self.args[0])
        return self.fn == "prod" or all(shape[a].is_at_least(1) for a in self.axes)

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        over = ", ".join(axis_text(shapes[0], axis) for axis in self.axes)
        return f"{name} = {self.fn} of {args[0]} over {over}"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        axes: int | tuple[int, ...] = self.axes
        if len(self.axes) == 1:
            (axes,) = self.axes
        return Text(f"np.{self.fn}({args[0].code}, axis={axes})")
