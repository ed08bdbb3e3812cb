"""What differs from an earlier run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from eqvproof.papers.report import changes_since, json_text, read_report
from eqvproof.papers.statements import Equivariance, Proposition, review_statements
from eqvproof.support.errors import EqvproofError


def statement(id: str, *, right: bool) -> Proposition:
    claim = Equivariance((lambda x: 2 * x) if right else (lambda x: x + 1), "x: d -> d", under="O(d)")
    return Proposition(id=id, place="§1", printed="f(Q x) = Q f(x)", claim=claim)


def report(path: Path, *statements: Proposition) -> Any:
    review = review_statements(statements)
    path.write_text(json_text(review.to_json()))
    return review


def test_changed_added_and_gone_rows(tmp_path: Path) -> None:
    report(
        tmp_path / "r.json",
        statement("p.a", right=True),
        statement("p.b", right=True),
        statement("q.c", right=True),
    )
    earlier = read_report(str(tmp_path / "r.json"))
    review = review_statements(
        [statement("p.a", right=True), statement("p.b", right=False), statement("p.d", right=True)]
    )
    changes = changes_since(review, earlier)
    assert (changes.added, changes.gone, list(changes.changed)) == (("p.d",), ("q.c",), ["p.b"])
    assert changes.changed["p.b"]["outcome"] == ("HOLDS", "FAILS")
    assert any("p.b" in line and "HOLDS -> FAILS" in line for line in changes.lines())
    assert changes.to_json()["changed"]["p.b"]["grade"] == {"before": "PROVED", "now": "EXACT"}


def test_rows_that_were_not_asked_for_are_not_gone(tmp_path: Path) -> None:
    report(tmp_path / "r.json", statement("p.a", right=True), statement("q.c", right=True))
    changes = changes_since(
        review_statements([statement("p.a", right=True)]), read_report(str(tmp_path / "r.json")), ("p",)
    )
    assert list(changes.lines()) == ["no differences"]


@pytest.mark.parametrize(
    "text", ["", "[", "{}", '{"statements": 3}', '{"statements": [{"id": 4}]}', "[" * 100_000, "\\xff"]
)
def test_what_is_no_report_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(EqvproofError, match="earlier report"):
        read_report(str(tmp_path / "r.json"))


def test_no_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EqvproofError, match="no such file"):
        read_report(str(tmp_path / "r.json"))
    assert not list(tmp_path.iterdir())
