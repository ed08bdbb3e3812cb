"""Pools of streams: the bits of `pool` on all rows, whatever the chunks and the order of merging."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.support.errors import BackendError, EqvproofError
from tests.sampling import examples

PartialPool, pool = ep.deepsets.PartialPool, ep.deepsets.pool
x, y = sp.symbols("x y")
PHI = (x, x * y, sp.exp(-(x**2)))


def wide_rows(count: int, seed: int = 0) -> np.ndarray:
    """Rows over 60 orders of magnitude, whose floating-point sums depend on the order."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, 2)) * 10.0 ** rng.integers(-30, 30, (count, 1))


def chunks(rows: np.ndarray, ends: list[int]) -> Iterator[np.ndarray]:
    yield from np.split(rows, sorted(e % (len(rows) + 1) for e in ends))


@given(st.lists(st.integers(0, 400), max_size=6), st.randoms())
@settings(max_examples=examples(20), deadline=None)
def test_chunks_and_orders_give_the_bits_of_all_rows(ends: list[int], random: Any) -> None:
    rows = wide_rows(400)
    whole = pool(PHI, rows).tobytes()
    assert pool(PHI, chunks(rows, ends)).tobytes() == whole
    parts = [PartialPool(PHI).add(part) for part in chunks(rows, ends)]
    random.shuffle(parts)
    while len(parts) > 1:  # any tree of additions
        one, other = parts.pop(random.randrange(len(parts))), parts.pop()
        parts.insert(0, one + other)
    assert parts[0].result().tobytes() == whole
    assert parts[0].rows == 400


def test_the_sum_is_the_exact_one() -> None:
    rows = wide_rows(300)
    exact = sum((Fraction(v) for v in rows[:, 0]), Fraction(0))
    assert pool(x, iter(np.array_split(rows[:, 0], 9))) == float(exact)


@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i4"])
@pytest.mark.parametrize("weighted", ["", "whole", "real"])
def test_dtypes_and_weights(kind: str, weighted: str) -> None:
    rng = np.random.default_rng(1)
    rows = (rng.normal(size=(500, 2)) * 50).astype(kind)
    weights = {"": None, "whole": rng.integers(0, 9, 500), "real": rng.normal(size=500)}[weighted]
    whole = pool((x, x * y), rows, weights=weights)
    parts = None if weights is None else iter(np.array_split(weights, 4))
    streamed = pool((x, x * y), iter(np.array_split(rows, 4)), weights=parts)
    assert (streamed.tobytes(), streamed.dtype) == (whole.tobytes(), whole.dtype)


def test_special_values_and_empty_chunks() -> None:
    def total(*parts: list[float]) -> float:
        return float(pool(x, (np.array(p, dtype=float) for p in parts)))

    assert np.signbit(total([-0.0], [-0.0])) and not np.signbit(total([-0.0], [0.0]))
    assert total([], [1.0], []) == 1.0 and total([]) == 0.0
    assert total([np.inf], [1.0]) == np.inf
    assert np.isnan(total([np.inf], [-np.inf]))
    assert total([1e308, 1e308], [-1e308]) == 1e308


def test_functions_that_are_called_row_by_row() -> None:
    def phi(row: np.ndarray) -> float:
        return float(row[0]) ** 2 if row[0] > 0 else 1.0

    rows = wide_rows(60)
    assert pool(phi, iter([rows[:20], rows[20:20], rows[20:]])) == pool(phi, rows)


def test_partial_pools_are_pickled_without_phi() -> None:
    rows = wide_rows(200)
    made = [PartialPool(lambda r: r[0] * r[1]).add(part) for part in np.array_split(rows, 3)]
    parts = pickle.loads(pickle.dumps(made))
    assert sum(parts).result() == pool(lambda r: r[0] * r[1], rows)
    assert parts[0].add(rows[:10]).rows == made[0].rows + 10


def test_power_sums_of_a_stream_are_decoded() -> None:
    points = np.array([0.5, -1.25, 3.0, 0.75])
    sums = ep.deepsets.PowerSums(4)
    features = pool(sums, iter(np.split(points, 4)))
    assert features.tobytes() == sums.encode(points).tobytes()
    found = sums.decode(features)
    assert np.abs(found.points[:, 0] - np.sort(points)).max() <= found.bound < 1e-6


def test_sketches_of_a_stream() -> None:
    sketch, rows = ep.deepsets.Sketch(400), wide_rows(200)
    words = sketch.encode(part for part in np.array_split(rows, 7))
    assert np.array_equal(words, sketch.encode(rows))
    both = sketch.encode(iter([rows[:3]]), into=words)
    assert both is words
    assert len(sketch.decode(words)) == 406


def test_a_file_is_not_read_into_memory(tmp_path: Path) -> None:
    count, step = 1 << 20, 1 << 14
    np.arange(count, dtype=np.float64).tofile(tmp_path / "rows")
    rows = np.memmap(tmp_path / "rows", np.float64, "r")
    pool(x, iter([rows[:step]]))
    tracemalloc.start()
    total = pool(x, (rows[k : k + step] for k in range(0, count, step)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == count * (count - 1) // 2
    assert most < rows.nbytes / 4
    del rows


ROWS = wide_rows(4)
WRONG: list[tuple[str, Callable[[], Any]]] = [
    ("nothing was added", lambda: pool(x, iter([]))),
    ("numbers of columns", lambda: pool((x, y), iter([ROWS, ROWS[:, :1]]))),
    ("numbers of columns", lambda: PartialPool(PHI).add(ROWS) + PartialPool(x).add(ROWS[:, :1])),
    ("different dtypes", lambda: pool(x, iter([ROWS[:, 0], ROWS[:, 0].astype("f4")]))),
    ("different functions", lambda: PartialPool(PHI).add(ROWS) + PartialPool((x, y)).add(ROWS)),
    ("ids= is not taken", lambda: pool(x, iter([ROWS]), ids=[0, 0, 0, 0])),
    ("executor= is not taken", lambda: pool(x, iter([ROWS]), executor=object())),
    ("more chunks", lambda: pool(PHI, iter([ROWS, ROWS]), weights=iter([np.ones(4)]))),
    ("more chunks", lambda: pool(PHI, iter([ROWS]), weights=iter([np.ones(4)] * 2))),
    ("rows must be an array", lambda: pool(x, iter([1.0, 2.0]))),
]


@pytest.mark.parametrize(("said", "call"), WRONG)
def test_mistakes(said: str, call: Callable[[], Any]) -> None:
    with pytest.raises(EqvproofError) as caught:
        call()
    assert said in str(caught.value)


def test_other_mistakes() -> None:
    with pytest.raises(TypeError):
        PartialPool(x) + 3
    array = pytest.importorskip("dask.array")
    with pytest.raises(BackendError):
        PartialPool(x).add(array.zeros(3))
