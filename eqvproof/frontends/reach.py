"""Everything that a target can reach: its functions, closures, defaults, globals, attributes, data.

Before anything ran, a first walk finds the places that hold array functions directly. Once it is known which
code ran, a second one follows what this code mentions: it gives a fingerprint of all data (data that changes
between calls is state), the functions whose code it is, and the objects whose state cannot be read
(generators, random generators, caches, files).
"""

from __future__ import annotations

import builtins
import collections
import functools
import hashlib
import types
from collections.abc import Iterable
from fractions import Fraction
from types import CodeType
from typing import Any

import numpy as np

from eqvproof.frontends.code import (
    FORBIDDEN_OBJECTS,
    attribute_names,
    global_names,
    nested_codes,
)
from eqvproof.frontends.frames import owner_of, owner_of_module
from eqvproof.frontends.ownership import atom_text, is_plain_class, is_pure_module, is_user_class, slots_of
from eqvproof.frontends.patching import Slot, needs_slot

_ATOMS = (type(None), bool, int, float, complex, str, bytes, Fraction, range, slice, type(Ellipsis),
          type(NotImplemented))  # fmt: skip
_LISTS = (list, tuple, set, frozenset, collections.deque)
_WRAPPERS = (staticmethod, classmethod, property, functools.partial, functools.partialmethod)
_CALLED = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType,
           types.MethodWrapperType, types.ClassMethodDescriptorType, types.GetSetDescriptorType,
           types.MemberDescriptorType)  # fmt: skip


#: What reads a field of a named tuple.
_FIELD = type(vars(collections.namedtuple("_Field", "name"))["name"])


class Reach:
    """One walk from a target.

    Args:
        root: the target.
        only: the code objects that ran; None for the walk beforehand, which enters no modules.

    Attributes:
        tokens: the fingerprint, a flat list of texts and numbers.
        functions: every function of the user's that was met, with the code it runs.
        codes: every code object that may run.
        slots: places that hold array functions or named constants directly.
        findings: (reason, path) of objects that are forbidden or cannot be read.
    """

    def __init__(self, root: Any, only: frozenset[CodeType] | None = None) -> None:
        self.only = only
        self.names = frozenset() if only is None else names_in(only)
        self.tokens: list[Any] = []
        self.functions: list[types.FunctionType] = []
        self.codes: set[CodeType] = set()
        self.slots: list[Slot] = []
        self.findings: list[tuple[str, str]] = []
        self._seen: dict[int, int] = {}
        self._alive: list[Any] = []
        self._stack: list[tuple[Any, str]] = [(root, getattr(root, "__name__", type(root).__name__))]
        while self._stack:
            self._visit(*self._stack.pop())

    def _complain(self, reason: str, path: str) -> None:
        self.findings.append((reason, path))

    def _later(self, value: Any, path: str) -> None:
        self._stack.append((value, path))

    def _visit(self, value: Any, path: str) -> None:
        kind = type(value)
        if kind in _ATOMS:
            self.tokens.append((kind.__name__, atom_text(value)))
            return
        number = self._seen.get(id(value))
        if number is not None:
            self.tokens.append(("again", number))
            return
        self._seen[id(value)] = len(self._seen)
        self._alive.append(value)
        if any(value is f for f in FORBIDDEN_OBJECTS):
            self._complain(f"{getattr(value, '__name__', value)}() is used", path)
        if kind in _LISTS or isinstance(value, (dict, types.MappingProxyType)):
            self._container(value, path)
        elif issubclass(kind, (np.ndarray, np.generic)):
            self._array(value, path)
        elif kind is types.FunctionType:
            self._function(value, path)
        elif kind is types.MethodType:
            self._later(value.__self__, path)
            self._later(value.__func__, path)
        elif issubclass(kind, types.ModuleType):
            self._module(value, path)
        elif isinstance(value, type):
            self._class(value, path)
        elif isinstance(value, _WRAPPERS):
            self._wrapper(value, path)
        elif kind is _FIELD:
            self.tokens.append(("field", str(value.__reduce__()[1])))
        elif kind in _CALLED or issubclass(kind, np.ufunc) or kind is type(np.sum):
            self._library_callable(value, path)
        else:
            self._instance(value, path)

    # -- data ----------------------------------------------------------------------------------------

    def _container(self, value: Any, path: str) -> None:
        if isinstance(value, (dict, types.MappingProxyType)):
            self.tokens.append(("dict", len(value)))
            for key in list(value):
                self._visit(key, path)
                self._later(value[key], f"{path}[{key!r}]" if type(key) in _ATOMS else path)
            return
        items = list(value)
        if isinstance(value, (set, frozenset)):
            items.sort(key=repr)
        self.tokens.append((type(value).__name__, len(items)))
        for item in items:
            self._later(item, f"{path}[...]")

    def _array(self, value: Any, path: str) -> None:
        array = np.asarray(value)
        if array.dtype == object:
            self.tokens.append(("objects", array.shape))
            for item in array.ravel().tolist():
                self._later(item, f"{path}[...]")
            return
        if self.only is None:
            return
        digest = hashlib.blake2b(np.ascontiguousarray(array).tobytes(), digest_size=16).hexdigest()
        self.tokens.append((type(value).__name__, str(array.dtype), array.shape, array.flags.num, digest))
        if type(value) is not np.ndarray and not isinstance(value, np.generic):
            self._complain(
                f"a {type(value).__name__} is used, whose operators differ from those of arrays", path
            )

    def _instance(self, value: Any, path: str) -> None:
        cls = type(value)
        self.tokens.append(("object", cls.__module__, cls.__qualname__, id(value)))
        if cls.__module__ == "typing" or isinstance(value, (np.dtype, types.GenericAlias, types.UnionType)):
            return
        if cls.__module__.startswith("eqvproof.frontends"):
            return
        if cls.__module__ == "numpy" and cls.__name__ in ("finfo", "iinfo"):
            return
        if cls is not types.SimpleNamespace and not is_plain_class(cls):
            name = f"{cls.__module__}.{cls.__qualname__}".removeprefix("builtins.")
            self._complain(f"an object of the class {name} is used, whose state cannot be read", path)
            if hasattr(value, "__wrapped__"):
                self._later(value.__wrapped__, path)
            return
        self._later(cls, cls.__name__)
        if isinstance(value, (list, tuple, set, frozenset)):
            for item in list(value):
                self._later(item, f"{path}[...]")
        state = getattr(value, "__dict__", {})
        for slot in [s for c in cls.__mro__ for s in slots_of(c)]:
            if hasattr(value, slot):
                self._attribute(slot, getattr(value, slot), path)
        for key in sorted(state):
            self._note_slot(state, key, state[key])
            self._attribute(key, state[key], path)

    def _attribute(self, name: str, value: Any, path: str) -> None:
        if self.only is None or name in self.names:
            self.tokens.append(("attribute", name))
            self._later(value, f"{path}.{name}")

    def _note_slot(self, owner: Any, key: Any, value: Any) -> None:
        if needs_slot(value):
            self.slots.append(Slot(owner, key, value))

    # -- code ----------------------------------------------------------------------------------------

    def _function(self, value: types.FunctionType, path: str) -> None:
        code, owner = value.__code__, owner_of(value.__code__, value.__globals__)
        self.tokens.append(("function", code.co_filename, code.co_firstlineno, code.co_qualname))
        if owner in ("arrays", "engine"):
            self._library_callable(value, path)
            return
        self._closure(value, path)
        if owner == "stdlib":
            self._library_callable(value, path)
            return
        self.functions.append(value)
        codes = nested_codes(code)
        self.codes.update(codes)
        if self.only is not None and code not in self.only:
            return
        for name in ("__defaults__", "__kwdefaults__"):
            default = getattr(value, name)
            for item in default.values() if isinstance(default, dict) else default or ():
                self._later(item, f"a default of {value.__name__}")
                if type(default) is tuple:
                    self._note_slot(value, name, item)
        for key in sorted(value.__dict__):
            self._attribute(key, value.__dict__[key], value.__name__)
        for each in codes:
            if self.only is None or each in self.only:
                self._globals(value, each)

    def _closure(self, value: types.FunctionType, path: str) -> None:
        if (
            self.only is not None
            and owner_of(value.__code__, value.__globals__) == "user"
            and value.__code__ not in self.only
        ):
            return
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
            try:
                content = cell.cell_contents
            except ValueError:
                self.tokens.append(("empty", name))
                continue
            self._note_slot(cell, name, content)
            self._later(content, name)

    def _globals(self, function: types.FunctionType, code: CodeType) -> None:
        scope = function.__globals__
        for name in sorted(global_names(code)):
            if name in scope:
                self._note_slot(scope, name, scope[name])
                self.tokens.append(("global", name))
                self._later(scope[name], name)
            elif hasattr(builtins, name):
                self._later(getattr(builtins, name), name)

    def _module(self, module: types.ModuleType, path: str) -> None:
        name = module.__name__
        self.tokens.append(("module", name))
        if name == "builtins":
            self._complain("the module builtins is used", path)
        if owner_of_module(name) == "user":
            if self.only is None:
                return
            scope = vars(module)
            for attribute in sorted(self.names & scope.keys()):
                self._note_slot(scope, attribute, scope[attribute])
                self.tokens.append(("attribute", attribute))
                self._later(scope[attribute], f"{path}.{attribute}")
        elif is_pure_module(name):
            self._library(vars(module), path)
        else:
            self._complain(f"the module {name} is used, which may be random, or read the world outside", path)

    def _library(self, scope: Any, path: str) -> None:
        """The attributes of a library that the code mentions: exchanged ones, and containers, are state."""
        for attribute in sorted(self.names & scope.keys()):
            value = scope[attribute]
            self.tokens.append(("attribute", attribute, id(value)))
            if isinstance(value, (*_LISTS, dict)):
                self._later(value, f"{path}.{attribute}")

    def _class(self, cls: type, path: str) -> None:
        self.tokens.append(("class", cls.__module__, cls.__qualname__))
        if not is_user_class(cls):
            if not is_pure_module(cls.__module__):
                self._complain(f"the class {cls.__module__}.{cls.__qualname__} is used", path)
            else:
                self._library(cls.__dict__, path)
            return
        for base in cls.__mro__[1:]:
            if is_user_class(base):
                self._later(base, base.__name__)
        for key in sorted(cls.__dict__):
            value = cls.__dict__[key]
            if key in ("__dict__", "__weakref__", "__doc__", "__module__", "__annotations__", "__slots__"):
                continue
            if key.startswith("__") and key.endswith("__") and isinstance(value, types.FunctionType):
                self._later(value, f"{path}.{key}")
            elif not (key.startswith("__") and key.endswith("__")) and not key.startswith("_abc_"):
                self._note_slot(cls, key, value)
                self._attribute(key, value, path)

    def _wrapper(self, value: Any, path: str) -> None:
        self.tokens.append(("wrapper", type(value).__name__))
        if isinstance(value, (functools.partial, functools.partialmethod)):
            parts: list[Any] = [value.func, *value.args, *value.keywords.values()]
        elif isinstance(value, property):
            parts = [f for f in (value.fget, value.fset) if f is not None]
        else:
            parts = [value.__func__]
        for part in parts:
            self._later(part, path)

    def _library_callable(self, value: Any, path: str) -> None:
        owner = getattr(value, "__self__", None)
        scope = getattr(value, "__globals__", {})
        module = scope.get("__name__", getattr(value, "__module__", None))
        self.tokens.append(("callable", module, getattr(value, "__qualname__", repr(type(value)))))
        if owner is not None and not isinstance(owner, types.ModuleType):
            self._later(owner, path)
        elif module is not None and not is_pure_module(module):
            name = getattr(value, "__name__", "a function")
            self._complain(f"{module}.{name} is used, which may be random, or read the world outside", path)


def names_in(codes: Iterable[CodeType]) -> frozenset[str]:
    """All names that some code objects mention."""
    return frozenset(name for code in codes for name in attribute_names(code))
