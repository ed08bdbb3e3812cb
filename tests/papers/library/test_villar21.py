# ruff: noqa: E501
"""The review of "Scalars are universal": every row judged, every certificate accepted, failures and repairs by other means."""

from __future__ import annotations

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
    "od.scalars": "HOLDS PROVED",  # equal Gram matrices, one orbit
    "od.vectors": "HOLDS PROVED",
    "od.pairing": "HOLDS PROVED",
    "od.relations": "HOLDS DECIDED",  # V^T V has rank at most d
    "od.lengths": "FAILS EXACT",  # v . w and v . (-w) differ
    "od.lengths.repaired": "HOLDS PROVED",  # polarisation
    "sod.scalars": "FAILS EXACT",  # the determinant changes its sign
    "sod.scalars.repaired": "HOLDS PROVED",
    "sod.cross": "FAILS EXACT",  # a pseudovector
    "sod.cross.repaired": "HOLDS DECIDED",  # cofactors
    "sod.vectors": "HOLDS PROVED",
    "translation.scalars": "HOLDS PROVED",
    "translation.vectors": "FAILS EXACT",  # sum f_t (r_t + t) has (sum f_t) t in place of t
    "translation.vectors.repaired": "HOLDS PROVED",
    "translation.velocities": "HOLDS PROVED",
    "euclid.distances": "HOLDS PROVED",  # the law of cosines
    "permutation.vectors": "HOLDS PROVED",
    "example.energy": "HOLDS PROVED",
    "example.inertia": "HOLDS PROVED",
    "example.force": "HOLDS DECIDED",  # Lagrange's formula
    "lorentz.scalars": "HOLDS PROVED",
    "lorentz.vectors": "FAILS EXACT",  # a boost changes Euclidean lengths
    "lorentz.vectors.repaired": "HOLDS PROVED",
    "lorentz.orbits": "FAILS EXACT",  # a null vector is not 0
    "lorentz.orbits.repaired": "HOLDS PROVED",  # a reflection
}


@pytest.fixture(scope="module")
def rows(request):
    return rows_of("villar21", FOUND, request.config)


def test_every_statement_is_listed():
    require_statements("villar21", FOUND)


def test_what_is_found(rows):
    require_found(rows, FOUND)


def test_what_fails_is_repaired(rows):
    require_repaired("villar21", rows)


def test_every_certificate_is_accepted(rows):
    require_accepted(rows)


# -- by NumPy alone ----------------------------------------------------------------------------------------

ETA = np.diag([1.0, -1, -1, -1])


def boost(rapidity):
    g = np.eye(4)
    g[:2, :2] = [[np.cosh(rapidity), np.sinh(rapidity)], [np.sinh(rapidity), np.cosh(rapidity)]]
    return g


def test_a_boost_keeps_minkowski_products_and_changes_euclidean_ones():
    V, g = np.random.default_rng(1).normal(size=(4, 3)), boost(0.7)
    assert np.allclose((g @ V).T @ ETA @ (g @ V), V.T @ ETA @ V)
    assert abs((g @ V) @ ((g @ V).T @ (g @ V)).sum(0) - g @ V @ (V.T @ V).sum(0)).max() > 0.1
    f = V @ (V.T @ ETA @ V).sum(0)
    assert np.allclose((g @ V) @ ((g @ V).T @ ETA @ (g @ V)).sum(0), g @ f)


def test_a_null_vector_has_the_product_of_zero_and_another_orbit():
    null = np.array([1.0, 1, 0, 0])
    assert null @ ETA @ null == 0
    for rapidity in (-3, 0.5, 3):
        assert abs(boost(rapidity) @ null).max() > 0


def test_a_reflection_along_the_difference():
    v, w = np.array([2.0, 1, 0, 0]), boost(0.9) @ [2.0, 1, 0, 0]
    u = v - w
    assert np.allclose(v - 2 * (u @ ETA @ v) / (u @ ETA @ u) * u, w)


def test_the_force_is_that_of_its_mirror_image():
    rng = np.random.default_rng(2)
    r, v, w = rng.normal(size=(3, 3))
    Q = np.diag([1.0, 1, -1])
    twice = np.cross(v, np.cross(w, r))
    assert np.allclose(np.cross(Q @ v, np.cross(Q @ w, Q @ r)), Q @ twice)
    assert np.allclose(twice, w * (v @ r) - r * (v @ w))
    assert not np.allclose(np.cross(Q @ v, Q @ w), Q @ np.cross(v, w))


# -- one sign, index or name changed -----------------------------------------------------------------------

#: id, file, text, what takes its place, shared file, outcome then.
FLIPS = [
    ("od.relations", "od_relations", "{d} {d + 1} -> ()", "{d} {d} -> ()", "", "FAILS"),
    ("od.pairing", "od_pairing", "h(V) @ w", "(h(V) * w * w).sum()", "", "FAILS"),
    ("od.lengths", "od_lengths", "v @ (-w), ", "(-v) @ (-w), ", "", "HOLDS"),
    ("sod.vectors", "sod_vectors", 'under="SO(3)"', 'under="O(3)"', "", "FAILS"),
    ("translation.scalars", "translation_scalars", "R[1:] - R[:1]", "R[1:] + R[:1]", "", "FAILS"),
    ("translation.velocities", "translation_velocities", "V: m d^ -> d", "V: m d -> d", "", "FAILS"),
    ("euclid.distances", "euclid_distances", "- (a - b)", "+ (a - b)", "", "FAILS"),
    ("example.inertia", "example_inertia", "- (m @ R) / m.sum()", "- m @ R", "", "FAILS"),
    ("example.force", "example_force", "np.cross(v, np.cross(w, apart))", "np.cross(v, apart)", "", "FAILS"),
    ("lorentz.scalars", "lorentz_scalars", "V.T @ ETA @ V", "V.T @ V", "", "FAILS"),
    ("lorentz.vectors", "lorentz_vectors", "(V.T @ V).sum(0)", "(V.T @ ETA @ V).sum(0)", "", "HOLDS"),
    ("lorentz.orbits", "lorentz_orbits", "(0, 1), (1, 1))", "(0, 1), (2, 1))", "", "HOLDS"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "shared", "outcome"), FLIPS, ids=[f"{f[0]}: {f[3]}" for f in FLIPS]
)
def test_a_flip_changes_the_outcome(name, file, old, new, shared, outcome):
    changed = flipped(file, old, new, shared, of="villar21")
    found = review(changed, budget=20)
    assert str(found[f"villar21.{name}"].outcome) == outcome, found[f"villar21.{name}"].reason
