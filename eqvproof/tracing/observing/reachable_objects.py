"""Walks over all objects that a target can reach: functions, closures, globals, attributes, data.

Before anything ran, a first walk finds the places that hold array functions directly. Once it is
known what ran, a second walk follows the names in it: it gives a fingerprint of all data (data that
changes between calls is state), the functions whose code ran, and what is not known to be pure (see
`pure`).
"""

from __future__ import annotations

import collections
import sys
import types
import weakref
from collections.abc import Collection
from typing import Any

import numpy as np

from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.numpy.patching import CACHE
from eqvproof.tracing.observing import pure
from eqvproof.tracing.observing.code import cells_of, nested_codes
from eqvproof.tracing.observing.data import (
    UNREADABLE,
    array_data,
    atom_text,
    is_generator,
    is_inert,
    is_plain_class,
    names_of,
)
from eqvproof.tracing.observing.frames import makes_a_named_tuple, owner_of, owner_of_module
from eqvproof.tracing.observing.held_objects import (
    ATOMS,
    COLLECTIONS,
    COMPILED,
    MAPPINGS,
    WRAPPERS,
    class_attributes,
    defaults_of,
    elements_of,
    entries_of,
    slots_of,
    wrapped_by,
)
from eqvproof.tracing.observing.named_objects import Named, Steps, unknown

_SCRIPTS = LaterModule("eqvproof.tracing.observing.torch_scripts")
_HOOKS = LaterModule("eqvproof.tracing.observing.hooks")
_GIVEN = LaterModule("eqvproof.tracing.observing.annotations")
_SETS = LaterModule("eqvproof.tracing.observing.set_tables")
#: The type of the descriptors of a named tuple's fields.
_FIELD = type(vars(collections.namedtuple("_Field", "name"))["name"])
#: The attributes that hold the parts of a layer of PyTorch.
_OF_LAYERS = ("_parameters", "_buffers", "_modules", "_forward_hooks", "_forward_pre_hooks")
#: Attributes under which an object holds the function that it wraps.
_WRAPPED = ("__wrapped__", "fun", "_fun", "method")


class Reach(Named):
    """One walk from a target; `met` holds all objects that it visited.

    Args:
        root: the target.
        steps: (code object, offset) of what ran; None for the walk beforehand, which judges
            nothing.
        left_out: (identity, key) of containers and objects: places that are not looked into.
        has_classes: whether traced values answer which class they are of.
        failed: instructions that asked for an attribute or a module and found none.
    """

    def __init__(
        self,
        root: object,
        steps: Steps | None = None,
        left_out: Collection[tuple[int, object]] = (),
        *,
        has_classes: bool = False,
        failed: Steps = (),
    ) -> None:
        super().__init__(steps, has_classes=has_classes, failed=failed)
        self._left_out = left_out
        self._seen: dict[tuple[int, bool], int] = {}
        self.met: list[object] = []
        self._later(root, getattr(root, "__name__", type(root).__name__))
        if "getLogger" in self.names and "logging" in sys.modules:
            for logger in sys.modules["logging"].root.manager.loggerDict.values():
                self._later(logger, "a logger", trusted=True)
        while self._stack:
            value, path, self._trusted = self._stack.pop()
            self._visit(value, path)
        self._judge_attributes()

    def _visit(self, value: Any, path: str) -> None:
        """Visits one value.

        The content of a library's object is trusted: its data count, and its code is its own.
        """
        kind = type(value)
        if kind in ATOMS:
            self._tell(path, kind.__name__, atom_text(value))
            return
        if kind is slice:
            self._tell(path, "slice")
            for part in (value.start, value.stop, value.step):
                self._later(part, path, trusted=self._trusted)
            return
        if kind in weakref.ProxyTypes:  # which may have lost its object, and then answers nothing
            self._tell(path, kind.__name__)
            if not self._trusted:
                self._complain(
                    "a weak reference is used as what it refers to, which may be gone", path
                )
            return
        number = self._seen.get((id(value), self._trusted))
        if number is not None:
            self._tell(path, "again", number)
            return
        self._seen[id(value), self._trusted] = len(self._seen)
        self.met.append(value)
        if weakref.getweakrefcount(value) and _HOOKS.is_told_at_the_end(value):
            self.ends.append(("a function of the user's is called when an object ends", path))
        if kind in COLLECTIONS or isinstance(value, MAPPINGS):
            self._container(value, path)
        elif kind is types.FunctionType:
            self._function(value, path)
        elif kind is types.MethodType:
            holder = value.__self__
            self._later(holder, type(holder).__name__, trusted=self._trusted)
            if isinstance(holder, type) and _is_of_a_library(holder, value):
                self._loose.add(value.__name__)  # as if the code asked the class for it
            elif value.__name__ not in names_of(holder):
                self._later(value.__func__, path, trusted=self._trusted)
        elif issubclass(kind, types.ModuleType):
            self._module(value, path)
        elif isinstance(value, type):
            self._class(value, path)
        elif isinstance(value, tuple(WRAPPERS)):
            self._wrapper(value, path)
        elif kind is _FIELD:
            self._tell(path, "field", str(value.__reduce__()[1]))
        elif isinstance(value, COMPILED):
            self._library_callable(value, path)
        elif not self._array(value, path):
            self._instance(value, path)

    # -- data
    # ----------------------------------------------------------------------------------------

    def _container(self, value: Any, path: str) -> None:
        if not self._trusted:
            self.holders.append((value, path))
        if isinstance(value, MAPPINGS):
            self._tell(path, "dict")
            self._later(getattr(value, "default_factory", None), path, trusted=self._trusted)
            for key, item in entries_of(value):
                self._later(key, path, trusted=self._trusted)
                if (id(value), key) in self._left_out:
                    continue
                inside = f"{path}[{key!r}]" if type(key) in ATOMS else path
                self._later(item, inside, trusted=self._trusted)
            if owner_of_module(type(value).__module__) == "user":
                for key, item in sorted([*slots_of(value), *state_of(value).items()], key=_name):
                    self._attribute(key, item, path)
            return
        items = elements_of(value)
        if isinstance(value, (set, frozenset)):
            name = path.rpartition(".")[2]
            if not self._trusted and not all(isinstance(i, (int, float)) for i in items):
                if self._uses.get(name, {"nothing"}) != {"CONTAINS_OP"}:
                    self._complain(
                        "a set is used, whose order differs from process to process", path
                    )
            self._tell(path, _SETS.table_of(value))
        self._tell(path, type(value).__name__, len(items))
        for item in items:
            self._later(item, f"{path}[...]", trusted=self._trusted)

    def _array(self, value: object, path: str) -> bool:
        """Checks whether a value is an array, and adds its entries to the fingerprint."""
        if isinstance(value, (np.ndarray, np.generic)):
            plain = np.asarray(value)
            self._later(plain.dtype.metadata, path)
        else:
            plain = None
        if type(value) is np.ndarray and not self._trusted:
            self.holders.append((value, path))
        if plain is not None and plain.dtype == object:
            self._tell(path, "objects", plain.shape)
            for item in plain.ravel().tolist():
                self._later(item, f"{path}[...]")
            return True
        data = array_data(value, read=self.steps is not None)
        if data is None:
            return False
        self._tell(path, *data)
        if data[-1] == UNREADABLE:
            self._complain(f"a {type(value).__name__} is used, whose entries cannot be read", path)
        if plain is not None and plain.dtype.kind not in "biufc":
            self._complain(f"an array of {plain.dtype} is used, which is none of numbers", path)
        self._given(value, path)
        if "_version" in self.names:  # how often a tensor has been written
            self._tell(path, getattr(value, "_version", None))
        is_own = owner_of_module(type(value).__module__) == "user"
        if is_own:
            self._later(type(value), path)
        if plain is not None and (is_own or type(value) not in (np.ndarray, plain.dtype.type)):
            self._complain(
                f"a {type(value).__name__} is used, whose operators differ from those of arrays",
                path,
            )
        return True

    def _given(self, value: object, path: str) -> None:
        """Visits attributes that the user has given to an object of a library."""
        state = state_of(value)
        if pure.is_holder(type(value).__module__):
            self.holders.append((state, path))
        for key, item in state.items():
            if not type(item).__module__.startswith("logging"):
                self._attribute(key, item, path)

    def _instance(self, value: object, path: str) -> None:
        cls = type(value)
        self._tell(path, "object", cls.__module__, cls.__qualname__, id(value))
        if is_inert(value) or pure.known(value):
            self.own.update(names_of(value))
            self._given(value, path)
            for part in _GIVEN.parts_of_inert(value):
                self._later(part, path, trusted=True)
            return
        for name in _WRAPPED:
            if hasattr(cls, name) or name in state_of(value):
                inner = getattr(value, name, None)
            else:
                inner = None
            if isinstance(inner, (types.FunctionType, types.MethodType)):
                self._later(inner, path)
        if cls is np.vectorize:
            made: Any = value
            self._tell(path, str((made.otypes, made.cache, made.signature, sorted(made.excluded))))
            self._later(made.pyfunc, path)
            return
        if cls is CACHE and any(slot.value is value for slot in self.slots):
            return  # whose function stands in its place while it is traced
        if is_generator(value):
            self._complain(f"a {cls.__qualname__} is used, which draws random numbers", path)
        elif pure.is_compiled_layer(value):
            layer: Any = value
            graph = _SCRIPTS.plain_graph(layer)
            if graph is not None:
                self._tell(path, "graph", graph)
                self.own.update(dir(cls))
                for key, item in sorted(layer.state_dict(keep_vars=True).items()):
                    self._later(item, f"{path}.{key}")
            else:
                self._complain("a module of TorchScript is used, which may change its state", path)
        elif owner_of_module(cls.__module__) == "user" and is_plain_class(cls):
            self._object(value, path)
        elif self._trusted or cls is types.SimpleNamespace or pure.is_known_object(value):
            self.own.update(dir(cls), state_of(value))
            self.libraries.add(cls.__module__.partition(".")[0])
            if pure.is_layer(value):
                self.own.update(*(state_of(value)[part] for part in _OF_LAYERS[:3]))
            if pure.is_installed_library(pure.home_of(cls)):
                self.of_packages.append((value, path))
            for item in value if isinstance(value, tuple) else ():  # of a class of named tuples
                self._later(item, f"{path}[...]", trusted=True)
            if cls is types.SimpleNamespace or pure.holds_data(value):
                attributes = sorted([*slots_of(value), *state_of(value).items()], key=_name)
            else:
                self._given(value, path)
                attributes = []
            for key, item in attributes:
                if (id(value), key) in self._left_out:
                    continue
                self._tell(path, "attribute", key)
                trusted = cls is not types.SimpleNamespace
                trusted = trusted and not (key in self.names and _may_be_the_users(item))
                self._later(item, f"{path}.{key}", trusted=trusted)
        else:
            name = f"{cls.__module__}.{cls.__qualname__}".removeprefix("builtins.")
            self._complain(
                f"an object of the class {name} is used, whose state cannot be read", path
            )

    def _object(self, value: object, path: str) -> None:
        """Visits an object of the user's class: attributes that code names, a layer's parts."""
        cls, state = type(value), state_of(value)
        self._later(cls, cls.__name__)
        self.holders.append((value, path))
        if isinstance(value, COLLECTIONS):
            for item in elements_of(value):
                self._later(item, f"{path}[...]")
        slots = slots_of(value)
        self.own.update(state, (name for name, _ in slots))
        layer = pure.is_layer(value)
        for key, item in sorted([*slots, *state.items()], key=_name):
            if (id(value), key) in self._left_out:
                continue
            if key in state:
                self._note_slot(state, key, item)
            if layer and key in _OF_LAYERS:
                self.own.update(item)
                self._later(item, path)
            else:
                self._attribute(key, item, path)

    # -- code
    # ----------------------------------------------------------------------------------------

    def _function(self, value: types.FunctionType, path: str) -> None:
        code, owner = value.__code__, owner_of(value.__code__, value.__globals__)
        self._tell(path, "function", code.co_filename, code.co_firstlineno, code.co_qualname)
        if owner == "engine":
            return
        if owner != "user":
            self._given(value, path)
        if "get_type_hints" in self.names:
            self._later(value.__annotations__, path, trusted=True)
        wrapped = value.__dict__.get("__wrapped__")
        if owner != "user" and pure.known(value):
            home = str(value.__module__)
            if pure.is_installed_library(home):  # whose objects it may return
                self.of_packages.append((value, path))
                self.libraries.add(home.partition(".")[0])
            if "<locals>" in code.co_qualname:  # a library made it of what it was given
                self._closure(value, trusted=True)
            return
        if wrapped is not None:
            self._later(wrapped, path, trusted=owner != "user")
        if owner != "user":
            self._closure(value, trusted=True)
            made = "<locals>" in code.co_qualname  # by a library's function
            made = made and (owner == "arrays" or code.co_filename == "<string>")
            made = made or makes_a_named_tuple(code, value.__globals__)
            if not made and not (
                wrapped and pure.known_module(str(value.__globals__.get("__name__")))
            ):
                self._library_callable(value, path)
            return
        self.functions.append(value)
        codes = nested_codes(code)
        self.codes.update(codes)
        if self.only is not None and code not in self.only:
            return
        self._closure(value)
        for name, item in defaults_of(value):
            self._later(item, f"a default of {value.__name__}.{name}")
        for item in value.__defaults__ or ():
            self._note_slot(value, "__defaults__", item)
        self.own.update(value.__dict__)
        self.holders.append((value.__dict__, value.__name__))
        for key in sorted(value.__dict__):
            self._attribute(key, value.__dict__[key], value.__name__)
        for each in codes:
            if self.only is None or each in self.only:
                self._reads(value, each)

    def _closure(self, value: types.FunctionType, *, trusted: bool = False) -> None:
        for name, cell in cells_of(value).items():
            self._note_slot(cell, name, cell.cell_contents)
            # what is asked of it is a read
            if not isinstance(cell.cell_contents, types.ModuleType):
                self._later(cell.cell_contents, name, trusted=trusted)

    def _class(self, cls: type, path: str) -> None:
        self._tell(path, "class", cls.__module__, cls.__qualname__)
        if owner_of_module(cls.__module__) != "user":
            if pure.is_installed_library(cls.__module__):
                self.of_packages.append((cls, path))
            self.own.update(dir(cls), pure.made_by(cls))
            self.libraries.add(cls.__module__.partition(".")[0])
            for key in self.names & vars(cls).keys():
                if type(vars(cls)[key]) in (*MAPPINGS, *COLLECTIONS):
                    self._later(vars(cls)[key], f"{path}.{key}")
            if not (self._trusted or (pure.known(cls) or pure.known_object(cls))):
                self._complain(unknown(cls, f"{cls.__module__}.{cls.__qualname__}"), path)
            return
        if "__del__" in vars(cls):
            self.ends.append((f"{cls.__name__} has __del__, which runs when an object ends", path))
        self.own.update(getattr(cls, "__annotations__", ()), *map(vars, cls.__mro__))
        for base in cls.__mro__[1:]:
            if owner_of_module(base.__module__) == "user":
                self._later(base, base.__name__)
        for key, value in class_attributes(cls):
            if type(value).__name__ == "_abc_data":
                continue
            home = str(getattr(value, "__module__", None))
            written = getattr(value, "__func__", value)
            foreign = isinstance(written, types.FunctionType) and owner_of_module(home) != "user"
            if foreign and (written is value or pure.may_enter(home)):  # of enum, of named tuples
                self._later(value, f"{path}.{key}", trusted=pure.may_enter(home))
            elif isinstance(value, (types.FunctionType, *WRAPPERS)) or hasattr(
                value, "__wrapped__"
            ):
                self._note_slot(cls, key, value)
                self._later(value, f"{path}.{key}")
            elif isinstance(value, COMPILED) and _is_bound(value):  # called by an operator, perhaps
                self._later(value, f"{path}.{key}")
            else:
                if not (key.startswith("__") and key.endswith("__")):
                    self._note_slot(cls, key, value)
                self._attribute(key, value, path)
        if not self.names.isdisjoint(("fields", "get_type_hints")):
            for part in _GIVEN.annotations_of(cls):
                self._later(part, path, trusted=True)

    def _wrapper(self, value: Any, path: str) -> None:
        self._tell(path, "wrapper", type(value).__name__)
        for name, part in wrapped_by(value):
            self._tell(path, name)
            self._later(part, path, trusted=self._trusted)

    def _library_callable(self, value: object, path: str) -> None:
        owner = getattr(value, "__self__", None)
        module = getattr(value, "__module__", None)
        self._tell(path, "callable", module, getattr(value, "__qualname__", repr(type(value))))
        home = getattr(value, "__objclass__", None)
        self._given(value, path)
        if isinstance(value, types.MethodWrapperType) and _is_bound(value):
            self._later(owner, path, trusted=self._trusted)
        if self._trusted or home in pure.TYPES:
            return
        if owner is not None and not isinstance(owner, types.ModuleType) and not pure.known(value):
            self._later(owner, path)
        elif not pure.known(value):
            self._complain(
                unknown(value, f"{module}.{getattr(value, '__name__', 'a function')}"), path
            )


def _is_bound(value: object) -> bool:
    """Checks whether a compiled function is a method of an object, which it may change."""
    owner = getattr(value, "__self__", None)
    return owner is not None and not isinstance(owner, (type, types.ModuleType))


def _may_be_the_users(value: object) -> bool:
    """Checks whether a value that an object of a library holds is of Python's own mutable types."""
    return owner_of_module(type(value).__module__) == "stdlib" and not callable(value)


def _is_of_a_library(cls: type, method: types.MethodType) -> bool:
    """Checks whether a class has a class method from a library's class."""
    return any(
        getattr(vars(base).get(method.__name__), "__func__", None) is method.__func__
        for base in cls.__mro__
        if owner_of_module(base.__module__) != "user"
    )


def _name(attribute: tuple[str, object]) -> str:
    return attribute[0]


def state_of(value: object) -> dict[str, Any]:
    """Returns the attributes that an object holds."""
    found = getattr(value, "__dict__", None)
    if isinstance(found, dict):
        return found
    return {}
