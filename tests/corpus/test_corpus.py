"""The corpus: wrong functions FAIL, right ones never do. `benchmarks/detection.py` runs all of it."""

from __future__ import annotations

import pytest

import eqvproof as ep
from tests.corpus import right, wrong
from tests.corpus.case import Case

pytestmark = pytest.mark.whole_search  # a wrong refutation may be a late one


def test_the_corpus_is_large() -> None:
    for corpus in (right.CORPUS, wrong.CORPUS):
        assert len(corpus.cases) >= 120
        assert len({c.name for c in corpus.cases}) == len(corpus.cases)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", wrong.CORPUS.cases, ids=lambda c: c.name)
def test_wrong_functions_fail(case: Case) -> None:
    verdict = ep.check(case.function, case.signature, case.under, budget=30.0, **case.options)
    assert verdict.fails, str(verdict)
    if case.is_exact:
        assert verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", right.CORPUS.cases, ids=lambda c: c.name)
def test_right_functions_do_not_fail(case: Case) -> None:
    verdict = ep.check(case.function, case.signature, case.under, budget=1.0, **case.options)
    assert not verdict.fails, str(verdict)
