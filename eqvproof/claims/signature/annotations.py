"""Signatures read from annotations such as jaxtyping's ``Float[Array, "n d"]``."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Sequence
from typing import Any

from eqvproof.support.errors import SignatureError

#: How a dimension is written: a size with a name before it, a product, a name, a sum.
_NAMED, _PRODUCT, _TERM = re.compile(r"\w+="), re.compile(r"(\d+)\*(\w+)"), re.compile(r"[\w+]+")
#: Names of floating-point dtypes begin with one of these.
_REAL = ("float", "bfloat")


def annotated_signature(function: Callable[..., Any]) -> str:
    """Writes the signature that the annotations of a function state.

    Args:
        function: its arguments and its result are annotated by objects with the attributes
            `dim_str` and `dtypes`, as those of jaxtyping are; arguments with a default may be
            without. Of a module, the method `forward` or `__call__` is read.

    Returns:
        Text such as ``"x: n d -> n d"``.

    Raises:
        SignatureError: an annotation is missing, or states no shape that a signature can say.
    """
    called: Any = function
    if not inspect.isroutine(function):
        called = getattr(function, "forward", None) or type(function).__call__
    try:
        hints = typing.get_type_hints(called)
        parameters = list(inspect.signature(called).parameters.values())
    except (TypeError, ValueError, NameError) as error:
        raise _unread("the function", str(error)) from error
    arguments = []
    for parameter in parameters:
        hint = hints.get(parameter.name)
        if hasattr(hint, "dim_str"):
            kind, axes = _argument_text(parameter.name, hint)
            arguments.append(f"{parameter.name}{kind}: {axes}")
        elif parameter.default is parameter.empty and parameter.name != "self":
            raise _unread(f"the argument {parameter.name}", "no annotation with a shape")
    return f"{', '.join(arguments)} -> {_result_text(hints.get('return'))}"


def _argument_text(name: str, hint: Any) -> tuple[str, str]:
    dtypes = list(map(str, hint.dtypes))
    for kind in ("bool", "complex"):
        if all(d.startswith(kind) for d in dtypes):
            return f"[{kind}]", _axes_text(name, hint)
    if any(d.startswith(_REAL) for d in dtypes):
        return "", _axes_text(name, hint)
    raise _unread(
        f"the argument {name}", f"{hint.__name__}, which does not say whether and what it indexes"
    )


def _result_text(hint: Any) -> str:
    parts: Sequence[Any] = (hint,)
    if typing.get_origin(hint) is tuple:
        parts = typing.get_args(hint)
    if not any(hasattr(part, "dim_str") for part in parts):
        raise _unread("the result", "no annotation with a shape")
    return ", ".join(_axes_text("the result", p) if hasattr(p, "dim_str") else "_" for p in parts)


def _axes_text(name: str, hint: Any) -> str:
    axes = []
    for dimension in hint.dim_str.split():
        axis = _PRODUCT.sub(r"\1\2", _NAMED.sub("", dimension))
        if not _TERM.fullmatch(axis) or axis.startswith("_"):
            raise _unread(
                name, f"the dimension {dimension!r}, which stands for no axis of one size"
            )
        axes.append(axis)
    return " ".join(axes) or "()"


def _unread(where: str, given: str) -> SignatureError:
    return SignatureError(
        f"no signature is given, and the annotations of {where} name no axes",
        given=given,
        expected='annotations such as Float[Array, "n d"] of all arguments and of the result',
        hint='write the signature, as the text "X: d n, Z: d k -> d n"',
        code="signature.annotations",
    )
