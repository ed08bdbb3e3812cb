"""NumPy's functions of bools and of short integers are floats of 16 bits: their rounding refutes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep

pytestmark = pytest.mark.whole_search  # a wrong refutation may be a late one

Function = Callable[[Any], Any]


def count(x: Any) -> Any:
    """How many entries are positive, as an integer of 8 bits."""
    return np.frombuffer((x > 0).sum(dtype=np.int8).tobytes(), np.int8)[0]


def positive(x: Any) -> Any:
    """Which entries are positive, read from memory, so that nothing is traced."""
    return np.frombuffer(np.ascontiguousarray(x > 0).tobytes(), bool)


#: Pairs that are equal over the real numbers, for x of shape (n,).
EQUAL: dict[str, tuple[Function, Function]] = {
    "sqrt squared": (lambda x: np.sqrt(count(x)) ** 2, count),
    "cbrt cubed": (lambda x: np.cbrt(count(x)) ** 3, count),
    "log of exp": (lambda x: np.log(np.exp(count(x))), count),
    "log2 of exp2": (lambda x: np.log2(np.exp2(count(x))), count),
    "log1p of expm1": (lambda x: np.log1p(np.expm1(positive(x))).sum(), lambda x: positive(x).sum()),
    "sin and cos": (lambda x: np.sin(count(x)) ** 2 + np.cos(count(x)) ** 2, lambda x: count(x) * 0 + 1.0),
    "sinh": (
        lambda x: np.sinh(count(x)) * 2,
        lambda x: np.exp(float(count(x))) - np.exp(-float(count(x))),
    ),
    "tanh": (lambda x: np.arctanh(np.tanh(positive(x) / 2)) * 2, lambda x: positive(x) * 1.0),
    "hypot": (lambda x: np.hypot(positive(x), positive(x)), lambda x: positive(x) * 2**0.5),
    "logaddexp": (
        lambda x: np.logaddexp(positive(x), positive(x)),
        lambda x: positive(x) + np.log(2.0),
    ),
    "sines of multiples of pi": (lambda x: np.sin(np.pi * np.sqrt(count(x) ** 2)), lambda x: 0.0 * count(x)),
    "sines of pi times hypotenuses": (
        lambda x: np.sin(np.pi * np.rint(np.hypot(positive(x), positive(x)))),
        lambda x: positive(x) * 0.0,
    ),
    "arctan": (lambda x: np.tan(np.arctan(count(x))), count),
}


def signature(name: str) -> str:
    """As many results as entries, or one."""
    return "x: n -> n" if np.ndim(EQUAL[name][1](np.ones(2))) else "x: n -> ()"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EQUAL)
def test_rounding_of_short_floats_refutes_nothing(name: str) -> None:
    f, g = EQUAL[name]
    verdict = ep.identical(f, g, signature(name), budget=0.6)
    assert not verdict.fails, verdict


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["sqrt squared", "log of exp", "hypot", "arctan"])
def test_what_differs_by_more_is_seen(name: str) -> None:
    f, g = EQUAL[name]
    verdict = ep.identical(f, lambda x: g(x) + 1, signature(name), budget=20)
    assert verdict.fails, verdict


def test_a_sine_of_a_large_number_of_16_bits_refutes_nothing() -> None:
    """pi times 104 has an error of 1/8 there."""

    def f(x: Any) -> Any:
        return np.sin(np.pi * np.rint(np.rint(x * 0).astype(np.int8) + np.int8(104)))

    assert not ep.identical(f, lambda x: 0.0 * x, "x: n -> n", budget=0.6).fails
