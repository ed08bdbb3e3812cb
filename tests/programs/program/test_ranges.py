"""Arithmetic progressions between sizes and numbers, against NumPy's own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eqvproof.programs import Builder, Size
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.programs.ranges import end_of, progression
from eqvproof.tracing.arrays.node_functions import how_many, with_part
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


@given(st.data())
def test_parts_are_written_as_numpy_writes_them(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 9))
    first, step = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, 5))
    last = data.draw(st.integers(first + 1, size))
    old, new = np.arange(2 * size).reshape(2, size), -np.arange(2 * size).reshape(2, size) - 1
    b, expected = Builder(), old.copy()
    expected[:, first:last:step] = new[:, first:last:step]
    count = how_many(Size.of(last - first), step)
    assert count is not None
    part = b.slice(b.const(new), 1, first, count, step)
    made = with_part(b, b.const(old), 1, Size.of(first), count, step, part)
    assert evaluate_float(b.program(made), {}, {}).tolist() == expected.tolist()


@pytest.mark.parametrize(("size", "step"), [("2k", 2), ("6k", 3), ("2k+1", 2), ("3k+2", 3), ("7", 2)])
def test_every_other_entry_is_written_at_all_sizes(size: str, step: int) -> None:
    def f(x: Any, first: int) -> Any:
        y = np.zeros_like(x)
        y[:, first::step] = x[:, first::step] ** 2
        return y

    for first in range(step):
        typing = f"x: n {size} -> n {size}"
        assert_proved(lambda x, i=first: f(x, i), typing, "S(n)")
        assert_refuted(lambda x, i=first: x + np.arange(len(x))[:, None] * f(x, i), typing, "S(n)")


def test_positions_of_a_transformer() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")

    def placed(x: Any) -> Any:
        place = torch.arange(x.shape[1]).unsqueeze(1)
        rates = torch.exp(torch.arange(0, 8, 2).float() * (-9.2 / 8))
        waves = torch.zeros(x.shape[1], 8)
        waves[:, 0::2], waves[:, 1::2] = torch.sin(place * rates), torch.cos(place * rates)
        return x + waves

    assert_proved(placed, "x: b n 8 -> b n 8", "S(b)", backend="torch")
    assert_refuted(placed, "x: b n 8 -> b n 8", "S(n)", backend="torch")
