"""Detection and reversal of the changes that a call makes in the user's objects.

While a target is traced, it may store traced values, which no later call may see: containers and
objects are restored, and the changed places are listed. In a further run these places hold an
`Untold` object; if the result is still the same, it does not depend on them.
"""

from __future__ import annotations

import collections
import functools
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from operator import length_hint
from types import CellType
from typing import Any, NoReturn
from zlib import crc32

import numpy as np

from eqvproof.support.errors import ErrorCode
from eqvproof.tracing.arrays.context import current_context, make_error
from eqvproof.tracing.observing.frames import owner_of_frame
from eqvproof.tracing.observing.held_objects import slots_of


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A place in a container or object of the user.

    Attributes:
        holder: the container or object.
        key: the key or the name of the attribute; None of a list, whose places have none.
        path: how it is reached.
    """

    holder: object
    key: object
    path: str


class Untold:
    """A value that is not traced: it allows arithmetic, and refuses other uses.

    Args:
        message: says what would depend on it, and why it is not traced.
    """

    __array_ufunc__ = None

    def __init__(self, message: str) -> None:
        self.message = message

    def refuse(self, *_: object) -> NoReturn:
        """Refuses the trace."""
        message = self.message
        context = current_context()
        if context is not None and context.active:
            context.refuse(message, code=ErrorCode.TRACE_STATE)
        raise make_error(message, "", code=ErrorCode.TRACE_STATE)

    def _joined(self, *_: object) -> Untold:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        _joined
    )
    __neg__ = __pos__ = __abs__ = __pow__ = __rpow__ = __mod__ = __floordiv__ = __round__ = _joined
    __bool__ = __len__ = __iter__ = __index__ = __int__ = __float__ = __getitem__ = __hash__ = (
        refuse
    )
    __lt__ = __le__ = __gt__ = __ge__ = __str__ = __format__ = __array__ = __ne__ = __contains__ = (
        refuse
    )

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """Answers with its class: libraries ask while they go through an object's attributes."""
        return self._plainly(Untold)

    def __eq__(self, other: object) -> bool:
        return bool(self._plainly(self is other))

    def __repr__(self) -> str:
        return str(self._plainly("untold"))

    def _plainly(self, answer: object) -> object:
        if owner_of_frame(sys._getframe(2)) == "user":
            self.refuse()
        return answer

    def __getattr__(self, name: str) -> NoReturn:
        self.refuse()


@contextmanager
def kept(
    holders: Iterable[tuple[object, str]], untold: Collection[Place] = ()
) -> Iterator[list[Place]]:
    """Restores containers and objects that are changed in a block, and lists the changes.

    Args:
        holders: the containers and objects, and how each is reached.
        untold: places that hold an `Untold` object in the block.

    Returns:
        The places that were changed, filled in at the end.
    """
    before = Contents()
    for holder, path in holders:
        before.record(holder, path)
    changed: list[Place] = []
    for place in untold:
        message = f"the result may depend on {place.path}, which each call changes"
        _names(place.holder)[place.key] = Untold(message)
    try:
        yield changed
    finally:
        changed += before.changes()
        before.put_back()


class Contents:
    """What containers and objects hold: says what has changed since, and puts it back."""

    def __init__(self) -> None:
        self._before: dict[int, tuple[object, str, _Content]] = {}

    def record(self, holder: object, path: str) -> None:
        """Records what a container or object holds, unless that has been recorded before."""
        if id(holder) not in self._before:
            self._before[id(holder)] = holder, path, _content(holder)

    def changes(self) -> list[Place]:
        """Lists the places that hold other objects than before."""
        return [
            place
            for holder, path, old in self._before.values()
            for place in _differences(holder, old, path)
        ]

    def put_back(self) -> None:
        """Puts back what has changed, where that is possible."""
        for holder, path, old in self._before.values():
            if any(_differences(holder, old, path)):
                _put_items(holder, old[0])
                _put_names(holder, old[1])


#: The items of a container, and what the attributes, slots and keys of an object hold.
_Content = tuple[list[object], dict[object, object]]
#: The type of the caches of `functools`.
CACHE = functools._lru_cache_wrapper
#: Largest number of entries of an array of which a copy is kept.
MOST_ENTRIES = 100000
#: Types of what `_items` makes itself.
_MADE = (bytes, int, str)
_EMPTY = CellType()


class _Slot(str):
    """The name of a slot of an object, which has no place in a dictionary."""

    __slots__ = ()


def _names(holder: object) -> dict[object, object]:
    """Returns the attributes or entries of an object or dict; an empty dict for others."""
    found = holder if isinstance(holder, dict) else getattr(holder, "__dict__", None)
    if isinstance(found, dict):
        return found
    return {}


def _content(holder: object) -> _Content:
    """Returns the content of a container or object, one level deep."""
    found = _names(holder)  # without methods that a subclass of dict overrides
    names = {key: dict.__getitem__(found, key) for key in dict.__iter__(found)}
    if hasattr(type(holder), "__slots__"):
        names |= {_Slot(name): item for name, item in slots_of(holder)}
    return _items(holder), names


def _items(holder: object) -> list[object]:
    """Returns what a container holds in no place with a name."""
    if isinstance(holder, (list, set, bytearray, collections.deque)):
        return list(holder)
    if isinstance(holder, CellType):
        return [holder.cell_contents] if holder != _EMPTY else []
    if isinstance(holder, type):
        return [item for pair in vars(holder).items() for item in pair]
    if isinstance(holder, ContextVar):
        return [holder.get(None)]
    if isinstance(holder, CACHE):
        return [holder.cache_info().currsize]
    if is_array(holder):
        return _bytes_of(holder)
    if isinstance(holder, Iterator) and not hasattr(holder, "__dict__"):
        frame = getattr(holder, "gi_frame", None)
        inner = [frame.f_lasti, *frame.f_locals.values()] if frame is not None else []
        return [repr(holder), length_hint(holder, 0), *inner]
    return []


def is_array(value: object) -> bool:
    """Checks whether a value is an array of NumPy or a tensor of torch."""
    torch = sys.modules.get("torch")
    return isinstance(value, np.ndarray) or (torch is not None and isinstance(value, torch.Tensor))


def _bytes_of(array: Any) -> list[object]:
    """Returns the entries of an array or tensor as bytes; of a large one, what shows a change."""
    torch = sys.modules.get("torch")
    if isinstance(array, np.ndarray):
        data = array.tobytes()
        return [data if array.size <= MOST_ENTRIES else crc32(data)]
    if torch is None or torch.nn.parameter.is_lazy(array) or array.device.type != "cpu":
        return []
    if array.numel() > MOST_ENTRIES:
        return [array._version]
    if type(array) not in (torch.Tensor, torch.nn.Parameter) or array.layout != torch.strided:
        return []
    flat = array.detach().contiguous().reshape(-1)
    return [flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""]


def _is_same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and isinstance(one, _MADE) and one == other)


def _differences(holder: object, old: _Content, path: str) -> Iterator[Place]:
    """Yields the places that hold other objects than before."""
    (before, old_names), (after, names) = old, _content(holder)
    if len(before) != len(after) or not all(map(_is_same, before, after)):
        yield Place(holder, None, path)
    for key in (*old_names, *(k for k in names if k not in old_names)):
        if key not in old_names or key not in names or old_names[key] is not names[key]:
            named = isinstance(key, str) and key.isidentifier() and not isinstance(holder, dict)
            inner = f"{path}.{key}" if named else f"{path}[{key!r}]"
            yield Place(holder, None if isinstance(key, _Slot) else key, inner)


def _put_items(holder: object, items: list[object]) -> None:
    """Puts back what a container held in no place with a name."""
    if isinstance(holder, list):
        holder[:] = items
    elif isinstance(holder, bytearray):
        holder[:] = bytes(item for item in items if isinstance(item, int))
    elif isinstance(holder, set):
        holder.clear()
        holder.update(items)
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
    elif items and isinstance(items[0], bytes):
        _put_bytes(holder, items[0])


def _put_bytes(array: Any, data: bytes) -> None:
    if isinstance(array, np.ndarray):
        array[...] = np.frombuffer(data, array.dtype).reshape(array.shape)
    elif data:
        torch = sys.modules["torch"]
        with torch.no_grad():
            array.copy_(torch.frombuffer(bytearray(data), dtype=array.dtype).reshape(array.shape))


def _put_attributes(cls: type, old: Mapping[str, object]) -> None:
    for name in [name for name in vars(cls) if name not in old]:
        delattr(cls, name)
    for name, item in old.items():
        if vars(cls).get(name) is not item:
            setattr(cls, name, item)


def _put_names(holder: object, old: Mapping[object, object]) -> None:
    """Puts back what attributes, slots and keys held."""
    plain = {key: item for key, item in old.items() if not isinstance(key, _Slot)}
    names = _names(holder)
    if plain or names:
        names.clear()
        names.update(plain)
    slots = {key: item for key, item in old.items() if isinstance(key, _Slot)}
    for name, _ in slots_of(holder) if hasattr(type(holder), "__slots__") else ():
        if name not in slots:
            object.__delattr__(holder, name)
    for key, item in slots.items():
        object.__setattr__(holder, key, item)
