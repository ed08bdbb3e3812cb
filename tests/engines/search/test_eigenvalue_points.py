"""Points at which eigenvalues of the matrices coincide that a Program takes apart."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from eqvproof.claims import domains
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.search.compared_values import Values
from eqvproof.engines.search.eigenvalue_points import eigenvalue_points, matrices
from eqvproof.programs.evaluate.floats import nearest_float
from eqvproof.tracing.numpy.trace import trace_all_sizes

Function = Callable[..., Any]


def laplacian(A: Any) -> Any:
    return np.diag(A.sum(1)) - A


#: Function, signature, sizes, the matrix that it takes apart.
TAKEN: list[tuple[Function, str, dict[str, int], Function]] = [
    (lambda X: np.linalg.eigvalsh(X.T @ X), "X: n d -> d", {"n": 3, "d": 2}, lambda X: X.T @ X),
    (lambda X: X @ np.linalg.eigh(X.T @ X)[1], "X: n d -> n d", {"n": 3, "d": 3}, lambda X: X.T @ X),
    (lambda A: np.linalg.eigvalsh(A + A.T), "A: n n -> n", {"n": 3}, lambda A: A + A.T),
    (lambda A: np.linalg.eigh(laplacian(A + A.T))[1] ** 2, "A: n n -> n n", {"n": 4},
     lambda A: laplacian(A + A.T)),
    (lambda X, w: np.linalg.eigvalsh((X * w[:, None]).T @ X), "X: n d, w: n -> d", {"n": 2, "d": 2},
     lambda X, w: (X * w[:, None]).T @ X),
    (lambda X: np.linalg.eigvalsh((X - X.mean(0)).T @ (X - X.mean(0))), "X: n d -> d", {"n": 4, "d": 2},
     lambda X: (X - X.mean(0)).T @ (X - X.mean(0))),
]  # fmt: skip
each_case = pytest.mark.parametrize("case", range(len(TAKEN)))


@each_case
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_eigenvalues_coincide(case: int, seed: int) -> None:
    function, text, sizes, matrix = TAKEN[case]
    signature = parse_signature(text)
    program = trace_all_sizes(function, signature).program
    found = list(eigenvalue_points(program, signature, sizes, seed, 8))
    assert len(found) >= 2
    for point in found:
        assert all(type(v) is Fraction for a in point.values() for v in a.flat)
        values = np.linalg.eigvalsh(
            matrix(*(np.vectorize(nearest_float, otypes=[float])(point[a.name]) for a in signature.inputs))
        )
        assert np.min(np.diff(values)) <= 1e-8 * np.max(np.abs(values))
        assert np.max(np.abs(values)) > 0


@each_case
def test_points_depend_on_the_seed_alone(case: int) -> None:
    function, text, sizes, _ = TAKEN[case]
    signature = parse_signature(text)
    program = trace_all_sizes(function, signature).program
    first, again = (list(eigenvalue_points(program, signature, sizes, 5, 6)) for _ in range(2))
    assert [{n: a.tolist() for n, a in p.items()} for p in first] == [
        {n: a.tolist() for n, a in p.items()} for p in again
    ]


def test_what_takes_no_matrix_apart_has_no_such_points() -> None:
    signature = parse_signature("X: n d -> d d")
    program = trace_all_sizes(lambda X: X.T @ X, signature).program
    assert matrices(program) == [] and not Values(program, {"n": 2, "d": 2}, None, matrices).targets
    assert list(eigenvalue_points(program, signature, {"n": 2, "d": 2})) == []


def test_points_stay_in_the_domain() -> None:
    function, text, sizes, _ = TAKEN[1]
    signature = parse_signature(text)
    program = trace_all_sizes(function, signature).program
    full = domains.full_column_rank
    found = list(eigenvalue_points(program, signature, sizes, allowed=full))
    assert found and all(full(p) for p in found)
    everything = list(eigenvalue_points(program, signature, sizes, count=100))
    assert not all(full(p) for p in everything)


def test_matrices_of_one_row_have_one_eigenvalue() -> None:
    function, text, _, _ = TAKEN[0]
    signature = parse_signature(text)
    program = trace_all_sizes(function, signature).program
    assert list(eigenvalue_points(program, signature, {"n": 3, "d": 1})) == []
