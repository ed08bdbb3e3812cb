"""Writes into parts of arrays that the target made: rows, blocks and columns are views, as in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes, trace_at
from tests.judged import assert_refuted

SIGNATURE = parse_signature("X: n d -> n d")


def siblings(X):
    f = X.copy()
    a, b, c = f[0], f[1], f[:, 0]
    a += b
    b -= a * c[0]
    c *= 2
    f[1] += b
    return f * a[0] + c.sum()


def rows(X):
    f = np.zeros_like(X)
    for r, v in zip(f, X, strict=True):
        r += v * 2
        r[0] = 7.0
    return f


def nested(X):
    f = X.copy()
    a = f[1:]
    b = a[0]
    b[1:] = b[1:] * 3
    a -= f[0]
    return f + b


def reversed_rows(X):
    f = X.copy()
    a = f[::-1]
    a[0] = 5.0
    b = f[-1]
    b += 1
    return a


def written_by_functions(X):
    f = X.copy()
    np.multiply(f[0], 2.0, out=f[1])
    f[0].sort()
    return f


def integers(X):
    k = np.zeros((3, 2), int)
    r = k[1]
    r += 1
    k[:, 0] = 4
    return X * r[0] + k[1, 1]


def masked(X):
    f = X.copy()
    r = f[0]
    f[f < 0] = 0.0
    r += 1
    return f


def number_is_copied(X):
    f = X.copy()
    x = f[0, 0]
    x += 1
    return f * x


FUNCTIONS = [siblings, rows, nested, reversed_rows, written_by_functions, integers, masked, number_is_copied]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_write_is_seen_where_numpy_shows_it(function):
    program = trace_at(function, SIGNATURE, {"n": 3, "d": 2}).program
    X = np.random.default_rng(0).standard_normal((3, 2))
    assert np.allclose(evaluate_float(program, {"X": X}, {"n": 3, "d": 2}), function(X), rtol=1e-12)


@pytest.mark.parametrize("function", [reversed_rows, integers, masked], ids=lambda f: f.__name__)
def test_a_write_is_seen_at_all_sizes(function):
    trace_all_sizes(function, SIGNATURE)


def held_by_a_transpose(X):
    f = X.copy()
    t = f.T
    r = f[0]
    r += 1
    return f + t.T


def test_what_is_no_part_is_refused():
    for sizes in ({"n": 3, "d": 2}, {"n": 1, "d": 1}):
        with pytest.raises(TraceError, match="a view"):
            trace_at(held_by_a_transpose, SIGNATURE, sizes)


def forces(x, sign=-1):
    n, f = len(x), np.zeros_like(x)
    for i in range(n):
        for j in range(i + 1, n):
            d = x[j] - x[i]
            f[i] += d / (d @ d)
            f[j] += sign * d / (d @ d)
    return f


def test_forces_summed_pair_by_pair():
    sizes = {"n": 3, "d": 2}
    for group, grade in (("O(d)", "PROVED"), ("S(n)", "DECIDED")):
        verdict = ep.check(forces, "X: n d -> n d", under=group, sizes=sizes)
        assert verdict.holds and str(verdict.grade) == grade, str(verdict)
        assert ep.verify(verdict.certificate).accepted
    assert_refuted(lambda x: forces(x, 1), "X: n d -> n d", "S(n)")
    assert_refuted(forces, "X: n d -> n d", "T(d)")
