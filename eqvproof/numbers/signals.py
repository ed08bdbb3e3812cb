"""Signals of exact computation that there is no number: `Undefined`, `Undecided`, `Inexact`.

A function that runs on exact numbers may swallow exceptions (``try: ... except Exception: return
0``); what it returns then is not its value over the reals. `recording` notes every signal that was
raised, so that the caller can see that the result does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from eqvproof.support.context_values import held_during
from eqvproof.support.errors import EqvproofError

_raised: ContextVar[list[BaseException] | None] = ContextVar("eqvproof_exact_signals", default=None)


class ExactSignal(EqvproofError):
    """Base of the three signals; each signal is recorded by the innermost `recording`."""

    default_code = "exact"

    def __init__(self, message: str, **parts: str) -> None:
        super().__init__(message, **parts)
        note_signal(self)


class Undefined(ExactSignal, ArithmeticError):
    """A result that is no real number: 1/0, log 0, sqrt(-1), NaN, an infinity."""

    default_code = "exact.undefined"


class Undecided(ExactSignal, ArithmeticError):
    """A question that overlapping enclosures leave open: a comparison, an int() or a bool()."""

    default_code = "exact.undecided"


class Inexact(ExactSignal, TypeError):
    """An exact number that would become a float (by ``float(x)``, in a float array, ...)."""

    default_code = "exact.inexact"


def note_signal(signal: BaseException) -> None:
    """Records a signal in the innermost `recording`, if there is one."""
    record = _raised.get()
    if record is not None:
        record.append(signal)


def forget_signal(signal: BaseException) -> None:
    """Removes the record of a signal that became an absent entry, which stands for it."""
    record = _raised.get()
    if record is not None:
        record[:] = [s for s in record if s is not signal]


@contextmanager
def recording() -> Iterator[list[BaseException]]:
    """Records the signals raised inside the block, including swallowed ones.

    Example:
        >>> with recording() as signals:
        ...     try:
        ...         raise Undefined("log 0")
        ...     except ArithmeticError:
        ...         pass
        >>> [str(s) for s in signals]
        ['log 0']
    """
    record: list[BaseException] = []
    with held_during(_raised, record):
        yield record
