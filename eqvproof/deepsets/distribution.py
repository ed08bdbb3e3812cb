"""Distributes work on parts of data: to this process, an executor's workers, or Dask."""

from __future__ import annotations

import contextlib
import functools
import importlib
import time
from collections.abc import Callable, Sequence
from typing import Any

from eqvproof.engines import workers
from eqvproof.engines.workers import Workers
from eqvproof.support.errors import BackendError
from eqvproof.support.optional import required
from eqvproof.support.writing import seconds

#: largest number of parts of an array
MOST_PARTS = 64


def cut(length: int, least: int, multiple: int = 1) -> list[tuple[int, int]]:
    """Splits an array into at most `MOST_PARTS` parts, given as (first, end).

    Each part but the last has at least ``least`` entries, and a multiple of ``multiple``.
    """
    size = -(-max(least, -(-length // MOST_PARTS)) // multiple) * multiple
    return [(a, min(a + size, length)) for a in range(0, length, size)] or [(0, 0)]


def map_parts(
    function: Callable[..., Any],
    parts: Sequence[tuple[Any, ...]],
    executor: Any = None,
    join: Callable[[Any, Any], Any] | None = None,
    shared: tuple[Any, ...] = (),
) -> list[Any]:
    """Calls ``function(*shared, *part)`` for every part; returns the results in order.

    If a part holds delayed values of Dask, it is processed where its values are. If a worker is
    lost, its parts are computed again, by another worker or here.

    Args:
        function: called with each part; it and the parts can be sent to other processes.
        parts: its last arguments.
        executor: an executor of `concurrent.futures`, or a Dask client; with None, Dask's default
            scheduler, or this thread.
        join: combines two results, without changing them; with it, the list has one result.
        shared: its first arguments, which are sent to a cluster once.

    Raises:
        BackendError: ``executor`` is not an executor, or the cluster is silent.
    """
    require_executor(executor)
    if any(hasattr(value, "__dask_graph__") for part in parts for value in part):
        dask = dask_module()
        found = [dask.delayed(function)(*shared, *part) for part in parts]
        while join is not None and len(found) > 1:
            pairs = zip(found[::2], found[1::2], strict=False)
            joined = [dask.delayed(join)(*pair) for pair in pairs]
            found = joined + found[2 * len(joined) :]
        return compute_values(found, executor)
    submitter = None
    if executor is not None:
        submitter = _SharedArguments(executor, shared)
    results = Workers(submitter).map(lambda part: function(*shared, *part), function, parts)
    if join is None:
        return list(results)
    return [functools.reduce(join, results)]


class _SharedArguments:
    """An executor of calls that share their first arguments."""

    def __init__(self, executor: Any, shared: tuple[Any, ...]) -> None:
        self._executor, self._shared = workers.hands_out(executor), shared
        if workers.is_client(executor):
            self._shared = tuple(executor.submit(_identity, v, pure=False) for v in shared)

    def submit(self, function: Callable[..., Any], part: tuple[Any, ...]) -> Any:
        """Submits one call; returns its future."""
        return self._executor.submit(function, *self._shared, *part)


def _identity(value: Any) -> Any:
    return value


def compute_values(values: Sequence[Any], executor: Any = None) -> list[Any]:
    """Computes values of Dask by the workers of an executor, or by Dask's default scheduler.

    Raises:
        BackendError: ``executor`` is not an executor, or no worker of the cluster has finished or
            run anything for `workers.PATIENCE` seconds.
    """
    require_executor(executor)
    dask, client = dask_module(), executor
    if client is None:
        client = getattr(dask.base.get_scheduler(), "__self__", None)
    if not workers.is_client(client) and executor is not None:
        return list(Workers(executor).map(_compute_in_one_thread, _compute_in_one_thread, values))
    if not workers.is_client(client):
        return list(dask.compute(*values, scheduler=executor))
    quiet = {"distributed.admin.large-graph-warning-threshold": "1TB"}
    with dask.config.set(quiet):  # large graphs are intended: they contain the arrays
        futures = client.compute(list(values))
    with workers.place_left_to_others():
        _wait_while_busy(client, futures)
        return list(client.gather(futures))


def _wait_while_busy(client: Any, futures: Sequence[Any]) -> None:
    """Waits for futures; raises an error if no worker makes progress."""
    done, last = 0, time.monotonic()
    while done < len(futures):
        with contextlib.suppress(TimeoutError):
            importlib.import_module("distributed").wait(futures, timeout=1.0)
        before, done, now = done, sum(f.done() for f in futures), time.monotonic()
        if done > before or any(client.processing().values()):
            last = now
        elif now >= last + workers.PATIENCE:
            client.cancel(futures)
            raise BackendError(
                "the workers of Dask are silent",
                given=f"no result, and no busy worker, for {seconds(workers.PATIENCE)} seconds",
                expected="a cluster that restarts workers",
                hint="start workers, such as by cluster.scale(2), or close the client",
            )


def _compute_in_one_thread(value: Any) -> Any:
    """Computes a value of Dask, and all that it depends on, in one thread."""
    return value.compute(scheduler="synchronous")


def dask_module() -> Any:
    """Imports Dask."""
    return required("dask", extra="dask", purpose="work on a cluster")


def require_executor(executor: Any) -> None:
    """Checks that an executor can be given work.

    Raises:
        BackendError: it has no `submit`.
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise BackendError(
            "executor= is not an executor",
            given=type(executor).__name__,
            expected="a Dask client, or an executor of concurrent.futures",
            hint="omit executor= to use this process",
        )
