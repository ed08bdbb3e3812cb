"""Reads the tables of sets: the order of a set, and what decides its order later.

Two sets of the same elements may be gone through in different orders, and `pop` takes the element
after the one that it took last. Both follow from the table in which CPython keeps the elements, and
from three numbers beside it, which no method of sets tells.
"""

from __future__ import annotations

import ctypes

#: A set in memory: fill, used, mask, table, hash and finger behind the head of the object; then
#: eight places (key, hash), and the list of weak references.
_WORD = ctypes.sizeof(ctypes.c_ssize_t)
_PLACE = 2 * _WORD
_FILL, _MASK, _TABLE, _FINGER = (object.__basicsize__ + k * _WORD for k in (0, 2, 3, 5))
_IS_KNOWN = set.__basicsize__ == object.__basicsize__ + 6 * _WORD + 8 * _PLACE + _WORD


def table_of(held: set[object] | frozenset[object]) -> object:
    """Returns the state of a set, equal to that of the same set if no order has changed.

    The elements are told apart by their identity; they must be kept alive for the comparison.
    """
    if not _IS_KNOWN:
        return object()  # which equals nothing
    fill, mask, table, finger = (
        ctypes.c_ssize_t.from_address(id(held) + place).value
        for place in (_FILL, _MASK, _TABLE, _FINGER)
    )
    if isinstance(held, frozenset):  # whose elements stay, and are taken in its order
        return b"%d %d" % (fill, mask)
    return b"%d %d %d " % (fill, mask, finger) + ctypes.string_at(table, (mask + 1) * _PLACE)
