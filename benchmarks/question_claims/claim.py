"""A claim about a function: the question, what is asked of it, and the answer that its author expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Claim:
    """A function, and a question about it.

    Attributes:
        item: the number of the question in the page.
        function: the function; of "profile" what builds the model, broken or not.
        signature: the typing; "" for that of annotations.
        under: the group, a point group by its symbol alone.
        holds: the answer expected; `oracle` confirms it.
        question: "check", "nearest", "independent", "causal", "identical", "profile" or "violation".
        options: what the call is given besides.
        plain: the typings that the oracle takes in place of one with annotations or "...".
        against: the other function of "identical".
        place: of "profile", where the symmetry is broken; of "nearest", the claim that holds.
    """

    item: int
    function: Function
    signature: str
    under: str
    holds: bool
    question: str
    options: Mapping[str, Any] = field(default_factory=dict)
    plain: tuple[str, ...] = ()
    against: Function | None = None
    place: str = ""

    @property
    def name(self) -> str:
        """Item and function, and whether it is a model that is broken on purpose."""
        is_broken = self.question == "profile" and not self.holds
        return f"{self.item}.{self.function.__name__}{'.broken' * is_broken}"

    @property
    def typings(self) -> tuple[str, ...]:
        """The typings that the oracle tests."""
        return self.plain or (self.signature,)


class Item:
    """Collects the claims of one question, by decorators of functions.

    Args:
        number: the number of the question.
        title: the question.
        question: the call that answers it, unless a claim names another.
    """

    def __init__(self, number: int, title: str, question: str = "check") -> None:
        self.number, self.title, self.question = number, title, question
        self.claims: list[Claim] = []

    def right(
        self, signature: str = "", under: str = "", **more: Any
    ) -> Callable[[Function], Function]:
        """Claims that the answer is yes."""
        return self._claimed(signature, under, more, holds=True)

    def wrong(
        self, signature: str = "", under: str = "", **more: Any
    ) -> Callable[[Function], Function]:
        """Claims that the answer is no."""
        return self._claimed(signature, under, more, holds=False)

    def _claimed(
        self, signature: str, under: str, more: dict[str, Any], *, holds: bool
    ) -> Callable[[Function], Function]:
        fields = {k: more.pop(k) for k in ("plain", "against", "place") if k in more}
        question = more.pop("question", self.question)

        def kept(function: Function) -> Function:
            claim = Claim(self.number, function, signature, under, holds, question, more, **fields)
            self.claims.append(claim)
            return function

        return kept
