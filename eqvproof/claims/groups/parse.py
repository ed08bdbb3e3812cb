"""The parser of groups: ``"O(d) x S(n)"``, read against a signature."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from eqvproof.claims.groups.families import EVERY_FAMILY, FAMILIES, family_named
from eqvproof.claims.groups.model import Factor, Group
from eqvproof.claims.groups.written import FACTOR, NAME, TIMES, Place, is_still, relabels
from eqvproof.claims.signature import Signature
from eqvproof.claims.signature.forms import Form
from eqvproof.support.errors import GroupError
from eqvproof.support.lazy import LaterModule

group_errors = LaterModule("eqvproof.claims.groups.group_errors")

#: A group: as text, as one of `eqvproof.claims.groups`, or several of these.
Under: TypeAlias = str | Group | Sequence[str | Group]


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
        raise group_errors.not_a_group(text)
    factors: list[Factor] = []
    pins = {}
    position = 0
    while True:
        asked, place = _parse_factor(text, position, signature)
        named = {f["axis"] for f in FACTOR.finditer(text)}
        factor, pinned = _place_factor(asked, place, signature, named)
        for other in factors:
            if _real_axis(other) == _real_axis(factor):
                raise group_errors.same_axis(factor, other, place)
        factors.append(factor)
        if pinned is not None:
            pins[str(factor.axis)] = pinned
        position = place.end
        if not text[position:].strip(" \t\r\n"):
            return Group(tuple(factors), pins)
        times = TIMES.match(text, position)
        if times is None:
            raise group_errors.syntax_error(text, position, signature)
        position = times.end()


def _parse_factor(text: str, position: int, signature: Signature) -> tuple[Factor, Place]:
    """Parses a factor at a position of a text; returns it with its place. Raises: GroupError."""
    if text[position:].lstrip()[:4] == "Flip":
        from eqvproof.claims.groups.flips import FLIP, flip_factor

        flip = FLIP.match(text, position)
        if flip is not None:
            place = Place(text, position, flip.end())
            return flip_factor(flip["names"], place, signature), place
    match = FACTOR.match(text, position)
    if match is None:
        raise group_errors.syntax_error(text, position, signature)
    place = Place(text, match.start("family"), match.end())
    family = match["family"]
    if family not in FAMILIES:
        raise group_errors.unknown_family(family, place)
    if match["numbers"]:
        family = _with_numbers(family, "".join(match["numbers"].split()), place)
    written = match["axis"]
    # Sp(2d); 24 is a size
    if family + written[0] in EVERY_FAMILY and NAME.fullmatch(written[1:]):
        family, written = family + written[0], written[1:]
    where = _axis(written, place, signature)
    return Factor(family, where, each=match["each"] or ""), place


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
        pairs = [(m["family"], _name_or_size(m["axis"])) for m in FACTOR.finditer(under)]
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
    if NAME.fullmatch(axis):
        return axis
    if re.fullmatch(r"[1-9][0-9]{0,8}", axis):
        return int(axis)
    raise group_errors.not_an_axis(axis, place, signature)


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
                raise group_errors.two_readings(factor, named, place, signature)
            if not is_literal:
                factor, pinned = named, int(factor.axis)
    pinned = _of_one_size(factor, pinned, place)
    if not acts_on_inputs(factor, signature):
        raise group_errors.acts_on_nothing(factor, place, signature)
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


def acts_on_inputs(factor: Factor, signature: Signature) -> bool:
    """Checks whether some element of the factor can move an input.

    It can if it acts on an axis of the input, or relabels the axis that its indices point to.
    """
    if factor.kind.only_translates:
        acts = factor.translates
    else:
        acts = factor.acts_on
    acted = any(acts(term) for a in signature.inputs for axis in a.axes for term in axis.terms)
    return (acted or relabels(factor, signature)) and not is_still(factor)


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
    for name, axes, is_relabelled in values:
        acted = is_relabelled or any(factor.acts_on(t) for axis in axes for t in axis.terms)
        named = [axis for axis in axes if factor.each in axis.names]
        if acted and (
            factor.each == factor.axis or len(named) != 1 or str(named[0]) != factor.each
        ):
            raise group_errors.not_each(factor, name, axes, place, signature)


def _is_written(factor: Factor, signature: Signature) -> bool:
    """Checks whether the factor acts on an axis of the signature that is not irreps alone."""
    terms = (term for axis in signature.axes for term in axis.terms if not term.irrep)
    return any(map(factor.acts_on, terms)) or relabels(factor, signature)
