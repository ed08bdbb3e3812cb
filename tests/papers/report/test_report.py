"""Reviews as JSON and as a page."""

from __future__ import annotations

import json
import math
import re
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.engines.verdict.elements import elements_html
from eqvproof.papers.report import json_text, review_page

SCOPE = "for all d >= 1 and n >= 1"


def row(id, outcome, grade, *, scope=SCOPE, repaired_by=None, seconds=0.125):
    verdict = Verdict(outcome, grade, scope, reason="<because> a & b")
    statement = SimpleNamespace(
        place="§1", printed="f(QX) = Q f(X) <em>", reading=("Q is orthogonal",), assumptions=()
    )
    return SimpleNamespace(
        id=id,
        statement=statement,
        reason="because",
        outcome=outcome,
        grade=grade,
        scope=scope,
        seconds=seconds,
        repaired_by=repaired_by,
        verdicts=(verdict,),
        certificates=(),
    )


REVIEW = SimpleNamespace(
    rows=(
        row("a.one", Outcome.HOLDS, Grade.PROVED),
        row("a.two", Outcome.FAILS, Grade.EXACT, scope="at d = 2,\n n = 1", repaired_by="a.two.repaired"),
        row("a.two.repaired", Outcome.HOLDS, Grade.PROVED, seconds=12.5),
        row("a.three", Outcome.UNDECIDED, Grade.NONE, scope=""),
    )
)


class Reader(HTMLParser):
    """Collects tags and text, and counts what is open."""

    def __init__(self):
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in {"meta", "br", "link", "input"}:
            self.open.append(tag)
        self.links += [v for k, v in attrs if k in {"href", "src"}]
        self.ids += [v for k, v in attrs if k == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_is_whole_and_needs_no_other_file():
    reader = Reader()
    reader.feed(review_page(REVIEW, "Review of <a>"))
    assert reader.open == []
    order = ["a.two", "a.two.repaired", "a.three", "a.one"]  # what fails first, with its repaired form
    assert reader.ids == order
    assert reader.links[0] == "data:," and set(reader.links[1:]) == {f"#{id}" for id in order}
    text = "".join(reader.text)
    assert ": []" not in text and "a counterexample in exact numbers" in text
    assert "rigorous intervals" not in text  # no row is ENCLOSED
    assert "Review of <a>" in text
    assert "<because> a & b" in text
    assert "f(QX)=Qf(X)<em>" in text.replace(" ", "")
    assert "Interpretation: " in text and "is orthogonal" in text


def test_the_page_shows_title_and_abstract_of_the_sources(tmp_path):
    (tmp_path / "paper.py").write_text(
        '"""Layers that turn.\n\nThree statements\non <layers>.\n"""\nimport eqvproof as ep\n'
        "from eqvproof.papers.statements import Equivariance\n"
        "one = ep.Lemma(id='p.one', place='Lemma 1', printed=r'\\|Q X\\| = \\|X\\| for all Q',\n"
        "    claim=Equivariance(lambda X: (X * X).sum(), 'X: d n -> ()', under='O(d)'))\n",
        encoding="utf-8",
    )
    page = review_page(ep.review(str(tmp_path / "paper.py"), "my23.perm-subgroup"))
    assert "<h2>Layers that turn.</h2><p>Three statements on &lt;layers&gt;.</p>" in page
    assert "Why self-attention is natural" in page


@pytest.mark.parametrize("element", [(1, 0, 2), np.array([[0, -1], [1, 0]]), (np.eye(2), (1, 0))], ids=str)
def test_every_drawing_says_what_it_shows(element):
    shown = elements_html({"d": element})
    assert "<svg" in shown and re.search(r"g on d, (positions|as it moves the letter F)", shown)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_json_has_no_odd_floats(value):
    data = json.loads(json_text({"a": [1.5, value, (value,)], 3: "é"}))
    assert data == {"a": [1.5, str(value), [str(value)]], "3": "é"}
