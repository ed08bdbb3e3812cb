"""Proofs under translations and positive multiples, one line per value.

They have the form of those in `engines.linear_types`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from eqvproof.claims.groups import Factor
from eqvproof.claims.signature import Axis, Signature
from eqvproof.programs import Program, Size
from eqvproof.programs.rules import Context, Kind, Stuck
from eqvproof.programs.rules.characters import DEGREES, Degree
from eqvproof.programs.rules.sums import Ratio, same, totals
from eqvproof.programs.rules.translations import WEIGHTED, Move, Shift


class Otherwise(Stuck):
    """Raised if every value is typed, but the result does not have the claimed type."""


Lines = list[tuple[int, Any, tuple[int, ...]]]


def infer_moves(
    program: Program, signature: Signature, factor: Factor, pins: Mapping[str, int]
) -> Lines | tuple[int, Stuck]:
    """Infers the lines of a proof under T or Scale: (node, type, premises).

    Returns the node and the reason instead where the proof stops. A type is a `Move` under T and a
    `Degree` under Scale.

    A type is a `Move` under T and a `Degree` under Scale.
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
        Kind.ORTH, factor.family, factor.axis, size, program.nodes, pins,
        totals=totals(program.nodes, positions), numbers=DEGREES,
    )  # fmt: skip
    moving = factor.kind == "shift"
    claimed: Callable[..., Any] = claimed_move if moving else claimed_degree
    by_name = {a.name: a for a in signature.inputs}
    types: list[Any] = []
    for number, node in enumerate(program.nodes):
        try:
            args = [types[a] for a in node.args]
            if node.given is not None:
                types.append(claimed(by_name[node.given].axes, factor))
            elif not moving:
                types.append(node.character(args, context))
            else:
                types.append(
                    None if all(a is None for a in args) else node.translated(args, context)
                )
        except Stuck as stuck:
            return _first_weighted(number, stuck, program, types)
    have = types[program.output]
    try:
        want = claimed(signature.output, factor)
    except Stuck as stuck:
        return program.output, stuck
    if not _matches(have, want, factor):
        said = f"the result {move_text(have, factor)}, claimed: it {move_text(want, factor)}"
        return _first_weighted(program.output, Otherwise(said), program, types)
    return [(i, t, node.args) for i, (node, t) in enumerate(zip(program.nodes, types, strict=True))]


def _first_weighted(
    node: int, stuck: Stuck, program: Program, types: list[Any]
) -> tuple[int, Stuck]:
    """Finds the first node whose weights are not seen to sum to 1, if they block the proof.

    Otherwise returns the given node and reason.

    Otherwise returns the given node and reason.
    """
    found = node
    while weighted := [a for a in program.nodes[found].args if getattr(types[a], "weights", ())]:
        found = weighted[0]
    if found != node:
        return (found, Stuck(WEIGHTED))
    return (node, stuck)


def claimed_move(axes: Sequence[Axis], factor: Factor) -> Move:
    """Returns the type that a claim states under T: a shift along the unmarked axis, or None."""
    place = translated_axis(axes, factor)
    if place is None:
        return None
    return Shift(place, Size.of(1), Size.of(1))


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


def claimed_degree(axes: Sequence[Axis], factor: Factor) -> Degree:
    """Returns the power of the scale factor by which a claim multiplies a value, as a `Degree`."""
    return Size.of(claimed_power(axes, factor)), Size.of(1)


def claimed_power(axes: Sequence[Axis], factor: Factor) -> int:
    """Returns the number of scaled axes of a value less the number of dual ones.

    Raises:
        Stuck: only a part of a sum of axes is scaled.
    """
    if factor.divided(axes):
        raise Stuck("a sum of axes, of which only a part is multiplied")
    return factor.power(axes)


def _matches(have: Any, want: Any, factor: Factor) -> bool:
    if factor.kind == "shift":
        if have is None or want is None:
            return have is want
        return bool(have.same(want))
    return have is None or same(have, want)


def ratio_text(ratio: Ratio) -> str:
    """Writes a ratio of sizes as text."""
    num, den = map(str, ratio)
    if den == "1":
        return num
    if ratio[0].constant is not None:
        return f"{num}/{den}"
    return f"({num})/({den})"


def move_text(type_: Any, factor: Factor) -> str:
    """Describes the action on a value of some type in words."""
    if factor.kind == "shift":
        if type_ is None:
            return "does not change"
        times = ratio_text((type_.num, type_.den))
        if type_.weights:
            weights = " times weights that are not seen to sum to 1"
        else:
            weights = ""
        return f"is translated by {'' if times == '1' else times + ' '}t{weights} along axis {type_.axis + 1}"
    if type_ is None or not type_[0].terms:
        if type_ is None:
            return "is 0"
        return "does not change"
    return f"is multiplied by c^{ratio_text(type_)}"


def move_to_json(type_: Any, factor: Factor) -> object:
    """Returns a type in the JSON form of certificates."""
    if type_ is None:
        if factor.kind == "shift":
            return "still"
        return "zero"
    if factor.kind == "shift":
        if type_.weights:
            weights = {"weights": [[x, list(row)] for x, row in type_.weights]}
        else:
            weights = {}
        return {
            "axis": type_.axis,
            "num": type_.num.to_json(),
            "den": type_.den.to_json(),
            **weights,
        }
    num, den = (size.constant for size in type_)
    if num is not None and den:
        return str(Fraction(num, den))
    return {"num": type_[0].to_json(), "den": type_[1].to_json()}
