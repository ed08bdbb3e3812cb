"""Claims of `independent` and `causal`, as invariance under translations of some entries.

Values y that take the place of entries of x are joined by translations, one for each row: f does
not depend on these entries if and only if f(x with y there) is invariant under translations of y.

Of an array with more than two axes, as of a batch, y has the last two: it takes the place of these
entries in the elements that a mask chooses, another argument. f does not depend on the entries if
and only if this holds whichever elements are chosen: the elements may be changed one by one.

Indices and truth values are not translated. There are two arrays of them, and a number y for each
entry, or for all, says which of the two is taken, by its sign; translations of y join both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from eqvproof.claims.signature import parse_form
from eqvproof.claims.signature.forms import Form, Result, plain_signature
from eqvproof.claims.signature.model import Argument, Axis, Signature
from eqvproof.support.errors import SignatureError

#: An argument, all of it or where a mask holds or does not; and a mask.
_PART = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\[\s*(~?\s*[A-Za-z_]\w*)\s*\])?\s*")
#: An axis with a name or a number, and no mark.
_PLAIN = re.compile(r"[A-Za-z_]\w*|\d+")


@dataclass(frozen=True, slots=True)
class Library:
    """The functions of a library that claims call.

    Attributes:
        where: `where` of its arrays.
        concatenate: `concatenate`.
        pick: selects one result by its path, its position, and the number of results.
    """

    where: Callable[..., Any]
    concatenate: Callable[..., Any]
    pick: Callable[[Any, tuple[tuple[str, ...], int, int]], Any]


@dataclass(frozen=True, slots=True)
class End:
    """Entries beyond those on which a result may depend, earlier or later ones.

    Attributes:
        parts: for each argument that is cut, its name, that of the part that stays, that of the
            array that says which of the entries beyond change, and the axis of both.
        results: for each result of the claim, its name, and the axis along which it is cut.
        is_later: whether they are later ones.
        margin: the number of entries between them and the result's, on which it may depend.
    """

    parts: tuple[tuple[str, str, str, tuple[int, int]], ...]
    results: Mapping[str, int]
    is_later: bool
    margin: int


@dataclass(frozen=True, slots=True)
class Invariance:
    """A claim of invariance that says what a function does not depend on.

    Attributes:
        function: the function, which also takes the values that are translated.
        signature: its typing.
        under: the translations.
        question: what it says, in words: "causal along n".
        ends: of arguments that are cut along an axis, what is beyond.
    """

    function: Callable[..., Any]
    signature: str
    under: str
    question: str
    ends: tuple[End, ...] = ()


@dataclass(frozen=True, slots=True)
class _Change:
    """Chooses what takes the place of the entries of an argument.

    Attributes:
        still: arguments that are not translated.
        moved: the one that is.
        value: the values in place of given ones, from those of `still` and of `moved`.
    """

    still: tuple[Argument, ...]
    moved: Argument
    value: Callable[[Any, Sequence[Any], Any], Any]


#: Where entries are meant: the number of the argument that is the mask, whether it holds there, and
#: for each axis of the entries whether the mask has it.
_Mask = tuple[int, bool, tuple[bool, ...]]


def without_entries(
    f: Callable[..., Any], text: str, of: str, where: str, library: Library
) -> Invariance:
    """Returns the claim that results do not depend on an argument, or on its entries at a mask.

    Args:
        f: the function.
        text: its signature, with plain arguments and results.
        of: ``"x"``, ``"x[mask]"``, or ``"x[~mask]"`` for the entries where the mask does not hold.
        where: ``"mask"`` or ``"~mask"``: of results with its axes, only the entries there are
            meant; "" for all.
        library: that whose arrays f takes.

    Raises:
        SignatureError: there is no such argument or mask, or the entries cannot be translated.
    """
    form, signature = _plain(text)
    names = [a.name for a in signature.inputs]
    read = _PART.fullmatch(of)
    if read is None or read[1] not in names:
        raise SignatureError(
            f"{of!r} is not an argument", given=f"of={of!r}",
            expected=f"an argument, as 'x', or its entries at a mask, as 'x[~mask]'; of {', '.join(names)}",
            code="dependence.part",
        )  # fmt: skip
    place = names.index(read[1])
    changed = signature.inputs[place]
    change = _change(changed, f"{changed.name}_changed", None, signature.inputs, library)
    kept = None
    if read[2]:
        kept = _mask(signature, read[2], [str(a) for a in changed.axes])
    results = form.claimed_results
    shown = [_shown_mask(signature, where, result) for result in results]
    if where and not any(shown):
        _mask(signature, where, [str(a) for a in _result_axes(results[0])])
    count, choose = len(signature.inputs), library.where
    value, results_of = change.value, _results_of(form, library)  # which hold no claims

    @wraps(f)
    def with_changed(*args: Any) -> Any:
        given, rest, moved = args[:count], args[count:-1], args[-1]
        other = value(given[place], rest, moved)
        if kept is not None:
            other = _at(kept, given, choose, other, given[place])
        found = results_of(f(*given[:place], other, *given[place + 1 :]))
        meant = list[Any]()
        for mask, one in zip(shown, found, strict=True):
            meant.append(one if mask is None else _at(mask, given, choose, one, 0))
        return _as_one(meant)

    arguments = [*signature.inputs, *change.still, change.moved]
    claimed = {_identifier(r): [*map(str, _result_axes(r))] for r in results}
    question = f"independent of {of.strip()}"
    if where:
        question += f" at {where.strip()}"
    return _invariance(with_changed, arguments, [change.moved], claimed, form, question)


def within_window(
    f: Callable[..., Any],
    text: str,
    axis: str,
    window: tuple[int | None, int | None],
    library: Library,
) -> Invariance:
    """Returns the claim that entry i of results along an axis depends on entries near i alone.

    For the entries after these, the arguments are cut in two along the axis. The first entries of a
    result, as many as the first parts have but for a margin, must not depend on the second parts,
    however long both are. The same holds for the entries before, and the last ones of the result.

    Args:
        f: the function.
        text: its signature, with plain arguments and results.
        axis: the axis; "" for the first axis of the first result. Results without it are left out.
        window: how many entries before i, and how many after, it may depend on; None for all.
        library: that whose arrays f takes.

    Raises:
        SignatureError: no result, or no argument, has the axis, or an argument cannot be cut.
    """
    form, signature = _plain(text)
    first = [*map(str, _result_axes(form.claimed_results[0]))] or ["()"]
    axis = axis or first[0]
    cut = {
        number: [str(a) for a in argument.axes].index(axis)
        for number, argument in enumerate(signature.inputs)
        if axis in map(str, argument.axes)
    }
    results = {
        k: [*map(str, _result_axes(r))].index(axis)
        for k, r in enumerate(form.claimed_results)
        if axis in map(str, _result_axes(r))
    }
    _require_order(form, signature, axis, cut, results)
    sides = [(k == 1, count) for k, count in enumerate(window) if count is not None]
    if not sides or min(count for _, count in sides) < 0:
        raise SignatureError(
            "no window of entries is given", given="before={}, after={}".format(*window),
            expected="how many entries before and after an entry it may depend on: numbers, not both None",
            code="dependence.window",
        )  # fmt: skip
    arguments = [a for k, a in enumerate(signature.inputs) if k not in cut]
    moved, ends, claimed = list[Argument](), list[End](), dict[str, list[str]]()
    asked = list[Callable[[Mapping[str, Any]], list[Any]]]()
    for is_later, margin in sides:
        words = ("earlier", "later")[is_later]
        beyond = _new_name(words if len(sides) == 1 else "beyond", signature.inputs)
        cuts = list[_Cut]()
        for number, at in cut.items():
            one = _cut(signature, (number, at), (beyond, words, margin), arguments, library)
            cuts.append(one)
            arguments += one.arguments
            moved.append(one.moved)
        named = dict[str, int]()
        for k, at in results.items():
            name = _identifier(form.claimed_results[k])
            if len(sides) > 1:
                name = words if len(results) == 1 else f"{name}_{words}"
            claimed[name] = [*map(str, _result_axes(form.claimed_results[k]))]
            named[name] = at
        ends.append(End(tuple(one.place for one in cuts), named, is_later, margin))
        given = dict[int, str | _Pair]((k, a.name) for k, a in enumerate(signature.inputs))
        given |= {number: one.pair for number, one in zip(cut, cuts, strict=True)}
        asked.append(_asked(f, given, cut, (is_later, margin), results, form, library))
    names = tuple(a.name for a in arguments)

    @wraps(f)
    def with_others(*args: Any) -> Any:
        values = dict(zip(names, args, strict=True))
        return _as_one([one for ask in asked for one in ask(values)])

    question = f"causal along {axis}"
    if window != (None, 0):
        counts = ["all" if count is None else str(count) for count in window]
        question = f"along {axis} within a window of {counts[0]} before and {counts[1]} after"
    claim = _invariance(with_others, arguments, moved, claimed, form, question)
    return replace(claim, ends=tuple(ends))


#: Computes the part of an argument that stays, and what is beyond, from the arguments by name.
_Pair = Callable[[Mapping[str, Any]], tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class _Cut:
    """An argument that is cut in two along an axis.

    Attributes:
        arguments: what takes its place.
        moved: the one of these that is translated.
        pair: the two parts.
        place: see `End.parts`.
    """

    arguments: tuple[Argument, ...]
    moved: Argument
    pair: _Pair
    place: tuple[str, str, str, tuple[int, int]]


def _cut(
    signature: Signature,
    what: tuple[int, int],
    beyond: tuple[str, str, int],
    earlier: Sequence[Argument],
    library: Library,
) -> _Cut:
    """Returns what takes the place of an argument that is cut.

    Args:
        signature: the user's.
        what: the number of the argument, and the axis.
        beyond: the name of the axis for the entries beyond, what they are, and the margin.
        earlier: the arguments of the claim so far.
        library: that whose arrays there are.
    """
    (number, at), (axis, words, margin) = what, beyond
    argument = signature.inputs[number]
    taken = [*signature.inputs, *earlier]
    size = str(argument.axes[at])
    if margin:
        size = f"{size}+{margin}"
    own, name = _new_name(argument.name, earlier), _new_name(f"{argument.name}_{words}", taken)
    part = _with_axis(replace(argument, name=own), at, size)
    other = _with_axis(replace(argument, name=name), at, axis)
    change = _change(other, f"{name}_changed", at, taken, library)
    moved, value, rest = change.moved, change.value, tuple(a.name for a in change.still)
    arguments = (part, other, *change.still, moved)
    if not change.still:
        moved, arguments = other, (part, other)
    changes = next(a for a in (moved, *change.still) if axis in map(str, a.axes))
    place = argument.name, own, changes.name, (at, [*map(str, changes.axes)].index(axis))
    moved_name = moved.name

    def pair(values: Mapping[str, Any]) -> tuple[Any, Any]:
        there = value(values[name], [values[n] for n in rest], values[moved_name])
        return values[own], there

    return _Cut(arguments, moved, pair, place)


def _asked(
    f: Callable[..., Any],
    arguments: Mapping[int, str | _Pair],
    cut: Mapping[int, int],
    window: tuple[bool, int],
    results: Mapping[int, int],
    form: Form,
    library: Library,
) -> Callable[[Mapping[str, Any]], list[Any]]:
    """Returns the function that computes the parts of results which must depend on nothing beyond.

    Args:
        f: the function of the user.
        arguments: by their numbers, the pairs of parts of those that are cut, and names of others.
        cut: the axes along which arguments are cut, by their numbers.
        window: whether later entries are beyond, and the margin.
        results: the axes along which results are cut, by their numbers.
        form: the user's signature.
        library: that whose arrays there are.
    """
    is_later, margin = window
    join, results_of = library.concatenate, _results_of(form, library)  # which hold no claims

    def ask(values: Mapping[str, Any]) -> list[Any]:
        given, size = list[Any](), 0
        for number, argument in arguments.items():
            if isinstance(argument, str):
                given.append(values[argument])
                continue
            own, other = argument(values)
            first, second = own, other
            if not is_later:
                first, second = other, own
            given.append(join([first, second], cut[number]))
            size = first.shape[cut[number]]
        chosen = slice(0, size - margin)
        if not is_later:
            chosen = slice(size + margin, None)
        found = results_of(f(*given))
        return [found[k][(slice(None),) * at + (chosen,)] for k, at in results.items()]

    return ask


def _plain(text: str) -> tuple[Form, Signature]:
    """Parses a signature of plain arguments; returns it, and that of the first result.

    Raises:
        SignatureError: it has structured arguments, merged axes, or complex numbers.
    """
    form = parse_form(text)
    first, *_ = [
        plain_signature(replace(form, results=(replace(result, path=(), place=0),)))
        for result in form.claimed_results
    ]
    return form, first


def _result_axes(result: Result) -> tuple[Axis, ...]:
    """Returns the axes of a result that is not left out."""
    if result.shaped is None:
        return ()
    return result.shaped.axes


def _identifier(result: Result) -> str:
    return "_".join(result.path) or f"result_{result.place}"


def _results_of(form: Form, library: Library) -> Callable[[Any], list[Any]]:
    """Returns the function that lists the results that are claimed."""
    if len(form.results) == 1 and not form.results[0].path:
        return lambda found: [found]
    places, pick = (
        [(r.path, r.place, len(form.results)) for r in form.claimed_results],
        library.pick,
    )
    return lambda found: [pick(found, place) for place in places]


def _as_one(results: list[Any]) -> Any:
    """Returns the only result, or several as a tuple."""
    if len(results) == 1:
        return results[0]
    return tuple(results)


def _with_axis(argument: Argument, at: int, axis: str) -> Argument:
    """Returns an argument with another axis in place of one."""
    (parsed,) = parse_form(f"x: {axis} -> 1").signatures[0].inputs
    return replace(argument, axes=(*argument.axes[:at], *parsed.axes, *argument.axes[at + 1 :]))


def _require_order(
    form: Form, signature: Signature, axis: str, cut: Mapping[int, int], results: Mapping[int, int]
) -> None:
    """Requires an axis of a result and of arguments, along which all of them can be cut.

    Raises:
        SignatureError: there is none.
    """
    rows = [a.axes for a in signature.inputs] + [
        _result_axes(form.claimed_results[k]) for k in results
    ]
    named = [sum(axis in {str(own), *map(str, own.names)} for own in row) for row in rows]
    indexed = any(a.indexes == axis for a in signature.inputs)
    if indexed or not cut or not results or sum(named) != len(cut) + len(results):
        raise SignatureError(
            "causal needs an axis that a result and an argument share",
            given=f"axis={axis!r} of {form.text!r}",
            expected="an axis of a result and of arguments, once in each, and no indices of it",
            code="dependence.axis",
        )


def _change(
    argument: Argument, name: str, along: int | None, taken: Sequence[Argument], library: Library
) -> _Change:
    """Returns what takes the place of the entries of an argument.

    That of real numbers has the last two axes of the argument, and a mask has the others, if there
    are more. Others are taken from two arrays, by the sign of a number.

    Args:
        argument: the argument.
        name: that of what takes its place.
        along: the axis for whose entries there is a number each, if any.
        taken: arguments whose names are not free.
        library: that whose arrays there are.
    """
    where, name = library.where, _new_name(name, taken)
    if argument.kind != "real":
        sign = Argument(_new_name(f"{argument.name}_taken", taken), ())
        (one,) = parse_form("x: 1 -> 1").signatures[0].inputs
        spread: tuple[Any, ...] = (0,)
        if along is not None:
            rest = (None,) * (len(argument.axes) - along - 1)
            spread = (*(None,) * along, slice(None), *rest, 0)
            sign = replace(sign, axes=(argument.axes[along],))
        sign = replace(sign, axes=(*sign.axes, *one.axes))

        def taken_from_two(given: Any, rest: Sequence[Any], moved: Any) -> Any:
            return where(moved[spread] > 0, rest[0], given)

        return _Change((replace(argument, name=name),), sign, taken_from_two)
    lead, own = argument.axes[:-2], argument.axes[-2:]
    changed = replace(argument, name=name, axes=own)
    if not lead:
        return _Change((), changed, lambda given, rest, moved: moved)
    mask = replace(
        argument, name=_new_name(f"{argument.name}_chosen", taken), axes=lead, kind="bool"
    )

    def in_elements(given: Any, rest: Sequence[Any], moved: Any) -> Any:
        return where(rest[0][..., None, None], moved, given)

    return _Change((mask,), changed, in_elements)


def _invariance(
    function: Callable[..., Any],
    arguments: Sequence[Argument],
    moved: Sequence[Argument],
    results: Mapping[str, Sequence[str]],
    form: Form,
    question: str,
) -> Invariance:
    """Returns the claim that translations of some arguments change no result.

    Args:
        function: the function.
        arguments: its arguments.
        moved: those that are translated.
        results: the axes of its results, by name.
        form: the user's signature.
        question: what the claim says, in words.
    """
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
    still, own = {str(a.axes[-1]) for a in moved}, [a for a in arguments if a not in moved]
    axes_of_results = [axis for result in form.claimed_results for axis in _result_axes(result)]
    everything = [*(axis for a in own for axis in a.axes), *axes_of_results]
    joined = [a for a in everything if str(a) not in still and still & {*map(str, a.names)}]
    if joined or any(a.indexes in still for a in own):
        raise SignatureError(
            f"whether something depends on entries along {', '.join(sorted(still))} cannot be asked",
            given=form.text, expected="no index of that axis, and no sum of it with others",
            code="dependence.joined",
        )  # fmt: skip
    given = ", ".join(str(a) if a in moved else _marked(str(a), still) for a in arguments)
    shown = {name: _marked(" ".join(axes), still) or "()" for name, axes in results.items()}
    result = ", ".join(f"{name}: {axes}" for name, axes in shown.items())
    if len(shown) == 1:
        (result,) = shown.values()
    return Invariance(function, f"{given} -> {result}", " x ".join(factors), question)


def _marked(text: str, still: set[str]) -> str:
    """Returns the text of axes, or of an argument, in which translations leave some axes."""
    head, colon, axes = text.rpartition(": ")
    words = (
        "+".join(term + "!" * (term in still) for term in word.split("+")) for word in axes.split()
    )
    return head + colon + " ".join(words)


def _new_name(name: str, taken: Iterable[Argument]) -> str:
    """Returns a name that no argument has, and none of their axes."""
    known = {n for a in taken for n in (a.name, *(own for axis in a.axes for own in axis.names))}
    while name in known:
        name += "_"
    return name


def _shown_mask(signature: Signature, where: str, result: Result) -> _Mask | None:
    """Returns the mask at which entries of a result are meant; None if it has other axes."""
    name, axes = where.removeprefix("~").strip(), [*map(str, _result_axes(result))]
    own = [str(a) for mask in signature.inputs if mask.name == name for a in mask.axes]
    if not own or own != [a for a in axes if a in own]:
        return None
    return _mask(signature, where, axes)


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
            f"{name!r} is not a mask for an array with axes {' '.join(axes)!r}", given=text,
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
