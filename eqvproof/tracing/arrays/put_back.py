"""Restoration of what containers and objects held."""

from __future__ import annotations

import collections
from array import array
from collections.abc import Mapping
from contextvars import ContextVar
from types import CellType, ModuleType

import numpy as np

from eqvproof.tracing.arrays.array_bytes import put_bytes
from eqvproof.tracing.arrays.holder_content import CACHE, Slot, is_array, names_in
from eqvproof.tracing.observing.held_objects import slots_of


def put_items(holder: object, items: list[object]) -> None:
    """Puts back what a container held in no place with a name."""
    if isinstance(holder, list):
        holder[:] = items
    elif isinstance(holder, bytearray):
        holder[:] = bytes(item for item in items if isinstance(item, int))
    elif isinstance(holder, set):
        set.clear(holder)
        set.update(holder, items[:-1])
    elif isinstance(holder, collections.deque):
        holder.clear()
        holder.extend(items)
    elif isinstance(holder, CellType):
        if items:
            (holder.cell_contents,) = items
        else:
            del holder.cell_contents
    elif isinstance(holder, type):
        _put_attributes(holder, dict(zip(map(str, items[::2]), items[1::2], strict=True)))
    elif isinstance(holder, ContextVar):
        holder.set(items[0])
    elif isinstance(holder, CACHE):
        holder.cache_clear()
    elif isinstance(holder, array) and isinstance(items[0], bytes):
        holder[:] = array(holder.typecode, items[0])
    elif isinstance(holder, np.ndarray) and not holder.flags.writeable:
        return
    elif isinstance(holder, np.ndarray) and holder.dtype == object:
        for place, item in zip(np.ndindex(holder.shape), items, strict=True):
            holder[place] = item
    elif is_array(holder) and isinstance(items[0], bytes):
        put_bytes(holder, items[0])


def _put_attributes(cls: type, old: Mapping[str, object]) -> None:
    for name in [name for name in vars(cls) if name not in old]:
        delattr(cls, name)
    for name, item in old.items():
        if vars(cls).get(name) is not item:
            setattr(cls, name, item)


def put_names(holder: object, old: Mapping[object, object]) -> None:
    """Puts back what attributes, slots and keys held."""
    plain = {key: item for key, item in old.items() if not isinstance(key, Slot)}
    names = names_in(holder)
    if isinstance(holder, ModuleType):
        for name in [n for n, item in names.items() if n not in plain]:
            if not isinstance(names[name], ModuleType):
                del names[name]
        names.update(plain)
    elif plain or names:
        kind = collections.OrderedDict if isinstance(names, collections.OrderedDict) else dict
        kind.clear(names)
        for key, item in plain.items():
            kind.__setitem__(names, key, item)
    slots = {key: item for key, item in old.items() if isinstance(key, Slot)}
    for name, _ in slots_of(holder) if hasattr(type(holder), "__slots__") else ():
        if name not in slots:
            object.__delattr__(holder, name)
    for key, item in slots.items():
        object.__setattr__(holder, key, item)
