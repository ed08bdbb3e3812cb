"""What is asked of the code of installed libraries: that it is a function of its arguments.

A package that requires a library of arrays is traced as it is, and its code is not examined as the user's is.
It is trusted, but for what shows at once: that it names the clock, random numbers or other processes, that it
sets variables of modules or attributes of classes, and that a call changes what its modules hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import CodeType, ModuleType
from typing import Any

from eqvproof.frontends.code import instructions, reads
from eqvproof.frontends.frames import is_other_library_file, owner_of_module

_MISSING = object()
#: Modules that tell the time, draw random numbers, or read what others write.
_WORLD = frozenset("time datetime random secrets uuid socket subprocess numpy.random".split())
_ATOMS = (type(None), bool, int, float, str)
#: Of larger collections only the length is compared.
_MOST = 200


class LibraryCode:
    """Examines the code objects of libraries that run in one call, each when it starts first."""

    def __init__(self) -> None:
        self._examined: set[CodeType] = set()
        self._held: list[tuple[str, Any, object]] = []

    def complaint(self, code: CodeType, scope: Mapping[str, Any]) -> str:
        """Why the code is no function of its arguments, as far as its text tells; "" otherwise."""
        if code in self._examined or not is_other_library_file(code.co_filename):
            return ""
        self._examined.add(code)
        self._held += [(n, v, _state(v)) for n, v in _named(code, scope) if _state(v) is not None]
        return _reads_the_world(code, scope)

    def changed(self) -> list[str]:
        """The variables of libraries' modules whose values the call has changed."""
        return [name for name, value, before in self._held if _state(value) != before]


def _named(code: CodeType, scope: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for read in reads(code):
        if read.name in scope:
            yield read.name, scope[read.name]


def _reads_the_world(code: CodeType, scope: Mapping[str, Any]) -> str:
    for read in reads(code):
        value = scope.get(read.name, _MISSING)
        for name in ("", *read.chain):
            value = getattr(value, name, _MISSING) if name and isinstance(value, ModuleType) else value
            home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if not _WORLD.isdisjoint((str(home), type(getattr(value, "__self__", None)).__module__)):
                return f"names {'.'.join((read.name, *read.chain))}, which is no function of its arguments"
        if read.use in ("STORE_ATTR", "COPY") and (read.name or read.chain[-1:] == ("__class__",)):
            return f"sets an attribute of {read.name or 'a class'}"
    stores = any(i.opname == "STORE_GLOBAL" for i in instructions(code))
    return "sets a variable of its module" if stores else ""


def _state(value: Any) -> object:
    """What of a value of a module a call may change; None where it is no collection and no object."""
    if isinstance(value, (list, dict, set)):
        items = list(value.items() if isinstance(value, dict) else value)
        return len(value), _atoms(items) if len(items) <= _MOST else ()
    is_object = not isinstance(value, type) and hasattr(value, "__dict__")
    if not is_object or owner_of_module(type(value).__module__) != "arrays":
        return None
    return _atoms(list(vars(value).items()))


def _atoms(items: list[Any]) -> tuple[object, ...]:
    """Numbers and texts as they are, other parts by their identity."""
    pairs = [item if isinstance(item, tuple) else (item,) for item in items]
    return tuple(tuple(p if isinstance(p, _ATOMS) else id(p) for p in pair) for pair in pairs)
