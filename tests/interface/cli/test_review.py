"""``eqvproof review``, on some statements of the library and on a file of one's own."""

from __future__ import annotations

import json

import pytest

PAPER = """\
import numpy as np
import eqvproof as ep
from eqvproof.papers.statements import Equivariance, Proposition

print("a word at import")

gram = Proposition(
    id="paper.gram",
    place="Eq. 1",
    printed="f(X) = X X^T X is O(d)-equivariant",
    claim=Equivariance(lambda X: X @ (X.T @ X), "X: d n -> d n", under="O(d)"),
)
relu = Proposition(
    id="paper.relu",
    place="Eq. 2",
    printed="f(X) = max(X, 0) is O(d)-equivariant",
    claim=Equivariance(lambda X: np.maximum(X, 0), "X: d n -> d n", under="O(d)"),
)
"""


@pytest.fixture
def paper(folder):
    (folder / "paper.py").write_text(PAPER)
    return folder


def test_rows_in_a_pipe(eqvproof_program, paper):
    done = eqvproof_program("review", "paper.py")
    assert done.status == 0
    head, *_ = lines = done.out.splitlines()
    assert head.startswith("2 statements in ") and head.endswith(
        ": 1 fails (1 EXACT); 1 holds (1 PROVED)"
    )
    assert lines[2:5] == ["FAILS (1)", "", "paper.relu (EXACT, Eq. 2)"]
    assert "HOLDS, PROVED (1): a proof for all sizes in scope" in lines and "  paper.gram" in lines
    assert lines[-1] == "  as a page       eqvproof review paper.py --html review.html"
    assert "\x1b" not in done.out + done.err
    assert "a word at import" not in done.out


def test_explained(eqvproof, paper):
    (paper / "paper.py").write_text('"""A paper on layers.\n\nIts place."""\n' + PAPER)
    assert eqvproof("review", "paper.py").out.startswith("A paper on layers.\nIts place.\n")
    done = eqvproof("review", "paper.py", "--explain")
    assert done.status == 0
    for words in (
        "Printed:  f(X) = max(X, 0)",
        "Counterexample: at d = 1",
        "X = [1]",
        "f(x) = [-1]",
        "QED",
    ):
        assert words in done.out
    assert done.out.count("Certificate: sha256:") == 2


def test_what_statements_print_appears_once(eqvproof, paper):
    loud = PAPER.replace("lambda X: X @ (X.T @ X)", "loud") + "    \n"
    loud = loud.replace(
        "gram = Prop",
        "def loud(X):\n    print('called', end='')\n    print()\n    return X\n\ngram = Prop",
    )
    (paper / "paper.py").write_text(loud)
    done = eqvproof("review", "paper.py")
    assert done.status == 0 and "called" not in done.out
    assert sorted(done.err.splitlines()) == ["a word at import", "called"]


def test_a_paper_that_ends_the_process_is_not_judged(eqvproof, folder):
    (folder / "ends.py").write_text("import os\nos._exit(0)\n")
    done = eqvproof("review", "ends.py")
    assert done.status == 2 and "importing the module ends raised SystemExit: 0" in done.err


def test_strict(eqvproof, paper):
    assert eqvproof("review", "paper.py", "--strict").status == 1
    (paper / "paper.py").write_text(PAPER.partition("relu =")[0])
    assert eqvproof("review", "paper.py", "--strict").status == 0


def test_json_and_certificates(eqvproof, paper):
    done = eqvproof(
        "review", "paper.py", "--json", "-", "--certificates", "out", "--html", "page.html"
    )
    assert done.status == 0
    rows = json.loads(done.out)["statements"]
    assert [r["id"] for r in rows] == ["paper.gram", "paper.relu"]
    assert all(
        {"id", "outcome", "grade", "scope", "seconds", "repaired_by"} <= set(r) for r in rows
    )
    names = sorted(p.name for p in (paper / "out").iterdir())
    assert names == ["paper.gram.json", "paper.relu.json"]
    assert eqvproof("verify", *(f"out/{n}" for n in names)).status == 0
    assert "paper.relu" in (paper / "page.html").read_text()


def test_statements_of_the_library(eqvproof):
    done = eqvproof(
        "review", "my23.prop3.1.householder-orthogonal", "my23.attn.permutation", "--json", "-"
    )
    assert done.status in (0, 1)
    ids = [r["id"] for r in json.loads(done.out)["statements"]]
    assert ids[0].startswith("my23.") and len(ids) >= 2


def test_a_statement_that_stays_undecided_gives_status_1(eqvproof, paper):
    text = PAPER + (
        "noisy = Proposition(id='paper.noisy', place='Eq. 3', printed='it is random',\n"
        "    claim=Equivariance(lambda X: X * np.random.rand(), 'X: d n -> d n', under='S(n)'))\n"
    )
    (paper / "paper.py").write_text(text)
    done = eqvproof("review", "paper.py", "--budget", "2", "--json", "-")
    outcomes = {r["id"]: r["outcome"] for r in json.loads(done.out)["statements"]}
    assert outcomes["paper.noisy"] != "HOLDS"
    assert done.status == ("UNDECIDED" in outcomes.values())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["my24"], "my24"),
        (["my23.prop3.1.househoulder"], "householder"),
        (["missing.py"], "missing.py"),
        (["crashes.py"], "ZeroDivisionError"),
        (["models.py"], "no statements"),
        (["my23", "--budget", "-1"], "seconds"),
        (["my23", "--html", "nowhere/x.html"], "nowhere"),
        (["my23", "--json", "-", "--html", "-"], "standard output"),
        (["my23", "--certificates", "models.py"], "models.py"),
    ],
)
def test_bad_input_is_one_paragraph_and_status_2(eqvproof, arguments, says):
    done = eqvproof("review", *arguments)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err
    assert "defect of eqvproof" not in done.err
