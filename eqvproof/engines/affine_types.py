"""Proofs under translations and positive multiples, one line per value.

They have the form of those in `engines.linear_types`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from eqvproof.claims.groups import Factor
from eqvproof.claims.signature import Axis, Signature
from eqvproof.programs import Program, Size
from eqvproof.programs.operations import Operation
from eqvproof.programs.rules import Context, Stuck
from eqvproof.programs.rules.characters import DEGREES, Degree
from eqvproof.programs.rules.sums import Ratio, are_equal_ratios, totals
from eqvproof.programs.rules.translations import WEIGHTED, Move, Shift


class Otherwise(Stuck):
    """Raised if every value is typed, but the result does not have the claimed type."""


Lines = list[tuple[int, Any, tuple[int, ...]]]


class MoveRules(ABC):
    """The types of values under elements that act by no matrix, and the rules that infer them."""

    @abstractmethod
    def claimed(self, axes: Sequence[Axis], factor: Factor) -> Any:
        """Returns the type that a claim states of a value.

        Raises:
            Stuck: no type says what it states.
        """

    @abstractmethod
    def infer(self, node: Operation, args: list[Any], context: Context) -> Any:
        """Returns the type of the value of an operation, from those of its arguments.

        Raises:
            Stuck: no rule gives it one.
        """

    @abstractmethod
    def matches(self, have: Any, want: Any) -> bool:
        """Checks whether a value of one type also has another one."""

    @abstractmethod
    def is_still(self, type_: Any) -> bool:
        """Checks whether a value of this type does not change."""

    @abstractmethod
    def text(self, type_: Any, axes: Sequence[Axis] = ()) -> str:
        """Describes the action on a value of some type in words."""

    @abstractmethod
    def to_json(self, type_: Any) -> object:
        """Returns a type in the JSON form of certificates."""


class TranslationRules(MoveRules):
    """Types under translations: a `Move`."""

    def claimed(self, axes: Sequence[Axis], factor: Factor) -> Move:
        place = translated_axis(axes, factor)
        if place is None:
            return None
        return Shift(place, Size.of(1), Size.of(1))

    def infer(self, node: Operation, args: list[Move], context: Context) -> Move:
        if all(arg is None for arg in args):
            return None
        return node.translated(args, context)

    def matches(self, have: Move, want: Move) -> bool:
        if have is None or want is None:
            return have is want
        return have.equals(want)

    def is_still(self, type_: Move) -> bool:
        return type_ is None

    def text(self, type_: Move, axes: Sequence[Axis] = ()) -> str:
        if type_ is None:
            return "does not change"
        vector = "t"
        times = ratio_text((type_.num, type_.den))
        if times != "1":
            vector = f"{times} t"
        if type_.weights:
            vector += " times a sum of weights that could not be shown to be 1"
        where = f"axis {type_.axis}"
        if type_.axis < len(axes):  # a value on the way may have more axes
            where = f"the axis written {axes[type_.axis]}"
        return f"is translated by {vector} along {where}"

    def to_json(self, type_: Move) -> object:
        if type_ is None:
            return "still"
        found: dict[str, object] = {
            "axis": type_.axis,
            "num": type_.num.to_json(),
            "den": type_.den.to_json(),
        }
        if type_.weights:
            found["weights"] = [[x, list(row)] for x, row in type_.weights]
        return found


class DegreeRules(MoveRules):
    """Types under positive multiples: a `Degree`, the power of the factor."""

    def claimed(self, axes: Sequence[Axis], factor: Factor) -> Degree:
        return Size.of(claimed_power(axes, factor)), Size.of(1)

    def infer(self, node: Operation, args: list[Degree], context: Context) -> Degree:
        found: Degree = node.character(args, context)
        return found

    def matches(self, have: Degree, want: Degree) -> bool:
        return have is None or (want is not None and are_equal_ratios(have, want))

    def is_still(self, type_: Degree) -> bool:
        return type_ is None or not type_[0].terms

    def text(self, type_: Degree, axes: Sequence[Axis] = ()) -> str:
        if type_ is None:
            return "is 0"
        if not type_[0].terms:
            return "does not change"
        return f"is multiplied by c^{ratio_text(type_)}"

    def to_json(self, type_: Degree) -> object:
        if type_ is None:
            return "zero"
        num, den = (size.constant for size in type_)
        if num is not None and den:
            return str(Fraction(num, den))
        return {"num": type_[0].to_json(), "den": type_[1].to_json()}


TRANSLATIONS = TranslationRules()
DEGREES_OF_MULTIPLES = DegreeRules()


def infer_moves(
    program: Program,
    signature: Signature,
    factor: Factor,
    pins: Mapping[str, int],
    rules: MoveRules,
) -> Lines | tuple[int, Stuck]:
    """Infers the lines of a proof under T or Scale: (node, type, premises).

    Returns the node and the reason instead where the proof stops.
    """
    size = Size.of(
        factor.axis if isinstance(factor.axis, int) else pins.get(factor.axis, factor.axis)
    )
    positions = {
        a.name: Size.of(pins.get(a.indexes, a.indexes))
        for a in signature.inputs
        if a.indexes is not None
    }
    context = Context(
        factor.family, factor.axis, size, program.nodes, pins,
        totals=totals(program.nodes, positions), numbers=DEGREES,
    )  # fmt: skip
    by_name = {a.name: a for a in signature.inputs}
    types: list[Any] = []
    for number, node in enumerate(program.nodes):
        try:
            if node.input_name is not None:
                types.append(rules.claimed(by_name[node.input_name].axes, factor))
            else:
                types.append(rules.infer(node, [types[a] for a in node.args], context))
        except Stuck as stuck:
            return _first_weighted(number, stuck, program, types)
    have = types[program.output]
    try:
        want = rules.claimed(signature.output, factor)
    except Stuck as stuck:
        return program.output, stuck
    if not rules.matches(have, want):
        axes = signature.output
        said = (
            f"the result {rules.text(have, axes)}; the claim requires that it"
            f" {rules.text(want, axes)}"
        )
        return _first_weighted(program.output, Otherwise(said), program, types)
    return [(i, t, node.args) for i, (node, t) in enumerate(zip(program.nodes, types, strict=True))]


def _first_weighted(
    node: int, stuck: Stuck, program: Program, types: list[Any]
) -> tuple[int, Stuck]:
    """Finds the first node whose weights are not seen to sum to 1, if they block the proof.

    Otherwise returns the given node and reason.
    """
    found = node
    while weighted := [a for a in program.nodes[found].args if getattr(types[a], "weights", ())]:
        found = weighted[0]
    if found != node:
        return (found, Stuck(WEIGHTED))
    return (node, stuck)


def translated_axis(axes: Sequence[Axis], factor: Factor) -> int | None:
    """Returns the axis along which a claim adds translations; None if there is none.

    Raises:
        Stuck: several axes are translated, or a sum of axes.
    """
    places = [i for i, axis in enumerate(axes) if any(factor.translates(t) for t in axis.terms)]
    if not places:
        return None
    axis = axes[places[0]]
    is_literal = len(axis.terms) == 1 and axis.terms[0].name is None
    if len(places) > 1 or (axis.single is None and not is_literal):
        raise Stuck("a value with several axes that are translated, or with a sum of axes")
    return places[0]


def claimed_power(axes: Sequence[Axis], factor: Factor) -> int:
    """Returns the number of scaled axes of a value less the number of dual ones.

    Raises:
        Stuck: only a part of a sum of axes is scaled.
    """
    if factor.divided(axes):
        raise Stuck("a sum of axes, of which only a part is multiplied")
    return factor.power(axes)


def ratio_text(ratio: Ratio) -> str:
    """Writes a ratio of sizes as text."""
    num, den = map(str, ratio)
    if den == "1":
        return num
    if ratio[0].constant is not None:
        return f"{num}/{den}"
    return f"({num})/({den})"
