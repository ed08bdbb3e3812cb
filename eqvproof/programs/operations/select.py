"""Choices between two values, entry by entry: ``np.where(c, x, y)``.

    PERM   c, a, b : T                 ORTH, SIGN   a, b : T;  c uniform on the axes that T moves, else fixed
           -------------------                      -------------------------------------------------------
           select(c, a, b) : T                      select(c, a, b) : T

Proof. PERM: an elementwise function, as in `eqvproof.programs.rules.map`. Otherwise, at fixed
indices of the axes that T leaves fixed, c is one number for all entries along the moved axes and
the same for moved inputs, so the result is a or b as a whole there, on both sides the same one;
each transforms by T. Entries of the one not chosen do not matter on either side. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.numbers.bound import VARIABLE, Bound, with_variable
from eqvproof.numbers.spans import Interval, hull
from eqvproof.programs.defined import Domains
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Args, Lengths, Operation, Shape, Sizes
from eqvproof.programs.operations.numpy_code import Text, drop_explicit_broadcasts
from eqvproof.programs.rules.acts import UNI, Stuck, Type, is_fixed, unify_types
from eqvproof.programs.rules.characters import Exponent
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.translations import Move, common_move
from eqvproof.programs.signs import Signs

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Select(Operation):
    """a where c is not 0, else b (args c, a, b of the same shape)."""

    op: ClassVar[str] = "select"
    rule: ClassVar[str] = "choice"

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = False
    along = shared.same_axes
    typed = shared.acts_and_exponents
    sums = shared.no_sums
    is_whole = shared.whole_as_sources
    stays_defined = shared.is_defined_as_arguments
    differing_axes = shared.axes_of_arguments
    label = None

    @property
    def choice(self) -> Args:
        return self.args

    @property
    def sources(self) -> Args:
        return self.args[1:]

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        condition, *branches = args
        if context.kind.permutes:
            return [unify_types(args, context.kind)]
        result = unify_types(branches, context.kind)
        for c, act in zip(condition, result, strict=True):
            if not is_fixed(c):
                raise Stuck("a condition on entries that the group moves")
            if c is not UNI and not is_fixed(act):
                raise Stuck("a condition that varies along an axis that the group moves")
        free = [c if is_fixed(act) else act for c, act in zip(condition, result, strict=True)]
        return [unify_types([result, tuple(free)], context.kind)]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        return context.characters.equal(exponents[1:])

    def translated(self, args: list[Move], context: Context) -> Move:
        if args[0] is not None:
            raise Stuck("a condition on coordinates that are translated")
        return common_move(args[1:])

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return system.select(*args)

    def evaluate_with_conditions(self, args: Sequence[Any], where: Conditions) -> Any:
        """Evaluates the choice over prime fields; as a hash if the branches differ in definedness.

        Then ``b + (1 - e(c)) (a - b)`` says nothing: the branch that is not chosen may have a pole
        there for every c, such as 1/e(c), which the factor before it cancels.
        """
        condition, *branches = args
        parts = [branch.conditions for branch in branches]
        wide = [where.broadcast(part, condition.value) for part in parts]
        if parts == [None, None] or where.system.are_equal(*wide):
            return where.system.select(*(a.value for a in args))
        return where.hashed("choice", *(a.value for a in args), *wide)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        counts.call(2 * prod(shape), args[0])
        return with_variable(args[1].plus(args[2]))

    def count_conditions(self, args: Sequence[Bound], shape: Lengths, counts: CallCounts) -> None:
        counts.call(prod(shape), *args, VARIABLE)

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        own, *branches = (a.conditions for a in args)
        if branches == [None, None]:
            return own
        wide = [where.broadcast(c, args[0].value) for c in branches]
        return where.conjunction([own, where.hashed("defined branch", args[0].value, *wide)])

    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        low, high = args[0]
        if low > 0 or high < 0:
            return args[1]
        if low == high == 0:
            return args[2]
        return hull(args[1:])

    def is_nonzero(self, span: Interval, known: Signs) -> bool:
        return all(
            known.is_nonzero(a) or a in known.nonzero_in_branch(self, a)
            for a in self.deciding_args(known)[1:]
        )

    def deciding_args(self, known: Signs) -> Args:
        """Returns the condition, and the branches that it may choose."""
        if known.is_nonzero(self.args[0]):
            return self.args[:2]
        if known.intervals.of(self.args[0]) == (0, 0):
            return self.args[::2]
        return self.args

    def varying_axes(self, known: Domains) -> frozenset[int]:
        return known.differing_axes(self.args[0]).union(*map(known.varying_axes, self.args[1:]))

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} = {args[1]} where {args[0]} else {args[2]}"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        parts = drop_explicit_broadcasts(args)
        condition = args[0].condition or f"{parts[0].atom} != 0"
        return Text(f"np.where({condition}, {parts[1].code}, {parts[2].code})")
