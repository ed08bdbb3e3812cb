"""Reviews as JSON and as a page."""

from __future__ import annotations

import json
import math
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from eqvproof.report import json_text, review_page
from eqvproof.verdict import Grade, Outcome, Verdict

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
        if tag not in {"meta", "br", "link"}:
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
    assert reader.ids == [r.id for r in REVIEW.rows]
    assert reader.links == ["data:,", "#a.two.repaired"]
    text = "".join(reader.text)
    assert "Review of <a>" in text
    assert "<because> a & b" in text
    assert "f(QX)=Qf(X)<em>" in text.replace(" ", "")
    assert "Read: " in text and "is orthogonal" in text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_json_has_no_odd_floats(value):
    data = json.loads(json_text({"a": [1.5, value, (value,)], 3: "é"}))
    assert data == {"a": [1.5, str(value), [str(value)]], "3": "é"}
