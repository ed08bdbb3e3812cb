"""The comparison asks other tools what the claim says: arrays as lists of vectors, and back."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.corpus.case import Case

ROOT = Path(__file__).resolve().parents[2]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("comparison", ROOT / "benchmarks" / "comparison.py")
    if spec is None or spec.loader is None:
        raise ImportError("benchmarks/comparison.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["comparison"] = module
    spec.loader.exec_module(module)
    return module


comparison = load()


@pytest.mark.parametrize("moved", [None, 0, 1, 2])
def test_vectors_and_back(moved):
    layout = comparison.Layout((3, 4, 5), moved)
    array = np.arange(60.0).reshape(3, 4, 5)
    flat = layout.flat(array)
    assert (layout.full(flat) == array).all()
    if moved is not None:
        vectors = flat.reshape(layout.copies, -1)
        assert vectors.shape[1] == array.shape[moved]
        assert (vectors[0] == np.moveaxis(array, moved, 0)[:, 0, 0]).all()


def case(signature, under, **options):
    return Case("a case", "for the test", lambda x: x, signature, under, options)


def test_claims_that_a_tool_can_express():
    families = {"O": 3, "SO": 3}
    factor, inputs, result = comparison.layouts(case("X: d n, y: n -> d", "O(d)"), families)
    assert factor.family == "O" and result == comparison.Layout((3,), 0)
    assert [x.moved for x in inputs] == [0, None] and inputs[0].shape[0] == 3
    for other in (
        case("X: d n -> d n", "S(n)"), case("X: d n -> d n", "O(d) x S(n)"), case("X: d d -> ()", "O(d)"),
        case("x: 2 -> 2", "O(2)"), case("x: d -> d", "O(d)", sizes={"d": 2}),
    ):  # fmt: skip
        assert comparison.layouts(other, families) is None


def test_a_tool_that_raises_reports_a_failure():
    assert comparison.raises(lambda: 1 / 0) and not comparison.raises(lambda: 0)
