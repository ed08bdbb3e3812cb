"""The tables in docs/rocq.md are what docs/make_rocq.py writes; every rule has its lemma."""

from __future__ import annotations

import pytest

from docs import make_rocq
from eqvproof.engines.elaborate.forms import WRITERS
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


@pytest.mark.parametrize("name", ["eigenvectors_guessed", "eigenvectors_apart"])
def test_a_lemma_of_proofs_that_are_not_printed_is_there(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(make_rocq.UNPRINTED, "eigenvectors", ("Eigenvectors", ["eigenvectors_moved", name]))
    with pytest.raises(KeyError, match=name):
        make_rocq.table()


def test_what_is_printed_is_not_among_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(make_rocq.UNPRINTED, "sort", ("Eigenvectors", ["eigenvectors_moved"]))
    with pytest.raises(KeyError, match="sort"):
        make_rocq.table()


def test_every_rule_is_printed_or_said_not_to_be() -> None:
    assert set(RULES) == {*WRITERS, *make_rocq.UNPRINTED}
