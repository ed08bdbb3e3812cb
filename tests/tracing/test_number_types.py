"""float() and int() of numbers that depend on inputs, in the user's own code."""

from __future__ import annotations

import builtins
import math
import sys

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted


def standardised(x):
    m, s = float(np.mean(x)), float(np.std(x))
    return (x - m) / s


def normalised(x):
    return x / math.sqrt(float((x * x).sum()))


def mean_of_positive(x):
    k = int((x > 0).sum())
    return x.sum() / max(k, 1)


def truncated(x):
    return x * int(x.sum())


def first(x):
    return x - float(x[0])


def farthest(X):
    chosen, d = [0], ((X - X[0]) ** 2).sum(1)
    for _ in range(2):
        i = int(np.argmax(d))
        chosen.append(i)
        d = np.minimum(d, ((X - X[i]) ** 2).sum(1))
    return X[chosen]


def as_types(x):
    """They are still types: of arrays, and asked about."""
    z = np.zeros(len(x), dtype=float) + x.astype(float) + np.zeros(1, int)
    if not (isinstance(0.5, float) and isinstance(2, (int, str)) and not isinstance(2, float)):
        return x[:1]
    return z * float(len(x)) + float("2.5") + int("11", 2) + int(len(x))  # noqa: RUF046


def test_numbers_are_carried_on():
    assert_proved(standardised, "x: n -> n", "S(n)")
    assert_proved(normalised, "x: n -> n", "O(n)")
    assert_proved(mean_of_positive, "x: n -> ()", "S(n)")
    assert_proved(truncated, "x: n -> n", "S(n)")
    assert_proved(as_types, "x: n -> n", "S(n)")


def test_numbers_that_differ_are_told_apart():
    assert_refuted(standardised, "x: n -> n", "O(n)")
    assert_refuted(first, "x: n -> n", "S(n)")
    assert_refuted(truncated, "x: n -> n", "Signs(n)")
    assert_refuted(farthest, "X: n d -> 3 d", "S(n)")


@pytest.mark.parametrize("x", [-2.75, -0.5, 0.0, 0.5, 2.75])
def test_int_truncates(x):
    verdict = ep.identical(
        lambda v: v * 0 + int(v + x), lambda v: v * 0 + np.trunc(v + x), "v: () -> ()"
    )  # fmt: skip
    assert verdict.holds, str(verdict)
    other = ep.identical(lambda v: v * 0 + int(v + x), lambda v: v * 0 + np.floor(v + x), "v: () -> ()")
    assert other.fails, str(other)


def test_the_scope_is_left_as_it_was():
    ep.check(standardised, "x: n -> n", "S(n)")
    assert not {"float", "int"} & vars(sys.modules[__name__]).keys()
    assert {builtins.float, builtins.int} == {(0.5).__class__, (1).__class__}
