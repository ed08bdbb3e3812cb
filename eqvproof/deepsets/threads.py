"""Work on several threads that are kept: to start one takes as long as to read megabytes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_kept: list[ThreadPoolExecutor] = []
_making = threading.Lock()
_here = threading.local()


def in_threads(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    threads: int,
    after: Callable[[int], None] = lambda count: None,
) -> list[Result]:
    """``work`` of each item, in the order of the items, on at most so many threads; this one is among them.

    Whoever is free takes the next item. Work that itself asks for threads gets none.

    Args:
        work: what releases Python's lock for the most part.
        items: what it is called with.
        threads: at most so many at once.
        after: called here, between items, with how many have been done since the last call.

    Raises:
        whatever ``work`` raises first; items that have not begun are left out then.
    """
    team = _Team(work, items)
    helpers = [] if getattr(_here, "busy", False) else list(range(min(threads, len(items)) - 1))
    started = [_executor(len(helpers)).submit(team.run) for _ in helpers]
    told = 0
    try:
        while team.step():
            told, done = team.done, team.done - told
            after(done)
    finally:
        team.stop()
        wait([f for f in started if not f.cancel()])
    if team.done > told:
        after(team.done - told)
    if team.error is not None:
        raise team.error
    return team.results


class _Team:
    """Items that several threads work on."""

    def __init__(self, work: Callable[[Any], Any], items: Sequence[Any]) -> None:
        self._work, self._items, self._next, self._lock = work, items, 0, threading.Lock()
        self.results: list[Any] = [None] * len(items)
        self.done, self.error = 0, None  # type: int, BaseException | None

    def step(self) -> bool:
        """The next item; whether there was one."""
        with self._lock:
            place, self._next = self._next, self._next + 1
        if place >= len(self._items):
            return False
        before, _here.busy = getattr(_here, "busy", False), True
        try:
            self.results[place] = self._work(self._items[place])
        except BaseException as error:
            self.stop()
            with self._lock:
                self.error = self.error or error
        finally:
            _here.busy = before
        with self._lock:
            self.done += 1
        return True

    def run(self) -> None:
        """All items that are left, on another thread."""
        while self.step():
            pass

    def stop(self) -> None:
        """No further items."""
        with self._lock:
            self._next = len(self._items)


def _executor(threads: int) -> ThreadPoolExecutor:
    """The threads that are kept, more of them where more are asked for."""
    with _making:
        if not _kept or _kept[0]._max_workers < threads:
            size = max(threads, os.cpu_count() or 1)
            _kept[:] = [ThreadPoolExecutor(size, thread_name_prefix="eqvproof-deepsets")]
        return _kept[0]


def _forget() -> None:
    """In a process that was forked: the threads did not come along."""
    global _making
    _kept.clear()
    _making = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
