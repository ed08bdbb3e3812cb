"""One entry of the corpus, and building blocks of the functions in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Case:
    """A function and a claim about it.

    Attributes:
        why: what is wrong with it, or hard about it.
        function: the target.
        signature, under: the claim.
        options: of `ep.check`.
        is_exact: whether the target runs on exact numbers.
    """

    name: str
    why: str
    function: Callable[..., Any]
    signature: str
    under: str
    options: Mapping[str, Any] = field(default_factory=dict)
    is_exact: bool = True


class Corpus:
    """Collects cases; names are unique."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def add(
        self, why: str, signature: str, under: str, function: Callable[..., Any], *, exact: bool = True,
        **options: Any,
    ) -> None:  # fmt: skip
        name = f"{why} {sum(c.why == why for c in self.cases) + 1}"
        self.cases.append(Case(name, why, function, signature, under, options, exact))


def softmax(x: Any, axis: int = -1) -> Any:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def norm(x: Any) -> Any:
    return np.sqrt((x * x).sum())


def in_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which refuses exact numbers."""

    def wrapped(*arrays: Any) -> Any:
        if any(memoryview(a).format == "O" for a in arrays):
            raise TypeError("arrays of floats")
        return function(*arrays)

    wrapped.__wrapped__ = function  # type: ignore[attr-defined]
    return wrapped
