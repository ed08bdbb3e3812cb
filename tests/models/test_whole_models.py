"""Whole networks at usual sizes, as they are written, and each with one character of it wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.judged import assert_proved
from tests.models.whole import CASES, Case, broken, whole

#: These take twenty seconds each; `benchmarks/models.py` judges all.
LONG = ("Harmonics", "MACE")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.network)
def test_networks_as_they_are_written(case: Case, tmp_path: Path) -> None:
    if case.network in LONG and os.environ.get("HYPOTHESIS_PROFILE") != "nightly":
        pytest.skip("twenty seconds: with HYPOTHESIS_PROFILE=nightly")
    for name in case.needs:
        pytest.importorskip(name, reason=f"{name} is not installed", exc_type=ImportError)
    found = whole(case)
    assert (found.verdict.outcome, found.verdict.grade) == ("HOLDS", "PROVED"), str(found.verdict)
    assert found.is_accepted
    wrong, is_named = broken(case, tmp_path)
    assert wrong.verdict.fails and wrong.verdict.grade in ("EXACT", "ENCLOSED"), str(wrong.verdict)
    assert wrong.is_accepted
    assert is_named, wrong.verdict.reason


def test_a_network_of_e3nn_that_makes_its_graph() -> None:
    """Of the pairs that are nearer than a radius, as many as there are."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed", exc_type=ImportError)
    models = pytest.importorskip("e3nn.nn.models.gate_points_2101", exc_type=ImportError)
    torch.manual_seed(0)
    network = models.Network(
        "3x0e+2x1o", "5x0e+5x0o+5x1e+5x1o", "2x0o+2x1o+2x2e", "4x0e", o3.Irreps.spherical_harmonics(3),
        layers=1, max_radius=2.0, number_of_basis=5, radial_layers=1, radial_neurons=8, num_neighbors=4.0,
        num_nodes=5,
    )  # fmt: skip

    def of_arrays(pos: Any, x: Any, z: Any) -> Any:
        return network({"pos": pos, "x": x, "z": z})

    signature = "pos: 5! 3, x: 5! <3x0e+2x1o>, z: 5! 4 -> 1 <2x0o+2x1o+2x2e>"
    assert_proved(of_arrays, signature, "E(3)", backend="torch", budget=400)
