"""Statements: what they must say, and what they must not."""

from __future__ import annotations

import pytest

from eqvproof.papers.statements import (
    Corollary,
    Definition,
    Equivariance,
    Lemma,
    ProofStep,
    Proposition,
    Remark,
    Statement,
    Theorem,
)
from eqvproof.support.errors import EqvproofError

CLAIM = Equivariance(lambda X: X, "X: d n -> d n", under="O(d)")


def make(kind=Proposition, **changes):
    return kind(**{"id": "paper.one", "place": "§1", "printed": "f(QX) = Q f(X)", "claim": CLAIM, **changes})


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Definition, "definition"), (Proposition, "proposition"), (Lemma, "lemma"), (Theorem, "theorem"),
        (Corollary, "corollary"), (Remark, "remark"), (ProofStep, "proof step"),
    ],
)  # fmt: skip
def test_kinds_have_names(kind, name):
    assert make(kind).kind == name
    assert isinstance(make(kind), Statement)


def test_a_single_reading_may_be_a_text():
    statement = make(reading="d is any size", assumptions=["n >= 1"])
    assert statement.reading == ("d is any size",)
    assert statement.assumptions == ("n >= 1",)


def test_it_prints_what_it_says():
    text = str(make(reading="d is any size", assumptions="f is continuous"))
    assert text == (
        "paper.one (proposition, §1): f(QX) = Q f(X)\n  read: d is any size\n  assumed: f is continuous"
    )


def test_statements_are_frozen():
    with pytest.raises(AttributeError):
        make().place = "§2"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "two words"}, "its id is not a name"),
        ({"id": ""}, "its id is not a name"),
        ({"id": "a..b"}, "its id is not a name"),
        ({"id": "../a"}, "its id is not a name"),
        ({"id": None}, "its id is not a name"),
        ({"place": " "}, "it has no place"),
        ({"printed": ""}, "it has no printed form"),
        ({"claim": lambda X: X}, "its claim has no method `judge`"),
        ({"repaired": make(id="paper.two")}, "its repaired form has another id"),
    ],
)
def test_what_is_refused(changes, message):
    with pytest.raises(EqvproofError, match=message):
        make(**changes)


def test_a_repaired_form_has_the_id_of_what_it_repairs():
    repaired = make(id="paper.one.repaired")
    assert make(repaired=repaired).repaired is repaired
