"""The greatest entry of each segment, starting at -inf, and softmax over segments, in NumPy and torch."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted, assert_unproved

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

INF = float("inf")
GRAPH = "X: n d, s[n]: e, t[n]: e -> n d"


def torch_largest(x, i):
    out = torch.full((4, x.shape[1]), -INF).scatter_reduce(0, i[:, None].expand_as(x), x, "amax")
    return torch.where(torch.isinf(out), torch.zeros_like(out), out)


def torch_least(x, i):
    out = torch.full((4,), INF).scatter_reduce(0, i, x, "amin")
    return torch.where(torch.isinf(out), torch.zeros_like(out), out)


def torch_weights(x, i):
    m = torch.full((4,), -INF).scatter_reduce(0, i, x, "amax")
    e = (x - m[i]).exp()
    return e / torch.zeros(4).index_add(0, i, e)[i]


def torch_attention(x, s, t, other=False):
    n = x.shape[0]
    a = (x[s] * x[t]).sum(-1)
    m = torch.full((n,), -INF).scatter_reduce(0, t, a, "amax")
    e = (a - m[s if other else t]).exp()
    a = e / torch.zeros(n).scatter_add(0, t, e)[t]
    return torch.zeros_like(x).index_add(0, t, a[:, None] * x[s])


def numpy_weights(x, i):
    m = np.full(4, -np.inf)
    np.maximum.at(m, i, x)
    e = np.exp(x - m[i])
    s = np.zeros(4)
    np.add.at(s, i, e)
    return e / s[i]


def test_torch():
    assert_proved(torch_largest, "X: e d, i[4]: e -> 4 d", "S(e)", backend="torch")
    assert_proved(torch_least, "x: e, i[4]: e -> 4", "S(e)", backend="torch")
    assert_proved(torch_weights, "x: e, i[4]: e -> e", "S(e)", backend="torch")
    assert_proved(torch_attention, GRAPH, "S(n) x S(e)", backend="torch")
    assert_refuted(torch_largest, "X: e d, i[4]: e -> 4 d", "O(d)", backend="torch")


def test_numpy():
    assert_proved(numpy_weights, "x: e, i[4]: e -> e", "S(e)")


def test_another_index_may_find_what_was_never_given():
    """The same nodes under S(n), but inf - inf where a source is no target: nothing is read as a number."""
    assert_unproved(lambda x, s, t: torch_attention(x, s, t, other=True), GRAPH, "S(n)", backend="torch")


@pytest.mark.parametrize("own", [True, False])
def test_what_stood_there_counts(own):
    def once(x, i, y):
        start = torch.where(y > 0, y, torch.full_like(y, -INF))
        out = start.scatter_reduce(0, i, x, "amax", include_self=own)
        return torch.where(torch.isinf(out), torch.zeros_like(out), out)

    verdict = ep.check(once, "x: e, i[4]: e, y: 4 -> 4", "S(e)", backend="torch")
    assert verdict.holds and verdict.grade == "PROVED", str(verdict)


def test_rows_told_by_another_axis():
    """An index that names places by its columns says nothing of lookups by rows."""

    def by_columns(x, i):
        m = torch.full((4, 4), -INF).scatter_reduce(0, i[None, :].expand(4, 4), x, "amax")
        return torch.exp(-torch.relu(m[i]))

    assert_unproved(by_columns, "X: 4 4, i[4]: 4 -> 4 4", "S(4)", backend="torch")


def test_what_is_finite_of_extremes():
    def filled(x, i, at=slice(None)):
        m = np.full(4, -np.inf)
        np.maximum.at(m, i, x[at])
        return np.where(np.isfinite(m), m, 0.0)

    assert_proved(filled, "x: e, i[4]: e -> 4", "S(e)")
    assert_refuted(lambda x, i: filled(x, i, slice(None, None, -1)), "x: e, i[4]: e -> 4", "S(e)")
