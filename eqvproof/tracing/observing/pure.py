"""Rules of purity: what gives equal results for equal arguments, and reads nothing else.

A target is the user's code, which is read, and the objects that this code names outside of itself.
Of these only what is listed here is known to be pure; everything else (clocks, files, settings,
random numbers, addresses, other threads, and all that nobody thought of) may read the world
outside, and nothing stronger than tests rests on it. Libraries are trusted behind the names by
which they are entered.
"""

from __future__ import annotations

import builtins
import dataclasses
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from eqvproof.tracing.arrays import functions
from eqvproof.tracing.observing.code import attribute_stores, imports, reads
from eqvproof.tracing.observing.frames import LIBRARIES, STANDING_IN, owner_of_module
from eqvproof.tracing.observing.known import (
    ARRAYS,
    BUILTINS,
    HOLDERS,
    NAMED,
    PACKAGES,
    TENSORS,
    TO_LIBRARIES,
)

#: Types whose public methods are functions of the object and the arguments.
TYPES = (str, bytes, list, tuple, dict, set, frozenset, int, float, complex, range, slice, property,
         np.ufunc)  # fmt: skip
#: Attributes of values that may follow others that stand in a text, write files, or hold state of
#: an array that is none of its entries.
_NO_METHODS = frozenset("format format_map tofile dump dumps flags setflags ctypes".split())
#: Types of a library's own functions.
_FUNCTIONS = (FunctionType, BuiltinFunctionType)
#: Marks an attribute that does not exist.
MISSING = object()
#: Types of JAX's objects that wrap a function.
_OF_FUNCTIONS = frozenset({"PjitFunction", "custom_jvp", "custom_vjp", "ufunc", "Partial"})


def known_module(name: str) -> bool:
    """Checks whether some names of a module are known to be pure."""
    return name in NAMED or in_package(name) or is_installed_library(name)


def known_to_libraries(module: str, name: str = "") -> bool:
    """Checks whether a module, or a name in it, is known to be pure, or harmless in a library."""
    if not name:
        return known_module(module) or module in TO_LIBRARIES
    home = sys.modules.get(module)
    known = (
        home is not None and hasattr(home, name) and known_module(module) and known_in(home, name)
    )
    return known or name in TO_LIBRARIES.get(module, ())


def is_installed_library(name: str) -> bool:
    """Checks whether a module is of an installed package that requires an array library.

    Such a package is treated as a library.
    """
    return owner_of_module(name) == "arrays" and name.partition(".")[0] not in LIBRARIES


def in_package(name: str) -> bool:
    """Checks whether a module belongs to a package that is known to be pure."""
    return name.startswith(PACKAGES) and any(
        name == p or name.startswith(p + ".") for p in PACKAGES
    )


def known_in(module: ModuleType, name: str) -> bool:
    """Checks whether the value of a name in a library's module is known to be pure."""
    value = vars(module).get(name, MISSING)
    if value is MISSING:
        value = getattr(module, name, MISSING)
    else:
        value = value
    if isinstance(value, ModuleType):
        return known_module(value.__name__)
    home = module.__name__
    names = NAMED.get(home, frozenset())
    if name == "__version__" or name in names or is_installed_library(home):
        return True
    if "*" in names and not name.startswith("_"):
        written = str(getattr(value, "__module__", None) or home)
        ours = written.startswith(STANDING_IN)  # exchanged while a target is traced
        return ours or written.lstrip("_") in (home, home.partition(".")[0])
    if home == "torch":
        return name.rstrip("_") in _of_tensors() or type(value).__module__ == "torch"
    if home == "jax.numpy" and known_in(np, name):
        return True
    if home.startswith(("numpy", "scipy")) and (isinstance(value, np.ufunc) or _is_traced(value)):
        return True
    if functions.is_distribution(value):
        return True
    return in_package(home) and not name.startswith("_") and _of_library(value, home)


def _is_traced(value: object) -> bool:
    if owner_of_module(type(value).__module__) == "user":  # which may say that it equals one
        return False
    try:
        return value in functions.FUNCTIONS or value in functions.UFUNCS
    except TypeError:  # unhashable
        return False


def _of_library(value: object, home: str) -> bool:
    """Checks whether a package's value is its own, or a known function of NumPy or jax.nn."""
    written = getattr(value, "__module__", None)
    if not isinstance(written, str) or isinstance(value, np.ufunc):
        return True
    root = written.partition(".")[0]
    if root == "numpy":
        return home.startswith("numpy") or _is_traced(value) or of_numpy(value)
    activations = vars(sys.modules["jax.nn"]) if "jax.nn" in sys.modules else {}
    own = root in (home.partition(".")[0], "jaxlib")
    return own or activations.get(getattr(value, "__name__", "")) is value


@lru_cache(maxsize=1)
def _of_tensors() -> frozenset[str]:
    """Returns the functions of torch that take tensors, which a trace sees, random ones too."""
    torch: Any = sys.modules["torch"]
    found = {f.__name__: f for f in torch.overrides.get_overridable_functions()[torch]}
    # libraries above torch put functions of other names in their places
    held = vars(torch).items()
    return frozenset(found) | {n for n, f in held if found.get(getattr(f, "__name__", "")) is f}


def unknown_reads(code: CodeType, scope: Mapping[str, object]) -> list[str]:
    """Lists the names in a code object that are not known to be pure; skips the user's values."""
    found = [
        name
        for _, name in imports(code)
        if owner_of_module(name) != "user" and not known_module(name)
    ]
    for read in reads(code):
        value, path = scope.get(read.name, MISSING), read.name
        if value is MISSING and hasattr(builtins, path) and path not in BUILTINS:
            found.append(path)
        for name in read.chain:
            if not isinstance(value, ModuleType) or owner_of_module(value.__name__) == "user":
                break
            path = f"{path}.{name}"
            if not known_in(value, name):
                found.append(path)
                break
            value = getattr(value, name)
        if callable(value) and owner_of_module(str(getattr(value, "__module__", None))) == "stdlib":
            found += [] if known(value) else [path]
    return found


def may_enter(module: str) -> bool:
    """Checks whether the user's code may call Python code of a library's module."""
    root = module.partition(".")[0]
    if root in ("numpy", "scipy"):
        return module in _homes(len(sys.modules)) or module in _WITHIN_SCIPY
    return root in LIBRARIES or known_module(module) or root in _BEHIND


#: Modules of SciPy's named tuples, and of the choice among libraries for a transform.
_WITHIN_SCIPY = frozenset(
    "scipy._lib._bunch scipy.fft._backend scipy.fft._basic scipy.fft._realtransforms".split()
)
#: Modules that known ones use internally.
_BEHIND = frozenset(
    "importlib zipimport _collections_abc copyreg reprlib _weakrefset builtins eqvproof"
    " weakref".split()
)


@lru_cache(maxsize=2)
def _homes(_count: int) -> frozenset[str]:
    """Returns the modules, of those imported, that define known functions of NumPy and SciPy."""
    found = {
        f"numpy.{core}.{part}" for core in ("_core", "core") for part in ("_methods", "multiarray")
    }
    for name, module in _known_modules():
        if name.partition(".")[0] in ("numpy", "scipy"):
            for key, value in list(vars(module).items()):
                if _callable(value) and known_in(module, key):
                    found.update(_written_in(value))
    return frozenset(found)


def _known_modules() -> list[tuple[str, ModuleType]]:
    modules = list(sys.modules.items())
    return [
        (n, m) for n, m in modules if (n in NAMED or in_package(n)) and isinstance(m, ModuleType)
    ]


def _written_in(value: object) -> Iterable[str]:
    inner = getattr(value, "_implementation", value)
    methods = list(vars(inner).values()) if isinstance(inner, type) else []
    if functions.is_distribution(value):
        methods = [method for base in type(value).__mro__ for method in vars(base).values()]
    for function in (inner, getattr(inner, "__wrapped__", None), *methods):
        scope = getattr(function, "__globals__", None)
        if isinstance(scope, dict):
            yield str(scope.get("__name__", ""))


def of_numpy(value: object) -> bool:
    """Checks whether a value is a known function of NumPy, under the name that it gives itself."""
    name = getattr(value, "__name__", "")
    return isinstance(name, str) and vars(np).get(name) is value and name in NAMED["numpy"]


def known(value: object) -> bool:
    """Checks whether a library's function or class, under any name, is known to be pure."""
    if id(value) in _known_values(len(sys.modules)) or (_callable(value) and _is_traced(value)):
        return True
    home = getattr(value, "__module__", None) if isinstance(value, (type, *_FUNCTIONS)) else None
    return isinstance(home, str) and is_installed_library(home)


@lru_cache(maxsize=2)
def _known_values(_count: int) -> Mapping[int, object]:
    """Maps identity -> function or class known to be pure; held, so that no other takes its place."""
    found = {id(v): v for n in BUILTINS if (v := getattr(builtins, n, None)) is not None}
    for _, module in _known_modules():
        found.update(_known_values_of(module, tuple(map(id, vars(module).values()))))
    return found


@lru_cache(maxsize=4096)
def _known_values_of(module: ModuleType, _values: tuple[int, ...]) -> Mapping[int, object]:
    named = list(vars(module).items())
    return {id(v): v for n, v in named if _callable(v) and known_in(module, n)}


def known_object(cls: type) -> bool:
    """Checks whether objects of a library's class are known to depend only on their content."""
    home = home_of(cls)
    of_jax = home.partition(".")[0] in ("jax", "jaxlib") and cls.__name__ in _OF_FUNCTIONS
    return of_jax or (is_holder(home) and owner_of_module(home) == "arrays")


def is_known_object(value: object) -> bool:
    """Checks whether a library's object is known to depend only on its content."""
    return known_object(type(value)) or functions.is_distribution(value)


def home_of(cls: type) -> str:
    """Returns a class's module; that of the base for a class that a metaclass makes at run time.

    Such a class has no functions of its own.
    """
    made = (
        cls.__module__ == "abc"
        and not any(map(callable, vars(cls).values()))
        and len(cls.__mro__) > 1
    )
    return str(cls.__mro__[1].__module__ if made else cls.__module__)


def is_holder(home: str) -> bool:
    """Checks whether a module is of a library whose objects depend only on their content."""
    return in_package(home) or home.partition(".")[0] in HOLDERS or is_installed_library(home)


def is_layer(value: object) -> bool:
    """Checks whether a value is a module of PyTorch."""
    torch: Any = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.nn.Module)


def is_compiled_layer(value: object) -> bool:
    """Checks whether a value is a module of TorchScript, whose data lie outside of Python."""
    return is_layer(value) and isinstance(value, sys.modules["torch"].jit.ScriptModule)


def holds_data(value: object) -> bool:
    """Checks whether a library's object holds the user's data: parameters, options, functions."""
    held = is_layer(value) or dataclasses.is_dataclass(value) or is_holder(home_of(type(value)))
    return held or (functions.is_distribution(value) and hasattr(value, "kwds"))


def _callable(value: object) -> bool:
    return callable(value) and not isinstance(value, ModuleType)


@lru_cache(maxsize=8)
def attributes(torch: bool) -> frozenset[str]:  # noqa: FBT001
    """Returns the attributes of arrays, tensors, numbers, texts and containers."""
    from eqvproof.tracing.arrays.sizes import SymbolicSize
    from eqvproof.tracing.arrays.tracer import Tracer

    found = {n for t in (*TYPES, Tracer, SymbolicSize) for n in dir(t)} - _NO_METHODS
    found.update(ARRAYS.split())
    for module in (np, np.linalg, np.fft):
        found.update(n for n in vars(module) if known_in(module, n))
    if torch:
        found.update(TENSORS.split())
        found.update(end for n in _of_tensors() for end in (n, f"{n}_"))
    return frozenset(n for n in found if not n.startswith("_") and n != "*")


@lru_cache(maxsize=64)
def companions(root: str) -> frozenset[str]:
    """Returns the attributes of the classes of a library, and of their objects."""
    found: set[str] = set()
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == root and is_holder(name) and isinstance(module, ModuleType):
            for value in list(vars(module).values()):
                if isinstance(value, type) and str(value.__module__).partition(".")[0] == root:
                    found.update(dir(value), made_by(value))
    return frozenset(n for n in found if not n.startswith("_"))


def made_by(cls: type) -> set[str]:
    """Returns the attributes that methods of a class give its objects."""
    methods = (item for base in cls.__mro__ for item in vars(base).values())
    codes = (m.__code__ for m in methods if isinstance(m, FunctionType))
    return {
        name for code in codes for owner, name in attribute_stores(code).values() if owner == "self"
    }
