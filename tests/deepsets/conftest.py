"""Worker processes that several modules use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """A Dask client of two processes with one thread each, whose matrix products run as in this process."""
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    as_here = {"distributed.nanny.pre-spawn-environ": {}}  # not one thread of BLAS each: other last bits
    with (
        dask.config.set(as_here),
        distributed.LocalCluster(**options) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found
