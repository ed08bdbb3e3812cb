"""Arithmetic progressions between sizes and numbers, against NumPy's own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eqvproof.evaluate import evaluate_float
from eqvproof.program import Builder, Size
from eqvproof.program.ranges import end_of, progression
from tests.judged import assert_proved, assert_refuted

N = Size.of("n")
QUARTERS = st.integers(-12, 12).map(lambda k: k / 4)
SIZES = st.tuples(st.integers(0, 2), st.integers(0, 3)).map(lambda p: p[0] * N + p[1])
ENDS = st.one_of(QUARTERS, SIZES)


def number(end: Any, n: int) -> Any:
    return end.value({"n": n}) if isinstance(end, Size) else end


@given(ENDS, ENDS, QUARTERS.filter(bool))
def test_entries_are_those_of_numpy(start: Any, stop: Any, step: float) -> None:
    b = Builder()
    low, high = end_of(start), end_of(stop)
    assert low is not None and high is not None
    made = progression(b, low, high, Fraction(step))
    if made is None:
        assert isinstance(start, Size) or isinstance(stop, Size)
        return
    for n in (1, 2, 5):
        found = evaluate_float(b.program(made), {}, {"n": n})
        expected = np.arange(number(start, n), number(stop, n), step)
        assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("end", [float("inf"), float("nan"), None, "3", np.array(2), Builder().const(3)])
def test_other_ends_are_none(end: Any) -> None:
    assert end_of(end) is None or type(end) is int


def in_numpy(ends: Any) -> Any:
    return lambda x: x * np.arange(*ends(len(x)))[:, None]


def in_torch(ends: Any) -> Any:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    return lambda x: x * torch.arange(*ends(len(x)))[:, None]


#: Ends for n, between which n numbers are.
OF_AS_MANY: list[Any] = [
    lambda n: (1.0, n + 1), lambda n: (0.5, n), lambda n: (1.0, 2 * n + 1, 2), lambda n: (n, 0, -1),
    lambda n: (n - 1, -1, -1), lambda n: (-0.25, n - 1),
]  # fmt: skip


@pytest.mark.parametrize("door", [in_numpy, in_torch])
@pytest.mark.parametrize("case", range(len(OF_AS_MANY)))
def test_numbers_in_order_are_read(door: Any, case: int) -> None:
    """Positions as floats: any function along d, and none along n."""
    options: dict[str, Any] = {"backend": "torch"} if door is in_torch else {}
    assert_proved(door(OF_AS_MANY[case]), "x: n d -> n d", "S(d)", **options)
    assert_refuted(door(OF_AS_MANY[case]), "x: n d -> n d", "S(n)", **options)


@pytest.mark.parametrize("door", [np, "torch"])
def test_equal_steps_as_many_as_a_size(door: Any) -> None:
    """One point is the start."""
    xp: Any = door
    options: dict[str, Any] = {}
    if door == "torch":
        xp, options = pytest.importorskip("torch", reason="PyTorch is not installed"), {"backend": "torch"}
    assert_proved(lambda x: x * xp.linspace(1, 2, len(x))[:, None], "x: n d -> n d", "S(d)", **options)
    assert_refuted(lambda x: x * xp.linspace(1, 2, len(x))[:, None], "x: n d -> n d", "S(n)", **options)
    assert_proved(lambda x: x * xp.linspace(1, 2, len(x)).sum(), "x: n d -> n d", "S(n)", **options)
