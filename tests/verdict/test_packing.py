"""Version 2 of certificates: large Programs and large weights."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.cli.replay import difference
from eqvproof.verdict import seal_proof
from eqvproof.verdict.packing import numbers, packed_evidence, packed_program
from tests.kernel.corpus import accepted, reseal
from tests.kernel.packed import unpacked, written

PROOFS = {name: data for name, data in accepted().items() if data["kind"] == "proof"}
SIGNATURE = "X: n 160 -> n 160"
WEIGHTS = np.random.default_rng(0).normal(size=(160, 160))
BIAS = np.zeros(160)


def layer(X):
    """Weights that are too many to be written, and a constant whose values a proof uses."""
    return np.tanh(X @ WEIGHTS) + BIAS + X.sum(0)


def other(X):
    return np.tanh(X @ (WEIGHTS + 1)) + BIAS + X.sum(0)


def deep(X):
    """A function of more operations than version 1 writes."""
    for _ in range(340):
        X = np.sin(X) + X.sum(0)
    return X


@given(st.lists(st.one_of(st.fractions(), st.floats(allow_nan=False, allow_infinity=False).map(Fraction))))
def test_numbers_are_written_exactly(values: list[Fraction]) -> None:
    texts = [str(v) for v in values] * 2
    assert written(numbers(texts)) == texts


@pytest.mark.parametrize("name", PROOFS)
def test_a_packed_proof_says_the_same(name: str) -> None:
    data = PROOFS[name]
    program = packed_program(data["program"])
    assert unpacked({"program": program}, random.Random(0)) == data["program"]
    evidence = packed_evidence(data["evidence"], data["program"])
    report = ep.verify(reseal({**data, "version": 2, "program": program, "evidence": evidence}))
    assert report.accepted, report.reason
    assert report.rests_on == ep.verify(data).rests_on


def test_small_proofs_are_written_in_version_1() -> None:
    for data in PROOFS.values():
        again = seal_proof(claim=data["claim"], program=data["program"], evidence=data["evidence"])
        assert again == data


def test_large_weights_become_parameters(tmp_path: Path) -> None:
    verdict = ep.prove(layer, SIGNATURE, under="S(n)")
    assert verdict.grade == "PROVED" and verdict.certificate["version"] == 2
    ops = [kind["op"] for kind in verdict.certificate["program"]["kinds"]]
    assert ops.count("parameter") == 1
    text = json.dumps(verdict.certificate)
    assert len(text) < 20_000
    assert "whatever real numbers its parameters hold" in ep.verify(text).statement
    assert difference(text.encode(), f"{__name__}:layer") == ""
    assert "another Program" in difference(text.encode(), f"{__name__}:other")


def test_deep_functions_are_proved() -> None:
    verdict = ep.prove(deep, "X: n c -> n c", under="S(n)")
    assert verdict.grade == "PROVED" and verdict.certificate["version"] == 2
    assert len(verdict.certificate["program"]["nodes"]) > 1000
    assert ep.verify(verdict.certificate).accepted


def test_a_constant_that_varies_along_the_acted_axis_is_no_parameter() -> None:
    assert not ep.prove(lambda X: X + WEIGHTS, "X: 160 160 -> 160 160", under="S(160)").holds
