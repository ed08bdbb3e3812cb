"""A model as a function of plain arrays: parts of its arguments in, one of its results out.

A form (`eqvproof.claims.signature.forms`) is put around a function: arrays are put at their places
in copies of the examples, merged axes are joined before the call, the result is selected and its
merged axes are split. The call itself runs unchanged, on traced values or real arrays of any
library.
"""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from eqvproof.claims.signature.forms import Form, Leaf, Result, Shaped
from eqvproof.claims.signature.last_axes import first_entry, with_last_axes
from eqvproof.support.errors import OptionError, TargetError, error_text, is_foreign, place_of
from eqvproof.tracing.arrays.pairs import complex_array, real_array
from eqvproof.tracing.arrays.values import Numbers

Example = Mapping[str, object]
#: For an array: the number of axes joined in each of its axes; the terms (multiplicity, name) of
#: all these axes; the doubled axis of complex numbers (see `_halves`), or None; and the number of
#: axes of size 1 that are added at its end.
Axes = tuple[
    tuple[int, ...],
    tuple[tuple[tuple[int, str | None], ...], ...],
    tuple[int, bool, bool] | None,
    int,
]


def as_function(
    f: Callable[..., object], what: tuple[Form, Result], example: Example | None
) -> object:
    """Returns f as a function of the leaves of a form that returns one of f's results.

    Args:
        f: the function.
        what: the form of its signature, and the result.
        example: arguments by name; parts that no leaf names are used unchanged.

    Raises:
        OptionError: an argument with named leaves has no example, or the example lacks the place.
    """
    form, result = what
    example = dict(example or {})
    for leaf in form.leaves:
        name, *path = leaf.path
        if path and name not in example:
            raise OptionError(
                f"the signature names a part of {name}, and example= holds no {name}",
                given=".".join(leaf.path),
                expected=f"example={{{name!r}: ...}} with one value of this argument",
                hint="parts that the signature does not name keep the values of the example",
                code="example",
            )
        _require_leaf(example.get(name), path, name)
    is_whole = len(form.results) == 1 and not result.path
    place = None if is_whole else (result.path, result.place, len(form.results))
    leaves = tuple(
        (
            leaf.path,
            leaf.merged,
            leaf.is_size,
            tuple(axis.single for axis in leaf.argument.axes),
            _halves(leaf),
            leaf.flips,
        )
        for leaf in form.leaves
    )
    shaped = result.shaped or Shaped((), ())
    axes = tuple(tuple((t.coefficient, t.name) for t in axis.terms) for axis in shaped.axes)
    doubled = _halves(result)
    whole = (shaped.merged, axes, doubled, result.flips)
    return functools.partial(_called, f, leaves, place, whole, example)


def _halves(part: Leaf | Result) -> tuple[int, bool, bool] | None:
    """Returns how complex numbers are stored in a part; None where its entries are real.

    The tuple holds the doubled axis, whether it is an axis of its own, and whether the part is
    conjugated.
    """
    if part.doubled is None:
        return None
    alone = (
        isinstance(part, Leaf)
        and len(part.argument.axes) - part.flips == 1
        and str(part.argument.axes[0]) == "2!"
    )
    return part.doubled, alone, part.is_dual


def result_of(f: Callable[..., object], name: str, position: int) -> object:
    """Returns the function that computes one result of f.

    Args:
        f: the function.
        name: the name of the result, that of `Result.name`.
        position: its position, for named results of a tuple.
    """
    _, _, number = name.partition("result ")
    place = (
        ((), int(number), None) if number.isdecimal() else (tuple(name.split(".")), position, None)
    )
    return functools.partial(_result, f, place)


def _result(f: Callable[..., object], place: object, *arrays: object) -> object:
    return picked(f(*arrays), place)


def _called(
    f: Callable[..., object],
    leaves: tuple[Any, ...],
    place: object,
    shaped: Axes,
    example: Example,
    *arrays: Numbers,
) -> object:
    """Calls f on the examples with these arrays in them and returns the selected result.

    Its other arguments are tuples of texts and numbers, which the walk over all objects that a
    target reaches can read.
    """
    arguments: dict[str, object] = {}
    sizes: dict[str, object] = {}
    for (path, merged, is_size, names, halves, flips), array in zip(leaves, arrays, strict=True):
        for axis, length in zip(names, array.shape, strict=True):
            if axis is not None:
                sizes.setdefault(axis, length)
        if flips:
            array = first_entry(array, flips)
        name, *rest = path
        if halves is None:
            whole = array
        else:
            whole = complex_array(array, halves)
        value = array.shape[0] if is_size else _merge_axes(whole, merged)
        arguments[name] = with_leaf(arguments.get(name, example.get(name)), rest, value)
    more = {name: value for name, value in example.items() if name not in arguments}
    result = picked(f(*arguments.values(), **more), place)
    if result is None or isinstance(result, (tuple, list, dict, str)):
        return result  # no array, as the caller will tell
    return _apart(result, shaped, sizes)


def _require_leaf(holder: object, path: list[str], name: str) -> None:
    """Raises an error for an example in which a leaf cannot be replaced.

    Raises:
        OptionError: there is no such place, or code of the example raises.
    """
    try:
        with_leaf(holder, path, None)
    except BaseException as error:
        if not is_foreign(error):
            raise
        place = place_of(error)
        raise OptionError(
            f"the example of {name} raises {error_text(error)}",
            given=f"a copy of it with another {'.'.join([name, *path])!r}"
            + f"; {place}" * bool(place),
            expected="an object whose parts can be read, and copied",
            hint="copy.copy(it) and its attributes show the whole traceback",
            code="example.raises",
        ) from error


def with_leaf(holder: Any, path: list[str], value: object) -> Any:
    """Returns a copy of a structure in which one leaf is replaced; the structure itself is kept.

    Args:
        holder: dictionaries, sequences, named tuples, data classes, and objects that hold
            attributes.
        path: the keys, positions and attributes that lead to the leaf.
        value: the new value of the leaf.

    Raises:
        OptionError: there is no such place.
    """
    if not path:
        return value
    first, *rest = path
    inner = with_leaf(at(holder, first), rest, value)
    if isinstance(holder, Mapping):
        made = copy.copy(holder)
        made[_key(holder, first)] = inner  # type: ignore[index]
        return made
    if isinstance(holder, (tuple, list)):
        fields = list(getattr(holder, "_fields", ()))
        place = int(first) if first.isdecimal() else fields.index(first)
        items = [inner if i == place else v for i, v in enumerate(holder)]
        if fields:
            return type(holder)(*items)
        return type(holder)(items)
    made = copy.copy(holder)
    state = {} if hasattr(type(holder), "__copy__") else getattr(made, "__dict__", {})
    # what modules hold is in these
    state.update({k: dict(v) for k, v in state.items() if type(v) is dict})
    for name in (first, f"_{first}"):  # what is asked for by a property stands under another name
        for put in (setattr, object.__setattr__):  # the second one into a frozen data class
            with contextlib.suppress(AttributeError, TypeError):
                put(made, name, inner)
                break
        if getattr(made, first, None) is inner:
            return made
    raise OptionError(
        f"a {type(holder).__name__} does not take another {first!r}: it is computed from the rest",
        given=f"a name with the part {first!r}",
        expected="a part that can be set",
        hint="name what it is computed from",
        code="example.computed",
    )


def _key(holder: Mapping[object, object], step: str) -> object:
    if step in holder or not step.isdecimal():
        return step
    return int(step)


def at(holder: object, step: str) -> object:
    """Returns the item of a structure under a key, at a position, or as an attribute.

    Raises:
        OptionError: there is no such item.
    """
    try:
        if isinstance(holder, Mapping):
            return holder[_key(holder, step)]
        if isinstance(holder, (tuple, list)) and step.isdecimal():
            return holder[int(step)]
        return getattr(holder, step)
    except (LookupError, AttributeError):
        raise OptionError(
            f"a {type(holder).__name__} has nothing called {step!r}",
            given=f"a name with the part {step!r}",
            expected="a key, a position or an attribute" + _known(holder),
            hint="the parts of a name are written 'data.x', 'pair.0'",
            code="example.path",
        ) from None


def _is_the_result(value: object, name: str) -> bool:
    """Checks whether a value is an array, or a number, and the name is none of its own parts."""
    if isinstance(value, (int, float, complex)):
        return True
    is_array = hasattr(value, "shape") and hasattr(value, "dtype")
    return is_array and (hasattr(np.ndarray, name) or not hasattr(value, name))


def _without_name(result: object, path: Sequence[str]) -> str:
    """Returns what to try where a result has no part with a name."""
    if hasattr(result, "shape"):
        return f"the function returns one array: write its axes alone, without '{'.'.join(path)}:'"
    return "name the results as the function returns them, or give their axes in order"


def _known(holder: object) -> str:
    if isinstance(holder, Mapping):
        names = list(holder)
    else:
        names = list(getattr(holder, "__dict__", ()))
    shown = ", ".join(str(n) for n in names[:12] if not str(n).startswith("_"))
    if shown:
        return f": {shown}"
    return ""


def picked(value: Any, place: Any) -> object:
    """Selects one result of a function by its place.

    The place is a path of names, which is empty for a result without a name, its position among the
    results, and how many there are, if that is known; None selects the value itself. A tuple or a
    list has no names: its items are taken by their positions. One array may have any name.

    Raises:
        TargetError: the function returns other results than declared.
    """
    if place is None:
        return value
    path, number, count = place
    if len(path) == 1 and count in (1, None) and _is_the_result(value, path[0]):
        return value
    by_order = type(value) in (tuple, list) and len(path) == 1 and not path[0].isdecimal()
    if path and not by_order:
        try:
            return functools.reduce(at, path, value)
        except OptionError as error:
            raise TargetError(
                f"the result has no part {'.'.join(path)}: {error.message}",
                given=error.given,
                expected=error.expected,
                hint=_without_name(value, path),
                code="target.result",
            ) from None
    found = _flat(value)
    if number >= len(found) or count not in (None, len(found)):
        raise TargetError(
            f"the function returns {_counted(len(found))}, the signature has"
            f" {_counted(count or number + 1)}",
            given=f"a {type(value).__name__}",
            expected="as many results as the signature lists; '_' leaves one out",
            hint="results in a dictionary or an object are named: '-> pos: n d, h: n c'",
            code="target.results",
        )
    return found[number]


def _flat(value: object) -> list[object]:
    """Lists the items of nested tuples and lists in order."""
    if isinstance(value, (tuple, list)):
        return [leaf for v in value for leaf in _flat(v)]
    return [value]


def _counted(count: int) -> str:
    return f"{count} result{'s' if count != 1 else ''}"


def _merge_axes(array: Any, merged: tuple[int, ...]) -> Any:
    """Returns the array with groups of axes joined into one axis each, in row-major order."""
    if all(count == 1 for count in merged):
        return array
    lengths, shape = list(array.shape), []
    for count in merged:
        shape.append(prod(lengths[:count]) if count > 1 else lengths[0])
        del lengths[:count]
    return array.reshape(tuple(shape))


def _apart(array: Any, shaped: Axes, sizes: Mapping[str, object]) -> object:
    """Returns the array with merged axes split; a size that nothing else determines is inferred."""
    merged, axes, halves, flips = shaped
    if flips:
        return with_last_axes(_apart(array, (merged, axes, halves, 0), sizes), flips)
    array = real_array(array, halves)
    if all(count == 1 for count in merged) or not hasattr(array, "shape"):
        return array
    if len(array.shape) != len(merged):
        raise TargetError(
            "the result has another number of axes than the signature says",
            given=f"{len(array.shape)} axes",
            expected=f"{len(merged)} axes, some of which are made of several",
            hint="change the signature, or what is returned",
            code="target.axes",
        )
    rest, shape = list(axes), []
    for count, length in zip(merged, array.shape, strict=True):
        shape += [length] if count == 1 else [_size(axis, sizes) for axis in rest[:count]]
        del rest[:count]
    return array.reshape(tuple(shape))


def _size(terms: tuple[tuple[int, str | None], ...], sizes: Mapping[str, Any]) -> Any:
    """Returns the size of an axis from the sizes of the given arrays; -1 if they do not say it."""
    if any(name is not None and name not in sizes for _, name in terms):
        return -1
    return sum(count if name is None else count * sizes[name] for count, name in terms)
