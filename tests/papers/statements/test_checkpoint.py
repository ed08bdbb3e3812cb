"""Rows of an interrupted review: used again where all is the same, judged again where anything is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eqvproof.engines.verdict import Outcome
from eqvproof.papers.library import review, statements
from eqvproof.papers.statements import Court, Equivariance, Finding, Proposition, Statement
from eqvproof.papers.statements.checkpoint import StoredFindings
from eqvproof.papers.statements.review import review_statements


class Counted:
    """A court that notes what it is asked."""

    def __init__(self) -> None:
        self.court, self.asked = Court(1.0, 0), list[str]()

    def finding(self, statement: Statement) -> Finding:
        self.asked.append(statement.id)
        return self.court.finding(statement)

    def seconds(self, statement: Statement) -> float:
        return self.court.seconds(statement)


def paper(scale: float = 2.0) -> tuple[Statement, ...]:
    def double(x: Any) -> Any:
        return scale * x

    def statement(id: str, f: Callable[..., Any]) -> Statement:
        return Proposition(id=id, place="1", printed="p", claim=Equivariance(f, "x: n -> n", under="S(n)"))

    def draws(x: Any) -> Any:
        return x + np.random.rand()

    return (
        statement("p.double", double),
        statement("p.sums", lambda x: np.cumsum(x)),
        statement("p.random", draws),
    )


def judged(folder: Path, scale: float = 2.0, **options: Any) -> tuple[list[str], list[dict[str, Any]]]:
    court = Counted()
    kept = StoredFindings(court, folder, **{"budget": 1.0, "seed": 0, **options})
    rows = review_statements(paper(scale), court=kept).to_json()["statements"]
    assert kept.reused == [s.id for s in paper() if s.id not in court.asked]
    return court.asked, rows


def test_what_is_unchanged_is_not_judged_again(tmp_path: Path) -> None:
    asked, rows = judged(tmp_path / "rows")
    assert asked == ["p.double", "p.sums", "p.random"]
    assert [r["outcome"] for r in rows] == ["HOLDS", "FAILS", "UNDECIDED"]
    again, same = judged(tmp_path / "rows")
    assert again == ["p.random"]  # UNDECIDED: another run may find more
    assert same[:2] == rows[:2]


def test_another_function_budget_or_seed_is_judged_anew(tmp_path: Path) -> None:
    judged(tmp_path)
    assert judged(tmp_path, scale=3.0)[0] == ["p.double", "p.random"]
    for options in ({"budget": 2.0}, {"seed": 1}):
        assert "p.sums" in judged(tmp_path, scale=3.0, **options)[0]


@pytest.mark.parametrize("change", ["half", "no JSON", "certificate", "outcome", "key", "list"])
def test_a_row_that_is_not_whole_is_judged_anew(tmp_path: Path, change: str) -> None:
    judged(tmp_path)
    file = tmp_path / "p.double.row.json"
    text = file.read_text()
    row = json.loads(text)
    if change == "certificate":
        row["finding"]["verdicts"][0]["certificate"]["claim"]["output"] = []
    elif change == "outcome":
        row["finding"]["outcome"] = "MAYBE"
    elif change == "key":
        row["key"] = "sha256:0"
    other = {"half": text[: len(text) // 2], "no JSON": "{", "list": "[]"}
    file.write_text(other.get(change, json.dumps(row)))
    asked, rows = judged(tmp_path)
    assert asked == ["p.double", "p.random"] and rows[0]["outcome"] == "HOLDS"
    assert judged(tmp_path)[0] == ["p.random"]


def test_an_interrupted_review_goes_on(tmp_path: Path) -> None:
    class Interrupted(Counted):
        def finding(self, statement: Statement) -> Finding:
            if statement.id == "p.sums":
                raise KeyboardInterrupt
            return super().finding(statement)

    with pytest.raises(KeyboardInterrupt):
        review_statements(paper(), court=StoredFindings(Interrupted(), tmp_path, budget=1.0, seed=0))
    assert [f.name for f in tmp_path.iterdir()] == ["p.double.row.json"]
    assert judged(tmp_path)[0] == ["p.sums", "p.random"]


def test_statements_of_the_library_are_kept(tmp_path: Path) -> None:
    name = "my23.def3.1"
    first = review(name, budget=1.0, resume=tmp_path)
    kept = StoredFindings(Counted(), tmp_path, budget=1.0, seed=0, isolate=None)
    again = review_statements(statements(name), court=kept)
    assert again.to_json() == first.to_json()
    assert set(kept.reused) == {r.id for r in first if r.outcome is not Outcome.UNDECIDED} != set()
