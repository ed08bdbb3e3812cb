"""Indicators: [i = j] and [j <= i + k] of indices, and [x = j] of an entry and a new index.

    [i = j] : (A, dual of A)        [j <= i + k] : (fixed, fixed)

    PERM   x : (A_1, ..., A_r)                      else   x : all axes fixed
           --------------------------------                ------------------------
           [x = j] : (A_1, ..., A_r, fixed)                [x = j] : all axes fixed

    PERM   E : an input with the axes (A_1, ..., A_r), whose entries are positions of the axis of rho
           ------------------------------------------------------------------------------------------
           [E = j] : (A_1, ..., A_r, rho)

Proof. Above: what does not depend on the inputs is the same when they are moved, so the identity
acts on it; and ``A I (A^-T)^T = I``, the dual of an orthogonal matrix, a permutation or signs among
them, being itself. [x = j] is an elementwise function of x with values in R^s. Below: a permutation
p, with (g v)[i] = v[p(i)], moves the entry j of E to the i with p(i) = j, and the axes of E by the
A. So [g E = i] = [A E = p(i)], which is the entry at p(i) of the one-hot vectors of A E: (A_1, ...,
A_r, rho) applied to them. An undefined entry makes the whole vector undefined, and nothing else is
undefined. QED

Of an input with relabelled entries nothing but the one-hot vectors has a type; all else that would
use its entries, as numbers, is refused where types are inferred.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.numbers.bound import ONE_MINUS, Bound, bits_of
from eqvproof.numbers.spans import UNIT, Interval
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes, integer_array
from eqvproof.programs.operations.numpy_code import Text, fixed_shape
from eqvproof.programs.rules.acts import UNI, Stuck, Type, dual, fix, is_fixed, std
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import ONE, Known, Totals

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Indicator(Operation):
    """1 where a relation holds between i and the index j of the last axis, else 0.

    Without an argument i is the index of the only other axis; the relation is ``i = j``, shape (s,
    s), or with an offset ``j <= i + offset``, shape (s, t). With one, i is its entry at the other
    indices, and the relation is ``i = j``: one-hot vectors, undefined where the entry is.
    """

    op: ClassVar[str] = "indicator"
    rule: ClassVar[str] = "indicator"

    offset: int | None = None

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    sources = ()
    typed = shared.acts_and_exponents
    character = shared.trivial_exponents
    translated = shared.no_translations
    evaluate_with_conditions = shared.evaluate_values
    count_conditions = shared.counts_nothing
    is_whole = shared.is_always_whole
    is_nonzero = shared.may_be_zero
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    varying_axes = shared.varies_as_arguments
    label = None

    @property
    def is_identity(self) -> bool:
        return not self.args and self.offset is None

    @property
    def triangle(self) -> int | None:
        if self.args:
            return None
        return self.offset

    @property
    def is_rational(self) -> bool:
        return not self.args

    @property
    def unit_axes(self) -> tuple[int, ...]:
        if self.offset is not None:
            return ()
        if self.args:
            return (-1,)
        return (-1, 0)

    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        return range(len(shape))

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        size = self.shape[-1]
        if not args:
            found = [context.fixed(self.shape)]
            for moved in context.candidates(size) if self.is_identity else ():
                pair = (moved, dual(moved, context.kind))
                found += [p for p in dict.fromkeys([pair, pair[::-1]]) if moved is not UNI]
            return list(dict.fromkeys(found))
        (arg,) = args
        if context.is_relabelled(self.args[0]):
            if size != context.size:
                raise Stuck(
                    "positions of an axis that the group moves are looked up in an axis of another"
                    " size"
                )
            return [(*arg, std(size))]
        if not context.kind.permutes and not all(is_fixed(a) for a in arg):
            raise Stuck("positions that the group mixes or changes the sign of")
        return [(*arg, fix(size))]

    def sums(self, known: Known) -> Totals:
        if self.offset is not None:
            return {}
        if not self.args:
            return {0: (ONE, ONE), 1: (ONE, ONE)}
        name, last = known.nodes[self.args[0]].input_name, len(self.shape) - 1
        inside = name is not None and known.indexed.get(name) == self.shape[last]
        if inside:
            return {last: (ONE, ONE)}
        return {}

    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        *batch, columns = shape = self.lengths(sizes)
        if args:
            places = integer_array(system, range(columns), (*(1 for _ in batch), columns))
            entries = system.reshape(args[0], (*batch, 1))
            return system.apply("eq", [system.broadcast(x, shape) for x in (entries, places)])
        pairs = ((i, j) for i in range(batch[0]) for j in range(columns))
        k = self.offset
        return integer_array(
            system, [int(i == j if k is None else j <= i + k) for i, j in pairs], shape
        )

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        if not args:
            return Bound()
        counts.call(prod(shape), args[0].plus(Bound(top_bits=bits_of(shape[-1]))))
        return ONE_MINUS

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        if args:
            return where.with_axes(args[0].conditions, 1)
        return None

    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        return UNIT

    def differing_axes(self, axes: Callable[[int], frozenset[int]]) -> frozenset[int]:
        own = axes(self.args[0]) if self.args else range(len(self.shape))
        return frozenset({*own, len(self.shape) - 1})

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        if self.offset is not None:
            return f"{name}[i, j] = 1 if j <= i + {self.offset} else 0"
        if args:
            return f"{name} = one-hot vectors of {args[0]}"
        return f"{name} = I"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        *batch, columns = fixed_shape(self.shape)
        if args:
            condition = f"{args[0].atom}[..., None] == np.arange({columns})"
            return Text(f"np.where({condition}, 1.0, 0.0)", condition=condition)
        if self.offset is None:
            return Text(f"np.eye({columns})")
        return Text(f"np.tri({batch[0]}, {columns}, {self.offset})")
