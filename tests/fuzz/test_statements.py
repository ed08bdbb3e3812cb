"""The theme of statements: its pieces work, and programs with them are judged without a wrong verdict."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.fuzz.judge import case
from benchmarks.fuzz.source import Writer
from benchmarks.fuzz.statements import STATEMENTS

SEED = "statements"


@pytest.mark.parametrize("piece", STATEMENTS)
def test_each_piece_is_drawn_and_runs(piece: str) -> None:
    """On one of a few draws of names at least; what never runs is never judged."""
    for number in range(40):
        writer = Writer(f"{SEED} {number}", libraries=False)
        try:
            code = writer.fill(piece, o="v1")
        except LookupError:
            continue
        if writer.run(code, "import functools"):
            assert np.size(writer.values["v1"])
            return
    raise AssertionError(piece)


def test_no_verdict_on_programs_of_statements_is_wrong() -> None:
    names = (f"{SEED} {number}" for number in range(150))
    found = [case(name, 0.5, libraries=False) for name in names if Writer(name).theme == "statements"]
    known = [c for c in found if c is not None]
    assert [str(c) for c in known if c.strong] == []
    assert sum(c.answer == "HOLDS PROVED" for c in known) >= 2
