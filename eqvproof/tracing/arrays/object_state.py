"""Detection and reversal of the changes that a call makes in the user's objects.

While a target is traced, it may store traced values, which no later call may see: containers and
objects are restored, and the changed places are listed. In a further run these places hold an
`Untold` object; if the result is still the same, it does not depend on them.
"""

from __future__ import annotations

import collections
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from eqvproof.support.errors import ErrorCode
from eqvproof.tracing.arrays.context import current_context, make_error
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
    before = [(holder, path, _content(holder)) for holder, path in holders]
    changed: list[Place] = []
    for place in untold:
        message = f"the result may depend on {place.path}, which each call changes"
        _names(place.holder)[place.key] = Untold(message)
    try:
        yield changed
    finally:
        for holder, path, old in before:
            found = list(_differences(holder, old, path))
            changed += found
            if found:
                _put(holder, old)


def _names(holder: object) -> dict[object, object]:
    """Returns the attributes or entries of an object or dict; an empty dict for others."""
    found = holder if isinstance(holder, dict) else getattr(holder, "__dict__", None)
    if isinstance(found, dict):
        return found
    return {}


def _content(holder: object) -> list[object] | dict[object, object]:
    """Returns the content of a container or object, one level deep."""
    if isinstance(holder, (list, set, collections.deque)):
        return list(holder)
    found = _names(holder)  # without methods that a subclass of dict overrides
    return {key: dict.__getitem__(found, key) for key in dict.__iter__(found)}


def _differences(
    holder: object, old: list[object] | dict[object, object], path: str
) -> Iterator[Place]:
    """Yields the places that hold other objects than before."""
    new = _content(holder)
    if isinstance(old, list) or isinstance(new, list):
        if len(old) != len(new) or any(a is not b for a, b in zip(old, new, strict=True)):
            yield Place(holder, None, path)
        return
    for key in (*old, *(k for k in new if k not in old)):
        if key not in old or key not in new or old[key] is not new[key]:
            named = isinstance(key, str) and key.isidentifier() and not isinstance(holder, dict)
            yield Place(holder, key, f"{path}.{key}" if named else f"{path}[{key!r}]")


def _put(holder: object, old: list[object] | dict[object, object]) -> None:
    if isinstance(holder, list):
        holder[:] = old
    elif isinstance(holder, set):
        holder.clear()
        holder.update(old)
    elif isinstance(holder, collections.deque):
        holder.clear()
        holder.extend(old)
    elif isinstance(old, dict):
        _names(holder).clear()
        _names(holder).update(old)
