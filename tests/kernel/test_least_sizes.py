"""A sum of n - 1 equal terms, of which each is 1 / (n - 1), is 1 from n = 2 on, and 0 at n = 1."""

from __future__ import annotations

import json

import pytest

import eqvproof as ep
from eqvproof.kernel import check_certificate
from eqvproof.kernel.forms import Contract, Input, Lab, Map, Scalar
from eqvproof.kernel.motions import ONCE, Moved, check_shifts
from eqvproof.kernel.sizes import Size
from eqvproof.rocq import rocq_answers
from tests.kernel.corpus import reseal
from tests.rocq.python_checker import answers


def shared_out() -> ep.Verdict:
    """The verdict about a point that is shared out to n - 1 others, for n from 2 up."""
    return ep.prove(
        lambda x: (x[0] / (x.shape[0] - 1) + x[1:] * 0).sum(axis=0), "x: n d -> d", "T(d)",
        sizes={"n": (2, None)},
    )  # fmt: skip


def test_a_count_that_may_be_zero_divides_out_from_the_least_size_on() -> None:
    verdict = shared_out()
    assert verdict.grade == "PROVED" and check_certificate(verdict.certificate).accepted, str(verdict)
    content = json.loads(json.dumps(verdict.certificate))
    content["claim"]["scope"]["n"] = "all"
    assert not check_certificate(reseal(content)).accepted


def test_the_theorem_supposes_what_the_scope_says() -> None:
    content = json.loads(json.dumps(shared_out().certificate))
    text = rocq_answers([content])
    assert "Supposed to be positive: n - 1, n, d *)" in text
    assert answers(text) == [True]
    content["claim"]["scope"]["n"] = "all"
    text = rocq_answers([reseal(content)])
    assert "Supposed to be positive: n, d; none of n - 1, which may be 0 *)" in text
    assert answers(text) == [False]


@pytest.mark.parametrize(("low", "good"), [(1, False), (2, True), (5, True)])
def test_the_least_size_decides(low: int, good: bool) -> None:
    count = Size.of("n") - Size.of(1)
    program = (
        Input(0),
        Scalar(1),
        Contract(((1, ()),), ((0, count),), ()),
        Map(0, (2,)),
        Contract(((0, (Lab(0),)), (2, ()), (3, ())), (), (0,)),
    )
    point = Moved(0, *ONCE)
    assert check_shifts([(0, True)], [point], program, point, {"n": low}) is good
