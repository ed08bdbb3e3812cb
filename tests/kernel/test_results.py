"""Certificates of several results: the conjunction, its weakest grade, and a bound of all work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kernel import corpus
from tests.kernel.corpus import JSON, seal
from tests.kernel.encoding import check_certificate

NAMED = [[1, "n", ""]]
PROVED, DECIDED = corpus.gram(), corpus.decided()


def results(*inner: JSON, names: str = "abc") -> JSON:
    pairs = zip(names, inner, strict=False)
    return seal("results", results=[{"name": n, "certificate": c} for n, c in pairs])


def at_sizes(count: int) -> JSON:
    """The same decision, so many times."""
    return corpus.single("decision", PROVED["claim"], [{"d": 1, "n": 1}] * count, PROVED["program"])


def test_the_weakest_grade_counts() -> None:
    found = check_certificate(results(PROVED, DECIDED))
    assert found.accepted and found.grade == "DECIDED"
    assert found.statement.startswith("a: for all d") and "; b: at d = 2" in found.statement
    assert {"the rules for Contract, Input", "identities of rational functions, multiplied out"} == {
        *found.rests_on
    }


WRONG: dict[str, Callable[[], Any]] = {
    "one result": lambda: results(PROVED),
    "two of one name": lambda: results(PROVED, DECIDED, names="aa"),
    "results within results": lambda: results(PROVED, results(PROVED, DECIDED)),
    "what fails": lambda: results(PROVED, corpus.square()),
    "another group": lambda: results(PROVED, corpus.unknown()),
    "other arguments": lambda: results(PROVED, corpus.norm()),
    "a name that is none": lambda: results(PROVED, DECIDED, names="a;"),
    "a false one": lambda: results(PROVED, corpus.edited(PROVED, (["claim", "output"], [NAMED, NAMED]))),
    "no claim about a function": lambda: results(PROVED, seal("rewriting")),
}


@pytest.mark.parametrize("name", WRONG)
def test_refused(name: str) -> None:
    found = check_certificate(WRONG[name]())
    assert not found.accepted and "internal" not in found.reason, found.reason


def test_choices_of_sizes_of_all_results_are_counted() -> None:
    assert check_certificate(results(at_sizes(64), at_sizes(63))).accepted
    found = check_certificate(results(at_sizes(64), at_sizes(64), at_sizes(1)))
    assert not found.accepted and found.limited
