"""Factorisations, near pairs, matchings, erf; what SciPy makes faster, NumPy alone does too."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.invariants.witnesses import matching as matchings
from eqvproof.invariants.witnesses import reflectors as factors
from eqvproof.invariants.witnesses.matching import matching, near_pairs
from eqvproof.invariants.witnesses.reflectors import pivoted_qr, reflectors
from eqvproof.programs.operations import functions
from eqvproof.support.errors import BackendError, MultisetMismatch
from eqvproof.support.optional import installed, required

SHAPES = [(1, 1), (3, 5), (6, 4), (30, 21)]


@pytest.fixture
def no_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (factors, functions):
        monkeypatch.setattr(module, "installed", lambda name: None)
    monkeypatch.setattr(factors, "BLOCK", 8)


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
def test_the_rest_outside_earlier_columns_falls(shape: tuple[int, int], kind: str) -> None:
    a = matrix(shape, kind, 1)
    q, r, order = pivoted_qr(a)
    diagonal = np.abs(r.diagonal())
    assert np.allclose(q @ r, a[:, order], atol=1e-12)
    assert np.allclose(q.conj().T @ q, np.eye(len(a)), atol=1e-13)
    assert sorted(order.tolist()) == list(range(shape[1]))
    assert (diagonal[1:] <= diagonal[:-1] * (1 + 1e-9) + 1e-12).all()


@pytest.mark.parametrize("kind", ["real", "complex"])
@pytest.mark.parametrize("d", [1, 2, 7, 30])
def test_reflectors_of_a_unitary_matrix(d: int, kind: str) -> None:
    q = np.linalg.qr(matrix((d, d), kind, 4))[0]
    product, found = np.eye(d), reflectors(q)
    for v, tau in found:
        factor = np.eye(d) - tau * np.outer(v, v.conj())
        assert np.allclose(factor.conj().T @ factor, np.eye(d), atol=1e-13)
        product = product @ factor
    assert len(found) <= d and np.allclose(product, q, atol=1e-12)


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
            q = np.array([[corner, -small], [small, corner]])
            product = np.eye(2)
            for v, tau in reflectors(q):
                factor = np.eye(2) - tau * np.outer(v, v)
                assert np.allclose(factor @ factor.T, np.eye(2), atol=1e-15)
                product = product @ factor
            assert np.allclose(product, q, atol=1e-15)


COORDINATES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), max_size=25)


@given(COORDINATES, COORDINATES, st.sampled_from([0.5, 1.0, 2.5]), st.sampled_from([1.0, 1e-180]))
def test_near_pairs(ys: list, xs: list, distance: float, scale: float) -> None:
    y, x = (np.array(p, dtype=float).reshape(-1, 2) * scale for p in (ys, xs))
    rows, columns = near_pairs(y, x, distance * scale)
    near = [(j, i) for j, (a, b) in enumerate(ys) for i, (c, d) in enumerate(xs)
            if (a - c) ** 2 + (b - d) ** 2 <= distance**2]  # fmt: skip
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == near


def test_near_pairs_by_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(0).uniform(0, 1, (200, 2))
    whole = near_pairs(points, points, 0.2)
    monkeypatch.setattr(matchings, "CHUNK", 64)
    for a, b in zip(whole, near_pairs(points, points, 0.2), strict=True):
        assert (a == b).all()


@given(st.lists(st.sets(st.integers(0, 7)), max_size=6))
def test_partners_of_their_own(sets: list) -> None:
    """There are some where no crowd has too few partners (Hall); else a crowd that has is named."""
    found, (crowd, partners) = matching([np.array(sorted(s), dtype=np.intp) for s in sets], 8)
    crowds = ([s for j, s in enumerate(sets) if mask >> j & 1] for mask in range(2 ** len(sets)))
    if all(len(set().union(*c)) >= len(c) for c in crowds):
        assert found is not None and len(set(found.tolist())) == len(sets)
        assert all(i in s for i, s in zip(found.tolist(), sets, strict=True))
    else:
        assert found is None and len(partners) < len(crowd) == len(set(crowd))
        assert set(partners) == set().union(*(sets[j] for j in crowd))


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
