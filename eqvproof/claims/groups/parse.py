"""The parser of groups: ``"O(d) x S(n)"``, read against a signature."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TypeAlias

from eqvproof.claims.groups.families import EVERY_FAMILY, FAMILIES, family_named
from eqvproof.claims.groups.model import Factor, Group
from eqvproof.claims.signature import Axis, Signature, Term
from eqvproof.claims.signature.carets import caret_line, did_you_mean
from eqvproof.claims.signature.forms import Form
from eqvproof.support.errors import GroupError

#: A group: as text, as one of `eqvproof.claims.groups`, or several of these.
Under: TypeAlias = str | Group | Sequence[str | Group]
_FACTOR = re.compile(
    r"[ \t\r\n]*(?P<family>[A-Za-z]+)[ \t\r\n]*\([ \t\r\n]*"
    r"((?P<numbers>[0-9]+[ \t\r\n]*,[ \t\r\n]*[0-9]+)[ \t\r\n]*;[ \t\r\n]*)?"
    r"(?P<axis>[A-Za-z0-9_]+)[ \t\r\n]*\)"
    r"([ \t\r\n]*each[ \t\r\n]+(?P<each>[A-Za-z_][A-Za-z0-9_]*))?"
)
_TIMES = re.compile(r"[ \t\r\n]*(x|×)[ \t\r\n]*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the text of a group, at which errors point."""

    text: str
    start: int
    end: int

    def error(self, message: str, *, expected: str, hint: str, code: str) -> GroupError:
        """Builds the error, with a caret under the place."""
        line = caret_line(self.text, self.start, self.end)
        return GroupError(f"{message}\n{line}", expected=expected, hint=hint, code=code)


def parse_group(text: object, signature: Signature, *, each: bool = False) -> Group:
    """Parses a group such as ``"O(d) x S(n)"``, acting on the axes of a signature.

    A size in place of an axis, ``O(3)``, means the axes that are written 3 where there are such;
    where there are none, the axis d (n for families of permutations), whose size is then 3.

    Args:
        text: such a text, a group of `eqvproof.claims.groups`, or a list of these.
        signature: the typing.
        each: whether a factor may have an element for each entry of an axis, ``"S(n) each b"``.

    Raises:
        GroupError: no group, a factor that acts on no input, or a size that can be read in both
            ways.
    """
    group = _parse(text, signature)
    for factor in group.factors:
        if factor.each and not each:
            raise GroupError(
                f"elements for each entry of {factor.each} are not taken here",
                given=str(group),
                expected=str(replace(factor, each="")),
                hint="ep.check, prove, decide, refute and the assertions take them",
                code="group.each",
            )
    return group


def _parse(text: object, signature: Signature) -> Group:
    if isinstance(text, (list, tuple)) and text:
        groups = [_parse(part, signature) for part in text]
        pins = {k: v for g in groups for k, v in g.pins.items()}
        return _product_of_factors([f for g in groups for f in g.factors], pins)
    if isinstance(text, Group) and text.factors:
        whole = str(text)
        taken = {f.axis for f in text.factors}
        found = [
            _place_factor(f, Place(whole, 0, len(whole)), signature, taken) for f in text.factors
        ]
        pins = {**text.pins, **{str(f.axis): pin for f, pin in found if pin is not None}}
        meant = _product_of_factors([f for f, _ in found], pins)
        if meant == text:
            return text
        return meant
    if not isinstance(text, str):
        given = {type(None): "None", Group: "a group without factors"}.get(
            type(text), repr(text)[:80]
        )
        raise GroupError(
            "a group is a text",
            given=given,
            expected="a str, a group of ep.groups, or a list of these; it acts on at least one"
            " input",
            hint='write a group as "O(d)" or "O(d) x S(n)"; ep.identical compares two functions'
            " without one",
        )
    factors: list[Factor] = []
    pins = {}
    position = 0
    while True:
        match = _FACTOR.match(text, position)
        if match is None:
            raise _syntax_error(text, position)
        place = Place(text, match.start("family"), match.end())
        family = _family(match["family"], place)
        if match["numbers"]:
            family = _with_numbers(family, "".join(match["numbers"].split()), place)
        written = match["axis"]
        # Sp(2d); 24 is a size
        if family + written[0] in EVERY_FAMILY and _NAME.fullmatch(written[1:]):
            family, written = family + written[0], written[1:]
        where = _axis(written, place, signature)
        asked = Factor(family, where, each=match["each"] or "")
        named = {f["axis"] for f in _FACTOR.finditer(text)}
        factor, pinned = _place_factor(asked, place, signature, named)
        for other in factors:
            if _real_axis(other) == _real_axis(factor):
                raise _same_axis(factor, other, place)
        factors.append(factor)
        if pinned is not None:
            pins[str(factor.axis)] = pinned
        position = place.end
        if not text[position:].strip(" \t\r\n"):
            return Group(tuple(factors), pins)
        times = _TIMES.match(text, position)
        if times is None:
            raise _syntax_error(text, position)
        position = times.end()


def _real_axis(factor: Factor) -> str | int:
    """Returns the name or size that the factor's axis has in a signature of real arrays."""
    if isinstance(factor.axis, int):
        return factor.axis * factor.record.reals
    return factor.axis


def complex_axes(under: Under, form: Form | None = None) -> frozenset[str | int]:
    """Returns the axes, as names or sizes, on which groups of complex matrices act.

    Texts that do not parse yet are skipped. A size means the axes of a form that are written so; if
    there are none, the axis d, as for other groups.
    """
    if isinstance(under, str):
        pairs = [(m["family"], _name_or_size(m["axis"])) for m in _FACTOR.finditer(under)]
    elif isinstance(under, Group):
        pairs = [(f.family, f.axis) for f in under.factors]
    elif isinstance(under, (list, tuple)):
        return frozenset(axis for one in under for axis in complex_axes(one, form))
    else:
        return frozenset()
    axes: set[str | int] = set()
    for letter, axis in pairs:
        family = family_named(letter)
        if family is None or not family.is_complex:
            continue
        if isinstance(axis, str) or (form is not None and axis in form.literals):
            axes.add(axis)
        else:
            axes.add(family.default_axis)
    return frozenset(axes)


def _name_or_size(axis: str) -> str | int:
    """Returns a size as an int, and other names of axes as they are."""
    if axis.isdecimal():
        return int(axis)
    return axis


def _product_of_factors(factors: Sequence[Factor], pins: Mapping[str, int]) -> Group:
    """Builds the product of factors on different axes. Raises: GroupError."""
    if len({_real_axis(f) for f in factors}) < len(factors):
        raise GroupError(
            "two factors act on one axis",
            given=" x ".join(map(str, factors)),
            expected="factors on different axes",
            hint="actions on one axis need not commute; ask for each group by itself",
            code="group.same-axis",
        )
    return Group(tuple(factors), pins)


def _family(word: str, place: Place) -> str:
    if word in FAMILIES:
        return word
    from eqvproof.claims.groups.point_groups import POINT_GROUPS

    same = (
        f for f, record in FAMILIES.items() if f.lower() == word.lower() or word in record.names
    )
    guess = next(same, "")
    # SU is not S with a letter too many: only longer names are taken for misspelt ones
    near = [f for f in FAMILIES if len(word) > 3 and len(f) > 3]
    if word in POINT_GROUPS:
        hint = f"a point group of space: ep.groups.point_group({word!r}), given as under="
    elif guess:
        hint = f"did you mean {guess!r} ({FAMILIES[guess].meaning})?"
    else:
        hint = did_you_mean(word, near)
    raise replace(place, end=place.start + len(word)).error(
        f"there is no family of groups {word!r}",
        expected="one of " + ", ".join(FAMILIES),
        hint=hint
        or "a finite group of your own: ep.groups.generated_by(generators), given as under=",
        code="group.unknown-family",
    )


def _same_axis(factor: Factor, other: Factor, place: Place) -> GroupError:
    """Builds the error about two factors on one axis, which names the family of both together."""
    letters = {factor.family, other.family}
    both = [k for k, f in FAMILIES.items() if letters == {part.letter for part in f.parts}]
    hint = "actions on one axis need not commute; ask for each group by itself"
    if both:
        hint = f"{both[0]}({factor.axis}) is the group of both together"
    return place.error(
        f"two factors act on the axis {factor.axis}",
        expected="factors on different axes",
        hint=hint,
        code="group.same-axis",
    )


def _with_numbers(family: str, numbers: str, place: Place) -> str:
    """Returns the name of a family with numbers, such as "O(1,3)". Raises: GroupError."""
    name = f"{family}({numbers})"
    if name not in EVERY_FAMILY:
        raise place.error(
            f"there is no group {name}",
            expected="O(p,q; d) or SO(p,q; d), p and q numbers from 1 to 99",
            hint="a form with all signs equal is that of O(d)",
            code="group.signs",
        )
    return name


def _axis(axis: str, place: Place, signature: Signature) -> str | int:
    if _NAME.fullmatch(axis):
        return axis
    if re.fullmatch(r"[1-9][0-9]{0,8}", axis):
        return int(axis)
    raise place.error(
        f"{axis!r} is neither an axis nor a size",
        expected="an axis name, or a size from 1 up",
        hint="write the group with an axis of the signature: " + _axes(signature),
        code="group.axis",
    )


def _place_factor(
    factor: Factor, place: Place, signature: Signature, taken: Container[str | int]
) -> tuple[Factor, int | None]:
    """Finds the axis on which a factor acts, and the size to which that axis is pinned.

    A size in place of an axis may stand for the default axis of its family, unless another factor
    names that axis itself (`taken`).
    """
    pinned = None
    if isinstance(factor.axis, int):
        named = replace(factor, axis=factor.record.default_axis)
        if _is_written(named, signature):
            is_literal = _is_written(factor, signature)
            if is_literal and named.axis not in taken:
                raise _two_readings(factor, named, place, signature)
            if not is_literal:
                factor, pinned = named, int(factor.axis)
    pinned = _of_one_size(factor, pinned, place)
    if not acts_on_inputs(factor, signature):
        raise _acts_on_nothing(factor, place, signature)
    _require_points(factor, place, signature)
    _require_whole_axes(factor, place, signature)
    _require_numbers(factor, place, signature)
    _require_complex(factor, place, signature)
    _require_each(factor, place, signature)
    return factor, pinned


def _of_one_size(factor: Factor, pinned: int | None, place: Place) -> int | None:
    """Returns the size to which the axis is pinned; for O(p,q; d) it is p + q."""
    size, given = factor.record.size, pinned or factor.axis
    if size and isinstance(given, int) and given != size:
        raise place.error(
            f"{factor} has matrices of size {size}, and the axis has the size {given}",
            expected=f"an axis of size {size}",
            hint="p + q is the size of the axis",
            code="group.size",
        )
    if size and isinstance(factor.axis, str):
        return size
    return pinned


def _two_readings(literal: Factor, named: Factor, place: Place, signature: Signature) -> GroupError:
    """Builds the error that spells out both readings of a size, and how to write each."""
    size, axis = literal.axis, named.axis
    taken = {*signature.names, *signature.argument_names}
    name = next(n for n in chain("vuwabc", (f"v{k}" for k in count())) if n not in taken)

    def renamed_term(term: Term) -> Term:
        if literal.acts_on(term):
            return replace(term, coefficient=1, name=name)
        return term

    def renamed(axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
        return tuple(Axis(tuple(map(renamed_term, one.terms))) for one in axes)

    inputs = tuple(replace(a, axes=renamed(a.axes)) for a in signature.inputs)
    shown = replace(signature, inputs=inputs, output=renamed(signature.output))
    return place.error(
        f"{literal} can be read in two ways in '{signature}'",
        expected=f"(1) {named}, which acts on the axis {axis}, of size {size}; or"
        f" (2) the group that acts on the axes written {size}",
        hint=f"for (1) write {named} with sizes={{'{axis}': {size}}}; for (2) name these axes:"
        f" '{shown}' under {replace(literal, axis=name)} with sizes={{'{name}': {size}}}",
        code="group.two-readings",
    )


def acts_on_inputs(factor: Factor, signature: Signature) -> bool:
    """Checks whether some element of the factor can move an input.

    It can if it acts on an axis of the input, or relabels the axis that its indices point to.
    """
    if factor.kind.only_translates:
        acts = factor.translates
    else:
        acts = factor.acts_on
    acted = any(acts(term) for a in signature.inputs for axis in a.axes for term in axis.terms)
    return (acted or _relabels(factor, signature)) and not _is_still(factor)


def _is_still(factor: Factor) -> bool:
    """Checks whether the factor is given by generators that are all the identity."""
    if not factor.generators:
        return False
    from eqvproof.claims.groups.element import is_trivial

    return is_trivial(factor, len(factor.generators[0]))


def _acts_on_nothing(factor: Factor, place: Place, signature: Signature) -> GroupError:
    axis = str(factor.axis)
    usual = factor.record.default_axis
    hint = (
        f"name an axis: {replace(factor, axis=usual)} acts on every axis {usual} without a mark '!'"
    )
    if _is_still(factor):
        message = f"every generator of {factor} is the identity"
        hint = "give a generator that moves something"
    elif _acts_somewhere(factor, signature):
        message = f"{factor} acts on no input of '{signature}'"
        if factor.kind.only_translates and any(
            factor.acts_on(t) for a in signature.axes for t in a.terms
        ):
            hint = f"translations move points, {axis}, and not directions, {axis}^"
    elif isinstance(factor.axis, int):
        message = f"{factor} has no axis in the signature '{signature}'"
        hint = (
            f"name the axis, {replace(factor, axis='...')} with one of {_axes(signature)}, and pin"
            f" its size"
            " with sizes="
        )
    elif axis in signature.names:
        message = f"{factor} acts on no axis: every {axis} of '{signature}' is marked '!'"
        hint = f"leave the mark of an axis {axis} out"
    else:
        message = f"{factor} has no axis in the signature '{signature}'"
        hint = did_you_mean(axis, signature.names) or "a group acts on every axis of its name"
        if axis in signature.argument_names:
            hint = f"{axis} is an argument; a group is named with an axis: '{signature.argument(axis)}'"
    expected = "an axis of an input: " + _axes(signature)
    if isinstance(factor.axis, int):
        expected = f"an axis written {axis}, or an axis called {usual!r} whose size is then {axis}"
    return place.error(message, expected=expected, hint=hint, code="group.no-axis")


def _require_points(factor: Factor, place: Place, signature: Signature) -> None:
    """Checks that a translation adds to at most one axis of each value. Raises: GroupError.

    With two such axes the action would be ambiguous.
    """
    if not factor.kind.translates:
        return
    for value in (*(a.axes for a in signature.inputs), signature.output):
        points = sum(any(factor.translates(t) for t in axis.terms) for axis in value)
        acted = sum(any(factor.acts_on(t) for t in axis.terms) for axis in value)
        if points > 1 or (points and acted > 1 and not factor.kind.only_translates):
            raise place.error(
                f"{factor} translates one axis of a value and moves no other, and this one has"
                f" several",
                expected="at most one axis without a mark in '" + " ".join(map(str, value)) + "'",
                hint=f"mark directions, which rotate and do not translate: {factor.axis}^",
                code="group.points",
            )


def _require_whole_axes(factor: Factor, place: Place, signature: Signature) -> None:
    """Checks that a scaling multiplies whole values, no part of an axis. Raises: GroupError."""
    if not factor.kind.multiplies:
        return
    if axis := factor.divided(signature.axes):
        raise place.error(
            f"{factor} does not act on a part of the axis {axis}",
            expected="axes that are no sums, or a mark '!' on each part",
            hint="state a claim for each part",
            code="group.part",
        )


def _require_numbers(factor: Factor, place: Place, signature: Signature) -> None:
    """Checks that only permutations act on masks and indices. Raises: GroupError.

    Masks and indices cannot be rotated, translated or multiplied.
    """
    if factor.kind.permutes:
        return
    for argument in signature.inputs:
        if argument.kind != "real" and any(
            factor.acts_on(t) for axis in argument.axes for t in axis.terms
        ):
            raise place.error(
                f"{factor} acts on the argument {argument.name}, which holds no real numbers",
                expected="a group of permutations, or an axis that is not acted on",
                hint=f"mark the axis: {argument.name} with {factor.axis}!",
                code="group.masks",
            )


def _require_complex(factor: Factor, place: Place, signature: Signature) -> None:
    """Checks that groups of complex matrices act on pairs of coordinates. Raises: GroupError."""
    terms = (t for axis in signature.axes for t in axis.terms if factor.acts_on(t))
    if not any(t.coefficient % factor.record.reals for t in terms):
        return
    if factor.record.is_complex:
        arrays = "complex arrays"
        example = f"psi[complex]: n {factor.axis}"
        advice = "write [complex] behind the names of arguments"
    else:
        arrays = f"axes written 2{factor.axis}"
        example = f"x: n 2{factor.axis}"
        advice = f"write 2{factor.axis}"
    raise place.error(
        f"{factor} acts on {arrays}",
        expected=f"one half of the coordinates after the other: {example}",
        hint=f"{advice}, or mark an axis that stays: {factor.axis}!",
        code="group.complex",
    )


def _require_each(factor: Factor, place: Place, signature: Signature) -> None:
    """Checks that every value acted on has the axis `each` exactly once. Raises: GroupError.

    Each of its elements acts on the part of a value at one entry of that axis.
    """
    if not factor.each:
        return
    values = [(a.name, a.axes, a.indexes == factor.axis) for a in signature.inputs]
    values.append(("the result", signature.output, False))
    others = set(signature.names) - {factor.each, factor.axis}
    for name, axes, is_relabelled in values:
        acted = is_relabelled or any(factor.acts_on(t) for axis in axes for t in axis.terms)
        named = [axis for axis in axes if factor.each in axis.names]
        if acted and (
            factor.each == factor.axis or len(named) != 1 or str(named[0]) != factor.each
        ):
            hint = ""
            if not named:
                hint = did_you_mean(factor.each, sorted(others))
            raise place.error(
                f"{factor} acts on {name}, which is not one value for each entry of {factor.each}",
                expected=f"one axis {factor.each} in '" + (" ".join(map(str, axes)) or "()") + "'",
                hint=hint or f"{replace(factor, each='')} is one element for all",
                code="group.each",
            )


def _acts_somewhere(factor: Factor, signature: Signature) -> bool:
    terms = (term for axis in signature.axes for term in axis.terms)
    return any(map(factor.acts_on, terms)) or _relabels(factor, signature)


def _is_written(factor: Factor, signature: Signature) -> bool:
    """Checks whether the factor acts on an axis of the signature that is not irreps alone."""
    terms = (term for axis in signature.axes for term in axis.terms if not term.irrep)
    return any(map(factor.acts_on, terms)) or _relabels(factor, signature)


def _relabels(factor: Factor, signature: Signature) -> bool:
    return factor.kind.permutes and any(a.indexes == factor.axis for a in signature.inputs)


def _axes(signature: Signature) -> str:
    literals = [str(t.coefficient) for a in signature.axes for t in a.terms if t.name is None]
    return ", ".join((*signature.names, *dict.fromkeys(literals))) or "there are none"


def _syntax_error(text: str, position: int) -> GroupError:
    """Builds the error for a text that does not go on with a factor."""
    start = position + len(text[position:]) - len(text[position:].lstrip(" \t\r\n"))
    rest = text[start:]
    if not rest:
        if text.strip():
            message = "the group ends where a factor should stand"
        else:
            message = "the group is empty"
    else:
        message = f"unexpected {rest[:1]!r}"
    hint = 'write a group as "O(d)" or "O(d) x S(n)"'
    begun = re.match(r"([A-Za-z]+)[ \t\r\n]*(?:\([ \t\r\n]*([A-Za-z0-9_]*)[ \t\r\n]*)?", rest)
    if begun:
        letter = _family(begun[1], Place(text, start, start))
        axis, written = begun[2], begun.group().rstrip(" \t\r\n")
        if _FACTOR.match(rest):
            message, hint = "no ' x ' between two factors", f"{text[:start].rstrip()} x {rest}"
        else:
            if axis:
                message = f"no ')' after {written!r}"
            else:
                message = f"no axis after {letter!r}"
            hint = f"name the axis: {letter}({axis or FAMILIES[letter].default_axis})"
            start += len(written)
    elif rest[:1] in ("*", ",", "&", "+"):
        hint = "factors are joined by ' x '"
    if position == 0 or not rest:
        expected = "a factor such as 'O(d)'"
    else:
        expected = "' x ' and a factor such as 'S(n)'"
    return Place(text, start, start + 1).error(
        message, expected=expected, hint=hint, code="group.syntax"
    )
