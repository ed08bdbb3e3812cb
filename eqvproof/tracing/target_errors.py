"""Errors about functions that raise, take other arguments, or do not return an array of numbers."""

from __future__ import annotations

import inspect
import os
import re
import types
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.claims.signature.shape_errors import axes_of
from eqvproof.support.errors import ErrorCode, TargetError, error_text

#: What NumPy, torch and Python say where a number is not an integer.
ASKS_FOR_INTEGERS = (
    "must be of integer",
    "indices must be integers",
    "scalar types: Long",
    "used as indices must be long",
    "cannot be interpreted as an integer",
    "index tensor",
)
#: What torch says of a product of two matrices.
_MATRIX_PRODUCT = re.compile(
    r"mat1 and mat2 shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)"
)


def advice(
    error: BaseException,
    function: Callable[..., object],
    signature: Signature,
    sizes: Mapping[str, int],
) -> str:
    """Returns what to try where a function raises.

    Args:
        error: what it raises.
        function: the function.
        signature: its typing.
        sizes: the sizes of the axes.
    """
    text = error_text(error)
    names = [a.name for a in signature.inputs]
    if isinstance(error, TypeError) and "keyword-only argument" in text:
        listed = ", ".join(names)
        return f"arguments are passed by position: lambda {listed}: f({listed}, name=value)"
    if isinstance(error, TypeError) and "positional argument" in text:
        if "but" in text and (kept := _keyword_only(function, names)):
            listed = ", ".join(f"{n}={n}" if n in kept else n for n in names)
            return f"arguments are passed by position: lambda {', '.join(names)}: f({listed})"
        return _other_number(text, function, names)
    if any(words in text for words in ASKS_FOR_INTEGERS):
        name = "z"
        if len(names) == 1:
            name = names[0]
        return (
            f"integers are declared: '{name}[10]: n' for one of 10 kinds each, '{name}[n]: 2 m' for"
            f" indices into the axis n, '{name}[bool]: n' for a mask"
        )
    if product := _MATRIX_PRODUCT.search(text):
        features = _other_features(signature, *product.groups())
        if features:
            return features
    return _change(error, signature, sizes)


def _change(error: BaseException, signature: Signature, sizes: Mapping[str, int]) -> str:
    """Returns what to change where nothing is known of the cause but the exception."""
    name = getattr(error, "name", None)
    if type(error) is NameError and name:
        return f"import or define {name} before the claim is checked"
    if type(error) is AttributeError and isinstance(getattr(error, "obj", None), np.ndarray):
        return f"arrays of NumPy have no {name}; backend='torch' or backend='jax' gives f others"
    if isinstance(error, OSError):
        return f"check the path; relative ones begin at {os.getcwd()}"
    listed = []
    for argument in signature.inputs:
        shape = tuple(axis.at(sizes) for axis in argument.axes if set(axis.names) <= set(sizes))
        listed.append(f"{argument.name} of shape {shape}")
    return f"change f, or the signature, so that f takes {', '.join(listed)}"


def _keyword_only(function: Callable[..., object], names: Sequence[str]) -> set[str]:
    """Returns the arguments in the signature that a function takes by name only."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return set()
    return {
        n for n in names if n in parameters and parameters[n].kind is inspect.Parameter.KEYWORD_ONLY
    }


def _other_features(signature: Signature, given: str, taken: str) -> str:
    """Returns the argument with the number of features that a matrix product takes."""
    for argument in signature.inputs:
        *first, last = map(str, argument.axes or ("",))
        if last == given:
            axes = " ".join([*first, taken])
            return f"a matrix in it takes {taken} features, not {given}: '{argument.name}: {axes}'"
    return ""


def _other_number(text: str, function: Callable[..., object], names: Sequence[str]) -> str:
    """Returns what to try where a function takes another number of arguments."""
    listed = ", ".join(names)
    given = f"the signature gives it {len(names)} arguments: {listed}"
    if len(names) == 1:
        given = f"the signature gives it 1 argument: {listed}"
    if "missing" not in text:
        return f"{given}; leave out those that it does not take"
    name = getattr(function, "__qualname__", "")
    owner, _, method = name.rpartition(".")
    if isinstance(function, types.FunctionType) and owner and not owner.endswith("<locals>"):
        return f"{given}; if it is a method, pass that of an instance: {owner}(...).{method}"
    return f"{given}; name the others too, or fix them: lambda {listed}: f({listed}, ...)"


def declared_result(signature: Signature, sizes: Mapping[str, int]) -> str:
    """Writes which result is declared: its shape, with its axes, or the signature as written."""
    if not signature.is_as_written:
        return f"the result of '{signature.text}'"
    parts = []
    for axis in signature.output:
        length = str(axis)
        if set(axis.names) <= set(sizes):
            length = str(axis.at(sizes))
        parts.append(length)
    if not parts:
        return "one array of shape (), a scalar"
    axes = " ".join(str(a) for a in signature.output)
    comma = "," * (len(parts) == 1)
    return f"one array of shape ({', '.join(parts)}{comma}), that is {axes}"


def not_one_array(result: object, signature: Signature, sizes: Mapping[str, int]) -> TargetError:
    """Builds the error for a function that returns something else than one array."""
    expected = declared_result(signature, sizes)
    if result is None:
        return TargetError(
            "the function returns None",
            given="None",
            expected=expected,
            hint="end it with `return ...`",
            code="target.none",
        )
    if isinstance(result, (tuple, list)):
        return TargetError(
            f"the function returns a {_sequence(result)}, where one array is declared",
            given=f"a {_sequence(result)} of {len(result)}",
            expected=expected,
            hint=_several(result, sizes, signature),
            code="target.tuple",
        )
    if isinstance(result, dict):
        axes = [_axes_of_value(value, sizes, signature) for value in result.values()]
        entries = [f"{name}: {written}" for name, written in zip(result, axes, strict=True)]
        return TargetError(
            "the function returns a dictionary, where one array is declared",
            given=f"a dictionary with {', '.join(map(repr, result))}"[:200],
            expected=expected,
            hint=f"name its entries: '-> {', '.join(entries)}'",
            code=ErrorCode.TARGET_TYPE,
        )
    kind = f"{type(result).__module__}.{type(result).__qualname__}".removeprefix("builtins.")
    hint = "return a NumPy array"
    if isinstance(result, types.GeneratorType):
        hint = "return an array: np.stack(list(...))"
    return TargetError(
        f"the function returns an object of the class {kind}",
        given=kind,
        expected=expected,
        hint=hint,
        code=ErrorCode.TARGET_TYPE,
    )


def _sequence(result: Sequence[object]) -> str:
    """Returns the word for a tuple or a list, with the class of a named tuple."""
    kind = type(result).__name__
    if kind in ("tuple", "list"):
        return kind
    return f"tuple ({kind})"


def _several(result: Sequence[object], sizes: Mapping[str, int], signature: Signature) -> str:
    """Returns what to try where a function returns a tuple or a list."""
    if type(result) is list:
        return "return np.array(...)"
    if len(result) == 1:
        return "leave out the comma at the end of `return x,`, or return its only entry"
    axes = [_axes_of_value(value, sizes, signature) for value in _flat_parts(result)]
    if set(axes) == {"_"}:
        axes[0] = " ".join(map(str, signature.output)) or "()"
    written = ", ".join(axes)
    return f"declare all results, '-> {written}'; '_' stands for one that is not checked"


def _flat_parts(result: object) -> list[object]:
    """Returns the parts of tuples, lists and dictionaries within each other."""
    if isinstance(result, dict):
        result = tuple(result.values())
    if isinstance(result, (tuple, list)):
        return [part for value in result for part in _flat_parts(value)]
    return [result]


def _axes_of_value(value: object, sizes: Mapping[str, int], signature: Signature) -> str:
    """Returns axes that a value has at some sizes, or "_"."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and not shape:
        return "()"
    if isinstance(shape, tuple):
        return axes_of(shape, sizes, signature) or "_"
    return "_"


def not_real(array: np.ndarray) -> TargetError:
    """Builds the error for an array of entries that are no real numbers."""
    hint = "make it an array of floats"
    if array.dtype.kind == "c":
        hint = "return the real part; complex arguments are declared: 'psi[complex]: n'"
    return TargetError(
        f"the function returns entries of dtype {array.dtype}",
        given=f"an array of dtype {array.dtype}, shape {array.shape}",
        expected="an array of real numbers (float64)",
        hint=hint,
        code="target.dtype",
    )
