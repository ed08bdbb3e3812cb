"""Statements in processes of their own: what one of them does to its process costs no other its answer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from eqvproof.papers.library import review
from eqvproof.papers.statements import isolated
from eqvproof.papers.statements.isolated import Isolation, parse_finding
from eqvproof.support.errors import EqvproofError
from tests.forked import started_module

PAPER = """
import os, sys, time
import numpy as np
from eqvproof.papers.statements import Equivariance, Identity, Proposition

def hangs(x):
    while True:
        time.sleep(1)

def takes_memory(x):
    return x + np.zeros(1 << 40, dtype=np.uint8)[0]

def ends(x):
    os._exit(0)

def forks(x):
    os.fork()
    return x * 2

def statement(id, f, under="S(n)"):
    claim = Equivariance(f, "x: n -> n", under=under)
    return Proposition(id=id, place="1", printed="p", claim=claim)

STATEMENTS = (
    statement("p.right", lambda x: np.tanh(x)),
    statement("p.hangs", hangs),
    statement("p.memory", takes_memory),
    statement("p.ends", ends),
    statement("p.forks", forks),
    statement("p.wrong", lambda x: np.cumsum(x)),
)
print("a word at import")
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_each_statement_has_its_own_fate(tmp_path: Path) -> None:
    file = tmp_path / "paper.py"
    file.write_text(PAPER)
    found = review(str(file), budget=1.0, isolate=Isolation(seconds=8.0, megabytes=6000))
    answers = {row.id: (str(row.outcome), str(row.grade)) for row in found}
    assert answers["p.right"] == ("HOLDS", "PROVED")
    assert answers["p.wrong"] == ("FAILS", "EXACT")
    assert answers["p.hangs"][0] == answers["p.ends"][0] == "UNDECIDED"
    assert "ended after 8 seconds" in found["p.hangs"].reason
    assert "before it returned a finding" in found["p.ends"].reason
    assert answers["p.memory"][0] == "UNDECIDED"
    assert answers["p.forks"] == ("HOLDS", "PROVED") or answers["p.forks"][0] == "HOLDS"
    (_, certificate), *_ = found["p.right"].certificates
    assert certificate["kind"] == "proof"


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are copies of this one: they start sooner."""
    monkeypatch.setattr(isolated, "start_module", started_module)


def test_statements_of_the_library(copies: None) -> None:
    """The same rows as in one process."""
    names = ("my23.prop3.1.householder-orthogonal", "my23.perm-subgroup")
    apart, here = (review(*names, isolate=i) for i in (Isolation(), None))
    assert [(r.id, r.outcome, r.grade, r.scope, r.repaired_by) for r in apart] == [
        (r.id, r.outcome, r.grade, r.scope, r.repaired_by) for r in here
    ]
    assert [r.certificates for r in apart] == [r.certificates for r in here]


def test_a_counterexample_comes_back(copies: None) -> None:
    name = "my23.prop3.1.every-g-invariant"
    texts = [
        [str(v.counterexample) for v in review(name, isolate=i)[name].verdicts] for i in (Isolation(), None)
    ]
    assert texts[0] == texts[1] and "f(g x)" in texts[0][-1]


def test_only_names_and_files() -> None:
    from eqvproof.papers.library import statements

    with pytest.raises(EqvproofError, match="only names and files"):
        review(statements()[0], isolate=Isolation())


@pytest.mark.parametrize(
    "answer", ["", "{}", "[1]", '{"outcome": "HOLDS"}', '{"outcome": "TRUE", "grade": ""}']
)
def test_half_an_answer_is_none(answer: str) -> None:
    assert str(parse_finding(answer, -9).outcome) == "UNDECIDED"
    assert "signal 9" in parse_finding(answer, -9).reason
