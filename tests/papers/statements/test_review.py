"""Reviews: rows, names, files, progress."""

from __future__ import annotations

import json
from types import ModuleType

import pytest

from eqvproof.papers.library import review
from eqvproof.papers.statements import (
    Proposition,
    review_statements,
    select,
    statements_in_file,
    statements_of,
)
from eqvproof.support.errors import EqvproofError
from tests.papers.statements.stubs import known


def make(id, grade="PROVED", repaired=None):
    repair = None if repaired is None else make(f"{id}.repaired", repaired)
    return Proposition(id=id, place="§1", printed="p", claim=known(grade, reason="why"), repaired=repair)


def test_rows_in_order_repaired_forms_beside_what_they_repair():
    found = review_statements([make("a.one", "EXACT", "PROVED"), make("a.two", "TESTED")])
    assert [row.id for row in found] == ["a.one", "a.one.repaired", "a.two"]
    assert [row.repaired_by for row in found] == ["a.one.repaired", None, None]
    assert [str(row.outcome) for row in found] == ["FAILS", "HOLDS", "HOLDS"]
    assert found["a.two"].grade == "TESTED"
    assert len(found) == 3


@pytest.mark.parametrize(
    ("printed", "repaired"), [("PROVED", "PROVED"), ("", "PROVED"), ("EXACT", "EXACT"), ("EXACT", "")]
)
def test_nothing_is_repaired_that_does_not_fail_and_by_nothing_that_does_not_hold(printed, repaired):
    assert review_statements([make("a.one", printed, repaired)])["a.one"].repaired_by is None


def test_json():
    data = review_statements([make("a.one", "EXACT", "PROVED")]).to_json()
    first = json.loads(json.dumps(data))["statements"][0]
    assert {"id", "outcome", "grade", "scope", "seconds", "repaired_by"} <= first.keys()
    assert first["outcome"] == "FAILS"
    assert first["repaired_by"] == "a.one.repaired"


def test_progress_counts_up():
    seen = []
    review_statements([make("a"), make("b", "EXACT", "PROVED")], progress=lambda *a: seen.append(a))
    assert seen == [(0, 3, "a"), (1, 3, "b"), (2, 3, "b.repaired")]


def test_an_unknown_row_is_named():
    with pytest.raises(EqvproofError, match="no row 'z'"):
        review_statements([make("a")])["z"]


def test_two_statements_of_one_id_are_refused():
    with pytest.raises(EqvproofError, match="two statements have the id 'a'"):
        review_statements([make("a"), make("a")])


def test_one_statement_given_twice_is_one_row():
    one = make("a")
    assert len(review_statements([one, one])) == 1


PAPER = [make("p.one"), make("p.one.sub"), make("p.onerous"), make("p.two", "EXACT", "PROVED"), make("q.one")]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["p"], ["p.one", "p.one.sub", "p.onerous", "p.two"]),
        (["p.one"], ["p.one", "p.one.sub"]),
        (["q.one", "p.two"], ["p.two", "q.one"]),
        (["p.two.repaired"], ["p.two.repaired"]),
    ],
)
def test_names_choose_ids_and_beginnings_of_ids(names, expected):
    assert [s.id for s in select(PAPER, names)] == expected


@pytest.mark.parametrize("name", ["p.on", "r", "", "p.one.", "P.one"])
def test_a_name_that_chooses_nothing_is_an_error(name):
    with pytest.raises(EqvproofError, match="there is no statement"):
        select(PAPER, [name])


def test_a_near_name_is_suggested():
    with pytest.raises(EqvproofError, match=r"did you mean p\.two"):
        select(PAPER, ["p.tow"])


FILE = """
import eqvproof as ep
from eqvproof.papers.statements import Equivariance

gram = ep.Definition(
    id="mine.gram", place="(1)", printed="X^T X is invariant under O(d)",
    claim=Equivariance(lambda X: X.T @ X, "X: d n -> n n", under="O(d)"),
)
square = ep.Proposition(
    id="mine.square", place="(2)", printed="X * X is equivariant under O(d)",
    claim=Equivariance(lambda X: X * X, "X: d n -> d n", under="O(d)"),
)
"""


def test_a_file_of_a_user(tmp_path):
    path = tmp_path / "paper.py"
    path.write_text(FILE, encoding="utf-8")
    assert [s.id for s in statements_in_file(path)] == ["mine.gram", "mine.square"]
    found = review(str(path))
    assert [(row.id, str(row.outcome), str(row.grade)) for row in found] == [
        ("mine.gram", "HOLDS", "PROVED"),
        ("mine.square", "FAILS", "EXACT"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "has no statements"),
        ("1 / 0", "raised ZeroDivisionError"),
        ("raise SystemExit", "raised SystemExit"),
    ],
)
def test_a_file_that_is_none(tmp_path, text, message):
    path = tmp_path / "paper.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EqvproofError, match=message):
        review(str(path))


def test_a_file_that_is_not_there():
    with pytest.raises(EqvproofError, match="no such file"):
        review("nowhere.py")


def test_a_module_lists_its_statements():
    module = ModuleType("paper")
    module.b, module.a = make("x.b", "EXACT", "PROVED"), make("x.a")
    module.fixed = module.b.repaired
    assert [s.id for s in statements_of(module)] == ["x.b", "x.a"]
    module.STATEMENTS = (module.a,)
    assert [s.id for s in statements_of(module)] == ["x.a"]
    assert [row.id for row in review(module)] == ["x.a"]


@pytest.mark.parametrize("what", [3, None, object()])
def test_what_cannot_be_reviewed(what):
    with pytest.raises(EqvproofError, match="cannot be reviewed"):
        review(what)
