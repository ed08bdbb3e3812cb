"""The oracle and the bookkeeping of the table of functions with exceptional sets."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
pytest.importorskip("jax")
pytest.importorskip("torch")

from benchmarks.exceptional import Answer, wrong
from benchmarks.exceptional_claims import CLAIMS, SPARE, TABLE, Claim
from benchmarks.exceptional_claims.oracle import label
from benchmarks.exceptional_claims.samplers import arrays, cloud, tied

TIES = arrays((tied, "n"))
CLOUD = arrays((cloud, "n d"))


@pytest.mark.parametrize(
    ("f", "signature", "under", "on_set", "off", "on"),
    [
        (np.sort, "x: n -> n!", "S(n)", TIES, True, True),
        (np.sort, "x: n -> n", "S(n)", TIES, False, False),
        (lambda x: x * (np.arange(len(x)) == x.argmax()), "x: n -> n", "S(n)", TIES, True, False),
        (lambda x: x * (x == x.max()), "x: n -> n", "S(n)", TIES, True, True),
        (lambda X: X - X.mean(0), "X: n d -> n d^", "E(d) x S(n)", CLOUD, True, True),
        (lambda X: X - X.mean(0), "X: n d -> n d", "E(d) x S(n)", CLOUD, False, False),
        (lambda X: X[np.argmax((X**2).sum(1))], "X: n d -> d", "O(d) x S(n)", CLOUD, True, False),
        (lambda X: np.cross(X[0], X[1]), "X: 2 3 -> 3", "SO(3)", arrays((cloud, "2 3")), True, True),
        (lambda X: np.cross(X[0], X[1]), "X: 2 3 -> 3", "O(3)", arrays((cloud, "2 3")), False, False),
        (lambda x: x.argmax() * 1.0, "x: n -> ()", "Scale(n)", TIES, True, True),
        (lambda x: np.floor(x), "x: n -> n", "Scale(n)", TIES, False, False),
    ],
)
def test_the_oracle_labels_what_is_known(
    f: Callable[..., Any], signature: str, under: str, on_set: Any, off: bool, on: bool
) -> None:
    claim = Claim("known", f, signature, under, "numpy", on_set)
    assert label(claim) == {"off": off, "on": on}


def said(verdict: str, elsewhere: str = "", restricted: bool = False) -> Answer:
    return Answer(verdict, elsewhere, restricted, "", "", 0.0)


RIGHT, SPLIT, NEVER = {"off": True, "on": True}, {"off": True, "on": False}, {"off": False, "on": False}


@pytest.mark.parametrize(
    ("truth", "answer", "mistake"),
    [
        (SPLIT, said("HOLDS PROVED"), True),
        (SPLIT, said("HOLDS PROVED", restricted=True), False),
        (SPLIT, said("HOLDS TESTED"), False),
        (SPLIT, said("FAILS EXACT"), False),
        (SPLIT, said("FAILS EXACT", "HOLDS PROVED"), False),
        (SPLIT, said("FAILS EXACT", "FAILS EXACT"), True),
        (RIGHT, said("FAILS EXACT"), True),
        (RIGHT, said("FAILS EXACT", "HOLDS PROVED"), True),
        (RIGHT, said("FAILS OBSERVED"), False),
        (NEVER, said("HOLDS PROVED", restricted=True), True),
        (NEVER, said("FAILS EXACT", "HOLDS DECIDED"), True),
        (NEVER, said("FAILS EXACT"), False),
        (NEVER, said("UNDECIDED"), False),
    ],
)
def test_a_wrong_half_is_noticed(truth: dict[str, bool | None], answer: Answer, mistake: bool) -> None:
    assert bool(wrong(truth, answer)) is mistake


def test_there_are_sixty_claims_and_each_has_a_name_of_its_own() -> None:
    names = [claim.name for claim in CLAIMS]
    assert len(TABLE) == 60
    assert len(set(names)) == len(names)
    assert set(names) >= SPARE
