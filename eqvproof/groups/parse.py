"""The parser of groups: ``"O(d) x S(n)"``, read against a signature."""

from __future__ import annotations

import re

from eqvproof.errors import GroupError
from eqvproof.groups.model import FAMILIES, Factor, Group
from eqvproof.signature import Signature
from eqvproof.signature.carets import caret_line, did_you_mean

_FACTOR = re.compile(
    r"[ \t\r\n]*(?P<family>[A-Za-z]+)[ \t\r\n]*\([ \t\r\n]*(?P<axis>[A-Za-z0-9_]+)[ \t\r\n]*\)"
)
_TIMES = re.compile(r"[ \t\r\n]*(x|×)[ \t\r\n]*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ALIASES = {
    "Sym": "S",
    "Perm": "S",
    "Permutations": "S",
    "P": "S",
    "Alt": "A",
    "Z": "C",
    "Cyc": "C",
    "Cyclic": "C",
    "Dih": "D",
    "Orthogonal": "O",
    "Rot": "SO",
    "Sign": "Signs",
    "Flips": "Signs",
    "Affine": "E",
    "ISO": "E",
    "L": "GL",
    "Rotations": "SO",
    "Shift": "C",
    "Shifts": "C",
}


def parse_group(text: object, signature: Signature) -> Group:
    """The group that a text such as ``"O(d) x S(n)"`` stands for, acting on the axes of a signature.

    ``O(3)`` is O(d) with the size pinned: it acts on the axis d (n for families of permutations), whose size
    is then 3; where the signature has no such axis, on the literal axes 3.

    Raises:
        GroupError: the text is not a group, or a factor has no axis in the signature.
    """
    if isinstance(text, Group):
        whole = str(text)
        for factor in text.factors:
            for require in (_require_axis, _require_points, _require_numbers):
                require(factor, whole, 0, len(whole), signature)
        return text
    if isinstance(text, (list, tuple)) and text:
        return _product([parse_group(part, signature) for part in text])
    if not isinstance(text, str):
        raise GroupError(
            "a group is a text",
            given=type(text).__name__,
            expected="a str, a group of ep.groups, or a list of these",
            hint='write a group as "O(d)" or "O(d) x S(n)"',
        )
    factors: list[Factor] = []
    pins: dict[str, int] = {}
    position = 0
    while True:
        match = _FACTOR.match(text, position)
        if match is None:
            raise _unreadable(text, position)
        start, end = match.start("family"), match.end()
        family = _family(text, match.group("family"), start)
        factor, pinned = _factor(family, match.group("axis"), text, start, end, signature)
        if any(f.axis == factor.axis for f in factors):
            raise _error(
                f"two factors act on the axis {factor.axis}",
                text,
                start,
                end,
                expected="factors on different axes",
                hint="actions on one axis need not commute; ask for each group by itself",
                code="group.same-axis",
            )
        factors.append(factor)
        if pinned is not None:
            pins[str(factor.axis)] = pinned
        position = end
        _require_points(factor, text, start, end, signature)
        _require_numbers(factor, text, start, end, signature)
        if not text[position:].strip(" \t\r\n"):
            return Group(tuple(factors), pins)
        times = _TIMES.match(text, position)
        if times is None:
            raise _unreadable(text, position)
        position = times.end()


def _product(groups: list[Group]) -> Group:
    """The product of groups on different axes."""
    factors = tuple(f for g in groups for f in g.factors)
    axes = [f.axis for f in factors]
    if len(set(axes)) < len(axes):
        raise GroupError(
            "two factors act on one axis",
            given=" x ".join(map(str, factors)),
            expected="factors on different axes",
            hint="actions on one axis need not commute; ask for each group by itself",
            code="group.same-axis",
        )
    return Group(factors, {k: v for g in groups for k, v in g.pins.items()})


def _family(text: str, word: str, start: int) -> str:
    if word in FAMILIES:
        return word
    guess = next((f for f in FAMILIES if f.lower() == word.lower()), _ALIASES.get(word, ""))
    hint = f"did you mean {guess!r} ({FAMILIES[guess].meaning})?" if guess else did_you_mean(word, FAMILIES)
    raise _error(
        f"there is no family of groups {word!r}",
        text,
        start,
        start + len(word),
        expected="one of " + ", ".join(FAMILIES),
        hint=hint or "see the list of families: O(d) are the orthogonal matrices, S(n) the permutations",
        code="group.unknown-family",
    )


def _factor(
    family: str, axis: str, text: str, start: int, end: int, signature: Signature
) -> tuple[Factor, int | None]:
    if _NAME.fullmatch(axis):
        factor = Factor(family, axis)
        _require_axis(factor, text, start, end, signature)
        return factor, None
    if not re.fullmatch(r"[1-9][0-9]{0,8}", axis):
        raise _error(
            f"{axis!r} is neither an axis nor a size",
            text,
            start,
            end,
            expected="an axis name, or a size from 1 up",
            hint="write the group with an axis of the signature: " + _axes(signature),
            code="group.axis",
        )
    size = int(axis)
    literal = Factor(family, size)
    default = Factor(family, FAMILIES[family].default_axis)
    if _acted(default, signature):
        return default, size
    if _acted(literal, signature):
        return literal, None
    raise _error(
        f"{literal} has no axis in the signature '{signature}'",
        text,
        start,
        end,
        expected=f"a literal axis {size}, or an axis called {default.axis!r} whose size is then {size}",
        hint=f"name the axis, {family}(...) with one of {_axes(signature)}, and pin its size with sizes=",
        code="group.no-axis",
    )


def _require_axis(factor: Factor, text: str, start: int, end: int, signature: Signature) -> None:
    if _acted(factor, signature):
        return
    axis = str(factor.axis)
    if axis in signature.names:
        message = f"{factor} acts on no axis: every {axis} of '{signature}' is marked '!'"
        hint = f"leave the mark of an axis {axis} out"
    else:
        message = f"{factor} has no axis in the signature '{signature}'"
        hint = did_you_mean(axis, signature.names)
        if axis in signature.argument_names:
            argument = signature.argument(axis)
            hint = f"{axis} is an argument; a group is named with an axis: '{argument}'"
    raise _error(
        message,
        text,
        start,
        end,
        expected="an axis of the signature: " + _axes(signature),
        hint=hint or "a group acts on every axis of its name",
        code="group.no-axis",
    )


def _require_points(factor: Factor, text: str, start: int, end: int, signature: Signature) -> None:
    """A translation adds to one axis of a value; a value with two such axes has none that is meant."""
    if factor.kind not in ("shift", "rigid"):
        return
    for value in (*(a.axes for a in signature.inputs), signature.output):
        points = sum(any(factor.translates(t) for t in axis.terms) for axis in value)
        acted = sum(any(factor.acts_on(t) for t in axis.terms) for axis in value)
        if points > 1 or (points and acted > 1 and factor.kind == "rigid"):
            raise _error(
                f"{factor} translates one axis of a value and moves no other, and this one has several",
                text,
                start,
                end,
                expected="at most one axis without a mark in '" + " ".join(map(str, value)) + "'",
                hint=f"mark directions, which rotate and do not translate: {factor.axis}^",
                code="group.points",
            )


def _require_numbers(factor: Factor, text: str, start: int, end: int, signature: Signature) -> None:
    """Masks and indices can be rearranged; they cannot be rotated, translated or multiplied."""
    if factor.kind in ("perm", "none"):
        return
    for argument in signature.inputs:
        if argument.kind != "real" and any(factor.acts_on(t) for axis in argument.axes for t in axis.terms):
            raise _error(
                f"{factor} acts on the argument {argument.name}, which holds no real numbers",
                text,
                start,
                end,
                expected="a group of permutations, or an axis that is not acted on",
                hint=f"mark the axis: {argument.name} with {factor.axis}!",
                code="group.masks",
            )


def _acted(factor: Factor, signature: Signature) -> bool:
    return any(factor.acts_on(term) for axis in signature.axes for term in axis.terms)


def _axes(signature: Signature) -> str:
    literals = [str(t.coefficient) for a in signature.axes for t in a.terms if t.name is None]
    return ", ".join((*signature.names, *dict.fromkeys(literals))) or "there are none"


def _unreadable(text: str, position: int) -> GroupError:
    start = position + len(text[position:]) - len(text[position:].lstrip(" \t\r\n"))
    rest = text[start:]
    if not rest:
        message = "the group ends where a factor should stand" if text.strip() else "the group is empty"
    else:
        message = f"unexpected {rest[:1]!r}"
    hint = 'write a group as "O(d)" or "O(d) x S(n)"'
    bare = re.match(r"[A-Za-z]+", rest)
    if bare and bare.group() in FAMILIES:
        letter = bare.group()
        hint = f"name the axis: {letter}({FAMILIES[letter].default_axis})"
    elif rest[:1] in ("*", ",", "&", "+"):
        hint = "factors are joined by ' x '"
    expected = "a factor such as 'O(d)'" if position == 0 or not rest else "' x ' and a factor such as 'S(n)'"
    return _error(message, text, start, start + 1, expected=expected, hint=hint, code="group.syntax")


def _error(
    message: str, text: str, start: int, end: int, *, expected: str, hint: str, code: str
) -> GroupError:
    return GroupError(f"{message}\n{caret_line(text, start, end)}", expected=expected, hint=hint, code=code)
