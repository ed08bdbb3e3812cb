"""Grades compare by strength, and with nothing that has none."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import combinations, permutations, product
from typing import Any

import pytest

from eqvproof import Grade, Outcome
from eqvproof.papers.statements.finding import Finding, weakest_grade

#: Strongest first, as docs/trust.md lists them.
FAMILIES = (["PROVED", "DECIDED", "BOUNDED", "TESTED", ""], ["EXACT", "ENCLOSED", "OBSERVED", ""])
COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge)
PAIRS = [pair for names in FAMILIES for pair in combinations(names, 2)]


@pytest.mark.parametrize(("strong", "weak"), PAIRS)
@pytest.mark.parametrize("left", [Grade, str])
@pytest.mark.parametrize("right", [Grade, str])
def test_the_stronger_is_greater(strong: str, weak: str, left: Any, right: Any) -> None:
    if left is right is str:
        return  # two texts are texts
    a, b = left(strong), right(weak)
    assert a > b and a >= b and not a < b and not a <= b and a != b
    assert b < a and b <= a and not b > a and not b >= a


@pytest.mark.parametrize("grade", Grade)
def test_a_grade_is_as_strong_as_itself(grade: Grade) -> None:
    for same in (grade, str(grade)):
        assert (
            grade == same
            and grade >= same
            and grade <= same
            and not grade > same
            and not grade < same
        )
    assert hash(grade) == hash(str(grade))


@pytest.mark.parametrize("names", FAMILIES)
def test_sorting(names: list[str]) -> None:
    for order in permutations(names):
        grades = [Grade(n) for n in order]
        assert sorted(grades, reverse=True) == names
        assert (max(grades), min(grades)) == (names[0], names[-1])


def test_the_weakest_of_findings() -> None:
    for a, b in combinations(FAMILIES[0][:-1], 2):
        assert weakest_grade([Finding(Outcome.HOLDS, Grade(n)) for n in (a, b)]) == b


STRANGE: list[Any] = ["proved", "Proved", "PROVED ", "PROVEN", "Z", "A", 3, 0.5, None, b"PROVED"]
STRANGE.append(Outcome.HOLDS)
NONE_COMPARE = [
    *product(map(Grade, FAMILIES[0][:-1]), map(Grade, FAMILIES[1][:-1])),
    *product(map(Grade, FAMILIES[0][:-1]), FAMILIES[1][:-1]),
    *product(Grade, STRANGE),
    *combinations(Outcome, 2),
    *product(Outcome, [*map(str, Outcome), *STRANGE]),
]


@pytest.mark.parametrize("compare", COMPARISONS)
def test_what_has_no_order_is_refused(compare: Callable[[Any, Any], bool]) -> None:
    for a, b in NONE_COMPARE:
        for left, right in ((a, b), (b, a)):
            with pytest.raises(TypeError):
                compare(left, right)
                raise AssertionError(f"{left!r} and {right!r} compare")


def test_they_are_words_still() -> None:
    assert f"{Grade.PROVED}, {Outcome.HOLDS}" == "PROVED, HOLDS"
    assert Grade("TESTED") is Grade.TESTED and Grade.NONE == "" and not Grade.NONE
    assert {"PROVED": 1}[Grade.PROVED] == 1 and Outcome.FAILS == "FAILS"
