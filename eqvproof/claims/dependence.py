"""Claims of `independent` and `causal`, as invariance under translations of some entries.

Values y that take the place of entries of x are joined by translations, one for each row: f does
not depend on these entries if and only if f(x with y there) is invariant under translations of y.

Of an array with more than two axes, as of a batch, y has the last two: it takes the place of these
entries in the elements that a mask chooses, another argument. f does not depend on the entries if
and only if this holds whichever elements are chosen: the elements may be changed one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from eqvproof.claims.signature import parse_form
from eqvproof.claims.signature.forms import plain_signature
from eqvproof.claims.signature.model import Argument, Signature
from eqvproof.support.errors import SignatureError

#: An argument, all of it or where a mask holds or does not; and a mask.
_PART = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\[\s*(~?\s*[A-Za-z_]\w*)\s*\])?\s*")
#: An axis with a name or a number, and no mark.
_PLAIN = re.compile(r"[A-Za-z_]\w*|\d+")


@dataclass(frozen=True, slots=True)
class Invariance:
    """A claim of invariance that says what a function does not depend on.

    Attributes:
        function: the function, which also takes the values that are translated.
        signature: its typing.
        under: the translations.
    """

    function: Callable[..., Any]
    signature: str
    under: str


#: Where entries are meant: the number of the argument that is the mask, whether it holds there, and
#: for each axis of the entries whether the mask has it.
_Mask = tuple[int, bool, tuple[bool, ...]]
#: The functions `where` and `concatenate` of a library.
Functions = tuple[Callable[..., Any], Callable[..., Any]]


def without_entries(
    f: Callable[..., Any], text: str, of: str, where: str, functions: Functions
) -> Invariance:
    """Returns the claim that a result does not depend on an argument, or on its entries at a mask.

    Args:
        f: the function.
        text: its signature, with one plain result.
        of: ``"x"``, ``"x[mask]"``, or ``"x[~mask]"`` for the entries where the mask does not hold.
        where: ``"mask"`` or ``"~mask"``: of the result, only the entries there are meant; "" for
            all.
        functions: those of the library whose arrays f takes.

    Raises:
        SignatureError: there is no such argument or mask, or the entries cannot be translated.
    """
    signature = plain_signature(parse_form(text))
    names = [a.name for a in signature.inputs]
    read = _PART.fullmatch(of)
    if read is None or read[1] not in names:
        raise SignatureError(
            f"{of!r} is no part of the arguments", given=f"of={of!r}",
            expected=f"an argument, as 'x', or its entries at a mask, as 'x[~mask]'; of {', '.join(names)}",
            code="dependence.part",
        )  # fmt: skip
    place = names.index(read[1])
    changed = signature.inputs[place]
    moved, chosen = _in_elements(changed, f"{changed.name}_changed", signature)
    is_batch = chosen is not None  # what a function holds is inspected: no arguments
    kept = shown = None
    if read[2]:
        kept = _mask(signature, read[2], [str(a) for a in changed.axes])
    if where:
        shown = _mask(signature, where, [str(a) for a in signature.output])

    choose, _ = functions

    @wraps(f)
    def with_changed(*args: Any) -> Any:
        *given, other = args
        if is_batch:
            *given, elements = given
            other = choose(_spread(elements), other, given[place])
        if kept is not None:
            other = _at(kept, given, choose, other, given[place])
        found = f(*given[:place], other, *given[place + 1 :])
        if shown is not None:
            return _at(shown, given, choose, found, 0)
        return found

    return _invariance(with_changed, [moved], signature, [*filter(None, [chosen])])


def without_later(f: Callable[..., Any], text: str, axis: str, functions: Functions) -> Invariance:
    """Returns the claim that entries of a result along an axis depend on no later entries.

    The arguments are cut in two along the axis. The result's first entries, as many as the first
    parts have, must not depend on the second parts, however long both are.

    Args:
        f: the function.
        text: its signature, with one plain result.
        axis: the axis; "" for the first axis of the result.
        functions: those of the library whose arrays f takes.

    Raises:
        SignatureError: the result, or no argument, has the axis, or an argument cannot be cut.
    """
    signature = plain_signature(parse_form(text))
    result = [str(a) for a in signature.output]
    axis = axis or (result or ["()"])[0]
    cut = {
        number: [str(a) for a in argument.axes].index(axis)
        for number, argument in enumerate(signature.inputs)
        if axis in map(str, argument.axes)
    }
    rows = [signature.output, *(a.axes for a in signature.inputs)]
    named = [sum(axis in {str(own), *map(str, own.names)} for own in row) for row in rows]
    plain = all(signature.inputs[k].kind == "real" for k in cut)
    indexed = any(a.indexes == axis for a in signature.inputs)
    if (
        not plain
        or indexed
        or not cut
        or named[0] != 1
        or sum(named) != 1 + len(cut)
        or axis not in result
    ):
        raise SignatureError(
            f"no order along the axis {axis!r} can be asked about", given=f"axis={axis!r} of {text!r}",
            expected="an axis of the result and of arguments of real numbers, once in each",
            code="dependence.axis",
        )  # fmt: skip
    last = result.index(axis)

    choose, concatenate = functions
    after, count = _new_name("later", signature), len(signature.inputs)
    moved, still = list[Argument](), list[Argument]()
    #: For each argument that is cut, how many of those that are still belong to it: 0 or 2.
    held = list[int]()
    for number, at in cut.items():
        argument = signature.inputs[number]
        axes = [*map(str, argument.axes)]
        axes[at] = after
        name = f"{argument.name}_later"
        text = f"{_new_name(name, signature)}: {' '.join(axes)} -> 1"
        (later,) = parse_form(text).signatures[0].inputs
        own, chosen = _in_elements(later, f"{name}_changed", signature)
        moved.append(own if chosen else later)
        still += [later, chosen] if chosen else []
        held.append(2 * (chosen is not None))

    @wraps(f)
    def with_later(*args: Any) -> Any:
        given, rest = list(args[:count]), iter(args[count:])
        others = [[next(rest) for _ in range(number)] for number in held]
        size = given[next(iter(cut))].shape[next(iter(cut.values()))]
        for (number, at), other, more in zip(cut.items(), others, rest, strict=True):
            if other:
                later, elements = other
                more = choose(_spread(elements), more, later)
            given[number] = concatenate([given[number], more], at)
        return f(*given)[(slice(None),) * last + (slice(0, size),)]

    return _invariance(with_later, moved, signature, still)


def _in_elements(
    argument: Argument, name: str, signature: Signature
) -> tuple[Argument, Argument | None]:
    """Returns the argument that takes the place of one, and the mask that chooses elements.

    It has the last two axes of an array with more of them, and the mask has the others. Of an array
    with at most two axes there is no mask.

    Args:
        argument: the argument.
        name: that of the other one.
        signature: the signature of the user.
    """
    lead, own = argument.axes[:-2], argument.axes[-2:]
    changed = replace(argument, name=_new_name(name, signature), axes=own)
    if not lead:
        return changed, None
    mask = _new_name(f"{argument.name}_chosen", signature)
    return changed, replace(argument, name=mask, axes=lead, kind="bool")


def _spread(elements: Any) -> Any:
    """Returns a mask of elements with two more axes."""
    return elements[..., None, None]


def _invariance(
    function: Callable[..., Any],
    moved: Sequence[Argument],
    signature: Signature,
    more: Sequence[Argument] = (),
) -> Invariance:
    """Returns the claim that translations of some arguments change nothing.

    Args:
        function: the function.
        moved: the arguments that are translated, which come last.
        signature: that of the user, whose arguments and result are not translated.
        more: arguments between these, which are not translated.
    """
    given = [*signature.inputs, *more]
    factors = dict[str, None]()
    for argument in moved:
        axes = [str(a) for a in argument.axes]
        plain = 1 <= len({*axes}) == len(axes) <= 2 and all(map(_PLAIN.fullmatch, axes))
        if not plain or argument.kind != "real":
            raise SignatureError(
                f"whether something depends on {argument.name} cannot be asked",
                given=str(argument),
                expected="real numbers whose last two axes are two names or numbers that differ",
                hint="give axes of one size two names: x: n m d",
                code="dependence.axes",
            )  # fmt: skip
        each = "".join(f" each {axis}" for axis in axes[:-1])
        factors[f"T({axes[-1]}){each}"] = None
    still = {str(argument.axes[-1]) for argument in moved}
    everything = [axis for a in given for axis in a.axes] + [*signature.output]
    joined = [a for a in everything if str(a) not in still and still & {*map(str, a.names)}]
    if joined or any(a.indexes in still for a in given):
        raise SignatureError(
            f"whether something depends on entries along {', '.join(sorted(still))} cannot be asked",
            given=signature.text, expected="no index of that axis, and no sum of it with others",
            code="dependence.joined",
        )  # fmt: skip
    texts = [_marked(str(a), still) for a in given] + [*map(str, moved)]
    result = _marked(" ".join(map(str, signature.output)), still) or "()"
    return Invariance(function, f"{', '.join(texts)} -> {result}", " x ".join(factors))


def _marked(text: str, still: set[str]) -> str:
    """Returns the text of axes, or of an argument, in which translations leave some axes."""
    return " ".join(word + "!" * (word in still) for word in text.split())


def _new_name(name: str, signature: Signature) -> str:
    """Returns a name that neither an argument nor an axis has."""
    known = {a.name for a in signature.inputs} | {*signature.names}
    while name in known:
        name += "_"
    return name


def _mask(signature: Signature, text: str, axes: Sequence[str]) -> _Mask:
    """Reads a mask at which entries of an array are meant.

    Raises:
        SignatureError: there is none, or it has other axes than the array.
    """
    name = text.removeprefix("~").strip()
    masks = [a for a in signature.inputs if a.kind == "bool"]
    own = [str(a) for mask in masks if mask.name == name for a in mask.axes]
    if not own or own != [a for a in axes if a in own]:
        raise SignatureError(
            f"{name!r} is no mask of an array with axes {' '.join(axes)!r}", given=text,
            expected=f"an argument of truth values with some of these axes, as '{name}[bool]: n'",
            code="dependence.mask",
        )  # fmt: skip
    number = [a.name for a in signature.inputs].index(name)
    return number, not text.startswith("~"), tuple(a in own for a in axes)


def _at(
    mask: _Mask, given: Sequence[Any], where: Callable[..., Any], there: Any, elsewhere: Any
) -> Any:
    """Returns one value where entries are meant, and another elsewhere."""
    number, holds, axes = mask
    known = given[number][tuple(slice(None) if own else None for own in axes)]
    if holds:
        return where(known, there, elsewhere)
    return where(known, elsewhere, there)
