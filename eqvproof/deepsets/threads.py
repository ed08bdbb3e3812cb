"""Work on several threads."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

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
    results: list[Any] = [None] * len(items)
    waiting, finished = deque(range(len(items))), deque[int]()
    errors = deque[BaseException]()
    before = getattr(_here, "busy", False)

    def run() -> Iterator[None]:
        _here.busy = True
        while waiting:
            try:
                place = waiting.popleft()
            except IndexError:  # another thread took the last
                return
            try:
                results[place] = work(items[place])
            except BaseException as error:
                waiting.clear()
                errors.append(error)
            finished.append(place)
            yield

    helpers = [
        threading.Thread(target=deque, args=(run(), 0), daemon=True)
        for _ in range(0 if before else min(threads, len(items)) - 1)
    ]
    for helper in helpers:
        helper.start()
    told = 0
    try:
        for _ in run():
            told, done = len(finished), len(finished) - told
            after(done)
    finally:
        _here.busy = before
        waiting.clear()
        for helper in helpers:
            helper.join()
    if len(finished) > told:
        after(len(finished) - told)
    if errors:
        raise errors[0]
    return results
