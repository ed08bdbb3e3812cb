"""The user's code: ``pkg.mod:f`` to the object that it names, run apart from our streams and statuses."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
import sys
import traceback
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from eqvproof.errors import EqvproofError, TargetError, place_of, told

_FORM = "pkg.mod:f, the function f of the module pkg.mod"


def load_target(text: str) -> Any:
    """The object that ``pkg.mod:f`` (or ``pkg.mod:Class.method``) names; the current folder is on the path.

    Raises:
        TargetError: the text has another form, the module cannot be imported, or has no such name.
    """
    module_name, colon, path = text.partition(":")
    if not colon or not path or not all(part.isidentifier() for part in path.split(".")):
        raise _not_a_target(text, module_name)
    if os.path.isfile(module_name) or not all(part.isidentifier() for part in module_name.split(".")):
        raise _not_a_target(text, module_name)
    found: Any = _module(module_name)
    for i, part in enumerate(path.split(".")):
        try:
            found = getattr(found, part)
        except AttributeError:
            inside = ".".join([module_name, *path.split(".")[:i]])
            raise _no_such_name(inside, part, found, text) from None
        except Exception as error:
            raise TargetError(
                f"looking up {part!r} raised {told(error)}", given=text, expected=_FORM
            ) from error
    if isinstance(found, ModuleType):
        raise TargetError(
            "the target is a module", given=text, expected=_FORM, hint=f"name a function: {text}.f"
        )
    return found


@contextlib.contextmanager
def apart(target: str) -> Iterator[None]:
    """Runs the user's code apart: it prints to the error stream, and cannot choose the status."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except SystemExit as error:
        frames = traceback.extract_tb(error.__traceback__)
        raise TargetError(
            f"the target ended the program (sys.exit, {frames[-1].filename}, line {frames[-1].lineno})",
            given=target,
            expected="a function that returns an array",
            hint="let the function raise an error instead",
            code="target.exit",
        ) from error


def _not_a_target(text: str, module_name: str) -> TargetError:
    hint = "write the module, a colon, and the function"
    stem = module_name.removesuffix(".py").strip("./").replace(os.sep, ".").replace("/", ".")
    if module_name.endswith(".py") and stem.replace(".", "").isidentifier():
        hint = f"a module is named as in an import statement: {stem}:{text.partition(':')[2] or 'f'}"
    elif ":" not in text and "." in text:
        module, _, name = text.rpartition(".")
        hint = f"with a colon before the function: {module}:{name}"
    return TargetError(
        "the target has another form", given=text, expected=_FORM, hint=hint, code="target.form"
    )


def module_named(text: str) -> ModuleType:
    """The module or package of that name; the current folder is on the path.

    Raises:
        TargetError: the text is no module's name, or the module cannot be imported.
    """
    if os.path.isfile(text) or not all(part.isidentifier() for part in text.split(".")):
        raise _not_a_target(text, text)
    return _module(text)


def _module(name: str) -> ModuleType:
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name == missing or name.startswith(missing + "."):
            raise TargetError(
                f"there is no module {missing!r}",
                given=name,
                expected="a module that can be imported from the current folder or the environment",
                hint="start the command in the folder that holds the module, or install its package",
                code="target.module",
            ) from None
        raise TargetError(
            f"the module {name} needs {missing!r}, which is not installed",
            given=name,
            expected="a module that can be imported",
            hint=f"install {missing!r} in the environment that eqvproof runs in",
            code="target.module",
        ) from error
    except EqvproofError as error:
        raise error.found_in(place_of(error)) from error
    except (Exception, SystemExit) as error:
        raise TargetError(
            f"importing the module {name} raised {told(error)}",
            given=place_of(error) or name,
            expected="a module that can be imported",
            hint=f"`python -c 'import {name}'` shows the same error with its traceback",
            code="target.module",
        ) from error


def _no_such_name(inside: str, name: str, owner: object, text: str) -> TargetError:
    names = [n for n in dir(owner) if not n.startswith("_")]
    near = difflib.get_close_matches(name, names, n=3)
    return TargetError(
        f"{inside} has no {name!r}",
        given=text,
        expected=_FORM,
        hint=f"did you mean {' or '.join(near)}?" if near else f"look for the name in {inside}",
        code="target.name",
    )
