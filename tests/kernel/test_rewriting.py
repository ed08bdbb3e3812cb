"""Conclusions from assumed equations: steps are applied, and none is searched for."""

from __future__ import annotations

from typing import Any

import pytest

from eqvproof.papers.statements import Court, Equational
from tests.kernel.corpus import JSON, edited, seal
from tests.kernel.encoding import check_certificate

X, Y = ["x"], ["y"]


def act(term: Any) -> Any:
    """g on a term."""
    return ["act", ["g"], term]


def composed() -> JSON:
    """A(B(g x)) = g A(B(x)) from f(g x) = g f(x) for A and B."""
    return seal(
        "rewriting",
        conclusion=[["A", ["B", act(X)]], act(["A", ["B", X]])],
        hypotheses=[[["A", act(Y)], act(["A", Y])], [["B", act(Y)], act(["B", Y])]],
        variables=["x", "y"],
        evidence={
            "left": [
                {"rule": 1, "place": [1], "values": {"y": X}},
                {"rule": 0, "place": [], "values": {"y": ["B", X]}},
            ],
            "right": [],
        },
    )


def changed(*edits: tuple[list[Any], Any]) -> JSON:
    """The certificate with other parts."""
    return edited(composed(), *edits)


def test_accepted() -> None:
    report = check_certificate(composed())
    assert report.accepted and report.grade == "PROVED"
    assert report.statement.startswith("A(B(act(g, x))) = act(g, A(B(x))) for all x, for every meaning")
    assert "assumed: A(act(g, y)) = act(g, A(y)) for all y" in report.rests_on


def test_all_variables_are_given() -> None:
    """p(x) = x gives p(c) = c, with a value for the only variable."""
    step = {"rule": 0, "place": [], "values": {"x": ["c"]}}
    report = check_certificate(
        changed(
            (["variables"], ["x"]), (["hypotheses"], [[["p", X], X]]),
            (["conclusion"], [["p", ["c"]], ["c"]]),
            (["evidence"], {"left": [step], "right": []}),
        )
    )  # fmt: skip
    assert report.accepted, report.reason


STEP = ["evidence", "left", 0]
FORGED: dict[str, list[tuple[list[Any], Any]]] = {
    "a step left out": [(["evidence", "left"], [])],
    "another rule": [([*STEP, "rule"], 0)],
    "a rule that is not there": [([*STEP, "rule"], 2)],
    "a rule counted from the end": [([*STEP, "rule"], -1)],
    "another place": [([*STEP, "place"], [])],
    "the name as a place": [([*STEP, "place"], [0])],
    "a place that is not there": [([*STEP, "place"], [1, 7])],
    "other values": [([*STEP, "values"], {"y": ["z"]})],
    "no values": [([*STEP, "values"], {})],
    "values for a constant": [([*STEP, "values"], {"y": X, "g": X})],
    "another conclusion": [(["conclusion", 1], ["A", ["B", X]])],
    "a hypothesis for one y only": [(["variables"], ["x"])],
    "from right to left": [(["hypotheses", 1], [act(["B", Y]), ["B", act(Y)]])],
    "a variable that is applied": [(["variables"], ["x", "y", "B"])],
    "no term": [(["conclusion", 0], [])],
    "a number for a name": [(["conclusion", 0], [1])],
    "a name that is markup": [(["conclusion", 0], ["<b>"])],
    "no hypotheses": [(["hypotheses"], [])],
}


@pytest.mark.parametrize("name", FORGED)
def test_forged(name: str) -> None:
    report = check_certificate(changed(*FORGED[name]))
    assert not report.accepted and "internal" not in report.reason, report.reason


def test_terms_that_grow_without_end_are_refused() -> None:
    """x = p(x, x), again and again."""
    steps = [{"rule": 0, "place": [], "values": {"x": ["c"]}}]
    for _ in range(40):
        steps.append({"rule": 0, "place": [1], "values": {"x": ["c"]}})
    data = changed(
        (["hypotheses"], [[X, ["p", X, X]]]),
        (["conclusion"], [["c"], ["c"]]),
        (["evidence"], {"left": [{**s, "place": [1] * k} for k, s in enumerate(steps)], "right": []}),
    )
    assert not check_certificate(data).accepted
    wide: Any = ["c"]
    for _ in range(9):
        wide = ["p", wide, wide]
    step = {"rule": 0, "place": [], "values": {"x": wide}}
    report = check_certificate(changed((["hypotheses"], [[X, X]]), (["evidence", "left"], [step])))
    assert not report.accepted and report.limited


def test_conclusions_of_statements_have_certificates() -> None:
    claim = Equational(
        "f(inverse(f(g(x)))) = f(x)",
        {"f after its inverse": "f(inverse(z)) = z", "f sees no g": "f(g(y)) = f(y)"},
        "x y z",
    )
    finding = Court().judge(claim)
    assert finding.grade == "PROVED" and len(finding.certificates) == 1
    report = check_certificate(finding.certificates[0])
    assert report.accepted and len(report.rests_on) == 3
    assert Court().judge(Equational("f(x) = g(x)", {"f": "f(g(y)) = f(y)"}, "x y")).outcome == "UNDECIDED"
