"""Functions of single numbers under torch.vmap, where torch makes tensors of the numbers in the code."""

from __future__ import annotations

import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

TORCH = {"backend": "torch", "budget": 10}
EACH = {
    "product": lambda v: v * 2 + 1,
    "quotient": lambda v: v / 3 - v**2,
    "choice": lambda v: torch.where(v > 1, v, 0),
    "float": lambda v: v * 2.5 + v // 3,
}


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("argument", ["x: n", "x[10]: n"])
def test_each_number(name: str, argument: str) -> None:
    def mapped(x):
        return torch.vmap(EACH[name])(x).double()

    assert_proved(mapped, f"{argument} -> n", "S(n)", **TORCH)
    assert_refuted(lambda x: mapped(x)[0], f"{argument} -> ()", "S(n)", **TORCH)  # a near miss: of one entry


def test_the_numbers_are_those_in_the_code() -> None:
    def mapped(x):
        return torch.vmap(lambda v: 2 * v - 0.5)(x)

    assert ep.identical(mapped, lambda x: 2 * x - 0.5, "x: n -> n", **TORCH).grade == "PROVED"
    verdict = ep.identical(mapped, lambda x: 2 * x - 0.25, "x: n -> n", **TORCH)
    assert (verdict.outcome, verdict.grade) == ("FAILS", "EXACT"), str(verdict)
    assert ep.verify(verdict.certificate).accepted


def test_a_constant_is_odd_under_no_sign() -> None:
    assert_proved(lambda x: torch.vmap(lambda v: v * 2.5)(x), "x: n -> n", "Signs(n)", **TORCH)
    assert_refuted(lambda x: torch.vmap(lambda v: v * 2.5 + 1)(x), "x: n -> n", "Signs(n)", **TORCH)
