"""Reshapes: axes joined and split, entries in row-major order.

    v : factors of all axes in row-major order = f_1, ..., f_m (fixed neighbours merged)
    ------------------------------------------------------------------------------------
    reshape v : the same factors, cut at the new axes; fixed ones may be cut anywhere

Proof. Row-major position in a product of axes is the mixed-radix number whose digits are the
positions in the factors. Reshaping changes only which digits are read as one axis, and the tensor
product of matrices acts on each digit alone. A digit on which nothing acts may be split into
digits. An axis that is a direct sum of several blocks has no such digits: it must stay an axis of
its own. QED

An axis before, or behind, which nothing changes stays what it is: what is known of sums along it,
and of a vector that translations add along it, is known of the result. Proof. Its digit is read by
itself, before and after; the other digits are as many on both sides, in the same order. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.claims.size import Size
from eqvproof.numbers.bound import Bound
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes
from eqvproof.programs.operations.numpy_code import Text, fixed_shape
from eqvproof.programs.rules.acts import Act, Factor, Moved, Stuck, Type, act_size, canonical, fix
from eqvproof.programs.rules.characters import Exponent
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import Known, Totals
from eqvproof.programs.rules.translations import Move, renumber_axis, require_other_axis

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem

ONE = Size.of(1)


@dataclass(frozen=True, slots=True)
class Reshape(Operation):
    """The same entries, row-major, in another shape."""

    op: ClassVar[str] = "reshape"
    rule: ClassVar[str] = "reshape"
    keeps_order: ClassVar[bool] = True

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = True
    typed = shared.acts_and_exponents
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

    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        still = {a: k for k, a in self._unchanged_axes(shape).items()}
        return [still.get(a) for a in range(len(shape))]

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        (arg,) = args
        tokens: list[Digit | Whole] = []
        for act, size in zip(arg, context.shape(self.args[0]), strict=True):
            plain = fix(size) if act is None else act
            if plain is not None and len(plain) == 1:
                tokens.extend(Digit(s, moved) for s, moved in plain[0])
            else:
                tokens.append(Whole(plain))
        tokens = _merge_fixed(tokens)
        return [tuple(_take_act(tokens, size) for size in self.shape)]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        return exponents[0]

    def translated(self, args: list[Move], context: Context) -> Move:
        shape = context.shape(self.args[0])
        still = {a: k for k, a in self._unchanged_axes(shape).items()}
        found = require_other_axis(
            args[0], [a for a in range(len(shape)) if a not in still], "reshaped"
        )
        return renumber_axis(found, found.axis - still[found.axis])

    def _unchanged_axes(self, shape: Shape) -> dict[int, int]:
        """Maps each axis of the result that is an unchanged axis of the argument to that axis."""
        pairs = [*zip(shape, self.shape, strict=False)]
        front = next((k for k, (a, b) in enumerate(pairs) if a != b), len(pairs))
        pairs = [*zip(shape[front:][::-1], self.shape[front:][::-1], strict=False)]
        back = next((k for k, (a, b) in enumerate(pairs) if a != b), len(pairs))
        old, new = len(shape), len(self.shape)
        return {k: k for k in range(front)} | {new - k: old - k for k in range(1, back + 1)}

    def sums(self, known: Known) -> Totals:
        found, still = (
            known.found[self.args[0]],
            self._unchanged_axes(known.nodes[self.args[0]].shape),
        )
        return {k: found[a] for k, a in [(None, None), *still.items()] if a in found}

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return system.reshape(args[0], self.lengths(sizes))

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        return args[0]

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        return where.read_conditions(self, args[0], value)

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} = {args[0]} reshaped"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        return Text(f"np.reshape({args[0].code}, {fixed_shape(self.shape)})")


@dataclass(frozen=True, slots=True)
class Digit:
    """A factor of an axis: one digit of its mixed-radix positions."""

    size: Size
    moved: Moved


@dataclass(frozen=True, slots=True)
class Whole:
    """An axis that is a direct sum of several blocks."""

    act: Act


def _merge_fixed(tokens: list[Digit | Whole]) -> list[Digit | Whole]:
    """Joins fixed neighbours into one digit and drops fixed digits of size 1."""
    merged: list[Digit | Whole] = []
    for token in tokens:
        last = merged[-1] if merged else None
        if isinstance(token, Digit) and not token.moved:
            if token.size == ONE:
                continue
            if isinstance(last, Digit) and not last.moved:
                merged[-1] = Digit(last.size * token.size, moved=False)
                continue
        merged.append(token)
    return merged


def _take_act(tokens: list[Digit | Whole], size: Size) -> Act:
    """Returns the act of the next new axis and consumes its digits."""
    if size == ONE:
        return fix(ONE)
    taken: list[Factor] = []
    rest = size
    while rest != ONE:
        if not tokens:
            raise Stuck("a reshape that cuts an axis that the group moves")
        token = tokens[0]
        if isinstance(token, Whole):
            if taken or act_size(token.act) != rest:
                raise Stuck("a reshape of an axis that is a direct sum")
            tokens.pop(0)
            return token.act
        quotient = rest.divide(token.size)
        if quotient is not None:
            taken.append((token.size, token.moved))
            tokens.pop(0)
            rest = quotient
            continue
        left = None if token.moved else token.size.divide(rest)
        if left is None:
            raise Stuck("a reshape that cuts an axis that the group moves")
        taken.append((rest, False))
        tokens[0] = Digit(left, moved=False)
        rest = ONE
    return canonical([taken])
