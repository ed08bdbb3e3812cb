"""Constants: numbers and arrays of numbers, which no group element moves.

    c does not depend on the inputs
    -------------------------------        -------------------
    c : (fixed, ..., fixed)                0 : (A_1, ..., A_r), times every power of the character

Proof. A constant is computed alike on moved and unmoved inputs, so the identity acts on it; along
an axis on which it does not vary that is what UNI says. The zero tensor stays zero under every
linear map. QED Constants that group elements move, and that stay as they are:
`eqvproof.programs.rules.invariant_constants`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.numbers.bound import Bound, bits_of
from eqvproof.numbers.spans import Interval
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes
from eqvproof.programs.operations.numpy_code import Text, float_code, nested_lists
from eqvproof.programs.operations.stored import LEAST_STORED, Stored
from eqvproof.programs.rules.acts import UNI, Act, Type, fix
from eqvproof.programs.rules.characters import ZERO, Exponent, Typed
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import MOST_ENTRIES, Known, Totals
from eqvproof.programs.signs import Signs

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Const(Operation):
    """A tensor of rational numbers of constant shape.

    Attributes:
        values: its entries, row-major; many are stored as an array.
    """

    op: ClassVar[str] = "const"
    rule: ClassVar[str] = "constant"

    values: tuple[Fraction, ...] | Stored

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = True
    sources = ()
    along = shared.no_common_axes
    translated = shared.no_translations
    evaluate_with_conditions = shared.evaluate_values
    conditions = shared.always_defined
    count_conditions = shared.counts_nothing
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary

    def array(self) -> np.ndarray[Any, Any]:
        """Returns the tensor: the stored array, or one of Fractions."""
        if isinstance(self.values, Stored):
            flat = self.values.array
        else:
            flat = np.array(self.values, dtype=object)
        return flat.reshape([s.constant or 0 for s in self.shape])

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Returns the least and the greatest entry; 0 if there are none."""
        if isinstance(self.values, Stored):
            return Fraction(self.values.array.min().item()), Fraction(
                self.values.array.max().item()
            )
        return min(self.values, default=Fraction(0)), max(self.values, default=Fraction(0))

    @property
    def constant(self) -> np.ndarray[Any, Any]:
        return self.array()

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        array = self.array()
        if not np.any(array):
            return zero_types(self.shape, context)
        return [tuple(UNI if _is_uniform(array, i) else fix(s) for i, s in enumerate(self.shape))]

    def typed(self, args: Sequence[Typed], context: Context) -> list[Typed]:
        array = self.array()
        if not np.any(array):
            return zero_types_with_exponents(self.shape, context)
        from eqvproof.programs.rules.invariant_constants import invariant_types

        return [*map(Typed, self.infer([], context)), *invariant_types(array, self.shape, context)]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        if np.any(self.array()):
            return ZERO
        return None

    def sums(self, known: Known) -> Totals:
        if len(self.values) > MOST_ENTRIES:
            return {}
        shape = [s.constant or 0 for s in self.shape]
        sums: dict[int | None, set[Fraction]] = {None: set(self.values)}
        for axis, count in enumerate(shape):
            stride = math.prod(shape[axis + 1 :])
            starts = (i for i in range(len(self.values)) if i // stride % count == 0)
            sums[axis] = {
                sum(self.values[i : i + count * stride : stride], Fraction(0)) for i in starts
            }
        single = {k: v.pop() for k, v in sums.items() if len(v) == 1}
        return {k: (Size.of(v.numerator), Size.of(v.denominator)) for k, v in single.items()}

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return system.fractions(self.values, self.lengths(sizes))

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        common = math.lcm(*(v.denominator for v in self.values), 1)
        largest = max((abs(v.numerator) * common // v.denominator for v in self.values), default=1)
        return Bound(top_bits=bits_of(largest), common_bits=bits_of(common))

    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        return self.bounds()

    def is_whole(self, known: Intervals) -> bool:
        # the first entries decide most cases, or some that are spread over a large array
        if any(v.denominator != 1 for v in self.values[:LEAST_STORED]):
            return False
        entries = self.array().reshape(-1)
        spread = entries[:: 1 + len(entries) // LEAST_STORED]
        return bool(np.all(spread % 1 == 0) and np.all(entries % 1 == 0))

    def is_nonzero(self, span: Interval, known: Signs) -> bool:
        return bool(np.all(self.array()))

    @property
    def label(self) -> str | None:
        if self.shape:
            return None
        return str(self.values[0])

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        if self.shape:
            return f"{name} = a constant array"
        return name

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        entries = [float_code(v) for v in self.values]
        shape = self.lengths({})
        if not shape:
            return Text(entries[0], not entries[0].startswith("-") and " " not in entries[0])
        if len(set(entries)) == 1:
            return Text(f"np.full({shape}, {entries[0]})")
        return Text(
            f"np.array({nested_lists(entries, shape)})"
            + (f".reshape{shape}" if math.prod(shape) == 0 else "")
        )


def zero_types(shape: Shape, context: Context) -> list[Type]:
    """Returns the types with which a zero tensor is tried."""
    options: list[tuple[Act, ...]] = [context.candidates(s) for s in shape]
    return [tuple(choice) for choice in product(*options)][:16]


def zero_types_with_exponents(shape: Shape, context: Context) -> list[Typed]:
    """Returns the types of a zero tensor with exponents."""
    both: tuple[int, ...] = (0, 1)
    from eqvproof.programs.rules.invariant_constants import is_special

    if context.has_weights or is_special(context):
        both = (0,)
    return [Typed(acts, odd) for acts in zero_types(shape, context) for odd in both]


def _is_uniform(array: np.ndarray[Any, Any], axis: int) -> bool:
    """Checks whether nothing varies along an axis; False for axes of size 1 in large arrays."""
    if array.shape[axis] == 1 and array.size >= LEAST_STORED:
        return False
    if not array.size:
        return True
    first, last = (array.take([k], axis) for k in (0, -1))
    return bool(np.all(first == last)) and bool(
        np.all(array == first)
    )  # the ends decide most cases
