"""Examination of installed libraries' code, which must be a function of its arguments.

A package that requires a library of arrays is traced as it is, and its code is not examined as the
user's is. It is trusted, except for violations that show at once: that it names the clock, random
numbers, files or other processes, that it sets variables of modules or attributes of classes, that
a call changes the contents of its modules, classes and defaults, and that it runs other
instructions on traced arrays than on real ones. A function without parameters can only set values
that depend on no argument: so it may, if later calls do not change them again. Code that runs for a
function that is read as its definition is not examined: the two are compared. Settings that are
read from the environment are treated like its modules' variables: part of the function, as long as
nobody sets them, and code of a library that names the environment otherwise is refused.
"""

from __future__ import annotations

import builtins
import inspect
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import repeat
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from eqvproof.tracing.arrays.functions import HANDLED_LIBRARIES, functions_with_definitions
from eqvproof.tracing.arrays.object_state import Contents
from eqvproof.tracing.numpy.library_state import held_by, reached
from eqvproof.tracing.observing import pure
from eqvproof.tracing.observing.code import (
    Read,
    arguments_at,
    ends_in_raise,
    handlers_at,
    imports,
    instructions,
    keyed,
    reads,
)
from eqvproof.tracing.observing.frames import (
    LIBRARIES,
    is_other_library_file,
    is_standard,
    required_by,
    root_of,
)

_MISSING = object()
#: In place of an instruction: the code starts; the code asks for a class.
STARTS, ASKS = -1, -2
#: Packages some of whose functions are read as their definitions.
_DEFINED = frozenset(home.partition(".")[0] for home in HANDLED_LIBRARIES)
#: Flags of code that takes more arguments, or keyword arguments, than it names.
_MORE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
#: Modules of objects that tell the time, draw random numbers, or read data that others write.
_WORLD = frozenset(
    "time datetime random _random secrets uuid socket subprocess numpy.random numpy.random.mtrand"
    " numpy.random._generator os posix io _io threading gc".split()
)
#: Modules that say how a value is traced, or what is known of a size in a trace.
_OF_TRACES = (
    "torch.fx.experimental", "torch._subclasses", "torch._guards", "torch.utils._python_dispatch",
    "jax.core", "jax._src.core", "jax._src.export",
)  # fmt: skip
#: Attributes of os that read settings; code that uses others, to set them, is refused.
_SETTINGS = frozenset({("environ", "get"), ("getenv",)})
#: Parts of torch whose settings decide how graphics cards round.
_OF_CARDS = frozenset({("backends", "cuda"), ("backends", "cudnn")})
#: Python's own functions that have effects, or reach objects that no name shows.
_REACHING = frozenset("open input id globals exec eval __import__".split())
#: Attributes by which code reaches objects that it does not name.
_INNER = frozenset("__globals__ __builtins__ f_globals f_back f_locals gi_frame".split())
#: Comparisons by name, which tell that a class does not know the other one: NotImplemented.
_COMPARISONS = frozenset("__eq__ __ne__ __lt__ __le__ __gt__ __ge__".split())
#: Functions that may make an error of each warning -> the setting by which they do.
_STRICT = {
    "simplefilter": "error",
    "filterwarnings": "error",
    "catch_warnings": "error",
    "errstate": "raise",
    "seterr": "raise",
}
_ATOMS = (type(None), bool, int, float, complex, str, bytes)


class LibraryCode:
    """Examines the code objects of libraries that run in one call, each at its first start."""

    def __init__(self) -> None:
        self._examined: dict[CodeType, Mapping[int, str]] = {}
        self._asks: dict[CodeType, bool] = {}
        self._held = Contents()
        self._defined: dict[CodeType | None, list[object]] | None = None

    def is_followed(self, frame: FrameType) -> bool:
        """Checks whether a frame runs library code that must run alike on traced and real arrays.

        Packages that a library of arrays requires and calls itself do not count.
        """
        name = frame.f_code.co_filename
        return (
            is_other_library_file(name)
            and not _is_required(frame)
            and not self._in_a_definition(frame)
        )

    def _in_a_definition(self, frame: FrameType) -> bool:
        """Checks whether the code runs for a function that is read as its definition."""
        if root_of(frame.f_code.co_filename) not in _DEFINED:
            return False
        if self._defined is None:
            self._defined = {}
            for function in functions_with_definitions():
                self._defined.setdefault(getattr(function, "__code__", None), []).append(function)
        caller: FrameType | None = frame
        while caller is not None:
            if any(_runs(caller, f) for f in self._defined.get(caller.f_code, ())):
                return True
            caller = caller.f_back
        return False

    def examine(self, frame: FrameType) -> bool:
        """Examines the state of library code beside its arguments at its first start.

        Returns whether the code asks for a class.
        """
        code = frame.f_code
        if code not in self._examined:
            for name, value in held_by(frame, self._examined):
                for holder in reached(value):
                    self._held.record(holder, name)
            self._examined[code] = dict(_complaints(code, frame.f_globals))
            self._asks[code] = _asks_for_the_class(frame)
        return self._asks[code]

    def complaint(self, code: CodeType, offset: int = STARTS) -> str:
        """Says why code is no function of its arguments, at its start or an instruction, or ""."""
        return self._examined.get(code, {}).get(offset, "")

    def changed(self) -> list[str]:
        """Returns the names of library state that the call has changed."""
        return sorted({place.path for place in self._held.changes()})


def is_a_key(frame: FrameType, offset: int) -> bool:
    """Checks whether code takes the id of an object only as a key of a dictionary or set.

    Then the id only says which object it is.
    """
    arguments = arguments_at(frame.f_code)
    name = keyed(frame.f_code, offset) if arguments.get(offset) == "id" else ""
    return bool(name) and type(frame.f_locals.get(name)) in (dict, set)


def _asks_for_the_class(frame: FrameType) -> bool:
    """Checks whether code names `type` or a class, which tell traced arrays from real ones.

    isinstance does not tell them apart, and messages of exceptions may name classes.
    """
    asked = (read for read in reads(frame.f_code) if not ends_in_raise(frame.f_code, read.offset))
    names = [value for read in asked for value in (read.name, *read.chain)]
    aliases = (frame.f_globals.get(name) for name in names)
    return not {"type", "__class__"}.isdisjoint(names) or any(
        value is type for value in (*aliases, *frame.f_locals.values())
    )


def _is_required(frame: FrameType) -> bool:
    """Checks whether the package is called by a library of arrays that requires it."""
    root, caller = root_of(frame.f_code.co_filename), frame.f_back
    while caller is not None and root_of(caller.f_code.co_filename) == root:
        caller = caller.f_back
    home = "" if caller is None else root_of(caller.f_code.co_filename)
    return home in LIBRARIES and root in required_by(home)


def _runs(frame: FrameType, function: Any) -> bool:
    """Checks whether a frame that runs the code of a function is a call of it.

    Wrappers share the code, and differ in the closure.
    """
    held = zip(frame.f_code.co_freevars, function.__closure__ or (), strict=True)
    return all(frame.f_locals.get(name) is cell.cell_contents for name, cell in held)


def _complaints(code: CodeType, scope: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Yields the instructions that make code no function of its arguments, with the reason."""
    for offset, module in imports(code):
        if module in _WORLD or (is_standard(module) and not pure.known_module(module)):
            yield offset, f"imports {module}"
    for read in map(_named_outside, reads(code), repeat(code.co_cellvars)):
        value, home = scope.get(read.name, _MISSING), None
        is_builtin = read.name in _REACHING and read.name not in code.co_freevars
        if value is _MISSING and is_builtin and hasattr(builtins, read.name):
            yield read.offset, f"names {read.name}(), which is no function of its arguments"
        if value is os and tuple(read.chain) in _SETTINGS:
            continue
        if hasattr(type(value), "__next__"):
            yield read.offset, f"names the iterator {read.name}"
        for name in ("", *read.chain):
            if name in _INNER | _COMPARISONS:
                yield read.offset, f"asks for {name}"
            if name and not isinstance(value, ModuleType):
                continue
            home, value = (value, getattr(value, name, _MISSING)) if name else (home, value)
            if _may_read_the_world(value, home, name):
                place = ".".join((read.name, *read.chain))
                yield (
                    read.offset,
                    f"names {place}, which is not known to be a function of its arguments",
                )
                break
        is_known = read.name or read.chain[-1:] == ("__class__",)
        if read.use in ("STORE_ATTR", "COPY") and is_known and not _is_setting(code, read, scope):
            yield STARTS, f"sets an attribute of {read.name or 'a class'}"
    if any(i.opname == "STORE_GLOBAL" for i in instructions(code)):
        yield STARTS, "sets a variable of its module"
    asked = {name for read in reads(code) for name in (read.name, *read.chain)}
    strict = {_STRICT[name] for name in asked & _STRICT.keys()} & _texts(code)
    if strict:
        yield STARTS, "turns warnings into errors, which no replay raises"
    for name in sorted(asked) if handlers_at(code) else ():
        if _is_raised_by_warnings(scope.get(name, vars(builtins).get(name))):
            yield STARTS, f"handles {name}, which no replay raises"


def _texts(code: CodeType) -> set[object]:
    """Returns the texts among the constants of code, those in tuples too."""
    parts = [c if isinstance(c, tuple) else (c,) for c in code.co_consts]
    return {text for part in parts for text in part if isinstance(text, str)}


def _is_raised_by_warnings(value: object) -> bool:
    """Checks whether a value is a class of warnings, or of what NumPy raises in their place."""
    kinds = (Warning, FloatingPointError)
    return isinstance(value, type) and issubclass(value, kinds)


def _named_outside(read: Read, own: tuple[str, ...]) -> Read:
    """Returns a read; without its name if the variable is the code's own.

    Its inner functions use that variable too, and then only attributes count.
    """
    if read.name in own:
        return replace(read, name="")
    return read


def _may_read_the_world(value: object, module: ModuleType | None, name: str) -> bool:
    """Checks whether a value is of the standard library, or of a generator, and not known pure.

    What tells a trace from a call counts as well.
    """
    if isinstance(value, ModuleType):
        home = value.__name__
        return (
            home in _WORLD
            or home.startswith(_OF_TRACES)
            or (is_standard(home) and not pure.known_to_libraries(home))
        )
    if module is not None and is_standard(module.__name__):
        return not (
            isinstance(value, (*_ATOMS, tuple)) or pure.known_to_libraries(module.__name__, name)
        )
    home = str(getattr(value, "__module__", type(value).__module__))
    if not _WORLD.isdisjoint({home, type(_plainly(value, "__self__")).__module__}):
        return True
    if home.startswith(_OF_TRACES):
        return True
    named = str(_plainly(value, "__name__"))
    is_function = isinstance(value, (type, FunctionType, BuiltinFunctionType))
    known = pure.known_to_libraries(home, named) or home == "builtins" or pure.known(value)
    return is_function and is_standard(home) and not known


def _plainly(value: object, name: str) -> object:
    """Returns an attribute; None if only code of the object's class could answer.

    A module that is not loaded yet is such an object.
    """
    ask = inspect.getattr_static if hasattr(type(value), "__getattr__") else getattr
    return ask(value, name, None)


def _is_setting(code: CodeType, read: Read, scope: Mapping[str, Any]) -> bool:
    """Checks whether code without parameters sets an attribute of an object that is compared.

    Settings of how graphics cards round count as well: they are no part of a real function.
    """
    if (
        getattr(scope.get(read.name), "__name__", "") == "torch"
        and tuple(read.chain[:2]) in _OF_CARDS
    ):
        return True
    given = code.co_argcount or code.co_kwonlyargcount or code.co_flags & _MORE or code.co_freevars
    return not (given or read.chain) and isinstance(
        getattr(scope.get(read.name), "__dict__", None), dict
    )
