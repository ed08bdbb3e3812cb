"""Errors of public calls: the user's line, one line of this package, and the target's own lines."""

import traceback

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.support import PACKAGE
from eqvproof.support.errors import OptionTypeError


def breaks(x):
    raise ValueError("of the target")


CALLS = {
    "signature": lambda: ep.check(np.tanh, "x: n -> [n", "S(n)"),
    "group": lambda: ep.prove(np.tanh, "x: n -> n", "Q(n)"),
    "target": lambda: ep.check(breaks, "x: n -> n", "S(n)"),
    "certificate": lambda: ep.verify("{"),
    "option": lambda: ep.refute(np.tanh, "x: n -> n", "S(n)", seed="a"),
    "identity": lambda: ep.identical(np.tanh, breaks, "x: n -> n"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_traceback_shows_the_users_lines(call):
    with pytest.raises(ep.EqvproofError) as found:
        call()
    frames = traceback.extract_tb(found.value.__traceback__)
    ours = [f for f in frames if f.filename.startswith(PACKAGE)]
    assert len(ours) == 1 and frames[0].filename == __file__
    cause = found.value.__cause__
    if cause is not None and "of the target" in str(cause):
        inner = traceback.extract_tb(cause.__traceback__)
        assert inner[0].name == "breaks"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"atol": 1e-6}, "no tolerance"),
        ({"budgets": 3}, "did you mean budget=?"),
        ({"other": 3}, "help(eqvproof.check)"),
    ],
)
def test_an_unknown_option_gets_advice(options, words):
    with pytest.raises(OptionTypeError) as found:
        ep.check(np.tanh, "x: n -> n", "S(n)", **options)
    assert words in str(found.value) and "sizes=" in str(found.value)


def test_a_verdict_is_verified_by_its_certificate():
    verdict = ep.check(np.tanh, "x: n -> n", "S(n)")
    assert ep.verify(verdict).accepted
    tested = ep.Verdict(ep.Outcome.HOLDS, ep.Grade.TESTED, "")
    with pytest.raises(ep.CertificateError, match="no certificate"):
        ep.verify(tested)


class Layer:
    def __call__(self, x):
        return x


async def later(x):
    return x


def rows(x):
    yield from x


@pytest.mark.parametrize(
    ("target", "signature", "words"),
    [
        (Layer, "x: n -> n", "pass an instance: Layer(...)"),
        (later, "x: n -> n", "async"),
        (rows, "x: n -> n", "np.stack"),
        (lambda x, y: x, "x: n -> n", "the signature gives it 1 argument: x"),
        (lambda z: np.arange(10.0)[z], "z: n -> n", "z[10]: n"),
        (lambda x: (x, x), "x: n -> n", "declare all results, '-> n, n'"),
    ],
)
def test_a_common_mistake_gets_advice(target, signature, words):
    with pytest.raises(ep.EqvproofError) as found:
        ep.check(target, signature, "S(n)")
    assert words in str(found.value)
