"""Errors about groups: what is wrong in a text, and how it is written."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, count

from eqvproof.claims.groups.families import FAMILIES
from eqvproof.claims.groups.model import Factor, Group
from eqvproof.claims.groups.written import FACTOR, Place, is_still, relabels
from eqvproof.claims.signature import Axis, Signature, Term
from eqvproof.claims.signature.carets import did_you_mean
from eqvproof.support.errors import GroupError

_EXAMPLE = 'write a group as "O(d)" or "O(d) x S(n)"'
#: Words and signs that people write between two factors.
_JOINS = ("and", "X", "times")


def not_a_group(given: object) -> GroupError:
    """Builds the error for a value that is no group."""
    shown = f"an object of the class {type(given).__name__}"
    hint = f"{_EXAMPLE}; ep.identical compares two functions without a group"
    if given is None:
        shown = "None"
    elif isinstance(given, Group):
        shown = "a group without factors"
    elif isinstance(given, (list, tuple)):
        shown = f"an empty {type(given).__name__}"
    elif hasattr(given, "ndim"):
        hint = "ep.groups.generated_by([matrix]) is the group that matrices generate"
    elif callable(given):
        hint = (
            f"{_EXAMPLE}; to state how a group acts on an axis, give a function of its matrices in"
            ' reps={"m": ("O(d)", rho)}'
        )
    return GroupError(
        "under= is not a group",
        given=shown,
        expected="a text such as 'O(d)', a group of ep.groups, or a list of these",
        hint=hint,
        code="group.type",
    )


def unknown_family(word: str, place: Place) -> GroupError:
    """Builds the error for a word that names no family of groups."""
    from eqvproof.claims.groups.point_groups import POINT_GROUPS

    hint = "a finite group of your own: ep.groups.generated_by(generators), given as under="
    guess = _family_meant(word)
    if word.lower() in ("flip", "timereversal"):
        hint = "the flip of the arguments v and B is written Flip(v, B)"
    elif word in POINT_GROUPS:
        hint = f"a point group of space: ep.groups.point_group({word!r}), given as under="
    elif guess:
        hint = f"did you mean {guess!r} ({FAMILIES[guess].meaning})?"
    return replace(place, end=place.start + len(word)).error(
        f"there is no family of groups {word!r}",
        expected="one of " + ", ".join(FAMILIES),
        hint=hint,
        code="group.unknown-family",
    )


def _family_meant(word: str) -> str:
    """Returns the family that a misspelt word, another name, or "Sn" stands for, or ""."""
    plain = word.lower().removesuffix("s")
    for letter, record in FAMILIES.items():
        others = {n.lower().removesuffix("s") for n in (letter, *record.names)}
        if plain in others or word.lower() == letter.lower():
            return letter
    if word[-1:] in ("d", "n") and word[:-1] in FAMILIES:
        return word[:-1]
    # SU is not S with a letter too many: only longer names are taken for misspelt ones
    if len(word) > 3:
        for letter, record in FAMILIES.items():
            names = [n for n in (letter, *record.names) if len(n) > 3]
            if did_you_mean(word, names):
                return letter
    return ""


def same_axis(factor: Factor, other: Factor, place: Place) -> GroupError:
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


def two_readings(literal: Factor, named: Factor, place: Place, signature: Signature) -> GroupError:
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
        f"{literal} can be read in two ways in '{signature.text}'",
        expected=f"(1) {named}, which acts on the axis {axis}, of size {size}; or"
        f" (2) the group that acts on the axes written {size}",
        hint=f"for (1) write {named} with sizes={{'{axis}': {size}}}; for (2) name these axes:"
        f" '{shown}' under {replace(literal, axis=name)} with sizes={{'{name}': {size}}}",
        code="group.two-readings",
    )


def acts_on_nothing(factor: Factor, place: Place, signature: Signature) -> GroupError:
    """Builds the error for a factor that acts on no input."""
    axis = str(factor.axis)
    usual = factor.record.default_axis
    expected = f"an axis of an input: {_axes(signature)}"
    hint = (
        f"name an axis: {replace(factor, axis=usual)} acts on every axis {usual} without a mark '!'"
    )
    if isinstance(factor.axis, int):
        expected = f"an axis written {axis}, or an axis called {usual!r} whose size is then {axis}"
    if is_still(factor):
        message = f"every generator of {factor} is the identity"
        hint = "give a generator that moves something"
    elif _acts_somewhere(factor, signature):
        message = f"{factor} acts on no input of '{signature.text}'"
        if factor.kind.only_translates and any(
            factor.acts_on(t) for a in signature.axes for t in a.terms
        ):
            hint = f"translations move points, {axis}, and not directions, {axis}^"
    elif isinstance(factor.axis, int):
        message = f"{factor} has no axis in the signature '{signature.text}'"
        hint = _named_size(factor, signature)
    elif axis in signature.names:
        message = f"{factor} acts on no axis: every {axis} of '{signature.text}' is marked '!'"
        hint = f"leave the mark of an axis {axis} out"
    else:
        message = f"{factor} has no axis in the signature '{signature.text}'"
        hint = did_you_mean(axis, signature.names) or _on_a_size(factor, signature)
        if axis in signature.argument_names:
            hint = (
                f"{axis} is an argument; a group is named with an axis:"
                f" '{signature.argument(axis)}'"
            )
    return place.error(message, expected=expected, hint=hint, code="group.no-axis")


def _named_size(factor: Factor, signature: Signature) -> str:
    """Returns what to try where a factor names a size that no axis has."""
    axis = str(factor.axis)
    if factor.generators:
        return (
            f"write {axis} in the signature in place of an axis; generators of other sizes make"
            f" other groups"
        )
    if factor.axis == 1:
        return (
            f"{factor} acts on axes written 1, which the signature must have: 'psi[complex]: n 1'"
        )
    named = replace(factor, axis=(*signature.names, factor.record.default_axis)[0])
    others = sorted(set(_written_sizes(signature)) - {axis})
    if others:
        return (
            f"{replace(factor, axis=int(others[0]))} acts on axes written {others[0]};"
            f" a name takes any size: {named} with sizes={{{str(named.axis)!r}: {axis}}}"
        )
    return f"name the axis, and give its size: {named} with sizes={{{str(named.axis)!r}: {axis}}}"


def _on_a_size(factor: Factor, signature: Signature) -> str:
    """Returns what to try where a factor names an axis that the signature lacks."""
    sizes = _written_sizes(signature)
    if sizes and not factor.generators:
        acts = f"{replace(factor, axis=int(sizes[0]))} acts on the axes written {sizes[0]}"
        return f"{acts}; {factor} acts on an axis of that name: 'x: {factor.axis} {sizes[0]}'"
    return "a group acts on every axis of its name"


def _written_sizes(signature: Signature) -> list[str]:
    """Returns the sizes that are written as axes of inputs."""
    terms = [t for a in signature.inputs for axis in a.axes for t in axis.terms]
    return list(dict.fromkeys(str(t.coefficient) for t in terms if t.name is None))


def _acts_somewhere(factor: Factor, signature: Signature) -> bool:
    terms = (term for axis in signature.axes for term in axis.terms)
    return any(map(factor.acts_on, terms)) or relabels(factor, signature)


def _axes(signature: Signature) -> str:
    literals = [str(t.coefficient) for a in signature.axes for t in a.terms if t.name is None]
    return ", ".join((*signature.names, *dict.fromkeys(literals))) or "there are none"


def not_an_axis(axis: str, place: Place, signature: Signature) -> GroupError:
    """Builds the error for what stands in the parentheses of a factor and is no axis."""
    return place.error(
        f"{axis!r} is neither an axis nor a size",
        expected="an axis name, or a size from 1 up",
        hint="write the group with an axis of the signature: " + _axes(signature),
        code="group.axis",
    )


def not_each(
    factor: Factor, name: str, axes: tuple[Axis, ...], place: Place, signature: Signature
) -> GroupError:
    """Builds the error for a value without exactly one axis for the elements of a factor.

    Args:
        factor: the factor, such as ``S(n) each b``.
        name: the argument on which it acts, or "the result".
        axes: the axes of that argument.
        place: where the factor stands.
        signature: the typing.
    """
    written = " ".join(map(str, axes)) or "()"
    hint = ""
    if not any(factor.each in axis.names for axis in axes):
        hint = did_you_mean(factor.each, sorted(set(signature.names) - {factor.each, factor.axis}))
    return place.error(
        f"{factor} has an element for each entry of {factor.each}, and acts on {name}, which has"
        f" the axes '{written}'",
        expected=f"exactly one axis {factor.each} in {name}",
        hint=hint
        or f"write '{factor.each} {written}'; or {replace(factor, each='')}, one element for all",
        code="group.each",
    )


def syntax_error(text: str, position: int, signature: Signature) -> GroupError:
    """Builds the error for a text that does not go on with a factor."""
    start = position + len(text[position:]) - len(text[position:].lstrip(" \t\r\n"))
    rest = text[start:]
    if rest:
        message = f"unexpected {rest[:1]!r}"
    elif text.strip():
        message = "the group ends where a factor should stand"
    else:
        message = "the group is empty"
    hint = _EXAMPLE
    begun = re.match(r"([A-Za-z]+)[ \t\r\n]*(?:\([ \t\r\n]*([A-Za-z0-9_]*)[ \t\r\n]*)?", rest)
    numbered = re.match(r"([A-Za-z]+)_?([0-9]+)(?![A-Za-z0-9_(])", rest)
    if begun and position and begun[1] in _JOINS:
        message = f"unexpected {begun[1]!r}"
        hint = f"factors are joined by ' x ': {text[:start].rstrip()} x {rest[len(begun[1]) :].lstrip()}"
    elif begun and position and begun[1] == "each":
        message = f"no axis after {begun[1]!r}"
        hint = (
            f"name the axis whose entries have elements of their own: {text[:start].strip()} each b"
        )
    elif numbered and numbered[1] in FAMILIES:
        message = f"no axis after {numbered[1]!r}"
        hint = _with_size(numbered[1], int(numbered[2]), signature)
        start += len(numbered[1])
    elif begun:
        letter, axis, written = begun[1], begun[2], begun.group().rstrip(" \t\r\n")
        is_flip = re.match(r"Flip\s*\([^()]*\)", rest)
        if letter not in FAMILIES and not is_flip:
            return unknown_family(letter, Place(text, start, start))
        if is_flip or FACTOR.match(rest):
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


def _with_size(family: str, size: int, signature: Signature) -> str:
    """Returns how a family with a size, such as SO3, is written."""
    from eqvproof.claims.groups.point_groups import POINT_GROUPS

    usual = FAMILIES[family].default_axis
    symbol = f"{family}{size}"
    if str(size) in _written_sizes(signature) or usual in signature.names:
        hint = f"write the size in parentheses: {family}({size})"
    else:
        axis = (*signature.names, usual)[0]
        hint = f"name the axis, and give its size: {family}({axis}) with sizes={{{axis!r}: {size}}}"
    has_shifts = any(f.shifts and FAMILIES[family] in (f, *f.inside) for f in FAMILIES.values())
    if has_shifts and len(signature.names) > 1:
        hint += "; it moves along one axis: turns of an image, which exchange two, are not offered"
    if symbol in POINT_GROUPS:
        hint += f"; the point group of space is ep.groups.point_group({symbol!r})"
    return hint
