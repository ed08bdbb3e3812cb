"""What an engine says of a claim at one choice of sizes, and why it does not tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from eqvproof.programs.rules import Stuck
from eqvproof.support.deadline import TimeIsUp, until


class Why(Enum):
    """What kept an engine from an answer."""

    TIME = "the time is up"
    SIZE = "too many entries for an exact decision"
    METHOD = "the method does not tell"


class Unable(Exception):
    """A method does not cover this claim; the message says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found at one choice of sizes.

    Attributes:
        holds: the claim holds there; False means that nothing was found.
        bits: of an identity test: k where the probability of an error in such tests at 2^SPARE
            sizes is at most 2^-k.
        why: what was in the way.
        reason: the same in words.
    """

    holds: bool
    bits: int = 0
    why: Why | None = None
    reason: str = ""


def unknown(why: Why, reason: str = "") -> Answer:
    """No answer."""
    return Answer(holds=False, why=why, reason=reason or why.value)


def answered(
    work: Callable[[], Answer], deadline: float, error: type[Exception] = Unable
) -> Answer:
    """The answer of some work, if there is one before a moment of time.monotonic(); an error says why not."""
    try:
        with until(deadline):
            return work()
    except TimeIsUp:
        return unknown(Why.TIME)
    except (Unable, Stuck, error) as found:
        return unknown(Why.METHOD, str(found))
