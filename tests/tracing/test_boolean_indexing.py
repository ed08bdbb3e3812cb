"""Entries that a mask of the inputs picks: what may be asked of all of them, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import pdist

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

X = "X: n d -> ()"


def around_the_median(x: Any) -> Any:
    """Statistics of the entries near the median."""
    gap = np.abs(x - np.median(x))
    kept = x[gap <= 3 * np.median(gap)]
    return (
        kept.mean() + kept.std() + kept.max() - np.min(kept) + len(kept) + np.var(kept) * kept.size
    )


def logarithms(x: Any) -> Any:
    """Logarithms of the positive entries, 0 for the others."""
    y = np.zeros(x.shape)
    positive = x > 0
    y[positive] = np.log(x[positive]) - 1
    return y


def changed_later(x: Any) -> Any:
    """What was picked stays, whatever becomes of the mask and the array."""
    y = x.copy()
    positive = y > 0
    kept = y[positive]
    positive[:] = False
    y[y > 0] = 5.0
    return kept.sum() + y.sum()


def sum_of_sums_of_rows(points: Any) -> Any:
    """The sum over the picked rows of the sums of their entries."""
    return points[points[:, 0] > 0].sum(axis=1).sum()


def mean_distance(points: Any) -> Any:
    """The mean of the distances that are not 0."""
    distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    return distances[distances > 0].mean()


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (around_the_median, "x: n -> ()", "S(n)"),
        (logarithms, "x: n -> n", "S(n)"),
        (changed_later, "x: n -> ()", "S(n)"),
        (mean_distance, "P: n d -> ()", "S(n) x E(d)"),
        (lambda X, m: X[m].mean(axis=0), "X: n d, m[bool]: n -> d", "S(n) x O(d)"),
        (lambda x, m: 2 * x[m].sum() / x[m].shape[0], "x: n, m[bool]: n -> ()", "S(n)"),
        (sum_of_sums_of_rows, X, "S(n)"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_right_functions_of_picked_entries_are_proved(f: Any, signature: str, under: str) -> None:
    assert_proved(f, signature, under)


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (lambda X, m: X[m].max(axis=0), "X: n d, m[bool]: n -> d", "O(d)"),
        (lambda x, m: x[np.roll(m, 1)].sum(), "x: n, m[bool]: n -> ()", "S(n)"),
        (lambda X: X[X[:, 0] > 0].sum(), X, "E(d)"),
        (sum_of_sums_of_rows, X, "S(d)"),
    ],
)
def test_wrong_functions_of_picked_entries_are_refuted(f: Any, signature: str, under: str) -> None:
    assert_refuted(f, signature, under, grades=("EXACT",))


def test_which_entry_is_the_first_is_seen_in_floats_alone() -> None:
    verdict = ep.check(lambda x: x[x > 0][0], "x: n -> ()", "S(n)")
    assert verdict.fails and verdict.grade == "OBSERVED", str(verdict)


@pytest.mark.parametrize("axis", [None, 0])
@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "var", "std"])
def test_reductions_are_those_of_numpy(name: str, axis: int | None) -> None:
    reduction = getattr(np, name)
    signature = parse_signature(f"X: n d, m[bool]: n -> {'d' if axis == 0 else '()'}")
    program = trace_all_sizes(lambda X, m: reduction(X[m] * 2 - 1, axis), signature).program
    rng = np.random.default_rng(3)
    for n, d in ((1, 1), (2, 3), (6, 2)):
        points, mask = rng.normal(size=(n, d)), np.arange(n) % 2 == 0
        found = evaluate_float(program, {"X": points, "m": mask}, {"n": n, "d": d})
        assert np.allclose(found, reduction(points[mask] * 2 - 1, axis), rtol=1e-12, atol=1e-12)


def test_sums_of_rows_are_those_of_numpy() -> None:
    program = trace_all_sizes(sum_of_sums_of_rows, parse_signature(X)).program
    rng = np.random.default_rng(3)
    for n, d in ((1, 1), (2, 3), (6, 2)):
        points = rng.normal(size=(n, d))
        found = evaluate_float(program, {"X": points}, {"n": n, "d": d})
        assert np.isclose(found, sum_of_sums_of_rows(points), rtol=1e-12, atol=1e-12)


def test_where_none_is_picked_there_is_no_mean_and_no_largest_entry() -> None:
    for f in (lambda x: x[x > 0].mean(), lambda x: x[x > 0].max()):
        program = trace_all_sizes(f, parse_signature("x: n -> ()")).program
        assert np.isnan(evaluate_float(program, {"x": -np.ones(3)}, {"n": 3}))


@pytest.mark.parametrize(
    "f",
    [
        lambda X: X[X[:, 0] > 0][0].sum(),
        lambda X: np.sort(X[X > 0]).sum(),
        lambda X: (X[X > 0] + X[X > 1]).sum(),
        lambda X: (X[X > 0] * np.arange(3)).sum(),
        lambda X: sum(row.sum() for row in X[X[:, 0] > 0]),
        lambda X: np.asarray(X[X > 0]).sum(),
        lambda X: X[X[0] > 0].sum(),
        lambda X: X[(X > 0)[:, :1]].sum(),
        lambda X: X[X > 0] @ X[X > 0],
    ],
)
def test_what_asks_for_single_entries_is_refused(f: Any) -> None:
    with pytest.raises(TraceError):
        trace_all_sizes(f, parse_signature(X))


def _squares(X: Any) -> Any:
    return ((X[:, None] - X[None]) ** 2).sum(-1)


def bandwidth(X: Any) -> Any:
    """The median heuristic of kernels."""
    d = _squares(X)
    return np.exp(-d / np.median(d[d > 0])).sum()


def pairs_in_bins(X: Any) -> Any:
    return np.histogram(pdist(X), bins=4, range=(0, 4.0))[0]


def similar(X: Any, Y: Any) -> Any:
    return np.corrcoef(pdist(X), pdist(Y))[0, 1]


@pytest.mark.parametrize("count", [1, 2, 5, 6])
def test_the_values_of_medians_counts_and_correlations(count: int) -> None:
    rng = np.random.default_rng(count)
    x, X, Y = (
        rng.normal(size=2 * count + 3),
        rng.normal(size=(count + 3, 2)),
        rng.normal(size=(count + 3, 2)),
    )
    cases: list[tuple[Any, str, dict[str, Any]]] = [
        (lambda x: np.median(x[x > 0]), "x: n -> ()", {"x": x}),
        (pairs_in_bins, "X: n 2 -> 4", {"X": X}),
        (similar, "X: n 2, Y: n 2 -> ()", {"X": X, "Y": Y}),
        (lambda X: np.median(pdist(X)), "X: n 2 -> ()", {"X": X}),
    ]
    for f, signature, given in cases:
        parsed = parse_signature(signature)
        trace = trace_all_sizes(f, parsed, {})
        sizes = {"n": len(next(iter(given.values())))}
        np.testing.assert_allclose(
            evaluate_float(trace.program, given, sizes), f(*given.values()), rtol=1e-9
        )


def test_medians_counts_and_correlations_are_proved() -> None:
    assert_proved(bandwidth, X, "S(n) x E(d)", sizes={"n": (2, 6)})
    assert_proved(pairs_in_bins, "X: n d -> 4", "S(n) x E(d)")
    assert_proved(similar, "X: n d, Y: n k -> ()", "S(n) x E(d)", sizes={"n": (3, 6)})


def test_medians_counts_and_correlations_of_what_moves_are_refuted() -> None:
    assert_refuted(lambda X: np.median(X[:, 0][X[:, 0] > 0]), X, "O(d)", sizes={"d": 2})
    assert_refuted(
        lambda X: bandwidth(X * np.arange(1, len(X) + 1)[:, None]), X, "S(n)", sizes={"n": (3, 4)}
    )
    assert_refuted(pairs_in_bins, "X: n d -> 4", "Scale(d)", sizes={"n": (2, 3)})


def clipped(X: Any) -> Any:
    gaps = pdist(X, "sqeuclidean")
    np.clip(gaps, 0.5, 2.0, gaps)
    return np.exp(-np.clip(gaps, None, 1.5)).sum() + np.nan_to_num(gaps).sum()


def clipped_by_place(X: Any) -> Any:
    positive = X[X.sum(1) > 0]
    return np.clip(positive, 0.0, np.arange(X.shape[1])).sum()


def test_the_class_of_what_is_picked_is_known() -> None:
    assert_proved(lambda X: X[X > 0].sum() if isinstance(X[X > 0], np.ndarray) else X[0, 0], X, "S(n)")


def test_functions_of_entries_that_are_picked() -> None:
    assert_proved(clipped, X, "E(d) x S(n)")
    assert_refuted(clipped, X, "GL(d)")
    assert ep.check(clipped_by_place, X, "S(n)").grade in ("PROVED", "DECIDED")
    assert_refuted(clipped_by_place, X, "S(d)")


def test_entries_that_are_picked_are_cast() -> None:
    assert_proved(lambda X: X[X[:, 0] > 0].astype(float).sum(0), "X: n d -> d", "S(n)")
    assert_proved(lambda X: X[X > 0].astype(bool).sum(), X, "S(n)")
    assert_refuted(lambda X: X[X[:, 0] > 0].astype(np.float64).sum(0), "X: n d -> d", "S(d)")
