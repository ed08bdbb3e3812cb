"""Claims made of claims: what they answer, from what their parts answer."""

from __future__ import annotations

import itertools
import time

import pytest

from eqvproof.papers.statements import (
    Conjunction,
    Court,
    DefinitionByUse,
    ForEvery,
    Implies,
    NotFor,
    ProofStep,
    Steps,
)
from eqvproof.support.errors import EqvproofError
from tests.papers.statements.stubs import Known, known, step

HOLDS = ("PROVED", "DECIDED", "BOUNDED", "TESTED")
FAILS = ("EXACT", "ENCLOSED", "OBSERVED")
EVERY = (*HOLDS, *FAILS, "")


def answer(claim):
    found = Court().judge(claim)
    return f"{found.outcome} {found.grade}".strip()


@pytest.mark.parametrize(("first", "second"), list(itertools.product(EVERY, EVERY)))
def test_a_conjunction_is_as_weak_as_its_weakest_part(first, second):
    got = answer(Conjunction({"a": known(first), "b": known(second)}))
    failed = [g for g in (first, second) if g in FAILS]
    if failed:
        firm = [g for g in failed if g != "OBSERVED"] or failed
        assert got == f"FAILS {firm[0]}"
    elif "" in (first, second):
        assert got == "UNDECIDED"
    else:
        assert got == f"HOLDS {HOLDS[max(HOLDS.index(first), HOLDS.index(second))]}"


def test_a_conjunction_names_the_part_that_fails_and_the_scopes():
    found = Court().judge(Conjunction({"a": known("PROVED"), "b": known("EXACT", "at n = 2", "see here")}))
    assert (found.scope, found.reason) == ("at n = 2", "b: see here")
    found = Court().judge(Conjunction({"a": known("PROVED"), "b": known("TESTED", "at n = 2")}))
    assert found.scope == "at n = 2 (b); the rest for all n"
    found = Court().judge(
        Conjunction({"a": known("PROVED", "for all n"), "b": known("PROVED", "for all n, d")})
    )
    assert found.scope == "for all n; for all n, d"
    assert Court().judge(Conjunction({"a": known("PROVED"), "b": known("PROVED")})).scope == "for all n"


@pytest.mark.parametrize("grade", EVERY)
def test_a_negation_needs_certainty(grade):
    expected = "UNDECIDED"
    if grade in ("EXACT", "ENCLOSED"):
        expected = "HOLDS DECIDED"
    if grade in ("PROVED", "DECIDED"):
        expected = "FAILS EXACT"
    assert answer(NotFor(known(grade))) == expected


@pytest.mark.parametrize(("premise", "conclusion"), list(itertools.product(EVERY, EVERY)))
def test_an_implication(premise, conclusion):
    got = answer(Implies(known(premise), known(conclusion)))
    if premise not in HOLDS:
        assert got == "UNDECIDED"
    elif conclusion in HOLDS:
        assert got == f"HOLDS {HOLDS[max(HOLDS.index(premise), HOLDS.index(conclusion))]}"
    elif premise in ("PROVED", "DECIDED") and conclusion in ("EXACT", "ENCLOSED"):
        assert got == f"FAILS {conclusion}"
    else:
        assert got == "UNDECIDED"


@pytest.mark.parametrize("grade", EVERY)
def test_examples_refute_and_never_prove(grade):
    expected = f"FAILS {grade}" if grade in ("EXACT", "ENCLOSED") else "UNDECIDED"
    assert answer(ForEvery({"first": known("PROVED"), "second": known(grade)})) == expected


def test_examples_stop_at_the_first_refutation():
    late = known("EXACT")
    Court().judge(ForEvery({"first": known("EXACT"), "second": late}))
    assert late.asked == []


@pytest.mark.parametrize(
    ("typed", "example", "other", "expected"),
    [
        ("PROVED", "PROVED", "EXACT", "HOLDS PROVED"),
        ("PROVED", "TESTED", "EXACT", "HOLDS TESTED"),
        ("DECIDED", "PROVED", "ENCLOSED", "HOLDS DECIDED"),
        ("EXACT", "PROVED", "EXACT", "FAILS EXACT"),
        ("", "PROVED", "EXACT", "UNDECIDED"),
        ("PROVED", "EXACT", "EXACT", "UNDECIDED"),
        ("PROVED", "PROVED", "PROVED", "UNDECIDED"),
        ("PROVED", "PROVED", "OBSERVED", "UNDECIDED"),
    ],
)
def test_a_definition_needs_an_example_and_a_counterexample(typed, example, other, expected):
    claims = {"example": known(example), "other": known(other)}
    definition = DefinitionByUse(lambda name: claims[name], "example", "other", known(typed))
    assert answer(definition) == expected


@pytest.mark.parametrize(
    ("own", "steps", "expected"),
    [
        ("PROVED", ["PROVED", "PROVED"], "HOLDS PROVED"),
        ("TESTED", ["PROVED", "PROVED"], "HOLDS TESTED"),
        ("BOUNDED", ["PROVED", "TESTED"], "HOLDS TESTED"),
        ("TESTED", ["PROVED", ""], "UNDECIDED"),
        ("TESTED", ["PROVED", "EXACT"], "UNDECIDED"),
        ("PROVED", ["PROVED", "EXACT"], "HOLDS PROVED"),
        ("PROVED", ["", "PROVED"], "HOLDS PROVED"),
        ("EXACT", ["PROVED", "PROVED"], "FAILS EXACT"),
        ("", ["PROVED", "PROVED"], "UNDECIDED"),
    ],
)
def test_a_proposition_and_its_steps(own, steps, expected):
    assert answer(Steps(known(own), tuple(step(g) for g in steps), "by them")) == expected


def test_a_step_that_fails_is_replaced_by_its_repaired_form_and_named():
    found = Court().judge(Steps(known("TESTED"), (step("EXACT", "PROVED", name="slip"),), "by them"))
    assert found.holds
    assert "step slip FAILS as printed (EXACT), its repaired form is used" in found.reason


def test_a_step_whose_repaired_form_does_not_hold_is_a_gap():
    assert answer(Steps(known("TESTED"), (step("EXACT", ""),), "by them")) == "UNDECIDED"


def test_the_step_that_is_missing_is_named():
    found = Court().judge(Steps(known("TESTED"), (step("PROVED"), step("", name="gap")), "by them"))
    assert found.reason == "step gap is UNDECIDED: [gap]"
    found = Court().judge(Steps(known("PROVED"), (step("EXACT", name="slip"),), "by them"))
    assert found.reason == "step slip FAILS: [slip]"


def test_a_step_is_judged_once():
    shared = step("PROVED")
    court = Court()
    for _ in range(3):
        court.judge(Steps(known("TESTED"), (shared, shared), "by it"))
    assert len(shared.claim.asked) == 1


def test_what_the_engines_refuse_is_undecided_and_says_so():
    class Refused:
        def judge(self, court):
            raise EqvproofError("no such axis", given="q")

    found = Court().judge(Refused())
    assert str(found.outcome) == "UNDECIDED"
    assert found.reason == "the engines refuse the claim: no such axis; given: q"


def test_the_stub_answers():
    assert isinstance(known("PROVED"), Known)
    assert answer(known("PROVED")) == "HOLDS PROVED"


def test_time_is_counted_once():
    class Slow:
        def judge(self, court):
            time.sleep(0.5)
            return known("PROVED").finding

    slow = ProofStep(id="slow", place="§1", printed="p", claim=Slow())
    quick = ProofStep(id="quick", place="§1", printed="p", claim=Steps(known("TESTED"), (slow,), "by it"))
    court = Court()
    assert court.seconds(quick) < 0.4
    assert court.seconds(slow) >= 0.5
