"""What is asked of the code of installed libraries: that it is a function of its arguments.

A package that requires a library of arrays is traced as it is, and its code is not examined as the user's is.
It is trusted, but for what shows at once: that it names the clock, random numbers, files or other processes,
that it sets variables of modules or attributes of classes, that a call changes what its modules, classes and
defaults hold, and that other code of it runs on traced arrays than on real ones. A function that is given
nothing can only set what depends on no argument: so it may, where later calls do not change it again. What
runs for a function that is read as its definition is not looked at: the two are compared.
"""

from __future__ import annotations

import builtins
import gc
import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import BuiltinFunctionType, CellType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from eqvproof.frontends.code import Read, imports, instructions, reads
from eqvproof.frontends.frames import LIBRARIES, is_other_library_file, required_by, root_of
from eqvproof.frontends.functions import definitions

_MISSING = object()
#: In place of an instruction: where the code starts.
STARTS = -1
#: Of code that takes more arguments, or keyword arguments, than it names.
_MORE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
#: Modules that tell the time, draw random numbers, or read what others write.
_WORLD = frozenset(
    "time datetime random secrets uuid socket subprocess numpy.random os posix io _io threading gc".split()
)
#: Python's own functions that do, or that reach what no name tells.
_REACHING = frozenset("open input id globals exec eval __import__".split())
_ATOMS = (type(None), bool, int, float, complex, str, bytes)
#: So many objects are compared that a name leads to, and arrays of so many bytes.
_MOST = 200


class LibraryCode:
    """Examines the code objects of libraries that run in one call, each when it starts first."""

    def __init__(self) -> None:
        self._examined: dict[CodeType, Mapping[int, str]] = {}
        self._held: dict[int, tuple[str, Any, object]] = {}

    def is_followed(self, frame: FrameType) -> bool:
        """Whether it is such code, and the same of it must run on traced arrays and on real ones.

        What a library of arrays calls of a package that it requires itself is its own doing.
        """
        name = frame.f_code.co_filename
        return is_other_library_file(name) and not _is_required(frame) and not _in_a_definition(frame)

    def examine(self, frame: FrameType) -> bool:
        """Look at what such code has beside its arguments; whether its instructions are to be watched."""
        code = frame.f_code
        if code not in self._examined:
            complaints = dict(_complaints(code, frame.f_globals))
            for name, value in _held(frame):
                if id(value) not in self._held:
                    self._held[id(value)] = name, value, _state(value)
            is_asked = _asks_for_the_class(frame)
            self._examined[code] = {STARTS: "", **complaints} if is_asked else complaints
        return bool(self._examined[code])

    def complaint(self, code: CodeType, offset: int = STARTS) -> str:
        """Why code is no function of its arguments where it starts, or the instruction runs; else ""."""
        return self._examined.get(code, {}).get(offset, "")

    def changed(self) -> list[str]:
        """The names of what libraries hold that the call has changed."""
        return [name for name, value, before in self._held.values() if _state(value) != before]


def _asks_for_the_class(frame: FrameType) -> bool:
    """Whether code names `type` or a class, which tell traced arrays from real ones; isinstance does not."""
    names = [value for read in reads(frame.f_code) for value in (read.name, *read.chain)]
    aliases = (frame.f_globals.get(name) for name in names)
    return not {"type", "__class__"}.isdisjoint(names) or any(
        value is type for value in (*aliases, *frame.f_locals.values())
    )


def _is_required(frame: FrameType) -> bool:
    """Whether the package is called by a library of arrays that requires it."""
    root, caller = root_of(frame.f_code.co_filename), frame.f_back
    while caller is not None and root_of(caller.f_code.co_filename) == root:
        caller = caller.f_back
    home = "" if caller is None else root_of(caller.f_code.co_filename)
    return home in LIBRARIES and root in required_by(home)


def _in_a_definition(frame: FrameType) -> bool:
    """Whether the code runs for a function that is read as its definition."""
    if root_of(frame.f_code.co_filename) not in {home.split(".")[0] for home in definitions.DEFINITIONS}:
        return False
    functions = definitions.handlers()
    caller: FrameType | None = frame
    while caller is not None:
        if any(_runs(caller, f) for f in functions):
            return True
        caller = caller.f_back
    return False


def _runs(frame: FrameType, function: Any) -> bool:
    """Whether a frame is a call of this function; wrappers share their code, and differ in what they hold."""
    code = frame.f_code
    if getattr(function, "__code__", None) is not code:
        return False
    held = zip(code.co_freevars, function.__closure__ or (), strict=True)
    return all(frame.f_locals.get(name) is cell.cell_contents for name, cell in held)


def _held(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """What code has beside its arguments: what it names, its defaults, its class."""
    code, scope = frame.f_code, frame.f_globals
    for read in reads(code):
        if read.name in scope:
            yield read.name, scope[read.name]
    home: Any = None
    for part in code.co_qualname.split("."):
        found = scope.get(part) if home is None else getattr(home, "__dict__", {}).get(part)
        if isinstance(found, FunctionType) and found.__code__ is code:
            yield part, found
        elif isinstance(found, type):
            yield from (
                (f"{part}.{n}", v) for n, v in vars(found).items() if isinstance(v, (list, dict, set))
            )
        home = found


def _complaints(code: CodeType, scope: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Instructions with which code is no function of its arguments, and why."""
    yield from ((offset, f"imports {module}") for offset, module in imports(code) if module in _WORLD)
    for read in reads(code):
        value = scope.get(read.name, _MISSING)
        if value is _MISSING and read.name in _REACHING and hasattr(builtins, read.name):
            yield read.offset, f"names {read.name}(), which is no function of its arguments"
        if hasattr(type(value), "__next__"):
            yield read.offset, f"names the iterator {read.name}"
        for name in ("", *read.chain):
            value = getattr(value, name, _MISSING) if name and isinstance(value, ModuleType) else value
            home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            homes = {str(home), type(getattr(value, "__self__", None)).__module__}
            if not _WORLD.isdisjoint(homes) or (isinstance(value, BuiltinFunctionType) and home == "sys"):
                place = ".".join((read.name, *read.chain))
                yield read.offset, f"names {place}, which is no function of its arguments"
        is_known = read.name or read.chain[-1:] == ("__class__",)
        if read.use in ("STORE_ATTR", "COPY") and is_known and not _is_setting(code, read, scope):
            yield STARTS, f"sets an attribute of {read.name or 'a class'}"
    if any(i.opname == "STORE_GLOBAL" for i in instructions(code)):
        yield STARTS, "sets a variable of its module"


def _is_setting(code: CodeType, read: Read, scope: Mapping[str, Any]) -> bool:
    """Whether code that is given nothing sets an attribute of an object whose state is compared."""
    given = code.co_argcount or code.co_kwonlyargcount or code.co_flags & _MORE or code.co_freevars
    return not (given or read.chain) and isinstance(getattr(scope.get(read.name), "__dict__", None), dict)


def _state(root: Any) -> list[object]:
    """What a call may change of what a name leads to: numbers and texts as they are, others by identity."""
    found: list[object] = []
    stack, seen = [root], {id(root)}
    while stack and len(found) < _MOST:
        value = stack.pop(0)
        found.append(value if isinstance(value, _ATOMS) else _own_state(value))
        more = [v for v in _parts(value) if id(v) not in seen or isinstance(v, _ATOMS)]
        seen.update(map(id, more))
        stack += more
    return found


def _own_state(value: Any) -> object:
    if isinstance(value, np.ndarray) and value.dtype != object:
        return id(value), value[:_MOST].tobytes()
    size = len(value) if isinstance(value, (list, dict, set)) else 0
    return id(value), size, getattr(value, "_version", 0) if hasattr(value, "requires_grad") else 0


def _parts(value: Any) -> Iterable[Any]:
    """What a value holds; modules, classes, arrays and what remembers results are as they are."""
    if isinstance(value, FunctionType):
        cells = [c.cell_contents for c in value.__closure__ or () if c != _EMPTY]
        return [value.__defaults__, value.__kwdefaults__, *vars(value).values(), *cells]
    if isinstance(value, (type, ModuleType, *_ATOMS)) or _remembers(type(value)):
        return ()
    held = getattr(value, "__dict__", None)  # of values that belong to a thread, it is not among the others
    return [*([held] if type(held) is dict else []), *gc.get_referents(value)]


def _remembers(kind: type) -> bool:
    return hasattr(kind, "cache_info") or hasattr(kind, "dtype")


_EMPTY = CellType()
