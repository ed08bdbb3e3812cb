"""Keeps a pool of threads alive: starting a thread takes longer than a short sum."""

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
    """A pool of threads that work on one queue; it grows to the most threads ever requested."""

    def __init__(self) -> None:
        self.reset()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.reset)

    def reset(self) -> None:
        """Forgets all threads: a forked process does not have them."""
        self._jobs: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._count, self._lock = 0, threading.Lock()

    def call(self, job: Callable[[], object], count: int) -> None:
        """Lets up to ``count`` threads call ``job`` as soon as they are idle; it must not raise."""
        with self._lock, contextlib.suppress(RuntimeError):  # raised if no thread can start
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
    """Calls ``work`` with each item on several threads; returns the results in order.

    The calling thread is one of them. If ``work`` itself calls `in_threads`, that call uses its own
    thread only.

    Args:
        work: a function that mostly runs without Python's lock.
        items: its arguments.
        threads: largest number of threads at once.
        after: called in this thread with 1 whenever an item is done.

    Raises:
        Exception: the first that ``work`` raises; the remaining items are skipped then.
    """
    results: list[Any] = [None] * len(items)
    was_busy = getattr(_here, "is_busy", False)
    others = 0
    if not was_busy:
        others = min(threads, len(items)) - 1
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
        for _ in items:  # at each turn one more item is done, by this or another thread
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
