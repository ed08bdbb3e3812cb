"""`pool`: one bit pattern for every order, chunking, number of threads and way of computing."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.deepsets import pool
from eqvproof.deepsets.pair_forms import linear_attention
from eqvproof.deepsets.phi import Tape, read_formula
from eqvproof.deepsets.phi.numbers import evaluate
from eqvproof.deepsets.pooling import compiled, host, loops
from eqvproof.support.errors import BackendError, DomainError, ShapeError, TargetError

x, y, z = sp.symbols("x y z")
PHI = (1, x, y * z, x**2 * y, sp.sqrt(x**2 + 1), 1 / (1 + y**2), sp.exp(-x * x), sp.Max(x, y), sp.tanh(z))
needs_llvm = pytest.mark.skipif(compiled.llvm() is None, reason="numba (llvmlite) is not installed")


def bits(a) -> bytes:
    return np.asarray(a).tobytes()


def rows(kind: str, n: int, d: int, rng) -> np.ndarray:
    data = rng.normal(size=(n, d))
    if kind == "wide":
        data = np.ldexp(data, rng.integers(-1070, 1000, size=(n, d)))
    if kind == "integers":
        data = np.rint(data * 100)
    if kind == "outliers":
        data[rng.integers(0, n, 20)] *= 10.0 ** rng.integers(0, 40, size=(20, 1))
    if kind == "special":
        data[rng.integers(0, n, 6), rng.integers(0, d, 6)] = [np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e308]
    return data


@pytest.fixture
def numpy_only(monkeypatch):
    monkeypatch.setattr(compiled, "llvm", lambda: None)


@needs_llvm
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kind", ["normal", "wide", "integers", "outliers", "special"])
def test_numpy_and_compiled_loops_give_the_same_bits(kind, dtype, monkeypatch):
    rng = np.random.default_rng(3)
    with np.errstate(over="ignore"):
        X = rows(kind, 5000, 3, rng).astype(dtype)
    results = [pool(PHI, X, threads=t) for t in (1, 2)]
    results.append(pool(PHI, X[rng.permutation(len(X))]))
    results.append(pool(PHI, np.asfortranarray(X)))
    results.append(pool(PHI, np.concatenate([X, X], axis=1)[:, :3]))  # rows that do not touch
    monkeypatch.setattr(compiled, "llvm", lambda: None)
    results.append(pool(PHI, X))
    assert len({bits(r) for r in results}) == 1


@needs_llvm
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("registers", [True, False])
def test_many_features_in_groups(dtype, registers, monkeypatch):
    """More features than registers: values are shared between groups, or computed again."""
    if not registers:
        monkeypatch.setattr(loops, "has_wide_vectors", lambda: False)
        monkeypatch.setattr(loops, "_CACHE", 0)
        monkeypatch.setattr(compiled, "compile_loop", compiled.compile_loop.__wrapped__)
    tape = Tape(3)
    powers = [e for e in itertools.product(range(5), repeat=3) if sum(e) <= 4]
    outputs = [tape.monomial(e) for e in powers] + [tape.const(0.1), tape.const(-0.0)]
    phi = tape.formula(tuple([*outputs, tape.put("exp", outputs[1])] if dtype == "float64" else outputs))
    X = np.random.default_rng(4).normal(size=(256 * 37 + 11, 3)).astype(dtype)
    found = [pool(phi, X, threads=2), pool(phi, np.asfortranarray(X)), pool(phi, X[::-1])]
    plain = pool(phi, X, reproducible=False)
    monkeypatch.setattr(compiled, "llvm", lambda: None)
    assert len({bits(r) for r in [*found, pool(phi, X)]}) == 1
    rtol = 1e-11 if dtype == "float64" else 1e-4
    for sums in (plain, pool(phi, X, reproducible=False)):
        np.testing.assert_allclose(sums, found[0], rtol=rtol, atol=rtol * 1e4)


@needs_llvm
def test_rows_that_lie_oddly_in_memory():
    X = np.random.default_rng(0).normal(size=(4000, 2))
    raw = np.zeros(X.nbytes + 1, dtype=np.uint8)
    raw[1:] = np.frombuffer(X.tobytes(), dtype=np.uint8)
    odd = raw[1:].view(np.float64).reshape(X.shape)
    for moved in (odd, X.astype(">f8"), X[::-1], np.repeat(X, 2, axis=1)[:, ::2]):
        assert bits(pool((x, x * y), moved)) == bits(pool((x, x * y), X))
        np.testing.assert_allclose(
            pool((x, x * y), moved, reproducible=False), pool((x, x * y), X), rtol=1e-12
        )


@needs_llvm
def test_the_compiled_loop_is_used(monkeypatch):
    """The test above compares NumPy with something else."""
    def exact(formula, rows, dtype):
        return pytest.fail() if len(rows) > 2 * 512 else []

    monkeypatch.setattr(host, "exact_partial_sums", exact)
    monkeypatch.setattr(host, "add_sums", lambda a, b: a)
    pool((x, x * y), np.random.default_rng(0).normal(size=(6000, 2)))


@pytest.mark.parametrize("kind", ["normal", "wide"])
def test_the_sum_is_the_exact_sum_of_the_features_rounded_once(kind):
    X = rows(kind, 3000, 2, np.random.default_rng(5))
    phi = (x, x * y, x - y)
    features = evaluate(read_formula(phi, 2), list(X.T.copy()))
    for found, values in zip(pool(phi, X), features, strict=True):
        if np.isfinite(values).all():
            exact = sum(map(Fraction, values.tolist()), Fraction())
            assert found == exact.numerator / exact.denominator


@needs_llvm
@settings(max_examples=10)
@given(st.integers(0, 2**30), st.integers(-20, 20))
def test_the_stated_loss_is_never_exceeded(seed, exponent):
    rng = np.random.default_rng(seed)
    X = np.ldexp(rng.normal(size=(9000, 2)) * 10.0 ** rng.integers(-9, 9, size=(9000, 1)), exponent)
    for data, rule in ((X, "anchored"), *((X.astype(np.float32), r) for r in ("quick", "anchored"))):
        formula = read_formula((x, x * y), 2)
        for quick, exact in zip(
            host.partial_sums(formula, data, data.dtype.name, rule),
            host.exact_partial_sums(formula, data, data.dtype.name),
            strict=True,
        ):
            assert quick.lost > 0
            assert abs(quick.total - exact.total) <= quick.lost


@needs_llvm
@pytest.mark.parametrize("exponent", [-148, -120, -61, 60, 115, 118, 126])
def test_float32_of_every_size(exponent, monkeypatch):
    """Anchors of float32 exist for numbers of middling size."""
    rng = np.random.default_rng(7)
    X = np.ldexp(rng.uniform(0.5, 1, size=(5000, 2)), exponent).astype(np.float32)
    Y = np.ldexp(rng.normal(size=(5000, 2)), exponent - 3).astype(np.float32)
    for data in (X, Y, np.concatenate([X, Y, np.zeros_like(X)])):
        found = [pool((x, y, x - y, sp.Abs(x)), Z, threads=t) for Z in (data, data[::-1]) for t in (1, 2)]
        with monkeypatch.context() as without:
            without.setattr(compiled, "llvm", lambda: None)
            assert {bits(f) for f in found} == {bits(pool((x, y, x - y, sp.Abs(x)), data))}


@needs_llvm
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("d", [2, 4, 5, 6, 8, 12, 16])
def test_rows_of_any_length_are_brought_into_columns(d, dtype, monkeypatch):
    X = np.random.default_rng(d).normal(size=(3 * loops.TILE, d)).astype(dtype)
    phi = [tuple(int(i == j) for i in range(d)) for j in range(d)]
    found = [pool(phi, Z) for Z in (X, np.asfortranarray(X))]
    plain = pool(phi, X, reproducible=False)
    monkeypatch.setattr(compiled, "llvm", lambda: None)
    assert {bits(f) for f in found} == {bits(pool(phi, X))}
    np.testing.assert_allclose(plain, found[0], atol=1e-3 if dtype == "float32" else 1e-11)


@needs_llvm
@pytest.mark.parametrize("rest", [0, 1, 7, 255])
def test_rows_that_fill_no_tile(rest, monkeypatch):
    """They are a tile with rows of zeros, at which phi need not be 0."""
    X = np.random.default_rng(8).normal(size=(3 * loops.TILE + rest, 2))
    for phi in ((x, x * y), (sp.exp(-(x**2)), 1 / (1 + y**2), 3, x + 1)):
        found, plain = pool(phi, X), pool(phi, X, reproducible=False)
        with monkeypatch.context() as without:
            without.setattr(compiled, "llvm", lambda: None)
            assert bits(found) == bits(pool(phi, X))
        np.testing.assert_allclose(plain, found, rtol=1e-12, atol=1e-11)


@needs_llvm
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("d", [1, 3])
def test_a_row_that_exceeds_its_bound_may_lie_anywhere(d, dtype, monkeypatch):
    """The next tile is checked while one is summed: the first, the last, and two of them in a row."""
    tape = Tape(d)
    formula = tape.formula(tuple(tape.monomial(e) for e in itertools.product(range(3), repeat=d)))
    rng = np.random.default_rng(5)
    n = 20 * loops.TILE + 7
    X = rng.random((n, d)).astype(dtype)
    for places, value in itertools.product(
        ([0], [loops.TILE - 1], [loops.TILE], [511, 512, 1535], [n - 8], [n - 1]), (1e9, np.nan)
    ):
        Y = X.copy()
        Y[places, d - 1] = value
        found = [pool(formula, Z) for Z in (Y, np.asfortranarray(Y))]
        with monkeypatch.context() as without:
            without.setattr(compiled, "llvm", lambda: None)
            assert {bits(f) for f in found} == {bits(pool(formula, Y))}


def test_ties_and_zero_sums_are_summed_again():
    v = np.random.default_rng(0).normal(size=4096)
    X = np.concatenate([v, -v, [2.0**60, 2.0**7, 1.0, -1.0]])  # 2^60 + 2^7 lies between two numbers
    assert pool(x, np.concatenate([v, -v])) == 0.0
    assert pool(x, X) == 2.0**60


@pytest.mark.usefixtures("numpy_only")
def test_plain_sums_are_near():
    X = np.random.default_rng(0).normal(size=(30000, 3))
    np.testing.assert_allclose(pool(PHI, X, reproducible=False), pool(PHI, X), rtol=1e-12, atol=1e-9)


@needs_llvm
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_plain_compiled_sums_are_near(dtype):
    X = np.random.default_rng(0).normal(size=(30000, 3)).astype(dtype)
    rtol = 1e-11 if dtype == "float64" else 1e-4
    np.testing.assert_allclose(pool(PHI, X, reproducible=False), pool(PHI, X), rtol=rtol, atol=rtol * 1e4)


def test_sixteen_bit_rows_are_summed_in_float32():
    half = np.random.default_rng(0).normal(size=(3000, 2)).astype(np.float16)
    found = pool((x, x * y), half)
    assert found.dtype == np.float32
    assert bits(found) == bits(pool((x, x * y), half.astype(np.float32)))


def test_bfloat16_rows_and_tensors():
    values = np.random.default_rng(0).normal(size=(3000, 2)).astype(np.float32)
    short = (values.view(np.uint32) & 0xFFFF0000).view(np.float32)  # what bfloat16 holds
    wanted = bits(pool((x, x * y), short))
    ml_dtypes = pytest.importorskip("ml_dtypes")
    assert bits(pool((x, x * y), short.astype(ml_dtypes.bfloat16))) == wanted
    torch = pytest.importorskip("torch")
    tensor = torch.from_numpy(short).requires_grad_()
    assert bits(pool((x, x * y), tensor)) == bits(pool((x, x * y), tensor.bfloat16())) == wanted
    form, few = linear_attention(), short[:50].T.copy()
    found = form(torch.from_numpy(few).bfloat16())
    assert found.dtype == np.float32
    assert bits(found) == bits(form(few)) == bits(form(few.astype(ml_dtypes.bfloat16)))


@pytest.mark.parametrize("count", [7, 2000])
def test_segments_are_sets_alone(count):
    rng = np.random.default_rng(1)
    X, ids = rng.normal(size=(9000, 2)), rng.integers(0, count, 9000)
    together = pool((x, x * y), X, ids=ids, segments=count + 1)
    assert together.shape == (count + 1, 2)
    assert (together[-1] == 0).all()
    for i in range(0, count, 1 + count // 7):
        assert bits(together[i]) == bits(pool((x, x * y), X[ids == i]))
    order = np.argsort(ids, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(ids, minlength=count))])
    assert bits(pool((x, x * y), X[order], offsets=ends)) == bits(together[:-1])


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.integers(0, 2**30))
@settings(max_examples=25)
def test_integer_weights_count_rows(counts, seed):
    X = rows("wide" if seed % 2 else "normal", len(counts), 2, np.random.default_rng(seed))
    phi = (x, x * y)
    assert bits(pool(phi, X, weights=counts)) == bits(pool(phi, np.repeat(X, counts, axis=0)))


def test_large_and_negative_integer_weights_are_exact():
    X, w = np.array([0.1, 1e300, 3.0]), [2**63 - 1, -3, -(2**62)]
    exact = sum(Fraction(v) * k for v, k in zip(X.tolist(), w, strict=True))
    assert pool(x, X, weights=w) == exact.numerator / exact.denominator
    with pytest.raises(DomainError, match="64 bits"):
        pool(x, X, weights=[2**64, 1, 1])
    with pytest.raises(DomainError, match="64 bits"):
        pool(x, X, weights=[2**63, 1, -1])


def test_real_weights_multiply():
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=4000), rng.random(4000)
    assert pool(x**2, X, weights=w) == pool(x * y, np.column_stack([w, X * X]), symbols=(x, y))
    p = rng.permutation(4000)
    assert bits(pool(x**2, X[p], weights=w[p])) == bits(pool(x**2, X, weights=w))


def test_functions_called_row_by_row():
    X = np.random.default_rng(0).normal(size=(200, 2))

    def branch(row):
        return row[0] if row[1] > 0 else -row[0]

    assert pool(branch, X) == pool(sp.Piecewise((x, y > 0), (-x, True)), X, symbols=(x, y))
    with pytest.raises(TargetError, match="raises on a row"):
        pool(lambda row: [][int(row[0]) + 5], X)


def test_the_empty_set_is_a_set():
    assert pool(x, np.zeros(0)) == 0.0
    assert pool((x, y), np.zeros((0, 2))).tolist() == [0.0, 0.0]
    assert pool((x, y), np.zeros((0, 2)), offsets=[0, 0, 0]).shape == (2, 2)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"X": [[1.0, 2.0], [3.0]]}, ShapeError),
        ({"X": np.ones((2, 2, 2))}, ShapeError),
        ({"X": np.ones((2, 0))}, ShapeError),
        ({"X": np.ones(3) * 1j}, DomainError),
        ({"X": np.array(["a"])}, DomainError),
        ({"X": np.array([2**53 + 1])}, DomainError),
        ({"X": np.ones(3), "weights": [1, 2]}, ShapeError),
        ({"X": np.ones(3), "weights": [1j, 1, 1]}, DomainError),
        ({"X": np.ones(3), "offsets": [0, 2]}, ShapeError),
        ({"X": np.ones(3), "offsets": [0, 4, 3]}, ShapeError),
        ({"X": np.ones(3), "ids": [0, 1, -1]}, DomainError),
        ({"X": np.ones(3), "ids": [0, 1, 2], "segments": 2}, DomainError),
        ({"X": np.ones(3), "ids": [0, 0, 0], "offsets": [0, 3]}, DomainError),
        ({"X": np.ones(3), "dtype": "float16"}, DomainError),
        ({"X": np.ones(3), "dtype": "nonsense"}, DomainError),
        ({"X": np.ma.masked_greater(np.arange(3.0), 1)}, DomainError),
        ({"X": np.ones(3), "weights": np.ma.masked_greater(np.arange(3.0), 1)}, DomainError),
        ({"X": np.ones(3), "ids": np.ma.masked_greater(np.arange(3), 1)}, DomainError),
        ({"X": np.ones(3), "ids": [[0], [1, 2]]}, ShapeError),
        ({"X": np.ones(3), "ids": [0, 0, 0], "segments": 1.5}, DomainError),
        ({"X": np.ones(3), "segments": 3}, DomainError),
        ({"X": np.ones(3), "offsets": [0, 3], "segments": 3}, DomainError),
        ({"X": np.ones(3), "threads": 0}, DomainError),
        ({"X": np.ones(3), "symbols": 3}, DomainError),
    ],
)
def test_bad_input(arguments, error):
    with pytest.raises(error):
        pool(x, **arguments)


def test_what_overflows_is_infinite_and_nothing_warns():
    single = np.ones(3, np.float32)
    with np.errstate(all="raise"):
        assert pool(x, single, weights=[1e300] * 3) == np.inf
        assert pool(x, single, weights=[1e300] * 3, ids=[0, 0, 0]).tolist() == [np.inf]
        assert pool(x * 10**400, np.ones(3)) == np.inf


def test_masked_chunks_are_refused():
    da = pytest.importorskip("dask.array")
    with pytest.raises(DomainError, match="masked"):
        pool(x, da.ma.masked_greater(da.arange(9.0, chunks=4), 5))


def test_array_api_arrays_come_back_in_their_namespace():
    strict = pytest.importorskip("array_api_strict")
    X = np.random.default_rng(0).normal(size=(100, 3))
    found = pool(PHI, strict.asarray(X))
    assert found.__array_namespace__() is strict
    assert bits(np.asarray(found)) == bits(pool(PHI, X))


def test_dask_chunks_give_the_same_bits():
    da = pytest.importorskip("dask.array")
    X = rows("outliers", 20000, 3, np.random.default_rng(2))
    for chunks in ((20000, 3), (3001, 2), (128, 3)):
        assert bits(pool(PHI, da.from_array(X, chunks=chunks))) == bits(pool(PHI, X))
    with pytest.raises(BackendError):
        pool(x, da.from_array(X[:, 0]), weights=X[:, 1])


@pytest.mark.parametrize("kind", ["normal", "wide", "special"])
def test_dask_weights_and_segments_give_the_same_bits(kind):
    da = pytest.importorskip("dask.array")
    rng, phi = np.random.default_rng(8), (1, x, -0.0 * x**2, x * y)
    X, ids = rows(kind, 3000, 2, rng), rng.integers(0, 40, 3000)
    X[ids == 3] = -0.0
    X[ids == 4] = np.abs(X[ids == 4, ::-1])
    real, counts = rng.normal(size=3000), rng.integers(-3, 9, 3000) * (ids != 7)
    if kind != "normal":  # whole multiples of the largest numbers are refused
        X[np.abs(X) > 2.0**400] = 7.0
    there, weights = da.from_array(X, chunks=(701, 2)), {"none": None, "real": real, "counts": counts}
    ends = np.concatenate([[0], np.cumsum(np.bincount(np.sort(ids), minlength=44))])
    for w in weights.values():
        w_there = None if w is None else da.from_array(w, chunks=512)
        with np.errstate(all="ignore"):
            alone, apart = pool(phi, X, weights=w), pool(phi, X, weights=w, ids=ids, segments=44)
            ordered = pool(phi, X, weights=w, offsets=ends)
        assert bits(pool(phi, there, weights=w_there)) == bits(alone)
        owners = da.from_array(ids, chunks=333)
        assert bits(pool(phi, there, weights=w_there, ids=owners, segments=44)) == bits(apart)
        assert bits(pool(phi, there, weights=w_there, offsets=ends)) == bits(ordered)


def test_dask_weights_and_segments_that_do_not_fit():
    da = pytest.importorskip("dask.array")
    X = da.from_array(np.ones(30), chunks=7)
    for options, error in (
        ({"weights": da.ones(29)}, ShapeError),
        ({"ids": da.ones(29, dtype=int)}, ShapeError),
        ({"ids": da.ones(30)}, ShapeError),
        ({"ids": da.ones(30, dtype=int), "segments": 1}, DomainError),
        ({"ids": -da.ones(30, dtype=int)}, DomainError),
        ({"offsets": [0, 29]}, ShapeError),
        ({"offsets": [0, 30], "ids": da.ones(30, dtype=int)}, DomainError),
        ({"weights": da.ones(30) * 1j}, DomainError),
        ({"ids": np.ones(30, dtype=int)}, BackendError),
    ):
        with pytest.raises(error):
            pool(x, X, **options)
    with pytest.raises(DomainError, match="2\\^900"):
        pool(x, X * 1e300, ids=da.zeros(30, dtype=int), weights=da.ones(30, dtype=int))
