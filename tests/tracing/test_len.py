"""`len(X)` in a target: the symbol that `X.shape[0]` is, and Python's own everywhere else."""

from __future__ import annotations

import builtins

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

LEN = builtins.len


def traced(f, signature):
    return trace_all_sizes(f, parse_signature(signature)).program


def pairs(X):
    n = len(X)
    return np.eye(n) * len([1, 2]) + len(X[0]) / n + X.sum()


def pairs_by_shape(X):
    n = X.shape[0]
    return np.eye(n) * 2 + X.shape[1] / n + X.sum()


def test_it_is_the_size_of_the_first_axis():
    assert traced(pairs, "X: n d -> n n") == traced(pairs_by_shape, "X: n d -> n n")
    assert ep.check(pairs, "X: n d -> n n", "S(n)").grade == "PROVED"


def test_a_fixed_size_is_an_integer():
    assert traced(lambda X: sum(X[i] for i in range(len(X))), "X: 3 n -> n").inputs


def test_what_needs_an_integer_is_refused():
    with pytest.raises(TraceError, match="axis of size n, any size, cannot be unrolled"):
        traced(lambda X: sum(X[i] for i in range(len(X))), "X: n d -> d")
    with pytest.raises(TraceError, match="depends on the size"):
        traced(lambda X: X if len(X) == 3 else 2 * X, "X: n -> n")
    with pytest.raises(TraceError, match="scalar"):
        traced(lambda x: x * len(x), "x: () -> ()")


def test_it_is_put_back():
    with pytest.raises(TraceError):
        traced(lambda X: X[: 1 // (len(X) - 1)], "X: n -> n")
    traced(pairs, "X: n d -> n n")
    assert builtins.len is LEN


def test_a_name_of_the_users_own_wins():
    def f(X):
        len = 3
        return X * len

    assert ep.check(f, "X: n -> n", "S(n)").grade == "PROVED"


@pytest.mark.parametrize("backend", ["torch", "jax"])
def test_length_of_an_array_of_a_framework(backend):
    pytest.importorskip(backend)

    def by_length(x):
        return x / len(x) + len("ab")

    def branching(x):
        return x * (2 if len(x) > 3 else 1) + x[:1]

    assert_proved(by_length, "x: n d -> n d", "S(n) x S(d)", backend=backend)
    assert_refuted(by_length, "x: n d -> n d", "O(d)", backend=backend)
    assert_refuted(branching, "x: n d -> n d", "S(n)", backend=backend)
    assert builtins.len is LEN
