"""Symbolic sizes: polynomials that refuse to become integers."""

# ruff: noqa: E501, UP031

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from eqvproof.programs import Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.sizes import SymbolicSize, size_of
from eqvproof.tracing.arrays.tracer import ANSWERS, Tracer


@pytest.fixture
def n() -> SymbolicSize:
    return SymbolicSize(TraceContext(ANSWERS), Size.of("n"))


def other(n: SymbolicSize, size: Size) -> SymbolicSize:
    return SymbolicSize(n._eqvproof[0], size)


def test_arithmetic(n: SymbolicSize) -> None:
    size = Size.of("n")
    assert size_of(n + 1) == size + 1
    assert size_of(1 - n) == 1 - size
    assert size_of(2 * n * n) == size * size * 2
    assert size_of(n**2) == size * size
    assert size_of((4 * n) // 2) == size * 2
    assert size_of((2 * n + 1) // 2) == size
    assert (2 * n + 1) % 2 == 1
    assert size_of((n * n) // n) == size
    assert size_of(-n) == -size
    assert size_of(sum((n, n), 0)) == size * 2
    assert size_of(round(n)) == size
    assert n - n == 0


@pytest.mark.parametrize(
    "value", ["n / 2", "n ** 0.5", "n * 0.5", "2 ** n", "n ** -1", "np.sqrt(n)", "1 / n", "n * np.float64(2)"]
)
def test_real_numbers(n: SymbolicSize, value: str) -> None:
    values: dict[str, Any] = {
        "n / 2": lambda: n / 2, "n ** 0.5": lambda: n**0.5, "n * 0.5": lambda: n * 0.5, "2 ** n": lambda: 2**n,
        "n ** -1": lambda: n**-1.0, "np.sqrt(n)": lambda: np.sqrt(n), "1 / n": lambda: 1 / n,
        "n * np.float64(2)": lambda: np.float64(2) * n,
    }  # fmt: skip
    assert type(values[value]()) is Tracer


def test_comparisons_with_one_answer(n: SymbolicSize) -> None:
    m = other(n, Size.of("m"))
    assert n == n
    assert n != n + 1
    assert n > 0
    assert n >= 1
    assert not n < 1
    assert n + m > n
    assert n + m >= 2
    assert n >= 1.0
    assert bool(n)
    assert (n == "n") is False
    assert (n == None) is False  # noqa: E711


def test_every_size_is_between_the_infinities(n: SymbolicSize) -> None:
    assert n < np.inf and n <= np.inf and n != np.inf and n > -np.inf and n >= -np.inf
    assert not (n > np.inf or n >= np.inf or n == np.inf or n < -np.inf or n <= -np.inf)
    assert size_of(min(np.inf, n - 1)) == Size.of("n") - 1


REFUSED: dict[str, Any] = {
    "larger": lambda n: n > 7, "equal": lambda n: n == 3, "half": lambda n: n > 2.5, "index": lambda n: [1, 2][n],
    "range": lambda n: range(n), "int": lambda n: int(n), "float": lambda n: float(n), "hash": lambda n: {n: 1},
    "text": lambda n: str(n), "format": lambda n: f"{n:d}", "percent": lambda n: "%d" % n, "repr": lambda n: repr(n),
    "list": lambda n: [0] * n, "floor": lambda n: n // 2, "mod": lambda n: n % 2, "divide": lambda n: 7 // n,
    "abs": lambda n: abs(n - 3), "min": lambda n: min(n, 3), "complex": lambda n: complex(n),
    "attribute": lambda n: n.bit_length(), "array": lambda n: np.lib.stride_tricks.as_strided(np.ones(3), (n,)),
    "zero": lambda n: 3 // (n - 1),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_are_sticky(name: str, n: SymbolicSize) -> None:
    with pytest.raises(TraceError):
        REFUSED[name](n)
    assert n._eqvproof[0].refusals
