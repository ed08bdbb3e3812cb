"""Reads what containers and objects hold, one level deep."""

from __future__ import annotations

import collections
import contextlib
import functools
import sys
import weakref
from array import array
from collections.abc import Iterator
from contextvars import ContextVar
from operator import length_hint
from types import CellType, FunctionType, ModuleType

import numpy as np

from eqvproof.tracing.observing.held_objects import ATOMS, EXCHANGED, entries_of, slots_of

#: The items of a container, and what the attributes, slots and keys of an object hold.
Content = tuple[list[object], dict[object, object]]
#: The type of the caches of `functools`.
CACHE = functools._lru_cache_wrapper
_EMPTY = CellType()


class Slot(str):
    """The name of a slot of an object, which has no place in a dictionary."""

    __slots__ = ()


class KeyOrder(str):
    """The keys of a dictionary, in its order; equal to later ones where those kept are the same.

    Keys that have been added or taken away are told by their places.
    """

    keys: dict[object, None]

    def __new__(cls, held: dict[object, object]) -> KeyOrder:
        """Makes the record of a dictionary's keys."""
        made = super().__new__(cls)
        made.keys = dict.fromkeys(key for key, _ in entries_of(held))
        return made

    def __eq__(self, other: object) -> bool:
        """Compares the keys that are in both."""
        if not isinstance(other, KeyOrder):
            return False
        one = [key for key in self.keys if key in other.keys]
        now = [key for key in other.keys if key in self.keys]
        return len(one) == len(now) and all(map(is_same_key, one, now))

    __hash__ = None  # type: ignore[assignment]


def is_same_key(one: object, other: object) -> bool:
    """Checks whether nothing tells two equal keys apart, as 1 from 1.0, and 0.0 from -0.0."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return type(one) is tuple and all(map(is_same_key, one, other))
    return type(one) in ATOMS and repr(one) == repr(other)


def names_in(holder: object) -> dict[object, object]:
    """Returns the attributes or entries of an object or dict; an empty dict for others."""
    if isinstance(holder, dict):
        return holder
    found = attributes_of(holder)
    if isinstance(found, dict):
        return found
    return {}


def attributes_of(holder: object) -> object:
    """Returns what an object has for ``__dict__``, or None; code of its class is not asked."""
    kind = type(holder)
    if not isinstance(kind.__getattribute__, FunctionType) or issubclass(kind, ModuleType):
        return getattr(holder, "__dict__", None)
    with contextlib.suppress(AttributeError):
        return object.__getattribute__(holder, "__dict__")
    return None


def content_of(holder: object) -> Content:
    """Returns the content of a container or object, one level deep."""
    if is_dead_proxy(holder):
        return [], {}
    names = dict(entries_of(names_in(holder)))
    if isinstance(holder, ModuleType):  # parts of a package are imported by calls
        names = {key: item for key, item in names.items() if not isinstance(item, ModuleType)}
        names.pop("__warningregistry__", None)  # which warnings have been told already
    if hasattr(type(holder), "__slots__"):
        names |= {Slot(name): item for name, item in slots_of(holder)}
    return _items(holder), names


def is_dead_proxy(value: object) -> bool:
    """Checks whether a value is a weak proxy of an object that is gone, and answers nothing."""
    with contextlib.suppress(ReferenceError):
        return type(value) in weakref.ProxyTypes and not hasattr(value, "__class__")
    return True


def _as_found(item: object) -> object:
    """Returns a method; in place of one that is exchanged for the time of a trace, the original."""
    if type(item) is FunctionType:
        return vars(item).get(EXCHANGED, item)
    return item


def _items(holder: object) -> list[object]:
    """Returns what a container holds in no place with a name."""
    if isinstance(holder, set):
        from eqvproof.tracing.observing.set_tables import table_of

        return [*set.__iter__(holder), table_of(holder)]
    if isinstance(holder, dict):
        return [KeyOrder(holder)]
    # without methods that a subclass overrides
    if isinstance(holder, list):
        return list(list.__iter__(holder))
    if isinstance(holder, collections.deque):
        return list(collections.deque.__iter__(holder))
    if isinstance(holder, bytearray):
        return list(bytearray.__iter__(holder))
    if isinstance(holder, CellType):
        return list(in_cell(holder))
    if isinstance(holder, type):
        return [part for name, item in vars(holder).items() for part in (name, _as_found(item))]
    if isinstance(holder, ContextVar):
        return [held_in(holder)]
    if isinstance(holder, CACHE):
        return [holder.cache_info().currsize]
    if is_array(holder):
        from eqvproof.tracing.arrays.array_bytes import bytes_of

        return bytes_of(holder)
    if isinstance(holder, (array, memoryview)):
        return [holder.tobytes()]
    # by its type: a class may have an attribute `__class__` that raises
    if issubclass(type(holder), Iterator) and not hasattr(holder, "__dict__"):
        frame = getattr(holder, "gi_frame", None)
        found: list[object] = [repr(holder), length_hint(holder, 0)]
        if frame is not None:
            found += [frame.f_lasti, *frame.f_locals.values()]
        return found
    return []


def in_cell(cell: CellType) -> Iterator[object]:
    """Yields the variable of a function in which another one is, unless it is not set."""
    if cell != _EMPTY:
        yield cell.cell_contents


def held_in(variable: ContextVar[object]) -> object:
    """Returns what a context variable holds, or its default; None where there is neither."""
    try:
        return variable.get()
    except LookupError:
        return None


def is_array(value: object) -> bool:
    """Checks whether a value is an array of NumPy or a tensor of torch."""
    torch = sys.modules.get("torch")
    return isinstance(value, np.ndarray) or (torch is not None and isinstance(value, torch.Tensor))
