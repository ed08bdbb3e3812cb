"""Slips of the exporter that `benchmarks/rocq_slips.py` tries are slips of the exporter as it is."""

from __future__ import annotations

import ast
from pathlib import Path

from benchmarks.rocq_slips import SLIPS

PACKAGE = Path(__file__).resolve().parents[2] / "eqvproof"


def test_each_text_stands_once_and_its_change_is_a_program() -> None:
    for what, name, old, new in SLIPS:
        text = (PACKAGE / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, what
        assert ast.dump(ast.parse(text.replace(old, new))) != ast.dump(ast.parse(text)), what
