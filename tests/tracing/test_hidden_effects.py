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


WRONG: dict[Function, tuple[str, str]] = {
    a_sum_of_an_entry: ("x: n -> n", "O(n)"),
    a_row_of_a_complex_array: ("X: n d -> n d", "S(n)"),
    a_real_part: ("x: n -> n", "C(n)"),
    an_index_that_changes: ("x: n -> n", "C(n)"),
}
WRONG |= dict.fromkeys(
    [
        a_list_kept, a_generator_drawn_from, an_array_beside_an_entry, a_question_for_the_class,
        results_of_integers, results_of_truth_values, a_piece_that_is_not_called, a_mean_of_integers,
        flags_of_an_array, globals_by_a_frame,
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
