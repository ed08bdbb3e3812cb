"""What exact computation says when it cannot give a number: `Undefined`, `Undecided`, `Inexact`.

A target that runs on exact numbers may swallow exceptions (``try: ... except Exception: return
0``); what it returns then is not its value over the reals. `recording` notes every signal that was
raised, so that whoever ran the target can see that the result does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from eqvproof.support.errors import EqvproofError
from eqvproof.support.meanwhile import meanwhile

_raised: ContextVar[list[BaseException] | None] = ContextVar("eqvproof_exact_signals", default=None)


class ExactSignal(EqvproofError):
    """Base of the three signals; each one made is noted by the innermost `recording`."""

    default_code = "exact"

    def __init__(self, message: str, **parts: str) -> None:
        super().__init__(message, **parts)
        note_signal(self)


class Undefined(ExactSignal, ArithmeticError):
    """No real number is the answer: 1/0, log 0, sqrt(-1), NaN, an infinity where a number is needed."""

    default_code = "exact.undefined"


class Undecided(ExactSignal, ArithmeticError):
    """The enclosures overlap at this precision, so a comparison, an int() or a bool() has no answer."""

    default_code = "exact.undecided"


class Inexact(ExactSignal, TypeError):
    """An exact number was about to become a float (``float(x)``, assignment into a float array, ...)."""

    default_code = "exact.inexact"


def note_signal(signal: BaseException) -> None:
    """Tell the innermost `recording`, if there is one, that exact computation gave up somewhere."""
    record = _raised.get()
    if record is not None:
        record.append(signal)


def forget_signal(signal: BaseException) -> None:
    """Take back a signal that became an absent entry: there it is kept by other means."""
    record = _raised.get()
    if record is not None:
        record[:] = [s for s in record if s is not signal]


@contextmanager
def recording() -> Iterator[list[BaseException]]:
    """The signals made while the block runs, swallowed ones included.

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
    with meanwhile(_raised, record):
        yield record
