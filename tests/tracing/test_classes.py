"""Questions for the class of a traced array: type(X) is np.ndarray, isinstance, X.__class__."""

# ruff: noqa: E721, UP003, RUF015

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy import ndarray

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

ARRAY = np.ndarray
KINDS = [int, float, list, np.ndarray]


class Scale:
    def __init__(self, s: Any) -> None:
        self.s = s


HELD = Scale(0.5)


def checked(X: Any) -> Any:
    if type(X) is not np.ndarray or X.ndim != 2:
        raise TypeError(f"a matrix is expected, not {type(X)}")
    return X * 2


def by_other_names(X: Any) -> Any:
    if not (type(X) is ndarray and ARRAY is type(X) and type(X.T) is type(X)):
        raise TypeError("an array is expected")
    if not (type(X) not in (list, tuple) and type(X) in KINDS and type(X) in {np.ndarray, list}):
        raise TypeError("an array is expected")
    if not (type(X) == np.ndarray and not type(X) != ARRAY and np.ndarray == X.__class__):
        raise TypeError("an array is expected")
    return X


def by_text(X: Any) -> Any:
    if type(X).__name__ != "ndarray" or X.__class__.__name__ == "list":
        return X.sum(axis=0)
    return X if str(type(X)) == "<class 'numpy.ndarray'>" else X * 2


def by_instance(X: Any) -> Any:
    if not (isinstance(X, np.ndarray) and not isinstance(X, (list, float, np.generic))):
        raise TypeError("an array is expected")
    if not (
        isinstance(X, (list, ARRAY)) and isinstance(X, Iterable) and not isinstance(X, Sequence)
    ):
        raise TypeError("an array is expected")
    if not (
        issubclass(type(X), np.ndarray)
        and issubclass(type(X), Iterable)
        and isinstance(X, type(X.T))
    ):
        raise TypeError("an array is expected")
    if not (not issubclass(type(X), (np.generic, Sequence))):
        raise TypeError("an array is expected")
    return X[X > 0].sum() + X if isinstance(X[X > 0], np.ndarray) else X[:1]


def types_as_before(X: Any) -> Any:
    class Meta(type):
        pass

    class Number(float):
        pass

    made = type("Made", (Number,), {"three": 3.0})
    if not (isinstance(float, type) and type(Meta("M", (), {})) == Meta and type(type) is type):
        raise TypeError("an array is expected")
    if not (
        type(1.5) is float and type(2) is int and type(made()) == made and type(X.shape) is tuple
    ):
        raise TypeError("an array is expected")
    return X * HELD.s if type(HELD) is Scale and issubclass(made, float) else X[:1]


TRUE = (checked, by_other_names, by_text, by_instance, types_as_before)


@pytest.mark.parametrize("f", TRUE, ids=lambda f: f.__name__)
def test_proved(f: Callable[..., Any]) -> None:
    assert_proved(f, "X: n d -> n d", "S(n)")


def counted(X: Any) -> Any:
    return np.cumsum(X, axis=0) if type(X) is np.ndarray else X


def counted_in_lists(X: Any) -> Any:
    return X if type(X) in (list, tuple) else X * np.arange(len(X))[:, None]


@pytest.mark.parametrize("f", [counted, counted_in_lists], ids=lambda f: f.__name__)
def test_near_misses(f: Callable[..., Any]) -> None:
    assert_refuted(f, "X: n d -> n d", "S(n)")


UNREAD: dict[str, Callable[..., Any]] = {
    "the class of a number": lambda X: X if type(X.sum()) is np.float64 else X[:1],
    "a number as a float": lambda X: X if isinstance(X.sum(), float) else X[:1],
    "Python's number": lambda X: X if type(float(X.sum())) is float else X[:1],
    "a size": lambda X: X if type(X.shape[0]) is int else X[:1],
    "a size's class": lambda X: X if X.shape[0].__class__ == int else X[:1],
    "a list of entries": lambda X: (
        X if type(sorted(X[:, 0])) is np.ndarray else np.cumsum(X, axis=0)
    ),
    "part of a list": lambda X: (
        X if type(sorted(X[:, 0])[::-1]) is np.ndarray else np.cumsum(X, axis=0)
    ),
    "a range": lambda X: X if isinstance(range(len(X)), np.ndarray) else np.cumsum(X, axis=0),
    "an iterator": lambda X: X if isinstance(X.flat, np.ndarray) else np.cumsum(X, axis=0),
    "a complex array": lambda X: X if type(X * 1j) is np.ndarray else X[:1],
    "the identity of objects": lambda X: X if X.T is X.T else X[:1],
    "type under another name": lambda X: [t(X) for t in (type,)][0] is ndarray and X,
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_read_is_not_proved(name: str) -> None:
    assert ep.prove(UNREAD[name], "X: n d -> n d", "S(n)").outcome != "PROVED"
