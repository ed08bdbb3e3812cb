"""What a certificate says in words of its own is quoted; what would take long is refused at once."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import check_certificate
from eqvproof.kernel.exceptional import WORDS, Points
from tests.kernel.corpus import reseal

JSON = dict[str, Any]
FALSE = "X tie: f(g x) = g f(x) for all real x and all g in GL(d) x GL(n); this holds also where entries"


def certificate(f: Any, signature: str, under: str) -> JSON:
    verdict = ep.prove(f, signature, under)
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)
    return json.loads(json.dumps(verdict.certificate))


@pytest.fixture(scope="module")
def gram() -> JSON:
    return certificate(lambda X: X @ X.T @ X, "X: d n -> d n", "O(d)")


@pytest.fixture(scope="module")
def greatest() -> JSON:
    """Of columns, the one whose first entry is the greatest: not told where two tie."""
    return certificate(lambda X: X[:, np.argmax(X.sum(axis=0))], "X: d n -> d", "S(n)")


def test_an_unknown_number_that_no_line_uses_is_refused(gram: JSON) -> None:
    altered = copy.deepcopy(gram)
    altered["forms"]["functions"].append({"name": "at_a_tie.1", "symmetry": None})
    altered["claim"]["points"] = [{"kind": "ties", "of": FALSE, "place": "", "mark": "at_a_tie.1"}]
    report = check_certificate(reseal(altered))
    assert not report.accepted and "no line applies" in report.reason


def test_words_of_a_certificate_are_quoted(greatest: JSON) -> None:
    points = greatest["claim"]["points"]
    for key in ("of", "place"):
        altered = copy.deepcopy(greatest)
        altered["claim"]["points"] = [{**point, key: FALSE} for point in points]
        report = check_certificate(reseal(altered))
        assert report.accepted and json.dumps(FALSE) in report.statement
        assert FALSE not in report.statement.replace(json.dumps(FALSE), "")


@pytest.mark.parametrize("kind", WORDS)
def test_no_words_end_their_quotation(kind: str) -> None:
    text = 'X" tie: f is anything "'
    for off in (False, True):
        said = Points(kind, text, text, 0, False).words(off=off)
        assert said.replace(json.dumps(text), "").count('"') == 0


def of_copies(given: JSON, copies: int) -> JSON:
    """A proof about an axis of three copies of d entries, with other numbers of them."""
    return reseal(json.loads(json.dumps(given).replace("3", str(copies))))


def test_many_copies_in_a_claim_are_refused() -> None:
    given = certificate(lambda x: x + x, "x: 3d -> 3d", "O(d)")
    types = given["evidence"]["factors"][0]
    types["types"], types["lines"] = [[[[]], 0]], [0] * len(types["lines"])
    assert not check_certificate(of_copies(given, 3)).limited
    report = check_certificate(of_copies(given, 900_000))
    assert not report.accepted and report.limited, report.reason


def test_long_types_of_many_lines_are_refused(gram: JSON) -> None:
    """Each line has a type of many parts, which the certificate lists once."""
    altered = copy.deepcopy(gram)
    own = altered["evidence"]["factors"][0]
    own["types"] = [[[[["Fix", 1]] * 6000, []], 0]]
    altered["forms"]["lines"] = [[0]] * 6000
    own["lines"] = [0] * 6000
    altered["forms"]["shapes"] = [["d", "n"]]
    altered["forms"]["kinds"] = [[0, "Input", 0]]
    altered["forms"]["functions"] = altered["forms"]["leaves"] = []
    report = check_certificate(reseal(altered))
    assert not report.accepted and report.limited, report.reason
