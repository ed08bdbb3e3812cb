"""Entries that are no numbers: `UNDEFINED` (1/0, log 0) and `UNDECIDED_ENTRY` (not known).

They absorb arithmetic, so that an array keeps its defined entries when one of them is not; they
raise when a truth value or a number is needed. Where both meet, the result is undefined whatever
the undecided one is, for every operation but a choice is strict. Compare with ``is``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eqvproof.numbers.protocol import Operand
from eqvproof.numbers.signals import Inexact, Undecided, Undefined, forget_signal


def _operation(x: Any, *others: Any) -> Any:
    return absorb(x, *others)


def _question(x: Any, *others: Any) -> Any:
    raise absorb(x, *others).signal()


class Absent(Operand):
    """An entry that is no number: the class of `UNDEFINED` and `UNDECIDED_ENTRY`."""

    __slots__ = ("_name", "_signal")

    def __init__(self, name: str, signal: type[Undefined] | type[Undecided]) -> None:
        self._name = name
        self._signal = signal

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        _operation
    )
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __pow__ = __rpow__ = _operation
    __neg__ = __pos__ = __abs__ = _operation
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _question
    __bool__ = __int__ = __round__ = __trunc__ = __floor__ = __ceil__ = _question
    __hash__ = object.__hash__

    def __float__(self) -> float:
        raise Inexact(f"an entry that is {self._name} was about to become a float")

    def __repr__(self) -> str:
        return self._name

    def __reduce__(self) -> str:
        return self._name

    def signal(self) -> Undefined | Undecided:
        """Returns the exception for this entry."""
        return self._signal(f"an entry is {self._name}")


UNDEFINED = Absent("UNDEFINED", Undefined)
UNDECIDED_ENTRY = Absent("UNDECIDED_ENTRY", Undecided)


def absorb(*args: Any) -> Absent:
    """Returns the value of a strict operation where at least one argument is absent."""
    if any(a is UNDEFINED for a in args):
        return UNDEFINED
    return UNDECIDED_ENTRY


def entrywise(function: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a function strict: an absent argument gives an absent value.

    `Undefined` and `Undecided` become absent entries.
    """

    def value(*args: Any) -> Any:
        for x in args:
            if type(x) is Absent:
                return absorb(*args)
        try:
            return function(*args)
        except (Undefined, Undecided) as signal:
            forget_signal(signal)
            if isinstance(signal, Undefined):
                return UNDEFINED
            return UNDECIDED_ENTRY

    return value
