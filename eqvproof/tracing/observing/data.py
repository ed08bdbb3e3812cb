"""Data that a target holds: numbers, arrays of every library, and immutable objects."""

from __future__ import annotations

import operator
import random
import re
import sys
import types
from fractions import Fraction

import numpy as np

from eqvproof.programs.operations.stored import digest
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays import functions
from eqvproof.tracing.observing import pure
from eqvproof.tracing.observing.frames import STANDING_IN, is_logger, owner_of_module

_ENTRIES = LaterModule("eqvproof.tracing.observing.entries")
_INERT = (
    types.GenericAlias,
    types.UnionType,
    re.Pattern,
    operator.itemgetter,
    np.finfo,
    np.iinfo,
    type(np.r_),
    type(np.c_),
    type(np.s_),
    type(np.mgrid),
    type(np.ogrid),
)
#: Modules whose objects carry no data, or belong to this package.
_ASIDE = ("typing", *STANDING_IN)


def atom_text(value: object) -> str:
    """Returns an exact text of a number or text."""
    if type(value) is float:
        return value.hex()
    if type(value) is int:
        return hex(value)
    if type(value) is Fraction:
        return f"{value.numerator:x}/{value.denominator:x}"
    return repr(value)


#: The attributes of loggers that may be read.
_NAMES_OF_LOGGERS = "debug info warning error critical exception log".split()
#: Immutable objects: the attributes that may be read from them.
_NAMES: tuple[tuple[type, str], ...] = (
    (re.Pattern, "match fullmatch search sub subn split findall finditer pattern"),
    (np.dtype, "itemsize kind name"),
)


def names_of(value: object) -> list[str]:
    """Lists the attributes that may be read from an immutable object, besides those of arrays."""
    if type(value).__module__ == "torch":
        return [n for n in dir(value) if not n.startswith("_")]
    if is_logger(value):
        return _NAMES_OF_LOGGERS
    if functions.is_distribution(value):
        return functions.names_of_distributions()
    return [name for cls, names in _NAMES if isinstance(value, cls) for name in names.split()]


def is_inert(value: object) -> bool:
    """Checks whether an object holds nothing that a call depends on, or that ever changes."""
    cls = type(value)
    if isinstance(value, np.dtype):
        return value.kind in "biufc"
    if cls.__module__ == "torch" and cls.__name__ in (
        "dtype",
        "device",
        "layout",
        "memory_format",
        "Size",
    ):
        return True
    if isinstance(value, _INERT) or is_logger(value):
        return owner_of_module(cls.__module__) != "user"
    home = cls.__module__.startswith(_ASIDE) and sys.modules.get(cls.__module__)
    return bool(home) and vars(home).get(cls.__qualname__) is cls


#: Stands for the entries of an array that its library does not hand out.
UNREADABLE = "entries that cannot be read"


def array_data(value: object, *, read: bool = True) -> tuple[object, ...] | None:
    """Returns type, shape and a digest of the entries of an array of any library; else None.

    Args:
        value: any object.
        read: whether the entries are read at all.

    Returns:
        These; where its library does not give the entries of an array, such as a sparse one or
        one without data, its type and `UNREADABLE`.
    """
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    name = type(value).__name__
    if torch is not None and torch.nn.parameter.is_lazy(value):
        return name, "made by the first call"
    if torch is not None and isinstance(value, torch.Tensor):
        parts = _ENTRIES.parts_of_torch
    elif (
        jax is not None and isinstance(value, jax.Array) and not isinstance(value, jax.core.Tracer)
    ):
        parts = _ENTRIES.parts_of_jax
    elif isinstance(value, (np.ndarray, np.generic)) and value.dtype != object:
        flags = value.flags.num if isinstance(value, np.ndarray) else 0
        kind = f"{value.dtype} {flags}"
        if not read:
            return name, kind, value.shape
        return name, kind, value.shape, digest(np.asarray(value))
    else:
        return None
    try:
        kind, shape, entries = parts(value, read=read)
    except (RuntimeError, TypeError):
        return name, UNREADABLE
    if entries is None:
        return name, kind, shape
    return name, kind, shape, digest(entries)


def is_generator(value: object) -> bool:
    """Checks whether an object draws random numbers."""
    torch = sys.modules.get("torch")
    kinds: tuple[type, ...] = (np.random.Generator, np.random.RandomState, random.Random)
    return isinstance(value, (*kinds, torch.Generator) if torch is not None else kinds)


#: Modules whose classes hold no state of their own.
_STATELESS = ("abc", "typing", "enum", "contextlib", "collections.abc")


def is_plain_class(cls: type) -> bool:
    """Checks whether all state of instances is visible to Python: no C state but containers."""
    for base in cls.__mro__:
        if base in (object, list, tuple, dict, set, frozenset, int, float, str):
            continue
        if base.__module__ in _STATELESS or pure.is_holder(base.__module__):
            continue
        module = sys.modules.get(base.__module__)
        filename = getattr(module, "__file__", None)
        written_in_python = base.__module__ == "__main__" or (
            isinstance(filename, str) and filename.endswith(".py")
        )
        if owner_of_module(base.__module__) != "user" or not written_in_python:
            return False
    return True
