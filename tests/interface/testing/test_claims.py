"""Claims above functions: nothing changes at run time, and each is found."""

from __future__ import annotations

import types

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.interface.testing import claims_of, declared_claims
from eqvproof.support.errors import EqvproofError, GroupError, SignatureError


def test_the_function_itself_is_returned() -> None:
    def f(X):
        """Twice."""
        return 2 * X

    g = ep.claim("X: d n -> d n", under="O(d)")(f)
    assert g is f and g.__doc__ == "Twice." and (g(np.ones(2)) == 2).all()
    h = ep.claim("X: d n -> d n", under="S(n)", sizes={"d": 2})(f)
    assert [(c.under, dict(c.options)) for c in claims_of(h)] == [
        ("S(n)", {"sizes": {"d": 2}}),
        ("O(d)", {}),
    ]


@pytest.mark.parametrize(
    ("signature", "under", "error"),
    [("X: d n ->", "O(d)", SignatureError), ("X: d n -> d n", "O(k)", GroupError)],
)
def test_a_claim_that_cannot_be_read_is_refused_where_it_stands(signature, under, error) -> None:
    with pytest.raises(error):
        ep.claim(signature, under=under)


def test_something_that_is_no_function() -> None:
    with pytest.raises(EqvproofError, match="cannot be called"):
        ep.claim("X: d n -> d n", under="O(d)")(3)  # type: ignore[type-var]


def test_claims_of_a_module_are_its_own() -> None:
    module, other = types.ModuleType("module"), types.ModuleType("other")
    for place in (module, other):
        namespace = vars(place)
        exec("def f(X):\n    return X", namespace)
        ep.claim("X: n -> n", under="S(n)")(namespace["f"])
    vars(module)["borrowed"] = vars(other)["f"]
    assert [name for name, _, _ in declared_claims(module)] == ["module:f"]
