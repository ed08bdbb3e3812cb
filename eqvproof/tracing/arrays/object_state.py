"""Detection and reversal of the changes that a call makes in the user's objects.

While a target is traced, it may store traced values, which no later call may see: containers and
objects are restored, and the changed places are listed. In a further run these places hold a
`StandIn`; if the result is still the same, it does not depend on them.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, MutableSequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

from eqvproof.support.errors import ErrorCode
from eqvproof.tracing.arrays.attribute_reads import (
    AttributeRead,
    can_be_watched,
    reads_recorded,
)
from eqvproof.tracing.arrays.context import current_context, make_error
from eqvproof.tracing.arrays.holder_content import Content, Slot, content_of, names_in
from eqvproof.tracing.observing.frames import owner_of_frame


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
        object.__setattr__(self, "message", message)

    def refuse(self, *_: object) -> NoReturn:
        """Refuses the trace."""
        message = object.__getattribute__(self, "message")
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
    __bool__ = __len__ = __iter__ = __next__ = __index__ = __int__ = __float__ = __complex__ = (
        refuse
    )
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __contains__ = __hash__ = refuse
    __str__ = __repr__ = __format__ = __bytes__ = __array__ = __fspath__ = __reversed__ = refuse
    __getitem__ = __setitem__ = __delitem__ = __setattr__ = __delattr__ = __dir__ = refuse
    __matmul__ = __rmatmul__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = refuse
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __divmod__ = __rdivmod__ = refuse
    __invert__ = __call__ = __enter__ = __exit__ = __await__ = __aiter__ = __anext__ = refuse
    __trunc__ = __floor__ = __ceil__ = __length_hint__ = __reduce__ = __reduce_ex__ = refuse

    def __getattribute__(self, name: str) -> object:
        frame = sys._getframe(1)
        while owner_of_frame(frame) != "user" and frame.f_code.co_name == "__instancecheck__":
            frame = frame.f_back or frame
        owner = owner_of_frame(frame)
        # layers of libraries ask for the class of what becomes their attribute
        is_stored = owner == "arrays" and frame.f_code.co_name == "__setattr__"
        if owner == "engine" or (is_stored and name == "__class__"):
            return object.__getattribute__(self, name)
        Untold.refuse(self)


class StandIn(Untold):
    """Stands for a value that earlier calls left."""


def refuse_stand_ins(frame: FrameType) -> None:
    """Refuses a function that starts with a stand-in among its arguments."""
    for value in frame.f_locals.values():
        if type(value) is StandIn:
            Untold.refuse(value)


def is_untold(value: object) -> bool:
    """Checks whether a value is not traced, without asking it."""
    return issubclass(type(value), Untold)


@contextmanager
def kept(
    holders: Iterable[tuple[object, str]], untold: Collection[Place] = (),
    reads: MutableSequence[AttributeRead] | None = None,
) -> Iterator[list[Place]]:  # fmt: skip
    """Restores containers and objects that are changed in a block, and lists the changes.

    Args:
        holders: the containers and objects, and how each is reached.
        untold: places that hold a `StandIn` in the block.
        reads: where reads of such objects are recorded, of places that `is_watched`.

    Returns:
        The places that were changed, filled in at the end.
    """
    before = Contents()
    for holder, path in holders:
        before.record(holder, path)
    changed: list[Place] = []
    for place in untold:
        message = f"the result may depend on {place.path}, which each call changes"
        names_in(place.holder)[place.key] = StandIn(message)
    watched = [(p.holder, str(p.key)) for p in untold if is_watched(p)]
    try:
        with reads_recorded(watched, StandIn, [] if reads is None else reads):
            yield changed
    finally:
        changed += before.changes()
        before.put_back()


def is_watched(place: Place) -> bool:
    """Checks whether reads of a place are recorded while it holds an `Untold` object."""
    return can_be_watched(place.holder, place.key)


class Contents:
    """Keeps what containers and objects hold: says what has changed since, and puts it back."""

    def __init__(self) -> None:
        self._before: dict[int, tuple[object, str, Content]] = {}
        self._of_objects: dict[int, object] = {}  # dictionaries of attributes, by identity

    def record(self, holder: object, path: str) -> None:
        """Records what a container or object holds, unless that has been recorded before."""
        if id(holder) not in self._before:
            self._before[id(holder)] = holder, path, content_of(holder)
            if not isinstance(holder, dict):
                names = names_in(holder)
                self._of_objects[id(names)] = names

    def changes(self) -> list[Place]:
        """Lists the places that hold other objects than before, those of attributes once."""
        return [
            place
            for holder, path, old in self._before.values()
            if id(holder) not in self._of_objects
            for place in _differences(holder, old, path)
        ]

    def put_back(self) -> None:
        """Puts back what has changed, where that is possible."""
        for holder, path, old in self._before.values():
            if any(_differences(holder, old, path)):
                from eqvproof.tracing.arrays.put_back import put_items, put_names

                put_items(holder, old[0])
                put_names(holder, old[1])


#: Types of what `content_of` makes itself.
_MADE = (bytes, int, str)


def _is_same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and isinstance(one, _MADE) and one == other)


def _differences(holder: object, old: Content, path: str) -> Iterator[Place]:
    """Yields the places that hold other objects than before."""
    (before, old_names), (after, names) = old, content_of(holder)
    if len(before) != len(after) or not all(map(_is_same, before, after)):
        yield Place(holder, None, path)
    for key in (*old_names, *(k for k in names if k not in old_names)):
        if key not in old_names or key not in names or old_names[key] is not names[key]:
            named = isinstance(key, str) and key.isidentifier() and not isinstance(holder, dict)
            inner = f"{path}.{key}" if named else f"{path}[{key!r}]"
            yield Place(holder, None if isinstance(key, Slot) else key, inner)
