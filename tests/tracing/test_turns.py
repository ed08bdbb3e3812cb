"""Cyclic shifts of torch and quarter turns of NumPy, at all sizes; tensors of torch's own type."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

ROWS = "x: b n -> b n"
IMAGE = "x: h w -> h w"


def stencil(x):
    return torch.roll(x, 2, -1) - 2 * x + torch.roll(x, shifts=-1, dims=-1)


def grid(x):
    return x.roll((1, -1), (0, 1)) * x


def flattened(x):
    return torch.roll(x, 1) - x


def test_rolls_of_torch_commute_with_shifts_at_all_sizes():
    assert_proved(stencil, ROWS, "S(b) x C(n)", backend="torch")
    assert_proved(grid, ROWS, "C(b) x C(n)", backend="torch")


def test_rolls_of_torch_do_not_commute_with_permutations_nor_flattened_with_shifts_of_rows():
    assert_refuted(stencil, ROWS, "S(n)", backend="torch")
    assert_refuted(flattened, ROWS, "C(n)", backend="torch")


@pytest.mark.parametrize("shift", [-7, -1, 0, 3, 8])
def test_a_roll_is_the_roll_of_torch(shift):
    verdict = ep.identical(
        lambda x: torch.roll(x, shift, 1), lambda x: torch.cat([x[:, -shift % 4 :], x[:, : -shift % 4]], 1),
        "x: b 4 -> b 4", backend="torch",
    )  # fmt: skip
    assert verdict.holds, str(verdict)
    other = ep.identical(
        lambda x: torch.roll(x, shift, 1), lambda x: x.roll(shift + 1, 1), "x: b 4 -> b 4", backend="torch"
    )  # fmt: skip
    assert other.fails, str(other)


def all_turns(x):
    return sum(np.rot90(x, k) for k in range(4))


def filters(x, w):
    """Of a filter and its turns, each read at the places around an entry."""
    turned = (np.rot90(w, -k) for k in range(4))
    shifts = (-1, 0, 1)
    return sum(
        t[i + 1, j + 1] * np.roll(x, (i, j), (0, 1)) for t in turned for i in shifts for j in shifts
    )  # fmt: skip


def test_quarter_turns():
    assert_refuted(all_turns, "x: n n -> n n", "C(n)")
    assert_proved(filters, "x: h w, w: 3 3 -> h w", "C(h) x C(w)")
    assert_refuted(lambda x: np.rot90(x) + x, "x: n n -> n n", "S(n)")


@pytest.mark.parametrize("k", range(-5, 6))
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (-1, 0), (1, 2)])
def test_a_quarter_turn_is_that_of_numpy(k, axes):
    i, j = axes
    by_hand = {
        0: lambda x: x, 1: lambda x: np.swapaxes(np.flip(x, j), i, j),
        2: lambda x: np.flip(x, axes), 3: lambda x: np.flip(np.swapaxes(x, i, j), j),
    }  # fmt: skip
    verdict = ep.identical(lambda x: np.rot90(x, k, axes), by_hand[k % 4], "x: 2 3 4 -> p q r")
    assert verdict.holds, str(verdict)


def centred(x):
    n = x.shape[0]
    return (torch.eye(n) - 1.0 / n) @ x


def ramp(x):
    return torch.linspace(0, 1, 3) @ x


def test_tensors_that_a_function_makes_decide_its_type():
    assert_proved(centred, "x: n d -> n d", "S(n)", backend="torch")
    assert_proved(ramp, "x: 3 n -> n", "S(n)", backend="torch")
    assert_refuted(ramp, "x: m n -> n", "S(m)", sizes={"m": 3}, backend="torch")


def two_types(x):
    return torch.eye(3, dtype=torch.float64) @ (torch.eye(3) @ x)


def test_types_that_never_meet_are_an_error_that_names_them():
    with pytest.raises(ep.errors.EqvproofError, match="dtype"):
        ep.check(two_types, "x: 3 n -> 3 n", under="S(n)", backend="torch")
