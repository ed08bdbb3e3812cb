"""Index arrays as arguments of JAX functions: looked up, summed at, compared; and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.support.errors import TraceError
from tests.judged import assert_proved, assert_refuted

jax = pytest.importorskip("jax", reason="JAX is not installed")
jnp = pytest.importorskip("jax.numpy")

EDGES = "X: n d, E[n]: 2 m -> n d"


def gcn(X: Any, E: Any) -> Any:
    return jnp.zeros_like(X).at[E[0]].add(X[E[1]])


def messages(X: Any, E: Any) -> Any:
    return jax.ops.segment_sum(jnp.tanh(X[E[1]] - X[E[0]]), E[0], num_segments=X.shape[0])


def normalised(X: Any, E: Any) -> Any:
    degree = jnp.zeros(X.shape[0]).at[E[0]].add(jnp.ones(E.shape[1]))
    return X / (1 + degree)[:, None]


def hot(X: Any, E: Any) -> Any:
    return jax.nn.one_hot(E[0], X.shape[0]).T @ X[E[1]]


RIGHT = {
    "sums at positions": (gcn, EDGES, "S(n) x S(m) x O(d)"),
    "segment sums": (messages, EDGES, "S(n) x S(m)"),
    "degrees": (normalised, EDGES, "S(n) x S(m)"),
    "one-hot vectors": (hot, EDGES, "S(n) x S(m)"),
    "greatest neighbours": (lambda X, E: X.at[E[0]].max(X[E[1]]), EDGES, "S(n) x S(m)"),
    "columns": (lambda X, k: X[:, k], "X: d n, k[n]: m -> d m", "S(n) x S(m) x O(d)"),
    "entries": (lambda A, E: A[E[0], E[1]], "A: n n, E[n]: 2 m -> m", "S(n) x S(m)"),
    "entries apart": (lambda A, E: A[E[0], :, E[1]], "A: n k n, E[n]: 2 m -> m k", "S(n) x S(m)"),
    "added to entries": (lambda A, E: A.at[E[0], E[1]].add(1.0), "A: n n, E[n]: 2 m -> n n", "S(n) x S(m)"),
}


def before(X: Any) -> Any:
    return X[jnp.clip(jnp.arange(X.shape[0]) - 1, 0, X.shape[0] - 1)]


def test_positions_that_are_clipped() -> None:
    """Those in an axis are what they were; counted ones are known at every size."""
    signature = "X: n d, k[n]: m -> m d"
    assert_proved(lambda X, k: X[jnp.clip(k, 0, X.shape[0] - 1)], signature, "S(n) x S(m)", backend="jax")
    assert ep.check(lambda X, k: X[jnp.clip(k, 1)], signature, "S(n)", backend="jax").fails
    assert_proved(before, "X: n d -> n d", "O(d)", backend="jax")
    assert_refuted(before, "X: n d -> n d", "S(n)", backend="jax")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", RIGHT)
def test_positions_are_relabelled(name: str) -> None:
    function, signature, under = RIGHT[name]
    verdict = ep.check(function, signature, under, backend="jax", budget=60)
    assert verdict.grade == "PROVED", verdict
    assert ep.verify(verdict.certificate).accepted


def test_positions_used_as_numbers_fail() -> None:
    verdict = ep.check(lambda X, E: gcn(X, E) * E[0].sum(), EDGES, "S(n)", backend="jax", budget=60)
    assert verdict.fails and ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda X, E: X.at[E[0]].set(X[E[1]]), "order of equal positions"),
        (lambda X, E: X[E[0] + 1] + X[E[1]], "depends on the inputs"),
    ],
    ids=["set", "beyond"],
)
def test_positions_that_may_lie_outside_are_refused(function: Any, words: str) -> None:
    """JAX is promised there that they do not."""
    signature = parse_signature("X: n d, E[n]: 2 m -> n d")
    with pytest.raises(TraceError, match=words):
        trace_all_sizes(adapt(function, "jax", signature), signature, {})


@pytest.mark.parametrize(
    ("function", "result"),
    [
        (lambda X, E: X.at[E[0] + 1].add(X[E[1]]), "n d"),
        (lambda X, E: jax.ops.segment_sum(X[E[1]], E[0], num_segments=3), "3 d"),
    ],
    ids=["beyond the end", "another number"],
)
def test_what_goes_to_the_next_place_or_to_three_of_them_fails(function: Any, result: str) -> None:
    """What would go beyond the last one is left out; the edges themselves may be reordered."""
    kinds = f"X: n d, E[n]: 2 m -> {result}"
    assert_refuted(function, kinds, "S(n)", backend="jax", budget=60)
    assert_proved(function, kinds, "S(m) x O(d)", backend="jax", budget=60)


def pairs(count: int) -> Any:
    return lambda X: jax.ops.segment_sum(X, jnp.arange(X.shape[0]) // 2, count)


@pytest.mark.parametrize(
    ("function", "signature", "holds", "fails"),
    [
        (pairs(2), "X: 4 d -> 2 d", "O(d)", "S(4)"),
        (lambda X: X[(3 * jnp.arange(4)) % 4], "X: 4 d -> 4 d", "O(d)", "S(4)"),
    ],
)
def test_positions_that_depend_on_nothing_are_numbers(
    function: Any, signature: str, holds: str, fails: str
) -> None:
    verdict = ep.check(function, signature, holds, backend="jax", budget=60)
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    verdict = ep.check(function, signature, fails, backend="jax", budget=60)
    assert verdict.grade == "EXACT" and ep.verify(verdict.certificate).accepted


def test_numbers_beyond_an_axis_are_left_out() -> None:
    """JAX leaves out the second pair."""
    assert_proved(pairs(1), "X: 4 d -> 1 d", "O(d)", backend="jax")
    for rows, holds in ((2, True), (4, False)):
        first = lambda X, rows=rows: X[:rows].sum(0, keepdims=True)  # noqa: E731
        assert ep.identical(pairs(1), first, "X: 4 d -> 1 d", backend="jax").holds == holds


def window(reduce: Any, first: float, **options: Any) -> Any:
    widths = {"window_dimensions": (1, 2), "window_strides": (1, 2), "padding": ((0, 0), (1, 1)), **options}
    return lambda X: jax.lax.reduce_window(X, first, reduce, **widths)


WINDOWS = {
    "sums": (jax.lax.add, 0.0, "PROVED", {}),
    "largest": (jax.lax.max, -jnp.inf, "PROVED", {}),
    "least": (jax.lax.min, jnp.inf, "PROVED", {}),
    "dilated sums": (jax.lax.add, 0.0, "PROVED", {"window_dilation": (1, 2)}),
    "largest of nothing": (jax.lax.max, -jnp.inf, "", {"padding": ((0, 0), (2, 2))}),
    "dilated largest": (jax.lax.max, -jnp.inf, "", {"window_dilation": (1, 2)}),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_windows(name: str) -> None:
    """Windows that may hold no entry, of which the largest is minus infinity, are refused."""
    reduce, first, grade, options = WINDOWS[name]
    f = window(reduce, first, **options)
    made = f(jnp.zeros((2, 4))).shape[1]
    verdict = ep.prove(f, f"X: c 4 -> c {made}", "S(c)", backend="jax")
    assert verdict.grade == grade, verdict
    assert not grade or ep.verify(verdict.certificate).accepted


def test_windows_move_with_no_axis_that_they_cut() -> None:
    verdict = ep.check(window(jax.lax.max, -jnp.inf), "X: c v -> c 3", "C(v)", sizes={"v": 4}, backend="jax")
    assert verdict.grade == "EXACT" and ep.verify(verdict.certificate).accepted


def test_places_of_extremes():
    assert_proved(lambda x: jnp.argmin(x, axis=0), "x: n d -> d", "S(d)", backend="jax")
    assert_refuted(lambda x: jnp.argmax(x, axis=0), "x: n d -> d", "S(n)", backend="jax")


def _at(X: Any, columns: Any = None) -> Any:
    """Entries of products: the diagonal, or others where columns are given."""
    i = jnp.arange(X.shape[0])
    return (X @ X.T).at[i, i if columns is None else columns]


def _diagonal_set(X: Any) -> Any:
    return (X @ X.T).at[jnp.diag_indices(X.shape[0])].set(1.0)


def _diagonal_of(X: Any) -> Any:
    K = X @ X.T
    return K.at[jnp.diag_indices_from(K)].set(1.0)


ON_THE_DIAGONAL = {
    "set": lambda X: _at(X).set(0.0),
    "added to": lambda X: _at(X).add(2.0),
    "multiplied": lambda X: _at(X).multiply(2.0),
    "left out of a softmax": lambda X: jax.nn.softmax(_at(X).set(-jnp.inf), axis=-1),
    "left out of a minimum": lambda X: _at(X).set(jnp.inf).min(1, keepdims=True) + X @ X.T,
    "by diag_indices": _diagonal_set,
    "by diag_indices_from": _diagonal_of,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ON_THE_DIAGONAL)
def test_what_is_written_to_the_diagonal_is_relabelled(name: str) -> None:
    verdict = ep.check(ON_THE_DIAGONAL[name], "X: n d -> n n", "S(n) x O(d)", backend="jax", budget=60)
    assert verdict.grade == "PROVED", verdict
    assert ep.verify(verdict.certificate).accepted


BESIDE_IT = {
    "a column": lambda X: _at(X, 0).set(0.0),
    "the other diagonal": lambda X: _at(X, jnp.arange(X.shape[0])[::-1]).add(2.0),
    "the first entry": lambda X: jax.nn.softmax((X @ X.T).at[0, 0].set(-jnp.inf), axis=-1),
    "a column left out": lambda X: _at(X, 0).set(jnp.inf).min(1, keepdims=True) + X @ X.T,
    "numbers in order": lambda X: (X @ X.T).at[jnp.diag_indices(X.shape[0])].set(jnp.arange(X.shape[0])),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", BESIDE_IT)
def test_what_is_written_elsewhere_is_not_relabelled(name: str) -> None:
    verdict = ep.check(BESIDE_IT[name], "X: n d -> n n", "S(n)", backend="jax", budget=30)
    assert not verdict.holds, verdict
