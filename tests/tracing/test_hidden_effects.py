"""Effects that only a value which no replay takes would show, such as -999 for missing data.

The trace itself has to be right there: of what a function keeps from entry to entry, of the types of
its results, and of memory that two names share.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree

import eqvproof as ep

Function = Callable[..., Any]


def a_list_kept(x: Any) -> Any:  # list kept from entry to entry
    last = [0.0]
    def g(v: Any) -> Any:
        if v == -999.0:
            return last[0]
        last[0] = v
        return v
    return np.vectorize(g, otypes=[float])(x)


def a_generator_drawn_from(x: Any) -> Any:  # generator drawn from once in the trace
    rng = np.random.default_rng(0)
    return np.vectorize(lambda v: rng.normal() if v == -999.0 else v, otypes=[float])(x)


def a_sum_of_an_entry(x: Any) -> Any:  # np.sum of an entry
    big = np.sum(x * x) > np.exp(60.0)
    return np.vectorize(lambda v: v * np.sum(v * v) if big else v)(x)


def an_array_beside_an_entry(x: Any) -> Any:  # closure array against an entry
    w = np.arange(len(x)) * 1.0
    return np.vectorize(
        lambda v: np.sum(np.where(x == v, 0.0, w)) if v > 1e12 else v, otypes=[float]
    )(x)


def a_question_for_the_class(x: Any) -> Any:  # isinstance / np.ndim: an entry is no array
    places = np.arange(len(x))
    return np.vectorize(
        lambda v, k: v if v < 1e12 or isinstance(v, np.ndarray) else v + k, otypes=[float]
    )(x, places)


def an_entry_as_an_array(x: Any) -> Any:  # FAILS EXACT of the identity
    big = np.sum(x * x) > np.exp(60.0)
    return np.vectorize(lambda v: np.ravel(v)[0] * 1.0 if big else v, otypes=[float])(x)


def results_of_integers(x: Any) -> Any:  # dtype int
    c = np.vectorize(lambda v: 1 if v == -999.0 else 0)(x)
    d = c * 0.5
    c[...] = d
    return x + np.arange(len(x)) * (np.sum(c) - np.sum(d))


def results_of_truth_values(x: Any) -> Any:  # dtype bool
    c = np.vectorize(lambda v: v == -999.0)(x)
    return x + np.arange(len(x)) * (np.sum(c + c) - 2 * np.sum(c))


def a_piece_that_is_not_called(x: Any) -> Any:  # piece that is not called
    called = []
    def h(v: Any) -> Any:
        called.append(1)
        return v
    y = np.piecewise(x, [x > -1e13], [h, lambda v: v])
    return y if called else y * np.arange(len(x))


def a_mean_of_integers(x: Any) -> Any:  # statistics.mean of np.int64 stays an integer
    c = (x == -999.0).astype(int)
    return x + np.arange(len(x)) * (statistics.mean(c) - np.mean(c))


def a_row_of_a_complex_array(X: Any) -> Any:  # a row of a complex array is a view
    Z = X * np.exp(1j * X)
    if np.any(X == -999.0):
        row = Z[0]
        row[...] = 0
    return np.abs(Z)


def a_real_part(x: Any) -> Any:  # .real of a transform is a view
    z = np.fft.fft(x)
    if np.any(x == -999.0):
        w = z.real
        w[...] = np.arange(len(x))
    return np.fft.ifft(z).real


def an_index_that_changes(x: Any) -> Any:  # an index array changed between read and write
    z = np.fft.fft(x)
    if np.any(x == -999.0):
        k = np.arange(len(x))
        w = z[k]
        w *= 2
        k[...] = k[::-1].copy()
        z[k] = w
    return np.fft.ifft(z).real


def a_conjugate(z: Any) -> Any:  # FAILS EXACT of z.real: conj() shares the real part in the trace
    a = z * 1
    a[...] = a * 1
    if np.any(z.real == -999.0):
        b = a.conj()
        a[0] = 7
        return b.real
    return a.real


FLAGGED = np.zeros(3)


def flags_of_an_array(x: Any) -> Any:  # state in the flags of a constant array
    SimpleNamespace(setflags=1, flags=2, writeable=3)
    if FLAGGED.flags.writeable:
        FLAGGED.setflags(write=False)
        return x * np.arange(len(x))
    return x


def globals_by_a_frame(x: Any) -> Any:  # state in globals reached through a frame
    SimpleNamespace(gi_frame=1, f_globals=2)
    G = (i for i in [1]).gi_frame.f_globals
    G["calls"] = G.get("calls", 0) + 1
    return x if G["calls"] < 10_000 else x * np.arange(len(x))


def further_arguments_of_pieces(x: Any) -> Any:
    k = [0]
    pieces = [lambda v, k: (k.append(1), v)[1], lambda v, k: v]
    y = np.piecewise(x, [x > -float("1e13")], pieces, k=k)
    return y if len(k) > 1 else y * np.arange(len(x))


def rounded_to_integers(x: Any) -> Any:
    c = float("1e13")
    return np.vectorize(lambda v: round(v) if v > c else v)(x)


def sums_of_truth_values(x: Any) -> Any:
    flags = np.vectorize(lambda b: (b + b) * 1.0, otypes=[float])(x > np.exp(30.0))
    return x + np.arange(len(x)) * (flags - 1.0 * ((x > np.exp(30.0)) | (x > np.exp(30.0)))).sum()


def sums_of_comparisons(x: Any) -> Any:
    c = np.exp(30.0)
    flags = np.vectorize(lambda v: ((v > c) + (v > c)) * 1.0, otypes=[float])(x)
    return x + np.arange(len(x)) * (flags - (x > c)).sum()


def a_root_that_is_complex(x: Any) -> Any:
    c = float("1e13")
    roots = np.vectorize(lambda v: abs((c - v) ** 0.5), otypes=[float])(x)
    return x + np.arange(len(x)) * (np.isnan(np.abs(np.sqrt(c - x))) * roots).sum()


def another_name_of_a_transform(x: Any) -> Any:
    z = np.fft.fft(x)
    if np.sum(x * x) > np.exp(60.0):
        a = z
        a *= np.fft.fft(x * np.arange(len(x)))
    return np.abs(z)


def another_name_of_picked_rows(X: Any, m: Any) -> Any:
    P = X[m]
    if np.sum(X * X) > np.exp(60.0):
        A = P.T
        A += float("1e14")
        return np.sum(P.sum(axis=0) ** 2)
    return np.sum(X * X)


def a_part_of_picked_rows(X: Any, m: Any) -> Any:
    P = X[m]
    if np.sum(X * X) > np.exp(60.0):
        A = P[:, :1]
        A += float("1e14")
        return np.sum(P.sum(axis=0) ** 2)
    return np.sum(X * X)


def a_covariance_of_rows(X: Any, m: Any) -> Any:
    A = X[m].T
    if np.sum(X * X) > np.exp(60.0):
        return np.trace(np.cov(A, rowvar=False))
    return np.sum(X * X)


def axes_that_are_kept(X: Any, m: Any) -> Any:
    A = X[m].T
    if np.sum(X * X) > np.exp(60.0):
        w = A.mean(axis=1, keepdims=1)
        return np.sum(w * X.mean(axis=0))
    return np.sum(X * X)


def points_of_a_tree(X: Any) -> Any:
    Y = X * 1.0
    tree = cKDTree(Y, copy_data=True)
    if np.sum((X - X.mean(axis=0)) ** 2) > np.exp(60.0):
        Y[...] = 0
        return np.sum(tree.query(np.zeros_like(X), 1)[0])
    return 0 * np.sum(X)


WRONG: dict[Function, tuple[str, str]] = {
    a_sum_of_an_entry: ("x: n -> n", "O(n)"),
    a_row_of_a_complex_array: ("X: n d -> n d", "S(n)"),
    a_real_part: ("x: n -> n", "C(n)"),
    an_index_that_changes: ("x: n -> n", "C(n)"),
    another_name_of_a_transform: ("x: n -> n!", "C(n)"),
    points_of_a_tree: ("X: n d -> ()", "T(d)"),
}
WRONG |= dict.fromkeys(
    [another_name_of_picked_rows, a_part_of_picked_rows, a_covariance_of_rows, axes_that_are_kept],
    ("X: n d, m[bool]: n -> ()", "O(d)"),
)
WRONG |= dict.fromkeys(
    [
        a_list_kept, a_generator_drawn_from, an_array_beside_an_entry, a_question_for_the_class,
        results_of_integers, results_of_truth_values, a_piece_that_is_not_called, a_mean_of_integers,
        flags_of_an_array, globals_by_a_frame, further_arguments_of_pieces, rounded_to_integers,
        sums_of_truth_values, sums_of_comparisons, a_root_that_is_complex,
    ],
    ("x: n -> n", "S(n)"),
)  # fmt: skip


@pytest.mark.parametrize("function", WRONG)
@pytest.mark.sampled(2)
def test_hidden_effects_are_not_proved(function: Function) -> None:
    for judge in (ep.prove, ep.decide):
        assert not judge(function, *WRONG[function]).holds
    FLAGGED.setflags(write=True)


@pytest.mark.parametrize(
    ("function", "signature"), [(an_entry_as_an_array, "x: n -> n"), (a_conjugate, "z[complex]: n -> n")]
)
def test_true_claims_are_not_refuted(function: Function, signature: str) -> None:
    assert not ep.check(function, signature, "S(n)").fails
