"""The result of an engine at one choice of sizes, with the reason if there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from eqvproof.programs.rules import Stuck
from eqvproof.support.deadline import TimeIsUp, until


class Why(Enum):
    """The kinds of reasons for which an engine finds no answer."""

    TIME = "the time is up"
    SIZE = "too many entries for an exact decision"
    METHOD = "the method does not tell"


class Unable(Exception):
    """Raised if a method does not cover a claim; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of an engine at one choice of sizes.

    Attributes:
        holds: True if the claim holds there; False means that nothing is known.
        bits: for an identity test, k such that the probability of an error in such tests at
            2^SPARE sizes is at most 2^-k.
        why: the kind of reason if nothing is known.
        reason: the reason in words.
    """

    holds: bool
    bits: int = 0
    why: Why | None = None
    reason: str = ""


def unknown(why: Why, reason: str = "") -> Answer:
    """Builds an answer that leaves the claim open, with the reason."""
    return Answer(holds=False, why=why, reason=reason or why.value)


def answered(
    work: Callable[[], Answer], deadline: float, error: type[Exception] = Unable
) -> Answer:
    """Runs some work until a deadline; returns its answer, or the reason why there is none.

    Args:
        work: returns the answer.
        deadline: a time of time.monotonic().
        error: further exceptions that are reasons.
    """
    try:
        with until(deadline):
            return work()
    except TimeIsUp:
        return unknown(Why.TIME)
    except (Unable, Stuck, error) as found:
        return unknown(Why.METHOD, str(found))
