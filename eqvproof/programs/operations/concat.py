"""Concatenations: values joined along an axis.

    v_1 : (..., A_1, ...), ..., v_m : (..., A_m, ...), the other axes alike
    -----------------------------------------------------------------------
    concat v : (..., A_1 + ... + A_m, ...)     (direct sum)

Proof. Along the joined axis the moved value is the moved parts one after another, which is the
block diagonal matrix of the A_i; along the other axes all parts are multiplied by the same matrix.
A uniform part is taken as fixed, for permutations also as moved by rho when it has the size of rho.
Under O(3) a part with another exponent of the determinant than the first has the first's, with the
determinant times A_i. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.numbers.bound import Bound
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes
from eqvproof.programs.operations.numpy_code import Text
from eqvproof.programs.rules.acts import Act, Block, Type, canonical, fix, std, twist, unify
from eqvproof.programs.rules.characters import Exponent, Typed
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import Known, Totals, are_equal_ratios
from eqvproof.programs.rules.translations import Move, common_move, require_other_axis

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Concat(Operation):
    """The arguments joined along an axis."""

    op: ClassVar[str] = "concat"
    rule: ClassVar[str] = "concatenation"

    axis: int

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = True
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
    def joined_axis(self) -> int:
        return self.axis

    @property
    def sources(self) -> tuple[int, ...]:
        return self.args

    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        return [None if a == self.axis else a for a in range(len(shape))]

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        axis = self.axis
        other = [
            unify([arg[i] for arg in args], context.kind) if i != axis else None
            for i in range(len(self.shape))
        ]
        options: list[list[Act]] = []
        for x, arg in zip(self.args, args, strict=True):
            size, act = context.shape(x)[axis], arg[axis]
            if act is not None:
                options.append([act])
            elif context.kind.permutes and size == context.size:
                options.append([std(size), fix(size)])
            else:
                options.append([fix(size)])
        result = []
        for choice in list(product(*options))[:16]:
            blocks: list[Block] = [block for act in choice for block in act or ()]
            result.append((*other[:axis], canonical(blocks), *other[axis + 1 :]))
        return list(dict.fromkeys(result))

    def typed(self, args: Sequence[Typed], context: Context) -> list[Typed]:
        odd = args[0].odd
        if context.is_spatial and any(a.odd != odd for a in args):
            args = [
                a if a.odd == odd else self._twisted(x, a, context)
                for x, a in zip(self.args, args, strict=True)
            ]
        return shared.acts_and_exponents(self, args, context)

    def _twisted(self, x: int, arg: Typed, context: Context) -> Typed:
        act = arg.acts[self.axis] or fix(context.shape(x)[self.axis])
        return Typed((*arg.acts[: self.axis], twist(act), *arg.acts[self.axis + 1 :]), 1 - arg.odd)

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        return context.characters.equal(exponents)

    def translated(self, args: list[Move], context: Context) -> Move:
        return require_other_axis(common_move(args), [self.axis], "joined")

    def sums(self, known: Known) -> Totals:
        first, *rest = (known.found[a] for a in self.args)
        kept = (
            k
            for k in first
            if k != self.axis and all(k in a and are_equal_ratios(a[k], first[k]) for a in rest)
        )
        return {k: first[k] for k in kept}

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return system.concat(args, self.axis)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        return reduce(Bound.joined, args)

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        if all(a.conditions is None for a in args):
            return None
        return where.system.concat(
            [where.broadcast(a.conditions, a.value) for a in args], self.axis
        )

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} = [{', '.join(args)}] along axis {self.axis}"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        return Text(f"np.concatenate([{', '.join(a.code for a in args)}], axis={self.axis})")
