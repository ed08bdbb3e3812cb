"""Calls on real arrays: what comes back is checked, and each error says what to try."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from eqvproof.claims.signature import parse_signature
from eqvproof.numbers import exact_array
from eqvproof.support.errors import ShapeError, TargetError
from eqvproof.tracing.run import run

X = np.arange(6.0).reshape(2, 3)
SIGNATURE = parse_signature("X: d n -> d n")
SIZES = {"d": 2, "n": 3}


def test_the_value() -> None:
    result = run(lambda X: 2 * X, SIGNATURE, {"X": X}, SIZES)
    assert np.array_equal(result, 2 * X)
    assert result.dtype == np.float64


def test_integers_and_booleans_become_floats() -> None:
    assert run(lambda X: X > 2, SIGNATURE, {"X": X}).dtype == np.float64
    assert run(lambda X: X.astype(int), SIGNATURE, {"X": X}).dtype == np.float64


@pytest.mark.parametrize("value", [1.0, 2, np.float64(3), np.array(4.0), True])
def test_scalars(value: Any) -> None:
    assert run(lambda X: value, parse_signature("X: d n -> ()"), {"X": X}).shape == ()


def test_nan_and_inf_are_values() -> None:
    with np.errstate(all="ignore"):
        result = run(lambda X: X / 0, SIGNATURE, {"X": X})
    assert np.isnan(result[0, 0])
    assert np.isinf(result[0, 1])


def test_warnings_of_the_target_are_quiet() -> None:
    run(lambda X: np.log(X - 1), SIGNATURE, {"X": X})


def test_inputs_are_copied_and_writes_are_noted() -> None:
    def writes(X: Any) -> Any:
        X += 1
        return X

    notes: list[str] = []
    before = X.copy()
    assert np.array_equal(run(writes, SIGNATURE, {"X": X}, SIZES, notes=notes), before + 1)
    assert np.array_equal(X, before)
    assert notes == ["the function writes into its argument X; it is judged by what it returns"]
    run(lambda X: X, SIGNATURE, {"X": np.full((2, 3), np.nan)}, notes=(quiet := []))
    assert not quiet


def test_the_result_is_no_view_of_the_input() -> None:
    result = run(lambda X: X, SIGNATURE, {"X": X}, SIZES)
    result[0, 0] = 99
    assert X[0, 0] == 0


def test_exact_numbers() -> None:
    result = run(lambda X: X / 3, SIGNATURE, {"X": exact_array(X)})
    assert result.dtype == object


def test_output_only_axes() -> None:
    assert run(lambda X: np.zeros((2, 7)), parse_signature("X: d n -> d m"), {"X": X}).shape == (2, 7)


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "none": (lambda X: None, TargetError, "returns None"),
    "tuple": (lambda X: (X, X), TargetError, "a tuple, where one array"),
    "list": (lambda X: [1.0, 2.0], TargetError, "np.array"),
    "text": (lambda X: "no", TargetError, "class str"),
    "complex": (lambda X: X * 1j, TargetError, "complex128"),
    "complex number": (lambda X: 1j, TargetError, "complex"),
    "objects": (lambda X: np.array([None, None]), TargetError, "dtype object"),
    "strings": (lambda X: np.array(["a"]), TargetError, "dtype <U1"),
    "shape": (lambda X: X.T, ShapeError, "\\(3, 2\\)"),
    "rank": (lambda X: X[0], ShapeError, "\\(3\\)"),
    "raises": (lambda X: X @ X, TargetError, "ValueError: matmul"),
    "signature": (lambda X, Y: X, TargetError, "TypeError"),
    "name": (lambda X: undefined_name, TargetError, "test_run.py"),  # noqa: F821
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_results(name: str) -> None:
    function, error, message = WRONG[name]
    with pytest.raises(error, match=message) as caught:
        run(function, SIGNATURE, {"X": X}, SIZES)
    text = str(caught.value)
    assert "given:" in text
    assert "expected:" in text
    assert "try:" in text


def test_wrong_inputs() -> None:
    with pytest.raises(ShapeError, match="the input Y"):
        run(lambda X, Y: X, parse_signature("X: d n, Y: n -> d n"), {"X": X, "Y": np.ones(2)})
    with pytest.raises(ShapeError, match="the input X"):
        run(lambda X: X, SIGNATURE, {"X": np.ones(3)})
