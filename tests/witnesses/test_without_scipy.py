"""What SciPy makes faster, and NumPy alone does too: factorisations, near pairs, matchings, erf."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.errors import BackendError, MultisetMismatch
from eqvproof.operations import functions
from eqvproof.optional import installed, required
from eqvproof.witnesses import lapack, neighbours
from eqvproof.witnesses.neighbours import maximum_matching, near_pairs

SHAPES = [(1, 1), (3, 5), (6, 4), (30, 21)]


@pytest.fixture
def no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (neighbours, functions):
        monkeypatch.setattr(module, "installed", lambda name: None)
    monkeypatch.setattr(lapack, "_routine", lambda name, kind: None)
    monkeypatch.setattr(lapack, "BLOCK", 8)


def matrix(shape: tuple[int, int], kind: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape)
    if kind == "complex":
        return a + 1j * rng.standard_normal(shape)
    if kind == "deficient":
        a[:, shape[1] // 2 :] = 0
    return a


@pytest.mark.usefixtures("no_scipy")
@pytest.mark.parametrize("kind", ["real", "complex", "deficient"])
@pytest.mark.parametrize("shape", SHAPES)
def test_factorisations(shape: tuple[int, int], kind: str) -> None:
    a = matrix(shape, kind, 1)
    packed, order, taus = lapack.pivoted_qr(a)
    others = (
        (a[:, order], packed, taus), (a, *lapack.plain_qr(a)), (a, *lapack.positive_qr(a))
    )  # fmt: skip
    for original, found, weights in others:
        q, r = lapack.full_factor(found, weights), np.triu(found)
        assert np.allclose(q.conj().T @ q, np.eye(shape[0]), atol=1e-12)
        assert np.allclose(q @ r, original, atol=1e-12 * shape[0])
        assert np.allclose(lapack.apply_packed(found, weights, original), q @ original, atol=1e-10)
    diagonal = np.abs(packed.diagonal())
    assert sorted(order.tolist()) == list(range(shape[1]))
    assert (diagonal[1:] <= diagonal[:-1] * (1 + 1e-9)).all()
    positive = lapack.positive_qr(a)[0].diagonal()
    assert (positive.real >= 0).all() and np.allclose(positive.imag, 0)


@pytest.mark.usefixtures("no_scipy")
@pytest.mark.parametrize("kind", ["real", "complex", "deficient"])
def test_an_orthogonal_witness(kind: str) -> None:
    x = matrix((20, 12), kind, 2)
    turn = np.linalg.qr(matrix((20, 20), "complex" if kind == "complex" else "real", 3))[0]
    witness = ep.orthogonal_witness(x, turn @ x)
    assert np.linalg.norm(witness.Q @ x - turn @ x) <= witness.bound < 1e-11
    assert witness.orthogonality_bound < 1e-12
    assert np.allclose(witness.reflections.apply(x), turn @ x)


def test_reflectors_of_nearly_the_identity() -> None:
    """Lengths that would cancel, or whose squares would vanish."""
    for small in (1e-9, 1e-160, 0.0):
        for corner in (1.0, -1.0):
            a = np.array([[corner, 0.0], [small, 1.0]])
            packed = a.copy()
            tau = lapack._eliminate(packed, 0, positive=True)
            v = np.array([[1.0], [packed[1, 0]]])
            reflection = np.eye(2) - tau * v @ v.T
            assert np.allclose(reflection @ reflection.T, np.eye(2), atol=1e-15)
            assert np.allclose(reflection.T @ a, np.triu(packed), atol=1e-15) and packed[0, 0] > 0


COORDINATES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), max_size=25)


@given(COORDINATES, COORDINATES, st.sampled_from([0.5, 1.0, 2.5]), st.sampled_from([1.0, 1e-180]))
def test_near_pairs(ys: list, xs: list, distance: float, scale: float) -> None:
    y, x = (np.array(p, dtype=float).reshape(-1, 2) * scale for p in (ys, xs))
    rows, columns = neighbours._swept(y, x, distance * scale)
    near = [(j, i) for j, (a, b) in enumerate(ys) for i, (c, d) in enumerate(xs)
            if (a - c) ** 2 + (b - d) ** 2 <= distance**2]  # fmt: skip
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == near
    if installed("scipy") and scale == 1.0:
        rows, columns = near_pairs(y, x, distance)
        assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == near


def test_near_pairs_by_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(0).uniform(0, 1, (200, 2))
    whole = neighbours._swept(points, points, 0.2)
    monkeypatch.setattr(neighbours, "CHUNK", 64)
    for a, b in zip(whole, neighbours._swept(points, points, 0.2), strict=True):
        assert (a == b).all()


@given(st.lists(st.sets(st.integers(0, 7)), max_size=6))
def test_matchings_are_the_greatest(sets: list) -> None:
    """By Koenig and Hall: as large as the least of |rest| + |partners of a crowd|, over all crowds."""
    starts = np.cumsum([0, *map(len, sets)]).astype(np.intp)
    partners = np.array([i for s in sets for i in sorted(s)], dtype=np.intp)
    found = neighbours._hopcroft_karp(starts.tolist(), partners.tolist(), 8)
    taken = [i for i in found.tolist() if i >= 0]
    assert len(taken) == len(set(taken))
    assert all(i < 0 or i in s for i, s in zip(found.tolist(), sets, strict=True))
    crowds = ([s for j, s in enumerate(sets) if mask >> j & 1] for mask in range(2 ** len(sets)))
    assert len(taken) == min(len(sets) - len(c) + len(set().union(*c)) for c in crowds)
    if installed("scipy") and sets:
        assert (maximum_matching(starts, partners, 8) >= 0).sum() == len(taken)


@pytest.mark.usefixtures("no_scipy")
def test_a_permutation_within_a_tolerance() -> None:
    assert ep.permutation_witness([[0.0, 1.0]], [[0.9, 1.4]], tol=1.0).permutation.tolist() == [0, 1]
    with pytest.raises(MultisetMismatch, match="2 columns of Y"):
        ep.permutation_witness([[0.0, 1.0, 5.0]], [[0.0, 0.1, 5.0]], tol=0.5)
    with pytest.raises(MultisetMismatch):  # squares of these distances vanish
        ep.permutation_witness([[0.0]], [[1e-169]], tol=1e-170)


@pytest.mark.usefixtures("no_scipy")
def test_erf() -> None:
    x = np.array([[-1.5, 0.0], [0.25, 7.0]])
    assert functions._erf(np, x).tolist() == [[math.erf(v) for v in row] for row in x.tolist()]
    assert functions._erf(np, np.float32(0.5)).dtype == np.float32
    assert functions._erf(np, np.empty((0, 2))).shape == (0, 2)


def test_a_library_that_is_missing() -> None:
    assert installed("no_such_library.part") is None and installed("json") is not None
    with pytest.raises(BackendError, match=r"eqvproof\[plots\]") as caught:
        required("no_such_library.part", extra="plots", purpose="drawing")
    assert "drawing needs no_such_library" in str(caught.value)
