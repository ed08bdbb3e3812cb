"""Promises that hold across the package."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.support import errors
from eqvproof.support.errors import EqvproofError

ROOT = Path(__file__).resolve().parents[2]
ERRORS = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, BaseException)]


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_verdict_is_no_truth_value(outcome):
    with pytest.raises(EqvproofError, match="neither true nor false"):
        bool(Verdict(outcome, Grade.NONE, "nowhere"))


def test_errors_have_codes_of_their_own():
    assert all(issubclass(error, EqvproofError) for error in ERRORS)
    codes = [error.default_code for error in ERRORS]
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: e.__name__)
def test_errors_say_what_was_given_expected_and_how_to_mend_it(error):
    try:
        raised = error("it is wrong", given="1", expected="2", hint="add one")
    except TypeError:  # an error with arguments of its own
        return
    assert str(raised).splitlines() == ["it is wrong", "  given: 1", "  expected: 2", "  try: add one"]


def named_tests(text: str) -> list[tuple[str, str]]:
    return re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def rules(text: str) -> list[str]:
    return re.split(r"^(?=\d+\. )", text, flags=re.MULTILINE)[1:]


def test_design_rules_name_tests():
    text = (ROOT / "docs" / "design-rules.md").read_text(encoding="utf-8")
    numbered = rules(text)
    assert [int(r.split(".")[0]) for r in numbered] == list(range(1, len(numbered) + 1))
    for rule in numbered:
        assert named_tests(rule) or "`lint-imports`" in rule, rule
    for path, name in named_tests(text):
        assert (ROOT / path).exists(), path
        assert name in functions(ROOT / path), f"{path}::{name}"


def test_a_rule_without_a_test_is_seen():
    assert rules("1. A\n2. B\n") == ["1. A\n", "2. B\n"]
    assert named_tests("2. **B.** Enforced by nobody.") == []
