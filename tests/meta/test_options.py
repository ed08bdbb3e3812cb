"""Calls take the same options and refuse what is none; errors are also those of Python that people catch."""

from __future__ import annotations

import inspect
from fractions import Fraction

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.interface.testing import assert_equivariant, claims_of
from eqvproof.interface.testing.stored_verdicts import record_name
from eqvproof.support import errors

CALLS = (ep.check, ep.prove, ep.decide, ep.refute, ep.symmetries, ep.identical)
#: Options of `check` that a call does not take; its docstring says why.
ABSENT = {"prove": {"about"}, "decide": {"about"}, "refute": {"about"}}
ABSENT |= {name: {"about", "reps", "under", "constants"} for name in ("symmetries", "identical")}


def gram(X):
    return X @ (X.T @ X)


def ask(call, **options):
    first = (gram, gram) if call is ep.identical else (gram,)
    under = () if call in (ep.symmetries, ep.identical) else ("O(d)",)
    return call(*first, "X: d n -> d n", *under, **options)


@pytest.mark.parametrize("call", CALLS, ids=lambda c: c.__name__)
def test_options_are_the_same_everywhere(call):
    every = list(inspect.signature(ep.check).parameters)
    own = list(inspect.signature(call).parameters)
    assert [name for name in own if name != "g"] == [
        name for name in every if name not in ABSENT.get(call.__name__, ())
    ]
    if "reps" not in own:
        assert "no `reps=`" in str(call.__doc__)


@pytest.mark.parametrize("call", CALLS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("seed", [True, "0", 1.0, None, np.float64(2), Fraction(1), [0]], ids=repr)
def test_a_seed_that_is_no_integer_is_refused(call, seed):
    with pytest.raises(ep.OptionTypeError, match="seed= is not an integer") as caught:
        ask(call, seed=seed)
    assert repr(seed) in str(caught.value)


@pytest.mark.parametrize("seed", [0, -3, 2**70, np.int64(5), np.uint8(7)], ids=repr)
def test_every_integer_is_a_seed(seed):
    assert ask(ep.check, seed=seed).grade == "PROVED"


@pytest.mark.parametrize("call", [ep.check, ep.prove], ids=lambda c: c.__name__)
@pytest.mark.parametrize(
    "under",
    ["O(d) x S(n)", ["O(d)", "S(n)"], ("O(d)", "S(n)")],
    ids=repr,
)
def test_a_group_may_be_a_list(call, under):
    assert call(gram, "X: d n -> d n", under).grade == "PROVED"


def test_assertions_and_claims_take_groups_and_lists():
    four = ep.groups.generated_by([(1, 0, 3, 2), (2, 3, 0, 1)], name="V")
    pairs = ep.claim("x: n -> ()", under=[four])(lambda x: x[0] * x[1] + x[2] * x[3])
    (declared,) = claims_of(pairs)
    assert assert_equivariant(pairs, "x: n -> ()", [four]).grade == "PROVED"
    assert str(declared) == "[x: n -> ()] under V(4)"
    other = ep.groups.generated_by([(1, 0, 3, 2)], name="V")  # of the same name, and not the same
    (different,) = claims_of(ep.claim("x: n -> ()", under=[other])(lambda x: x))
    assert record_name("f", declared) != record_name("f", different)


VALUE = {
    "signature": lambda: ep.check(gram, "X: d n", "O(d)"),
    "group": lambda: ep.check(gram, "X: d n -> d n", "Q(d)"),
    "axis": lambda: ep.check(gram, "X: d n -> d n", "O(d)", sizes={"z": 2}),
    "size": lambda: ep.check(gram, "X: d n -> d n", "O(d)", sizes={"d": 0}),
    "budget": lambda: ep.check(gram, "X: d n -> d n", "O(d)", budget=-1),
    "about": lambda: ep.check(gram, "X: d n -> d n", "O(d)", about="ints"),
    "grade": lambda: assert_equivariant(gram, "X: d n -> d n", "O(d)", at_least="SURE"),
    "zero": lambda: ep.householder([0, 0]),
    "gram": lambda: ep.orthogonal_witness([[1]], [[2]]),
    "multiset": lambda: ep.permutation_witness([[1, 2]], [[1, 3]]),
    "shape": lambda: ep.gram_match([[1, 2]], [[1]]),
    "certificate": lambda: ep.verify("no JSON"),
    "no certificate": lambda: ep.verify(None),
}
TYPE = {
    "target": lambda: ep.check(3, "X: d n -> d n", "O(d)"),
    "sizes": lambda: ep.check(gram, "X: d n -> d n", "O(d)", sizes=[3]),
    "executor": lambda: ep.check(gram, "X: d n -> d n", "O(d)", executor=4),
    "domain": lambda: ep.check(gram, "X: d n -> d n", "O(d)", domain="positive"),
    "claim": lambda: ep.claim("X: d n -> d n", "O(d)")(3),
}


@pytest.mark.parametrize("call", VALUE.values(), ids=VALUE)
def test_a_wrong_value_is_a_value_error(call):
    with pytest.raises(ValueError) as caught:
        call()
    assert isinstance(caught.value, errors.EqvproofError)


@pytest.mark.parametrize("call", TYPE.values(), ids=TYPE)
def test_a_wrong_kind_is_a_type_error(call):
    with pytest.raises(TypeError) as caught:
        call()
    assert isinstance(caught.value, errors.EqvproofError)
