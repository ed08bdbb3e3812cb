"""The tables in docs/rocq.md are what docs/make_rocq.py writes; every rule has its lemma."""

from __future__ import annotations

import pytest

from docs import make_rocq
from eqvproof.engines.elaborate.forms import WRITERS


def test_the_table_is_what_the_script_writes() -> None:
    page = make_rocq.PAGE.read_text(encoding="utf-8")
    assert make_rocq.FIRST + make_rocq.table() + make_rocq.AFTER in page, "run python docs/make_rocq.py"


def test_an_operation_that_the_table_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WRITERS, "fourier", WRITERS["sort"])
    with pytest.raises(KeyError, match="fourier"):
        make_rocq.table()


def test_a_form_that_rocq_lacks_is_named() -> None:
    with pytest.raises(KeyError, match="Gradient"):
        make_rocq.lemmas("Gradient")


def test_a_rule_that_the_checker_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(make_rocq.METHODS, "Sort", "sorted")
    with pytest.raises(KeyError, match="Sort"):
        make_rocq.table()


def test_a_lemma_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(make_rocq.LEMMAS, "Turns", ("line_turns", {"Sort": "sort_turns"}))
    with pytest.raises(KeyError, match="sort_turns"):
        make_rocq.table()


@pytest.mark.parametrize("name", ["eigenvectors_guessed", "eigenvectors_apart"])
def test_a_lemma_about_arguments_is_there(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(make_rocq.ARGUMENTS, "eigenvectors", ("Eigenvectors", ["eigenvectors_moved", name]))
    with pytest.raises(KeyError, match=name):
        make_rocq.table()


def test_every_form_is_held_by_some_operation() -> None:
    assert all(make_rocq.operations(form) for form in make_rocq.constructors())
