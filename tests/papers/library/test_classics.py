# ruff: noqa: E501
"""The review of the classics: every row judged, every certificate accepted, each failure and its repair by other means."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest

from eqvproof.papers.library import review
from tests.papers.library.flips import flipped
from tests.papers.library.rows import (
    require_accepted,
    require_found,
    require_repaired,
    require_statements,
    rows_of,
)

#: Judging all rows takes seconds; a plain run judges those of `test_my23`.
pytestmark = pytest.mark.slow

#: What the statements are found to be, with the reason. Nothing of this stands in the library.
FOUND = {
    "deepsets.layer": "HOLDS PROVED",  # a maximum over rows, matrices from the right, a function of entries
    "deepsets.linear": "HOLDS DECIDED",  # the commutant of the permutations is spanned by I and 1 1^T
    "deepsets.set": "FAILS EXACT",  # 2 phi(a) + phi(b) is not phi(a) + 2 phi(b)
    "deepsets.set.repaired": "HOLDS DECIDED",  # max(p, p, q) = max(p, q, q)
    "deepsets.one-sum": "FAILS EXACT",  # 0 + 3 = 1 + 2
    "deepsets.one-sum.repaired": "HOLDS PROVED",  # Vieta
    "wagstaff.enough": "HOLDS DECIDED",  # Newton's identities
    "wagstaff.fewer": "FAILS EXACT",  # Prouhet, Tarry and Escott
    "wagstaff.fewer.repaired": "HOLDS DECIDED",  # Newton's identities
    "pointnet.invariant": "HOLDS PROVED",
    "pointnet.segmentation": "HOLDS PROVED",
    "pointnet.critical": "HOLDS DECIDED",  # one point that attains the maximum for each of K features
    "pointnet.multiplicities": "FAILS EXACT",  # max(p, p, q) = max(p, q, q)
    "pointnet.multiplicities.repaired": "HOLDS DECIDED",  # the sum holds the multiplicities
    "pointnet.transform": "FAILS EXACT",  # a maximum of coordinates depends on the axes
    "pointnet.transform.repaired": "HOLDS PROVED",  # Q Q^T = I
    "janossy.orders": "HOLDS DECIDED",  # permutations form a group
    "janossy.pairs": "HOLDS PROVED",
    "janossy.two-from-one": "FAILS EXACT",  # 2 x y + 2 u v is not 2 x v + 2 u y
    "janossy.two-from-one.repaired": "HOLDS PROVED",  # the square of a sum
    "janossy.sorting": "FAILS EXACT",  # equal first coordinates
    "janossy.sorting.repaired": "HOLDS PROVED",
    "settransformer.sab": "HOLDS PROVED",
    "settransformer.isab": "HOLDS PROVED",
    "settransformer.seeds": "FAILS EXACT",  # the seeds are the rows of the result
    "settransformer.seeds.repaired": "HOLDS PROVED",
    "settransformer.mean": "HOLDS PROVED",
    "settransformer.counts": "FAILS EXACT",  # a common factor of numerator and denominator
    "settransformer.counts.repaired": "HOLDS PROVED",
    "settransformer.positions": "FAILS ENCLOSED",  # equal elements have different values
    "settransformer.positions.repaired": "HOLDS PROVED",
    "egnn.coordinates": "HOLDS PROVED",
    "egnn.features": "HOLDS PROVED",
    "egnn.velocities": "HOLDS PROVED",
    "egnn.mirror": "FAILS EXACT",  # distances are those of the mirror image
    "egnn.mirror.repaired": "HOLDS DECIDED",  # det(X Q) = det(X) det(Q)
    "egnn.absolute": "FAILS EXACT",  # x + t + (x + t) phi, and not x + x phi + t
    "egnn.absolute.repaired": "HOLDS PROVED",
    "vectors.linear": "HOLDS PROVED",
    "vectors.bias": "FAILS EXACT",  # b is not b Q
    "vectors.bias.repaired": "HOLDS PROVED",
    "vectors.relu": "HOLDS PROVED",
    "vectors.coordinate-relu": "FAILS EXACT",  # a quarter turn changes one sign
    "vectors.coordinate-relu.repaired": "HOLDS PROVED",
    "vectors.invariant": "HOLDS PROVED",
    "vectors.batchnorm": "HOLDS PROVED",
    "norm.layer": "FAILS EXACT",  # the mean of the coordinates is not invariant
    "norm.layer.repaired": "HOLDS PROVED",
    "norm.gain": "FAILS ENCLOSED",  # diag(gain) does not commute with rotations
    "norm.gain.repaired": "HOLDS PROVED",
    "norm.batch": "FAILS ENCLOSED",  # neither does the diagonal of a covariance
    "norm.batch.repaired": "HOLDS PROVED",
}


@pytest.fixture(scope="module")
def rows(request):
    return rows_of("classics", FOUND, request.config)


def test_every_statement_is_listed():
    require_statements("classics", FOUND)
    assert sum(not name.endswith(".repaired") for name in FOUND) >= 30


def test_what_is_found(rows):
    require_found(rows, FOUND)


def test_what_fails_is_repaired(rows):
    require_repaired("classics", rows)


def test_every_certificate_is_accepted(rows):
    require_accepted(rows)


# -- by NumPy alone ----------------------------------------------------------------------------------------

RNG = np.random.default_rng(5)


def rotation(d, mirror=False):
    Q = np.linalg.qr(RNG.normal(size=(d, d)))[0]
    Q[0] *= np.sign(np.linalg.det(Q)) * (-1 if mirror else 1)
    return Q


def softmax(x):
    weights = np.exp(x)
    return weights / weights.sum(-1, keepdims=True)


def test_two_multisets_with_the_same_power_sums(rows):
    def first():
        seen = {}
        for X in combinations_with_replacement(range(7), 3):
            sums = sum(X), sum(x * x for x in X)
            if sums in seen:
                return seen[sums], X
            seen[sums] = X
        return None

    assert all(f"{[*X]}" in rows["wagstaff.fewer"].reason for X in first())


def test_all_linear_maps_of_sets_by_floats():
    for n, c, e in ((2, 1, 1), (3, 1, 2), (3, 2, 2)):
        equations = []
        for p in permutations(range(n)):
            P = np.eye(n)[list(p)]
            S, T = np.kron(P, np.eye(c)), np.kron(P, np.eye(e))
            equations.append(np.kron(T, np.eye(n * c)) - np.kron(np.eye(n * e), S.T))
        nullity = n * n * c * e - np.linalg.matrix_rank(np.concatenate(equations))
        assert nullity == 2 * c * e


def test_norms_of_coordinates_do_not_rotate():
    X, Q, eps = RNG.normal(size=(5, 3)), rotation(3), 0.1

    def layer(X):
        Y = X - X.mean(1, keepdims=True)
        return Y / np.sqrt((Y * Y).mean(1, keepdims=True) + eps)

    def batch(X):
        return (X - X.mean(0)) / np.sqrt(X.var(0) + eps)

    def gain(X):
        return np.array([1, 2, 3]) * X / np.sqrt((X * X).mean(1, keepdims=True) + eps)

    def by_length(X):
        Y = X - X.mean(0)
        return Y / np.sqrt((Y * Y).sum(1).mean() + eps)

    for f in (layer, batch, gain):
        assert abs(f(X @ Q) - f(X) @ Q).max() > 1e-2
    assert np.allclose(by_length(X @ Q + 1), by_length(X) @ Q)


def test_distances_do_not_see_a_mirror_and_volumes_do():
    X, Q = RNG.normal(size=(4, 3)), rotation(3, mirror=True)
    Y = X @ Q
    distances = [np.linalg.norm(Z[:, None] - Z[None], axis=2) for Z in (X, Y)]
    assert np.allclose(*distances)
    assert np.isclose(np.linalg.det(X[:3] - X[3:]), -np.linalg.det(Y[:3] - Y[3:]))


def test_vector_relu_rotates_and_that_of_coordinates_does_not():
    V, W, U = RNG.normal(size=(4, 3)), RNG.normal(size=(6, 4)), RNG.normal(size=(6, 4))
    Q = rotation(3)

    def relu(V):
        q, k = W @ V, U @ V
        inner = (q * k).sum(1, keepdims=True)
        return np.where(inner >= 0, q, q - inner * k / (k * k).sum(1, keepdims=True))

    assert np.allclose(relu(V @ Q), relu(V) @ Q)
    assert abs(np.maximum(V @ Q, 0) - np.maximum(V, 0) @ Q).max() > 1e-2


def test_attention_cannot_count_and_sees_positions():
    X, q = RNG.normal(size=(3, 2)), RNG.normal(size=2)
    twice = np.concatenate([X, X])
    assert np.allclose(softmax(twice @ q) @ twice, softmax(X @ q) @ X)
    positions = np.arange(3)[:, None] * np.ones((1, 2))
    Y = np.ones((3, 2)) + positions
    assert abs(np.diff(softmax(Y @ Y.T / np.sqrt(2)) @ Y, axis=0)).max() > 1e-4


# -- one sign, index or name changed -----------------------------------------------------------------------

#: id, file, text, what takes its place, shared file, outcome then.
FLIPS = [
    ("deepsets.layer", "deepsets_layer", "X.max(0, keepdims=True)", "X[:1]", "", "FAILS"),
    ("deepsets.linear", "deepsets_linear", "np.ones((n, n), dtype=int)", "np.tri(n, dtype=int)", "", "FAILS"),
    ("deepsets.linear", "deepsets_linear", "product((one, np.ones((n, n), dtype=int)), units)", "product((one,), units)", "", "FAILS"),
    ("deepsets.one-sum", "deepsets_one_sum", "power_sums(X, 1)", "power_sums(X, 2)", "", "HOLDS"),
    ("wagstaff.fewer", "wagstaff_fewer", "len(X) - 1", "len(X) + 0", "", "HOLDS"),
    ("pointnet.invariant", "pointnet_invariant", "max(0)", "cumsum(0)[0]", "", "FAILS"),
    ("pointnet.critical", "pointnet_critical", "[list(points)]", "[[points[0]] * K]", "", "FAILS"),
    ("janossy.pairs", "janossy_pairs", "of_pairs(X, s).sum((0, 1))", "of_pairs(X, s)[0].sum(0)", "", "FAILS"),
    ("janossy.orders", "janossy_orders", "permutations(range(3))", "list(permutations(range(3)))[:5]", "", "FAILS"),
    ("settransformer.sab", "settransformer_sab", "mab(X, X, *w)", "mab(X, X[:1] + X, *w)", "", "FAILS"),
    ("settransformer.isab", "settransformer_isab", "-> n c", "-> n! c", "", "FAILS"),
    ("settransformer.mean", "settransformer_mean", "np.zeros(", "np.ones(", "", "FAILS"),
    ("egnn.coordinates", "egnn_coordinates", "X + push", "push", "", "FAILS"),
    ("egnn.coordinates", "egnn_coordinates", "X[:, None] - X[None]", "X[:, None] + X[None]", "messages", "FAILS"),
    ("egnn.features", "egnn_features", "(differences * differences).sum(2)", "differences.sum(2)", "messages", "FAILS"),
    ("egnn.mirror", "egnn_mirror", "(differences * differences).sum(2)", "differences.sum(2)", "messages", "HOLDS"),
    ("vectors.linear", "vectors_linear", "W @ V", "W @ V + 1", "", "FAILS"),
    ("vectors.relu", "vectors_relu", "(k * k).sum(1, keepdims=True)", "(k * k)", "", "FAILS"),
    ("vectors.invariant", "vectors_invariant", "V @ (W @ V).T", "V[:, :1] @ (W @ V)[:, :1].T", "", "FAILS"),
    ("vectors.batchnorm", "vectors_batchnorm", "sqrt((V * V).sum(2, keepdims=True))", "abs(V)", "", "FAILS"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "shared", "outcome"), FLIPS, ids=[f"{f[0]}: {f[3]}" for f in FLIPS]
)
def test_a_flip_changes_the_outcome(name, file, old, new, shared, outcome):
    changed = flipped(file, old, new, shared, of="classics")
    found = review(changed, budget=20)
    assert str(found[f"classics.{name}"].outcome) == outcome, found[f"classics.{name}"].reason
