"""Limits of work at one choice of sizes, and the result of an identity test there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from eqvproof.engines.reasons import NO_REASON, Reason, Why
from eqvproof.programs.rules import Stuck
from eqvproof.support.deadline import TimeIsUp, until

T = TypeVar("T")


class Unable(Exception):
    """Raised if a method does not cover a claim; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class SizeResult:
    """The result of an identity test at one choice of sizes.

    Attributes:
        holds: True if the claim passes it; False means that nothing is known.
        bits: k such that the probability of an error in such tests at 2^SPARE sizes is at most
            2^-k.
        why: the reason if nothing is known.
    """

    holds: bool
    bits: int = 0
    why: Reason = NO_REASON


def unknown(kind: Why, detail: str = "") -> SizeResult:
    """Builds a result that leaves the claim open, with the reason."""
    return SizeResult(holds=False, why=Reason(kind, detail))


def limited_result(
    deadline: float, work: Callable[[], T], error: type[Exception] = Unable
) -> T | Reason:
    """Runs some work until a deadline; returns its result, or the reason why there is none.

    Args:
        deadline: a time of time.monotonic().
        work: returns the result.
        error: further exceptions that are reasons.
    """
    try:
        with until(deadline):
            return work()
    except TimeIsUp:
        return Reason(Why.TIME)
    except (Unable, Stuck, error) as found:
        return Reason(Why.METHOD, str(found) or "the method does not tell")
