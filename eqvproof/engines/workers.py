"""Work distributed over an executor of `concurrent.futures`, with results in order.

The results do not depend on where the work was done: they equal those of one task after another. An
executor that cannot do the work (a function that cannot be sent to another process, a cluster whose
workers were killed and are not started again) is abandoned with a note, and the rest is done here.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from eqvproof.support.deadline import TimeIsUp
from eqvproof.support.errors import error_text
from eqvproof.support.writing import seconds

#: Largest number of tasks submitted before the first of their results is needed.
AHEAD = 32
#: Seconds after the deadline for which a result is awaited.
GRACE = 0.2
#: An executor silent for this many seconds is abandoned: its tasks may be lost.
PATIENCE = 60.0
_T = TypeVar("_T")
_R = TypeVar("_R")


@contextlib.contextmanager
def place_left_to_others() -> Iterator[None]:
    """Frees the place of a Dask task for other tasks while it waits.

    The other tasks may be those for which it waits.
    """
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
    """Checks whether an executor is a Dask client."""
    return callable(getattr(executor, "get_executor", None))


def hands_out(executor: Any) -> Any:
    """Returns an executor that runs every submitted call.

    A Dask client's own `submit` would return the result of an equal earlier call.
    """
    if is_client(executor):
        return executor.get_executor(pure=False)
    return executor


class Workers:
    """An executor of `concurrent.futures`, a Dask client, or none.

    Attributes:
        note: the reason why the executor was abandoned, or "".
    """

    def __init__(self, executor: Any = None) -> None:
        self._executor = hands_out(executor)
        self.note = ""

    @property
    def is_apart(self) -> bool:
        """Checks whether there is an executor that has not been abandoned."""
        return self._executor is not None

    def map(
        self,
        here: Callable[[_T], _R],
        apart: Callable[[_T], _R],
        tasks: Sequence[_T],
        deadline: float = float("inf"),
    ) -> Iterator[_R]:
        """Yields the results of tasks, in their order; cancels those that are not needed any more.

        Args:
            here: does a task in this thread.
            apart: does the same in a worker; it and the tasks may be sent to another process.
            tasks: the arguments of both.
            deadline: monotonic time after which no result is awaited.

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
        """Returns the result of the first future, or does the task here in its place."""
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
        what = error_text(error).splitlines()[0][:160]
        self.note = f"searched in this process, since the executor could not be used ({what})"
