"""Checks counterexamples: recomputes both sides of a claim at a point; they differ in an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from . import claims, elements, text
from .claims import Axis, Claim
from .form_values import SizedForms, evaluate, read_forms, spread_entries
from .interval import Arithmetic, Ball, Number, hi, lo
from .loading import part
from .report import LARGE_WORK, Rejected, Report, allow_in_all
from .sizes import Size
from .tensors import Tensor, tensor
from .text import fields, integer, items, one_of, read_rational
from .words import group_words, signature_words, sizes_words

#: Largest precision of an enclosure in bits, and number of characters of a number in a message.
MOST_PRECISION, LONGEST = 1024, 60


@dataclass(frozen=True, slots=True)
class Point:
    """A claim, and a point at which it is supposed to fail.

    Attributes:
        claim: the claim.
        evidence: the decoded evidence, by key.
        sizes: the sizes of the axis names of the inputs.
        inputs: the tensors x.
        arithmetic: the arithmetic in which both sides are computed.
    """

    claim: Claim
    evidence: Mapping[str, Any]
    sizes: Mapping[str, int]
    inputs: Mapping[str, Tensor]
    arithmetic: Arithmetic


def check_counterexample(content: dict[str, Any]) -> Report:
    """Checks that f(g x) is not g f(x) at a recorded point."""
    claim, forms, evidence = fields(content, "$", "claim", "forms", "evidence")
    point = _point(claim, "equivariance", evidence, "element")
    program, sizes = program_at(point, forms, "$.forms")
    g = read_element(point, sizes)
    moved = {name: move_input(point, g, name, axes, sizes) for name, axes in point.claim.inputs}
    known: dict[int, Tensor] = {}
    places = _needed_places(point, program)
    at = _value(point, program, point.inputs, places, known)
    if places is None:
        right = move(point, g, at, point.claim.output, sizes)
    else:
        cut = Tensor(_cut(point, at.shape), [at.values[p] for p in places])
        right = spread_entries(
            at.shape, places, move(point, g, cut, point.claim.output, sizes).values
        )
    left = _value(point, program, moved, _needed_entry(point, program), known)
    pair = _compare(point, left, right)
    return _report(point, sizes, f"the program {program.digest} as f", pair, _unknown(program))


def check_evaluation(content: dict[str, Any]) -> Report:
    """Checks a counterexample with recorded values, for a function that is not recorded.

    The values are f(x) and f(g x).

    A function has one value at one point: where g x may be x, the two recorded values must be
    equal. For an identity, the values of both functions at x are recorded.
    """
    claim, evidence = fields(content, "$", "claim", "evidence")
    if isinstance(claim, dict) and claim.get("kind") == "identity":
        point = _point(claim, "identity", evidence, "values")
        values = fields(point.evidence["values"], "$.evidence.values", "left", "right")
        left, right = (tensor(value, "$.evidence.values", undefined=True) for value in values)
        note = "the recorded values of both functions, which the kernel cannot recompute"
        sizes, pair = _output_sizes(point, left.shape), _compare(point, left, right)
        return _report(point, sizes, "the functions whose values are recorded", pair, (note,))
    point = _point(claim, "equivariance", evidence, "element", "values")
    values = fields(point.evidence["values"], "$.evidence.values", "at", "moved")
    at, moved = (tensor(value, "$.evidence.values", undefined=True) for value in values)
    sizes = _output_sizes(point, at.shape)
    g = read_element(point, sizes)
    if at != moved and all(
        _may_be_equal(point.inputs[name], move_input(point, g, name, axes, sizes))
        for name, axes in point.claim.inputs
    ):
        raise Rejected("$.evidence.values: two values of f at one point, for g x is x")
    pair = _compare(point, moved, move(point, g, at, point.claim.output, sizes))
    note = "the recorded values of f(x) and f(g x), which the kernel cannot recompute"
    return _report(point, sizes, "the function f whose values are recorded", pair, (note,))


def check_difference(content: dict[str, Any]) -> Report:
    """Checks that two programs have different values at a recorded point."""
    claim, forms, other, evidence = fields(content, "$", "claim", "forms", "other", "evidence")
    point = _point(claim, "identity", evidence)
    (first, sizes), (second, _) = (
        program_at(point, forms, "$.forms"),
        program_at(point, other, "$.other"),
    )
    left, right = (
        _value(point, program, point.inputs, _needed_entry(point, program), {})
        for program in (first, second)
    )
    pair = _compare(point, left, right)
    names = f"the programs {first.digest} and {second.digest}"
    return _report(point, sizes, names, pair, _unknown(first, second))


def _value(
    point: Point, program: SizedForms, inputs: Mapping[str, Tensor],
    places: Sequence[int] | None, known: dict[int, Tensor],
) -> Tensor:  # fmt: skip
    """Returns the value of a program, of which only the entries at some places may be needed."""
    given, needed = [inputs[name] for name, _ in point.claim.inputs], None
    if places is not None:
        needed = part("needed_entries").needed(program, places)
    return evaluate(program, given, point.arithmetic, needed, known)


# -- the point
# -------------------------------------------------------------------------------------------


def _point(claim: Any, kind: str, evidence: Any, *more: str) -> Point:
    what = claims.claim(claim, kind, each=True)
    if what.readings:
        raise Rejected("$.claim.readings: a point is one of the program as it is written")
    ball = isinstance(evidence, dict) and evidence.get("arithmetic") == "ball"
    keys = [
        "sizes",
        "inputs",
        "arithmetic",
        "entry",
        "left",
        "right",
        *more,
        *["precision"][: int(ball)],
    ]
    found = dict(zip(keys, fields(evidence, "$.evidence", *keys), strict=True))
    one_of(found["arithmetic"], "$.evidence.arithmetic", ("rational", "ball"))
    if ball:
        bits = 2 * integer(found["precision"], "$.evidence.precision", 2, MOST_PRECISION) + 64
    else:
        bits = 64
    if ball:
        allow_in_all(LARGE_WORK)
    sizes = read_sizes(what, found["sizes"])
    inputs = read_inputs(what, sizes, found["inputs"], "$.evidence.inputs")
    return Point(what, found, sizes, inputs, Arithmetic(bits))


def read_inputs(what: Claim, sizes: Mapping[str, int], value: Any, path: str) -> dict[str, Tensor]:
    """Reads the arrays of a point: of the claimed shapes, masks of 0 and 1, indices in range."""
    inputs, names = {}, [name for name, _ in what.inputs]
    for (name, axes), entries in zip(what.inputs, fields(value, path, *names), strict=True):
        inputs[name] = tensor(entries, f"{path}.{name}")
        if [Size.of(n) for n in inputs[name].shape] != [
            claims.axis_size(a, _constants(sizes)) for a in axes
        ]:
            raise Rejected(f"{path}.{name}: not the claimed shape")
        if name in what.masks:
            limit = 2
        elif name in what.indices:
            limit = sizes[what.indices[name]]
        else:
            limit = None
        if limit and any(v.denominator > 1 or not 0 <= v < limit for v in inputs[name].values):
            raise Rejected(f"{path}.{name}: expected integers from 0 to {limit - 1}")
    return inputs


def read_sizes(claim: Claim, value: Any) -> dict[str, int]:
    """Reads the sizes of all names, which must be in scope.

    Sizes of names that only the output mentions are checked later.
    """
    if not isinstance(value, dict) or not claim.input_names <= value.keys() <= claim.names:
        raise Rejected("$.evidence.sizes: expected a size for each axis name")
    sizes = {}
    for name, size in value.items():
        low, high = claim.scope.get(name, (1, None))
        sizes[name] = integer(size, f"$.evidence.sizes.{name}", low, high or text.MOST_INTEGER)
    return sizes


def _constants(sizes: Mapping[str, int]) -> dict[str, Size]:
    return {name: Size.of(size) for name, size in sizes.items()}


def program_at(point: Point, forms: Any, path: str) -> tuple[SizedForms, dict[str, int]]:
    """Returns the program at the sizes of the point, with all sizes including its output's."""
    sizes = {name: point.sizes[name] for name in point.claim.input_names}
    program = read_forms(forms, path, sizes)
    return program, _output_sizes(point, program.shapes[-1])


def _output_sizes(point: Point, shape: Sequence[int]) -> dict[str, int]:
    """Returns all sizes; a name that only the output mentions has its size in the result."""
    bound = {
        name: size
        for name, size in _constants(point.sizes).items()
        if name in point.claim.input_names
    }
    claims.bind_output(point.claim.output, [Size.of(n) for n in shape], bound)
    sizes = {name: size.number for name, size in bound.items()}
    for name in sizes.keys() - point.claim.input_names:
        found, scope = sizes[name], point.claim.scope.get(name, (1, None))
        if point.sizes.get(name, found) != found or scope not in ((1, None), (found, found)):
            raise Rejected(f"the axis {name} of the result has the size {sizes[name]}")
    return sizes


# -- both sides
# ------------------------------------------------------------------------------------------


def read_element(point: Point, sizes: Mapping[str, int]) -> list[elements.Motion]:
    """Reads the recorded group element, factor by factor."""
    group = point.claim.group
    given = items(point.evidence["element"], "$.evidence.element")
    if len(given) != len(group):
        raise Rejected("$.evidence.element: expected one element for each factor of the group")
    found = []
    for i, (factor, entry) in enumerate(zip(group, given, strict=True)):
        at = f"$.evidence.element[{i}]"
        where = 0
        if factor.each and isinstance(entry, dict):
            one_of(entry.get("each"), f"{at}.each", (factor.each,))
            where = integer(entry.get("at"), f"{at}.at", 0, sizes[factor.each] - 1)
            entry = {key: value for key, value in entry.items() if key not in ("each", "at")}
        motion = elements.element(entry, at, factor, factor.at(sizes), point.arithmetic)
        found.append(replace(motion, at=where))
    return found


def move(
    point: Point,
    g: list[elements.Motion],
    value: Tensor,
    axes: Sequence[Axis],
    sizes: Mapping[str, int],
) -> Tensor:
    """Applies g to a tensor, factor after factor."""
    for factor, motion in zip(point.claim.group, g, strict=True):
        value = elements.act_on_tensor(factor, motion, value, axes, sizes, point.arithmetic)
    return value


def move_input(
    point: Point,
    g: list[elements.Motion],
    name: str,
    axes: Sequence[Axis],
    sizes: Mapping[str, int],
) -> Tensor:
    """Applies g to an input.

    Where its entries index an axis of g, the entry j becomes the i with p[i] = j.
    """
    value = move(point, g, point.inputs[name], axes, sizes)
    for factor, motion in zip(point.claim.group, g, strict=True):
        if name in point.claim.indices and factor.axis == point.claim.indices[name]:
            label = {Fraction(row[0][0]): Fraction(i) for i, row in enumerate(motion.rows)}

            def relabelled(part: Tensor, _: object, label: Any = label) -> Tensor:
                return Tensor(part.shape, [label[v] for v in part.values])

            if factor.each:
                value = elements.in_entry(factor, motion, value, axes, relabelled)
            else:
                value = relabelled(value, ())
    return value


def _may_be_equal(x: Tensor, y: Tensor) -> bool:
    """Checks whether no entry is certain to differ between two tensors of one shape.

    They have no undefined entries.
    """
    return all(lo(a) <= hi(b) and lo(b) <= hi(a) for a, b in zip(x.values, y.values, strict=True))


def _position(point: Point, shape: Sequence[int]) -> int:
    """Returns the place of the recorded entry in a result of that shape, in row-major order."""
    entry = [
        integer(i, "$.evidence.entry", 0)
        for i in items(point.evidence["entry"], "$.evidence.entry")
    ]
    if len(entry) != len(shape) or any(i >= n for i, n in zip(entry, shape, strict=True)):
        raise Rejected("$.evidence.entry: not an index of the result")
    position = 0
    for i, n in zip(entry, shape, strict=True):
        position = position * n + i
    return position


def _needed_entry(point: Point, program: SizedForms) -> list[int] | None:
    """Returns the place of the recorded entry for enclosures; else None, as all are compared."""
    shape = program.shapes[-1]
    if point.evidence["arithmetic"] == "ball":
        return [_position(point, shape)]
    return None


def _cut(point: Point, shape: Sequence[int]) -> tuple[int, ...]:
    """Returns the shape of the part of f(x) from which the recorded entry of g f(x) is computed.

    Along an axis that no factor of the group acts on, the entry of g f(x) at i is computed from
    those of f(x) at i.
    """
    group, axes = point.claim.group, point.claim.output
    moved = (any(f.acts_on(term) for f in group for term in axis) for axis in axes)
    return tuple(n if is_moved else 1 for n, is_moved in zip(shape, moved, strict=True))


def _needed_places(point: Point, program: SizedForms) -> list[int] | None:
    """Returns the places of that part, in row-major order; None where all entries are needed."""
    entry = _needed_entry(point, program)
    if entry is None or any(f.each for f in point.claim.group):  # what acts depends on the place
        return None
    shape = program.shapes[-1]
    ranges, rest = list[range](), entry[0]
    for n, kept in reversed(list(zip(shape, _cut(point, shape), strict=True))):
        ranges.append(range(n) if kept == n else range(rest % n, rest % n + 1))
        rest //= n
    places = [0]
    for n, own in zip(shape, reversed(ranges), strict=True):
        places = [p * n + i for p in places for i in own]
    return places


def _compare(point: Point, left: Tensor, right: Tensor) -> tuple[Number, Number]:
    """Checks both sides against the records, and returns the recorded entry of each.

    These must certainly differ.
    """
    if left.shape != right.shape:
        raise Rejected("the two sides have different shapes")
    position = _position(point, left.shape)
    ends: list[Number] = []
    for side, found in (("left", left), ("right", right)):
        path, recorded = f"$.evidence.{side}", point.evidence[side]
        if point.evidence["arithmetic"] == "ball":
            ends.append(_enclosed(recorded, path, found.values[position]))
        elif tensor(recorded, path, undefined=True) != found:
            raise Rejected(f"{path}: the kernel finds other values")
        else:
            ends.append(found.values[position])
    x, y = ends
    if x is None or y is None:
        may_be_equal = x is y
    else:
        may_be_equal = lo(x) <= hi(y) and lo(y) <= hi(x)
    if may_be_equal:
        raise Rejected("the two sides do not certainly differ in the recorded entry")
    return x, y


def _enclosed(recorded: Any, path: str, found: Number) -> Number:
    """Returns the recorded interval of an entry, after checking that it holds the computed number.

    Returns None where both are undefined.
    """
    if recorded is None or found is None:
        if recorded is not found:
            raise Rejected(f"{path}: only one of the recorded and the computed entry is undefined")
        return None
    low, high = (read_rational(end, path) for end in fields(recorded, path, "lo", "hi"))
    if not low <= lo(found) <= hi(found) <= high:
        raise Rejected(f"{path}: the computed entry is not certain to lie in the recorded interval")
    return Ball(low, high)


def _report(
    point: Point,
    sizes: Mapping[str, int],
    name: str,
    pair: tuple[Number, Number],
    notes: tuple[str, ...],
) -> Report:
    claim, arithmetic, grade = point.claim, "rational interval", "ENCLOSED"
    if point.evidence["arithmetic"] == "rational":
        arithmetic, grade = "rational", "EXACT"
    place = ", ".join(map(str, point.evidence["entry"]))
    entry = f"entry [{place}]" if place else "the result"
    sides = (
        f"{entry} is {_number_words(pair[0])} on the left, {_number_words(pair[1])} on the right"
    )
    failure = "differ"
    if claim.group:
        failure = f"is not equivariant under {group_words(claim.group)}: f(g x) is not g f(x)"
    where = f"{sizes_words(sizes)} and the recorded point"
    statement = f"{name}, {signature_words(claim)}, {failure} at {where}: {sides}"
    if point.evidence.keys().isdisjoint(("values",)):
        notes = (f"evaluation in {arithmetic} arithmetic", *notes)
    return Report(accepted=True, statement=statement, grade=grade, rests_on=notes)


def _unknown(*programs: SizedForms) -> tuple[str, ...]:
    """Returns the assumptions about opaque functions."""
    names = sorted({function.name for program in programs for function in program.opaque()})
    return tuple(f"{name} may be any function that has values everywhere" for name in names)


def _number_words(number: Number) -> str:
    """Returns a number in words, shortened when long."""
    if number is None:
        return "undefined"
    if lo(number) != hi(number):
        return f"a number between {_shortened(lo(number))} and {_shortened(hi(number))}"
    return _shortened(lo(number))


def _shortened(x: object) -> str:
    try:
        text = str(x)
    except ValueError:  # more digits than Python prints
        return "(a long rational)"
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}...({len(text)} characters)"


CHECKS = {
    "counterexample": check_counterexample,
    "evaluation": check_evaluation,
    "difference": check_difference,
}
