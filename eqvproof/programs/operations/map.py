"""Elementwise functions: exp, sqrt, comparisons, ..., with one argument or two.

    PERM   v_1 : T, ..., v_m : T             ORTH, SIGN   v_1, ..., v_m : all axes fixed
           ----------------------                         ------------------------------
           fn(v_1, ..., v_m) : T                          fn(v_1, ..., v_m) : all axes fixed

    SIGN, fn odd    v : T             SIGN, fn even   v_1, ..., v_m : T
                    ---------                         --------------------------------------
                    fn(v) : T                         fn(v_1, ..., v_m) : T, all axes fixed

Proof. A permutation of an axis moves entries and changes none, and fn does the same to every entry.
On fixed axes nothing moves. A sign change multiplies an entry by s in {-1, 1} (the product of the
signs of its axes), and fn(s v) = s fn(v) or fn(v). Of two arguments that are multiplied by the same
signs, it stays so which are 0, and whether they are equal: such are ==, !=, and, or. Undefined
entries are those at which fn is undefined or an argument is: they move with the entries; fn odd or
even is undefined at -v where it is at v. In particular under ORTH an undefined entry arises at a
place whose axes are all fixed, and reaches mixed axes only through einsums, where it then fills
whole lines of them. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.claims.size import Size
from eqvproof.numbers.bound import ONE_MINUS, Bound, with_variable
from eqvproof.numbers.spans import (
    EVERYTHING,
    INF,
    Interval,
    interval_power,
    raised,
    reciprocal_end,
    rounded_to_whole,
)
from eqvproof.programs.defined import Domains
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes
from eqvproof.programs.operations.functions import FUNCTIONS, Function
from eqvproof.programs.operations.numpy_code import Text, drop_explicit_broadcasts
from eqvproof.programs.rules.acts import Act, Stuck, Type, fix, is_fixed, unify_types
from eqvproof.programs.rules.characters import DEGREES, WEIGHTS, ZERO, Degree, Exponent
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import Known, Totals
from eqvproof.programs.rules.translations import Move
from eqvproof.programs.signs import Signs

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem

#: Functions that are rational in other functions; all others are hashes over prime fields.
ALGEBRAIC = frozenset("recip abs maximum minimum lt le gt ge eq ne not and or ceil mod".split())

#: Functions of two arguments that stay as they are where both change their signs.
EVEN_IN_BOTH = frozenset("eq ne and or".split())


@dataclass(frozen=True, slots=True)
class Map(Operation):
    """An elementwise function of values of the same shape."""

    op: ClassVar[str] = "map"
    rule: ClassVar[str] = "elementwise"

    fn: str

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    sources = ()
    along = shared.same_axes
    typed = shared.acts_and_exponents
    evaluate_with_conditions = shared.evaluate_values
    deciding_args = shared.all_arguments
    differing_axes = shared.axes_of_arguments
    label = None

    @property
    def row(self) -> Function:
        """Returns the properties of the function."""
        return FUNCTIONS[self.fn]

    @property
    def is_rational(self) -> bool:
        return self.fn == "recip"

    @property
    def function(self) -> str:
        return self.fn

    # -- how groups act
    # --------------------------------------------------------------------------------

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        if not args:
            return [()]
        if context.kind.permutes:
            return [unify_types(args, context.kind)]
        if context.kind.flips_signs and len(args) == 1:
            if self.row.parity == "odd":
                return [args[0]]
            if self.row.parity == "even":
                return [_fixed(args[0], self.shape)]
        if context.kind.flips_signs and self.fn in EVEN_IN_BOTH and args[0] == args[-1]:
            return [_fixed(args[0], self.shape)]
        if not all(is_fixed(act) for arg in args for act in arg):
            raise Stuck(
                f"the elementwise function {self.fn} is applied to entries that the group"
                f" {context.kind.verb}"
            )
        return [unify_types(args, context.kind)]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        if context.characters is DEGREES:
            return self._degree(exponents, context)
        if self.fn in ("and", "or"):
            return 0
        if context.characters is WEIGHTS:
            return self._weight(exponents)
        if self.row.parity:
            return int(self.row.parity == "odd")
        if self.fn in ("eq", "ne") and all(exponents):
            return 0
        raise Stuck(
            f"the function {self.fn} is applied to values that a reflection turns into their"
            f" negatives"
        )

    def _weight(self, weights: Sequence[int]) -> int:
        if self.fn == "recip":
            return WEIGHTS.inverse(weights[0])
        if self.fn == "not" or (self.fn in ("eq", "ne") and len(set(weights)) == 1):
            return 0
        return WEIGHTS.plain(weights, self.fn)

    def _degree(self, degrees: Sequence[Degree], context: Context) -> Degree:
        rule = self.row.degree
        if isinstance(rule, Fraction):
            return DEGREES.scale(degrees[0], (Size.of(rule.numerator), Size.of(rule.denominator)))
        if rule in ("alike", "order"):
            common = DEGREES.equal(degrees)
            if rule == "alike":
                return common
            return ZERO
        if rule == "truth":
            return ZERO
        if self.fn == "pow" and degrees[0] is not None and not (degrees[1] and degrees[1][0].terms):
            exponent = context.totals[self.args[1]].get(None)
            if exponent is not None:
                return DEGREES.scale(degrees[0], exponent)
        return DEGREES.plain(degrees, self.fn)

    def translated(self, args: list[Move], context: Context) -> Move:
        raise Stuck(f"the function {self.fn} is applied to coordinates that are translated")

    def sums(self, known: Known) -> Totals:
        if self.fn == "recip":
            each = known.found[self.args[0]].get(None)
        else:
            each = None
        if each is not None and each[0].terms:
            return {None: each[::-1]}
        return {}

    # -- values
    # ----------------------------------------------------------------------------------------
    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        return system.apply(self.fn, args)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        count = prod(shape)
        if self.fn not in ALGEBRAIC:
            return counts.call(count, *args)
        x = args[0]
        y = args[1] if len(args) > 1 else Bound()
        match self.fn:
            case "recip":
                return x.reciprocal()
            case "abs":
                return x.times(counts.call(count, x))
            case "maximum" | "minimum":
                counts.call(count, x.plus(y))
                return with_variable(x.plus(y)).over(2)
            case "lt" | "le" | "gt" | "ge" | "eq" | "ne":
                counts.call(count, x.plus(y))
                return ONE_MINUS
            case "and" | "or":
                counts.call(2 * count, x, y)
                return Bound(top=2, top_bits=2.0)
            case "mod":
                return x.plus(y.times(counts.call(count, x.times(y.reciprocal()))))
            case _:  # not, ceil
                return counts.call(count, x)

    def count_conditions(self, args: Sequence[Bound], shape: Lengths, counts: CallCounts) -> None:
        if self.row.partial:
            counts.call(prod(shape), *args)

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        if self.row.partial:
            own = where.function_is_defined(self.row, [a.value for a in args])
        else:
            own = None
        return where.conjunction([*(a.conditions for a in args), own])

    # -- where values lie
    # ------------------------------------------------------------------------------
    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        if self.row.span != EVERYTHING or not args:
            return self.row.span
        (low, high), second = args[0], args[-1]
        match self.fn:
            case "floor" | "ceil" | "rint":
                return rounded_to_whole(low, up=False), rounded_to_whole(high, up=True)
            case "sign":
                return (-1 if low < 0 else 0), (1 if high > 0 else 0)
            case "abs":
                return (max(low, -high, 0), max(-low, high))
            case "maximum":
                return max(low, second[0]), max(high, second[1])
            case "minimum":
                return min(low, second[0]), min(high, second[1])
            case "recip" if low > 0 or high < 0:
                return reciprocal_end(high), reciprocal_end(low)
            case "recip" | "cbrt" | "sinh" | "arcsinh" if low >= 0 or high <= 0:
                if low >= 0:
                    return (0, INF)
                return (-INF, 0)
            case "mod" if second[0] > 0:
                if all(map(known.is_whole, self.args)):
                    most = second[1] - 1
                else:
                    most = second[1]
                if low >= 0:
                    return (0, min(high, most))
                return (0, most)
            case "pow" if low >= 1 and second[0] >= 0:
                return 1, raised(high, second[1])
            case "pow" if (
                second[0] == second[1] and known.is_whole(self.args[1]) and 0 <= second[0] <= 64
            ):
                return interval_power((low, high), int(second[0]))
        return EVERYTHING

    def is_whole(self, known: Intervals) -> bool:
        keeps = self.row.whole == "kept" or (self.fn == "pow" and known.of(self.args[1])[0] >= 0)
        return self.row.whole == "always" or (keeps and all(map(known.is_whole, self.args)))

    def is_nonzero(self, span: Interval, known: Signs) -> bool:
        if self.fn in ("exp", "recip"):
            return True
        if self.fn in ("maximum", "minimum"):
            sign = {"maximum": 1, "minimum": -1}[self.fn]
            ends = ((a, min(sign * end for end in known.intervals.of(a))) for a in self.args)
            return any(known.is_nonzero(a) and end >= 0 for a, end in ends) or all(
                map(known.is_nonzero, self.args)
            )
        return self.row.zeros and known.is_nonzero(self.args[0])

    def stays_defined(self, known: Signs) -> bool:
        """Returns True only if the arguments lie where the function is defined."""
        if not self.row.partial:
            return True
        if self.fn in ("recip", "mod"):
            return known.is_nonzero(self.args[-1])
        low, high = known.intervals.of(self.args[0])
        if self.fn in ("log", "sqrt", "lgamma", "digamma"):
            return low >= 0 and (self.fn == "sqrt" or known.is_nonzero(self.args[0]))
        if self.fn == "pow":
            least, most = known.intervals.of(self.args[1])
            if least == most and known.intervals.is_whole(self.args[1]):
                return least >= 0 or known.is_nonzero(self.args[0])
            return low >= 0 and (least >= 0 or known.is_nonzero(self.args[0]))
        return self.fn in ("arcsin", "arccos") and low >= -1 and high <= 1

    def varying_axes(self, known: Domains) -> frozenset[int]:
        return self.differing_axes(known.differing_axes)

    # -- text
    # ------------------------------------------------------------------------------------------
    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        if self.row.infix:
            return f"{name} = {args[0]} {self.row.infix} {args[1]}"
        if self.fn == "recip":
            return f"{name} = 1 / {args[0]}"
        if args:
            return f"{name} = {self.fn}({', '.join(args)})"
        return f"{name} = {self.fn}"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        parts = drop_explicit_broadcasts(args)
        match self.fn:
            case "not":
                return _where(f"{parts[0].atom} == 0")
            case "and" | "or":
                sign = {"and": "&", "or": "|"}[self.fn]
                return _where(f"({parts[0].atom} != 0) {sign} ({parts[1].atom} != 0)")
            case "lt" | "le" | "gt" | "ge" | "eq" | "ne":
                return _where(f"{parts[0].atom} {self.row.infix} {parts[1].atom}")
            case "recip":
                return Text(f"1 / {parts[0].atom}", is_atom=False, divisor=parts[0].atom)
            case "pow":
                return Text(f"{parts[0].atom} ** {parts[1].atom}", is_atom=False)
            case "erf":
                return Text(f"np.vectorize(math.erf)({parts[0].code})")
            case "lgamma" | "digamma":
                return Text(f"special.{self.row.exact}({parts[0].code})")
            case "pi":
                return Text("np.pi")
        return Text(f"np.{self.fn}({', '.join(a.code for a in parts)})")


def _fixed(arg: Type, shape: Shape) -> Type:
    acts: list[Act] = [act if is_fixed(act) else fix(s) for act, s in zip(arg, shape, strict=True)]
    return tuple(acts)


def _where(condition: str) -> Text:
    return Text(f"np.where({condition}, 1.0, 0.0)", condition=condition)
