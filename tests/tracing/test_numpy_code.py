"""Functions of NumPy that NumPy writes in Python, and functions that choose and replace entries."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

VECTOR, ROWS, MATRIX = "x: n -> n", "x: n 4 -> n 4", "x: n d -> d"


def changed(write: Any) -> Any:
    def f(x: Any) -> Any:
        y = x.copy()
        write(y)
        return y

    return f


#: Functions of each entry, or of each row.
ALONG: dict[str, tuple[Any, str]] = {
    "polyval": (lambda x: np.polyval([1, 2, 3], x), VECTOR),
    "interp": (lambda x: np.interp(x, [0, 1, 3], [0, 1, -4]), VECTOR),
    "interp, ends": (lambda x: np.interp(x, [0, 1], [0, 1], left=-1, right=x.mean()), VECTOR),
    "round": (lambda x: np.round(x, 2), VECTOR),
    "isclose": (lambda x: np.isclose(x, 0.1) * 1.0, VECTOR),
    "isin": (lambda x: np.isin(x, [0, 1]) * x, VECTOR),
    "nan_to_num": (np.nan_to_num, VECTOR),
    "vectorize": (lambda x: np.vectorize(lambda v: v * v + 1)(x), VECTOR),
    "copyto": (lambda x: changed(lambda y: np.copyto(y, x * x, where=x > 0))(x), VECTOR),
    "putmask": (changed(lambda y: np.putmask(y, y < 0, 3.0)), VECTOR),
    "place": (changed(lambda y: np.place(y, y < 0, [3.0])), VECTOR),
    "gradient": (lambda x: np.gradient(x, axis=1), ROWS),
    "unwrap": (lambda x: np.unwrap(x, axis=1), ROWS),
    "vander": (lambda x: np.vander(x, 3), "x: n -> n 3"),
    "delete": (lambda x: np.delete(x, 1, axis=1), "x: n 4 -> n 3"),
    "delete, last": (lambda x: np.delete(x, -1, axis=1), "x: n 4 -> n 3"),
    "insert": (lambda x: np.insert(x, 1, 7.0, axis=1), "x: n 4 -> n 5"),
    "meshgrid": (lambda x: np.meshgrid(np.ones(2), x)[1], "x: n -> n 2"),
    "trapezoid": (lambda x: np.trapezoid(x, dx=0.5, axis=-1), "x: n 4 -> n"),
    "fftshift": (lambda x: np.fft.fftshift(x, axes=1), ROWS),
    "nancumsum": (lambda x: np.nancumsum(x, axis=1), ROWS),
}  # fmt: skip

#: Functions of a set of rows.
OVER: dict[str, tuple[Any, str]] = {
    name: (functools.partial(getattr(np, name), axis=0), MATRIX)
    for name in ("nanmean", "nansum", "nanstd", "nanvar", "nanmax", "nanmin", "nanprod", "nanmedian")
} | {
    "logaddexp": (lambda x: np.logaddexp.reduce(x, axis=0), MATRIX),
    "extract": (lambda x: np.extract(x > 0, x).sum(), "x: n -> ()"),
    "compress": (lambda x: np.compress(x > 0, x).sum(), "x: n -> ()"),
    "flatnonzero": (lambda x: len(np.flatnonzero(x > 0)), "x: n -> ()"),
    "allclose": (lambda x: np.allclose(x, 0.1) * 1.0, "x: n -> ()"),
    "array_equal": (lambda x: np.array_equal(x, 2 * x) * 1.0, "x: n -> ()"),
}


@pytest.mark.parametrize("name", ALONG)
def test_functions_of_entries_are_read(name: str) -> None:
    """Proved; and refuted where the place of an entry, or row, comes in."""
    f, typing = ALONG[name]
    axis = "3" if typing.startswith("x: 3") else "n"
    assert_proved(f, typing, f"S({axis})")

    def placed(x: Any) -> Any:
        found = f(x)
        return found + np.arange(len(x)).reshape(len(x), *(1,) * (found.ndim - 1))

    assert_refuted(placed, typing, f"S({axis})")


def test_halves_of_tens_are_rounded_to_even_tens() -> None:
    program = trace_all_sizes(lambda x: np.round(x, -1), parse_signature("x: n -> n")).program
    found = evaluate_exact(program, {"x": np.array([5, 15, 25, 35, -25, 24])}, {"n": 6})
    assert [int(v) for v in found] == [0, 20, 20, 40, -20, 20]


@pytest.mark.parametrize("name", OVER)
def test_functions_of_sets_are_read(name: str) -> None:
    f, typing = OVER[name]
    assert_proved(f, typing, "S(n)")
    places = (lambda x: np.arange(len(x))[:, None]) if typing == MATRIX else (lambda x: np.arange(len(x)))
    if name not in ("allclose", "array_equal"):  # true at single points
        assert_refuted(lambda x: f(x + x * places(x) + 1), typing, "S(n)")


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.interp(x, [0, 2, 1], [0, 1, 2]),
        lambda x: np.interp(x, np.array([0.0, 1.0]) + x.sum() * 0, [0, 1]),
        lambda x: changed(lambda y: np.place(y, y > 0, [1.0, 2.0]))(x),
        lambda x: np.partition(x, 0),
    ],
)
def test_what_is_not_read_is_not_proved(f: Any) -> None:
    assert ep.prove(f, "x: n -> n", "S(n)", budget=5).outcome == "UNDECIDED"


def filled(x: Any, whole: bool) -> Any:
    y = np.empty_like(x)
    y[1:] = x[:-1]
    if whole:
        y[:1] = x[-1:]
    return y


def test_memory_that_is_filled_part_by_part() -> None:
    assert_proved(lambda x: filled(x, True), "x: n d -> n d", "S(d)")
    verdict = ep.check(lambda x: filled(x, False), "x: n d -> n d", "S(d)", budget=5)
    assert not verdict.holds or verdict.grade == "TESTED"


def test_places_without_a_value_are_left_out() -> None:
    """0/0 counts in no mean of `nanmean`, and in every one of `mean`."""
    ratio = lambda x, y: np.nanmean(x / y)  # noqa: E731
    found = ep.check(ratio, "x: n, y: n -> ()", "S(n)", budget=5)
    assert not found.fails
    assert not ep.identical(ratio, lambda x, y: np.mean(x / y), "x: n, y: n -> ()", budget=5).holds
