"""Random numbers that a torch target draws: constants after a seed that it sets, and not read otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import eqvproof as ep

torch = pytest.importorskip("torch")


def after_a_seed(draw: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def target(x: Any) -> Any:
        torch.manual_seed(3)
        return draw(x)

    return target


DRAWS: dict[str, Callable[[Any], Any]] = {
    "randn": lambda x: x + torch.randn(3),
    "rand": lambda x: x * torch.rand(1, 3),
    "twice": lambda x: x * torch.rand(3) + torch.rand(3),
    "randint": lambda x: x + torch.randint(0, 9, (3,)),
    "permutation": lambda x: x[:, torch.randperm(3)],
    "in place": lambda x: x * torch.empty(3).uniform_(1, 2),
    "bernoulli": lambda x: x * torch.empty(3).bernoulli_(0.5),
    "like": lambda x: x + torch.randn_like(torch.ones(3)),
    "dropped": lambda x: x * torch.nn.functional.dropout(torch.ones(3), 0.5),
}


@pytest.mark.parametrize("name", DRAWS)
def test_after_a_seed_a_draw_is_a_constant(name: str) -> None:
    target = after_a_seed(DRAWS[name])
    before = torch.get_rng_state()
    verdict = ep.prove(target, "x: n 3 -> n 3", "S(n)", backend="torch")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)
    assert torch.equal(before, torch.get_rng_state())
    x = torch.arange(3, dtype=torch.float64)[None]
    assert torch.equal(target(x), target(x))


@pytest.mark.parametrize("name", DRAWS)
def test_without_a_seed_nothing_is_proved(name: str) -> None:
    verdict = ep.prove(DRAWS[name], "x: n 3 -> n 3", "S(n)", backend="torch")
    assert verdict.outcome == "UNDECIDED" and "random" in verdict.reason, str(verdict)


def test_a_draw_of_few_values_is_no_constant_by_chance() -> None:
    """Of one coin in two runs half are equal: the states are compared, and not what is drawn."""
    for _ in range(6):
        found = ep.prove(lambda x: x * torch.randint(0, 1, (1,)), "x: n -> n", "S(n)", backend="torch")
        assert found.outcome == "UNDECIDED"


def test_a_seed_that_comes_after_the_draw_is_none() -> None:
    def late(x: Any) -> Any:
        y = x * torch.rand(1)
        torch.manual_seed(0)
        return y + torch.rand(1)

    assert ep.prove(late, "x: n -> n", "S(n)", backend="torch").outcome == "UNDECIDED"


def test_a_draw_for_each_entry_is_judged_at_given_sizes() -> None:
    target = after_a_seed(lambda x: x + torch.rand(x.shape))
    assert ep.prove(target, "x: n 2 -> n 2", "S(n)", backend="torch").outcome == "UNDECIDED"
    verdict = ep.check(target, "x: n 2 -> n 2", "S(n)", backend="torch")
    assert verdict.fails and verdict.grade == "EXACT" and ep.verify(verdict.certificate).accepted


def test_numbers_that_follow_from_values_are_not_read() -> None:
    target = after_a_seed(lambda x: x * torch.bernoulli(torch.sigmoid(x)))
    assert ep.prove(target, "x: n 3 -> n 3", "S(n)", backend="torch").outcome == "UNDECIDED"
