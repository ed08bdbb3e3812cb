"""Functions that read attributes of the objects that they are given, which no code names.

`copy.copy`, `vars`, `jax.tree.leaves` and many others do. What calls leave in an attribute may
decide a result by way of them, so that code counts as harmless only if all that it names is known
not to do so: its own functions, classes and objects, numbers, and what computes with numbers.
"""

from __future__ import annotations

import builtins
import sys
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType

import numpy as np

from eqvproof.tracing.observing.code import cells_of, reads
from eqvproof.tracing.observing.data import array_data
from eqvproof.tracing.observing.frames import is_followed_file, owner_of_module
from eqvproof.tracing.observing.held_objects import ATOMS, COLLECTIONS, defaults_of

#: Builtins that read attributes.
_READERS = (getattr, hasattr, vars, dir)
#: Packages whose functions compute with numbers, and the parts of them that take objects apart.
_OF_NUMBERS = frozenset("numpy math cmath torch".split())
_OF_TREES = frozenset(
    "pytree functorch func utils jit export fx compiler dynamo package serialization".split()
)


def names_a_reader(
    codes: Collection[CodeType], functions: Iterable[FunctionType], met: Iterable[object]
) -> bool:
    """Checks whether code names anything that may read attributes of objects given to it.

    Args:
        codes: the code that ran.
        functions: the user's functions that were met, with all that they hold.
        met: all objects that names, and attributes that the code asks for, lead to.
    """
    scopes: dict[str, Mapping[str, object]] = {}
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType) and isinstance(vars(module).get("__file__"), str):
            scopes[vars(module)["__file__"]] = vars(module)
    values = [v for v in met if not (isinstance(v, ModuleType) and _is_of_numbers(v.__name__))]
    for function in functions:
        scopes[function.__code__.co_filename] = function.__globals__
        values += [cell.cell_contents for cell in cells_of(function).values()]
        values += [item for _, item in defaults_of(function)]
    for code in codes:
        if code.co_filename not in scopes:
            return True
        values += _values_named(code, scopes[code.co_filename])
    return not all(map(_is_harmless, values))


def _values_named(code: CodeType, scope: Mapping[str, object]) -> Iterator[object]:
    """Yields the values of global names, and of the attributes of modules that code asks for."""
    for read in reads(code):
        if read.name in code.co_freevars or not read.name:
            continue
        value = scope.get(read.name, vars(builtins).get(read.name))
        for name in read.chain:
            if isinstance(value, ModuleType):
                value = getattr(value, name, None)
        yield value


def _is_of_numbers(module: str) -> bool:
    root, *parts = module.split(".")
    return root in _OF_NUMBERS and _OF_TREES.isdisjoint(part.strip("_") for part in parts)


def _is_harmless(value: object) -> bool:
    if value is None or type(value) in ATOMS or isinstance(value, (np.ufunc, np.dtype)):
        return True
    if type(value) in (*COLLECTIONS, dict, OrderedDict):  # whose items were met
        return True
    if isinstance(value, MethodType):
        return _is_harmless(value.__func__)
    if isinstance(value, ModuleType):  # of which any name may be asked
        return False
    if any(value is item for item in vars(builtins).values()):
        return not any(value is reader for reader in _READERS)
    if isinstance(value, FunctionType) and is_followed_file(value.__code__.co_filename):
        return True  # its code is examined where it runs
    if array_data(value, read=False) is not None:
        return True
    named = isinstance(value, (type, FunctionType, BuiltinFunctionType, type(np.sum)))
    home = str(getattr(value if named else type(value), "__module__", None) or "")
    root = home.partition(".")[0]
    if root in _OF_NUMBERS:
        return _is_of_numbers(home)
    file = getattr(sys.modules.get(home), "__file__", None)
    return owner_of_module(home) == "user" or (isinstance(file, str) and is_followed_file(file))
