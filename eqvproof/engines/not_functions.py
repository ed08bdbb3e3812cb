"""Errors about what is given as the function, and as the array library that it takes."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from eqvproof.support.errors import BackendError, OptionTypeError

#: Methods by which models of libraries are called.
_METHODS = ("forward", "predict", "transform", "apply", "call")


def not_a_function(f: object, called: object) -> OptionTypeError:
    """Builds the error for what cannot be called, or whose calls return no arrays.

    Args:
        f: what is given as the function.
        called: its method ``__call__``, or f itself.
    """
    given = getattr(f, "__qualname__", type(f).__qualname__)
    methods = [name for name in _METHODS if callable(getattr(f, name, None))]
    if isinstance(f, type):
        found, hint = "f is a class", f"pass an instance: {f.__name__}(...)"
    elif inspect.iscoroutinefunction(called):
        found = "f is an async function"
        hint = "pass a function without async: lambda x: asyncio.run(f(x))"
    elif inspect.isgeneratorfunction(called):
        found, hint = "f is a generator", "return an array: lambda x: np.stack(list(f(x)))"
    elif isinstance(f, str):
        found = "f is a text, and not a function"
        given, hint = repr(f[:80]), "pass the function itself: lambda X: X @ X.T"
        if "->" in f:
            hint = (
                "functions come first: check(f, 'X: d n -> d n', 'O(d)') or"
                " identical(f, g, 'X: d n -> d n')"
            )
    elif methods:
        found = "f cannot be called"
        hint = f"pass its method: f.{methods[0]}"
    else:
        found, hint = "f is not a function", "pass the function itself, not its result"
    return OptionTypeError(
        found,
        given=given,
        expected="a function of arrays that returns arrays, or a SymPy expression",
        hint=hint,
        code="target.callable",
    )


def unknown_backend(backend: object, known: Sequence[str]) -> BackendError:
    """Builds the error for a backend that is none."""
    shown, word = repr(backend), backend
    if not isinstance(backend, str):
        shown = f"an object of the class {type(backend).__name__}"
        word = getattr(backend, "__name__", "")
    hint = "leave it out where the function shows which arrays it takes"
    if str(word).lower() in known:
        hint = f'write its name: backend="{str(word).lower()}"'
    return BackendError(
        "there is no such backend",
        given=f"backend={shown}",
        expected=", ".join(map(repr, known)),
        hint=hint,
    )
