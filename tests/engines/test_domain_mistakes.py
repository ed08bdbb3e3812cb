"""Mistakes in domain= are told at the door, by every call; what counts as an answer; times in messages."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.domain_answers import allows
from eqvproof.claims.domains import Domain
from eqvproof.engines import guards
from eqvproof.support.errors import OptionError
from eqvproof.support.writing import seconds

SIGNATURE = "X: d n, Z: d k -> d n"
ONE = {"X": np.array([[Fraction(1), Fraction(2)]], dtype=object)}


def target(X: Any, Z: Any) -> Any:
    return X * (Z * Z).sum()


def cube_root_of_entries(X: Any) -> Any:
    return np.maximum(X, 0)


class Method:
    def __call__(self, point: Any, more: Any) -> bool:
        return True


class Unanswering:
    def __bool__(self) -> bool:
        raise RuntimeError("no answer")


def raising(error: BaseException) -> Callable[[Any], Any]:
    def domain(point: Any) -> Any:
        raise error

    return domain


#: A domain, and a part of the message that says what is wrong with it.
MISTAKES: dict[str, tuple[Any, str]] = {
    "another argument": (lambda p: p["Y"] > 0, "KeyError: 'Y'"),
    "an attribute": (lambda p: (p.X > 0).all(), "has no attribute 'X'"),
    "two parameters": (lambda X, Z: (X > 0).all(), "the parameters X, Z"),
    "two parameters of other names": (lambda a, b: True, "the parameters a, b"),
    "two parameters by partial": (functools.partial(lambda a, b, c: True, 1), "the parameters b, c"),
    "an object of two parameters": (Method(), "the parameters point, more"),
    "an array as its parameter": (lambda X: np.linalg.norm(X) > 0, "X is here the dictionary"),
    "no parameter": (lambda: True, "no parameter"),
    "an array as answer": (lambda p: p["X"] > 0, ".all()"),
    "an array of one answer": (lambda p: np.array([True]), "an array of shape (1,)"),
    "no answer": (lambda p: None, "answers with None"),
    "a text": (lambda p: "yes", "answers with 'yes'"),
    "a number": (lambda p: 1, "answers with 1"),
    "a number of NumPy": (lambda p: np.float64(1.0), "answers with"),
    "the point": (dict, "an object of the class dict"),
    "an object without truth": (lambda p: Unanswering(), "an object of the class Unanswering"),
    "division by zero": (lambda p: 1 / 0, "ZeroDivisionError"),
    "no memory": (raising(MemoryError()), "MemoryError"),
    "a shape": (lambda p: (p["X"] + np.zeros((7, 7)) > 0).all(), "ValueError"),
    "a part that is no function": (ep.domains.of(X=3), "TypeError"),
    "a move that raises": (
        Domain("odd", lambda p: True, lambda p: {"X": p["nothing"]}), "while it moves a point",
    ),
}  # fmt: skip
CALLS: dict[str, Callable[..., Any]] = {
    "check": lambda domain: ep.check(target, SIGNATURE, "O(d)", domain=domain),
    "prove": lambda domain: ep.prove(target, SIGNATURE, "O(d)", domain=domain),
    "decide": lambda domain: ep.decide(target, SIGNATURE, "O(d)", domain=domain),
    "refute": lambda domain: ep.refute(target, SIGNATURE, "O(d)", domain=domain),
    "identical": lambda domain: ep.identical(target, target, SIGNATURE, domain=domain),
    "symmetries": lambda domain: ep.symmetries(target, SIGNATURE, domain=domain),
    "floats": lambda domain: ep.check(target, SIGNATURE, "S(n)", about="floats", domain=domain),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_at_the_door(name: str, call: str) -> None:
    domain, part = MISTAKES[name]
    with pytest.raises(OptionError) as caught:
        CALLS[call](domain)
    error = caught.value
    text = str(error)
    assert part in text
    assert "'X': an array of shape" in error.given and "dictionary" in error.given
    assert error.expected and "lambda p:" in error.hint and error.code in ("domain.raises", "domain.answer")
    assert "eqvproof itself" not in text and "/eqvproof/" not in text


def test_the_line_of_the_mistake_is_named() -> None:
    def domain(point: Any) -> Any:
        return np.linalg.norm(point) > 0

    with pytest.raises(OptionError) as caught:
        ep.check(target, SIGNATURE, "O(d)", domain=domain)
    line = domain.__code__.co_firstlineno + 1
    assert f"{__file__}, line {line}" in caught.value.given


@pytest.mark.parametrize(
    "domain",
    [
        lambda p: True,
        lambda p: np.bool_(True),
        lambda p: np.array(True),
        lambda p: (p["X"] > 0).all(),
        lambda p, least=0: bool((p["X"] > least).all()),
        lambda *p: True,
        lambda X: (X["X"] > 0).all(),
        lambda p: np.linalg.norm(p["X"]) > 0,
        lambda p: np.exp(p["X"]).sum() > 1,
        lambda p: np.linalg.det(p["X"].T @ p["X"]) > -1,
    ],
)
def test_answers(domain: Any) -> None:
    """Booleans of Python and NumPy; functions that need floats are given floats."""
    assert allows(domain, ONE) is True
    assert ep.check(lambda X: X * (X * X).sum(), "X: d n -> d n", "O(d)", domain=domain).holds


def test_a_domain_of_floats_restricts_the_points() -> None:
    """Outside the unit ball the function is not equivariant."""
    f = lambda x: np.where((x * x).sum() > 1, x[:1], 1) * x  # noqa: E731
    assert ep.refute(f, "x: n -> n", "S(n)").fails
    inside = ep.refute(f, "x: n -> n", "S(n)", domain=lambda p: np.linalg.norm(p["x"]) <= 1, budget=5)
    assert not inside.fails
    outside = ep.refute(f, "x: n -> n", "S(n)", domain=lambda p: np.linalg.norm(p["x"]) > 1)
    assert outside.fails and ep.verify(outside.certificate).accepted
    assert np.linalg.norm(outside.counterexample.inputs["x"].astype(float)) > 1


def test_a_mistake_at_some_points_only() -> None:
    """At the door the point has more than one column."""
    with pytest.raises(OptionError, match="IndexError"):
        ep.refute(cube_root_of_entries, "X: d n -> d n", "O(d)", domain=lambda p: bool(p["X"][0, 1] < 9))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.99985, "4"), (0.1234, "0.12"), (0.0999, "0.1"), (128.4, "130"), (99.6, "100"), (0.0, "0"),
        (1.0, "1"), (1.25, "1.2"), (300.0, "300"), (1e-9, "0"), 
        (1_000_000.0, "1000000"), (float("inf"), "unlimited"),
    ],
)  # fmt: skip
def test_seconds(value: float, text: str) -> None:
    assert seconds(value) == text


def test_the_time_that_is_told_is_the_time_that_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a budget of 1000 seconds a call that ends at once has taken none of these."""

    def broken(claim: Any) -> Any:
        raise RuntimeError("a mistake of the package")

    asked: list[Any] = []
    monkeypatch.setattr("eqvproof.engines.judge._trace_and_prove", lambda claim: asked.append(claim))
    monkeypatch.setattr(guards, "require_valid_domain", broken)
    monkeypatch.delenv("EQVPROOF_TRACEBACK", raising=False)
    start = time.monotonic()
    verdict = ep.check(target, SIGNATURE, "O(d)", budget=1000.0)
    words = verdict.reason.split("nothing was found in ")[1].split(" seconds")[0]
    assert float(words) <= 1.1 * (time.monotonic() - start) + 0.1 and not asked
