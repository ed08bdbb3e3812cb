"""A digest of everything that a function's results depend on, equal in every process.

Bytecode, constants, defaults, closures, the globals and attributes that the code names, weights,
the source files of the user's modules, the versions of Python and of the libraries. What cannot be
read (open files, generators, objects of libraries) makes the fingerprint None: then nothing is
reused.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import sys
import sysconfig
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from eqvproof.tracing.observing.code import cells_of, import_statements
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
    is_compiled,
    slots_of,
    wrapped_by,
)

#: Names by which code reads data that no fingerprint contains.
_UNHELD = frozenset("__doc__ __annotations__ __globals__ __code__ __closure__".split())
#: Methods that `dataclasses` generates.
_WRITTEN = frozenset({"__setattr__", "__delattr__", "__eq__", "__hash__", "__repr__", "__init__"})
#: Types of elements whose order in a set is the same in every process.
_ORDERED = (bool, int, float)
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})
#: Names by which code makes another instance of a class without naming it.
_MAKERS = (*_CONSTRUCTORS, "__class__", "__replace__", "replace")
_LIBRARIES = tuple(
    str(Path(sysconfig.get_path(name)).resolve())
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
)


def _flat_entries(mapping: Any) -> tuple[Any, ...]:
    return tuple(part for entry in entries_of(mapping) for part in entry)


def _elements(collection: object) -> tuple[object, ...]:
    """Returns the elements of a collection; those of a set in an order that all processes share."""
    found = elements_of(collection)
    if isinstance(collection, (set, frozenset)) and not all(type(v) in _ORDERED for v in found):
        found.sort(key=repr)
    return tuple(found)


def _written_as(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    written: Callable[[Any], str] = vars(kind)["__repr__"]
    return lambda value: (written(value),)


#: Containers and values, and how to read each one's content even if a subclass overrides its
#: methods.
_HELD: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    **dict.fromkeys((*MAPPINGS, OrderedDict, Counter), _flat_entries),
    defaultdict: lambda held: (held.default_factory,),
    **dict.fromkeys(COLLECTIONS, _elements),
    deque: lambda held: (deque.maxlen.__get__(held), *elements_of(held)),
    **{kind: _written_as(kind) for kind in (int, float, complex, str, bytes, Fraction)},
}
#: Modules that hold the known compiled functions of arrays by name.
_UFUNCS = ("numpy", "scipy.special")
#: Deepest nesting of modules whose names are read (``np.linalg.norm``).
_DEEPEST = 4


class Unreadable(Exception):
    """Raised when something that the function may depend on cannot be read."""


def fingerprint(f: Callable[..., Any]) -> str | None:
    """Returns a digest of a function and of all that it depends on; None if that is unknown.

    Equal fingerprints mean equal code and data, not merely equal names: one character of a helper's
    code, one weight, another version of NumPy change it.
    """
    from eqvproof.tracing.observing.pure import unknown_reads

    return _digest(f, lambda code, scope: not unknown_reads(code, scope))


def same(f: Callable[..., Any], known: str) -> bool:
    """Checks whether `fingerprint(f)` would equal a known one, without loading the purity tables.

    The digest contains the code and all that it names, and libraries by name and version: where it
    is equal, nothing else is read than was read then.
    """
    return _digest(f, lambda code, scope: True) == known


def _digest(
    f: Callable[..., Any], pure: Callable[[types.CodeType, dict[str, Any]], bool]
) -> str | None:
    walk = _Walk(pure)
    try:
        walk.follow(f)
    except (Unreadable, RecursionError):
        return None
    return "sha256:" + walk.digest.hexdigest()


class _Walk:
    """One walk over all that a function depends on; breadth first, so that any depth works."""

    def __init__(self, pure: Callable[[types.CodeType, dict[str, Any]], bool]) -> None:
        self.pure = pure
        self.digest = hashlib.sha256()
        self.names: set[str] = set()
        self.spaces: dict[str, Mapping[str, Any]] = {}
        self.read: set[tuple[str, str]] = set()
        self.seen: dict[int, int] = {}
        self.alive: list[Any] = []
        self.queue: deque[Any] = deque()
        self._tell("python", sys.version, "eqvproof", _version("eqvproof"))

    def follow(self, root: Any) -> None:
        """Reads all that the root reaches, and what the code names in its modules and functions."""
        self.queue.append(root)
        while True:
            while self.queue:
                self._visit(self.queue.popleft())
            fresh = [
                (space, name)
                for space in sorted(self.spaces)
                for name in sorted(self.names & self.spaces[space].keys())
                if (space, name) not in self.read
            ]
            if not fresh:
                return
            for space, name in fresh:
                self.read.add((space, name))
                self._tell("of", space, name)
                self.queue.append(self.spaces[space][name])

    def _tell(self, *words: object) -> None:
        text = "\x1f".join(map(str, words))
        self.digest.update(f"{len(text)}:{text};".encode("utf-8", "surrogatepass"))

    def _visit(self, value: Any) -> None:
        kind = type(value)
        if _is_atom(kind):
            self._tell(kind.__name__, repr(value))
            return
        if kind in (tuple, frozenset) and all(_is_atom(type(v)) for v in value):
            # by value: whether equal constants are one object differs from run to run
            self._tell(
                kind.__name__,
                *(sorted(map(repr, value)) if kind is frozenset else map(repr, value)),
            )
            return
        if kind is slice:
            self._all("slice", value.start, value.stop, value.step)
            return
        if id(value) in self.seen:
            self._tell("again", self.seen[id(value)])
            return
        self.seen[id(value)] = len(self.seen)
        self.alive.append(value)
        if kind is types.FunctionType:
            self._function(value)
        elif kind is types.MethodType:
            self._all("method", value.__func__, value.__self__)
        elif isinstance(value, types.ModuleType):
            self._module(value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, COMPILED):
            self._builtin(value)
        elif kind is np.ndarray or kind in _HELD:
            self._holder(value)
        elif kind in WRAPPERS:
            self._wrapper(value)
        else:
            self._instance(value)

    def _all(self, word: str, *values: Any) -> None:
        self._tell(word, len(values))
        self.queue.extend(values)

    def _function(self, value: types.FunctionType) -> None:
        if _is_library(value.__code__.co_filename):  # a decorator's inner function holds the user's
            self._library(str(value.__globals__.get("__name__")), value.__code__.co_qualname)
            self._cells(value)
            return
        self._tell("named", value.__name__, value.__qualname__)
        self._all("function", value.__dict__.get("__wrapped__"))
        for name, item in defaults_of(value):
            self._all(f"default {name}", item)
        self.spaces[f"function {len(self.seen)}"] = value.__dict__
        self._code(value.__code__, value.__globals__)
        self._cells(value)

    def _cells(self, value: types.FunctionType) -> None:
        cells = cells_of(value)
        for name in value.__code__.co_freevars:
            if name in cells:
                self._all(f"cell {name}", cells[name].cell_contents)
            else:
                self._tell("empty cell", name)

    def _wrapper(self, value: Any) -> None:
        """Reads the functions and arguments that an object wraps, and its other attributes."""
        self._tell("wrapper", type(value).__name__)
        for name, part in wrapped_by(value):
            self._all(name, part)

    def _code(self, code: types.CodeType, scope: dict[str, Any]) -> None:
        self._tell(
            "code", code.co_name, code.co_code.hex(), code.co_varnames, code.co_flags, code.co_names
        )
        self._tell("handlers", code.co_exceptiontable.hex())
        written = code.co_filename == "<string>" and code.co_name in _WRITTEN
        if not (written or self.pure(code, scope)) or not _UNHELD.isdisjoint(code.co_names):
            raise Unreadable(code.co_name)
        if not written:
            self.names |= set(code.co_names)
        for name in code.co_names:
            if name in scope:
                self._all(f"global {name}", scope[name])
                self._names_in(scope[name], code.co_names, name)
        for module, names in import_statements(code):
            self._imported(module, names, scope)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._code(constant, scope)
            else:
                self._all("constant", constant)

    def _imported(self, module: str, names: tuple[str, ...], scope: dict[str, Any]) -> None:
        """Reads a module that code imports at run time: a library by its version, others fully."""
        try:
            full = importlib.util.resolve_name(module, scope.get("__package__"))
            root = importlib.util.find_spec(full.partition(".")[0])
            if root is None:
                raise Unreadable(full)
            places = [root.origin, *(root.submodule_search_locations or ())]
            if root.origin in ("built-in", "frozen") or any(
                p is not None and _is_library(p) for p in places
            ):
                self._library(full, "")
                return
            steps = full.split(".")
            found = [importlib.import_module(".".join(steps[: k + 1])) for k in range(len(steps))]
            parts = names if hasattr(found[-1], "__path__") else ()
            known = [
                f"{full}.{name}" for name in parts if importlib.util.find_spec(f"{full}.{name}")
            ]
            self._all("imported", *found, *map(importlib.import_module, known))
        except (ImportError, ValueError) as error:
            raise Unreadable(module) from error

    def _names_in(self, module: Any, names: tuple[str, ...], path: str) -> None:
        """Reads a library module's values of the names in some code: they may be replaced."""
        file = getattr(module, "__file__", None)
        if not isinstance(module, types.ModuleType) or (file is not None and not _is_library(file)):
            return
        for name in names:
            value = vars(module).get(name, self)
            if value is self:
                continue
            code = getattr(value, "__code__", None)
            at = (code.co_filename, code.co_code.hex()) if isinstance(code, types.CodeType) else ()
            words = (getattr(value, "__module__", ""), getattr(value, "__qualname__", ""), *at)
            self._tell("named", path, name, type(value).__qualname__, *words)
            if isinstance(value, types.ModuleType) and path.count(".") < _DEEPEST:
                self._names_in(value, names, f"{path}.{name}")

    def _module(self, module: types.ModuleType) -> None:
        file = getattr(module, "__file__", None)
        if file is None or _is_library(file):
            self._library(module.__name__, "")
            return
        self._tell("module", module.__name__, hashlib.sha256(Path(file).read_bytes()).hexdigest())
        self.spaces[f"module {module.__name__}"] = vars(module)

    def _class(self, value: type) -> None:
        file = getattr(sys.modules.get(value.__module__), "__file__", None)
        if file is None or _is_library(file):
            self._library(value.__module__, value.__qualname__)
            return
        self._all("class", value.__qualname__, type(value), *value.__bases__)
        self._attributes(value)

    def _methods(self, kind: type) -> None:
        """Reads the methods of a class; constructors only where code may make another instance."""
        made: list[Any] = []
        for owner in kind.__mro__:
            file = getattr(sys.modules.get(owner.__module__), "__file__", None)
            if file is None or _is_library(file):
                self._library(owner.__module__, owner.__qualname__)
            else:
                self._tell("methods", owner.__qualname__)
                self._attributes(owner, _CONSTRUCTORS)
                made += [
                    item for name, item in sorted(vars(owner).items()) if name in _CONSTRUCTORS
                ]
        self.spaces[f"making {len(self.seen)}"] = dict.fromkeys(_MAKERS, made)

    def _attributes(self, owner: type, left_out: frozenset[str] = frozenset()) -> None:
        for name, item in class_attributes(owner):
            if name not in left_out:
                self._all(f"attribute {name}", item)

    def _library(self, module: str, name: str) -> None:
        root = module.partition(".")[0]
        torch = sys.modules.get("torch") if root == "torch" else None
        default = "" if torch is None else torch.get_default_dtype()
        self._tell("library", module, name, _version(root), default)

    def _builtin(self, value: Any) -> None:
        """Reads a compiled function: its name, and the object whose method it is.

        A user's ufunc may share a name, and cannot be read.
        """
        name = str(getattr(value, "__qualname__", None) or getattr(value, "__name__", type(value)))
        if isinstance(value, np.ufunc) and not any(
            getattr(sys.modules.get(m), name, None) is value for m in _UFUNCS
        ):
            raise Unreadable(name)
        self._library(getattr(value, "__module__", None) or "builtins", name)
        owner = getattr(value, "__self__", None)
        if owner is not None and not isinstance(owner, types.ModuleType):
            self.queue.append(owner)

    def _holder(self, value: Any) -> None:
        """Reads an object's content as an array, a collection or a value, beside attributes."""
        for kind in type(value).__mro__:
            if kind in _HELD:
                self._all(kind.__name__, *_HELD[kind](value))
        if not isinstance(value, np.ndarray):
            return
        if value.dtype == object:
            self._all("objects", value.shape, *np.asarray(value).ravel().tolist())
            return
        data = hashlib.sha256(np.asarray(value).tobytes()).hexdigest()
        self._tell("array", value.dtype.str, value.shape, value.strides, data)

    def _tensor(self, torch: Any, value: Any) -> None:
        if type(value) not in (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer):
            raise Unreadable(type(value).__qualname__)
        try:
            flat = value.detach().cpu().resolve_conj().resolve_neg().reshape(-1)
            data = flat.contiguous().view(torch.uint8).numpy()
        except (RuntimeError, TypeError) as error:  # sparse, quantised, without data
            raise Unreadable(str(value.layout)) from error
        self._tell(
            "tensor", type(value).__name__, value.dtype, value.device, value.shape, value.stride()
        )
        self._all(
            "data", data, value.requires_grad, value.grad if value.is_leaf else None, vars(value)
        )

    def _instance(self, value: Any) -> None:
        kind = type(value)
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            self._tensor(torch, value)
            return
        if torch is not None and isinstance(value, torch.nn.Module):
            self._methods(kind)
            self._all("torch module", vars(value))
            return
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        if file is None or _is_library(file):
            raise Unreadable(kind.__qualname__)
        known = (object, np.ndarray, *_HELD, *WRAPPERS)
        if any(is_compiled(base) for base in kind.__mro__ if base not in known):
            raise Unreadable(kind.__qualname__)
        self._methods(kind)
        self._holder(value)
        if isinstance(value, tuple(WRAPPERS)):
            self._wrapper(value)
        self._all("object", getattr(value, "__dict__", None))
        for name, item in slots_of(value):
            self._all(f"slot {name}", item)


def _is_atom(kind: type) -> bool:
    """Checks whether a type's values are determined by their text, unlike those of subclasses."""
    of_numpy = (
        issubclass(kind, (np.generic, np.dtype)) and kind.__module__.partition(".")[0] == "numpy"
    )
    return of_numpy or kind in ATOMS


def _is_library(file: str) -> bool:
    """Checks whether a file belongs to Python or to an installed package."""
    if file.startswith("<frozen"):
        return True
    path = str(Path(file).resolve())
    return any(path.startswith(folder + "/") for folder in _LIBRARIES) or "site-packages" in path


@functools.lru_cache(maxsize=256)
def _version(package: str) -> str:
    if package in sys.stdlib_module_names or package == "builtins":
        return "python"
    module = sys.modules.get(package)
    known = getattr(module, "__version__", None)
    if known is not None:
        return f"{known} {_build(package, getattr(module, '__file__', None))}"
    import importlib.metadata  # slow, and seldom needed

    try:
        return f"{importlib.metadata.version(package)} {_build(package, getattr(module, '__file__', None))}"
    except importlib.metadata.PackageNotFoundError:
        raise Unreadable(package) from None


def _build(package: str, file: str | None) -> str:
    """Returns a digest that distinguishes installations of one version that no index has published.

    It is the digest of the package's list of files; "" for published packages.
    """
    folders = [p.parent for p in Path(file or "").parents if p.name == package]
    for url in (
        url for folder in folders[-1:] for url in sorted(folder.glob("*.dist-info/direct_url.json"))
    ):
        record = url.with_name("RECORD")
        files = record.read_bytes() if record.is_file() else b""
        if f"\n{package}/".encode() in b"\n" + files:
            return hashlib.sha256(files).hexdigest()
    return ""
