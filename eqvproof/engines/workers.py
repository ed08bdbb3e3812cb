"""Work spread over an executor of `concurrent.futures`, its results taken in order.

What comes out does not depend on where the work was done: the results are those that doing one task
after another would give. An executor that cannot do the work (a function that cannot be sent to
another process, a cluster whose workers were killed and are not started again) is given up with a
remark, and the rest is done here.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from eqvproof.support.deadline import TimeIsUp
from eqvproof.support.errors import told
from eqvproof.support.writing import seconds

#: So many tasks are handed out before the first of their results is needed.
AHEAD = 32
#: A result may be waited for so many seconds after the deadline.
GRACE = 0.2
#: An executor from which nothing comes for so many seconds is given up: what it has may be lost.
PATIENCE = 60.0
_T = TypeVar("_T")
_R = TypeVar("_R")


@contextlib.contextmanager
def place_left_to_others() -> Iterator[None]:
    """Inside a task of Dask: others run in its place while it waits, such as those that it waits for."""
    states = [getattr(sys.modules.get(f"distributed.{name}"), "thread_state", None)
              for name in ("worker", "threadpoolexecutor")]  # fmt: skip
    if not (getattr(states[0], "key", None) and getattr(states[1], "proceed", False)):
        yield
        return
    distributed = sys.modules["distributed"]
    distributed.secede()
    try:
        yield
    finally:
        distributed.rejoin()


def is_client(executor: object) -> bool:
    """Whether an executor is a Dask client."""
    return callable(getattr(executor, "get_executor", None))


def hands_out(executor: Any) -> Any:
    """What takes calls, one after another; a client does each, and takes none for one that it did before."""
    return executor.get_executor(pure=False) if is_client(executor) else executor


class Workers:
    """An executor of `concurrent.futures`, a Dask client, or none.

    Attributes:
        note: why the executor was given up, or "".
    """

    def __init__(self, executor: Any = None) -> None:
        self._executor = hands_out(executor)
        self.note = ""

    @property
    def is_apart(self) -> bool:
        """Whether there is an executor that has not been given up."""
        return self._executor is not None

    def map(
        self,
        here: Callable[[_T], _R],
        apart: Callable[[_T], _R],
        tasks: Sequence[_T],
        deadline: float = float("inf"),
    ) -> Iterator[_R]:
        """The results of tasks, in their order; what is not asked for any more is cancelled.

        Args:
            here: does a task in this thread.
            apart: does the same in a worker; it and the tasks may be sent to another process.
            tasks: what to do.
            deadline: monotonic time after which no result is waited for.

        Raises:
            TimeIsUp: a worker is not ready at the deadline.
        """
        waiting: deque[tuple[_T, Any]] = deque()
        rest = iter(tasks)
        try:
            while True:
                while self._executor is not None and len(waiting) < AHEAD:
                    task = next(rest, None)
                    if task is None:
                        break
                    waiting.append((task, self._submit(apart, task)))
                if waiting:
                    task, future = waiting.popleft()
                    is_there = future is None or future.done()
                    with contextlib.nullcontext() if is_there else place_left_to_others():
                        result = self._result(
                            here, task, [future, *(f for _, f in waiting)], deadline
                        )
                    yield result
                    continue
                task = next(rest, None)
                if task is None:
                    return
                yield here(task)
        finally:
            for _, future in waiting:
                if future is not None:
                    future.cancel()

    def _submit(self, apart: Callable[[_T], _R], task: _T) -> Any:
        if self._executor is None:
            return None
        try:
            return self._executor.submit(apart, task)
        except Exception as error:
            self._give_up(error)
            return None

    def _result(
        self, here: Callable[[_T], _R], task: _T, futures: Sequence[Any], deadline: float
    ) -> _R:
        """The result of the first future, or what is done here in its place."""
        future, done, last = futures[0], 0, time.monotonic()
        while self._executor is not None and future is not None:
            try:
                result: _R = future.result(max(0.0, min(1.0, deadline + GRACE - time.monotonic())))
                return result
            except Exception as error:
                now, ready = time.monotonic(), sum(f is not None and f.done() for f in futures)
                if future.done() or not isinstance(error, TimeoutError):
                    self._give_up(error)
                elif now >= deadline:
                    future.cancel()
                    raise TimeIsUp from None
                elif ready > done:
                    done, last = ready, now
                elif now >= last + PATIENCE:
                    self._give_up(TimeoutError(f"no result for {seconds(PATIENCE)} seconds"))
        if future is not None:
            future.cancel()
        return here(task)

    def _give_up(self, error: Exception) -> None:
        self._executor = None
        what = told(error).splitlines()[0][:160]
        self.note = f"searched in this process, since the executor could not be used ({what})"
