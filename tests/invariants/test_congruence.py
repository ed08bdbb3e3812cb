"""Congruence witnesses: generic sets, symmetric sets, regular polytopes, near misses, hard pairs."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp

from eqvproof.invariants.pairs import random_orthogonal
from eqvproof.invariants.witnesses import labels as label_module
from eqvproof.invariants.witnesses.congruence import congruence_witness
from eqvproof.invariants.witnesses.input_matrices import to_array
from eqvproof.kernel import check_certificate
from eqvproof.support.errors import (
    CongruenceMismatch,
    DomainError,
    GramMismatch,
    MultisetMismatch,
    ShapeError,
)
from tests.invariants.polytopes import SIZES, vertices


def hidden(x, seed):
    """Q X P for a hidden rational Q and P."""
    rng = random.Random(seed)
    q = to_array(random_orthogonal(x.shape[0], rng))
    if any(isinstance(v, sp.Basic) for v in x.flat):
        q = np.vectorize(sp.Rational, otypes=[object])(q)
        turned = np.vectorize(sp.expand, otypes=[object])(q.dot(x))
    else:
        turned = q.dot(x)
    return turned[:, rng.sample(range(x.shape[1]), x.shape[1])]


def check(x, y):
    w = congruence_witness(x, y)
    assert w.is_exact and sorted(w.permutation) == list(range(x.shape[1]))
    assert (w.rotation.matrix @ w.x.select(columns=w.permutation.tolist())).equals(w.y)
    report = check_certificate(w.certificate)
    assert report.accepted, report.reason
    return w


def told_apart(x, y):
    with pytest.raises(CongruenceMismatch) as caught:
        congruence_witness(x, y)
    report = check_certificate(caught.value.certificate)
    assert report.accepted, report.reason
    return caught.value


def moved(y):
    """One point moved by 1/1000."""
    y = y.copy()
    y[0, y.shape[1] // 2] += sp.Rational(1, 1000)
    return y


@pytest.mark.parametrize("name", [name for name, n in SIZES.items() if n < 100])
def test_regular_polytopes(name):
    x = vertices(name)
    y = hidden(x, name)
    check(x, y)
    told_apart(x, moved(y))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["600-cell", "120-cell"])
def test_large_regular_polytopes(name):
    test_regular_polytopes(name)


@pytest.mark.parametrize("seed", range(20))
def test_generic_sets(seed):
    rng = random.Random(seed)
    d, n = rng.randint(1, 6), rng.randint(1, 12)
    x = np.array([[rng.randint(-9, 9) for _ in range(n)] for _ in range(d)], dtype=object)
    y = hidden(x, seed)
    check(x, y)
    told_apart(x, moved(y))


def symmetric_set(seed):
    """The orbits of a few points under signed permutations, some points twice."""
    rng = random.Random(seed)
    d = rng.randint(2, 4)
    points = []
    for _ in range(rng.randint(1, 3)):
        start = [rng.randint(0, 2) for _ in range(d)]
        kind = rng.choice(["signs", "cycle", "both"])
        orbit = {tuple(start[k:] + start[:k]) for k in range(d)} if kind != "signs" else {tuple(start)}
        if kind != "cycle":
            orbit = {
                tuple(s * v for s, v in zip(t, p, strict=True))
                for p in orbit
                for t in product((1, -1), repeat=d)
            }
        points += sorted(orbit) * rng.choice((1, 1, 2))
    return np.array(points, dtype=object).T


@pytest.mark.parametrize("seed", range(20))
def test_symmetric_sets(seed):
    x = symmetric_set(seed)
    y = hidden(x, seed)
    check(x, y)
    told_apart(x, moved(y))


def test_a_point_turned_on_its_sphere_is_told_apart():
    """All lengths agree: an inner product has to tell."""
    x = np.array([v for v in product((-1, 0, 1), repeat=4) if sum(map(abs, v)) == 2], dtype=object).T
    y = hidden(x, 1)
    c, s = Fraction(999_999, 1_000_001), Fraction(2_000, 1_000_001)
    k = int(np.flatnonzero(y[0])[0])
    y[0, k], y[1, k] = c * y[0, k] - s * y[1, k], s * y[0, k] + c * y[1, k]
    assert told_apart(x, y).base


def test_strongly_regular_graphs():
    """The Shrikhande graph and the rook's graph: 1-dimensional refinement cannot tell them apart."""
    cells = list(product(range(4), repeat=2))
    near = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
    shrikhande = [[int(((a - c) % 4, (b - d) % 4) in near) for a, b in cells] for c, d in cells]
    rook = [[int((a == c) != (b == d)) for a, b in cells] for c, d in cells]
    x, y = (np.array(m, dtype=object) + 3 * np.eye(16, dtype=int) for m in (rook, shrikhande))
    check(x, hidden(x, 3))
    assert len(told_apart(x, y).base) == 3


def test_more_columns_than_a_whole_gram_matrix_takes():
    rng = random.Random(4)
    x = np.array([[rng.randint(-99, 99) for _ in range(3000)] for _ in range(3)], dtype=object)
    x[:, 2900:] = x[:, :100]
    y = hidden(x, 4)
    check(x, y)
    y[0, 2] += 1
    with pytest.raises(CongruenceMismatch):
        congruence_witness(x, y)


@pytest.mark.parametrize(
    "x",
    [
        np.zeros((2, 3), dtype=object),
        np.zeros((2, 0), dtype=object),
        np.array([[1, -1, 2, 2]], dtype=object),
        np.array([[1, 2, 2], [1, 2, 2]], dtype=object),
        np.array([[1, 0, 0, 1], [0, 2, 0, 1], [0, 0, 3, 1]], dtype=object) * np.array([[1], [1], [-1]]),
    ],
    ids=["zero", "empty", "line", "rank one", "mirror image"],
)
def test_degenerate(x):
    check(x, hidden(x, 5))


def test_residues_that_collide_are_seen_through(monkeypatch):
    """With tiny primes different numbers share labels; the exact check and other primes mend it."""
    large = label_module.primes

    def small(field, start):
        return large(field, start=start if start < 2**31 - 1 else 31)

    monkeypatch.setattr(label_module, "primes", small)
    rng = random.Random(6)
    for seed in range(10):
        x = np.array([[rng.randint(-9, 9) for _ in range(7)] for _ in range(3)], dtype=object)
        check(x, hidden(x, seed))


def test_the_error_is_of_both_kinds():
    for kind in (GramMismatch, MultisetMismatch):
        with pytest.raises(kind, match="different lengths"):
            congruence_witness([[1, 2]], [[1, 3]])


@pytest.mark.parametrize("seed", range(5))
def test_floats(seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((3, 20)) if seed % 2 else np.array(vertices("24-cell"), dtype=float)
    q = np.linalg.qr(rng.standard_normal((x.shape[0],) * 2))[0]
    y = (q @ x)[:, rng.permutation(x.shape[1])]
    w = congruence_witness(x, y)
    assert not w.is_exact
    assert np.abs(w.Q @ x[:, w.permutation] - y).max() < 1e-13
    assert np.abs(w.apply(x) - y).max() < 1e-13
    assert check_certificate(w.certificate).accepted
    y[0, 0] += 1e-3
    with pytest.raises(CongruenceMismatch):
        congruence_witness(x, y)


def test_bad_input():
    with pytest.raises(ShapeError):
        congruence_witness([[1, 2]], [[1]])
    with pytest.raises(DomainError):
        congruence_witness([[1j]], [[1j]])
    with pytest.raises(DomainError):
        congruence_witness([[np.nan]], [[1.0]])
