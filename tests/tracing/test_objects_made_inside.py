"""Objects that a call makes and drops: estimators, records, caches; and what outlives the call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

Function = Callable[..., Any]


class Centre:
    def fit(self, X: Any) -> Centre:
        self.mean_ = X.mean(axis=0)
        return self

    def transform(self, X: Any) -> Any:
        return X - self.mean_


class Scaled(Centre):
    def __init__(self, power: float = 0.5) -> None:
        self.power = power
        self.log: list[str] = []

    def fit(self, X: Any) -> Scaled:
        super().fit(X)
        self.log.append("fitted")
        self.scale_ = ((X - self.mean_) ** 2).sum() ** self.power
        return self

    def transform(self, X: Any) -> Any:
        return super().transform(X) / self.scale_


class Clusters:
    def __init__(self, centres: Any) -> None:
        self.centres = centres

    def step(self, X: Any) -> Clusters:
        self.labels_ = ((X[:, None] - self.centres) ** 2).sum(-1).argmin(1)
        means = [
            X[self.labels_ == k].mean(axis=0) if (self.labels_ == k).any() else self.centres[k]
            for k in range(len(self.centres))
        ]
        self.centres = np.array(means)
        return self


@dataclass
class Moments:
    first: Any
    second: Any


class Pair(NamedTuple):
    middle: Any
    spread: Any


class Lazy:
    def __init__(self, X: Any) -> None:
        self.X = X
        self._gram = None

    @property
    def gram(self) -> Any:
        if self._gram is None:
            self._gram = self.X @ self.X.T
        return self._gram


class Node:
    def __init__(self, value: Any, rest: Node | None) -> None:
        self.value, self.rest = value, rest


def local_class(X: Any) -> Any:
    class Shift:
        def __init__(self, by: Any) -> None:
            self.by = by

        def go(self, X: Any) -> Any:
            return X - self.by

    return Shift(X.mean(axis=0)).go(X)


def namespace(X: Any) -> Any:
    state = SimpleNamespace(centre=X.mean(axis=0), total=0.0)
    state.total = state.total + ((X - state.centre) ** 2).sum()
    return (X - state.centre) / state.total


def moments(X: Any) -> Any:
    found = Moments(X.mean(axis=0), (X**2).sum())
    found.second = found.second + 1.0
    return X - found.first + 0 * found.second


def pair(X: Any) -> Any:
    found = Pair(X.mean(axis=0), 2.0)
    return found.spread * (X - found.middle)


def lazy(X: Any) -> Any:
    cache = Lazy(X - X.mean(axis=0))
    return cache.gram @ cache.X + cache.gram @ cache.X


def linked(X: Any) -> Any:
    chain = Node(X, Node(X.mean(axis=0), None))
    return chain.value - chain.rest.value  # type: ignore[union-attr]


def attributes(X: Any) -> Any:
    estimator = Centre()
    estimator.offset = 0.0  # type: ignore[attr-defined]
    return estimator.fit(X).transform(X) + estimator.offset  # type: ignore[attr-defined]


RIGHT: dict[str, Function] = {
    "an estimator": lambda X: Centre().fit(X).transform(X),
    "a subclass with a log": lambda X: Scaled().fit(X).transform(X),
    "a class of the function": local_class,
    "a namespace": namespace,
    "a record": moments,
    "a named tuple": pair,
    "a property that is computed once": lazy,
    "a linked list": linked,
    "attributes from outside": attributes,
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_a_call_makes_and_drops_is_local(name: str) -> None:
    assert_proved(RIGHT[name], "X: n d -> n d", "S(n) x O(d)")


def test_a_step_of_clusters() -> None:
    signature = "X: n d, C: 3 d -> 3 d"
    assert_proved(lambda X, C: Clusters(C).step(X).centres, signature, "S(n) x O(d)")
    assert_refuted(lambda X, C: Clusters(C).step(X).centres + X[0], signature, "S(n)")


class Counted:
    made: ClassVar[int] = 0
    seen: ClassVar[list[int]] = []

    def alias(self, X: Any) -> Any:
        kind = type(self)
        kind.made += 1
        return X * kind.made

    def registry(self, X: Any) -> Any:
        self.seen.append(1)
        return X * len(self.seen)

    def own(self, X: Any) -> Any:
        self.__class__.made += 1
        return X * self.made

    def rebound(self, X: Any) -> Any:
        calls = self.seen
        calls += [2]
        return X * len(calls)


class Default:
    def __init__(self, kept: list[int] = []) -> None:  # noqa: B006
        self.kept = kept

    def go(self, X: Any) -> Any:
        self.kept.append(1)
        return X * len(self.kept)


KEPT = Centre()
SHARED: dict[str, Any] = {}


class Sharing:
    def __init__(self) -> None:
        self.__dict__ = SHARED

    def go(self, X: Any) -> Any:
        self.count = getattr(self, "count", 0) + 1
        return X * self.count


def first_mean_stays(X: Any) -> Any:
    if not hasattr(KEPT, "mean_"):
        KEPT.fit(X)
    return KEPT.transform(X)


OUTSIDE = SimpleNamespace(calls=0)


def namespace_outside(X: Any) -> Any:
    alias = OUTSIDE
    alias.calls = alias.calls + 1
    return X * alias.calls


WRONG: dict[str, Function] = {
    "a count of the class": lambda X: Counted().alias(X),
    "a list of the class": lambda X: Counted().registry(X),
    "a count by __class__": lambda X: Counted().own(X),
    "a list of the class, renamed": lambda X: Counted().rebound(X),
    "a default": lambda X: Default().go(X),
    "an object from outside": first_mean_stays,
    "a namespace from outside": namespace_outside,
    "a dictionary from outside": lambda X: Sharing().go(X),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_outlives_the_call_is_no_function(name: str) -> None:
    verdict = ep.check(WRONG[name], "X: n d -> n d", "S(n)")
    assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED"), verdict.reason
