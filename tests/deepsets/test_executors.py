"""`executor=`: the workers' results have the bits of this process, whatever becomes of a worker."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import sympy as sp

from eqvproof.deepsets import PairForm, Sketch, pool
from eqvproof.deepsets.distribution import cut, map_parts
from eqvproof.deepsets.pair_forms import attention, gaussian_kernel, linear_attention
from eqvproof.deepsets.pooling import parts
from eqvproof.engines import workers
from eqvproof.support.errors import BackendError

pytestmark = pytest.mark.filterwarnings("ignore")  # of sockets and ports: distributed's own
x, y = sp.symbols("x y")
LEFT_OUT = PairForm(1, 0, lambda y, z, s: s / 7, lambda x, y, z: 1 / (1 + (x - z) @ (x - z)))
FORMS = {
    "one visit": attention(columns=True),
    "softmax": attention(),
    "pairs": gaussian_kernel(),
    "products": linear_attention(),
    "terms left out": LEFT_OUT,
}


def rows(n: int) -> np.ndarray:
    rng = np.random.default_rng(4)
    return np.ldexp(rng.normal(size=(n, 2)), rng.integers(-300, 300, size=(n, 2)))


def bits(a: Any) -> bytes:
    return np.asarray(a).tobytes()


@pytest.fixture(params=["threads", "processes of Dask"])
def executor(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "threads":
        with ThreadPoolExecutor(2) as found:
            yield found
    else:
        yield request.getfixturevalue("client")


def some_bytes(_: int) -> bytes:
    return os.urandom(8)


def test_equal_calls_are_both_done(executor: Any) -> None:
    """A cluster that has the result of an equal call answers none by it: the target may be another."""
    found = list(workers.Workers(executor).map(some_bytes, some_bytes, [0, 0, 0]))
    assert len(set(found)) == 3
    assert len(set(map_parts(some_bytes, [(0,), (0,)], executor))) == 2


def test_pool(executor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_LEAST", 1000)
    rng, X = np.random.default_rng(0), rows(9_001)
    ids, real, counts = rng.integers(0, 40, len(X)), rng.normal(size=len(X)), rng.integers(-2, 5, len(X))
    ends = np.concatenate([[0], np.cumsum(np.bincount(ids, minlength=41))])
    for phi in ((x, x - y, sp.exp(-x * x)), x * y):
        for beside in ({}, {"weights": real}, {"ids": ids, "segments": 43}, {"offsets": ends}):
            assert bits(pool(phi, X, **beside, executor=executor)) == bits(pool(phi, X, **beside))
    weighted = {"weights": counts, "ids": ids}
    assert bits(pool((x, y), X, **weighted, executor=executor)) == bits(pool((x, y), X, **weighted))
    assert pool((x, y), X[:0], executor=executor).tolist() == [0.0, 0.0]
    branch = pool(lambda row: row[0] if row[1] > 0 else -row[0], X[:50], executor=executor)
    assert branch == pool(sp.Piecewise((x, y > 0), (-x, True)), X[:50], symbols=(x, y))


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("n", [700, 2600])
def test_pair_forms(name: str, n: int, executor: Any) -> None:
    X = np.random.default_rng(1).normal(size=(4, n)).astype(np.float32)
    form: Any = FORMS[name]
    assert bits(form(X, executor=executor)) == bits(form(X))
    assert bits(form(X[:, :0], executor=executor)) == b""


def test_sketch(executor: Any) -> None:
    sketch, v = Sketch(300), rows(5_000).ravel()
    words = sketch.encode(v)
    assert bits(sketch.encode(v, executor=executor)) == bits(words)
    twice = sketch.encode(v, into=words.copy(), executor=executor)
    assert bits(twice) == bits(words + words)


def test_chunks_of_dask_on_a_client(client: Any) -> None:
    da = pytest.importorskip("dask.array")
    X, sketch, form = rows(30_000), Sketch(300), linear_attention()
    there = da.from_array(X, chunks=(7001, 2))
    assert bits(pool((x, x - y), there, executor=client)) == bits(pool((x, x - y), X))
    assert len(client.has_what()) == 2
    assert bits(sketch.encode(there, executor=client)) == bits(sketch.encode(X))
    few = X[:500].T % 7
    chunked = da.from_array(few, chunks=(2, 120))
    for found in (form(chunked, executor=client), form(chunked).compute()):
        assert isinstance(found, np.ndarray)
        np.testing.assert_allclose(found, form(few), rtol=1e-12)


def dies_once(worker: str, marker: str, part: int) -> int:
    """Its worker is killed while it holds the fourth part, once."""
    if part == 4 and not os.path.exists(marker):
        with open(marker, "w", encoding="utf-8") as file:
            file.write(worker)
        os.kill(os.getpid(), signal.SIGKILL)
    return part**2


def test_what_a_killed_worker_had_is_done_again(client: Any, tmp_path: Any) -> None:
    marker = str(tmp_path / "killed")
    found = map_parts(dies_once, [("one", marker, k) for k in range(20)], client)
    assert (tmp_path / "killed").exists()
    assert found == [k**2 for k in range(20)]


def pooled_in_a_task(n: int) -> bytes:
    """Chunks that the cluster works on while this task waits for them."""
    da = pytest.importorskip("dask.array")
    return bits(pool((x, x * y), da.from_array(rows(n), chunks=(700, 2))))


def test_a_task_that_waits_leaves_its_place_to_others(client: Any) -> None:
    found = client.gather(client.map(pooled_in_a_task, [3000, 3001, 3002]))
    assert found == [bits(pool((x, x * y), rows(n))) for n in (3000, 3001, 3002)]


def asked_in_a_task(k: int) -> tuple[list[int], str]:
    """Work for the cluster, asked for by a task that has the only place of its worker."""
    from distributed import get_client

    workers.PATIENCE = 10.0
    asked = workers.Workers(get_client())
    return list(asked.map(abs, abs, [k, -k, k - 7])), asked.note


def test_tasks_that_ask_for_work_do_not_wait_for_each_other(client: Any) -> None:
    found = client.gather(client.map(asked_in_a_task, [1, 2, 3, 4]))
    assert found == [([k, k, 7 - k], "") for k in (1, 2, 3, 4)]


class Silent(ThreadPoolExecutor):
    """Of every second task nothing is heard, as of what a cluster has lost with its workers."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count = getattr(self, "count", 0) + 1
        return Future() if self.count % 2 else super().submit(fn, *args, **kwargs)


@pytest.mark.slow
def test_an_executor_that_falls_silent_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.0)
    X = rows(3000)
    with Silent(1) as executor:
        assert map_parts(pow, [(k, 2) for k in range(40)], executor) == [k**2 for k in range(40)]
        assert executor.count > 1
        assert bits(pool((x, x * y), X, executor=executor)) == bits(pool((x, x * y), X))

        form = gaussian_kernel()
        few = X[:700].T % 7
        assert bits(form(few, executor=executor)) == bits(form(few))


def test_a_cluster_without_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data of this process is worked on here; data of the cluster is out of reach."""
    distributed = pytest.importorskip("distributed")
    da = pytest.importorskip("dask.array")
    monkeypatch.setattr(workers, "PATIENCE", 0.0)
    X, form = rows(3000), gaussian_kernel()
    there, few = da.from_array(X, chunks=(700, 2)), X[:600].T % 7
    with distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert bits(pool((x, x * y), X, executor=client)) == bits(pool((x, x * y), X))
            assert bits(form(few, executor=client)) == bits(form(few))
            for call in (lambda: pool((x, x * y), there, executor=client),
                         lambda: pool((x, x * y), there),
                         lambda: Sketch(3000).encode(there, executor=client),
                         lambda: form(da.from_array(few), executor=client)):  # fmt: skip
                with pytest.raises(BackendError, match="are silent"):
                    call()


def test_chunks_of_dask_on_threads() -> None:
    da = pytest.importorskip("dask.array")
    X, form = rows(3000), gaussian_kernel()
    there, few = da.from_array(X, chunks=(700, 2)), X[:600].T % 7
    with ThreadPoolExecutor(2) as executor:
        assert bits(pool((x, x - y), there, executor=executor)) == bits(pool((x, x - y), X))
        assert bits(form(da.from_array(few, chunks=(2, 130)), executor=executor)) == bits(form(few))


def test_an_executor_that_is_broken_is_given_up() -> None:
    broken = ThreadPoolExecutor(1)
    broken.shutdown()
    X = rows(3000)
    assert bits(pool((x, x * y), X, executor=broken)) == bits(pool((x, x * y), X))


@pytest.mark.parametrize("call", [lambda e: pool(x, np.ones(3), executor=e),
                                  lambda e: gaussian_kernel()(np.ones((2, 3)), executor=e),
                                  lambda e: Sketch(3).encode([1.0], executor=e)])  # fmt: skip
def test_what_is_no_executor_is_refused(call: Any) -> None:
    with pytest.raises(BackendError, match="executor= is not an executor"):
        call(4)


def test_parts_are_whole_multiples() -> None:
    assert cut(10, 3) == [(0, 3), (3, 6), (6, 9), (9, 10)]
    assert cut(0, 3) == [(0, 0)]
    assert len(cut(10**6, 1)) <= 64
    assert all(a % 512 == 0 for a, _ in cut(10**6, 1, 512))
