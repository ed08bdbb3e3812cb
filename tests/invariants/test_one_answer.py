"""`factor_through_gram` and `first_fundamental` give one answer to whether f is a function of invariants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.support.errors import DomainError

Case = tuple[Callable[..., Any], str, str]


def far(X: Any) -> Any:
    """Breaks where the vectors are long."""
    return np.where((X * X).sum() > 10**6, X[0] + 0 * X, X)


def wide(X: Any) -> Any:
    """Breaks in seven dimensions."""
    return X if X.shape[0] < 7 else X * np.arange(X.shape[0])[:, None]


def many(X: Any) -> Any:
    """Breaks for nine vectors."""
    return X @ (X.T @ X) if X.shape[1] < 9 else X + X[:1]


def far_time(p: Any) -> Any:
    """Breaks for large energies."""
    return np.where(p[:, :1] > 5000, p * np.array([1, 2, 1, 1]), p)


#: Wrong beyond the inputs that are sampled.
WRONG: dict[str, Case] = {
    "long vectors": (far, "X: d n -> d n", "O(d)"),
    "seven dimensions": (wide, "X: d n -> d n", "O(d)"),
    "nine vectors": (many, "X: d n -> d n", "O(d)"),
    "large energies": (far_time, "p: n 4 -> n 4", "Lorentz(4)"),
}
RIGHT: dict[str, Case] = {
    "gram": (lambda X: X @ (X.T @ X), "X: d n -> d n", "O(d)"),
    "long vectors": (lambda X: np.where((X * X).sum() > 10**6, 2 * X, X), "X: d n -> d n", "O(d)"),
    "dimensions": (lambda X: X if X.shape[0] < 7 else 2 * X, "X: d n -> d n", "O(d)"),
    "norm": (lambda X: (X * X).sum(), "X: d n -> ()", "O(d)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_both_refute(name: str) -> None:
    f, signature, under = WRONG[name]
    factor = ep.factor_through_gram(f, signature, under=under)
    found = ep.first_fundamental(f, signature, under)
    assert not factor.holds and not found.holds and not found.factor.holds
    assert found.verdict.fails and "not equivariant" in str(factor)
    assert ep.verify(found.certificate).accepted
    with pytest.raises(DomainError):
        factor(np.eye(2, dtype=int))


@pytest.mark.parametrize("name", ["long vectors", "seven dimensions"])
def test_the_element_refutes(name: str) -> None:
    """The element and the inputs that are given show it again, in exact numbers."""
    f, signature, under = WRONG[name]
    check = ep.factor_through_gram(f, signature, under=under).check
    assert check.element is not None
    (X,) = check.inputs
    Q = np.array(check.element.data, dtype=object)
    assert (Q @ Q.T == np.eye(len(Q))).all()
    assert (f(Q @ X) != Q @ f(X)).any()


@pytest.mark.parametrize("name", RIGHT)
def test_both_hold(name: str) -> None:
    f, signature, under = RIGHT[name]
    factor = ep.factor_through_gram(f, signature, under=under)
    found = ep.first_fundamental(f, signature, under)
    assert factor.holds and found.holds and found.factor.holds, str(factor)


def test_what_is_not_decided_does_not_hold() -> None:
    """A function with a state of its own: reproduced at the inputs that were tried, and UNDECIDED."""
    calls = [0]

    def counted(X: Any) -> Any:
        calls[0] += 1
        return X * (calls[0] < 10**6)

    factor = ep.factor_through_gram(counted, "X: d n -> d n")
    found = ep.first_fundamental(counted, "X: d n -> d n", "O(d)")
    assert factor.holds == found.holds == found.verdict.holds
