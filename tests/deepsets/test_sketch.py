"""A sketch gives back exactly the multiset that went in, or says that it cannot."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.deepsets.sketches import CapacityExceeded, compiled, hashing, layout, plain, sketch
from eqvproof.support.errors import DomainError, EqvproofError, ShapeError
from tests.sampling import examples

Sketch = ep.deepsets.Sketch
TYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]


@pytest.fixture(params=["numba", "numpy"])
def way(request, monkeypatch):
    if request.param == "numpy":
        monkeypatch.setattr(sketch, "_compiled", lambda microseconds: None)
    else:
        pytest.importorskip("numba")
        monkeypatch.setattr(sketch, "MOST_PLAIN", 0)
    return request.param


def bits(array):
    array = np.ascontiguousarray(array)
    return np.sort(array.reshape(-1).view(f"u{array.dtype.itemsize}"))


def numbers(rng, dtype, count):
    """Any bit patterns, repeated ones among them."""
    few = rng.integers(0, 256, (max(count, 1), np.dtype(dtype).itemsize), dtype=np.uint8)
    if dtype == "?":
        few %= 2
    return few.view(dtype).reshape(-1)[rng.integers(0, max(count, 1), count)]


@pytest.mark.parametrize("dtype", TYPES)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(0, 300))
@settings(max_examples=8)
def test_any_machine_numbers_come_back(dtype, seed, count):
    rng = np.random.default_rng(seed)
    x = numbers(rng, dtype, count)
    s = Sketch(max(1, len(np.unique(bits(x)))), dtype, seed=seed, failure=1e-9)
    decoded = s.decode(s.encode(x))
    assert decoded.values.dtype == x.dtype
    assert np.array_equal(bits(decoded.elements()), bits(x))
    assert len(decoded) == len(x)
    assert len(np.unique(bits(decoded.values))) == len(decoded.values)


def test_bit_patterns_are_kept(way):
    nans = np.array([0x7FF8000000000000, 0x7FF8000000000001, 0xFFF0000000000123], np.uint64).view(np.float64)
    x = np.concatenate([nans, [0.0, -0.0, -0.0, np.inf, -np.inf, 5e-324], nans[1:]])
    s = Sketch(10)
    decoded = s.decode(s.encode(x))
    assert np.array_equal(bits(decoded.elements()), bits(x))
    assert Counter(decoded.counts.tolist()) == {1: 5, 2: 3}


@pytest.mark.parametrize("count", [1, 2, 3, 4, 2**8, 2**10 * 3, 2**17])
def test_many_copies(way, count):
    """Even multiplicities lose high bits of a product; the halves of a key have room for that."""
    x = np.concatenate([np.full(count, -np.pi), np.full(2 * count, 1e300), [0.0]])
    s = Sketch(3)
    decoded = s.decode(s.encode(x))
    assert dict(zip(decoded.values.tolist(), decoded.counts.tolist(), strict=True)) == {
        -np.pi: count,
        1e300: 2 * count,
        0.0: 1,
    }


@pytest.mark.parametrize("shift", [20, 31, 32, 40])
def test_more_copies_than_can_be_added_one_by_one(way, shift):
    """A sketch times 2^k; a multiple of 2^33 copies cannot be told, which is said."""
    s = Sketch(2)
    z = s.encode([1.5, -2.5, -2.5]) * np.uint64(2**shift)
    if shift >= 32:
        with pytest.raises(CapacityExceeded):
            s.decode(z)
        return
    decoded = s.decode(z)
    assert dict(zip(decoded.values.tolist(), decoded.counts.tolist(), strict=True)) == {
        1.5: 2**shift,
        -2.5: 2 ** (shift + 1),
    }


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(0, 400))
@settings(max_examples=25)
def test_sums_and_differences(seed, parts, count):
    rng = np.random.default_rng(seed)
    x, y = numbers(rng, "f4", count), numbers(rng, "f4", count // 2)
    s = Sketch(count + 3, "f4", failure=1e-9)
    whole = s.encode(x)
    chunks = np.array_split(x[rng.permutation(count)], parts)
    assert np.array_equal(sum((s.encode(c) for c in chunks), s.encode([])), whole)
    into = s.encode(chunks[0])
    for c in chunks[1:]:
        assert s.encode(c, into=into) is into
    assert np.array_equal(into, whole)
    assert np.array_equal(bits(s.decode(whole + s.encode(y) - s.encode(x)).elements()), bits(y))
    difference = s.decode(s.encode(x) - s.encode(y))
    expected = Counter(bits(x).tolist())
    expected.subtract(Counter(bits(y).tolist()))
    found = dict(zip(difference.values.view("u4").tolist(), difference.counts.tolist(), strict=True))
    assert found == {k: c for k, c in expected.items() if c}
    if min(expected.values(), default=0) < 0:
        with pytest.raises(DomainError, match="difference"):
            difference.elements()


@pytest.mark.parametrize("count", [0, 1, 7, 1000, 70_000])
def test_numba_and_numpy_agree_bit_for_bit(count, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setattr(compiled, "SMALL", 1 << 10)
    monkeypatch.setattr(compiled, "THREADED", 1 << 10)
    rng = np.random.default_rng(count)
    keys = rng.integers(0, 2**64, count, dtype=np.uint64)
    where = layout.Layout(40 + count // 20, 50, (3, 2**64 - 5))
    tables = []
    for encode in (plain.encode, lambda *a: compiled.encode(*a, 1), lambda *a: compiled.encode(*a, 3)):
        cells = np.zeros((where.cells + 1, 4), np.uint64)
        encode(keys, cells, where)
        tables.append(cells)
    assert np.array_equal(tables[0], tables[1])
    assert np.array_equal(tables[0], tables[2])
    for decode in (plain.decode, compiled.decode):
        cells = tables[0].copy()
        found, counts = decode(cells, where)
        assert not cells.any()
        assert (counts == 1).all()
        assert np.array_equal(np.sort(found), np.sort(keys))


def test_the_hash_functions_spread():
    """Each cell of each segment is hit about equally often, and checksums do not repeat."""
    where = layout.Layout(64, 10, (1, 2))
    keys = np.arange(200_000, dtype=np.float64).view(np.uint64)
    first, second = hashing.hashes(keys, *where.words[2:])
    for k, place in enumerate(hashing.cells_of_key(first, second, *where.words[:2])):
        hits = np.bincount(place.astype(int), minlength=where.cells)[k * 64 : (k + 10) * 64]
        assert abs(hits - len(keys) / 640).max() < 6 * (len(keys) / 640) ** 0.5
    for values in (hashing.checksum(first, second), hashing.digest(first, second)):
        assert len(np.unique(values)) == len(keys)
        assert abs(np.unpackbits(values.view(np.uint8)).mean() - 0.5) < 1e-3


@pytest.mark.parametrize("over", [1, 10, 1000])
def test_too_small_a_capacity_is_said(way, over):
    s = Sketch(100)
    x = np.random.default_rng(over).standard_normal(4 * s.shape[0] + over)
    with pytest.raises(CapacityExceeded, match="different numbers were recovered") as caught:
        s.decode(s.encode(x))
    recovered = caught.value.recovered
    assert f"{len(recovered.values)} different" in str(caught.value)
    assert set(recovered.values.tolist()) <= set(x.tolist())


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 200))
@settings(max_examples=examples(60))
def test_never_a_wrong_multiset(seed, capacity, count):
    """Up to and far beyond the capacity: the right multiset, or a refusal."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-50, 50, count).astype("f8") if seed % 2 else rng.standard_normal(count)
    s = Sketch(capacity, failure=0.5, seed=seed)
    try:
        decoded = s.decode(s.encode(x))
    except CapacityExceeded:
        return
    assert np.array_equal(bits(decoded.elements()), bits(x))


@given(st.integers(0, 2**32 - 1), st.integers(0, 10**6), st.integers(1, 2**64 - 1))
@settings(max_examples=40)
def test_a_damaged_sketch_is_refused(seed, place, change):
    rng = np.random.default_rng(seed)
    s = Sketch(30)
    z = s.encode(rng.standard_normal(20))
    z.reshape(-1)[place % z.size :][:1] += np.uint64(change)
    with pytest.raises(CapacityExceeded):
        s.decode(z)


def test_failures_come_at_the_stated_rate(way):
    """Where it is large enough to be seen: three standard deviations each way, and never a wrong one."""
    trials = 300 if way == "numpy" else 2000
    rng = np.random.default_rng(1)
    keys = rng.integers(0, 2**64, (trials, 40), dtype=np.uint64)
    stuck = 0
    rates = []
    for seed in range(trials):
        s = Sketch(40, "u8", failure=0.05, seed=seed)
        rates.append(s.failure_rate)
        try:
            decoded = s.decode(s.encode(keys[seed]))
        except CapacityExceeded:
            stuck += 1
            continue
        assert np.array_equal(np.sort(decoded.elements()), np.sort(keys[seed]))
    rate = float(np.mean(rates))
    assert 0.03 < rate <= 0.05
    assert stuck <= trials * rate + 3 * (trials * rate) ** 0.5
    assert stuck >= trials * rate / 2 - 3 * (trials * rate) ** 0.5


@pytest.mark.parametrize("capacity", [1, 2, 5, 10**2, 10**4, 10**6, 10**8])
@pytest.mark.parametrize("failure", [1e-9, 1e-3, 0.5])
def test_the_table_is_as_large_as_it_must_be(capacity, failure):
    s = Sketch(capacity, failure=failure)
    assert s.failure_rate <= failure
    if capacity >= 10**6 and failure >= 1e-3:
        assert s.shape[0] < 1.2 * capacity
    if capacity >= 10**4 and failure >= 1e-3:
        assert s.shape[0] < 1.4 * capacity


@pytest.mark.slow
def test_a_million_floats_with_duplicates():
    pytest.importorskip("numba")
    rng = np.random.default_rng(0)
    x = rng.standard_normal(10**6)
    x[: 3 * 10**5] = x[rng.integers(3 * 10**5, 10**6, 3 * 10**5)]
    x[:1000] = 0.0
    s = Sketch(len(x))
    decoded = s.decode(s.encode(x, threads=2))
    assert np.array_equal(bits(decoded.elements()), bits(x))


def test_a_hundred_thousand_without_numba(monkeypatch):
    monkeypatch.setattr(sketch, "_compiled", lambda microseconds: None)
    x = np.random.default_rng(0).standard_normal(10**5)
    s = Sketch(len(x))
    assert np.array_equal(bits(s.decode(s.encode(x)).elements()), bits(x))


def test_a_first_sketch_compiles_nothing():
    code = (
        "import sys, numpy as np, eqvproof as ep; s = ep.deepsets.Sketch(100);"
        " x = np.arange(100.0); found = s.decode(s.encode(x)).elements();"
        " print(sorted(found) == x.tolist(), 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_loops_are_compiled_once_others_have_run_for_long(monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setattr(sketch._PlainLoops, "spent", 0)
    monkeypatch.setattr(sketch, "MOST_PLAIN", 100)
    assert sketch._compiled(60) is None
    assert sketch._compiled(60) is compiled
    assert sketch._compiled(1) is compiled


def test_dask_chunks():
    array = pytest.importorskip("dask.array")
    x = np.random.default_rng(0).standard_normal(1000)
    s = Sketch(1000)
    for chunks in (1000, 300, 1):
        if chunks == 1:
            x = x[:5]
        z = s.encode(array.from_array(x, chunks=chunks))
        assert np.array_equal(z, s.encode(x))
    assert np.array_equal(
        s.encode(array.from_array(x, chunks=3), into=s.encode(x)), s.encode(x) * np.uint64(2)
    )


@pytest.mark.parametrize(
    "x",
    [
        [1j],
        np.ones(2, complex),
        ["a"],
        [None],
        np.ones(2, "f4"),
        [2**60 + 1],
        np.ones(2, "i8"),
        [[1, 2], [3]],
    ],
)
def test_numbers_of_another_type(x):
    with pytest.raises(EqvproofError):
        Sketch(10).encode(x)


@pytest.mark.parametrize("dtype", ["f8", "i8", "u8", "f4"])
@pytest.mark.parametrize(
    "x",
    [
        [2**53 + 1, 1.0],
        [[2.0], [-(2**63) + 1]],
        (np.uint64(2**63 + 1), np.int64(-1)),
        [np.array([2**53 + 1]), np.array([0.5])],
    ],
)
def test_no_integer_of_a_list_is_rounded(x, dtype):
    """NumPy makes floats of integers beside floats, and beside those of another sign."""
    with pytest.raises(DomainError, match="an integer in a list with floats is not exactly"):
        Sketch(10, dtype).encode(x)


@pytest.mark.parametrize("x", [[2**53, 0.5], [2**53 + 2, float("nan"), float("inf")], [10**17, 1e300, 2]])
def test_integers_of_a_list_that_are_floats(x):
    s = Sketch(10)
    found = s.decode(s.encode(x)).elements()
    assert np.array_equal(np.sort(found), np.sort(np.array(x, float)), equal_nan=True)


def test_lists_and_arrays_of_any_shape():
    s = Sketch(10)
    expected = s.encode(np.array([1.0, 2.0, 3.0, 2.0]))
    for x in (
        [1, 2, 3, 2],
        [[1.0, 2], [3, 2]],
        (2, 3, 2, 1),
        np.array([[1.0, 2.0], [3.0, 2.0]]).T,
        [1.0, 2.0, 3.0, 2.0],
    ):
        assert np.array_equal(s.encode(x), expected)
    assert np.array_equal(s.encode(np.array([1, 2, 3, 2], ">f8")), expected)
    assert np.array_equal(s.encode(np.array([1, 0, 2, 0, 3, 0, 2.0])[::2]), expected)
    assert np.array_equal(
        Sketch(10, "i4").encode([1, 2.0, 3]), Sketch(10, "i4").encode(np.array([1, 2, 3], "i4"))
    )


@pytest.mark.parametrize("empty", [[], np.zeros((0, 3)), ()])
def test_the_empty_set(way, empty):
    s = Sketch(5)
    z = s.encode(empty)
    assert not z.any()
    assert len(s.decode(z)) == 0
    assert s.decode(z).elements().shape == (0,)


@pytest.mark.parametrize(
    "z", [np.zeros((3, 4), np.uint64), np.zeros(5), [1], None, np.zeros((109, 4), np.int64)]
)
def test_what_is_no_sketch(z):
    with pytest.raises((ShapeError, DomainError)):
        Sketch(10).decode(z)
    if z is not None:
        with pytest.raises((ShapeError, DomainError)):
            Sketch(10).encode([1.0], into=z)


def test_sketches_of_different_seeds_do_not_decode_to_anything():
    x = np.arange(50.0)
    with pytest.raises(CapacityExceeded):
        Sketch(100, seed=1).decode(Sketch(100, seed=2).encode(x))


@pytest.mark.parametrize(
    "arguments",
    [
        *[{"capacity": c} for c in (0, 1.5, True, 10**30)],
        *[{"dtype": t} for t in (complex, "O", "U3", np.longdouble, "M8[s]", "nonsense")],
        *[{"failure": f} for f in (0, 1, float("nan"), 5e-324)],
        *[{"seed": k} for k in (-1, 0.5)],
    ],
)
def test_wrong_arguments(arguments):
    with pytest.raises(DomainError):
        Sketch(**{"capacity": 5, **arguments})


def test_wrong_threads():
    with pytest.raises(DomainError):
        Sketch(5).encode([1.0], threads=0)
