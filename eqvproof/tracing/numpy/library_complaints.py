"""Reasons why a package's code is no function of its arguments, found by reading it."""

from __future__ import annotations

import builtins
import inspect
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import repeat
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from eqvproof.tracing.observing import pure
from eqvproof.tracing.observing.code import (
    Read,
    handlers_at,
    imports,
    instructions,
    reads,
)
from eqvproof.tracing.observing.code_of_packages import told_warnings
from eqvproof.tracing.observing.frames import is_standard

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
_MISSING = object()


def complaints(code: CodeType, scope: Mapping[str, object]) -> Iterator[tuple[int | None, str]]:
    """Yields the instructions that make code no function of its arguments, with the reason.

    None stands for the start of the code.
    """
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
            home, value = (value, _answer(value, name)) if name else (home, value)
            if _may_read_the_world(value, home, name):
                place = ".".join((read.name, *read.chain))
                yield (
                    read.offset,
                    f"names {place}, which is not known to be a function of its arguments",
                )
                break
        is_known = read.name or read.chain[-1:] == ("__class__",)
        if read.use in ("STORE_ATTR", "COPY") and is_known and not _is_setting(code, read, scope):
            yield None, f"sets an attribute of {read.name or 'a class'}"
    for i in instructions(code):
        if i.opname == "STORE_GLOBAL":
            yield i.offset, "sets a variable of its module"
    asked = {name for read in reads(code) for name in (read.name, *read.chain)}
    strict = {_STRICT[name] for name in asked & _STRICT.keys()} & _texts(code)
    if strict:
        yield None, "turns warnings into errors, which no replay raises"
    told = told_warnings(code, _names_of_warnings(scope))
    named = {read.name for read in reads(code) if read.offset not in told}
    named |= {name for read in reads(code) for name in read.chain}
    for name in sorted(named) if handlers_at(code) else ():
        if _is_raised_by_warnings(scope.get(name, vars(builtins).get(name))):
            yield None, f"handles {name}, which no replay raises"


def _names_of_warnings(scope: Mapping[str, object]) -> frozenset[str]:
    """Returns the names of the module `warnings` in a scope."""
    return frozenset(name for name, value in scope.items() if value is warnings)


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


def _may_read_the_world(value: object, module: object, name: str) -> bool:
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
    if isinstance(module, ModuleType) and is_standard(module.__name__):
        return not (
            isinstance(value, (*_ATOMS, tuple)) or pure.known_to_libraries(module.__name__, name)
        )
    home = str(_plainly(value, "__module__", type(value).__module__))
    if not _WORLD.isdisjoint({home, type(_plainly(value, "__self__")).__module__}):
        return True
    if home.startswith(_OF_TRACES):
        return True
    named = str(_plainly(value, "__name__"))
    is_function = isinstance(value, (type, FunctionType, BuiltinFunctionType))
    known = pure.known_to_libraries(home, named) or home == "builtins" or pure.known(value)
    return is_function and is_standard(home) and not known


def _answer(value: object, name: str) -> object:
    """Returns the attribute that code gets; `_MISSING` if there is none, or the object raises."""
    try:
        return getattr(value, name, _MISSING)
    except Exception:  # a stand-in of a module that is not installed
        return _MISSING


def _plainly(value: object, name: str, default: object = None) -> object:
    """Returns an attribute; the default if only code of the object's class could answer.

    A module that is not loaded yet is such an object, and one that raises why it was not found.
    """
    kind = type(value)
    by_code = hasattr(kind, "__getattr__") or isinstance(kind.__getattribute__, FunctionType)
    if by_code and not issubclass(kind, ModuleType):
        return inspect.getattr_static(value, name, default)
    return getattr(value, name, default)


def _is_setting(code: CodeType, read: Read, scope: Mapping[str, object]) -> bool:
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
