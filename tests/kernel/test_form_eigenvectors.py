"""Eigenvectors as further arguments of programs in forms: every change of one field, and near misses."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import check_certificate
from tests.kernel.corpus import JSON, edited, reseal
from tests.kernel.form_values import value
from tests.kernel.mutate import is_accepted, mutants
from tests.kernel.oracle import is_equivariant
from tests.sampling import OneIn

Case = tuple[Callable[..., Any], str, str]


def columns(X: Any) -> Any:
    return np.linalg.eigh(X.T @ X)[1]


def batched(X: Any) -> Any:
    return np.abs(X @ np.linalg.eigh(np.swapaxes(X, 1, 2) @ X)[1])


def twice(X: Any) -> Any:
    Y = np.abs(X @ columns(X))
    return np.abs(Y @ columns(Y))


CASES: dict[str, Case] = {
    "coordinates": (lambda X: np.abs(X @ columns(X)), "X: n d -> n d!", "O(d) x S(n)"),
    "one column": (lambda X: np.abs(X @ columns(X)[:, 0]), "X: n d -> n", "O(d)"),
    "centred": (lambda X: np.abs((X - X.mean(0)) @ columns(X - X.mean(0))), "X: n d -> n d!", "T(d) x S(n)"),
    "of each": (batched, "X: b n d -> b n d!", "O(d) each b"),
    "of what others make": (twice, "X: n d -> n d!", "O(d)"),
    "multiples": (lambda X: columns(X)[:, 0] ** 2, "X: n d -> d!", "Scale(d)"),
}


def proof(name: str) -> JSON:
    certificate: Any = ep.check(*CASES[name], generic=True).certificate
    assert "eigenvectors" in certificate["forms"]
    return dict(certificate)


def is_true(data: JSON, rng: random.Random) -> bool:
    """Whether the claim stands tests with random signs; one element for all entries."""
    claim, forms = data["claim"], data["forms"]
    one = [{k: v for k, v in factor.items() if k != "each"} for factor in claim["group"]]
    return is_equivariant({**claim, "group": one}, lambda *at: value(forms, claim, *at), rng)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CASES)
def test_a_changed_field_is_rejected_or_still_true(name: str, one_in: OneIn[Any]) -> None:
    data, rng = proof(name), random.Random(name)
    assert is_accepted(data) and is_true(data, rng)
    seen = dict.fromkeys((False, True), 0)
    for _, other in one_in(4, mutants(data)):
        changed = reseal(other)
        good = is_accepted(changed)
        seen[good] += 1
        assert not good or is_true(changed, rng), changed
    assert seen[False] > 100 and seen[True] < seen[False] / 5, seen


def kinds(data: JSON, name: str) -> list[int]:
    return [k for k, (_, form, *_) in enumerate(data["forms"]["kinds"]) if form == name]


def test_signs_that_matter() -> None:
    """Without the absolute values the coordinates are not invariant under flips of signs."""
    data = proof("coordinates")
    (k,) = kinds(data, "Map")
    number = data["forms"]["functions"].index("abs")
    changed = edited(data, (["forms", "functions", number], "exp"))
    assert not all(is_true(changed, random.Random(seed)) for seed in range(12))  # signs may agree by chance
    assert not is_accepted(changed)
    assert data["forms"]["kinds"][k][2] == number


def test_eigenvectors_of_other_matrices() -> None:
    """Of a matrix that is not that of the proof: of a line after, of no square, of one that turns."""
    data = proof("coordinates")
    (vectors,) = data["forms"]["eigenvectors"]
    for matrix in range(-1, len(data["forms"]["lines"]) + 1):
        changed = edited(data, (["forms", "eigenvectors", 0, "matrix"], matrix))
        assert is_accepted(changed) is (matrix == vectors["matrix"]), matrix


def test_the_points_at_which_eigenvalues_coincide_are_left_out() -> None:
    data = proof("coordinates")
    (point,) = data["claim"]["points"]
    assert point["mark"] == 0
    for points in ([], [point, point], [{**point, "mark": 1}], [{**point, "kind": "ties", "mark": "x"}]):
        assert not is_accepted(edited(data, (["claim", "points"], points)))
    report = check_certificate(data)
    assert "the eigenvectors 0 are those of the function wherever" in " ".join(report.rests_on)
    assert "the rule for eigenvectors" in report.rests_on


def test_matrices_that_a_translation_moves() -> None:
    """Of points that are not centred the eigenvectors are others after a translation."""
    data = proof("centred")
    assert is_accepted(data)
    plain = proof("coordinates")
    claim, factors = plain["claim"], plain["evidence"]["factors"]
    moved = edited(
        plain, (["claim", "group"], [{"family": "T", "axis": "d"}, claim["group"][1]]),
        (["evidence", "factors"], [{"family": "T", "axis": "d"}, factors[1]]),
    )  # fmt: skip
    assert not is_true(moved, random.Random(0)) and not is_accepted(moved)


def test_matrices_of_several_entries_have_signs_of_their_own() -> None:
    """A mean of projections is one value for all flips; a product of two columns of two matrices is not."""

    def crossed(X: Any) -> Any:
        V = np.linalg.eigh(np.swapaxes(X, 1, 2) @ X)[1]
        return np.einsum("bik,cik->bc", V, V)

    assert not ep.check(crossed, "X: b n d -> b b", "O(d)", budget=3).grade == "PROVED"
