"""Owners of the code that runs: the user, array libraries, the standard library, this package.

Errors name the user's line; only the user's code is examined for what a trace cannot see.
"""

from __future__ import annotations

import importlib.util
import linecache
import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from types import CodeType, FrameType
from typing import Literal

from eqvproof.support import PACKAGE
from eqvproof.support.code_line import NO_LINE, CodeLine
from eqvproof.support.writing import in_line

Owner = Literal["user", "arrays", "stdlib", "engine"]

#: The parts of the package that run a target; its other parts may be targets, treated like the
#: user's code.
_ENGINE = frozenset(
    "tracing programs claims/signature claims/groups claims/size numbers engines kernel"
    " interface/cli "
    "papers/report api support".split()
)
_STDLIB = tuple(
    os.path.abspath(sysconfig.get_paths()[key]) + os.sep for key in ("stdlib", "platstdlib")
)  # fmt: skip
_SITE = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
#: Libraries of arrays and layers whose code is traced as it is, as are packages that require them.
LIBRARIES = frozenset(
    "numpy scipy torch torchgen functorch torch_geometric e3nn opt_einsum opt_einsum_fx jax jaxlib"
    " flax "
    "equinox jaxtyping haiku einops sympy mpmath array_api_compat".split()
)
#: Modules whose objects replace those of a target while it is traced.
STANDING_IN = ("eqvproof.tracing", "eqvproof.tracing.arrays")
#: File names that libraries give to code they generate: NumPy's dispatchers, graphs of torch.fx.
_GENERATED = ("<__array_function__", "<eval_with_key>")
#: How the file names of Python's import system begin.
IMPORTING = "<frozen importlib"
#: Modules through which libraries log and warn.
TELLING = frozenset({"logging", "warnings"})
#: The module of the public functions: frames outside of its frames are not of the target.
_DOOR = os.path.join(PACKAGE, "api.py")
#: The module of the functions that call a user's function and join or select its arguments: what
#: they do has no line of the user.
_WRAPPERS = os.path.join(PACKAGE, "claims", "dependence.py")
#: Largest number of lines stored of a chain of calls.
DEEPEST = 4


@cache
def is_library(root: str) -> bool:
    """Checks whether a top-level package is an array library, or is installed and requires one."""
    return root in LIBRARIES or not LIBRARIES.isdisjoint(required_by(root))


@cache
def required_by(root: str) -> frozenset[str]:
    """Returns the packages required by the distribution that holds a top-level module."""
    import importlib.metadata as metadata

    try:
        needed = metadata.requires(root)
    except metadata.PackageNotFoundError:  # a package of another name holds it
        homes = _homes_of_packages().get(root, ())
        needed = [line for home in homes for line in metadata.requires(home) or ()]
    plain = (line for line in needed or () if "extra" not in line.partition(";")[2])
    return frozenset(re.split(r"[^\w-]", line)[0].replace("-", "_") for line in plain)


@cache
def _homes_of_packages() -> Mapping[str, Sequence[str]]:
    """Maps each top-level package to the distributions that hold it."""
    import importlib.metadata as metadata

    return metadata.packages_distributions()


@cache
def is_library_file(filename: str) -> bool:
    """Checks whether a file holds library code, judging by its name alone."""
    return not filename.startswith("<") and owner_of_file(filename) in ("arrays", "stdlib")


@cache
def is_other_library_file(filename: str) -> bool:
    """Checks whether a file's package counts as a library only because it requires one."""
    root = root_of(filename)
    return bool(root) and root not in LIBRARIES and owner_of_file(filename) == "arrays"


@cache
def is_array_library_file(filename: str) -> bool:
    """Checks whether a file holds code of Python or of an array library, and no other package."""
    return is_library_file(filename) and not is_other_library_file(filename)


@lru_cache(maxsize=4096)
def root_of(filename: str) -> str:
    """Returns the top-level module of the installed package that holds a file; "" for others."""
    found = next((filename.rsplit(s, 1)[1].split(os.sep, 1)[0] for s in _SITE if s in filename), "")
    return found.removesuffix(".py")


def is_installed(filename: str) -> bool:
    """Checks whether a file belongs to an installed package, or was generated at run time."""
    return filename == "<string>" or any(site in filename for site in _SITE)


@lru_cache(maxsize=4096)
def is_engine_file(filename: str) -> bool:
    """Checks whether a file is a part of this package that runs targets."""
    path = os.path.abspath(filename)
    if not path.startswith(PACKAGE + os.sep):
        return False
    room, *rest = os.path.relpath(path, PACKAGE).removesuffix(".py").split(os.sep)
    return room in _ENGINE or "/".join([room, *rest[:1]]) in _ENGINE or room.startswith("__")


@lru_cache(maxsize=4096)
def owner_of_file(filename: str) -> Owner:
    """Returns the owner of a file's code."""
    if filename.startswith("<frozen "):
        return "stdlib"
    if filename.startswith(_GENERATED) or filename.endswith((".pyx", ".pxd", ".pxi")):
        return "arrays"
    if not filename.startswith("<"):
        path = os.path.abspath(filename)
    else:
        path = filename
    if path.startswith(PACKAGE + os.sep):
        return "engine" if is_engine_file(path) else "user"
    for site in _SITE:
        if site in path:
            if is_library(root_of(path)):
                return "arrays"
            return "user"
    for name in LIBRARIES:
        module = sys.modules.get(name)
        if module:
            root = os.path.dirname(os.path.abspath(getattr(module, "__file__", None) or ""))
        else:
            root = ""
        if root and path.startswith(root + os.sep):
            return "arrays"
    if _is_written_by_a_library(filename):
        return "arrays"
    if path.startswith(_STDLIB):
        return "stdlib"
    return "user"


def _is_written_by_a_library(filename: str) -> bool:
    """Checks whether a file is a module that a library generates (torch_geometric, per layer)."""
    stem = os.path.basename(filename)
    return stem.split(".")[0] in LIBRARIES and any(
        stem.startswith(name) and getattr(module, "__file__", None) == filename
        for name, module in list(sys.modules.items())
    )


def is_absent(module: str) -> bool:
    """Checks whether no package with the module is installed."""
    root = module.partition(".")[0]
    return root not in sys.modules and importlib.util.find_spec(root) is None


def is_standard(module: str) -> bool:
    """Checks whether a module belongs to the standard library."""
    return module.partition(".")[0] in sys.stdlib_module_names and module != "__main__"


def owner_of_module(name: str) -> Owner:
    """Returns the owner of a module's code."""
    module = sys.modules.get(name)
    filename = getattr(module, "__file__", None)
    if isinstance(filename, str) and filename:
        return owner_of_file(filename)
    root = name.split(".")[0]
    if root in LIBRARIES:
        return "arrays"
    if root in sys.stdlib_module_names and name != "__main__":
        return "stdlib"
    return "user"


def owner_of(code: CodeType, scope: Mapping[str, object]) -> Owner:
    """Returns the owner of code; code without a file (of a dataclass, `exec`) is its module's."""
    filename = code.co_filename
    if not filename.startswith("<") or filename.startswith(("<frozen ", *_GENERATED)):
        return owner_of_file(filename)
    if makes_a_named_tuple(code, scope) or _flattens_a_module(code, scope):
        return "arrays"
    if (
        filename == "<string>"
        and code.co_qualname == f"__create_fn__.<locals>.__{code.co_name.strip('_')}__"
    ):
        return "stdlib"  # what `dataclasses` writes
    name = scope.get("__name__")
    if isinstance(name, str):
        return owner_of_module(name)
    return "user"


def makes_a_named_tuple(code: CodeType, scope: Mapping[str, object]) -> bool:
    """Checks whether ``collections.namedtuple`` generated the code.

    Such code is ``lambda ...: _tuple_new(_cls, (...))``.
    """
    return code.co_names == ("_tuple_new",) and scope.get("_tuple_new") is tuple.__new__


def _flattens_a_module(code: CodeType, scope: Mapping[str, object]) -> bool:
    """Checks whether Equinox generated the code, which converts modules to tuples and back."""
    made = code.co_filename.startswith("<generated_")
    return made and type(scope.get("MISSING")).__module__.startswith("equinox.")


def owner_of_frame(frame: FrameType) -> Owner:
    """Returns the owner of the code that a frame runs."""
    return owner_of(frame.f_code, frame.f_globals)


@cache
def is_followed_file(filename: str) -> bool:
    """Checks whether a file's code belongs to the user or to an installed package."""
    return owner_of_file(filename) == "user" or is_other_library_file(filename)


def is_followed(frame: FrameType) -> bool:
    """Checks whether a frame's code is the user's or a package's: each path through it is read."""
    if not frame.f_code.co_filename.startswith("<"):
        return is_followed_file(frame.f_code.co_filename)
    return owner_of_frame(frame) == "user" or is_other_library_file(frame.f_code.co_filename)


def asking_package() -> tuple[CodeType, dict[str, object]] | None:
    """Returns the code of the package that is calling this package, and its scope; else None.

    Array libraries do not count as such packages: their caller does.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (
        owner_of_frame(frame) == "engine" or is_array_library_file(frame.f_code.co_filename)
    ):
        frame = frame.f_back
    if frame is None or not is_other_library_file(frame.f_code.co_filename):
        return None
    return frame.f_code, frame.f_globals


def package_that_asks(error: BaseException) -> tuple[CodeType, dict[str, object]] | None:
    """Returns the innermost code of a package that an error passed and that names `type`.

    It may have raised the error since it was told another class than of arrays. Its scope is
    returned as well.
    """
    passed = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    for frame in reversed(passed):
        code = frame.f_code
        if is_other_library_file(code.co_filename) and "type" in code.co_names:
            return code, frame.f_globals
    return None


def is_imported_by_engine(frame: FrameType) -> bool:
    """Checks whether the import system runs a frame for an import by this package."""
    caller = frame.f_back
    if caller is None or not caller.f_code.co_filename.startswith(IMPORTING):
        return False
    while caller is not None and owner_of_frame(caller) == "stdlib":
        caller = caller.f_back
    return caller is not None and is_engine_file(caller.f_code.co_filename)


def is_stray(start: FrameType, known: Collection[CodeType] = ()) -> bool:
    """Checks whether a library, on its own initiative, calls code that is not the target's.

    Such code is an installed package's (a progress bar, a check of tables), or receives what a
    library logs.

    Args:
        start: a frame that runs the user's code, or code of a package that is no library of arrays.
        known: code that the user reaches by names.
    """
    frame: FrameType | None = start
    while frame is not None and owner_of_frame(frame) == "user":
        if frame.f_code in known or not is_installed(frame.f_code.co_filename):
            return is_told_by_a_library(start, known)
        frame = frame.f_back
    return True


def is_told_by_a_library(start: FrameType, known: Collection[CodeType] = ()) -> bool:
    """Checks whether code runs because an array library logs or warns: a handler or formatter.

    Args:
        start: a frame that runs it.
        known: code that the user reaches by names, and which is not called so.
    """
    frame: FrameType | None = start
    while frame is not None and owner_of_frame(frame) != "engine" and frame.f_code not in known:
        caller = frame.f_back
        if caller is not None and is_array_library_file(caller.f_code.co_filename):
            if owner_of_frame(caller) == "arrays":
                return _is_of(frame, TELLING)
        frame = caller
    return False


def _is_of(frame: FrameType, modules: Collection[str]) -> bool:
    """Checks whether a frame runs code of some modules of the standard library."""
    root = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return root in modules and owner_of_frame(frame) == "stdlib"


def user_frame(start: FrameType | None = None) -> FrameType | None:
    """Returns the innermost frame that runs the user's code."""
    frame: FrameType | None = start if start is not None else sys._getframe(1)
    while frame is not None and owner_of_frame(frame) != "user":
        frame = frame.f_back
    if frame is None or is_wrapper(frame):
        return None
    return frame


def is_wrapper(frame: FrameType) -> bool:
    """Checks whether a frame runs a function that this package wraps around the user's."""
    return frame.f_code.co_filename == _WRAPPERS


def user_places() -> tuple[tuple[str, int], ...]:
    """Returns (file, line) for the user's frames inside the target that led here, innermost first.

    The list ends at the first call by a library, or by a function that this package wraps around
    the target. It is empty where the target is a function of a library: the line that calls `check`
    is not a line of the target.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and owner_of_frame(frame) != "user":
        if frame.f_code.co_filename == _DOOR:
            return ()
        frame = frame.f_back
    found: list[tuple[str, int]] = []
    while frame is not None and len(found) < DEEPEST and owner_of_frame(frame) == "user":
        if is_wrapper(frame):
            break
        place = (frame.f_code.co_filename, frame.f_lineno)
        if place not in found:
            found.append(place)
        frame = frame.f_back
    return tuple(found)


def line_at(places: Sequence[tuple[str, int]]) -> CodeLine:
    """Returns the line at the first of some places, each of which is called at the next one."""
    line = None
    for filename, number in reversed(places):
        line = code_line(filename, number, line)
    return line or NO_LINE


def place_of(error: BaseException) -> str:
    """Returns the user's line that led to an error, else that of a package using arrays, or ""."""
    frames = [
        f for f in reversed(traceback.extract_tb(error.__traceback__)) if f.lineno is not None
    ]
    users = (f for f in frames if owner_of_file(f.filename) == "user" and f.filename != _WRAPPERS)
    found = next(users, None) or next(
        (f for f in frames if is_other_library_file(f.filename)), None
    )
    if found:
        return place_text(found.filename, found.lineno or 0)
    return ""


def at_place(error: BaseException) -> str:
    """Returns `place_of` in the form in which it follows a message."""
    place = place_of(error)
    if place:
        return f" (at {place})"
    return ""


def place_text(filename: str, line: int) -> str:
    """Returns ``file:line: source text``."""
    return str(code_line(filename, line))


def code_line(filename: str, number: int, caller: CodeLine | None = None) -> CodeLine:
    """Returns a line of a file, with its text and the line that called it."""
    source = linecache.getline(filename, number).strip()
    name = in_line(os.path.basename(filename) if not filename.startswith("<") else filename)
    return CodeLine(name, number, source, caller)


def is_logger(value: object) -> bool:
    """Checks whether an object is a logger; there is none before `logging` is imported."""
    logging = sys.modules.get("logging")
    return logging is not None and isinstance(value, logging.Logger)
