"""The table in docs/rocq.md is what docs/make_rocq.py writes; every rule that is printed has its lemma."""

from __future__ import annotations

import pytest

from docs import make_rocq
from eqvproof.export.rocq.programs import WRITERS
from eqvproof.kernel.rules import RULES


def test_the_table_is_what_the_script_writes() -> None:
    page = make_rocq.PAGE.read_text(encoding="utf-8")
    assert make_rocq.FIRST + make_rocq.table() + make_rocq.AFTER in page, "run python docs/make_rocq.py"


def test_a_rule_without_a_lemma_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "fourier", RULES["sort"])
    with pytest.raises(KeyError, match="fourier"):
        make_rocq.table()


def test_a_lemma_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(make_rocq.LEMMAS, "Turns", ("line_turns", {"Sort": "sort_turns"}))
    with pytest.raises(KeyError, match="sort_turns"):
        make_rocq.table()


def test_every_rule_is_printed() -> None:
    assert set(RULES) == set(WRITERS)
