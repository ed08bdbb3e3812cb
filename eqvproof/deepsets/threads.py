"""Work on several threads, which wait for more when it is done: to start one takes longer than short sums."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_here = threading.local()


class _Helpers:
    """Threads that do what is put into one queue; as many as were ever asked for at once."""

    def __init__(self) -> None:
        self.start_again()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.start_again)

    def start_again(self) -> None:
        """No threads, as in a process that has been forked."""
        self._jobs: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._count, self._lock = 0, threading.Lock()

    def call(self, job: Callable[[], object], count: int) -> None:
        """So many threads, or as many as there can be, call this when they have time; it must not raise."""
        with self._lock, contextlib.suppress(RuntimeError):  # where no thread starts
            while self._count < count:
                threading.Thread(target=self._work, name="eqvproof", daemon=True).start()
                self._count += 1
        for _ in range(min(count, self._count)):
            self._jobs.put(job)

    def _work(self) -> None:
        _here.is_busy = True
        while True:
            self._jobs.get()()


_helpers = _Helpers()


def in_threads(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    threads: int,
    after: Callable[[int], object] = lambda count: None,
) -> list[Result]:
    """``work`` of each item, in the order of the items, on at most so many threads at once, this included.

    Work that itself asks for threads gets none.

    Args:
        work: what releases Python's lock for the most part.
        items: what it is called with.
        threads: at most so many at once.
        after: called here with 1, whenever an item has been done.

    Raises:
        whatever ``work`` raises first; items that have not begun are left out then.
    """
    results: list[Any] = [None] * len(items)
    was_busy = getattr(_here, "is_busy", False)
    others = 0 if was_busy else min(threads, len(items)) - 1
    rest, errors, done = deque(range(len(items))), list[BaseException](), SimpleQueue[None]()

    def take() -> None:
        try:
            k = rest.popleft()
        except IndexError:  # another thread has taken the last
            return
        try:
            if not errors:
                results[k] = work(items[k])
        except BaseException as error:
            errors.append(error)
        done.put(None)

    def take_all() -> None:
        while rest:
            take()

    if others > 0:
        _helpers.call(take_all, others)
        _here.is_busy = True
    try:
        for _ in items:  # at each turn one more has been done, here or there
            if done.empty():
                take()
            done.get()
            after(1)
    except BaseException as error:
        errors.append(error)
        raise
    finally:
        _here.is_busy = was_busy
    if errors:
        raise errors[0]
    return results
