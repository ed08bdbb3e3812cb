"""Import of the user's code, ``pkg.mod:f`` or ``file.py:f``, isolated from our streams."""

from __future__ import annotations

import contextlib
import difflib
import os
import traceback
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from eqvproof.interface.cli.terminal import PrintOnce
from eqvproof.support.errors import TargetError, error_text
from eqvproof.tracing.observing.modules import module_named

_FORM = "pkg.mod:f or file.py:f, the function f of a module or of a file"
_DECLARED = (
    "pkg.mod or file.py, where claims are declared; or a function there: pkg.mod:f, file.py:f"
)


def split_target(text: str) -> tuple[str, str]:
    """Splits a target into its module or file and the function in it, "" if it names none.

    Raises:
        TargetError: the text cannot be read.
    """
    place, colon, path = text, "", ""
    if ":" in text.rpartition(".py")[2]:
        place, colon, path = text.rpartition(":")
    if place.endswith(".ipynb"):
        raise TargetError(
            "the target is a notebook",
            given=text,
            expected=_DECLARED,
            hint="save the function in a file, and name that: "
            + text.replace(".ipynb", ".py").replace("-", "_"),
            code="target.form",
        )
    if colon and not all(part.isidentifier() for part in path.split(".")):
        raise _not_a_target(text)
    if place.endswith(".py") or all(part.isidentifier() for part in place.split(".")):
        return place, path
    raise _not_a_target(text)


def load_target(text: str) -> Any:
    """Loads the object that ``pkg.mod:f``, ``file.py:f`` or ``pkg.mod:Class.method`` names.

    Raises:
        TargetError: the text cannot be read, the module cannot be imported, or has no such name.
    """
    place, path = split_target(text)
    if not path and os.path.isfile(text) and not text.endswith(".py"):
        raise _not_a_target(text)
    if not path:
        module, dot, name = text.rpartition(".")
        hint = f"{module}:{name}" if dot and name != "py" else f"{text}:f"
        raise TargetError(
            "the target names no function",
            given=text,
            expected=_FORM,
            hint=hint,
            code="target.form",
        )
    found: Any = module_named(place)
    for i, part in enumerate(path.split(".")):
        try:
            found = getattr(found, part)
        except AttributeError:
            inside = ".".join([place, *path.split(".")[:i]])
            raise _no_such_name(inside, part, found, text) from None
        except Exception as error:
            raise TargetError(
                f"looking up {part!r} raised {error_text(error)}",
                given=text,
                expected=_FORM,
                hint="name an object that exists once the module is imported",
            ) from error
    if isinstance(found, ModuleType):
        raise TargetError(
            "the target is a module", given=text, expected=_FORM, hint=f"name a function: {text}.f"
        )
    return found


@contextlib.contextmanager
def isolated_target(target: str) -> Iterator[None]:
    """Isolates the user's code: it prints to the error stream, and cannot choose the status."""
    try:
        with PrintOnce() as stream, contextlib.redirect_stdout(stream), _raise_on_exit():
            yield
    except SystemExit as error:
        frames = traceback.extract_tb(error.__traceback__)
        raise TargetError(
            f"the target ended the program (sys.exit, {frames[-1].filename}, line"
            f" {frames[-1].lineno})",
            given=target,
            expected="a function that returns an array",
            hint="let the function raise an error instead",
            code="target.exit",
        ) from error


@contextlib.contextmanager
def _raise_on_exit() -> Iterator[None]:
    """Makes os._exit, os.execv and os.execve raise SystemExit in this process within the block.

    Forked copies of the process keep the originals.
    """
    process = os.getpid()
    originals = {name: getattr(os, name) for name in ("_exit", "execv", "execve")}

    def guard(leave: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*arguments: Any, **named: Any) -> Any:
            if os.getpid() == process:
                raise SystemExit(*arguments, *named.values())
            return leave(*arguments, **named)

        return guarded

    for name, leave in originals.items():
        setattr(os, name, guard(leave))
    try:
        yield
    finally:
        for name, leave in originals.items():
            setattr(os, name, leave)


def _not_a_target(text: str) -> TargetError:
    message = "the target cannot be read"
    hint = "write the module, a colon, and the function: pkg.mod:f"
    if os.path.isdir(text):
        message = "the target is a folder"
        files = sorted(name for name in os.listdir(text) if name.endswith(".py"))
        hint = "name a file, or a module"
        if files:
            hint = f"name a file in it: {os.path.join(text, files[0])}"
    elif os.path.isfile(text):
        message = "the target is a file, but not a Python file"
    elif text.count(":") > 1:
        hint = "write one colon, before the function"
    return TargetError(message, given=text, expected=_DECLARED, hint=hint, code="target.form")


def _no_such_name(inside: str, name: str, owner: object, text: str) -> TargetError:
    names = [n for n in dir(owner) if not n.startswith("_")]
    near = difflib.get_close_matches(name, names, n=3)
    hint = f"look for the name in {inside}"
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    return TargetError(
        f"{inside} has no {name!r}", given=text, expected=_FORM, hint=hint, code="target.name"
    )
