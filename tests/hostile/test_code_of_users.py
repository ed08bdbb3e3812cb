"""Code of users that raises anything anywhere: the error is theirs, and says where; none of ours is shown."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.deepsets import pool
from eqvproof.deepsets.collisions import find_collision
from eqvproof.support.errors import EqvproofError

VECTOR = "x: n -> n"


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


class Other(BaseException):
    """No Exception."""


ERRORS: dict[str, Callable[[], BaseException]] = {
    "ValueError": lambda: ValueError("boom"),
    "KeyError": lambda: KeyError("k"),
    "RuntimeError": lambda: RuntimeError("boom"),
    "TypeError": lambda: TypeError("boom"),
    "AttributeError": lambda: AttributeError("boom"),
    "ZeroDivisionError": lambda: ZeroDivisionError("boom"),
    "RecursionError": lambda: RecursionError("boom"),
    "MemoryError": lambda: MemoryError(),
    "StopIteration": lambda: StopIteration(),
    "AssertionError": lambda: AssertionError("boom"),
    "OSError": lambda: OSError("boom"),
    "LinAlgError": lambda: np.linalg.LinAlgError("boom"),
    "an error that cannot be printed": Unspeakable,
    "SystemExit": lambda: SystemExit(3),
    "no Exception": lambda: Other("boom"),
}


def raising(error: BaseException) -> Callable[..., Any]:
    def called(*arguments: Any, **options: Any) -> Any:
        raise error

    return called


class Part:
    """An object of which one attribute is computed, and raises."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    @property
    def pos(self) -> Any:
        raise self._error


class Copied:
    """An object that raises when it is copied."""

    def __init__(self, error: BaseException) -> None:
        self.pos, self._error = np.ones((3, 2)), error

    def __copy__(self) -> Any:
        raise self._error

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise self._error


class Items(dict[str, Any]):
    """A dictionary that raises when something is looked up."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(pos=1)
        self._error = error

    def __getitem__(self, key: str) -> Any:
        raise self._error


class Sequence:
    """An object that raises when it is gone through, or turned into an array."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def __iter__(self) -> Iterator[Any]:
        raise self._error

    def __array__(self, *arguments: Any, **options: Any) -> Any:
        raise self._error


def domain(value: Any) -> Any:
    return ep.check(np.sort, VECTOR, "S(n)", domain=value, budget=5)


def represented(rho: Any) -> Any:
    reps = {"m": ("O(d)", rho)}
    return ep.check(lambda x: x, "x: m -> m", "O(d)", sizes={"d": 2}, reps=reps, budget=5)


def part(example: Any, f: Any = lambda data: data.pos) -> Any:
    return ep.check(f, "data.pos: n d -> n d", "O(d)", example={"data": example}, budget=5)


ROWS = np.arange(6.0).reshape(3, 2)
#: From an error to a call in which code of the user raises it.
CALLS: dict[str, Callable[[BaseException], Any]] = {
    "a domain": lambda e: domain(raising(e)),
    "a domain, at some points": lambda e: domain(lambda p: bool(p["x"].sum() > 3) or raising(e)()),
    "a part of a domain": lambda e: domain(ep.domains.positive & raising(e)),
    "a strategy that maps": lambda e: domain(st.integers().map(raising(e))),
    "a strategy that filters": lambda e: domain(st.integers().filter(raising(e))),
    "a strategy that builds": lambda e: domain(st.builds(raising(e))),
    "a strategy of objects": lambda e: domain(st.just(Sequence(e))),
    "a representation": lambda e: represented(raising(e)),
    "what a representation returns": lambda e: represented(lambda Q: Sequence(e)),
    "an attribute of an example": lambda e: part(Part(e)),
    "an item of an example": lambda e: part(Items(e), lambda data: data["pos"]),
    "a copy of an example": lambda e: part(Copied(e)),
    "a target": lambda e: ep.check(raising(e), VECTOR, "S(n)", budget=5),
    "a function, coefficients": lambda e: ep.coefficients(raising(e), [[1, 2], [3, 4]]),
    "what a function returns, coefficients": lambda e: ep.coefficients(lambda X: Sequence(e), [[1, 2]]),
    "a function, factor": lambda e: ep.factor_through_gram(raising(e), "X: d n -> d n"),
    "a function, reynolds": lambda e: ep.reynolds(raising(e), VECTOR, "S(n)")([1, 2]),
    "phi, pool": lambda e: pool(raising(e), ROWS),
    "phi at some rows, pool": lambda e: pool(lambda x: x[0] if float(x[0]) < 3 else raising(e)(), ROWS),
    "what phi returns, pool": lambda e: pool(lambda x: Sequence(e), ROWS),
    "phi, collision": lambda e: find_collision(raising(e), [1, 2, 3, 4]),
    "what phi returns, collision": lambda e: find_collision(lambda x: Sequence(e), [1, 2, 3, 4]),
    "candidates": lambda e: find_collision(lambda x: x, Sequence(e)),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_error_is_that_of_the_user(
    name: str, monkeypatch: pytest.MonkeyPatch, some: Any
) -> None:
    monkeypatch.delenv("EQVPROOF_TRACEBACK", raising=False)
    for kind, make in some(ERRORS.items(), 6):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                text = str(CALLS[name](make()))
            except EqvproofError as error:
                text = str(error)
                assert error.message and error.expected, kind
        assert "eqvproof itself" not in text and "should not happen" not in text, (kind, text)
        assert "/eqvproof/" not in text, (kind, text)


NAMED = ("a domain", "a representation", "an attribute of an example", "phi, collision")


@pytest.mark.parametrize("name", NAMED)
def test_the_line_is_named(name: str) -> None:
    with pytest.raises(EqvproofError) as caught:
        CALLS[name](ValueError("boom"))
    assert "ValueError: boom" in str(caught.value) and f"{__file__}, line " in caught.value.given


def test_an_interruption_is_none_of_these() -> None:
    for name in ("a domain", "a representation", "phi, pool", "phi, collision", "a function, coefficients"):
        with pytest.raises(KeyboardInterrupt):
            CALLS[name](KeyboardInterrupt())
