"""Records of the reads of attributes that hold stand-ins.

While a target is traced, its classes hold descriptors under the names of these attributes: whatever
asks an object for one of them, by name or by a function such as `getattr`, asks the descriptor.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, MutableSequence
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Protocol, cast

from eqvproof.tracing.arrays.holder_content import attributes_of, names_in

_ABSENT = object()
#: Flags of classes: those made at run time, and those to which no attribute may be set.
_MADE_AT_RUN_TIME, _IMMUTABLE = 1 << 9, 1 << 8


#: The name of an attribute, the code that reads it, and the offset of its instruction.
AttributeRead = tuple[str, CodeType, int]


class Watch:
    """Stands for an attribute of the objects of a class, and records reads of stand-ins.

    Args:
        name: the attribute.
        stand_in: the class of stand-ins.
        reads: where reads are recorded.
        original: what the class itself held.
    """

    def __init__(
        self, name: str, stand_in: type, reads: MutableSequence[AttributeRead], original: object
    ) -> None:
        self.name = name
        self.stand_in = stand_in
        self.reads = reads
        self.original = original

    def __get__(self, owner: object, kind: type) -> object:
        names = names_in(owner)
        if self.name in names:
            value = names[self.name]
            if type(value) is self.stand_in:
                frame = sys._getframe(1)
                self.reads.append((self.name, frame.f_code, frame.f_lasti))
            return value
        value = _of_classes(kind, self.name)
        if value is _ABSENT:
            raise AttributeError(f"{kind.__name__!r} object has no attribute {self.name!r}")
        if hasattr(type(value), "__get__"):
            return cast("_Descriptor", value).__get__(owner, kind)
        return value

    def __set__(self, owner: object, value: object) -> None:
        names_in(owner)[self.name] = value

    def __delete__(self, owner: object) -> None:
        if self.name not in names_in(owner):
            raise AttributeError(self.name)
        del names_in(owner)[self.name]


class _Descriptor(Protocol):
    def __get__(self, owner: object, kind: type) -> object: ...


def _of_classes(kind: type, name: str) -> object:
    """Returns what the first of an object's classes holds under a name, without watches."""
    for cls in kind.__mro__:
        value = vars(cls).get(name, _ABSENT)
        if type(value) is Watch:
            value = value.original
        if value is not _ABSENT:
            return value
    return _ABSENT


def can_be_watched(holder: object, key: object) -> bool:
    """Checks whether reads of an attribute of an object can be recorded.

    Its class must be written in Python, and must not compute the attribute.
    """
    kind = type(holder)
    if not isinstance(key, str) or isinstance(holder, (dict, type, FunctionType, ModuleType)):
        return False
    if kind.__flags__ & (_MADE_AT_RUN_TIME | _IMMUTABLE) != _MADE_AT_RUN_TIME:
        return False
    return isinstance(attributes_of(holder), dict) and not hasattr(
        type(_of_classes(kind, key)), "__set__"
    )


@contextmanager
def reads_recorded(
    attributes: Collection[tuple[object, str]], stand_in: type,
    reads: MutableSequence[AttributeRead],
) -> Iterator[None]:  # fmt: skip
    """Records the reads of stand-ins in attributes of objects within a block.

    Args:
        attributes: objects and names of attributes for which `can_be_watched` holds.
        stand_in: the class of stand-ins.
        reads: where reads are recorded.
    """
    watched: dict[tuple[type, str], object] = {}
    try:
        for holder, name in attributes:
            kind = type(holder)
            if (kind, name) not in watched:
                original = vars(kind).get(name, _ABSENT)
                type.__setattr__(kind, name, Watch(name, stand_in, reads, original))
                watched[kind, name] = original
        yield
    finally:
        for (kind, name), original in watched.items():
            if original is _ABSENT:
                type.__delattr__(kind, name)
            else:
                type.__setattr__(kind, name, original)
