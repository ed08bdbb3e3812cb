"""The user's code that may compute numbers is told apart from code that passes values on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import eqvproof as ep
from eqvproof.tracing.observing.detect import may_compute_numbers

torch = pytest.importorskip("torch")
torch.manual_seed(0)
NET = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dtype=torch.float64).eval()
MASK = torch.zeros(1, 1, dtype=torch.float64)
WEIGHTS = torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64)


class Scaled:
    """An object whose attribute and entries are computed."""

    @property
    def weights(self) -> Any:
        return WEIGHTS * 3

    def __getitem__(self, place: int) -> Any:
        return WEIGHTS[place] * 3


class Wrapped(torch.nn.Module):
    """A module of the user."""

    def forward(self, x: Any) -> Any:
        return NET(x) * (0.1 * len(WEIGHTS))


SCALED, WRAPPED, ALIAS = Scaled(), Wrapped().eval(), torch.sum


def called_twice(x: Any) -> Any:
    """Keeps a value in a variable."""
    y = NET(x[None])
    return NET(y)[0]


def in_a_loop(x: Any) -> Any:
    """Computes no number, but runs as often as a variable says."""
    for _ in range(2):
        x = NET(x)
    return x


PASSES_ON: dict[str, Callable[..., Any]] = {
    "a module": lambda x: NET(x),
    "an entry": lambda x: NET(x[None])[0],
    "an attribute of the result": lambda x: NET(x).mT,
    "a part of a tensor": lambda x: NET(x, WEIGHTS[0:1]),
    "a keyword": lambda x: NET(x[None], src_mask=MASK)[0],
    "a call in a call": lambda x: NET(NET(x[None]))[0],
    "several statements": called_twice,
}
COMPUTES: dict[str, Callable[..., Any]] = {
    "a product": lambda x: NET(x * (0.1 * len(WEIGHTS))),
    "a method of a tensor": lambda x: NET(x, WEIGHTS.sum()),
    "a method of the result": lambda x: NET(x).sum(),
    "a function": lambda x: NET(x, ALIAS(WEIGHTS)),
    "a function of torch": lambda x: NET(x, torch.sum(WEIGHTS)),
    "a method of a result in a list of calls": lambda x: (NET, WEIGHTS.sum(), NET(x))[1],
    "a call of a result": lambda x: NET(x)(x),
    "a property": lambda x: NET(x, SCALED.weights),
    "an entry of an object": lambda x: NET(x, SCALED[0]),
    "a module of the user": lambda x: WRAPPED(x),
    "a negative number": lambda x: NET(-x),
    "a comparison": lambda x: NET(x, WEIGHTS > 0.2),
    "a loop": in_a_loop,
    "no module": lambda x: x * (0.1 + len(WEIGHTS)),
}


@pytest.mark.parametrize("name", PASSES_ON)
def test_code_that_passes_values_on_computes_no_number(name: str) -> None:
    assert not may_compute_numbers(PASSES_ON[name])


@pytest.mark.parametrize("name", COMPUTES)
def test_other_code_may_compute_numbers(name: str) -> None:
    assert may_compute_numbers(COMPUTES[name])


def test_code_that_passes_values_on_is_proved() -> None:
    verdict = ep.check(PASSES_ON["an entry"], "x: n 8 -> n 8", under="S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
