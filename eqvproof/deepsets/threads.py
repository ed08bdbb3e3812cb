"""Work on several threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_here = threading.local()


def in_threads(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    threads: int,
    after: Callable[[int], object] = lambda count: None,
) -> list[Result]:
    """``work`` of each item, in the order of the items, on at most so many threads at once.

    Work that itself asks for threads gets none.

    Args:
        work: what releases Python's lock for the most part.
        items: what it is called with.
        threads: at most so many at once.
        after: called here with 1, whenever an item has been done.

    Raises:
        whatever ``work`` raises first; items that have not begun are left out then.
    """
    if threads == 1 or len(items) < 2 or getattr(_here, "is_busy", False):
        results = []
        for item in items:
            results.append(work(item))
            after(1)
        return results
    over = threading.Event()

    def one(item: Item) -> Any:
        _here.is_busy = True
        try:
            return None if over.is_set() else work(item)
        except BaseException:
            over.set()
            raise

    with ThreadPoolExecutor(min(threads, len(items))) as pool:
        futures = [pool.submit(one, item) for item in items]
        try:
            for done in as_completed(futures):
                done.result()
                after(1)
        finally:
            over.set()
    return [future.result() for future in futures]
