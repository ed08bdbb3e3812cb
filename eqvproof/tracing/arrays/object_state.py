"""Detection and reversal of the changes that a call makes in the user's objects.

While a target is traced, it may store traced values, which no later call may see: containers and
objects are restored, and the changed places are listed. In a further run these places hold a
`StandIn`; if the result is still the same, it does not depend on them.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import NoReturn

import numpy as np

from eqvproof.support.errors import ErrorCode
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays.context import current_context, make_error
from eqvproof.tracing.arrays.holder_content import Content, Slot, content_of, names_in
from eqvproof.tracing.observing.frames import owner_of_frame

_reads = LaterModule("eqvproof.tracing.arrays.attribute_reads")


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
        is_number: False refuses arithmetic, too.
    """

    __array_ufunc__ = None

    def __init__(self, message: str, *, is_number: bool = True) -> None:
        object.__setattr__(self, "message", message)
        object.__setattr__(self, "is_number", is_number)

    def refuse(self, *_: object) -> NoReturn:
        """Refuses the trace."""
        message = object.__getattribute__(self, "message")
        context = current_context()
        if context is not None and context.active:
            context.refuse(message, code=ErrorCode.TRACE_STATE)
        raise make_error(message, "", code=ErrorCode.TRACE_STATE)

    def _joined(self, *others: object) -> Untold:
        is_number = object.__getattribute__(self, "is_number")
        if not (is_number and all(map(_is_of_numbers, others))):
            Untold.refuse(self)
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
    """Stands for a value that earlier calls left.

    Args:
        place: where it was left.
        value: what was left there.
    """

    def __init__(self, place: Place, value: object) -> None:
        message = f"the result may depend on {place.path}, which each call changes"
        super().__init__(message, is_number=_is_of_numbers(value))
        object.__setattr__(self, "place", place)


#: Libraries of arrays whose operators call no code of the user's.
_OF_ARRAYS = frozenset("numpy torch jax jaxlib eqvproof".split())


def _is_of_numbers(value: object) -> bool:
    """Checks whether operators on a value compute with numbers, and do nothing else."""
    kind = type(value)
    if kind in (int, float, complex, bool):
        return True
    if kind.__module__.partition(".")[0] not in _OF_ARRAYS:
        return False
    return not (isinstance(value, np.ndarray) and value.dtype == object)


def refuse_stand_ins(frame: FrameType) -> None:
    """Refuses a function that starts with a stand-in among its arguments."""
    for value in frame.f_locals.values():
        if type(value) is StandIn:
            Untold.refuse(value)


def is_untold(value: object) -> bool:
    """Checks whether a value is not traced, without asking it."""
    return issubclass(type(value), Untold)


@dataclass(frozen=True, slots=True)
class UsesOfState:
    """Records what calls do with stand-ins.

    Attributes:
        reads: code, and the offsets of its instructions, that read attributes, by their names.
        moved: places that hold the stand-in of another place at the end.
    """

    reads: list[tuple[str, CodeType, int]] = field(default_factory=list)
    moved: list[Place] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Block:
    """Holds what a block of `kept` restores, and records what calls do there."""

    before: Contents
    changed: list[Place]
    untold: Collection[Place]
    uses: UsesOfState

    def record(self, before: Contents) -> None:
        """Records what has changed since, and which stand-ins have moved."""
        self.changed.extend(before.changes())
        self.uses.moved.extend(place for place in self.untold if _is_moved(place))


class _Running(threading.local):
    blocks: tuple[_Block, ...] = ()


_running = _Running()


@contextmanager
def kept(
    holders: Iterable[tuple[object, str]], untold: Collection[Place] = (),
    uses: UsesOfState | None = None,
) -> Iterator[list[Place]]:  # fmt: skip
    """Restores containers and objects that are changed in a block, and lists the changes.

    Args:
        holders: the containers and objects, and how each is reached.
        untold: places that hold a `StandIn` in the block.
        uses: where it is recorded what the block does with these.

    Returns:
        The places that were changed, filled in at the end.
    """
    before = Contents()
    for holder, path in holders:
        before.record(holder, path)
    block = _Block(before, [], untold, uses or UsesOfState())
    for place in untold:
        names = names_in(place.holder)
        names[place.key] = StandIn(place, names.get(place.key))
    watched = nullcontext()
    if untold:
        attributes = [(p.holder, str(p.key)) for p in untold if is_watched(p)]
        watched = _reads.reads_recorded(attributes, StandIn, block.uses.reads)
    outer, _running.blocks = _running.blocks, (*_running.blocks, block)
    try:
        with watched:
            yield block.changed
    finally:
        _running.blocks = outer
        block.record(before)
        before.put_back()


def _is_moved(place: Place) -> bool:
    """Checks whether a place holds the stand-in of another one."""
    value = names_in(place.holder).get(place.key)
    return type(value) is StandIn and object.__getattribute__(value, "place") is not place


@contextmanager
def paths_kept_apart() -> Iterator[Callable[[], None]]:
    """Yields a function that puts back, between paths through a target, what a path changed.

    One path may change what another one changes back. All changes are listed by `kept`.
    """
    found = [(block, block.before.now()) for block in _running.blocks]

    def start_anew() -> None:
        for block, now in found:
            block.record(now)
            now.put_back()

    yield start_anew


def is_watched(place: Place) -> bool:
    """Checks whether reads of a place are recorded while it holds a `StandIn`."""
    return bool(_reads.can_be_watched(place.holder, place.key))


class Contents:
    """Keeps what containers and objects hold: says what has changed since, and puts it back."""

    def __init__(self) -> None:
        self._before: dict[int, tuple[object, str, Content]] = {}
        self._of_objects: dict[int, object] = {}  # dictionaries of attributes, by identity

    def now(self) -> Contents:
        """Returns what the same containers and objects hold now."""
        found = Contents()
        for holder, path, _ in self._before.values():
            found.record(holder, path)
        return found

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
