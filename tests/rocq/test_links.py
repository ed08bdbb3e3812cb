"""Rows of the review name theorems that exist, and that say or negate what the row is about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eqvproof.papers import library
from eqvproof.papers.report import review_page
from eqvproof.papers.statements import Statement
from eqvproof.papers.statements.statement import with_repairs

ROOT = Path(__file__).resolve().parents[2] / "rocq"
LINKED = [statement for statement in with_repairs(library.statements()) if statement.formal]


def theorem(name: str) -> str:
    """The text of a theorem, from its name to the end of what it states."""
    file, title = name.split(".")
    text = re.sub(r"\(\*.*?\*\)", "", (ROOT / f"{file}.v").read_text(encoding="utf-8"), flags=re.S)
    found = re.search(rf"^(?:Theorem|Lemma|Corollary) {title}\b(.*?)^Proof", text, flags=re.M | re.S)
    assert found, f"{name} is not in rocq/{file}.v"
    return found[1]


@pytest.mark.parametrize("statement", LINKED, ids=lambda s: s.id)
def test_what_fails_is_negated_and_what_holds_is_stated(statement: Statement) -> None:
    for name in statement.formal:
        says_no = "~ (" in theorem(name) or "<>" in theorem(name)
        assert says_no == (statement.repaired is not None)


def test_every_theorem_about_a_row_is_linked() -> None:
    files = (ROOT / f"{name}.v" for name in ("Refuted", "Continuous", "Rows"))
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    stated = set(re.findall(r"^Theorem (\w+)", text, flags=re.M))
    linked = {name.split(".")[1] for statement in LINKED for name in statement.formal}
    assert stated <= linked


def test_the_page_and_the_json_name_the_theorem() -> None:
    review = library.review("my23.sec3.2.onehot-gram")
    page = review_page(review)
    assert "Its negation in Rocq: <code>my23_sec3_2_onehot_gram</code> in <code>rocq/Refuted.v</code>" in page
    assert review["my23.sec3.2.onehot-gram"].to_json()["formal"] == ["Refuted.my23_sec3_2_onehot_gram"]
