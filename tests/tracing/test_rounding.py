"""Replays of right functions that lose digits: roots of cancelled sums, quotients of rounding errors."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.calls import UFUNCS
from eqvproof.tracing.numpy.trace import trace_all_sizes
from eqvproof.tracing.rounding import Point, excused, half_defined


def distances(X):
    norms = (X**2).sum(axis=1)
    return np.sqrt(np.maximum(norms[:, None] - 2 * X @ X.T + norms[None, :], 0.0))


def gram_schmidt(X):
    basis = []
    for k in range(3):
        v = X[:, k]
        for e in basis:
            v = v - (e @ v) * e
        basis.append(v / np.sqrt(v @ v))
    return np.stack(basis, axis=1)


@pytest.mark.parametrize(("f", "signature"), [(distances, "X: n d -> n n"), (gram_schmidt, "X: d 3 -> d 3")])
@pytest.mark.parametrize("seed", range(4))
def test_lost_digits_are_excused(f, signature, seed):
    trace_all_sizes(f, parse_signature(signature), seed=seed)


def program_of(f, signature):
    return trace_all_sizes(f, parse_signature(signature)).program


def test_a_dependent_third_vector_is_half_defined():
    program = program_of(gram_schmidt, "X: d 3 -> d 3")
    x = np.array([[1.0, 2.0, 3.0], [3.0, -1.0, 0.5]])
    lacks, _ = half_defined(Point(program, {"d": 2}, {"X": x}))
    assert lacks.tolist() == [[False, False, True]] * 2
    for settled in half_defined(Point(program, {"d": 3}, {"X": np.eye(3)})):
        assert not settled.any()


@given(seed=st.integers(0, 10**6), generic=st.booleans())
@example(seed=51557, generic=True)  # six choices of last bits all cancelled under one BLAS
@settings(max_examples=20)
def test_no_more_than_lost_digits_is_excused(seed, generic):
    """Entries off the diagonal keep their digits; on it half of them are lost.

    Of inputs that are not generic less is excused: what is seen when they are shaken.
    """
    x = np.random.default_rng(seed).normal(size=(3, 4))
    expected, one = distances(x), np.eye(3)
    at = Point(distances_program(), {"n": 3, "d": 4}, {"X": x})

    def excuse(error):
        return excused(at, expected + error, expected, generic=generic)

    assert not np.diag(excuse(1e-4 * one)).any()
    assert not excuse(1e-4 * (1 - one) * expected)[one == 0].any()
    assert not generic or np.diag(excuse(1e-17 * one)).all()


@lru_cache(maxsize=1)
def distances_program():
    return program_of(distances, "X: n d -> n n")


def whole_numbers(x):
    counts = np.zeros(x.shape, dtype=int)
    counts[0] = 3
    return np.abs(x) * counts.sum()


def beside_large_numbers(x):
    return np.abs(x) + 0 * (x * 0 + 1e19)


def scaled_down(x):
    return (np.abs(x) + 0 * (x + 1e9)) * 1e-12


@pytest.mark.parametrize("f", [whole_numbers, beside_large_numbers, scaled_down])
def test_large_numbers_on_the_way_hide_no_wrong_reading(f, monkeypatch):
    signature = parse_signature("x: n -> n")
    trace_all_sizes(f, signature)
    monkeypatch.setitem(UFUNCS._handlers, np.absolute, UFUNCS[np.positive])
    with pytest.raises(TraceError, match="differ"):
        trace_all_sizes(f, signature)
