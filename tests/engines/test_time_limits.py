"""Exceptions that leave us are ours: bad input is said to be such, our mistakes cost an answer at most."""

from __future__ import annotations

import decimal
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.engines import guards, judge
from eqvproof.programs.rules import Stuck

MATRIX = "X: d n -> d n"


def sort(X: Any) -> Any:
    return np.sort(X, axis=0)


# ------------------------------------------------------------------------------------- mistakes of our own

ERRORS: list[Exception] = [
    Stuck("different ways meet"), RecursionError("too deep"), OverflowError(34, "large"), KeyError("d"),
    ZeroDivisionError("1/0"), UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates"), IndexError("7"),
    AttributeError("no such name"), TypeError("no such type"), StopIteration(), MemoryError(),
    decimal.InvalidOperation(), sympy.SympifyError("x"), np.linalg.LinAlgError("singular"), OSError(5),
    json.JSONDecodeError("no", "{", 0), ExceptionGroup("some", [ValueError("one")]), NotImplementedError(),
]  # fmt: skip
STAGES = (
    "judge._trace_and_prove", "plain_violations.is_plainly_wrong", "decide_claim.decided_sizes",
    "decide_claim.bounded_sizes", "judge._search", "judge._require_typical",
)  # fmt: skip
each_error = pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)


def failing(error: Exception) -> Callable[..., Any]:
    def fails(*given: Any, **named: Any) -> Any:
        raise error

    return fails


@pytest.mark.parametrize(
    ("stage", "error"), list(zip(STAGES * (len(ERRORS) // len(STAGES)), ERRORS, strict=True)), ids=repr
)
def test_a_mistake_in_a_stage(stage: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """What other stages find is the verdict: a right claim never fails, a wrong one never holds for sure."""
    monkeypatch.setattr(f"eqvproof.engines.{stage}", failing(error))
    right = ep.check(lambda X: np.abs(X) * np.sign(X), MATRIX, "S(n)", budget=2.0, sizes={"d": 2, "n": 2})
    wrong = ep.check(sort, MATRIX, "O(d)", sizes={"d": 2, "n": 2})
    assert not right.fails and not wrong.holds
    if stage in ("judge._trace_and_prove", "decide_claim.decided_sizes", "decide_claim.bounded_sizes"):
        assert wrong.fails and wrong.grade >= "ENCLOSED"
    words = "not enough memory" if isinstance(error, MemoryError) else type(error).__name__
    if stage in ("judge._search", "judge._require_typical"):
        assert words in wrong.reason


@each_error
def test_a_mistake_in_an_engine(error: Exception) -> None:
    claim = guards.Claim(sort, a_signature(), a_group(), "S(n)")
    verdict = guards.run_with_budget(failing(error), claim)
    assert verdict.outcome == "UNDECIDED"
    assert "error in eqvproof itself" in verdict.reason or "memory" in verdict.reason


def a_signature() -> Any:
    from eqvproof.claims.signature import parse_signature

    return parse_signature(MATRIX)


def a_group() -> Any:
    from eqvproof.claims.groups import parse_group

    return parse_group("S(n)", a_signature())


@pytest.mark.parametrize("error", [ep.TargetError("t"), ep.ShapeError("s"), KeyboardInterrupt()], ids=repr)
def test_what_is_meant_passes(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "_require_typical", failing(error))  # type: ignore[arg-type]
    with pytest.raises(type(error)):
        ep.check(sort, MATRIX, "O(d)")


def test_a_mistake_while_a_claim_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eqvproof.engines.read_call.parse_form", failing(Stuck("here")))
    for ask in (ep.check, ep.prove, ep.decide, ep.refute):
        with pytest.raises(ep.EqvproofError, match="error in eqvproof itself"):
            ask(sort, MATRIX, "O(d)")
    with pytest.raises(ep.EqvproofError, match="error in eqvproof itself"):
        ep.symmetries(sort, MATRIX)


def test_whoever_develops_sees_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "_trace_and_prove", failing(ZeroDivisionError()))
    monkeypatch.setenv("EQVPROOF_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        ep.check(sort, MATRIX, "O(d)")


# ------------------------------------------------------------------------------------------------ bad input


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("not even this")


class Unnamed(type):
    """A class that hides its name."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise ValueError


class Speechless(BaseException, metaclass=Unnamed):
    def __str__(self) -> str:
        raise BaseException("nor this")


class Nothing:
    """An object that answers nothing."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def raising(error: BaseException) -> Callable[[Any], Any]:
    def target(X: Any) -> Any:
        raise error

    return target


def recursive(X: Any) -> Any:
    return recursive(X)


def asks(domain: Any, *, under: str = "O(d)", **options: Any) -> Callable[[], Any]:
    return lambda: ep.check(sort, MATRIX, under, domain=domain, **options)


def given(target: Any) -> Callable[[], Any]:
    return lambda: ep.check(target, MATRIX, "O(d)")


def represented(rho: Any) -> Callable[[], Any]:
    return lambda: ep.check(lambda x: x, "x: m -> m", "O(d)", sizes={"d": 2}, reps=rho)


BAD: dict[str, Callable[[], Any]] = {
    "a strategy without points": asks(st.nothing()),
    "a strategy whose points are all refused": asks(st.integers().filter(lambda v: False)),
    "arrays that are all refused": asks(st.just((np.zeros((2, 2)),)).filter(lambda v: v[0].any())),
    "a strategy that raises": asks(st.integers().map(lambda v: 1 // (v - v))),
    "a strategy that is none": asks(st.integers(min_value=5, max_value=1)),
    "a strategy that is not given": asks(st.deferred(lambda: 3)),
    "a strategy of texts": asks(st.text()),
    "a strategy of NaN": asks(st.just(float("nan"))),
    "a domain that raises": asks(lambda at: 1 / 0),
    "a domain of another argument": asks(lambda at: at["Z"] > 0),
    "a domain that answers with an array": asks(lambda at: at["X"] > 0, sizes={"d": 2, "n": 2}),
    "a domain that calls itself": asks(recursive),
    "a domain of floats that raises": asks(lambda at: 1 / 0, under="S(n)", about="floats"),
    "a representation that raises": represented({"m": ("O(d)", lambda Q: 1 / 0)}),
    "a representation by text": represented({"m": ("O(d)", lambda Q: "one")}),
    "a representation by nothing": represented({"m": ("O(d)", lambda Q: None)}),
    "representations in a list": represented([("O(d)", "1o")]),
    "sizes that are a number": lambda: ep.check(sort, MATRIX, "O(d)", sizes=3),
    "a budget beyond floats": lambda: ep.check(sort, MATRIX, "O(d)", budget=10**400),
    "a signature that is a number": lambda: ep.check(sort, 3, "O(d)"),
    "a group that is a number": lambda: ep.check(sort, MATRIX, 3),
    "a target that is nothing": given(None),
    "a target that recurses": given(recursive),
    "a target whose error cannot be printed": given(raising(Unspeakable())),
    "a target whose error has no name": given(raising(Speechless())),
    "a target that raises a group": given(raising(ExceptionGroup("g", [OSError()]))),
    "a target that exits": given(raising(SystemExit(3))),
    "a target that raises what is no Exception": given(raising(BaseException("b"))),
    "a target that is out of memory": given(raising(MemoryError())),
    "a target that returns nothing that answers": given(lambda X: Nothing()),
    "a certificate that is a number": lambda: ep.verify(3),
    "a certificate in another encoding": lambda: ep.verify(b"\xff\xfe{"),
    "numbers beyond floats beside floats": lambda: ep.orthogonal_witness([[10**400]], np.ones((1, 1))),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_an_error_of_ours(name: str) -> None:
    with pytest.raises(ep.EqvproofError) as caught:
        BAD[name]()
    assert caught.value.code and "eqvproof itself" not in str(caught.value)


@pytest.mark.parametrize("ask", [ep.check, ep.prove, ep.decide, ep.refute], ids=lambda f: f.__name__)
@pytest.mark.parametrize("signature", ["X: d+n -> d+n", "x: n -> n+n!", "X: d n -> d!+d n!+n", "x: n -> 2+n"])
def test_a_factor_on_a_part_of_an_axis(ask: Callable[..., Any], signature: str) -> None:
    """Found by trying: `Stuck` left the decision procedure, and all symmetries with it."""
    with pytest.raises(ep.EqvproofError, match="does not act on a part of the axis"):
        ask(lambda X: np.concatenate([X, X]), signature, "Scale(n)")


def test_symmetries_leave_out_what_does_not_act() -> None:
    found = ep.symmetries(lambda x: np.concatenate([x, x]), "x: n -> n+n!", budget=30)
    assert "S(n)" in {v.under for v in found} and "Scale(n)" not in {v.under for v in found}


def test_too_large_for_memory() -> None:
    verdict = ep.check(sort, MATRIX, "O(d)", sizes={"d": 10**30, "n": 2})
    assert verdict.outcome == "UNDECIDED" and "error" not in verdict.reason
