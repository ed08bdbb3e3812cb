"""Targets in torch that take some number of entries at least."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep

torch = pytest.importorskip("torch")


class Nearest(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Differences from the nearest points: an edge convolution of 20 neighbours."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def forward(self, x: Any) -> Any:
        places = torch.cdist(x, x).topk(self.count, largest=False)[1]
        return torch.tanh(x[places] - x[:, None]).amax(1)


@pytest.mark.parametrize("count", [8, 20])
@pytest.mark.parametrize("group", ["S(n)", "T(3)"])
def test_nearest_points(count: int, group: str) -> None:
    output = "n 3" if group == "S(n)" else "n 3^"
    verdict = ep.prove(Nearest(count), f"x: n 3 -> {output}", group)  # `check` finds that ties are broken
    assert verdict.grade == "PROVED" and f"n >= {count}" in str(verdict), str(verdict)
    assert ep.verify(verdict.certificate).accepted


def test_ties_of_nearest_points() -> None:
    """Where more points are as near, the first are taken: a call there may say so, and nothing else."""
    verdict = ep.check(Nearest(8), "x: n 3 -> n 3", "S(n)")
    assert (verdict.outcome, verdict.grade) in (("HOLDS", "PROVED"), ("FAILS", "OBSERVED")), str(verdict)
    assert verdict.holds or min(verdict.counterexample.sizes.values()) >= 8


@pytest.mark.parametrize("count", [2, 3])
def test_greatest_entries(count: int) -> None:
    """Few enough that real calls go through where the target is read."""

    def greatest(x: Any) -> Any:
        return torch.topk(x.sum(-1), count, dim=-1).values.mean(-1)

    verdict = ep.prove(greatest, "x: b n 4 -> b", "S(b) x S(n)")
    assert verdict.grade == "PROVED" and f"n >= {count}" in str(verdict), str(verdict)
    assert ep.verify(verdict.certificate).accepted
    assert ep.prove(greatest, "x: b n 4 -> b", "T(4)").outcome == "UNDECIDED"


def test_at_one_size() -> None:
    verdict = ep.prove(Nearest(20), "x: n 3 -> n 3", "S(n)", sizes={"n": 24})
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)


def test_nearest_points_do_not_rotate() -> None:
    """A near miss: tanh of coordinates."""
    verdict = ep.check(Nearest(20), "x: n 3 -> n 3", "O(3)", budget=15)
    assert verdict.outcome == "FAILS", str(verdict)
