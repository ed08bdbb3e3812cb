"""Work on parts of data, where the parts lie: here, with the workers of an executor, in chunks of Dask."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

from eqvproof.engines.workers import Workers
from eqvproof.errors import BackendError

#: an array is cut into at most so many parts
MOST_PARTS = 64


def cut(length: int, least: int, multiple: int = 1) -> list[tuple[int, int]]:
    """(first, end) of at most `MOST_PARTS` parts of an array, of so many entries at least, a multiple."""
    size = -(-max(least, -(-length // MOST_PARTS)) // multiple) * multiple
    return [(a, min(a + size, length)) for a in range(0, length, size)] or [(0, 0)]


def each(
    function: Callable[..., Any],
    parts: Sequence[tuple[Any, ...]],
    executor: Any = None,
    join: Callable[[Any, Any], Any] | None = None,
) -> list[Any]:
    """``function(*part)`` of every part, in their order.

    Where parts hold delayed values of Dask, each is worked on where its values are. A part that is lost with
    its worker is done again, by another worker or here.

    Args:
        function: called with each part; it and the parts can be sent to other processes.
        parts: its arguments.
        executor: of `concurrent.futures`, or a Dask client; None: what Dask chooses, or this thread.
        join: makes one result of two, which it leaves as they are; then the list has one result.

    Raises:
        BackendError: what is given is no executor.
    """
    require_executor(executor)
    if any(hasattr(value, "__dask_graph__") for part in parts for value in part):
        dask = dask_module()
        found = [dask.delayed(function)(*part) for part in parts]
        while join is not None and len(found) > 1:
            pairs = [found[k : k + 2] for k in range(0, len(found), 2)]
            found = [pair[0] if len(pair) == 1 else dask.delayed(join)(*pair) for pair in pairs]
        return computed(found, executor)
    call = functools.partial(_called, function)
    results = Workers(executor).map(call, call, parts)
    return list(results) if join is None else [functools.reduce(join, results)]


def _called(function: Callable[..., Any], part: tuple[Any, ...]) -> Any:
    return function(*part)


def computed(values: Sequence[Any], executor: Any = None) -> list[Any]:
    """The values of Dask, by the workers of an executor where one is given.

    Raises:
        BackendError: what is given is no executor.
    """
    require_executor(executor)
    dask = dask_module()
    if executor is None:
        return list(dask.compute(*values))
    quiet = {"distributed.admin.large-graph-warning-threshold": "1TB"} if "distributed" in sys.modules else {}
    with dask.config.set(quiet):  # arrays are meant to travel with what is done to them
        return list(dask.compute(*values, scheduler=executor))


def dask_module() -> Any:
    """Dask.

    Raises:
        BackendError: it is not installed.
    """
    try:
        return importlib.import_module("dask")
    except ImportError as error:
        raise BackendError(
            "Dask is not installed",
            given="executor=",
            expected="a Dask client",
            hint='pip install "eqvproof[dask]", or leave executor= out',
        ) from error


def require_executor(executor: Any) -> None:
    """Refuses what cannot be handed work.

    Raises:
        BackendError: it has no `submit`.
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise BackendError(
            "executor= is not an executor",
            given=type(executor).__name__,
            expected="a Dask client, or an executor of concurrent.futures",
            hint="leave executor= out to work in this process",
        )
