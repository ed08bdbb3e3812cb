"""Time limits: work that was given until some moment ends there, wherever it is.

with until(time.monotonic() + 2.0):
    ...  # raises TimeIsUp soon after two seconds
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

#: A call may end so many seconds after the limit.
SLACK = 0.1


class TimeIsUp(BaseException):
    """The limit has passed. No Exception, so that no code on the way takes it for one of the target's."""


@dataclass(frozen=True, slots=True)
class _Limit:
    at: float = float("inf")
    last: list[float] = field(default_factory=lambda: [0.0])


_limit: ContextVar[_Limit | None] = ContextVar("eqvproof_deadline", default=None)


@contextmanager
def until(at: float) -> Iterator[None]:
    """Work that ends at a moment of time.monotonic(), or at that of an outer limit, whichever comes first."""
    outer = _limit.get()
    inner = _Limit(at) if outer is None else _Limit(min(at, outer.at), outer.last)
    token = _limit.set(inner)
    try:
        yield
    finally:
        _limit.reset(token)


@contextmanager
def overtime() -> Iterator[None]:
    """Short work without a limit: what was found in time is written down."""
    token = _limit.set(None)
    try:
        yield
    finally:
        _limit.reset(token)


def require_time() -> None:
    """Go on, if there is time.

    Raises:
        TimeIsUp: there is none.
    """
    limit = _limit.get()
    if limit is not None and time.monotonic() > limit.at:
        raise TimeIsUp


@contextmanager
def one_call() -> Iterator[None]:
    """A call that cannot be interrupted; it is not begun where one as long as the last would end too late.

    Raises:
        TimeIsUp: it would.
    """
    limit = _limit.get()
    if limit is None:
        yield
        return
    start = time.monotonic()
    if start > limit.at or start + limit.last[0] > limit.at + SLACK:
        raise TimeIsUp
    try:
        yield
    finally:
        limit.last[0] = time.monotonic() - start
