"""Imports of the user's modules and files."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import sys
from types import ModuleType

from eqvproof.support.errors import EqvproofError, TargetError, error_text, place_of


def module_named(place: str) -> ModuleType:
    """Imports the module or package with that name or file; the current folder is on the path.

    A file in a package is imported as the module of the package that it is.

    Raises:
        TargetError: there is none, or it cannot be imported.
    """
    if not place.endswith(".py"):
        return _found_from(os.getcwd(), place)
    file = os.path.abspath(place)
    if not os.path.isfile(file):
        raise TargetError(
            f"there is no file {place}",
            given=place,
            expected="a file of Python that exists",
            hint=_near_file(file) or "start the command in the folder that holds the file",
            code="target.file",
        )
    folder, name = os.path.dirname(file), os.path.basename(file).removesuffix(".py")
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        name = f"{package}.{name}".removesuffix(".__init__")
    return _found_from(folder, name, file)


def _near_file(file: str) -> str:
    folder, name = os.path.split(file)
    near = difflib.get_close_matches(name, os.listdir(folder) if os.path.isdir(folder) else [], n=1)
    if near:
        return f"did you mean {near[0]}?"
    return ""


def _found_from(folder: str, name: str, file: str = "") -> ModuleType:
    if folder not in sys.path:
        sys.path.insert(0, folder)
    # the name of a file in no package may be that of a module that is imported already
    return imported(name, "" if "." in name else file, is_listed=True)


def imported(name: str, file: str = "", *, is_listed: bool = False) -> ModuleType:
    """Imports the module with that name, or runs a file as a module with that name.

    Args:
        name: the name of the module.
        file: the file whose code is run; if empty, Python looks for the module.
        is_listed: whether a file's module is entered in `sys.modules`, if the name is free.

    Raises:
        TargetError: there is none, or it cannot be imported.
    """
    try:
        if not file:
            return importlib.import_module(name)
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file} cannot be read as a module")
        module = importlib.util.module_from_spec(spec)
        if is_listed:
            sys.modules.setdefault(name, module)
        spec.loader.exec_module(module)
        return module
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name == missing or name.startswith(missing + "."):
            raise TargetError(
                f"there is no module {missing!r}",
                given=name,
                expected="a module that can be imported from the current folder or the environment",
                hint="start the command in the folder that holds the module, or install its"
                " package",
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
        raise error.with_place(place_of(error)) from error
    except (Exception, SystemExit) as error:
        if file and not is_listed:
            again = f"python {file}"
        else:
            again = f"python -c 'import {name}'"
        hint = f"`{again}` shows the same error with its traceback"
        if isinstance(error, SystemExit):
            hint = 'put what is run as a program under `if __name__ == "__main__":`'
        raise TargetError(
            f"importing the module {name} raised {error_text(error)}",
            given=place_of(error) or name,
            expected="a module that can be imported",
            hint=hint,
            code="target.module",
        ) from error
